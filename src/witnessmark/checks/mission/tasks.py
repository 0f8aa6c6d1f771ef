"""A mission by the verdicts of its tasks: looked up by record id, the newest word on each, nothing judged again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from witnessmark.core.case import Case, Mission
from witnessmark.core.errors import UnknownNameError
from witnessmark.core.record import Record, Store
from witnessmark.core.registry import Look, check
from witnessmark.core.verdict import Finding, Result, Status, abstained, passed

MOST_OVERRIDES = 100


@check("task_verdicts", version="2", cost="local")
def task_verdicts(*, records: Store | None = None) -> Look:
    """Every task that was verified came out well; a task whose verdict is missing or unsettled is told."""

    async def look(case: Case, prior: Mapping[str, Result]) -> Result:
        assert isinstance(case.subject, Mission)
        named = [(task.id, task.record) for task in case.subject.tasks if task.record is not None]
        if records is None or not named:
            return abstained(
                "no_evidence", "no store to look the tasks' records up in" if named else "no task has a record"
            )
        found = {task: await _newest(records, record) for task, record in named}
        return _settled(found)

    return look


@check("tasks_settled", version="1", cost="instant")
def tasks_settled() -> Look:
    """No task of the mission is left that nobody could verify; such a one is no failure, and no mission passes over it."""

    def look(case: Case, prior: Mapping[str, Result]) -> Result:
        said = prior.get("task_verdicts")
        outcomes = said.details.get("tasks", {}) if said is not None else {}
        open_ones = [task for task, outcome in outcomes.items() if outcome == "unverified"]
        if not open_ones:
            return passed("every task that has a record is settled")
        share = round(1 - len(open_ones) / len(outcomes), 9)
        return Result(status="partial", score=share, reason=f"{len(open_ones)} of {len(outcomes)} tasks are unverified")

    return look


async def _newest(records: Store, record_id: str) -> Record | None:
    """The record, or a person's override of it that came later; None where it is not there any more."""
    try:
        entry = await records.get(record_id)
    except UnknownNameError:
        return None
    newest = entry.record
    for _ in range(MOST_OVERRIDES):
        overrides = [c for c in await records.children(newest.id) if c.kind == "override"] if newest else []
        if not overrides:
            break
        newest = overrides[-1]
    return newest


def _settled(found: Mapping[str, Record | None]) -> Result:
    outcomes = {task: record.outcome if record else "unverified" for task, record in found.items()}
    findings = tuple(
        Finding(
            message=f"task {task!r} is {outcome}",
            severity="error" if outcome == "fail" else "warning",
            suggestion="Look at the task's record, and revise the task or have a person decide.",
        )
        for task, outcome in outcomes.items()
        if outcome != "pass"
    )
    settled = [task for task, outcome in outcomes.items() if outcome != "unverified"]
    if not settled:
        return abstained("no_evidence", "no task has a settled verdict", *findings)
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
