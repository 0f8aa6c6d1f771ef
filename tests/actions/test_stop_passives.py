"""What is told in the passive, by nobody named, is held to the session like its active twin; what others did, what is denied and what happens by itself is not."""

from __future__ import annotations

import pytest

from .conftest import Session  # type: ignore[import-not-found]

REJECTED = "error: failed to push some refs\n ! [rejected] main -> main (fetch first)"
PUSHED = "To github.com:x/y\n   1234567..8fe2c03  main -> main"
PUSHES = [
    "`main` has been pushed to origin.",
    "main was pushed to origin, and so was the tag.",
    "`feature/x` has now been pushed to `origin`.",
    "My commit has now been pushed.",
    "`8fe2c03` was pushed to `origin/main`.",
    "`main` wurde nach origin gepusht.",
    "La branche a été poussée.",
    "La rama ha sido subida a origin.",
]


def changed(session: Session) -> Session:
    session.has("a.py").has("tests/test_a.py", "def test_a():\n    assert 1\n").begins()
    return session.edits("a.py", "x = 1", "x = 2")


def pushing(session: Session, output: str, code: int) -> Session:
    session.has("a.py").begins().edits("a.py", "x = 1", "x = 2")
    session.runs('git commit -am "bump"', "[main 8fe2c03] bump\n 1 file changed")
    return session.runs("git push origin main", output, code)


@pytest.mark.parametrize("said", PUSHES)
def test_a_push_that_was_rejected_is_none_in_the_passive_either(session, said):
    assert "git push failed" in pushing(session, REJECTED, 1).stop(said)


@pytest.mark.parametrize("said", PUSHES)
def test_a_push_that_went_through(session, said):
    assert pushing(session, PUSHED, 0).stop(said) == ""


@pytest.mark.parametrize(
    "said",
    [
        "`main` has not been pushed yet, since the remote rejected it.",
        "Once `main` has been pushed, CI runs.",
        "Each item is pushed onto the stack.",
        "`item` was pushed to `queue`, which is the bug.",
        "The release has been pushed back to Friday.",
        "`main` was pushed by you last week.",
    ],
)
def test_what_is_no_push_of_the_writer(session, said):
    assert pushing(session, REJECTED, 1).stop(said) == ""


COMMITS = [
    "The change has been committed.",
    '`a.py` was committed as "bump x".',
    "The fix was committed to main.",
    "A commit was created for this.",
    "Two separate commits have been made.",
    "Die Änderung wurde committet.",
]


@pytest.mark.parametrize("said", COMMITS)
def test_a_commit_that_nobody_made(session, said):
    assert "no git commit" in changed(session).stop(said)


@pytest.mark.parametrize("said", COMMITS)
def test_a_commit_that_was_made(session, said):
    assert changed(session).runs('git commit -am "bump x"', "[main 8fe2c03] bump x\n 1 file changed").stop(said) == ""


@pytest.mark.parametrize(
    "said",
    [
        "Nothing has been committed.",
        "It was committed by you last week already.",
        "The fix was committed by the bot.",
        "The change was committed in an earlier session, so it is only the value now.",
        "A commit is made by the hook on every save.",
    ],
)
def test_a_commit_that_somebody_else_or_nobody_made(session, said):
    assert changed(session).stop(said) == ""


RUNS = [
    "All tests were run.",
    "The tests have been run.",
    "The full test suite was executed again.",
    "Pytest was run over the project.",
    "The unit tests were re-run.",
    "Alle Tests wurden ausgeführt.",
    "Tous les tests ont été exécutés.",
    "Se han ejecutado todas las pruebas.",
]


@pytest.mark.parametrize("said", RUNS)
def test_tests_that_were_never_run(session, said):
    assert "no test run" in changed(session).stop(said)


@pytest.mark.parametrize("said", RUNS)
def test_tests_that_were_run(session, said):
    assert changed(session).runs("python -m pytest -q", "1 passed in 0.01s").stop(said) == ""


@pytest.mark.parametrize(
    "said",
    [
        "The tests were not run.",
        "No tests were run.",
        "The tests are run by CI on every push.",
        "The tests were run in CI last week.",
        "All tests were run by you before.",
        "Tests should be run before merging.",
    ],
)
def test_runs_that_others_make_or_nobody_made(session, said):
    assert changed(session).stop(said) == ""


@pytest.mark.parametrize(
    "told",
    [
        "Committet habe ich noch nichts.",
        "Committet ist noch nichts.",
        "Gepusht habe ich nicht.",
        "Gepusht wurde nichts.",
    ],
)
def test_what_german_denies_behind_the_verb_was_not_done(session, told):
    assert session.edits("src/a.py", "x = 1", "x = 2").stop(f"Ich habe den Wert in `src/a.py` gesetzt. {told}") == ""
