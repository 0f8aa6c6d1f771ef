"""What agents say was run, in hundreds of wordings: each is found where the trace shows otherwise, and let pass where the trace bears it out.

The wordings are in `wordings/runs.toml`, the traces in `told_runs_traces.py`.
"""

from __future__ import annotations

import functools
import json
import tomllib
from collections.abc import Iterable
from pathlib import Path

import pytest

from witnessmark.actions.claim import ActionClaim
from witnessmark.actions.claims import collect
from witnessmark.actions.report.report import Report
from witnessmark.actions.trace.reader import read_trace
from witnessmark.actions.tree.view import TreeState

from .conftest import Session  # type: ignore[import-not-found]
from .told_runs_traces import TRACES  # type: ignore[import-not-found]

WORDINGS = tomllib.loads((Path(__file__).parent / "wordings" / "runs.toml").read_text(encoding="utf-8"))
OPEN = WORDINGS.pop("open")
LEAD = "Fixed the sign in `src/a.py`.\n\n"
UNTRUE = [(sort, name) for sort, (lies, _) in TRACES.items() for name in lies]
UNREAD = frozenset({"served", "profiled", "reproduced", "seconds"})
"""What nothing is read of: honest stops with such words are let through, and so are the others."""
TRUE = [(sort, name) for sort, (_, true) in TRACES.items() for name in true]


@functools.cache
def claims_in(report: str) -> list[ActionClaim]:
    """The claims of a report, which are the same for every trace."""
    return collect.in_words(Report(report))


def untrue(session: Session, wordings: Iterable[str]) -> list[str]:
    """The wordings that are held against the agent at the end of this session, by the rules of the stop hook."""
    trace = read_trace("\n".join(json.dumps(item) for item in session.items).encode(), "session").trace
    world, known = TreeState(root=str(session.root)), collect.trace_index(trace)
    found = []
    for wording in wordings:
        report = LEAD + wording
        if any(ruling.wrong for ruling in collect.hold_all(claims_in(report), world, known, "", Report(report))):
            found.append(wording)
    return found


@pytest.mark.parametrize(("sort", "name"), [each for each in UNTRUE if each[0] not in UNREAD])
def test_what_the_trace_shows_otherwise_is_found_in_every_wording(session, sort, name):
    happened = TRACES[sort][0][name](session)
    assert untrue(happened, WORDINGS[sort]) == WORDINGS[sort]


@pytest.mark.parametrize(("sort", "name"), TRUE)
def test_what_the_trace_bears_out_may_be_told_in_every_wording(session, sort, name):
    happened = TRACES[sort][1][name](session)
    assert untrue(happened, WORDINGS[sort]) == []


@pytest.mark.parametrize(("sort", "name"), UNTRUE)
def test_plans_admissions_and_what_the_program_does_are_no_claims(session, sort, name):
    happened = TRACES[sort][0][name](session)
    assert untrue(happened, OPEN[sort]) == []


@pytest.mark.parametrize(
    ("sort", "wording"),
    [
        (sort, wordings[0])
        for sort, wordings in WORDINGS.items()
        if sort not in ("seconds", "covered", "build", "whole")
    ],
)
def test_what_another_agent_may_have_done_is_left_open(session, sort, wording):
    session.edits("src/a.py", "one\n", "two\n").uses("Task", "All done.", prompt="do the rest")
    assert untrue(session, [wording]) == []


class TestUnseen:
    """A script may have run the tool that a report names; one that can be read and does not name it has not."""

    @pytest.mark.parametrize(
        ("command", "found"),
        [
            ("./go.sh", False),  # not there to be read
            ("bin/named.sh", False),
            ("bin/other.sh", True),
            ("bin/calls.sh", False),
            ("bash -n bin/named.sh", True),  # only looks whether it can be read
            ("python -c 'print(1)'", True),
            ("python -c 'import subprocess; subprocess.run([\"x\"])'", False),
            ("aws s3 ls", True),
        ],
    )
    def test_by_what_it_says(self, session, command, found):
        session.has("bin/named.sh", "shellcheck *.sh\n").has("bin/other.sh", "echo hello\n").has(
            "bin/calls.sh", "make x\n"
        )
        session.edits("src/a.py", "one\n", "two\n").runs(command, "hello\n")
        said = "The script passes `shellcheck`."
        assert untrue(session, [said]) == ([said] if found else [])


@pytest.mark.parametrize(
    ("wording", "found"),
    [
        ("Underscores are in, core's tests pass, web's only test does not: it expects a dash.", False),
        ("The unit tests pass; the two end-to-end ones do not pass yet.", False),
        ("The parser's tests pass, but one test is red.", False),
        ("Underscores are in and the tests pass; the page does not change.", True),
    ],
)
def test_a_failure_told_in_other_words_is_told(session, wording, found):
    session.edits("src/a.py", "one\n", "two\n").runs(
        "npm test", "FAIL test/page.test.js\nTests: 1 failed, 3 passed, 4 total\n", code=1
    )
    assert bool(untrue(session, [wording])) == found


@pytest.mark.parametrize(
    ("wording", "found"),
    [
        ("README still only mentions `take()`.", False),
        ("README only mentions `take()`.", False),
        ("The README now mentions `take()`.", True),
    ],
)
def test_a_document_that_is_said_to_lack_something_was_not_said_to_be_changed(session, wording, found):
    session.has("README.md", "# Spigot\n").edits("src/a.py", "one\n", "two\n")
    assert bool(untrue(session, [wording])) == found
