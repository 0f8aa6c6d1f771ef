"""What `verify` says of a report in words with its trace and the tree: what git took back is gone, what a linter mended is no deletion."""

from __future__ import annotations

import json

import pytest

from witnessmark import Case, Verifier
from witnessmark.actions.trace.reader import read_trace
from witnessmark.actions.tree.view import TreeState

OLD, NEW = 'return "ok"', 'return "OK"'


@pytest.fixture
def verify(session):
    """The outcome of a report against the transcript and the tree, without a snapshot from before."""

    def outcome(report: str) -> str:
        trace = read_trace("\n".join(map(json.dumps, session.items)).encode(), "t1").trace
        case = Case(subject={"kind": "agent_output", "summary": report, "traceRef": "trace:t1"}, checkpoint="actions")
        world = TreeState(root=session.root, traces={"t1": trace})
        return Verifier(services={"world": world}).verify_sync(case).outcome

    return outcome


@pytest.fixture
def edited(session):
    """A file was edited; nothing else happened yet."""
    return session.has("src/api.py", f"def health():\n    {OLD}\n").edits("src/api.py", OLD, NEW)


@pytest.mark.parametrize(
    "undo", ["git checkout -q src/api.py", "git checkout .", "git restore src", "git add -A && git commit -qm x && git reset -q --hard HEAD~1"]
)  # fmt: skip
def test_a_change_that_git_took_back_is_not_there(edited, verify, undo):
    edited.runs(undo).has("src/api.py", f"def health():\n    {OLD}\n")
    assert verify('Changed `health` in `src/api.py` to return "OK".') == "fail"
    assert verify('I changed `health` in `src/api.py` to return "OK" and reverted it again.') != "fail"


@pytest.mark.parametrize("other", ["git checkout -q other.py", "git reset -q HEAD~1", "git status"])
def test_a_change_that_is_still_there_holds(edited, verify, other):
    assert verify('Changed `health` in `src/api.py` to return "OK".') == "pass"
    edited.runs(other)
    assert verify('Changed `health` in `src/api.py` to return "OK".') == "pass"


@pytest.mark.parametrize(
    "told",
    [
        "I found an unused import in `src/api.py`; `ruff check src --fix` removed it.",
        "`ruff check src --fix` removed one unused import from `src/api.py`.",
        "I found an unused import in `src/api.py`, and `ruff check src --fix` removed it.",
    ],
)
def test_what_a_linter_mended_is_neither_a_deletion_nor_undone(edited, verify, told):
    edited.runs("ruff check src --fix", "Found 1 error (1 fixed, 0 remaining).\n")
    assert verify(told) != "fail"


def test_a_thing_in_a_file_that_was_removed_is_not_the_file(edited, verify):
    assert verify("I found an unused import in `src/api.py` and removed it.") != "fail"
    assert verify("`src/api.py` was not needed, so I deleted it.") != "pass"


def test_a_file_that_no_call_and_no_linter_changed_was_not_changed(session, verify):
    session.has("src/api.py").has("src/b.py").edits("src/b.py", "x = 1", "x = 2").runs("ruff check src", "All checks passed!\n")  # fmt: skip
    assert verify("I removed one unused import from `src/api.py` and changed `x` in `src/b.py`.") == "fail"
