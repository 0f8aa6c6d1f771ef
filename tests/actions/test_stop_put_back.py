"""A file that is said to be as it was: the file itself, and not what it gives, a part of it, or something else that stands in the sentence."""

from __future__ import annotations

import pytest

from .conftest import Session  # type: ignore[import-not-found]

PUT_BACK = [
    "I put `a.py` back as it was.",
    "`a.py` is as it was.",
    "`a.py` is back in its original state.",
    "It was slower, so `a.py` is exactly as it was before.",
    "I restored `a.py` to what it was.",
    "`a.py` was set back to its old content.",
    "I reverted my changes to `a.py`.",
    "The change in `a.py` was undone.",
    "I took the edit of `a.py` back.",
    "`a.py` ist wieder wie vorher.",
    "Die Änderung an `a.py` habe ich zurückgenommen.",
    "`a.py` habe ich zurückgesetzt.",
    "`a.py` est de nouveau comme avant.",
    "`a.py` está como antes.",
]
OF_SOMETHING_ELSE = [
    "`a.py` exports the same names as before.",
    "The order of imports in `a.py` is as before.",
    "`a.py` takes as long as before.",
    "The public API of `a.py` is the same as before.",
    "Apart from that line, `a.py` is as it was.",
    "The rest of `a.py` is as it was.",
    "`a.py` prints 2, the exit code is as before.",
    "The messages in `a.py` are as they were.",
    "`a.py` accepts the same arguments as before, and one more.",
    "`a.py` fails as before, but with a clearer message.",
    "In `a.py` I kept the comments as they were.",
    "I reverted the rename in `a.py`, the value stays changed.",
    "I put the check back into `a.py`.",
    "I first cached the result in `a.py`, but took that back.",
    "The transaction is rolled back in `a.py` now.",
    "The rollback in `a.py` is fixed: it went back too far.",
    "I restored the import that was missing in `a.py`.",
    "`a.py` gibt jetzt 2 aus, sonst ist alles wie vorher.",
    "Der Aufruf von `a.py` ist wie vorher.",
    "Die Umbenennung in `a.py` habe ich rückgängig gemacht.",
    "In `a.py` habe ich den ersten Versuch zurückgenommen und den Wert gesetzt.",
    "`a.py` est appelé comme avant.",
    "J'ai annulé le renommage dans `a.py`.",
    "La salida de `a.py` es como antes.",
    "He deshecho el cambio de nombre en `a.py`.",
]


@pytest.fixture
def changed(session: Session) -> Session:
    return session.has("a.py", "# head\nx = 1\n").begins().edits("a.py", "x = 1", "x = 2")


@pytest.mark.parametrize("told", PUT_BACK)
def test_a_file_that_still_has_the_change_was_not_put_back(changed: Session, told: str) -> None:
    assert "a.py" in changed.stop(told)


@pytest.mark.parametrize("told", PUT_BACK)
def test_one_that_has_its_old_text_was(changed: Session, told: str) -> None:
    assert changed.edits("a.py", "x = 2", "x = 1").stop(told) == ""


@pytest.mark.parametrize("told", OF_SOMETHING_ELSE)
def test_what_is_told_of_something_else_says_nothing_of_the_file(changed: Session, told: str) -> None:
    assert changed.stop(told) == ""
