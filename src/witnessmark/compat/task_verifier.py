"""TaskVerifier: a specialist's output in three levels, under the names and shapes of the older vocabulary.

    verifier = TaskVerifier()
    checked = await verifier.verify(output, tool_trace, base_path, "implementer", "subtask-1")
    if not checked.valid:
        print(checked.failed_level, checked.errors, checked.feedback)

Metrics count verifications: every verification is in `totalChecks` once, in `bySpecialist` once, and in `byLevel` once for each
level that ran; `errorsByCategory` counts every error. All judgement is in the checkpoint `actions`; nothing is judged here.
"""

from __future__ import annotations

import asyncio
import functools
import os
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from witnessmark.actions.tool_schemas import ToolSchemas
from witnessmark.actions.trace.calls import Trace
from witnessmark.actions.tree import capture
from witnessmark.actions.tree.snapshot import Snapshot
from witnessmark.actions.tree.view import TreeState
from witnessmark.compat.rag_stage import configured_verifier
from witnessmark.compat.vocabulary import older_verdict, write_specialist
from witnessmark.core.allowance import backoff_s, may_retry
from witnessmark.core.case import AgentOutput, Case, Evidence, Executor
from witnessmark.core.concurrency.background_loop import run_sync
from witnessmark.core.policy import Policy, layered
from witnessmark.core.record import Record, ResultRecord
from witnessmark.core.run import in_thread
from witnessmark.core.values import plain
from witnessmark.loop.feedback import as_text
from witnessmark.verifier import Verifier

LEVELS = (1, 2, 3)
_LEVEL_OF = {
    "output_structure": 1, "tool_outputs": 2, "claimed_actions": 3, "unverifiable_claims": 3, "undisclosed_changes": 3,
}  # fmt: skip
_NAMES = {"summary": "summary", "traceRef": "trace_ref", "trace_ref": "trace_ref", "claims": "claims"} | {
    name: name for name in ("artifacts", "data", "confidence", "tools_used", "metadata")
}


@dataclass(frozen=True, slots=True)
class TaskVerification:
    """What was found: whether all holds, the level that failed or else the last that ran, and every error."""

    valid: bool
    level: int
    errors: tuple[dict[str, str], ...]
    failed_level: int | None
    levels_run: tuple[int, ...]
    feedback: str
    record: Record

    def as_dict(self) -> dict[str, Any]:
        """The older shape as JSON builtins, with ours under `witnessmark`."""
        made = write_specialist(older_verdict(self.record), self.failed_level, self.levels_run)
        return made | {"valid": self.valid, "errors": list(self.errors)}


@dataclass(slots=True)
class _PassCount:
    total: int = 0
    passed: int = 0
    seconds: float = 0.0

    def add(self, ok: bool, seconds: float = 0.0) -> None:
        self.total += 1
        self.passed += ok
        self.seconds += seconds

    def counts(self) -> dict[str, Any]:
        return {"total": self.total, "passed": self.passed, "failed": self.total - self.passed}


@dataclass(slots=True)
class _Metrics:
    checks: _PassCount = field(default_factory=_PassCount)
    levels: dict[int, _PassCount] = field(default_factory=lambda: {level: _PassCount() for level in LEVELS})
    specialists: dict[str, _PassCount] = field(default_factory=lambda: defaultdict(_PassCount))
    errors: Counter[str] = field(default_factory=Counter)


class TaskVerifier:
    """Verifies specialists' outputs and counts what it saw.

    Args:
        ctx: kept for those who bring one; nothing reads it.
        verifier: who verifies, keeps and notifies; left out, the one that the settings file describes, which keeps nothing.
        schemas: the schemas of the tools' inputs and outputs.
        before: a snapshot from before the work, where there is one.
        policy: what the policy says otherwise.

    """

    def __init__(
        self,
        ctx: Any = None,
        *,
        verifier: Verifier | None = None,
        schemas: ToolSchemas | Mapping[str, Any] | None = None,
        before: Snapshot | None = None,
        policy: Mapping[str, Any] | None = None,
    ) -> None:
        self.ctx = ctx
        self._verifier = verifier or configured_verifier()
        self._schemas = schemas if isinstance(schemas, ToolSchemas) else ToolSchemas(schemas)
        self._before, self._given = before, dict(policy or {})
        self.policy: Policy = layered(Policy(), {"mission": self._given})
        self._metrics = _Metrics()

    async def verify(
        self,
        output: Any,
        tool_trace: Any = None,
        base_path: str | os.PathLike[str] | None = None,
        specialist_id: str = "",
        subtask_id: str = "",
        *,
        attempt: int = 1,
        before: Snapshot | None = None,
    ) -> TaskVerification:
        """Hold an output against its shape, its tools' schemas and the tree below `base_path`.

        `before` is the tree before this subtask, so that one specialist is not blamed for another one's files; left out,
        the snapshot the verifier was made with holds.
        """
        case = _case(output, tool_trace, specialist_id, subtask_id)
        known = before if before is not None else self._before
        world = TreeState(root=base_path, before=known if base_path is not None else None)
        services = {"world": world, "schemas": self._schemas}
        verifier = self._verifier.with_services(services, policy=self._given)
        (came,) = [one async for one in verifier.verify_many([case], checkpoint="actions", attempt=attempt)]
        done = _read(came.record)
        assert came.entry is not None  # where there is a record
        self._count(done, came.entry.runs[0].timings, specialist_id)
        return done

    def verify_sync(self, *given: Any, **more: Any) -> TaskVerification:
        """`verify` for code that is not async."""
        return run_sync(self.verify(*given, **more))

    def _count(self, done: TaskVerification, timings: Mapping[str, float], specialist_id: str) -> None:
        metrics = self._metrics
        metrics.checks.add(done.valid)
        metrics.specialists[specialist_id or "unknown"].add(done.valid)
        for level in done.levels_run:
            said = [one for one in done.record.results if _LEVEL_OF.get(one.node) == level]
            seconds = sum(timings.get(one.node, 0.0) for one in said)
            metrics.levels[level].add(level != done.failed_level and _level_holds(said), seconds)
        metrics.errors.update(error["category"] for error in done.errors)

    def get_metrics(self) -> dict[str, Any]:
        """What was verified so far."""
        metrics = self._metrics
        total = metrics.checks.total
        return {
            "totalChecks": total,
            "passRate": metrics.checks.passed / total if total else 0.0,
            "byLevel": {level: _level_counts(tally) for level, tally in metrics.levels.items()},
            "bySpecialist": {name: tally.counts() for name, tally in metrics.specialists.items()},
            "errorsByCategory": dict(metrics.errors),
        }

    def clear_metrics(self) -> None:
        """Start counting anew."""
        self._metrics = _Metrics()

    getMetrics, clearMetrics = get_metrics, clear_metrics  # noqa: N815 - the older spelling


def _level_counts(tally: _PassCount) -> dict[str, Any]:
    mean = tally.seconds / tally.total * 1000 if tally.total else 0.0
    return tally.counts() | {"avgDurationMs": round(mean, 3)}


def _level_holds(said: list[ResultRecord]) -> bool:
    """Whether what weighs in a level passed; what nobody mentioned is a warning there, unless it failed the whole."""
    return all(one.status == "pass" for one in said if one.node != "undisclosed_changes") and bool(said)


def _case(output: Any, tool_trace: Any, specialist_id: str, subtask_id: str) -> Case:
    given = output if isinstance(output, Mapping) else {}
    fields = {_NAMES[key]: value for key, value in given.items() if key in _NAMES}
    subject = AgentOutput(**({"trace_ref": None} | fields))
    ref = fields.get("trace_ref")
    evidence = () if tool_trace is None else (_trace(tool_trace, ref),)
    return Case(subject=subject, id=subtask_id or None, executor=Executor(id=specialist_id), evidence=evidence)


def _trace(tool_trace: Any, ref: Any) -> Evidence:
    """The trace as evidence. One that has no id of its own is the one the output refers to."""
    if isinstance(tool_trace, Trace):
        return Evidence(id=tool_trace.id, kind="trace", data=plain(tool_trace))
    referred = ref.removeprefix("trace:") if isinstance(ref, str) else ""
    if isinstance(tool_trace, Mapping):
        calls = tool_trace.get("calls", tool_trace.get("invocations", tool_trace))
        return Evidence(id=str(tool_trace.get("id") or tool_trace.get("traceId") or referred), kind="trace", data=calls)
    if isinstance(tool_trace, str):
        return Evidence(id=referred or "trace", kind="trace", text=tool_trace)
    return Evidence(id=referred or "trace", kind="trace", data=list(tool_trace))


def _read(record: Record) -> TaskVerification:
    details = [said.details for said in record.results if "levels_run" in said.details]
    valid = record.outcome == "pass"
    failed = next((one["failed_level"] for one in details if one.get("failed_level") is not None), None)
    if failed is None and record.outcome == "fail":
        # A check that must pass by the policy failed the whole: its level is the one that failed.
        failed = next((_LEVEL_OF[s.node] for s in record.results if s.status == "fail" and s.node in _LEVEL_OF), None)
    levels = tuple(details[-1]["levels_run"]) if details else ()
    feedback = as_text(record.feedback) if record.feedback is not None else "" if valid else record.reason
    return TaskVerification(
        valid=valid,
        level=failed if failed is not None else max(levels, default=0),
        errors=() if valid else _errors(record),
        failed_level=failed,
        levels_run=levels,
        feedback=feedback,
        record=record,
    )


def _errors(record: Record) -> tuple[dict[str, str], ...]:
    """Every error with its category; where nothing is wrong and yet not all is shown, what could not be shown."""
    worst = [f for f in record.findings if f.severity == "error"] or list(record.findings)
    found = [{"category": f.category, "message": f.message + (f": “{f.quote}”" if f.quote else "")} for f in worst]
    if not found:
        found = [{"category": record.unverified_because or "unknown", "message": record.reason}]
    return tuple(found)


# --- after each execution ----------------------------------------------------------------------------------------

Execute = Callable[[str | None], Awaitable[tuple[Any, Any]]]
"""Runs the specialist, with the feedback on its last attempt, and gives back its output and its tool trace."""


async def execute_with_escalation(
    execute: Execute,
    verifier: TaskVerifier,
    *,
    base_path: str | os.PathLike[str] | None = None,
    specialist_id: str = "",
    subtask_id: str = "",
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> tuple[Any, TaskVerification]:
    """Run a specialist until its output holds, telling it each time what was not true, at most as often as the policy allows.

    The tree is captured before the subtask starts, so that what was there already is held against nobody.

    Gives back the last output and what was found; only where `valid` holds it was accepted.
    """
    retries, told_why = 0, None
    before = None if base_path is None else await in_thread(functools.partial(capture.take, base_path))
    while True:
        output, trace = await execute(told_why)
        done = await verifier.verify(
            output, trace, base_path, specialist_id, subtask_id, attempt=retries + 1, before=before
        )
        if done.valid or not may_retry(verifier.policy, "revision", retries):
            return output, done
        await sleep(backoff_s(verifier.policy, retries))
        retries, told_why = retries + 1, done.feedback
