"""Claims about what was run against the trace: commands and requests here, test runs in `test_runs`. Without a trace they cannot be said.

A trace that does not hold everything that was done says nothing by what it lacks. A command told in words is not held to the
letter. Knows nothing about files.
"""

from __future__ import annotations

import re
from typing import Any

from witnessmark.actions.claims import test_runs
from witnessmark.actions.claims.claim import ActionClaim
from witnessmark.actions.claims.ruling import Ruling, absent, contradicted, supported, unverifiable
from witnessmark.actions.trace.activities import activity_of
from witnessmark.actions.trace.calls import field
from witnessmark.actions.trace.index import CommandRun, TraceIndex, normal, words_of
from witnessmark.actions.trace.trace import ToolCall

_STATUS_KEYS = ("status", "status_code", "statusCode", "code")
_RAN = re.compile(r"\b(?:re-?ran|ran|executed|invoked|have run|have executed|'ve run)\b", re.IGNORECASE)

_RESULT = re.compile(
    r"[`*]*\s*(?::|→|=>|->|–|—|-)\s*(?:[✅✓✔]\s*)?(?:clean|pass(?:es|ed)?|ok|succe\w+|(?:no|0|zero) (?:new )?(?:warnings?|errors?|issues?|findings?|problems?))\b",
    re.IGNORECASE,
)


def rule(
    claim: ActionClaim, trace: TraceIndex | None, why_not: str, later_same: bool = False, report: str = ""
) -> Ruling:
    """One claim about something that was run; `later_same` says that a later claim is about the same thing.

    `report` is the whole text that a claim in words was read from.
    """
    if trace is None:
        return unverifiable(f"{why_not}, so it cannot be shown that this was run", "trace_unresolved", "no trace")
    if claim.kind == "command":
        return _command(claim, trace, later_same, report)
    return test_runs.rule(claim, trace, report) if claim.kind == "tests_passed" else _request(claim, trace)


def _command(claim: ActionClaim, trace: TraceIndex, later_same: bool, report: str) -> Ruling:
    wanted = normal(claim.command or "")
    if not wanted:
        return unverifiable("the claim names no command", there="not looked at")
    runs = trace.commands.get(wanted) or (_told(wanted, trace) if claim.by == "report" else None)
    if not runs:
        if claim.by == "report" and _same_kind(wanted, trace):
            return unverifiable("the trace has another command of the same tool", there="another command")
        if claim.by == "report" and _only_mentioned(claim, trace, report):
            return unverifiable(
                "the trace has no such command, and the words may only mention it", there="not in the trace"
            )
        return absent(trace, "the trace has no such command")
    last = runs[-1]
    if claim.exit_code is None:
        return supported("the trace shows that it ran", "run", last.call.id)
    fitting = [run for run in runs if run.exit_code == claim.exit_code]
    if last.exit_code == claim.exit_code or (later_same and fitting):
        return supported(
            f"the trace shows that it ended with {claim.exit_code}",
            f"exit code {claim.exit_code}",
            (fitting or runs)[-1].call.id,
        )
    if last.exit_code is None:
        there = "no exit code" if last.told else "part of a line whose exit code is not its own"
        seen = [run.outcome for run in trace.ledger.checks if run.call.id == last.call.id]
        failed = claim.exit_code == 0 and ((last.told and last.call.ok is False) or "failed" in seen)
        if failed:
            return contradicted("wrong_exit_code", "the trace shows that it failed", "failed", last.call.id)
        return unverifiable("the trace shows that it ran, but not how it ended", "unverifiable_claim", there)
    return contradicted(
        "wrong_exit_code",
        "the trace shows that it ended with another exit code",
        f"exit code {last.exit_code}",
        last.call.id,
    )


def _same_kind(wanted: str, trace: TraceIndex) -> bool:
    """Whether the trace has another command of the same tool that may be the one that is meant: `cargo test` is no `cargo clippy`."""
    roles = activity_of(tuple(wanted.split())).roles
    others = (activity_of(tuple(line.split())) for line in trace.lines_with(_tool(wanted)))
    return any(not roles or not other.roles or other.roles & roles for other in others)


def _only_mentioned(claim: ActionClaim, trace: TraceIndex, report: str) -> bool:
    """Whether the words say no more than the command's name, or the turn did nothing that it could be part of."""
    if not activity_of(tuple((claim.command or "").split())).roles:
        return True  # a program that is not known here may be a name for something else
    named = claim.text.find(claim.command or "")
    after = report[claim.span[1] : claim.span[1] + 40] if claim.span is not None else ""
    told = _RAN.search(claim.text[: named if named > 0 else None]) or _RESULT.match(after)
    return not told or not (trace.ledger.active or not trace.ledger.turns)


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
        return unverifiable("the trace shows the request, but not its status", there="no status")
    return contradicted("contradicted_claim", "the trace shows another status", f"status {code}", call_id)


def _status(call: ToolCall) -> int | None:
    told: Any = field(call.output, _STATUS_KEYS)
    return told if type(told) is int else None
