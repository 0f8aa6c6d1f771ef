"""One item of a trace, whichever tool wrote it, as calls and results. A reason in words stands for what cannot be read.

The forms are told apart by their own keys; an item that is plainly no tool call (a text message, a summary) gives nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec


@dataclass(frozen=True, slots=True)
class Called:
    """A tool was called; what it returned may be known already."""

    id: str
    name: str
    input: Any = None
    output: Any = None
    exit_code: int | None = None
    ok: bool | None = None
    at: float | None = None


@dataclass(frozen=True, slots=True)
class Returned:
    """What an earlier call returned."""

    id: str
    output: Any = None
    exit_code: int | None = None
    ok: bool | None = None


Event = Called | Returned | str
_WRAPPERS = ("messages", "calls", "items", "output", "input", "events", "steps", "spans", "tool_calls")
_SILENT = frozenset(
    {
        "summary",
        "system",
        "file-history-snapshot",
        "queue-operation",
        "progress",
        "reasoning",
        "message",
        "session_meta",
        "turn_context",
        "event_msg",
        "attachment",
        "custom-title",
        "last-prompt",
    }
)


MAX_DEPTH = 20


def events_of(item: Any, depth: int = 0) -> Iterator[Event]:
    """The calls and results of one item, in order."""
    if not isinstance(item, dict):
        yield "is not an object; a trace holds objects"
    elif depth > MAX_DEPTH:
        yield "is nested too deeply"
    elif "resourceSpans" in item or "scopeSpans" in item:
        yield from _otlp(item)
    elif _is_span(item):
        yield from _span(item)
    elif isinstance(item.get("message"), dict):
        yield from _message(item["message"], item)
    elif "role" in item:
        yield from _message(item, item)
    else:
        yield from _by_type(item, depth)


def _by_type(item: dict[str, Any], depth: int) -> Iterator[Event]:
    kind = _text(item.get("type"))
    if kind == "response_item" and isinstance(item.get("payload"), dict):
        yield from events_of(item["payload"], depth + 1)
    elif kind in _RESPONSES:
        yield from _response_item(item)
    elif kind in ("tool_use", "tool_result"):
        yield from _block(item, {})
    elif item.get("kind") == "trace":
        data = item.get("data")
        for part in data if isinstance(data, list) else [data]:
            yield from events_of(part, depth + 1)
    elif _tool_name(item):
        yield _plain_call(item)
    elif kind not in _SILENT:
        yield from _wrapped(item, kind, depth)


def _wrapped(item: dict[str, Any], kind: str, depth: int) -> Iterator[Event]:
    """An object around a list of items, such as {"messages": […]}."""
    for key in _WRAPPERS:
        if isinstance(item.get(key), list):
            for part in item[key]:
                yield from events_of(part, depth + 1)
            return
    if not kind or "tool" in kind:
        yield "is no tool call in a form known here (no tool name, no message, no span)"


# --- lines of tool calls -----------------------------------------------------------------------------------------


def _tool_name(item: dict[str, Any]) -> str | None:
    for key in ("name", "tool", "tool_name"):
        if isinstance(item.get(key), str) and item[key] and item.get("kind", "tool_call") == "tool_call":
            return str(item[key])
    return None


def _plain_call(item: dict[str, Any]) -> Event:
    given = _first(item, "input", "arguments", "args", "parameters", "tool_input")
    output = _first(item, "output", "result", "tool_response", "response")
    code = _first(item, "exit_code", "exitCode")
    if code is not None and not _is_int(code):
        return "exit_code: expected a whole number"
    ok = item.get("ok", item.get("success"))
    if not isinstance(ok, bool):
        ok = not item["is_error"] if isinstance(item.get("is_error"), bool) else None
    ok = (code == 0) if ok is None and code is not None else ok
    name = _tool_name(item)
    assert name is not None
    return Called(
        _text(_first(item, "id", "call_id", "tool_use_id")),
        name,
        _decoded(given),
        output,
        code,
        ok,
        _time(_first(item, "at", "timestamp")),
    )


# --- OpenTelemetry -----------------------------------------------------------------------------------------------


def _otlp(item: dict[str, Any]) -> Iterator[Event]:
    """OTLP JSON: resourceSpans › scopeSpans › spans. Spans that are no execute_tool are somebody else's."""
    groups = item.get("resourceSpans", [item])
    if not isinstance(groups, list):
        yield "resourceSpans: expected a list"
        return
    spans = [span for group in groups for scope in _list(group, "scopeSpans") for span in _list(scope, "spans")]
    for span in sorted(
        spans, key=lambda span: str(span.get("startTimeUnixNano", "")).zfill(20) if isinstance(span, dict) else ""
    ):
        yield from _span(span)


def _list(holder: Any, key: str) -> list[Any]:
    found = holder.get(key) if isinstance(holder, dict) else None
    return found if isinstance(found, list) else []


def _is_span(item: dict[str, Any]) -> bool:
    return "attributes" in item and (
        "spanId" in item
        or "span_id" in item
        or "context" in item
        or "startTimeUnixNano" in item
        or "start_time" in item
    )


def _span(span: Any) -> Iterator[Event]:
    if not isinstance(span, dict):
        yield "a span that is not an object"
        return
    found = _attributes(span.get("attributes"))
    named = str(span.get("name", ""))
    if found.get("gen_ai.operation.name") != "execute_tool" and not named.startswith("execute_tool"):
        return
    name = found.get("gen_ai.tool.name") or named.removeprefix("execute_tool").strip()
    if not isinstance(name, str) or not name:
        yield "an execute_tool span without gen_ai.tool.name"
        return
    output = _decoded(_first(found, "gen_ai.tool.call.result", "gen_ai.tool.output"))
    given = _decoded(_first(found, "gen_ai.tool.call.arguments", "gen_ai.tool.input"))
    code = _first(found, "process.exit.code", "gen_ai.tool.exit_code", "exit_code")
    code = code if _is_int(code) else exit_code_in(output)
    ok = _span_ok(span, found)
    identity = _text(_first(found, "gen_ai.tool.call.id") or _first(span, "spanId", "span_id"))
    yield Called(
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
        return [_any_value(part) for part in _list(inner, "values")]
    if kind == "kvlistValue":
        return {
            str(part.get("key")): _any_value(part.get("value"))
            for part in _list(inner, "values")
            if isinstance(part, dict)
        }
    return inner


def _nanoseconds(value: Any) -> float | None:
    return int(value) / 1e9 if isinstance(value, (int, str)) and str(value).isdigit() else None


# --- messages: Claude Code, Anthropic, OpenAI ----------------------------------------------------------------------


def _message(message: dict[str, Any], item: dict[str, Any]) -> Iterator[Event]:
    if message.get("role") == "tool":
        identity = _text(message.get("tool_call_id"))
        output = _joined(message.get("content"))
        yield _returned(identity, output, None) if identity else "a tool message without tool_call_id"
        return
    for call in _list(message, "tool_calls"):
        yield _openai_call(call, item)
    content = message.get("content")
    for block in content if isinstance(content, list) else []:
        if isinstance(block, dict) and block.get("type") in ("tool_use", "tool_result", "server_tool_use"):
            yield from _block(block, item)


def _openai_call(call: Any, item: dict[str, Any]) -> Event:
    inner = call.get("function", call.get("custom")) if isinstance(call, dict) else None
    if not isinstance(inner, dict) or not isinstance(inner.get("name"), str):
        return "a tool call without function.name"
    return Called(
        _text(call.get("id")),
        inner["name"],
        _decoded(_first(inner, "arguments", "input")),
        at=_time(item.get("timestamp")),
    )


def _block(block: dict[str, Any], item: dict[str, Any]) -> Iterator[Event]:
    if block["type"] != "tool_result":
        if not isinstance(block.get("name"), str):
            yield "a tool_use block without a name"
            return
        yield Called(_text(block.get("id")), block["name"], block.get("input"), at=_time(item.get("timestamp")))
        return
    failed = block.get("is_error")
    told = item.get("toolUseResult")
    output = _joined(block.get("content"))
    away = isinstance(told, dict) and (told.get("interrupted") is True or told.get("backgroundTaskId") is not None)
    shell = isinstance(told, dict) and "stdout" in told
    code = exit_code_in(output) if failed else 0 if shell and not away else None
    ok = (
        None
        if away
        else (not failed)
        if isinstance(failed, bool)
        else True
        if told is not None and not isinstance(told, str)
        else None
    )
    yield Returned(_text(block.get("tool_use_id")), output, code, ok)


def _joined(content: Any) -> Any:
    """The text of content blocks as one text; anything else as it is."""
    if (
        isinstance(content, list)
        and content
        and all(isinstance(part, dict) and isinstance(part.get("text"), str) for part in content)
    ):
        return "\n".join(part["text"] for part in content)
    return content


# --- OpenAI Responses --------------------------------------------------------------------------------------------

_RESPONSES = frozenset({
    "function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output", "local_shell_call",
    "local_shell_call_output", "shell_call", "shell_call_output", "mcp_call",
})  # fmt: skip


def _response_item(item: dict[str, Any]) -> Iterator[Event]:
    kind = str(item["type"])
    identity = _text(_first(item, "call_id", "id"))
    if kind.endswith("_output"):
        yield _returned(identity, item.get("output"), item.get("status"))
        return
    given = _decoded(_first(item, "arguments", "input", "action"))
    name = item.get("name", "shell" if "shell" in kind else None)
    if not isinstance(name, str):
        yield f"a {kind} without a name"
        return
    yield Called(identity, name, given, _decoded(item.get("output")), at=_time(item.get("timestamp")))


def _returned(identity: str, output: Any, status: Any) -> Returned:
    found = _decoded(output)
    code = exit_code_in(found)
    ok = (code == 0) if code is not None else False if status in ("failed", "incomplete") else None
    if isinstance(found, dict) and isinstance(found.get("output"), str):
        found = found["output"]
    return Returned(identity, found, code, ok)


# --- small readers -----------------------------------------------------------------------------------------------

_EXIT = re.compile(
    r"\A\s{0,8}(?:Error: )?(?:Exit code:? |Process exited with code |Command failed with exit code )(-?\d{1,5})\b"
)
_EXIT_LATER = re.compile(
    r"^(?:Process exited with code |\[?exit(?:ed with)?(?: code| status)?[:=]? ?)(-?\d{1,5})\]?\s*$", re.MULTILINE
)


def exit_code_in(output: Any) -> int | None:
    """The exit code that a tool's output states, in its data or in its own first or last words."""
    if isinstance(output, dict):
        inner = output.get("metadata")
        for holder in (output, inner if isinstance(inner, dict) else {}):
            for key in ("exit_code", "exitCode", "returncode", "return_code"):
                if _is_int(holder.get(key)):
                    return int(holder[key])
        return None
    if not isinstance(output, str):
        return None
    match = _EXIT.match(output) or _EXIT_LATER.search(output[-400:])
    return int(match.group(1)) if match else None


def _first(holder: dict[str, Any], *keys: str) -> Any:
    return next((holder[key] for key in keys if holder.get(key) is not None), None)


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else str(value)


def _decoded(value: Any) -> Any:
    """Arguments that came as a JSON text, decoded; a text that is no JSON stays a text."""
    if not isinstance(value, str) or value[:1] not in "{[":
        return value
    try:
        return msgspec.json.decode(value)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return value


def _time(value: Any) -> float | None:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    if isinstance(value, str):
        try:
            return datetime.fromisoformat(value).timestamp()
        except (ValueError, OverflowError):
            return None
    return None
