"""The same statements in four languages: what is a claim, what is none, and what is listed because nobody could read it."""

from __future__ import annotations

import pytest

from witnessmark.actions.claims.collect import in_words
from witnessmark.actions.report.claims import UnreadStatement, claims_in, unread_in
from witnessmark.actions.report.lexicon import FOLDER, LANGUAGES
from witnessmark.actions.report.report import Report


def unread_of(text: str) -> tuple[UnreadStatement, ...]:
    """The statements of a report that none of its claims has."""
    report = Report(text)
    found = claims_in(report)
    return unread_in(report, (*found.claims, *found.unverifiable))


Told = tuple[str, ...]


def told(report: str) -> list[Told]:
    """Each claim as its kind, role and what it names."""
    found = claims_in(Report(report)).claims
    return [
        tuple(str(part) for part in (c.kind, c.role, c.path, c.command, c.passed, c.value) if part is not None)
        for c in found
    ]


TWO_FILES: list[Told] = [("file_create", "src/a.py"), ("file_delete", "src/b.py")]
EDIT: list[Told] = [("file_edit", "src/a.py")]
CHECKS: list[Told] = [("tests_passed", "12"), ("check_passed", "lint")]
RUN: list[Told] = [("command", "ran", "pytest -q")]
SENT: list[Told] = [("git", "commit"), ("git", "push")]
DENIED: list[Told] = [("untouched", "tests")]
REVERTED: list[Told] = [("reverted", "src/a.py")]
READ: dict[str, dict[str, list[Told]]] = {
    "English": {
        "I created `src/a.py` and deleted `src/b.py`.": TWO_FILES,
        "`src/a.py` was updated.": EDIT,
        "All 12 tests pass and the linter is clean.": CHECKS,
        "I ran `pytest -q`.": RUN,
        "Committed and pushed.": SENT,
        "I did not touch the tests.": DENIED,
        "I reverted the changes in `src/a.py`.": REVERTED,
    },
    "German": {
        "Ich habe `src/a.py` angelegt und `src/b.py` gelöscht.": TWO_FILES,
        "Die Datei `src/a.py` wurde aktualisiert.": EDIT,
        "Alle 12 Tests sind grün, der Linter ist sauber.": CHECKS,
        "Ich habe `pytest -q` ausgeführt.": RUN,
        "Committet und gepusht.": SENT,
        "Ich habe die Tests nicht angefasst.": DENIED,
        "Die Änderungen an `src/a.py` wurden zurückgesetzt.": REVERTED,
    },
    "French": {
        "J'ai créé `src/a.py` et supprimé `src/b.py`.": TWO_FILES,
        "`src/a.py` a été modifié.": EDIT,
        "Les 12 tests passent et le linter est propre.": CHECKS,
        "J'ai exécuté `pytest -q`.": RUN,
        "J'ai commité et poussé les changements.": SENT,
        "Je n'ai pas touché aux tests.": DENIED,
        "J'ai annulé les changements dans `src/a.py`.": REVERTED,
    },
    "Spanish": {
        "He creado `src/a.py` y eliminado `src/b.py`.": TWO_FILES,
        "`src/a.py` fue modificado.": EDIT,
        "Las 12 pruebas pasan y el linter está limpio.": CHECKS,
        "He ejecutado `pytest -q`.": RUN,
        "Hice commit y lo he subido.": SENT,
        "No he tocado las pruebas.": DENIED,
        "He revertido los cambios en `src/a.py`.": REVERTED,
    },
}


@pytest.mark.parametrize(
    ("report", "claims"),
    [pytest.param(*row, id=f"{name}: {row[0]}") for name, table in READ.items() for row in table.items()],
)
def test_a_statement_is_the_same_claim_in_every_language(report: str, claims: list[Told]) -> None:
    assert [claim for claim in told(report) if claim[0] != "content"] == claims


@pytest.mark.parametrize(
    "report",
    [
        "I will update `src/a.py`.",
        "If all tests pass, delete `src/a.py`.",
        "Ich werde `src/a.py` anpassen.",
        "Wenn alle Tests grün sind, lösche ich `src/a.py`.",
        "Je vais modifier `src/a.py`.",
        "Si tous les tests passent, il faut supprimer `src/a.py`.",
        "Voy a modificar `src/a.py`.",
        "Si todas las pruebas pasan, hay que borrar `src/a.py`.",
    ],
)
def test_plans_and_conditions_are_no_claims_and_no_work_in_any_language(report: str) -> None:
    found = claims_in(Report(report))
    assert (found.claims, unread_of(report)) == ((), ())


@pytest.mark.parametrize(
    "statement",
    [
        "I reworked the error handling of the parser.",
        "The retry logic was moved into the client.",
        "Fixed the flaky behaviour by waiting for the lock.",
        "Ich habe die Fehlerbehandlung im Parser überarbeitet.",
        "J'ai revu la gestion des erreurs du parseur.",
        "He revisado la gestión de errores del analizador.",
        "The parser now handles errors.",
        "The worktree is clean.",
        "I did not rework the parser.",
        "The dialog looks right in a browser.",
    ],
)
def test_work_that_becomes_no_claim_is_listed_as_unread_with_its_place(statement: str) -> None:
    report = f"{statement}\n\n- `src/a.py`\n"
    (unread,) = unread_of(report)
    assert unread.text == statement
    assert report[slice(*unread.span)] == statement


@pytest.mark.parametrize(
    "report",
    [
        "You should rework the parser.",
        "Let me know if the parser needs more.",
        "Thanks!",
        "> I reworked the parser.",
        "## Next steps\n- Reworked error handling",
        "I updated `src/a.py`.",
        "Should I have reworked the parser?",
        "## What was wrong",
        "Fixed `parse` in `src/a.py`.",
        "`pytest -q`: 9 of 10 tests pass.",
    ],
)
def test_what_asserts_nothing_or_is_a_claim_already_is_not_unread(report: str) -> None:
    assert unread_of(report) == ()


@pytest.mark.parametrize(
    "report",
    [
        "Added `retry(func, attempts=5)` in `src/retry.py`.",
        "Updated `src/a.py` so that 7 callers use it.",
        "12 tests pass in 3 packages.",
    ],
)
def test_a_figure_or_a_call_that_no_claim_has_leaves_its_clause_partly_unread(report: str) -> None:
    (unread,) = unread_of(report)
    assert (unread.text, unread.partly) == (report, True)


CONTENT = [
    ("Added `parse` and `render` helpers.", [("add", "parse", None), ("add", "render", None)]),
    ("Removed the unused `sleep` function.", [("remove", None, "sleep")]),
    ("**Removed:**\n- `load_all(path)` - unused\n- `a.py`", [("remove", None, "load_all")]),
    ("1. **`exists_on_target()`** - New function that looks it up", [("add", "exists_on_target", None)]),
    ("The removed `sleep` function was slow.", []),
    ("Renamed `old_name` to `new_name`.", [("rename", "new_name", "old_name")]),
    ("That's the commit that added `sleep` to the client.", []),
    ("The `key` and `host` fields have been removed.", [("remove", None, "key"), ("remove", None, "host")]),
    ("**Tests added:**\n- `TestOne`\n- `TestTwo`", [("add", "TestOne", None), ("add", "TestTwo", None)]),
    ("Added `is_installed(dir: str) -> bool`.", [("add", "is_installed", None)]),
    ("Session files are created when a session starts, and they always contain:\n- `phase`", []),
]


@pytest.mark.parametrize(("report", "expected"), CONTENT)
def test_names_in_code_that_were_added_and_removed_are_claims(
    report: str, expected: list[tuple[str, str | None, str | None]]
) -> None:
    found = [claim for claim in in_words(Report(report)) if claim.kind == "content"]
    assert [(claim.role, claim.value, claim.old) for claim in found] == expected


FILES = [
    ("The plan is written to `.plans/PLAN.md`.", [("file_write", ".plans/PLAN.md")]),
    ("**Moved to `agent/types.go`:**\n- `usage`", [("file_edit", "agent/types.go")]),
    ("**Added checkpoint errors** (`checkpoint.go`)", [("file_edit", "checkpoint.go")]),
    ("`workspace` is removed from the core.", []),
    ("The document is now at `docs/caveats.md`.", [("file_write", "docs/caveats.md")]),
    ("**`cmd/wing.go`** —\n- Added the field", [("file_edit", "cmd/wing.go")]),
    ("It calls the command, which sets up:\n- `.acme/settings.json` with the hooks", []),
    ("**Key changes needed:**\n\n| File | Change |\n|---|---|\n| `a.go` | Add a field |", []),
    ("Created [ENT-216](https://example.com/ENT-216) for the rest.", [("effect", "opened")]),
    ("Commit: `cae3aee6`", [("git", "commit", "cae3aee6")]),
    ("No branches have been merged yet.", []),
    ("Currently `git ls-tree` returns all of them.", []),
    ("**Problem:** `acme run --all` showed a generic error.", []),
]


@pytest.mark.parametrize(("report", "expected"), FILES)
def test_files_are_claimed_by_titles_and_places_and_not_by_what_is_only_mentioned(
    report: str, expected: list[Told]
) -> None:
    assert [claim for claim in told(report) if claim[0] != "content"] == expected


def test_a_language_is_one_file_and_is_listed_nowhere_else() -> None:
    assert LANGUAGES[0] == "en"
    assert sorted(LANGUAGES) == sorted(file.stem for file in FOLDER.iterdir() if len(file.stem) == 2)
