"""Claims about what was run against the trace: commands, test runs, requests. Without a trace they cannot be said.

Test counts are those the runner printed. A trace that does not hold everything that was done says nothing by what it lacks.
A command told in words is not held to the letter. Knows nothing about files.
"""

from __future__ import annotations

import re
from typing import Any

from witnessmark.actions.claims.claim import ActionClaim
from witnessmark.actions.claims.ruling import Ruling, contradicted, supported, unsupported, unverifiable
from witnessmark.actions.trace.calls import command_of, exit_code_of, field, output_of
from witnessmark.actions.trace.index import CommandRun, TraceIndex, normal, words_of
from witnessmark.actions.trace.test_runners import RunnerCounts
from witnessmark.actions.trace.trace import ToolCall

_STATUS_KEYS = ("status", "status_code", "statusCode", "code")
Run = tuple[ToolCall, RunnerCounts]


def rule(claim: ActionClaim, trace: TraceIndex | None, why_not: str, later_same: bool = False) -> Ruling:
    """One claim about something that was run; `later_same` says that a later claim is about the same thing."""
    if trace is None:
        return unverifiable(f"{why_not}, so it cannot be shown that this was run", "trace_unresolved", "no trace")
    if claim.kind == "command":
        return _command(claim, trace, later_same)
    return _tests(claim, trace) if claim.kind == "tests_passed" else _request(claim, trace)


def _command(claim: ActionClaim, trace: TraceIndex, later_same: bool) -> Ruling:
    wanted = normal(claim.command or "")
    if not wanted:
        return unverifiable("the claim names no command", there="not looked at")
    runs = trace.commands.get(wanted) or (_told(wanted, trace) if claim.by == "report" else None)
    if not runs:
        if claim.by == "report" and trace.lines_with(_tool(wanted)):
            return unverifiable("the trace has another command of the same tool", there="another command")
        return absent(trace, "the trace has no such command")
    last = runs[-1]
    if claim.exit_code is None:
        return supported("the trace shows it run", "run", last.call.id)
    fitting = [run for run in runs if run.exit_code == claim.exit_code]
    if last.exit_code == claim.exit_code or (later_same and fitting):
        return supported(
            f"the trace shows it end with {claim.exit_code}",
            f"exit code {claim.exit_code}",
            (fitting or runs)[-1].call.id,
        )
    if last.exit_code is None:
        there = "no exit code" if last.told else "part of a line whose exit code is not its own"
        failed = last.told and last.call.ok is False and claim.exit_code == 0
        if failed:
            return contradicted("wrong_exit_code", "the trace shows it fail", "failed", last.call.id)
        return unverifiable("the trace shows it run and not how it ended", "unverifiable_claim", there)
    return contradicted(
        "wrong_exit_code", "the trace shows it end with another exit code", f"exit code {last.exit_code}", last.call.id
    )


def _told(wanted: str, trace: TraceIndex) -> list[CommandRun]:
    """Runs of a command that was told in words: with all of the words, whatever else it was typed with.

    Of a line with several commands the shortest part that has them all counts, since its exit code is the one that is meant.
    """
    best: dict[int, tuple[int, CommandRun]] = {}
    for line in trace.lines_with(wanted):
        for run in trace.commands[line]:
            if run.number not in best or len(line) < best[run.number][0]:
                best[run.number] = (len(line), run)
    return [best[number][1] for number in sorted(best)]


def _tool(command: str) -> str:
    return next((word for word in words_of(command) if word[0].isalnum()), command)


def absent(trace: TraceIndex, why: str) -> Ruling:
    """Not in the trace: untrue where the trace holds everything that was done."""
    if trace.whole:
        return unsupported("not_in_trace", why, "not in the trace")
    return unverifiable(f"{why}, which does not hold everything that was done", there="not in the trace")


# --- tests -------------------------------------------------------------------------------------------------------


def _tests(claim: ActionClaim, trace: TraceIndex) -> Ruling:
    runs = trace.tests
    if claim.command is not None:
        named = [(call, counts) for call, counts in runs if normal(claim.command) in normal(command_of(call))]
        runs = named or (runs if claim.by == "report" else [])
    ruling = _counted(claim, runs) if runs else _untold(claim, trace)
    if ruling.status == "contradicted" and not trace.whole:
        return unverifiable("the trace does not hold everything that was done", there=ruling.there)
    return ruling


def _counted(claim: ActionClaim, runs: list[Run]) -> Ruling:
    call, counts = runs[-1]
    code = exit_code_of(call)
    if counts.bad > (claim.failed or 0) or (code not in (0, None) and not claim.failed):
        return contradicted("wrong_counts", "the last test run failed", _printed(call, counts), call.id)
    if claim.passed is None and counts.passed == 0 and not counts.bad and not claim.failed:
        return contradicted("wrong_counts", "no test ran", _printed(call, counts), call.id)
    fitting = [one for one, found in runs if _fits(claim, found)]
    if fitting:
        return supported("the runner printed these counts", _printed(call, counts), fitting[-1].id)
    if _together(claim, runs):
        return supported("the runs in the trace printed these counts together", _printed(call, counts), call.id)
    if counts.passed is None:
        return unverifiable("the runner does not print how many passed", there=_printed(call, counts))
    return contradicted("wrong_counts", "the runner printed other counts", _printed(call, counts), call.id)


def _untold(claim: ActionClaim, trace: TraceIndex) -> Ruling:
    """No counts were printed: how a test command ended can show that tests failed, and not that they passed."""
    if not trace.untold:
        return absent(trace, "the trace has no test run")
    last = trace.untold[-1]
    code = exit_code_of(last)
    if not claim.failed and (code not in (0, None) or last.ok is False):
        there = "failed" if code is None else f"exit code {code}"
        return contradicted("wrong_counts", "the last test run failed", there, last.id)
    return unverifiable("a test run is in the trace, and its counts are not", there="no counts")


def _fits(claim: ActionClaim, counts: RunnerCounts) -> bool:
    failed = (counts.bad,) if claim.failed is None else (counts.bad, counts.failed or 0)
    return claim.passed in (None, counts.passed) and (claim.failed or 0) in failed


def _together(claim: ActionClaim, runs: list[Run]) -> bool:
    """Whether the last runs of several commands add up to the claim, or one of several summaries in one output is it."""
    if claim.passed is None or claim.failed:
        return False
    last = {normal(command_of(call)): counts for call, counts in runs}
    if any(counts.bad for counts in last.values()):
        return False
    told = re.compile(rf"\b{claim.passed} (?:tests? )?pass")
    return sum(counts.passed or 0 for counts in last.values()) == claim.passed or any(
        told.search(output_of(call)) for call, _ in runs
    )


def _printed(call: ToolCall, counts: RunnerCounts) -> str:
    code = exit_code_of(call)
    return f"{counts}, exit code {code}" if code not in (0, None) and not counts.bad else str(counts)


# --- requests ----------------------------------------------------------------------------------------------------


def _request(claim: ActionClaim, trace: TraceIndex) -> Ruling:
    calls = trace.requests.get(claim.url or "")
    if not calls:
        return absent(trace, "the trace has no request to this address")
    if claim.status is None:
        return supported("the trace shows the request", "requested", calls[-1].id)
    codes = [(_status(call), call.id) for call in calls]
    for code, call_id in reversed(codes):
        if code == claim.status:
            return supported(f"the trace shows status {code}", f"status {code}", call_id)
    code, call_id = codes[-1]
    if code is None:
        return unverifiable("the trace shows the request and not its status", there="no status")
    return contradicted("contradicted_claim", "the trace shows another status", f"status {code}", call_id)


def _status(call: ToolCall) -> int | None:
    told: Any = field(call.output, _STATUS_KEYS)
    return told if type(told) is int else None
