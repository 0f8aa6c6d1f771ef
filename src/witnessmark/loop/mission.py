"""A mission while it runs: tasks that others build on are verified at once, the rest together at the end.

What is not good enough does not flow on: a task may start when everything it depends on was accepted, with or without a
warning. Terminal tasks wait until the mission is over, and the questions about them are grouped. What tasks share can be
read here and not written.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import msgspec

from witnessmark.core.case import Case, Executor, Mission, MissionTask, TaskOutput
from witnessmark.core.case_verifier import CaseVerifier
from witnessmark.core.errors import InputError, UnknownNameError, WitnessmarkError
from witnessmark.core.record import Record
from witnessmark.core.verdict import GOES_ON
from witnessmark.judges.grouped_judge import GroupedJudges

AT_ONCE = 32


def read_only(value: Any) -> Any:
    """JSON that cannot be changed through this view, however deep."""
    if isinstance(value, Mapping):
        return MappingProxyType({key: read_only(inner) for key, inner in value.items()})
    if isinstance(value, (list, tuple)):
        return tuple(read_only(inner) for inner in value)
    return value


class MissionRun:
    """One mission under way. Hand in each task's case as it is done; `finish` gives the verdict on the whole.

    `verifier_model` names the judge of this mission, unless a task names another.
    """

    def __init__(
        self,
        verifier: CaseVerifier,
        mission: Mission,
        *,
        shared: Mapping[str, Any] | None = None,
        verifier_model: str | None = None,
    ) -> None:
        if not isinstance(mission, Mission):
            raise InputError(f"mission: should be a Mission, not {type(mission).__name__}; write Mission(tasks=[…])")
        self.mission, self._named = mission, {"verifier_model": verifier_model} if verifier_model else {}
        self.shared: Mapping[str, Any] = read_only(shared or {})
        self.records: dict[str, Record] = {}
        self._verifier = verifier
        judges = verifier.service("judges")
        self._batch = verifier if judges is None else verifier.with_services({"judges": GroupedJudges(judges)})
        self._tasks = {task.id: task for task in mission.tasks}
        self._needed = {need for task in mission.tasks for need in task.depends_on}
        self._waiting: dict[str, Case] = {}

    async def done(self, task_id: str, case: Case, *, attempt: int = 1, parent: str | None = None) -> Record | None:
        """Verify at once what others depend on; None for a terminal task, which waits for the end.

        Args:
            task_id: one of the mission's tasks.
            case: the task's output as a case.
            attempt: which try at the task it is.
            parent: the record of the try before.

        Raises:
            UnknownNameError: where there is no such task.
            InputError: where the case is none.

        """
        self._task(task_id)
        if not isinstance(case, Case):
            raise InputError(
                f"case: should be a Case, not {type(case).__name__}; write Case(subject={{'kind': 'task_output', 'text': …}})"
            )
        case = self._placed(task_id, case)
        if task_id not in self._needed:
            self._waiting[task_id] = case
            return None
        self.records[task_id] = await self._verifier.verify(case, attempt=attempt, parent=parent)
        return self.records[task_id]

    def may_start(self, task_id: str) -> bool:
        """Whether everything the task depends on was verified and is good enough to build on."""
        needs = self._task(task_id).depends_on
        return all(need in self.records and self.records[need].action in GOES_ON for need in needs)

    async def finish(self, *, executor: Executor | None = None) -> Record:
        """Verify what waited, side by side with its questions grouped, then the mission as a whole.

        Raises what a task raises that cannot be verified, naming the task, once the others are: their records are kept, and it waits
        on. Hand in a better case for it, or just try again, and finish once more.
        """
        room = asyncio.Semaphore(AT_ONCE)

        async def one(task_id: str, case: Case) -> WitnessmarkError | None:
            async with room:
                try:
                    self.records[task_id] = await self._batch.verify(case)
                except WitnessmarkError as exc:
                    exc.add_note(f"this was task {task_id!r} of the mission; the records of the others are kept")
                    return exc
            if self._waiting.get(task_id) is case:
                del self._waiting[task_id]
            return None

        for broken in await asyncio.gather(*itertools.starmap(one, self._waiting.items())):
            if broken is not None:
                raise broken
        return await self._verifier.verify(self.case(executor), checkpoint="mission")

    def case(self, executor: Executor | None = None) -> Case:
        """The mission as a case: every task with its output and the record of its verdict."""
        tasks = tuple(self._with_record(task) for task in self.mission.tasks)
        subject = Mission(goal=self.mission.goal, tasks=tasks)
        return Case(subject=subject, goal=self.mission.goal, executor=executor, context=dict(self._named))

    def _task(self, task_id: str) -> MissionTask:
        if task_id not in self._tasks:
            known = f"; the mission has {', '.join(self._tasks) or 'none'}"
            raise UnknownNameError("task", task_id, self._tasks, known)
        return self._tasks[task_id]

    def _with_record(self, task: MissionTask) -> MissionTask:
        record = self.records.get(task.id)
        return msgspec.structs.replace(task, record=record.id if record else task.record)

    def _placed(self, task_id: str, case: Case) -> Case:
        """The case with what the mission knows of it; the output is kept for the comparison at the end."""
        if isinstance(case.subject, TaskOutput):
            task = msgspec.structs.replace(self._tasks[task_id], output=case.subject.text)
            self._tasks[task_id] = task
            tasks = tuple(self._tasks[old.id] for old in self.mission.tasks)
            self.mission = Mission(goal=self.mission.goal, tasks=tasks)
        context = self._named | case.context | {"has_dependents": task_id in self._needed}
        if self.shared:
            context["shared"] = writable(self.shared)
        return msgspec.structs.replace(case, context=context)


def writable(view: Any) -> Any:
    """A copy of a read-only view as JSON builtins: what is done to it does not reach what it was made from."""
    if isinstance(view, Mapping):
        return {key: writable(inner) for key, inner in view.items()}
    return [writable(inner) for inner in view] if isinstance(view, tuple) else view
