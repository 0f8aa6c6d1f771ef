"""A list of what was deleted names a file that stays as well: its own words count, whatever stands over the list."""

from __future__ import annotations

import pytest

from .conftest import Session  # type: ignore[import-not-found]

OVER = {
    "en": "I removed two of the three old scripts:",
    "de": "Gelöscht sind zwei der drei alten Skripte:",
    "fr": "J'ai supprimé deux des trois anciens scripts :",
    "es": "He eliminado dos de los tres scripts viejos:",
}
DELETED = {"en": "deleted", "de": "gelöscht", "fr": "supprimé", "es": "eliminado"}


def listed(language: str, said: str) -> str:
    return f"{OVER[language]}\n\n- `old.sh`: {DELETED[language]}\n- `old_lib.sh`{said}"


@pytest.fixture
def cleaned(session: Session) -> Session:
    return session.has("old.sh").has("old_lib.sh").has("run.sh").begins().deletes("old.sh")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ": **kept**, because `run.sh` sources it"),
        ("en", " stays, since `run.sh` sources it"),
        ("en", " (kept for now)"),
        ("en", ": I deliberately kept it"),
        ("en", ": still needed by `run.sh`"),
        ("en", " — not deleted, `run.sh` sources it"),
        ("de", ": **behalten**, weil `run.sh` sie lädt"),
        ("de", " bleibt, weil `run.sh` sie lädt"),
        ("de", ": nicht gelöscht"),
        ("fr", " : **conservé**, car `run.sh` l'utilise"),
        ("fr", " reste, car `run.sh` l'utilise"),
        ("es", ": **conservado**, porque `run.sh` lo usa"),
        ("es", ": no se ha eliminado"),
    ],
)
def test_a_file_that_its_own_words_keep_is_not_told_as_deleted(cleaned: Session, language: str, said: str) -> None:
    assert cleaned.stop(listed(language, said)) == ""


@pytest.mark.parametrize("said", [": only `make legacy` used it", ": deleted, nothing used it", " (used nowhere)"])
def test_a_file_of_such_a_list_is_told_as_deleted_otherwise(cleaned: Session, said: str) -> None:
    assert "it is still there" in cleaned.stop(listed("en", said))


@pytest.mark.parametrize("command", ["rm tmp/*.txt", "rm -f tmp/*.txt && ls tmp"])
def test_a_file_that_a_pattern_left_there_was_not_deleted(session: Session, command: str) -> None:
    session.has("tmp/a.log").has("tmp/keep.txt").begins()
    (session.root / "tmp/keep.txt").unlink()
    assert "it is still there" in session.runs(command, "a.log").stop("I deleted `tmp/a.log`, nothing else.")


def test_where_another_command_may_have_cleared_it_a_part_may_be_meant(session: Session) -> None:
    session.has("tmp/a.log").has("tmp/keep.txt").begins()
    session.runs("rm tmp/*.txt").runs("./clean.sh")
    assert "it is still there" not in session.stop("I deleted `tmp/a.log`.")
