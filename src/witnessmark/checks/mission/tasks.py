"""A mission by the verdicts of its tasks: looked up by record id, the newest word on each, nothing judged again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from witnessmark.checks.plain import writing
from witnessmark.checks.plain.endings import cut
from witnessmark.core.case import Case, Mission, MissionTask, TaskOutput, subject_of
from witnessmark.core.errors import UnknownNameError, UsageError
from witnessmark.core.policy import Policy
from witnessmark.core.record import Record, Store, standing
from witnessmark.core.registry import Look, check
from witnessmark.core.verdict import Finding, Result, Status, abstained, counted, failed, passed
from witnessmark.text.failures import asked_for, failure, undone
from witnessmark.text.words import blank

NO_RESULT = "returned an error, a refusal or nothing instead of its result"
QUOTED = 200
"""Characters of an output that a finding about all of it shows."""


@check("task_verdicts", version="3", cost="local", services=("records",))
def task_verdicts(*, records: Store | None = None) -> Look:
    """Every task that was verified came out well; a task whose verdict is missing or unsettled is reported."""

    async def look(case: Case, prior: Mapping[str, Result]) -> Result:
        tasks = subject_of(case, Mission).tasks
        named = [(task.id, task.record) for task in tasks if task.record is not None]
        if records is None or not named:
            return abstained(
                "no_evidence", "no store to look the tasks' records up in" if named else "no task has a record"
            )
        found = {task: await _standing(records, record) for task, record in named}
        return _settled(found)

    return look


@check("tasks_settled", version="2", cost="instant", services=("policy",))
def tasks_settled(*, policy: Policy | None = None) -> Look:
    """No task of the mission failed, and none is left that nobody could verify; no mission passes over either.

    The profile `original` averages failed tasks with the others.
    """
    averaged = policy is not None and policy.profile == "original"

    def look(case: Case, prior: Mapping[str, Result]) -> Result:
        said = prior.get("task_verdicts")
        outcomes = said.details.get("tasks", {}) if said is not None else {}
        wrong = [task for task, outcome in outcomes.items() if outcome == "fail"]
        if wrong and not averaged:
            return failed(f"{len(wrong)} of {len(outcomes)} tasks failed", *_blocks(case, wrong))
        open_ones = [task for task, outcome in outcomes.items() if outcome == "unverified"]
        if not open_ones:
            return passed("every task that has a record is settled")
        share = round(1 - len(open_ones) / len(outcomes), 9)
        return Result(status="partial", score=share, reason=f"{len(open_ones)} of {len(outcomes)} tasks are unverified")

    return look


def _blocks(case: Case, wrong: Sequence[str], how: str = "failed") -> Iterator[Finding]:
    """What failed and how, with the tasks that build on it; of what is no result, its beginning."""
    tasks = subject_of(case, Mission).tasks
    outputs = {task.id: task.output if how == NO_RESULT else "" for task in tasks}
    for failed_task in wrong:
        above = [task.id for task in tasks if failed_task in task.depends_on]
        more = f"; {', '.join(map(repr, above))} {'builds' if len(above) == 1 else 'build'} on it" if above else ""
        yield Finding(
            message=f"task {failed_task!r} {how}{more}",
            quote=outputs[failed_task].strip()[:QUOTED] or None,
            suggestion="Revise the task, then everything that builds on it.",
        )


@check("tasks_delivered", version="5", cost="instant")
def tasks_delivered() -> Look:
    """No task returned an error, a refusal or nothing instead of its result, unless that was its task; none breaks off or leaves gaps.

    Of a task that returned nothing and says nowhere what it was to do it cannot say.
    """
    refuses, gaps = writing.not_a_refusal(), writing.no_placeholders()

    def look(case: Case, prior: Mapping[str, Result]) -> Result:
        tasks = subject_of(case, Mission).tasks
        wrong = [task.id for task in tasks if _is_no_result(task, refuses)]
        if wrong:
            reason = f"{len(wrong)} of {len(tasks)} tasks returned an error, a refusal or nothing"
            return failed(reason, *_blocks(case, wrong, NO_RESULT))
        silent = [task.id for task in tasks if blank(task.output) and task.record is None]
        unfinished = [finding for task in tasks for finding in _unfinished(task, gaps)]
        if not silent and not unfinished:
            return passed("no task returned an error instead of a result")
        told = [f"nothing is known of {', '.join(map(repr, silent))}: no output and no record"] if silent else []
        told += [f"{counted(len(unfinished), 'output is', 'outputs are')} not finished"] if unfinished else []
        share = round(max(0.0, 1 - (len(silent) + len(unfinished)) / len(tasks)), 9)
        return Result(status="partial", score=share, reason="; ".join(told), findings=tuple(unfinished))

    return look


def _is_no_result(task: MissionTask, refuses: Look) -> bool:
    if failure(task.output, task.description) is not None:
        return True
    if undone(task.output, task.description):
        return task.record is None or not blank(task.output)  # its record may know the output that is not told here
    said = refuses(Case(goal=task.description, subject=TaskOutput(text=task.output)), {})
    return isinstance(said, Result) and said.status == "fail" and not asked_for("refusal", task.description)


def _unfinished(task: MissionTask, gaps: Look) -> Iterator[Finding]:
    """That an output breaks off, or leaves something to be filled in: it is there, and not done."""
    why = cut(task.output)
    said = gaps(Case(goal=task.description, subject=TaskOutput(text=task.output)), {})
    if why is not None:
        yield Finding(
            message=f"the output of task {task.id!r} breaks off: {why}",
            category="truncated",
            suggestion="Have the task deliver the whole output.",
        )
    elif isinstance(said, Result) and said.status == "fail":
        yield Finding(
            message=f"the output of task {task.id!r} leaves something to be filled in",
            category="placeholder_left",
            quote=said.findings[0].quote,
            suggestion="Fill it in, or say plainly what is missing and why.",
        )


async def _standing(records: Store, record_id: str) -> Record | None:
    """What holds of it now; None where it is not there any more."""
    try:
        return await standing(records, record_id)
    except (UnknownNameError, UsageError):
        return None


def _short(task: str, record: Record | None) -> Finding:
    if record is None:
        return Finding(
            message=f"the record that task {task!r} names is not in the store, or was purged",
            severity="warning",
            suggestion="Check the id and the store, or verify the task again.",
        )
    return Finding(
        message=f"task {task!r} is {record.outcome}",
        severity="error" if record.outcome == "fail" else "warning",
        suggestion="Look at the task's record, and revise the task or have a person decide.",
    )


def _settled(found: Mapping[str, Record | None]) -> Result:
    outcomes = {task: record.outcome if record else "unverified" for task, record in found.items()}
    findings = tuple(_short(task, record) for task, record in found.items() if outcomes[task] != "pass")
    settled = [task for task, outcome in outcomes.items() if outcome != "unverified"]
    if not settled:
        return abstained("no_evidence", "no task has a settled verdict", *findings, details={"tasks": outcomes})
    bad = any(outcome == "fail" for outcome in outcomes.values())
    status: Status = "fail" if bad else "partial" if findings else "pass"
    worth = {"pass": 1.0, "partial": 0.5, "fail": 0.0}
    return Result(
        status=status,
        score=round(sum(worth[outcomes[task]] for task in settled) / len(settled), 9),
        reason=", ".join(f"{count} {outcome}" for outcome, count in Counter(outcomes.values()).items()),
        findings=findings,
        details={"tasks": outcomes},
    )
