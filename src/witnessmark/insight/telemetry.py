"""Verdicts as OpenTelemetry events and judge calls as client spans, through whatever provider the process has set up.

Off unless `telemetry.otel` is set or `observe` is called. One `gen_ai.evaluation.result` event for the verdict and one for
each result, parented to the span that made the work (`context.traceparent` of the case) or else to the current one. Nothing
of what was judged is in them unless `content` is set; then the reasons are.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import msgspec

from witnessmark._version import __version__
from witnessmark.core.case import Case
from witnessmark.core.errors import ConfigError, WitnessmarkError
from witnessmark.core.protocols import Judge, Question, Reply
from witnessmark.core.record import Entry, Record, ResultRecord

if TYPE_CHECKING:
    from opentelemetry.context import Context

EVENT = "gen_ai.evaluation.result"
NAME, VALUE, LABEL = "gen_ai.evaluation.name", "gen_ai.evaluation.score.value", "gen_ai.evaluation.score.label"
EXPLANATION, RESPONSE, ERROR = "gen_ai.evaluation.explanation", "gen_ai.response.id", "error.type"


class Observable(Protocol):
    """What can be observed: a `Verifier` is one."""

    observers: list[Callable[[Entry, Case | None], None]]

    def service(self, name: str) -> Any:
        """A service that checks are handed, or None."""
        ...


V = TypeVar("V", bound=Observable)


def observe(verifier: V, *, content: bool = False, providers: tuple[Any, Any] | None = None) -> V:
    """Have a verifier report what it verifies and asks. `providers` (tracer, logger) default to the process's own."""
    tracers, loggers = providers or _global()
    logger = loggers.get_logger("witnessmark", __version__)
    tracer = tracers.get_tracer("witnessmark", __version__)
    verifier.observers.append(lambda entry, case: report(logger, entry, case, content=content))
    pool = verifier.service("judges")
    if pool is not None and hasattr(pool, "judges"):
        pool.judges = tuple(_traced(judge, tracer) for judge in pool.judges)
    return verifier


def _traced(judge: Any, tracer: Any) -> Any:
    """The judge with its calls watched; one that remembers answers stays outside, so that only calls made are spans."""
    if not hasattr(judge, "judge"):
        return TracedJudge(judge, tracer)
    judge.judge = TracedJudge(judge.judge, tracer)
    return judge


def _global() -> tuple[Any, Any]:
    try:
        from opentelemetry import _logs, trace
    except ImportError:
        raise ConfigError("telemetry needs the extra: pip install 'witnessmark[otel]'") from None
    return trace.get_tracer_provider(), _logs.get_logger_provider()


# --- verdicts ---------------------------------------------------------------------------------------------------------


def report(logger: Any, entry: Entry, case: Case | None, *, content: bool = False) -> None:
    """One event for the verdict, one for each result."""
    record = entry.record
    if record is None:
        return
    told = _told(entry, case)
    context, response = _parent(told.get("traceparent")), told.get("response_id")
    shared = {RESPONSE: response} if isinstance(response, str) else {}
    _emit(logger, context, shared | verdict_attributes(record, content=content), entry)
    for said in record.results:
        if said.status != "skipped":
            _emit(logger, context, shared | result_attributes(record, said, content=content), entry)


def verdict_attributes(record: Record, *, content: bool = False) -> dict[str, Any]:
    """The verdict in the convention's words; ours stand under `witnessmark.`."""
    return _known({
        NAME: f"witnessmark.{record.checkpoint}", LABEL: record.outcome, "witnessmark.record.id": record.id,
        "witnessmark.workspace": record.workspace, "witnessmark.action": record.action, "witnessmark.attempt": record.attempt,
        VALUE: record.score, "witnessmark.confidence": record.confidence, "witnessmark.coverage": record.coverage,
        "witnessmark.unverified_because": record.unverified_because, EXPLANATION: record.reason or None if content else None,
    })  # fmt: skip


def result_attributes(record: Record, said: ResultRecord, *, content: bool = False) -> dict[str, Any]:
    """One result in the convention's words."""
    return _known({
        NAME: said.check, LABEL: said.status, "witnessmark.record.id": record.id, "witnessmark.check.version": said.version,
        "witnessmark.confidence.source": said.confidence_source, VALUE: said.score, "witnessmark.confidence": said.confidence,
        "witnessmark.judge": said.judge, ERROR: (said.cause or "check_error") if said.status == "error" else None,
        EXPLANATION: said.reason or None if content else None,
    })  # fmt: skip


def _known(told: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in told.items() if value is not None}


def _emit(logger: Any, context: Context | None, attributes: Mapping[str, Any], entry: Entry) -> None:
    from opentelemetry._logs import LogRecord, SeverityNumber

    at = int(max((run.at for run in entry.runs), default=time.time()) * 1e9)
    logger.emit(
        LogRecord(
            timestamp=at,
            observed_timestamp=time.time_ns(),
            context=context,
            severity_number=SeverityNumber.INFO,
            event_name=EVENT,
            attributes=dict(attributes),
        )
    )


def _told(entry: Entry, case: Case | None) -> Mapping[str, Any]:
    """The context of the case: as it was given, or else as it was kept."""
    if case is not None:
        return case.context
    kept: Any = msgspec.json.decode(entry.case) if entry.case is not None else {}
    return kept.get("context") or {}


def _parent(told: object) -> Context | None:
    """The span that made the work, where the case names it."""
    if not isinstance(told, str):
        return None
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    return TraceContextTextMapPropagator().extract({"traceparent": told})


# --- calls to judges --------------------------------------------------------------------------------------------------


class TracedJudge:
    """A judge whose calls are spans; all else it leaves to the judge."""

    def __init__(self, judge: Judge, tracer: Any) -> None:
        self._judge, self._tracer = judge, tracer
        self.id, self.family = judge.id, judge.family

    def __getattr__(self, name: str) -> Any:
        return getattr(self._judge, name)

    async def ask(self, question: Question) -> Reply:
        """Ask within a span of kind client."""
        with self._span(question) as span:
            reply = await self._judge.ask(question)
            span.set_attribute("gen_ai.response.model", reply.model or self._model)
            span.set_attribute("witnessmark.usage.tokens", reply.usage.tokens)
            if reply.usage.cost_usd is not None:
                span.set_attribute("witnessmark.usage.cost_usd", reply.usage.cost_usd)
            return reply

    @property
    def _model(self) -> str:
        return str(getattr(self._judge, "model", "") or self._judge.id)

    @contextmanager
    def _span(self, question: Question) -> Iterator[Any]:
        from opentelemetry.trace import SpanKind, Status, StatusCode

        attributes = {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": self.family or "unknown",
            "gen_ai.request.model": self._model,
            "gen_ai.request.max_tokens": question.max_tokens,
            "gen_ai.request.temperature": question.temperature,
            "witnessmark.judge": self.id,
            "witnessmark.prompt": question.prompt,
        }
        # What a judge raises may repeat what was judged: only its kind is told.
        quiet = {"record_exception": False, "set_status_on_exception": False}
        name = f"chat {self._model}"
        with self._tracer.start_as_current_span(name, kind=SpanKind.CLIENT, attributes=attributes, **quiet) as span:
            try:
                yield span
            except WitnessmarkError as exc:
                span.set_attribute(ERROR, type(exc).__name__)
                span.set_status(Status(StatusCode.ERROR))
                raise
