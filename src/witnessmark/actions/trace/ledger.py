"""A trace as what happened, in order: files changed, commands run with what they were for and how they ended, work given away.

Made once for all claims. A run proves only the tree it ran on, so every entry has its place (`number`, the call's place in the
trace) and its turn. Knows nothing about claims.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from witnessmark.actions.trace import calls, changes
from witnessmark.actions.trace.activities import Activity, activity_of, listed
from witnessmark.actions.trace.calls import ToolCall, Trace, command_of, exit_code_of, folder_of, output_of
from witnessmark.actions.trace.changes import FileChange
from witnessmark.actions.trace.outcomes import Outcome, lines_of, outcome_of, outcome_of_tests, went_on
from witnessmark.actions.trace.removals import Removal, removals_in
from witnessmark.actions.trace.shell import ShellCommand, commands_of, folder_worked_in
from witnessmark.actions.trace.test_runners import RunnerCounts, all_counts
from witnessmark.text.patterns import compiled

OpaqueKind = Literal["subagent", "background", "tool", "command"]
EDITORS = frozenset({"sed", "perl", "mv", "cp", "rm", "tee", "find"})
"""Programs that change files, which a pattern or a loop may name."""
TAKERS = frozenset({"perl", "mv"})
"""Those after which a file may be gone, apart from removals."""
CHECKS = ("test", "lint", "types", "build", "format", "bench")
_LATER_TOOLS = frozenset({"write_stdin", "bashoutput", "taskoutput", "bash_output", "task_output"})
_SESSION = compiled(r"(?:session ID|background with ID:?)\s+(\w+)", re.IGNORECASE)
_AWAY = compiled(r"Command running in background\b")
"""What stands for the output of a command that was sent there: its call went well, of the command itself that says nothing."""
_EXIT_TAG = compiled(r"<exit_code>(-?\d+)</exit_code>|Process exited with code (-?\d+)")
_TESTLIKE = compiled(r"\b(?:tests?|specs?|pass(?:ed|ing|es)?|fail(?:ed|ures?|ing)?|ok)\b|✓|✔", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CheckRun:
    """One call that ran tests, a linter, a type checker or a build, and how that went."""

    number: int
    turn: int
    call: ToolCall
    role: str
    commands: tuple[ShellCommand, ...]
    activities: tuple[Activity, ...]
    outcome: Outcome
    counts: tuple[RunnerCounts, ...] = ()
    background: bool = False
    of_tests: Outcome = "unknown"
    """How its tests alone went: it may have failed by the coverage, or by another check of the same line or task."""

    @property
    def line(self) -> str:
        """The commands as they would be typed."""
        return "; ".join(" ".join(activity.words) for activity in self.activities)

    @property
    def looped(self) -> bool:
        """Whether it stands in a loop or the like, so that it may have run more than once."""
        return any(command.loop for command in self.commands)

    @property
    def sure(self) -> bool:
        """Whether it certainly is what its role says: a task called `check` may be anything."""
        return all(activity.sure for activity in self.activities) or bool(self.counts)


@dataclass(frozen=True, slots=True)
class OpaqueWork:
    """A call of which nobody here can say what it did."""

    number: int
    turn: int
    call: ToolCall
    kind: OpaqueKind
    testlike: bool = False
    """Whether it may have run tests: what it printed speaks of tests, or nothing shows what it printed."""
    writes: bool = True


RERUN = "rerun-"
"""What the ids of calls begin with that a contract made by being run again."""


@dataclass(slots=True)
class Ledger:
    """What happened, in order. `whole`: what is not in it was not done by the agent itself."""

    whole: bool = True
    turns: int = 0
    changes: list[FileChange] = field(default_factory=list)
    refused: list[FileChange] = field(default_factory=list)
    """Changes that the tool did not make."""
    checks: list[CheckRun] = field(default_factory=list)
    git: list[tuple[int, ToolCall, Activity, ShellCommand]] = field(default_factory=list)
    opaque: list[OpaqueWork] = field(default_factory=list)
    removals: list[Removal] = field(default_factory=list)
    """What may have taken files away that it does not name."""
    calls: Sequence[ToolCall] = ()
    asked: str = ""
    """What the person asked for last."""
    said: str = ""
    """Everything that the person said."""
    rerun: bool = False
    """Whether it is the trace of a contract that was run again: whole for the commands that it ran."""
    files: Mapping[str, str] | None = None
    """The digests of the files that all of it ran on, where it is bound to them."""

    def of(self, role: str) -> list[CheckRun]:
        """The runs of one role, in order, apart from those that never started."""
        return [run for run in self.checks if run.role == role and run.outcome != "not_run"]

    def tests(self) -> list[CheckRun]:
        """The runs of tests, each with the outcome of its tests alone."""
        return [replace(run, outcome=run.of_tests) for run in self.of("test")]

    def opaque_after(self, number: int) -> OpaqueWork | None:
        """The last thing after this place that may have run tests which are not shown.

        A program that nobody here knows may be the project's own way to run its tests, whatever it prints.
        """
        may = (work for work in reversed(self.opaque) if work.testlike or (work.kind == "command" and work.writes))
        return next((work for work in may if work.number > number), None)

    def scripts(self, editors: frozenset[str] = EDITORS) -> Iterator[tuple[int, str]]:
        """The command lines, each with its turn, that may have changed files which they name: unknown programs, and those that write."""
        strange = {work.number for work in self.opaque if work.writes and work.kind in ("command", "background")}
        for number, call in enumerate(self.calls):
            line = command_of(call) if calls.is_command(call) else ""
            if number in strange or any(activity_of(part.words).program in editors for part in commands_of(line)):
                yield call.turn, line

    @property
    def active(self) -> bool:
        """Whether the last turn changed or ran anything."""
        turns = {entry[1].turn for entry in self.git if entry[2].target in ("commit", "push", "add")}
        turns |= {change.turn for change in (*self.changes, *self.refused)} | {run.turn for run in self.checks}
        turns |= {one.turn for one in self.removals if not one.elsewhere}
        return self.turns in turns | {work.turn for work in self.opaque if work.writes}

    @property
    def idle(self) -> bool:
        """Whether the last turn only answered or looked: it is there, and changed and ran nothing."""
        return self.turns > 0 and not self.active

    @property
    def changed(self) -> bool:
        """Whether the last turn changed a file, as far as its calls say so."""
        return any(change.turn == self.turns for change in self.changes)


def ledger_of(trace: Trace) -> Ledger:
    """What happened in a trace."""
    made = Ledger(
        trace.whole,
        trace.turns,
        calls=trace.calls,
        asked=trace.asked,
        said=trace.said,
        rerun=bool(trace.calls) and all(call.id.startswith(RERUN) for call in trace.calls),
        files=trace.files,
    )
    joined = _joined(trace.calls)
    for number, call in enumerate(joined):
        found = list(changes.changes_of(call, number))
        (made.refused if call.ok is False and not calls.is_command(call) else made.changes).extend(found)
        if calls.is_command(call):
            _take_command(made, call, number)
        elif calls.tool(call) in calls.DELEGATES:
            made.opaque.append(OpaqueWork(number, call.turn, call, "subagent", testlike=True))
        elif not found and call.ok is not False and not calls.only_reads(call):
            made.opaque.append(OpaqueWork(number, call.turn, call, "tool", writes=not calls.is_remote(call)))
    return made


def _joined(given: Sequence[ToolCall]) -> list[ToolCall]:
    """The calls with what a later call fetched of a command that was not waited for put where the command stands."""
    made: list[ToolCall] = list(given)
    waiting: dict[str, int] = {}
    for number, call in enumerate(given):
        output = output_of(call)
        started = (
            _SESSION.search(output[:600]) if calls.is_command(call) and calls.tool(call) not in _LATER_TOOLS else None
        )
        if started and (call.background or exit_code_of(call) is None or _AWAY.match(output)):
            waiting[started.group(1)] = number
            made[number] = replace_call(call, background=True, exit_code=None, ok=None)
        elif calls.tool(call) in _LATER_TOOLS and isinstance(call.input, dict):
            key = next(
                (str(call.input[k]) for k in ("session_id", "task_id", "bash_id", "shell_id") if k in call.input), ""
            )
            at = waiting.get(key)
            if at is not None:
                made[at] = _continued(made[at], output)
                made[number] = replace_call(call, name="read")
    return made


def replace_call(call: ToolCall, **changed: object) -> ToolCall:
    """The same call with other fields."""
    import msgspec

    return msgspec.structs.replace(call, **changed)


def _continued(call: ToolCall, output: str) -> ToolCall:
    told = _EXIT_TAG.search(output)
    code = int(told.group(1) or told.group(2)) if told else None
    text = f"{output_of(call)}\n{output}"
    return replace_call(
        call, output=text, exit_code=code, ok=None if code is None else code == 0, background=code is None
    )


def _take_command(made: Ledger, call: ToolCall, number: int) -> None:
    line, code = command_of(call), exit_code_of(call)
    if call.ok is False and code is None:
        code = 1
    parts = commands_of(line, None if call.background else code, folder_of(call))
    known = went_on([(part, activity_of(part.words)) for part in parts], output_of(call))
    for role in CHECKS:
        mine = [(part, activity) for part, activity in known if role in activity.roles]
        if mine:
            others = [one.program for _, one in known if role not in one.roles and set(CHECKS) & one.roles]
            alone = all(pair in mine or pair[1].program in listed("passes_on") for pair in known)
            made.checks.append(_check(call, number, role, mine, code, others=others, alone=alone))
    for part, activity in known:
        if activity.program == "git":
            made.git.append((number, call, activity, replace(part, folder=folder_worked_in(part))))
    made.removals += removals_in(known, line, call.turn)
    strange = [activity for part, activity in known if not activity.roles]
    _take_hooks(made, call, number, known, code)
    if call.background:
        made.opaque.append(OpaqueWork(number, call.turn, call, "background", testlike=_runs_tests(known)))
    elif strange or not parts:
        output = output_of(call)
        counted = next(all_counts(output), None) is not None
        if counted:
            run = _check(
                call, number, "test", [(part, activity) for part, activity in known if not activity.roles], code
            )
            made.checks.append(run)
        made.opaque.append(
            OpaqueWork(
                number,
                call.turn,
                call,
                "command",
                testlike=bool(_TESTLIKE.search(output)) and not _scratch(strange),
                writes=not _scratch(strange),
            )
        )


_HOOKS = compiled(r"pre-?(?:commit|push)|husky|lefthook|lint-staged|overcommit", re.IGNORECASE)


def _take_hooks(
    made: Ledger, call: ToolCall, number: int, known: list[tuple[ShellCommand, Activity]], code: int | None
) -> None:
    """What the hooks of a commit or push ran: their tests by what they printed; which linters they ran, nobody can say."""
    mine = [
        (p, activity) for p, activity in known if activity.program == "git" and activity.target in ("commit", "push")
    ]
    output = output_of(call)
    if not mine:
        return
    if next(all_counts(output), None) is not None:
        made.checks.append(_check(call, number, "test", mine, code))
    if _HOOKS.search(output):
        made.opaque.append(OpaqueWork(number, call.turn, call, "command", testlike=True, writes=False))


def _scratch(strange: list[Activity]) -> bool:
    """Whether the unknown programs are ones that were built to be tried out, outside of the tree."""
    return bool(strange) and all(activity.words and changes.is_scratch(activity.words[0]) for activity in strange)


def _runs_tests(known: list[tuple[ShellCommand, Activity]]) -> bool:
    return any("test" in activity.roles or not activity.roles for _, activity in known)


def _check(
    call: ToolCall,
    number: int,
    role: str,
    mine: list[tuple[ShellCommand, Activity]],
    code: int | None,
    *,
    others: Sequence[str] = (),
    alone: bool = False,
) -> CheckRun:
    """A run of one role; `others`: the programs of the line that ran checks of another role, whose output is mostly not told apart; `alone`: nothing else."""
    output = output_of(call)
    looped = any(part.loop for part, _ in mine)  # each round has a summary of its own
    counts = tuple(all_counts(output, each=looped)) if role == "test" else ()
    tools = [activity.program for _, activity in mine] if others else []
    shared = bool(others) or any(one.roles != {role} for _, one in mine)
    text = output if role == "test" else lines_of(role, output, set(others).difference(tools), shared=shared)
    outcome: Outcome = (
        "unknown" if call.background else outcome_of(role, [part for part, _ in mine], code, text, counts, tools, alone)
    )
    parts, activities = zip(*mine, strict=True)
    of_tests = (
        outcome_of_tests(mine, output, beside=bool(others)) if role == "test" and outcome == "failed" else outcome
    )
    return CheckRun(number, call.turn, call, role, parts, activities, outcome, counts, call.background, of_tests)


def code_changes(made: Ledger, after: int = -1) -> Iterator[FileChange]:
    """The changes to files of code after a call, apart from those that only touch comments and space."""
    return (change for change in made.changes if change.number > after and change.is_code and not change.cosmetic)


def output_summary(run: CheckRun) -> str:
    """What a run printed, in a few words."""
    code = exit_code_of(run.call)
    if not run.counts and code in (0, None) and run.outcome == "failed":
        return "failed"
    if not run.counts:
        return f"exit code {code}" if code is not None else "no counts"
    counts = max(run.counts, key=lambda count: count.bad)
    return f"{counts}, exit code {code}" if code not in (0, None) and not counts.bad else str(counts)
