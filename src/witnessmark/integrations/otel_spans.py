"""OpenTelemetry: the spans of an agent's run as the trace that its report of actions is held against.

    spans = ToolSpans()                                          # or: traces(exporter.get_finished_spans()), traces(otlp_json)
    provider.add_span_processor(SimpleSpanProcessor(spans))
    Case(subject=report, evidence=spans.take(trace_id))

One piece of evidence for each trace, under the trace's id, so `traceRef` is `trace:<32 hex digits>`. Only tool calls are taken:
prompts and completions stay where they are. What a tool span is, is known to `world.trace_spans`. Needs the extra `otel`.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult
from opentelemetry.trace import format_span_id, format_trace_id

from witnessmark.actions.trace.reader import read_trace
from witnessmark.actions.trace.spans import otlp_spans
from witnessmark.core.case import Evidence
from witnessmark.core.errors import InputError
from witnessmark.core.values import canonical

MOST_TRACES = 1024
GONE_EACH = 16
"""Ids of traces of which something is gone, for each trace that is kept: what comes of them later is not all there was."""
Spans = Iterable[ReadableSpan] | dict[str, Any] | str | bytes


def traces(spans: Spans, *, whole: bool = True) -> tuple[Evidence, ...]:
    """The evidence of spans from an SDK, or of OTLP JSON (an object, or text with one or more of them).

    `whole=False` says that there may be tool calls without a span (sampling, tools nobody instrumented); then a command that is
    not in the trace is open, not refuted.
    """
    grouped: dict[str, list[dict[str, Any]]] = {}
    for span in _documents(spans):
        grouped.setdefault(str(span.get("traceId") or "trace"), []).append(span)
    return tuple(_evidence(trace_id, found, whole) for trace_id, found in grouped.items())


class ToolSpans(SpanExporter):
    """Keeps finished spans until they are taken, a trace at a time; of more than 1,024 traces the oldest are forgotten.

    What comes of a trace after it was taken or forgotten is a part of it: a command that is not in there is open, not refuted.
    """

    def __init__(self, *, whole: bool = True) -> None:
        self._kept: OrderedDict[str, list[dict[str, Any]]] = OrderedDict()
        self._gone: OrderedDict[str, None] = OrderedDict()
        self._lock = threading.Lock()
        self._whole = whole

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Keep these; called by the SDK."""
        with self._lock:
            for one in map(_from_sdk, spans):
                self._kept.setdefault(one["traceId"], []).append(one)
            while len(self._kept) > MOST_TRACES:
                self._forget(next(iter(self._kept)))
        return SpanExportResult.SUCCESS

    def take(self, trace_id: int | str) -> tuple[Evidence, ...]:
        """The evidence of one trace, which is forgotten here; empty where nothing of it came."""
        key = trace_id if isinstance(trace_id, str) else format_trace_id(trace_id)
        with self._lock:
            whole = self._whole and key not in self._gone
            found = self._forget(key) if key in self._kept else None
        return () if found is None else (_evidence(key, found, whole),)

    def _forget(self, key: str) -> list[dict[str, Any]]:
        self._gone[key] = None
        while len(self._gone) > GONE_EACH * MOST_TRACES:
            self._gone.popitem(last=False)
        return self._kept.pop(key)


def _evidence(trace_id: str, spans: list[dict[str, Any]], whole: bool) -> Evidence:
    ordered = sorted(spans, key=lambda span: str(span.get("startTimeUnixNano", "")).zfill(20))
    read = read_trace(canonical(ordered), trace_id)
    calls = msgspec.json.decode(canonical(read.trace.calls))  # an agent that called no tool has an empty list, not none
    return Evidence(
        id=trace_id, kind="trace", data={"id": trace_id, "calls": calls, "whole": read.trace.whole and whole}
    )


def _documents(spans: Spans) -> list[dict[str, Any]]:
    if isinstance(spans, (str, bytes)):
        data = spans.encode() if isinstance(spans, str) else spans
        return [span for document in _json(data) for span in _otlp(document)]
    if isinstance(spans, dict):
        return _otlp(spans)
    return [_from_sdk(span) for span in spans]


def _json(data: bytes) -> list[Any]:
    """One document, or one a line, as the file exporter of a collector writes them."""
    try:
        try:
            return [msgspec.json.decode(data)]
        except msgspec.DecodeError:
            return [msgspec.json.decode(line) for line in data.splitlines() if line.strip()]
    except msgspec.DecodeError as exc:
        raise InputError(f"spans: not OTLP JSON: {exc}") from None


def _otlp(document: Any) -> list[dict[str, Any]]:
    if not isinstance(document, dict) or not isinstance(document.get("resourceSpans"), list):
        raise InputError("spans: OTLP JSON is an object with a list of resourceSpans")
    return [span for span in otlp_spans(document) if isinstance(span, dict)]


def _from_sdk(span: ReadableSpan) -> dict[str, Any]:
    """A span of the SDK in the words of OTLP."""
    known = span.get_span_context()
    return {
        "traceId": format_trace_id(known.trace_id) if known is not None else "",
        "spanId": format_span_id(known.span_id) if known is not None else "",
        "name": span.name,
        "startTimeUnixNano": span.start_time or 0,
        "attributes": {key: list(v) if isinstance(v, tuple) else v for key, v in (span.attributes or {}).items()},
        "status": {"code": span.status.status_code.value},
    }
