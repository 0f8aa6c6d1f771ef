"""The commands of a session one by one: each with its place among the calls and its own exit code where that is known. Knows nothing about claims."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from witnessmark.actions.trace.activities import activity_of
from witnessmark.actions.trace.calls import command_of, exit_code_of, is_command, output_of
from witnessmark.actions.trace.ledger import Ledger
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


def commands_run(ledger: Ledger) -> Iterator[SessionRun]:
    """Every simple command of a session, in order."""
    for number, call in enumerate(ledger.calls):
        if not is_command(call):
            continue
        code = exit_code_of(call)
        code = 1 if code is None and call.ok is False else code
        for part in commands_of(command_of(call), None if call.background else code):
            activity = activity_of(part.words)
            words = ("git", *activity.words) if activity.program == "git" else activity.words
            yield SessionRun(number, call, activity.program, words, part.code, call.turn == ledger.turns)


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
