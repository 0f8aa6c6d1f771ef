"""One item of a trace, whichever tool wrote it, as calls and results. A reason in words stands for what cannot be read.

The forms are told apart by their own keys; an item that is plainly no tool call (a text message, a summary) gives nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from witnessmark.actions.trace.agent_formats import COMMAND, agent_events
from witnessmark.actions.trace.calls import (
    CallEvent,
    Event,
    ReturnEvent,
    TurnEvent,
    UnknownItem,
    decoded,
    exit_code_in,
    first,
    is_int,
    list_of,
    text_of,
    time_of,
)
from witnessmark.actions.trace.spans import is_span, otlp, span_events

_WRAPPERS = ("messages", "calls", "items", "output", "input", "events", "steps", "spans", "tool_calls")
_SILENT = frozenset(
    {
        "summary",
        "system",
        "file-history-snapshot",
        "queue-operation",
        "reasoning",
        "message",
        "session_meta",
        "turn_context",
        "attachment",
        "custom-title",
        "last-prompt",
    }
)


MAX_DEPTH = 20
MAX_ASKED = 4_000
"""So much of a person's message is kept: enough to see what was asked for."""


def events_of(item: Any, depth: int = 0) -> Iterator[Event]:
    """The calls and results of one item, in order."""
    if not isinstance(item, dict):
        yield "is not an object; a trace holds objects"
    elif depth > MAX_DEPTH:
        yield "is nested too deeply"
    elif "resourceSpans" in item or "scopeSpans" in item:
        yield from otlp(item)
    elif (known := agent_events(item)) is not None:
        yield from known
    elif is_span(item):
        yield from span_events(item)
    elif isinstance(item.get("message"), dict):
        yield from _message(item["message"], item)
    elif "role" in item:
        if item["role"] == "assistant" and COMMAND.search(text_of(item.get("content"))):
            yield UnknownItem("message with a command in its text")
        yield from _message(item, item)
    else:
        yield from _by_type(item, depth)


def session_folder(item: Any) -> str:
    """The folder that an item says the session is in; empty where it says none. Claude Code tells it in every line, Codex once a turn."""
    held = item.get("payload") if isinstance(item, dict) and item.get("type") in _OF_SESSION else item
    folder = held.get("cwd") if isinstance(held, dict) else None
    return folder if isinstance(folder, str) and folder.startswith("/") else ""


_OF_SESSION = ("session_meta", "turn_context")


def _by_type(item: dict[str, Any], depth: int) -> Iterator[Event]:
    kind = text_of(item.get("type"))
    if kind == "response_item" and isinstance(item.get("payload"), dict):
        yield from events_of(item["payload"], depth + 1)
    elif kind == "event_msg":
        told = item.get("payload")
        if isinstance(told, dict) and told.get("type") == "user_message":
            yield TurnEvent(text=text_of(told.get("message"))[:MAX_ASKED])
    elif kind == "progress":
        yield from _progress(item, depth)
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
    if kind and "tool" not in kind:
        yield UnknownItem(kind)
    else:
        yield "is not a tool call in a known form (no tool name, no message, no span)"


def _progress(item: dict[str, Any], depth: int) -> Iterator[Event]:
    """What a subagent did, as far as Claude Code shows it while it works."""
    data = item.get("data")
    message = data.get("message") if isinstance(data, dict) and data.get("type") == "agent_progress" else None
    for event in events_of(message, depth + 1) if isinstance(message, dict) else ():
        if isinstance(event, CallEvent):
            yield replace(event, by=text_of(item.get("parentToolUseID")) or "subagent")
        elif isinstance(event, ReturnEvent):
            yield event


# --- lines of tool calls -----------------------------------------------------------------------------------------


def _tool_name(item: dict[str, Any]) -> str | None:
    for key in ("name", "tool", "tool_name"):
        if isinstance(item.get(key), str) and item[key] and item.get("kind", "tool_call") == "tool_call":
            return str(item[key])
    return None


def _plain_call(item: dict[str, Any]) -> Event:
    given = first(item, "input", "arguments", "args", "parameters", "tool_input")
    output = first(item, "output", "result", "tool_response", "response")
    code = first(item, "exit_code", "exitCode")
    if code is not None and not is_int(code):
        return "exit_code: expected a whole number"
    ok = item.get("ok", item.get("success"))
    if not isinstance(ok, bool):
        ok = not item["is_error"] if isinstance(item.get("is_error"), bool) else None
    ok = (code == 0) if ok is None and code is not None else ok
    name = _tool_name(item)
    assert name is not None
    return CallEvent(
        text_of(first(item, "id", "call_id", "tool_use_id")),
        name,
        decoded(given),
        output,
        code,
        ok,
        time_of(first(item, "at", "timestamp")),
    )


# --- messages: Claude Code, Anthropic, OpenAI ----------------------------------------------------------------------


def _message(message: dict[str, Any], item: dict[str, Any]) -> Iterator[Event]:
    if message.get("role") == "tool":
        identity = text_of(message.get("tool_call_id"))
        output = _joined(message.get("content"))
        yield _returned(identity, output, None) if identity else "a tool message without tool_call_id"
        return
    content = message.get("content")
    if message.get("role") == "user" and not item.get("isMeta"):
        yield from _asked(content, item)
    for call in list_of(message, "tool_calls"):
        yield _openai_call(call, item)
    for block in content if isinstance(content, list) else []:
        if isinstance(block, dict) and block.get("type") in ("tool_use", "tool_result", "server_tool_use"):
            yield from _block(block, item)


_CONTINUED = "This session is being continued from a previous conversation"
_NO_TURN = (
    "Stop hook feedback",
    "<local-command",
    "<command-name>",
    "[Request interrupted",
    "Caveat: The messages below",
)


def _asked(content: Any, item: dict[str, Any]) -> Iterator[TurnEvent]:
    """A message of the person; what the agent's own program puts in their name begins no turn."""
    blocks = content if isinstance(content, list) else []
    if any(isinstance(block, dict) and block.get("type") == "tool_result" for block in blocks):
        return
    texts = [block.get("text") for block in blocks if isinstance(block, dict)] if blocks else [content]
    text = next((text for text in texts if isinstance(text, str) and text.strip()), "")
    if item.get("isCompactSummary") is True or text.startswith(_CONTINUED):
        yield TurnEvent(continued=True)
    elif text and not text.lstrip().startswith(_NO_TURN) and item.get("isSidechain") is not True:
        yield TurnEvent(text=text if len(text) <= MAX_ASKED else f"{text[:MAX_ASKED]}…")


def _openai_call(call: Any, item: dict[str, Any]) -> Event:
    inner = call.get("function", call.get("custom")) if isinstance(call, dict) else None
    if not isinstance(inner, dict) or not isinstance(inner.get("name"), str):
        return "a tool call without function.name"
    return CallEvent(
        text_of(call.get("id")),
        inner["name"],
        decoded(first(inner, "arguments", "input")),
        at=time_of(item.get("timestamp")),
    )


def _block(block: dict[str, Any], item: dict[str, Any]) -> Iterator[Event]:
    if block["type"] != "tool_result":
        if not isinstance(block.get("name"), str):
            yield "a tool_use block without a name"
            return
        by = "subagent" if item.get("isSidechain") is True else ""
        yield CallEvent(
            text_of(block.get("id")), block["name"], block.get("input"), at=time_of(item.get("timestamp")), by=by
        )
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
    if isinstance(output, str) and output.startswith("<tool_use_error>"):
        ok = False
    yield ReturnEvent(text_of(block.get("tool_use_id")), output, code, ok, away)


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
    identity = text_of(first(item, "call_id", "id"))
    if kind.endswith("_output"):
        yield _returned(identity, item.get("output"), item.get("status"))
        return
    given = decoded(first(item, "arguments", "input", "action"))
    name = item.get("name", "shell" if "shell" in kind else None)
    if not isinstance(name, str):
        yield f"a {kind} without a name"
        return
    yield CallEvent(identity, name, given, decoded(item.get("output")), at=time_of(item.get("timestamp")))


def _returned(identity: str, output: Any, status: Any) -> ReturnEvent:
    found = decoded(output)
    code = exit_code_in(found)
    ok = (code == 0) if code is not None else False if status in ("failed", "incomplete") else None
    if isinstance(found, dict) and isinstance(found.get("output"), str):
        found = found["output"]
    return ReturnEvent(identity, found, code, ok)
