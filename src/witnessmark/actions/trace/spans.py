"""OpenTelemetry: tool spans, from OTLP JSON or from a span alone.

Read are execute_tool spans of the gen_ai conventions, MCP's tools/call, and the tool spans of OpenInference and OpenLLMetry,
which say the same in other attributes. Spans of other kinds are somebody else's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from witnessmark.actions.trace.calls import CallEvent, Event, decoded, exit_code_in, first, is_int, list_of, text_of

_MARKS = {
    "gen_ai.operation.name": "execute_tool",
    "mcp.method.name": "tools/call",
    "openinference.span.kind": "TOOL",
    "traceloop.span.kind": "tool",
}
"""What makes a span a tool's: any one of these attributes with this value."""
_NAMES = ("gen_ai.tool.name", "tool.name", "traceloop.entity.name")
_GIVEN = ("gen_ai.tool.call.arguments", "gen_ai.tool.input", "tool_arguments", "input.value", "traceloop.entity.input")
_RETURNED = (
    "gen_ai.tool.call.result", "gen_ai.tool.output", "tool_response", "output.value", "traceloop.entity.output",
)  # fmt: skip
_IDS = ("gen_ai.tool.call.id", "tool_call.id")


def otlp(item: dict[str, Any]) -> Iterator[Event]:
    """OTLP JSON: resourceSpans › scopeSpans › spans. Spans that are no tool's are somebody else's."""
    if not isinstance(item.get("resourceSpans", []), list):
        yield "resourceSpans: expected a list"
        return
    for span in sorted(
        otlp_spans(item),
        key=lambda span: str(span.get("startTimeUnixNano", "")).zfill(20) if isinstance(span, dict) else "",
    ):
        yield from span_events(span)


def otlp_spans(item: dict[str, Any]) -> list[Any]:
    """The spans of OTLP JSON, as they stand in it."""
    groups = item.get("resourceSpans", [item])
    return [span for group in groups for scope in list_of(group, "scopeSpans") for span in list_of(scope, "spans")]


def is_span(item: dict[str, Any]) -> bool:
    """Whether an object is a span, in OTLP JSON or as an SDK prints it."""
    return "attributes" in item and (
        "spanId" in item
        or "span_id" in item
        or "context" in item
        or "startTimeUnixNano" in item
        or "start_time" in item
    )


def span_events(span: Any) -> Iterator[Event]:
    """The call of a tool span; other spans give nothing."""
    if not isinstance(span, dict):
        yield "a span that is not an object"
        return
    found = _attributes(span.get("attributes"))
    named = str(span.get("name", ""))
    if not named.startswith("execute_tool") and not any(found.get(key) == value for key, value in _MARKS.items()):
        return
    name = first(found, *_NAMES) or named.removeprefix("execute_tool").strip()
    if not isinstance(name, str) or not name:
        yield "a tool span without gen_ai.tool.name"
        return
    output = decoded(first(found, *_RETURNED))
    given = decoded(first(found, *_GIVEN))
    code = first(found, "process.exit.code", "gen_ai.tool.exit_code", "exit_code")
    code = code if is_int(code) else exit_code_in(output)
    ok = _span_ok(span, found)
    identity = text_of(first(found, *_IDS) or first(span, "spanId", "span_id"))
    yield CallEvent(
        identity,
        name,
        given,
        output,
        code,
        (code == 0) if ok is None and code is not None else ok,
        _nanoseconds(span.get("startTimeUnixNano")),
    )


def _span_ok(span: dict[str, Any], found: dict[str, Any]) -> bool | None:
    status = span.get("status")
    code = status.get("code", status.get("status_code")) if isinstance(status, dict) else None
    if "error.type" in found or code in (2, "STATUS_CODE_ERROR", "ERROR"):
        return False
    return True if code in (1, "STATUS_CODE_OK", "OK") else None


def _attributes(given: Any) -> dict[str, Any]:
    if isinstance(given, dict):
        return given
    pairs = [part for part in given if isinstance(part, dict)] if isinstance(given, list) else []
    return {str(part.get("key")): _any_value(part.get("value")) for part in pairs}


def _any_value(value: Any) -> Any:
    """OTLP's AnyValue: {"stringValue": …}, {"intValue": "1"}, {"arrayValue": …}, {"kvlistValue": …}."""
    if not isinstance(value, dict) or len(value) != 1:
        return value
    kind, inner = next(iter(value.items()))
    if kind == "intValue":
        return int(inner) if str(inner).lstrip("-").isdigit() else inner
    if kind == "arrayValue":
        return [_any_value(part) for part in list_of(inner, "values")]
    if kind == "kvlistValue":
        return {
            str(part.get("key")): _any_value(part.get("value"))
            for part in list_of(inner, "values")
            if isinstance(part, dict)
        }
    return inner


def _nanoseconds(value: Any) -> float | None:
    return int(value) / 1e9 if isinstance(value, (int, str)) and str(value).isdigit() else None
