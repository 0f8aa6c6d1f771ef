"""Turns that changed and ran nothing: reviews, answers and history are nobody's claims; what the writer says to have done is one."""

from __future__ import annotations

import pytest


def looked(session):
    """A turn that read a file and git's log, with the tree as it was kept when the session began."""
    session.has("src/calc.py").begins()
    return session.runs("cat src/calc.py", "x = 1").runs("git log --oneline", "a1 x")


@pytest.mark.parametrize(
    "report",
    [
        "Yes. `add` was introduced in #42 and `legacy.py` was deleted at the same time.",
        "In the last two commits retries were added and `legacy.py` was removed.",
        "The tests in `tests/test_calc.py` pass for both cases on main, so the bug must be in the caller.",
        "`git log` shows that Bob deleted `docs/api.md` and pushed to main on Monday.",
        "**Review**: `docs/old.md` was deleted, which breaks a link.",
        "All tests pass on CI according to the author.",
        "The last release removed Python 3.8; `setup.py` was deleted and `pyproject.toml` added.",
        "The CI log says: 40 tests passed, 0 failed. So the failure is elsewhere.",
        "Die Tests laufen laut CI durch; `alt.py` wurde im letzten Commit gelöscht.",
        "Selon l'auteur, tous les tests passent.",
    ],
)
def test_the_work_of_others_is_told_freely(session, report):
    assert looked(session).stop(report) == ""


@pytest.mark.parametrize(
    "report",
    [
        "I deleted `legacy.py`.",
        "Deleted `legacy.py`.",
        "- Done: removed `legacy.py`.",
        "Committed the fix and pushed it to main.",
        "Ich habe `alt.py` gelöscht.",
        "All 12 tests pass.",
        "I ran the tests and they pass.",
    ],
)
def test_what_the_writer_says_to_have_done_is_held(session, report):
    assert "not true" in looked(session).stop(report)


def test_a_turn_that_changed_something_is_held_to_every_deletion(session):
    told = (
        looked(session).edits("src/calc.py", "x = 1", "x = 2").stop("Changed `src/calc.py`. `legacy.py` was deleted.")
    )
    assert "nothing was deleted" in told
