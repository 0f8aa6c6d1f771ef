"""What an earlier run of a turn counted, and what ended well before `&&`: told as it was, it is true whatever came last."""

from __future__ import annotations

import pytest


def mended(session):
    session.has("src/a.py", "x = 1\n").begins().runs("pytest -q", "2 failed, 1 passed in 0.1s", 1)
    return session.edits("src/a.py", "x = 1", "x = 2").runs("pytest -q", "2 passed, 1 skipped in 0.1s")


@pytest.mark.parametrize(
    "report",
    [
        "To be clear, only one of the two failures is actually fixed; the other test is skipped.",
        "I fixed one of the 2 failures: 2 passed, 1 skipped.",
        "1 of 2 failures is fixed.",
        "Both failures are gone, one of them by a skip.",
        "Of the two failing tests one is fixed and one is skipped.",
    ],
)
def test_failures_of_an_earlier_run_may_be_told_in_part(session, report):
    assert mended(session).stop(report) == ""


@pytest.mark.parametrize(
    "report",
    [
        "Only one of the three failures is actually fixed.",
        "I fixed one of the five failures.",
        "I fixed one of the two failures: 3 passed, 1 skipped.",
        "3 of 4 tests pass.",
    ],
)
def test_failures_that_no_run_had_may_not(session, report):
    assert "other counts" in mended(session).stop(report)


def test_failures_of_two_runs_are_counted_together(session):
    session.has("src/a.py", "x = 1\n").begins().runs("pytest -q a", "1 failed in 0.1s", 1)
    session.runs("pytest -q b", "2 failed in 0.1s", 1).edits("src/a.py", "x = 1", "x = 2")
    assert session.stop("I fixed one of the three failures; I did not run them again.") == ""


REJECTED = (
    " ! [rejected]        release -> release (fetch first)\nerror: failed to push some refs to 'git@host:app.git'"
)


def pushed(session, command="git commit -qam 'Fix x' && git push origin release", output=REJECTED):
    session.has("src/a.py", "x = 1\n").begins().edits("src/a.py", "x = 1", "x = 2")
    return session.runs(command, output, 1)


def test_a_commit_before_a_push_that_was_rejected_is_made(session):
    assert pushed(session).stop('Committed on release as "Fix x".') == ""
    assert session.stop("Committed; the push was rejected, since the branch has moved.") == ""


def test_the_push_is_not(session):
    assert "git push failed" in pushed(session).stop('Committed on release as "Fix x" and pushed to origin.')


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("git commit -qam x && git push", "error: pathspec 'x' did not match any file(s)"),
        ("git commit -qam x; git push origin release", f"nothing to commit\n{REJECTED}"),
        ("git commit -qam x && git push", "tests/test_a.py F\n1 failed in 0.1s\nhook failed"),
        ("git commit -qam x || git push origin release", REJECTED),
    ],
)
def test_a_commit_of_which_nothing_shows_that_it_was_made_is_not(session, command, output):
    assert "git commit failed" in pushed(session, command, output).stop("The change is committed.")


def test_a_check_before_tests_that_ran_went_well(session):
    session = pushed(session, "ruff check src && pytest -q", "1 failed, 3 passed in 0.2s")
    assert session.stop("ruff is clean; 1 test fails, 3 pass.") == ""
    assert "not true" in session.runs("ruff check src && pytest -q", "Found 2 errors.", 1).stop("ruff is clean.")
