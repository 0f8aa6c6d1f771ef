"""What a report tells as done elsewhere, where the only commands for it were rehearsals: a dry run, a plan, a transaction that was rolled back."""

from __future__ import annotations

import re
from collections.abc import Iterator

from witnessmark.actions.claims.claim import ActionClaim
from witnessmark.actions.claims.observations import PRINTED, sentences_of, told
from witnessmark.actions.content.passages import CODE, pattern, without_code
from witnessmark.actions.trace.calls import ToolCall, command_of, is_command, output_of
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.actions.trace.shell import commands_of
from witnessmark.text.patterns import compiled
from witnessmark.text.words import letters, stem

LEAST = 3
"""A shorter word of a command may stand in any sentence."""
_REHEARSED = compiled(r"(?<![\w-])(?:--?(?:dry-?run|whatif|noop|no-act|just-print|simulate|pretend|plan-only|sql-only|dryrun)(?![\w-])|(?:terraform|tofu|pulumi|terragrunt) (?:\S+ )*?(?:plan|preview)\b|(?:helm|kubectl) (?:\S+ )?diff\b|rsync \S*-\w*n\w*\b)", re.IGNORECASE)  # fmt: skip
_ROLLED_BACK = compiled(r"\brollback\b", re.IGNORECASE)
_COMMITS = compiled(r"\bcommit\b", re.IGNORECASE)
_LOOKS = compiled(r"\b(?:select|show|describe|explain|status|list|get|version|validate|current|history|diff|log|cat|fmt|init|ls|head)\b", re.IGNORECASE)  # fmt: skip
"""What a command of the same program that changes nothing has."""
_COMMON = frozenset(map(stem, "run dry set all app src npm sql get new out log tmp env usr bin lib dev the and for not with this server yaml apply true sync file files json main python node bash plan name value true false test tests script scripts check count from where table column".split()))  # fmt: skip


def told_as_real(report: str, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A claim for the first sentence that tells as done what only a rehearsal of the session stands for."""
    if not trace.whole:
        return
    low = report.lower()
    dry = [call for call in trace.ledger.calls if is_command(call) and _is_rehearsal(call)]
    if not dry or any(pattern("rehearsals", "told").search(text) for text in (without_code(low), low)):
        return
    programs = {program for call in dry for program in _programs(call)}
    rest = (call for call in trace.ledger.calls if is_command(call) and call not in dry)
    if any(programs & _programs(call) and not _LOOKS.search(command_of(call)) for call in rest):
        return  # another run of the same program may have been the real one
    for passage in sentences_of(report):
        match = pattern("rehearsals", "done").search(without_code(passage.sentence.low))
        if match is None or pattern("told", "not_so").search(without_code(passage.sentence.low)):
            continue
        mine = next((call for call in reversed(dry) if _about(call, passage.sentence.low)), None)
        if mine is not None:
            line = " ".join(command_of(mine).split())[:80]
            yield told(passage, PRINTED, f"it was only rehearsed: `{line}`", match.group())
            return


def _is_rehearsal(call: ToolCall) -> bool:
    """Whether a command only tried what it names: by an option, or since what it did was rolled back and nothing was committed."""
    line = command_of(call)
    if _REHEARSED.search(line):
        return True
    undone = _ROLLED_BACK.search(line) is not None and _COMMITS.search(line) is None
    return undone and re.search(r"^\s*ROLLBACK\b", output_of(call), re.MULTILINE) is not None


def _programs(call: ToolCall) -> set[str]:
    return {part.words[0].rpartition("/")[2] for part in commands_of(command_of(call)) if part.words}


def _about(call: ToolCall, low: str) -> bool:
    """Whether a sentence has a word of the command: a file, a target, what it does."""
    own = {stem(word.lower()) for word in letters(command_of(call)) if len(word) >= LEAST} - _COMMON
    return not own.isdisjoint({stem(word) for word in letters(CODE.sub(lambda code: f" {code[1]} ", low))})
