"""A task as a coordinator knows it, and as a case: the shapes on both sides, and nothing that decides.

Rows of the older tables are read as they are: a board task with `result` and `error_message`, a heartbeat with findings,
actions, tokens and cost. A crash (an error and no result) stays visible as evidence; it is never taken for an output.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Protocol

import msgspec

from witnessmark.core.case import Case, Evidence, Executor, TaskOutput
from witnessmark.core.errors import InputError
from witnessmark.core.explain import convert
from witnessmark.core.plans.criteria import Criterion, as_criteria
from witnessmark.core.values import Value

ScoringMode = Literal["rubric", "binary", "criteria_match"]


class Task(Value, frozen=True, kw_only=True):
    """What is verified, in the words of a coordinator."""

    task_id: str | None = None
    task_description: str = ""
    success_criteria: tuple[Criterion | str, ...] = ()
    task_output: str
    verifier_model: str | None = None
    scoring_mode: ScoringMode = "rubric"
    executor: Executor | None = None
    evidence: tuple[Evidence, ...] = ()
    context: dict[str, Any] = {}

    def case(self) -> Case:
        """The task as a case; every criterion gets an id, so that its score can be told apart later."""
        return Case(
            id=self.task_id,
            checkpoint="task",
            goal=self.task_description,
            subject=TaskOutput(text=self.task_output),
            criteria=self.criteria(),
            evidence=self.evidence,
            executor=self.executor,
            context={"scoring_mode": self.scoring_mode} | self.context,
        )

    def criteria(self) -> tuple[Criterion, ...]:
        """The criteria with ids: their own, or their number."""
        made = as_criteria(self.success_criteria, "success_criteria")
        taken = {c.id for c in made}
        numbered = [str(n) if str(n) not in taken else f"no-{n}" for n in range(1, len(made) + 1)]
        return tuple(
            c if c.id is not None else msgspec.structs.replace(c, id=number)
            for c, number in zip(made, numbered, strict=True)
        )


class TaskSource(Protocol):
    """Where tasks come from when they are asked for by id."""

    async def task(self, task_id: str) -> Task:
        """The task with this id, or UnknownNameError."""
        ...


def task_from(body: Mapping[str, Any]) -> Task:
    """A task from a request; what is wrong is an InputError that names the field."""
    if not isinstance(body, Mapping):
        raise InputError(
            f"the body should be an object with task_output and success_criteria, not {type(body).__name__}"
        )
    return convert(dict(body), Task)


def task_from_row(row: Mapping[str, Any], heartbeat: Mapping[str, Any] | None = None) -> Task:
    """A task from a row of the board, with what its heartbeat says as evidence and cost."""
    beat = heartbeat or {}
    told = [("finding", text) for text in beat.get("findings") or ()]
    told += [("action", text) for text in beat.get("actions_taken") or ()]
    evidence = [
        Evidence(
            id=f"{kind}-{number}",
            kind="reasoning",
            text=text if isinstance(text, str) else msgspec.json.encode(text).decode(),
        )
        for number, (kind, text) in enumerate(told, start=1)
    ]
    if row.get("error_message"):
        evidence.append(Evidence(id="error_message", kind="message", text=str(row["error_message"])))
    executor = Executor(id=str(row.get("agent") or ""), model=row.get("model"), cost_usd=beat.get("cost"))
    return Task(
        task_id=None if row.get("id") is None else str(row["id"]),
        task_description=str(row.get("description") or row.get("title") or ""),
        success_criteria=row.get("success_criteria") or (),
        task_output=str(row.get("result") or ""),
        executor=executor,
        evidence=tuple(evidence),
    )
