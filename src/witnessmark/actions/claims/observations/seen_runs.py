"""What an agent says it saw, against the trace: in a browser or server, under a profiler, a test that failed first, an error seen again.

A tool run would have left its trace. Where the trace holds everything and has nothing of the sort, nobody saw it; where a program
ran of which nobody can say what it did, it is left open.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from witnessmark.actions.claims.claim import ActionClaim
from witnessmark.actions.claims.ruling import Ruling, absent, contradicted, supported, unverifiable
from witnessmark.actions.report.tests import NUMBERS
from witnessmark.actions.trace.calls import command_of
from witnessmark.actions.trace.changes import lasting
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.actions.trace.ledger import Ledger, code_changes
from witnessmark.text.patterns import compiled

_EVIDENCE: Mapping[str, re.Pattern[str]] = {
    "served": compiled(
        r"browser|playwright|cypress|puppeteer|selenium|chrom|firefox|safari|screenshot|webfetch|web_fetch|http|curl|wget|localhost|127\.0\.0\.1|\b(?:dev|serve|server|start|preview|runserver|storybook|simulator|emulator|simctl|open)\b",
        re.IGNORECASE,
    ),
    "profiled": compiled(
        r"profil|py-spy|\bperf\b|flame|hyperfine|timeit|bench|\btime\b|tracemalloc|memray|durations|pprof|clinic|lighthouse|explain|\bk6\b|\bwrk\b|\bab\b|locust|debug|\bpdb\b|lldb|gdb|inspect|--prof|silk|strace|valgrind|trace|load",
        re.IGNORECASE,
    ),
    "reproduced": compiled(r"curl|wget|http|psql|sqlite3|mysql|redis-cli|repro|browser|fetch", re.IGNORECASE),
}
_WORDS = {
    "served": "nothing was started or opened in the trace",
    "profiled": "the trace has no run under a profiler or debugger",
    "measured": "the trace has no measurement",
    "reproduced": "the trace has no run that could have shown it",
    "tested": "the trace has no test run",
}
_RUNS_CODE = ("test", "build", "bench")


def rule(claim: ActionClaim, trace: TraceIndex) -> Ruling:
    """One claim about something that was seen."""
    ledger = trace.ledger
    if not trace.whole or not ledger.active:
        return unverifiable("the trace does not show all that was done", there="not in the trace")
    role = claim.role or ""
    if role == "red_first":
        return _red_first(ledger)
    if role in ("times", "retested"):
        return _again(claim, trace)
    shown = _BY_ROLE[role](ledger)
    if shown:
        return supported("the trace has a call that may have shown it", shown)
    if ledger.opaque:
        return unverifiable("the trace has calls of which nobody can say what they showed", there="not in the trace")
    return absent(trace, _WORDS[role])


def _called(role: str) -> Callable[[Ledger], str]:
    """The call that may be one of this sort, by its tool or its command."""
    pattern = _EVIDENCE[role]

    def look(ledger: Ledger) -> str:
        said = (f"{call.name} {command_of(call)}" for call in ledger.calls)
        return next((line[:80] for line in said if pattern.search(line)), "")

    return look


def _measured(ledger: Ledger) -> str:
    """Two runs print two times, which is a comparison."""
    times = [run for run in ledger.checks if run.role in _RUNS_CODE]
    return _called("profiled")(ledger) or (times[-1].line if len(times) > 1 else "")


def _reproduced(ledger: Ledger) -> str:
    runs = [run for run in ledger.checks if run.role in _RUNS_CODE]
    return runs[0].line if runs else _called("reproduced")(ledger)


_BY_ROLE: Mapping[str, Callable[[Ledger], str]] = {
    "served": _called("served"),
    "profiled": _called("profiled"),
    "measured": _measured,
    "reproduced": _reproduced,
    "tested": lambda ledger: next(
        (run.line for run in ledger.checks if run.role in _RUNS_CODE and run.outcome != "not_run"), ""
    ),
}


def _again(claim: ActionClaim, trace: TraceIndex) -> Ruling:
    """Tests that are said to have been run so many times, or again after the last change."""
    ledger, runs = trace.ledger, trace.ledger.of("test")
    times = (claim.value or "").split(" ")[0]
    told = 2 if times == "twice" else NUMBERS.get(times) or int(times or 1)
    after = [change for change in code_changes(ledger) if not runs or change.number > runs[-1].number]
    if ledger.opaque or any(_REPEATS.search(str(run.line)) for run in runs):
        return unverifiable("the trace has calls that may have run them again", there=f"{len(runs)} test runs")
    if len(runs) < told:
        return contradicted("not_in_trace", f"the trace has {len(runs)} test runs", f"{len(runs)} test runs")
    if claim.role == "retested" and lasting(after):
        reason = f"{after[-1].place} was changed after the last test run"
        return contradicted("stale_run", reason, "no run after the change", after[-1].call)
    return supported("the trace has these test runs", f"{len(runs)} test runs", runs[-1].call.id)


_REPEATS = compiled(
    r"\b(?:for|while|until|repeat|seq|xargs|watch|hyperfine|parallel)\b|--(?:count|repeat|runs|flake)|-count"
)
"""A line that may run its command more than once."""


def _red_first(ledger: Ledger) -> Ruling:
    """A test that was seen failing is a run in the trace that failed."""
    runs = [run for run in ledger.checks if run.role == "test"]
    red = [run for run in runs if run.outcome == "failed"]
    if red:
        return supported("a test run in the trace failed", red[0].line, red[0].call.id)
    if ledger.opaque or any(run.outcome != "passed" for run in runs):
        return unverifiable("the trace has no test run that failed, and others may have", there="not in the trace")
    if runs:
        return contradicted("wrong_counts", "no test run in the trace failed", "all passed", runs[-1].call.id)
    return contradicted("not_in_trace", "the trace has no test run", "not in the trace")
