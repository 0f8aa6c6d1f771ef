"""What only the trace explains is read in bounded time, and what lies beyond a bound is listed as not read.

Work is counted in calls of functions, not in seconds: the same on every machine, however busy it is.
"""

from __future__ import annotations

import cProfile
from collections.abc import Callable
from pathlib import Path

import pytest

from witnessmark.actions.claims.collect import by_trace, hold_all
from witnessmark.actions.report.report import MAX_PASSAGES, Report
from witnessmark.actions.trace.calls import ToolCall, Trace
from witnessmark.actions.trace.index import TraceIndex, index
from witnessmark.actions.tree.view import TreeState

HONEST = "I ran `go test ./p1` and it passes.\n"


def session(calls: int = 100, *, start: int = 0, code: int = 0, refused: int = 0) -> TraceIndex:
    """An edit, then so many commands, which nothing mends, and edits that were refused."""
    made = [ToolCall("e", "Edit", {"file_path": "/r/a.py", "old_string": "a", "new_string": "b"}, "ok", ok=True)]
    made += [
        ToolCall(
            f"c{n}", "Bash", {"command": f"go test ./p{n} -run X{n} && rollout{n} thing{n}"},
            f"ok\n{n} passed\nerror: thing{n} could not\n", code, ok=code == 0,
        )
        for n in range(start, start + calls)
    ]  # fmt: skip
    edits = (
        {"file_path": f"/r/f{n}.py", "old_string": "a", "new_string": f"brings_{n}"}
        for n in range(start, start + refused)
    )
    made += [ToolCall(f"r{n}", "Edit", given, "denied", ok=False) for n, given in enumerate(edits)]
    return index(Trace("t", tuple(made)))


def work(report: str, trace: TraceIndex) -> int:
    """How many calls of functions it takes to read a report against a trace."""
    with cProfile.Profile() as counted:
        by_trace(Report(report), trace)
    return sum(entry.callcount for entry in counted.getstats())


SENTENCES: dict[str, Callable[[int], str]] = {
    "one option that was never typed": lambda n: "I ran `go test -race ./x` and it passes.",
    "options": lambda n: f"I ran `go test --zap{n} ./x` and it passes.",
    "a failed run": lambda n: f"I ran it for thing{n + 7}, and it works.",
    "printed facts": lambda n: (
        f"{n} tests pass, the request came back with 200, and there are no known vulnerabilities."
    ),
    "commits": lambda n: "Committed in two parts.",
    "items": lambda n: f"- `name_{n}` is changed",
    "rows": lambda n: f"| `f{n}.py` | changed |",
    "what was kept": lambda n: "All dependency versions are unchanged, and everything else is as it was.",
    "refused edits": lambda n: f"`brings_{n}` is in place.",
}


@pytest.mark.parametrize("kind", SENTENCES)
def test_twice_the_report_over_twice_the_session_costs_twice_the_work(kind: str) -> None:
    def cost(count: int, start: int) -> int:
        report = "Changed:\n\n" + "\n".join(SENTENCES[kind](n) for n in range(start, start + count)) + "\n"
        return work(report, session(count, start=start, code=1, refused=count if kind == "refused edits" else 0))

    cost(70, 1000)  # patterns are made once; those of a name of its own each time, so none is named twice
    once, twice = cost(80, 2000), cost(160, 3000)
    assert twice < 2.5 * once, "it grows with the product of both"


def test_sentences_beyond_those_that_are_read_cost_next_to_nothing() -> None:
    read, beyond = (work(HONEST * (MAX_PASSAGES * times + 20), session(50)) for times in (1, 3))
    assert beyond - read < 130 * 2 * MAX_PASSAGES, "their lines are laid out, and no more"


def test_what_lies_beyond_the_sentences_that_are_read_is_listed_and_never_passes(tmp_path: Path) -> None:
    lie = "I ran `go test -race ./x` and it passes.\n"
    read = by_trace(Report(HONEST * 100 + lie), session())
    assert [claim.value for claim in read] == ["go test -race ./x"]
    report = HONEST * MAX_PASSAGES + lie
    (rest,) = by_trace(Report(report), session())
    assert rest.span == (len(HONEST) * MAX_PASSAGES, len(report))
    assert lie.startswith(rest.text.rstrip())
    (ruling,) = hold_all([rest], TreeState(root=tmp_path), session(), "", Report(report))
    assert ruling.status == "unverifiable"


def test_what_comes_after_the_claims_of_one_reading_is_listed() -> None:
    most = 60
    lines = [f"I ran `go test --zap{n} ./x` and it passes." for n in range(most + 5)]
    *found, rest = by_trace(Report("\n".join(lines)), session())
    assert len(found) == most
    assert {claim.kind for claim in found} == {"content"}
    assert rest.text.startswith(lines[most])


def test_a_report_that_is_read_whole_lists_nothing() -> None:
    assert by_trace(Report(HONEST * MAX_PASSAGES), session()) == []


def test_the_commands_and_texts_of_a_session_are_gathered_once() -> None:
    trace = session()
    assert trace.session_runs() is trace.session_runs()
    assert trace.session_texts() is trace.session_texts()
