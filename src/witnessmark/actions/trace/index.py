"""A trace by what was run and changed in it, made once for many claims.

A command is in the trace where a call ran it, alone or as a part of a line; an exit code counts only where the shell makes
it that part's own. Knows nothing about rulings.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field

from witnessmark.actions.trace import calls
from witnessmark.actions.trace.calls import command_of, exit_code_of
from witnessmark.actions.trace.implied_claims import file_claims
from witnessmark.actions.trace.test_runners import RunnerCounts
from witnessmark.actions.trace.trace import ToolCall, Trace

_RUNNERS = re.compile(r"\b(pytest|py\.test|unittest|nose2?|tox|nox|jest|vitest|mocha|npm (?:run )?test|yarn test|pnpm test|go test|cargo (?:nextest|test)|ctest|mvn test|gradlew? test|make (?:test|check)|rspec|phpunit|dotnet test)\b")  # fmt: skip


@dataclass(frozen=True, slots=True)
class CommandRun:
    """One run of a command: which call, at which place in the trace, and its own exit code where that can be told."""

    call: ToolCall
    number: int
    exit_code: int | None
    told: bool


@dataclass(slots=True)
class TraceIndex:
    """What was run, requested and changed. `whole`: what is not in it was not done; `opaque`: a call may have changed any file."""

    whole: bool = True
    opaque: bool = False
    commands: dict[str, list[CommandRun]] = field(default_factory=lambda: defaultdict(list))
    tests: list[tuple[ToolCall, RunnerCounts]] = field(default_factory=list)
    untold: list[ToolCall] = field(default_factory=list)
    requests: dict[str, list[ToolCall]] = field(default_factory=lambda: defaultdict(list))
    deletions: dict[str, str] = field(default_factory=dict)
    written: dict[str, list[tuple[str, str]]] = field(default_factory=lambda: defaultdict(list))
    """By path, each call that wrote there, in order, with the sha256 of the whole content where the call has it."""
    by_word: dict[str, dict[str, None]] = field(default_factory=dict)
    """The command lines that have each word, made when first asked for."""

    def lines_with(self, words: str) -> list[str]:
        """The command lines that have all of these words, by way of the rarest of them."""
        if not self.by_word:
            for line in self.commands:
                for word in words_of(line):
                    self.by_word.setdefault(word, {})[line] = None
        having = sorted((self.by_word.get(word, {}) for word in set(words_of(words))), key=len)
        return [line for line in having[0] if all(line in others for others in having[1:])] if having else []


def index(trace: Trace) -> TraceIndex:
    """What was run, by command, by address, by test run and by file, in the order of the trace."""
    made = TraceIndex(whole=trace.whole)
    for number, call in enumerate(trace.calls):
        if calls.is_command(call):
            _add_command(made, call, number)
        url = calls.field(call.input, ("url", "uri", "href"))
        if isinstance(url, str):
            made.requests[url].append(call)
        _add_files(made, call)
    return made


def _add_files(made: TraceIndex, call: ToolCall) -> None:
    changed = list(file_claims(call))
    for claim in changed:
        assert claim.path is not None
        if claim.kind in ("file_delete", "file_rename"):
            made.deletions[claim.path] = call.id
        if claim.kind != "file_delete":
            made.written[claim.to or claim.path].append((call.id, claim.sha256 or ""))
    name = calls.tool(call)
    made.whole = made.whole and name not in calls.DELEGATES
    known = bool(changed) or call.ok is False or name in calls.READS or name in calls.HTTP
    made.opaque = made.opaque or calls.is_command(call) or not known


def _add_command(made: TraceIndex, call: ToolCall, number: int) -> None:
    command, code = command_of(call), exit_code_of(call)
    made.commands[normal(command)].append(CommandRun(call, number, code, True))
    for part, told in _parts(command, code):
        made.commands[part].append(CommandRun(call, number, code if told else None, told))
    counts = calls.tests_of(call)
    if counts is not None:
        made.tests.append((call, counts))
    elif _RUNNERS.search(command):
        made.untold.append(call)


_BETWEEN = re.compile(r"[\s/;&|()'\"]+")


def words_of(line: str) -> list[str]:
    """The words of a command line, apart from what joins commands and folders."""
    return [word for word in _BETWEEN.split(line) if word]


def normal(command: str) -> str:
    """A command with single spaces."""
    return " ".join(command.split())


_SPLIT = re.compile(r"""("[^"]*"|'[^']*'|\\.)|(&&|\|\||;|\||\n)""")


def _parts(command: str, code: int | None) -> list[tuple[str, bool]]:
    """The commands of a line that has several, each with whether the line's exit code is its own."""
    pieces, joints, start = [], [], 0
    for found in _SPLIT.finditer(command):
        if found[2]:
            pieces.append(normal(command[start : found.start()]))
            joints.append(found[2])
            start = found.end()
    if not joints:
        return []
    pieces.append(normal(command[start:]))
    only_and = set(joints) == {"&&"}
    told = []
    for number, piece in enumerate(pieces):
        last = number == len(pieces) - 1
        if only_and:
            before = pieces[:number] if last else [""]
            own = code == 0 or (last and all(part.startswith(("cd ", "source ", "export ")) for part in before))
        else:
            own = last and joints[-1] in (";", "\n")
        told.append((piece, own))
    return [(piece, own) for piece, own in told if piece]
