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


@pytest.mark.parametrize("line", ["rm -f /tmp/*.png", "find /tmp/probe -name '*.log' -delete", 'rm "$TMPFILE"'])
def test_tidying_up_what_was_tried_out_elsewhere_changes_nothing(session, line):
    assert looked(session).runs(line).stop("`legacy.py` was deleted in #42.") == ""


@pytest.mark.parametrize(
    "line", ["find . -name '*.orig' -delete", "git rm -q 'docs/*.md'", "git clean -fd docs", "rm *.md"]
)
def test_a_turn_that_took_files_away_by_a_pattern_is_held(session, line):
    assert "nothing was deleted" in looked(session).runs(line).stop("`src/legacy.py` was deleted.")
    assert session.stop("I took away what was left over.") == ""


@pytest.mark.parametrize("line", ["find . -name '*.tmp' -delete", "rm -f gen/*.tmp", "ls gen | grep tmp | xargs rm"])
def test_what_was_made_and_taken_away_by_a_pattern_may_be_told(session, line):
    assert looked(session).runs("python gen.py").runs(line).stop("I deleted `gen/a.tmp`.") == ""
