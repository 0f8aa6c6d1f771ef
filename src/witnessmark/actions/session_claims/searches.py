"""Searches told as finding nothing where the last one printed hits; failures told as reproduced where nothing ran before the first change; programs told as run again where nothing ran after the last one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from witnessmark.actions.claim import ActionClaim
from witnessmark.actions.content.patterns import PRINTED, first_match, is_barred, pattern, told_otherwise
from witnessmark.actions.report.passages import CODE
from witnessmark.actions.report.report import Report
from witnessmark.actions.trace import calls
from witnessmark.actions.trace.activities import listed
from witnessmark.actions.trace.calls import ToolCall, command_of, exit_code_of, output_of
from witnessmark.actions.trace.changes import is_test
from witnessmark.actions.trace.index import TraceIndex, normal
from witnessmark.actions.trace.shell import commands_of

OTHERWISE = frozenset("vcLq")
"""Options with which what is printed are no hits."""
SHOWN = 80


def hits_told_as_none(report: Report, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A claim for each sentence that says a search found nothing, where the last one about it came after every change and printed hits."""
    if not trace.whole or not trace.ledger.active:
        return
    last_change = max((change.number for change in trace.ledger.changes), default=-1)
    for passage in report.first:
        low = passage.sentence.low
        match = first_match("searches", "nothing", low)
        if match is None or is_barred(low[: match.start()]) or pattern("searches", "limited").search(low):
            continue
        asked = [(number, call) for number, call in enumerate(trace.ledger.calls) if _searched(call) is not None]
        named = [code[1] for code in CODE.finditer(passage.sentence.text)]
        meant = [pair for pair in asked if any(name in _given(pair[1]) for name in named)] or asked
        if not meant or meant[-1][0] <= last_change:
            continue
        hit = _hits(meant[-1][1])
        if hit:
            yield told_otherwise(passage, PRINTED, f"the search printed `{hit[:SHOWN]}`", match.group()[:SHOWN])


def _given(call: ToolCall) -> str:
    return command_of(call) or str(call.input)


def _searched(call: ToolCall) -> tuple[str, ...] | None:
    """The words of a call that searched texts and did nothing else; None for any other."""
    if calls.tool(call) == "grep":
        return ("grep",)
    parts = list(commands_of(command_of(call))) if calls.is_command(call) else []
    if len(parts) != 1 or parts[0].hidden or parts[0].loop or parts[0].writes:
        return None
    row = parts[0].words
    row = row[1:] if row[:1] == ("git",) else row
    return row if row[:1] and row[0] in listed("searches") else None


def _hits(call: ToolCall) -> str:
    """The first line that a search printed as a hit; empty where it had none, or what it printed is something else."""
    row = _searched(call) or ()
    short = "".join(word[1:] for word in row if word.startswith("-") and not word.startswith("--"))
    if OTHERWISE.intersection(short) or call.ok is False or exit_code_of(call) not in (0, None):
        return ""
    lines = [line.strip() for line in output_of(call).splitlines() if line.strip()]
    return lines[0] if lines and not pattern("searches", "none").search(lines[0].lower()) else ""


def reproduced_before_nothing(report: Report, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A claim for each sentence that tells of a failure as reproduced before the change, where no command of the session came before the first one."""
    ledger = trace.ledger
    if not trace.whole or not ledger.active or not ledger.changes or ledger.turns > 1:
        return
    own = [change for change in ledger.changes if not is_test(change.place)]  # a new test may be what showed it
    edited = [change for change in own if not calls.is_command(ledger.calls[change.number])]
    if not edited:
        return
    first = min(change.number for change in edited)  # a command that writes a file may be the one that showed it
    ran = any(not calls.only_reads(call) or calls.tool(call) in calls.DELEGATES for call in ledger.calls[:first])
    old = min(
        (change.number for change in edited if change.kind == "edit"), default=0
    )  # what is written whole may be the script that shows it
    tried = ran or any(calls.is_command(call) for call in ledger.calls[:old])
    if tried and not _as_after(ledger.calls[:old], ledger.calls[old:]):
        return
    back = any(entry[2].target in listed("git_goes_back") for entry in ledger.git) or len(own) > len(edited)
    back = back or any(
        one.old and one.old == other.new for one, other in combinations(own, 2)
    )  # taken out, and put back
    for passage in report.first:
        low = passage.sentence.low
        match = first_match("searches", "reproduced", low)
        if match is None and not back:
            match = first_match("searches", "on_old", low)
            barred = (
                match is not None
                and pattern("mood", "barred").search(match.group().partition(" without ")[0]) is not None
            )
            match = None if match is None or barred or not trace.session_texts().complete else match
        if (
            match is not None
            and not is_barred(low[: match.start()].rpartition(": ")[2])
            and not passage.sentence.others
        ):
            why = "what ran before the first change printed the same after it" if tried else "no command of the session ran before the first change"  # fmt: skip
            yield told_otherwise(passage, PRINTED, why, match.group()[:SHOWN])


def _as_after(before: Sequence[ToolCall], after: Sequence[ToolCall]) -> bool:
    """Whether all commands ended well without a word of trouble, and one of them printed the same when it was run once more after the change."""
    if any(calls.tool(call) in calls.DELEGATES or calls.is_remote(call) for call in (*before, *after)):
        return False
    before = [call for call in before if calls.is_command(call)]
    well = all(call.ok is not False and exit_code_of(call) in (0, None) for call in before)
    quiet = not any(pattern("searches", "trouble").search(output_of(call).lower()) for call in before)
    later = {normal(command_of(call)): output_of(call).strip() for call in after if calls.is_command(call)}
    same = any(later.get(normal(command_of(call))) == output_of(call).strip() for call in before)
    return well and quiet and same


STATIC = ("lint", "types", "format", "build")
"""Checks that run nothing of what they look at."""


def _only_looks(call: ToolCall) -> bool:
    """Whether every program of a command only shows files or what git has of them."""
    parts = list(commands_of(command_of(call)))
    return calls.only_reads(call) or (
        bool(parts) and all(part.words[:1] and part.words[0] in listed("shows") for part in parts)
    )


def rerun_after_nothing(report: Report, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A claim for each sentence that tells of a program as run again, where nothing after the last change ran one."""
    ledger = trace.ledger
    if not trace.whole or not ledger.active or not ledger.changes or ledger.turns > 1:
        return
    last = max(change.number for change in ledger.changes)
    static = {run.number for run in ledger.checks if run.role in STATIC}
    after = list(enumerate(ledger.calls))[last:]  # a command that wrote the file may have run it too
    if any(calls.tool(call) in calls.DELEGATES for call in ledger.calls):
        return
    if any(calls.is_command(call) and number not in static and not _only_looks(call) for number, call in after):
        return
    for passage in report.first:
        low = passage.sentence.low
        match = first_match("searches", "rerun", low)
        if match is not None and not is_barred(low[: match.start()]) and not passage.sentence.others:
            yield told_otherwise(
                passage, PRINTED, "no command of the session ran a program after the last change", match.group()[:SHOWN]
            )


def output_told_as_none(report: Report, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A claim for each command that is told to print nothing, where its last run, alone in its line, printed something and nothing was changed since."""
    if not trace.whole or not trace.ledger.active:
        return
    for passage in report.first:
        low = passage.sentence.low
        match = first_match("searches", "silent", low)
        if match is None or is_barred(low[match.start("command") : match.end()]) or passage.sentence.others:
            continue
        told = normal(match["command"])
        typed = [(n, call) for n, call in enumerate(trace.ledger.calls) if normal(command_of(call)).lower() == told]
        number, last = typed[-1] if typed else (0, None)
        since = any(change.number > number for change in trace.ledger.changes) or trace.ledger.opaque_after(number)
        shown = output_of(last).strip() if last is not None and not since else ""
        if shown and not pattern("searches", "no_output").search(shown.lower()):
            yield told_otherwise(passage, PRINTED, f"what was printed is `{shown.splitlines()[0][:SHOWN]}`", match.group())  # fmt: skip
