"""What other coding agents write down, as calls and results: `codex exec --json`, Gemini CLI, OpenCode, Copilot CLI, (mini-)SWE-agent, OpenHands.

Written from their documents: of all agents, only the files of Claude Code and Codex were there to try. An item that is not one of them gives None.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from witnessmark.actions.trace.calls import (
    CallEvent,
    Event,
    ReturnEvent,
    TurnEvent,
    exit_code_in,
    first,
    is_int,
    list_of,
    text_of,
)
from witnessmark.text.patterns import compiled

MAX_ASKED = 4_000


def agent_events(item: dict[str, Any]) -> Iterator[Event] | None:
    """The events of one item of these formats; None where it is not one of them."""
    kind = text_of(item.get("type"))
    if kind.startswith(("thread.", "turn.", "item.")) or (kind == "error" and "message" in item and "role" not in item):
        return _codex_exec(item, kind)
    if kind.startswith(("tool.execution_", "user.message", "assistant.", "session.", "hook.", "abort")) and isinstance(
        item.get("data"), dict
    ):
        return _copilot(kind, item["data"])
    if isinstance(item.get("messages"), list) and ("sessionId" in item or "projectHash" in item):
        return _gemini(item["messages"])
    if isinstance(item.get("messages"), list) and any(
        isinstance(part, dict) and "parts" in part for part in item["messages"]
    ):
        return _opencode(item["messages"])
    if text_of(item.get("trajectory_format")).startswith("mini-swe-agent") and _in_words(list_of(item, "messages")):
        return _mini_swe_agent(item["messages"])
    if isinstance(item.get("trajectory"), list):
        return _swe_agent(item["trajectory"])
    if (
        ("action" in item or "observation" in item)
        and ("source" in item or "extras" in item or "args" in item)
        and "id" in item
    ):
        return _openhands(item)
    return None


# --- codex exec --json -----------------------------------------------------------------------------------------


def _codex_exec(item: dict[str, Any], kind: str) -> Iterator[Event]:
    if kind == "turn.started":
        yield TurnEvent()
    inner = item.get("item")
    if kind != "item.completed" or not isinstance(inner, dict):
        return
    what, identity = text_of(first(inner, "type", "item_type")), text_of(inner.get("id"))
    failed = inner.get("status") in ("failed", "declined")
    if what == "command_execution":
        code = inner.get("exit_code") if is_int(inner.get("exit_code")) else None
        ok = False if failed else None if code is None else code == 0
        yield CallEvent(identity, "shell", {"command": inner.get("command")}, inner.get("aggregated_output"), code, ok)
    elif what == "file_change":
        for number, change in enumerate(list_of(inner, "changes")):
            if isinstance(change, dict) and isinstance(change.get("path"), str):
                tool = {"add": "write_file", "delete": "delete_file"}.get(text_of(change.get("kind")), "edit_file")
                yield CallEvent(f"{identity}.{number}", tool, {"path": change["path"]}, None, None, not failed)
    elif what == "mcp_tool_call":
        name = f"mcp__{text_of(inner.get('server'))}__{text_of(inner.get('tool'))}"
        yield CallEvent(identity, name, inner.get("arguments"), inner.get("result"), None, not failed)
    elif what == "web_search":
        yield CallEvent(identity, "web_search", {"query": inner.get("query")}, None, None, True)


# --- Gemini CLI ------------------------------------------------------------------------------------------------


def _gemini(messages: list[Any]) -> Iterator[Event]:
    """A chat file: {"sessionId": …, "messages": [{"type": "user"}, {"type": "gemini", "toolCalls": […]}]}."""
    for message in messages:
        if not isinstance(message, dict):
            yield "a message that is not an object"
        elif message.get("type") == "user":
            yield TurnEvent(text=_words(message.get("content"))[:MAX_ASKED])
        else:
            for call in list_of(message, "toolCalls"):
                yield _gemini_call(call)


def _gemini_call(call: Any) -> Event:
    if not isinstance(call, dict) or not isinstance(call.get("name"), str):
        return "a tool call without a name"
    output: Any = call.get("resultDisplay") if isinstance(call.get("resultDisplay"), str) else None
    for part in list_of(call, "result"):
        response = (
            part.get("functionResponse", {}).get("response")
            if isinstance(part, dict) and isinstance(part.get("functionResponse"), dict)
            else None
        )
        if isinstance(response, dict):
            output = first(response, "output", "error") or output
    status = text_of(call.get("status"))
    code = _gemini_code(output)
    ok = (
        False
        if status in ("error", "cancelled")
        else (code == 0)
        if code is not None
        else True
        if status == "success"
        else None
    )
    if isinstance(output, str):
        output = _LABEL.sub("", output, count=1)
    return CallEvent(text_of(call.get("id")), call["name"], call.get("args"), output, code, ok)


_LABEL = compiled(r"^(?:Output|Stdout): ", re.MULTILINE)
"""What the shell tool puts before the first line that a command printed."""


def _gemini_code(output: Any) -> int | None:
    """The shell tool prints `Exit Code: 1` among its lines."""
    if not isinstance(output, str):
        return None
    for line in output.splitlines():
        head, _, told = line.partition(":")
        if head.strip().lower() == "exit code" and told.strip().lstrip("-").isdigit():
            return int(told)
    return exit_code_in(output)


def _words(content: Any) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(part["text"] for part in parts if isinstance(part, dict) and isinstance(part.get("text"), str))


# --- OpenCode --------------------------------------------------------------------------------------------------


def _opencode(messages: list[Any]) -> Iterator[Event]:
    """`opencode export`: {"info": …, "messages": [{"info": {"role": …}, "parts": [{"type": "tool", "state": …}]}]}."""
    for message in messages:
        info = message.get("info") if isinstance(message, dict) else None
        if isinstance(info, dict) and info.get("role") == "user":
            yield TurnEvent(text=_words(message.get("parts"))[:MAX_ASKED])
        for part in list_of(message, "parts"):
            if isinstance(part, dict) and part.get("type") == "tool":
                yield _opencode_call(part)


def _opencode_call(part: dict[str, Any]) -> Event:
    state = part.get("state")
    if not isinstance(part.get("tool"), str) or not isinstance(state, dict):
        return "a tool part without tool and state"
    metadata = state.get("metadata")
    code = metadata.get("exit") if isinstance(metadata, dict) and is_int(metadata.get("exit")) else None
    status = text_of(state.get("status"))
    ok = False if status == "error" else (code == 0) if code is not None else True if status == "completed" else None
    return CallEvent(
        text_of(first(part, "callID", "id")),
        part["tool"],
        state.get("input"),
        first(state, "output", "error"),
        code,
        ok,
    )


# --- Copilot CLI -----------------------------------------------------------------------------------------------


def _copilot(kind: str, data: dict[str, Any]) -> Iterator[Event]:
    """events.jsonl: {"type": "tool.execution_start", "data": {"toolCallId": …, "toolName": …, "arguments": …}}."""
    if kind == "user.message":
        yield TurnEvent(text=text_of(first(data, "content", "prompt"))[:MAX_ASKED])
    elif kind == "tool.execution_start":
        name = data.get("toolName")
        yield (
            CallEvent(text_of(data.get("toolCallId")), name, data.get("arguments"))
            if isinstance(name, str)
            else "a tool call without a name"
        )
    elif kind == "tool.execution_complete":
        result = data.get("result")
        output = first(result, "content", "detailedContent") if isinstance(result, dict) else result
        ok = data.get("success") if isinstance(data.get("success"), bool) else None
        code = exit_code_in(output)
        yield ReturnEvent(text_of(data.get("toolCallId")), output, code, ok if code is None else code == 0)


# --- SWE-agent, OpenHands --------------------------------------------------------------------------------------


def _swe_agent(trajectory: list[Any]) -> Iterator[Event]:
    """A .traj file: each step has the action that was typed and what was observed. No exit codes."""
    for number, step in enumerate(trajectory, 1):
        if not isinstance(step, dict):
            yield "a step that is not an object"
            continue
        action = text_of(step.get("action")).strip()
        if action:
            yield _swe_call(f"step-{number}", action, step.get("observation"))


def _swe_call(identity: str, action: str, observation: Any) -> Event:
    words = action.split()
    if words[0] == "str_replace_editor" and len(words) > 2:
        verb = words[1]
        tool = {"create": "write_file", "view": "read"}.get(verb, "edit_file")
        failed = isinstance(observation, str) and (
            "No replacement was performed" in observation or observation.startswith("ERROR")
        )
        return CallEvent(identity, tool, {"path": words[2]}, observation, None, not failed)
    name = (
        "read"
        if words[0] in ("open", "goto", "scroll_up", "scroll_down", "find_file", "search_dir", "search_file", "submit")
        else "bash"
    )
    return CallEvent(identity, name, {"command": action}, observation)


COMMAND = compiled(r"^```(?:\w+_)?(?:bash|sh|shell|console)\w*[ ]*\n(?P<line>.*?)\n```", re.MULTILINE | re.DOTALL)
"""A command that stands in the text of a message."""
_RETURNED = compiled(r"<returncode>(-?\d{1,6})</returncode>")
_OUTPUT_TAGS = compiled(r"</?(?:output\w*|returncode)>\n?")


def _in_words(messages: list[Any]) -> bool:
    """Whether all that was called stands in the messages' text: the newer kind has calls of their own."""
    return not any(isinstance(message, dict) and message.get("tool_calls") for message in messages)


def _mini_swe_agent(messages: list[Any]) -> Iterator[Event]:
    """Each message of the agent has one command in its text, and the next of the user what came back, with its exit code."""
    asked, waiting = False, ""
    for number, message in enumerate(messages, 1):
        role, text = (message.get("role"), _words(message.get("content"))) if isinstance(message, dict) else ("", "")
        command = COMMAND.search(text)
        if role == "assistant" and command is not None:
            waiting = f"step-{number}"
            yield CallEvent(waiting, "bash", {"command": command["line"]})
        elif role == "user" and not asked:
            asked = True
            yield TurnEvent(text=text[:MAX_ASKED])
        elif role in ("user", "tool") and waiting:
            told = _RETURNED.search(text)
            code = int(told[1]) if told is not None else None
            output = _OUTPUT_TAGS.sub("", _RETURNED.sub("", text, count=1)).strip("\n")
            yield ReturnEvent(waiting, output, code, None if code is None else code == 0)
            waiting = ""


_OPENHANDS = {"run": "bash", "run_ipython": "python", "read": "read", "write": "write_file", "edit": "edit_file", "browse": "webfetch", "delegate": "task", "call_tool_mcp": "mcp__tool"}  # fmt: skip


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _openhands(item: dict[str, Any]) -> Iterator[Event]:
    """Events: {"id": 4, "action": "run", "args": …} and {"id": 5, "observation": "run", "cause": 4, "content": …, "extras": …}."""
    given = _object(item.get("args"))
    action = text_of(item.get("action"))
    if item.get("source") == "user" and action == "message":
        yield TurnEvent(text=text_of(given.get("content"))[:MAX_ASKED])
    elif action in _OPENHANDS:
        edit = {
            "path": given.get("path"),
            "old_str": given.get("old_str"),
            "new_str": given.get("new_str"),
            "content": first(given, "content", "file_text"),
        }
        wanted = edit if action in ("write", "edit", "read") else given
        tool = "write_file" if action == "edit" and given.get("command") == "create" else _OPENHANDS[action]
        yield CallEvent(str(item["id"]), tool, {key: value for key, value in wanted.items() if value is not None})
    elif text_of(item.get("observation")) in _OPENHANDS and is_int(item.get("cause")):
        extras = _object(item.get("extras"))
        metadata = _object(extras.get("metadata"))
        code = (
            first(metadata, "exit_code")
            if is_int(metadata.get("exit_code"))
            else extras.get("exit_code")
            if is_int(extras.get("exit_code"))
            else None
        )
        yield ReturnEvent(str(item["cause"]), item.get("content"), code, None if code is None else code == 0)
    elif item.get("observation") == "error" and is_int(item.get("cause")):
        yield ReturnEvent(str(item["cause"]), item.get("content"), None, False)
