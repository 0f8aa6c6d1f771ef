"""Claims about what was run against the trace: commands, test runs, requests. Without a trace they cannot be said.

A command is in the trace where a call ran it, alone or as a part of a line; an exit code counts only where the shell makes
it that part's own. Test counts are those the runner printed. Knows nothing about files.
"""

from __future__ import annotations

import re
import shlex
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from trueline.values import text_digest
from trueline.world import testruns
from trueline.world.claims import ActionClaim
from trueline.world.ruling import Ruling, contradicted, supported, unsupported, unverifiable
from trueline.world.trace import ToolCall, Trace

_COMMAND_KEYS = ("command", "cmd", "script")
_OUTPUT_KEYS = ("stdout", "output", "text", "content", "stderr")
_CONTENT_KEYS = ("content", "contents", "file_text", "text")
_STATUS_KEYS = ("status", "status_code", "statusCode", "code")
_RUNNERS = re.compile(r"\b(pytest|py\.test|unittest|nose2?|tox|nox|jest|vitest|mocha|npm (?:run )?test|yarn test|pnpm test|go test|cargo (?:nextest|test)|ctest|mvn test|gradlew? test|make (?:test|check)|rspec|phpunit|dotnet test)\b")  # fmt: skip
_DELETES = re.compile(r"\b(rm|unlink|git rm|del|rmdir|trash)\b")
MAX_COMMAND = 20_000


@dataclass(frozen=True, slots=True)
class Ran:
    """One run of a command: which call, and its own exit code where that can be told."""

    call: ToolCall
    exit_code: int | None
    told: bool


@dataclass(slots=True)
class TraceIndex:
    """A trace by what was run in it, made once for many claims."""

    commands: dict[str, list[Ran]] = field(default_factory=lambda: defaultdict(list))
    tests: list[tuple[ToolCall, testruns.Counts]] = field(default_factory=list)
    untold: list[ToolCall] = field(default_factory=list)
    requests: dict[str, list[ToolCall]] = field(default_factory=lambda: defaultdict(list))
    deletions: dict[str, str] = field(default_factory=dict)
    written: dict[str, list[tuple[str, str]]] = field(default_factory=lambda: defaultdict(list))
    """By path, each call that wrote there, in order, with the sha256 of the whole content where the call has it."""


def index(trace: Trace) -> TraceIndex:
    """What was run, by command, by address, and by test run, in the order of the trace."""
    made = TraceIndex()
    for call in trace.calls:
        command = command_of(call)
        if command is not None:
            _add_command(made, call, command)
        url = _field(call.input, ("url", "uri", "href"))
        if isinstance(url, str):
            made.requests[url].append(call)
        path = _field(call.input, ("path", "file_path", "filePath", "file"))
        if isinstance(path, str) and writes(call):
            content = _field(call.input, _CONTENT_KEYS)
            made.written[path].append((call.id, text_digest(content) if isinstance(content, str) else ""))
        if isinstance(path, str) and re.search(r"delete|remove|unlink|rm", call.name) and call.ok is not False:
            made.deletions[path] = call.id
    return made


def writes(call: ToolCall) -> bool:
    """Whether a call looks like one that changes a file: by the tool's name, and a path it was given."""
    path = _field(call.input, ("path", "file_path", "filePath", "file"))
    return isinstance(path, str) and call.ok is not False and _WRITES.search(call.name.lower()) is not None


_WRITES = re.compile(r"write|edit|create|delete|remove|patch|replace|insert|rename|move")


def command_of(call: ToolCall) -> str | None:
    """The command line of a call, where it has one."""
    given = call.input if isinstance(call.input, str) else _field(call.input, _COMMAND_KEYS)
    if isinstance(given, (list, tuple)) and all(isinstance(part, str) for part in given):
        given = shlex.join(given)
    return given[:MAX_COMMAND] if isinstance(given, str) else None


def _field(value: Any, names: tuple[str, ...]) -> Any:
    return next((value[name] for name in names if name in value), None) if isinstance(value, Mapping) else None


def output_of(call: ToolCall) -> str:
    """What the call printed, as text."""
    if isinstance(call.output, str):
        return call.output
    if isinstance(call.output, Mapping):
        parts = [call.output[key] for key in _OUTPUT_KEYS if isinstance(call.output.get(key), str)]
        return "\n".join(parts)
    if isinstance(call.output, (list, tuple)):
        parts = [part if isinstance(part, str) else _field(part, ("text",)) for part in call.output]
        return "\n".join(part for part in parts if isinstance(part, str))
    return ""


def _add_command(made: TraceIndex, call: ToolCall, command: str) -> None:
    code = _exit_code(call)
    made.commands[_normal(command)].append(Ran(call, code, True))
    for part, told in _parts(command, code):
        made.commands[part].append(Ran(call, code if told else None, told))
    counts = testruns.read(output_of(call))
    if counts is not None:
        made.tests.append((call, counts))
    elif _RUNNERS.search(command):
        made.untold.append(call)
    if _DELETES.search(command) and code in (0, None):
        for word in _words(command):
            made.deletions.setdefault(word, call.id)


def _words(command: str) -> list[str]:
    try:
        return [word for word in shlex.split(command) if not word.startswith("-")]
    except ValueError:
        return []


def _exit_code(call: ToolCall) -> int | None:
    if call.exit_code is not None:
        return call.exit_code
    told = _field(call.output, ("exit_code", "exitCode", "returncode"))
    if type(told) is int:
        return told
    return 0 if call.ok is True else None


def _normal(command: str) -> str:
    return " ".join(command.split())


_SPLIT = re.compile(r"""("[^"]*"|'[^']*'|\\.)|(&&|\|\||;|\||\n)""")


def _parts(command: str, code: int | None) -> list[tuple[str, bool]]:
    """The commands of a line that has several, each with whether the line's exit code is its own."""
    pieces, joints, start = [], [], 0
    for found in _SPLIT.finditer(command):
        if found[2]:
            pieces.append(_normal(command[start : found.start()]))
            joints.append(found[2])
            start = found.end()
    if not joints:
        return []
    pieces.append(_normal(command[start:]))
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


# --- rulings -----------------------------------------------------------------------------------------------------


def rule(claim: ActionClaim, trace: TraceIndex | None, why_not: str, later_same: bool = False) -> Ruling:
    """One claim about something that was run; `later_same` says that a later claim is about the same thing."""
    if trace is None:
        return unverifiable(f"{why_not}, so it cannot be shown that this was run", "trace_unresolved", "no trace")
    if claim.kind == "command":
        return _command(claim, trace, later_same)
    return _tests(claim, trace) if claim.kind == "tests_passed" else _request(claim, trace)


def _command(claim: ActionClaim, trace: TraceIndex, later_same: bool) -> Ruling:
    wanted = _normal(claim.command or "")
    if not wanted:
        return unverifiable("the claim names no command", there="not looked at")
    runs = trace.commands.get(wanted) or (_told(wanted, trace) if claim.by == "report" else None)
    if not runs:
        if claim.by == "report" and any(wanted.split()[0] in line.split() for line in trace.commands):
            return unverifiable("the trace has another command of the same tool", there="another command")
        return unsupported("not_in_trace", "the trace has no such command", "not in the trace")
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


def _told(wanted: str, trace: TraceIndex) -> list[Ran]:
    """Runs of a command that was told in words: with all of the words, whatever else it was typed with."""
    words = set(wanted.split())
    return [run for line, runs in trace.commands.items() if words <= set(line.split()) for run in runs]


def _tests(claim: ActionClaim, trace: TraceIndex) -> Ruling:
    runs = trace.tests
    if claim.command is not None:
        wanted = _normal(claim.command)
        runs = [(call, counts) for call, counts in runs if wanted in _normal(command_of(call) or "")]
    if not runs:
        if trace.untold:
            return unverifiable("a test run is in the trace, and its counts are not", there="no counts")
        return unsupported("not_in_trace", "the trace has no test run", "no test run")
    call, counts = runs[-1]
    there = f"{counts.passed} passed, {counts.failed} failed ({counts.runner})"
    code = _exit_code(call)
    if counts.failed > (claim.failed or 0) or (code not in (0, None) and not claim.failed):
        return contradicted("wrong_counts", "the last test run failed", there, call.id)
    wanted_counts = (claim.passed, claim.failed or 0)
    if any((one.passed if claim.passed is not None else None, one.failed) == wanted_counts for _, one in runs):
        if claim.passed is None and not counts.passed and not claim.failed:
            return contradicted("wrong_counts", "no test ran", there, call.id)
        return supported("the runner printed these counts", there, call.id)
    return contradicted("wrong_counts", "the runner printed other counts", there, call.id)


def _request(claim: ActionClaim, trace: TraceIndex) -> Ruling:
    calls = trace.requests.get(claim.url or "")
    if not calls:
        return unsupported("not_in_trace", "the trace has no request to this address", "not in the trace")
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
    told = _field(call.output, _STATUS_KEYS)
    return told if type(told) is int else None
