"""VerificationService: a coordinator's view of us. `verify_task` takes a task or its id, `verify_task_body` the JSON of both.

pass, fail or partial; what is unsettled is null, with the reason. What is ours stands under the key `witnessmark`. Nothing is
judged here: a task becomes a case, the verifier verifies it, and the record is told in the coordinator's words.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Literal

import msgspec

from witnessmark.compat import vocabulary
from witnessmark.compat.tasks import Task, TaskSource, task_from
from witnessmark.core.allowance import cost_share, cost_standing
from witnessmark.core.case import Case
from witnessmark.core.errors import ConfigError, InputError, UnknownNameError
from witnessmark.core.plans.criteria import Criterion
from witnessmark.core.policy import Policy
from witnessmark.core.protocols import Judges
from witnessmark.core.record import Record, ResultRecord
from witnessmark.core.values import Value
from witnessmark.settings import Settings
from witnessmark.verifier import Verifier

QUALITY = ("completeness", "accuracy", "relevance", "clarity")
EventType = Literal["verification_started", "verification_completed", "verification_failed", "human_review_requested"]
Signal = Literal["advance", "retry", "escalate"]
_SIGNALS: Mapping[str, Signal] = {
    "accept": "advance", "warn": "advance", "retry": "retry", "switch": "retry", "correct": "retry", "escalate": "escalate",
    "abort": "escalate",
}  # fmt: skip
_BROKEN = frozenset({"judge_error", "check_error", "check_missing"})


class Event(Value, frozen=True):
    """Something a coordinator wants to hear about."""

    type: EventType
    task_id: str | None
    data: dict[str, Any] = {}


class CriterionScore(Value, frozen=True):
    """One criterion: its score and whether it is met, both null where it could not be settled, and why."""

    criterion: str
    score: float | None
    met: bool | None
    reasoning: str = ""
    must_pass: bool = False


class TaskVerificationResult(Value, frozen=True, kw_only=True):
    """What a coordinator is told about one task."""

    task_id: str | None
    verdict: Literal["pass", "fail", "partial"]
    confidence: float | None
    aggregate_score: float | None
    criteria_scores: tuple[CriterionScore, ...]
    quality_scores: dict[str, float | None]
    tokens_used: int
    cost: float | None
    verifier_model: str | None
    outcome: str
    action: str
    signal: Signal
    coverage: float | None
    record_id: str
    reason: str
    cost_share: float | None
    cost_standing: str
    retry_context: dict[str, Any] | None = None

    def body(self) -> dict[str, Any]:
        """The response of the older endpoint, field by field, with ours under one key."""
        return {
            "verdict": self.verdict,
            "confidence": self.confidence,
            "aggregate_score": self.aggregate_score,
            "criteria_scores": [
                {"criterion": c.criterion, "score": c.score, "met": c.met, "reasoning": c.reasoning}
                for c in self.criteria_scores
            ],
            "quality_scores": self.quality_scores,
            "tokens_used": self.tokens_used,
            "cost": self.cost,
            "witnessmark": {
                "outcome": self.outcome,
                "action": self.action,
                "coverage": self.coverage,
                "record_id": self.record_id,
                "reason": self.reason,
                "cost_share": self.cost_share,
                "cost_standing": self.cost_standing,
            },
        }

    def telemetry(self) -> dict[str, Any]:
        """What can be added up over many tasks, under the names telemetry uses: numbers and words of ours, no content."""
        return {
            "task_id": self.task_id,
            "verifier_score": self.aggregate_score,
            "verification_status": self.verdict,
            "verification_outcome": self.outcome,
            "confidence": self.confidence,
            "coverage": self.coverage,
            "tokens_used": self.tokens_used,
            "verification_cost_usd": self.cost,
            "verifier_model": self.verifier_model,
        }


class VerificationService:
    """Verifies tasks for a coordinator. `judge_for` makes the judges of a name; `on_event` hears what happens."""

    def __init__(
        self,
        verifier: Verifier | None = None,
        *,
        tasks: TaskSource | None = None,
        judge_for: Callable[[str], Judges] | None = None,
        on_event: Callable[[Event], Awaitable[None] | None] | None = None,
    ) -> None:
        self._verifier = verifier or Verifier.from_settings(Settings())
        self._tasks, self._judge_for, self._on_event = tasks, judge_for, on_event

    async def verify_task(
        self,
        task: Task | str,
        *,
        attempt: int = 1,
        parent: str | None = None,
        level: Literal["basic", "detailed"] | None = None,
        case: Case | None = None,
    ) -> TaskVerificationResult:
        """Verify a task, or the task of an id; `level` says how much the retry context tells, by default as needed.

        `case` is the task's own case, where whoever asks has made it already.
        """
        if isinstance(task, str):
            task = await self._looked_up(task)
        await self._tell("verification_started", task.task_id, {"attempt": attempt})
        verifier = self._with_judge(task.verifier_model)
        case = case or task.case()
        record = await verifier.verify(case, attempt=attempt, parent=parent)
        result = _result(task, case, record, level)
        broken = record.outcome == "unverified" and record.unverified_because in _BROKEN
        told = result.telemetry() | {"record_id": record.id, "action": record.action}
        await self._tell("verification_failed" if broken else "verification_completed", task.task_id, told)
        if record.action == "escalate":
            because = {"because": record.because, "record_id": record.id, "reason": result.reason}
            await self._tell("human_review_requested", task.task_id, because)
        return result

    async def verify_task_body(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """The request of the older endpoint in, its response out; the HTTP route calls this."""
        return (await self.verify_task(task_from(body))).body()

    async def _looked_up(self, task_id: str) -> Task:
        if self._tasks is None:
            raise InputError(
                "task_id: no source of tasks is set; hand in the task itself, or VerificationService(tasks=…)"
            )
        return await self._tasks.task(task_id)

    def _with_judge(self, name: str | None) -> Verifier:
        """The verifier with the judge a task names; InputError where that one is not to be had."""
        if name is None:
            return self._verifier
        if name == "none":
            return self._verifier.with_services({"judges": None})
        if self._judge_for is None:
            raise InputError(f"verifier_model: {name!r} is not known; no judge can be named here")
        try:
            return self._verifier.with_services({"judges": self._judge_for(name)})
        except (ConfigError, UnknownNameError) as exc:
            raise InputError(f"verifier_model: {name!r} cannot be used: {exc}") from None

    async def _tell(self, kind: EventType, task_id: str | None, data: dict[str, Any]) -> None:
        if self._on_event is None:
            return
        heard = self._on_event(Event(type=kind, task_id=task_id, data=data))
        if inspect.isawaitable(heard):
            await heard


# --- a record in the coordinator's words ---------------------------------------------------------------------------


def _result(
    task: Task, case: Case, record: Record, level: Literal["basic", "detailed"] | None
) -> TaskVerificationResult:
    said = {result.node: result for result in record.results}
    older = vocabulary.write_task(vocabulary.older_verdict(record))
    policy = msgspec.json.decode(record.policy, type=Policy)
    return TaskVerificationResult(
        task_id=task.task_id,
        verdict=older["verdict"],
        confidence=record.confidence,
        aggregate_score=record.score,
        criteria_scores=tuple(_scored(c, said) for c in case.criteria if isinstance(c, Criterion)),
        quality_scores=_quality(said),
        tokens_used=record.usage.tokens,
        cost=record.usage.cost_usd,
        verifier_model=next((result.judge for result in record.results if result.judge), None),
        outcome=record.outcome,
        action=record.action,
        signal=_SIGNALS[record.action],
        coverage=record.coverage,
        record_id=record.id,
        reason=record.reason,
        cost_share=cost_share(case, record.usage.cost_usd),
        cost_standing=cost_standing(policy, case, record.usage.cost_usd),
        retry_context=_retry_context(record, level),
    )


def _scored(criterion: Criterion, said: Mapping[str, ResultRecord]) -> CriterionScore:
    result = said[f"criterion:{criterion.id}"]
    settled = result.status in ("pass", "partial", "fail")
    return CriterionScore(
        criterion=criterion.text or str(criterion.check),
        score=result.score,
        met=result.status == "pass" if settled else None,
        reasoning=result.reason,
        must_pass=criterion.blocking,
    )


def _quality(said: Mapping[str, ResultRecord]) -> dict[str, float | None]:
    heard = said["quality"].details.get("quality_scores", {}) if "quality" in said else {}
    return dict.fromkeys(QUALITY) | heard


def _retry_context(record: Record, level: Literal["basic", "detailed"] | None) -> dict[str, Any] | None:
    """What goes into the next attempt: which criteria failed and, in detail, why and what would help."""
    if record.feedback is None:
        return None
    told = vocabulary.retry_context(record.feedback) | {"level": level or record.feedback.level}
    if told["level"] == "basic":
        return {key: value for key, value in told.items() if key != "feedback"}
    return told | {"suggestions": list(record.feedback.suggestions), "verifier_summary": record.because}
