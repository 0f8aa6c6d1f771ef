"""The commands of a session one by one, and the sentences of a report with what they say of them: what the rulings on told runs share."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from witnessmark.actions.claims.claim import ActionClaim
from witnessmark.actions.claims.ruling import Ruling, contradicted
from witnessmark.actions.content.passages import CODE, ReportPassage, passages
from witnessmark.actions.content.wording import pattern
from witnessmark.actions.trace.activities import activity_of
from witnessmark.actions.trace.calls import command_of, exit_code_of, is_command, output_of
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.actions.trace.shell import commands_of
from witnessmark.actions.trace.trace import ToolCall


@dataclass(frozen=True, slots=True)
class SessionRun:
    """One simple command: its place among the calls, its words behind whatever runs it, and its own exit code where that is known."""

    number: int
    call: ToolCall
    program: str
    words: tuple[str, ...]
    code: int | None
    last: bool
    """Whether the last turn ran it."""

    @property
    def verb(self) -> str:
        """What the program was told to do: its first word that is no option."""
        return next((word for word in self.words[1:] if not word.startswith("-")), "")

    @property
    def output(self) -> str:
        """What the call printed."""
        return output_of(self.call)


def runs_of(trace: TraceIndex) -> list[SessionRun]:
    """Every simple command of a session, in order."""
    found = []
    for number, call in enumerate(trace.ledger.calls):
        if not is_command(call):
            continue
        code = exit_code_of(call)
        code = 1 if code is None and call.ok is False else code
        for part in commands_of(command_of(call), None if call.background else code):
            activity = activity_of(part.words)
            words = ("git", *activity.words) if activity.program == "git" else activity.words
            found.append(SessionRun(number, call, activity.program, words, part.code, call.turn == trace.ledger.turns))
    return found


def told(passage: ReportPassage, role: str, there: str, value: str = "", old: str | None = None) -> ActionClaim:
    """A claim of which the trace says already what is there instead."""
    sentence = passage.sentence
    span = (sentence.start, sentence.end)
    return ActionClaim(
        "content", role=role, by="report", text=sentence.text[:300], span=span, name=there, value=value, old=old
    )


def untrue(claim: ActionClaim) -> Ruling:
    """The ruling on such a claim."""
    return contradicted("contradicted_claim", claim.name or "", (claim.name or "")[:80])


@functools.lru_cache(maxsize=4)
def sentences_of(report: str) -> tuple[ReportPassage, ...]:
    """The sentences and rows of a report that tell of something; their letters stand where those of the text do."""
    return tuple(each for each in passages(report) if len(each.sentence.low) == len(each.sentence.text))


def admitted(report: str) -> bool:
    """Whether a report speaks of anything that failed or was not done for good; `0 failures` and what was mended are no such thing."""
    low = CODE.sub(" x ", report.lower())
    return pattern("told", "admits").search(pattern("told", "none_of").sub(" ", low)) is not None


def names(word: str, text: str) -> bool:
    """Whether a text has a word of a command, or the last part of a path."""
    short = word.rstrip("/").rpartition("/")[2] if word.count("/") != 1 else word
    return (
        re.search(
            rf"(?<![\w/-]){re.escape(short.lower())}(?![\w/-]|\.\w)"
            if "/" not in word
            else rf"(?<![\w-]){re.escape(short.lower())}(?![\w-])",
            text,
        )
        is not None
    )


def has_option(option: str, words: Sequence[str]) -> bool:
    """Whether a command has an option: as it is, among others of one letter, or in its long or short form."""
    for word in words[1:]:
        bare = word.partition("=")[0]
        if not word.startswith("-"):
            continue
        if bare.lstrip("-") == option.lstrip("-"):
            return True
        long, short = (bare, option) if bare.startswith("--") else (option, bare)
        if long.startswith("--") and not short.startswith("--") and long[2] in short[1:].lower():
            return True
        if not option.startswith("--") and len(option) <= 3 and set(option[1:]) <= set(bare.lstrip("-")):
            return True
    return False
