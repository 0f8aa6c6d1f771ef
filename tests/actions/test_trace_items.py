"""One item of a trace at a time: what each agent's odd, broken and rare items are read as, and the words for what cannot be read."""

from __future__ import annotations

import json
from typing import Any

import pytest

from witnessmark.actions.trace.reader import TraceReading, read_trace


def read(*items: Any) -> TraceReading:
    return read_trace("\n".join(json.dumps(item) for item in items).encode(), "t")


def calls(*items: Any) -> list[tuple[str, Any, bool | None]]:
    """Each call as its tool, what it was given and whether it worked."""
    found = read(*items)
    assert found.unreadable == ()
    return [(call.name, call.input, call.ok) for call in found.trace.calls]


def item(kind: str, **more: Any) -> dict[str, Any]:
    """A finished item of `codex exec --json`."""
    return {"type": "item.completed", "item": {"id": "i", "type": kind} | more}


def gemini(*given: Any) -> dict[str, Any]:
    messages = [{"type": "user", "content": [{"text": "Please"}]}, {"type": "gemini", "toolCalls": list(given)}]
    return {"sessionId": "s", "messages": messages}


def opencode(*parts: Any) -> dict[str, Any]:
    return {"info": {}, "messages": [{"info": {"role": "assistant"}, "parts": list(parts)}]}


def copilot(success: Any, content: Any) -> list[dict[str, Any]]:
    start = {"toolCallId": "c", "toolName": "bash", "arguments": {"command": "x"}}
    end = {"toolCallId": "c", "success": success, "result": content}
    return [{"type": "tool.execution_start", "data": start}, {"type": "tool.execution_complete", "data": end}]


def openhands(action: str, observation: dict[str, Any], **args: Any) -> list[dict[str, Any]]:
    return [
        {"id": 1, "source": "agent", "action": action, "args": args},
        {"id": 2, "source": "agent", "cause": 1} | observation,
    ]


RAN = {"command": "x"}
WRITE = {"path": "a.py", "content": "1"}

READ: dict[str, tuple[list[Any], list[tuple[str, Any, bool | None]]]] = {
    "codex exec: a command that worked": (
        [item("command_execution", command="x", exit_code=0, status="completed")],
        [("shell", RAN, True)],
    ),
    "codex exec: one that was declined": (
        [item("command_execution", command="x", status="declined")],
        [("shell", RAN, False)],
    ),
    "codex exec: one whose end is not told": ([item("command_execution", command="x")], [("shell", RAN, None)]),
    "codex exec: each file of a change": (
        [item("file_change", changes=[{"path": "a", "kind": "add"}, {"path": "b", "kind": "delete"}, {"path": "c"}])],
        [("write_file", {"path": "a"}, True), ("delete_file", {"path": "b"}, True), ("edit_file", {"path": "c"}, True)],
    ),
    "codex exec: a patch that failed": (
        [item("file_change", changes=[{"path": "a", "kind": "update"}], status="failed")],
        [("edit_file", {"path": "a"}, False)],
    ),
    "codex exec: a change without a path is none": ([item("file_change", changes=[{"kind": "add"}, "a"])], []),
    "codex exec: a tool of a server": (
        [item("mcp_tool_call", server="files", tool="write_file", arguments=WRITE, status="completed")],
        [("mcp__files__write_file", WRITE, True)],
    ),
    "codex exec: a search": ([item("web_search", query="q")], [("web_search", {"query": "q"}, True)]),
    "codex exec: thoughts and words": ([item("reasoning", text="hm"), item("agent_message", text="Done.")], []),
    "codex exec: an error of its own": ([{"type": "error", "message": "quota"}], []),
    "gemini: a call that was cancelled": (
        [gemini({"name": "replace", "args": {"file_path": "a"}, "status": "cancelled"})],
        [("replace", {"file_path": "a"}, False)],
    ),
    "gemini: a call that still waits": ([gemini({"name": "ls", "args": {}, "status": "executing"})], [("ls", {}, None)]),
    "gemini: an exit code among the lines": (
        [gemini({"name": "run_shell_command", "args": RAN, "status": "success", "resultDisplay": "a\nExit Code: 3\nb"})],
        [("run_shell_command", RAN, False)],
    ),
    "gemini: an error in the response": (
        [gemini({"name": "x", "args": {}, "status": "error", "result": [{"functionResponse": {"response": {"error": "no"}}}]})],
        [("x", {}, False)],
    ),
    "opencode: an error": (
        [opencode({"type": "tool", "tool": "edit", "state": {"status": "error", "input": WRITE, "error": "no"}})],
        [("edit", WRITE, False)],
    ),
    "opencode: still running": (
        [opencode({"type": "tool", "tool": "bash", "state": {"status": "running", "input": RAN}})],
        [("bash", RAN, None)],
    ),
    "opencode: parts that are no tools": ([opencode({"type": "text", "text": "x"}, {"type": "step-start"}, "x")], []),
    "copilot: it says that it worked": (copilot(True, {"content": "ok"}), [("bash", RAN, True)]),
    "copilot: the exit code knows better": (copilot(True, {"content": "a\n<exited with exit code 2>"}), [("bash", RAN, False)]),
    "copilot: a result that is a text": (copilot(False, "no"), [("bash", RAN, False)]),
    "copilot: what it does besides": ([{"type": "session.start", "data": {}}, {"type": "assistant.message", "data": {}}], []),
    "openhands: an action that was refused": (
        openhands("write", {"observation": "error", "content": "denied"}, **WRITE),
        [("write_file", WRITE, False)],
    ),
    "openhands: the exit code beside the metadata": (
        openhands("run", {"observation": "run", "content": "", "extras": {"exit_code": 1}}, **RAN),
        [("bash", RAN, False)],
    ),
    "openhands: a file that is made by the editor": (
        openhands("edit", {"observation": "edit", "content": "ok"}, command="create", path="a.py", file_text="1"),
        [("write_file", WRITE, None)],
    ),
    "openhands: thoughts": ([{"id": 1, "source": "agent", "action": "think", "args": {"thought": "hm"}}], []),
    "swe-agent: look, edit, fail, do nothing": (
        [{"trajectory": [
            {"action": "open a.py", "observation": "1"},
            {"action": "str_replace_editor create a.py --file_text 1", "observation": "File created"},
            {"action": "str_replace_editor str_replace a.py --old_str 9 --new_str 1", "observation": "No replacement was performed"},
            {"action": "", "observation": "nothing was typed"},
        ]}],
        [("read", {"command": "open a.py"}, None), ("write_file", {"path": "a.py"}, True), ("edit_file", {"path": "a.py"}, False)],
    ),
    "responses: a shell of its own": (
        [{"type": "local_shell_call", "call_id": "c", "action": {"command": ["ls"]}},
         {"type": "local_shell_call_output", "call_id": "c", "output": "{\"exit_code\": 4}"}],
        [("shell", {"command": ["ls"]}, False)],
    ),
    "responses: a call that was cut off": (
        [{"type": "function_call", "call_id": "c", "name": "x", "arguments": "{not json"},
         {"type": "function_call_output", "call_id": "c", "output": "", "status": "incomplete"}],
        [("x", "{not json", False)],
    ),
    "responses: a server's tool with its output": (
        [{"type": "mcp_call", "id": "c", "name": "q", "arguments": "{}", "output": "[]"}], [("q", {}, None)],
    ),
    "blocks without a message around them": (
        [{"type": "tool_use", "id": "c", "name": "Bash", "input": RAN},
         {"type": "tool_result", "tool_use_id": "c", "content": "<tool_use_error>no such tool</tool_use_error>"}],
        [("Bash", RAN, False)],
    ),
    "a server's own tool in a message": (
        [{"role": "assistant", "content": [{"type": "server_tool_use", "id": "c", "name": "web_search", "input": {}}]}],
        [("web_search", {}, None)],
    ),
    "a custom tool of chat completions": (
        [{"role": "assistant", "tool_calls": [{"id": "c", "type": "custom", "custom": {"name": "apply_patch", "input": "*** x"}}]}],
        [("apply_patch", "*** x", None)],
    ),
    "our own evidence in a line": (
        [{"kind": "trace", "data": [{"id": "c", "name": "bash", "input": RAN, "is_error": True}]}], [("bash", RAN, False)],
    ),
    "one call as our own evidence": ([{"kind": "trace", "data": {"name": "bash", "input": RAN, "ok": True}}], [("bash", RAN, True)]),
    "an event that is no message": ([{"type": "event_msg", "payload": {"type": "token_count"}}], []),
    "what an agent notes besides": ([{"type": "summary", "summary": "x"}, {"type": "file-history-snapshot"}, {"type": "system"}], []),
}  # fmt: skip


@pytest.mark.parametrize(("items", "expected"), READ.values(), ids=READ)
def test_it_is_read_so(items, expected):
    assert calls(*items) == expected


UNREAD: dict[str, tuple[Any, str]] = {
    "a number": (7, "is not an object"),
    "a list": ([{"name": "bash"}], "is not an object"),
    "an object of nothing known": ({"foo": 1}, "is not a tool call in a known form"),
    "a tool item of another shape": ({"type": "tool_thing"}, "is not a tool call in a known form"),
    "a gemini message that is a text": ({"sessionId": "s", "messages": ["x"]}, "a message that is not an object"),
    "a gemini call without a name": (gemini({"args": {}}), "a tool call without a name"),
    "an opencode tool without a state": (opencode({"type": "tool", "tool": "x"}), "without tool and state"),
    "a copilot call without a name": ({"type": "tool.execution_start", "data": {"toolCallId": "c"}}, "without a name"),
    "a step that is a text": ({"trajectory": ["ls"]}, "a step that is not an object"),
    "an OpenAI call without a function": ({"role": "assistant", "tool_calls": [{"id": "c"}]}, "function.name"),
    "an OpenAI result without its call": ({"role": "tool", "content": "x"}, "without tool_call_id"),
    "a block without a name": ({"type": "tool_use", "id": "c"}, "a tool_use block without a name"),
    "a responses call without a name": ({"type": "function_call", "call_id": "c"}, "a function_call without a name"),
    "a call whose exit code is a word": ({"name": "bash", "exitCode": "zero"}, "expected a whole number"),
    "a call whose exit code is true": ({"name": "bash", "exit_code": True}, "expected a whole number"),
    "spans that are no list": ({"resourceSpans": {"scopeSpans": []}}, "resourceSpans: expected a list"),
    "a span that is a text": ({"scopeSpans": [{"spans": ["x"]}]}, "a span that is not an object"),
    "a tool's span without a name": (
        {"spanId": "s", "attributes": {"gen_ai.operation.name": "execute_tool"}}, "a tool span without gen_ai.tool.name",
    ),
    "a result of a call that is not there": ({"type": "tool_result", "tool_use_id": "x"}, "whose call is not in the trace"),
}  # fmt: skip


@pytest.mark.parametrize(("broken", "why"), UNREAD.values(), ids=UNREAD)
def test_what_cannot_be_read_is_named_and_the_trace_is_not_whole(broken, why):
    fine = {"id": "before", "name": "bash", "input": {"command": "ls"}, "exit_code": 0}
    found = read(fine, broken)
    assert [call.id for call in found.trace.calls] == ["before"], "what could be read stays"
    assert [(part.where, why in part.why) for part in found.unreadable] == [("line 2", True)]
    assert not found.trace.whole


def test_what_nests_without_end_is_named_and_not_followed():
    deep: Any = {"name": "bash"}
    for _ in range(60):
        deep = {"events": [deep]}
    found = read(deep)
    assert found.trace.calls == ()
    assert [part.why for part in found.unreadable] == ["is nested too deeply"]


def test_a_line_of_an_unknown_kind_among_known_ones_is_passed_over():
    found = read({"type": "telemetry.beat", "n": 1}, {"name": "bash", "input": {"command": "ls"}})
    assert [call.name for call in found.trace.calls] == ["bash"]
    assert (found.unreadable, found.trace.whole) == ((), True)


def test_half_a_surrogate_pair_and_bytes_that_are_no_utf8_do_not_lose_a_call():
    line = b'{"name": "bash", "input": {"command": "echo"}, "output": "\\ud83d \xff", "exit_code": 0}'
    found = read_trace(line + b"\n" + b'{"name": "bash", "input": {"command": "ls"}}\n')
    assert [call.input["command"] for call in found.trace.calls] == ["echo", "ls"]
    assert found.unreadable == ()


@pytest.mark.parametrize(
    ("name", "at"),
    [
        (1767323045, 1767323045.0),
        ("2026-01-02T03:04:05Z", 1767323045.0),
        ("yesterday", None),
        (True, None),
        (None, None),
    ],
)
def test_when_a_call_was_made(name, at):
    (call,) = read({"name": "bash", "timestamp": name}).trace.calls
    assert call.at == at


class TestExitCodes:
    """Where an output says how the command ended, in its data or in its first or last words."""

    @pytest.mark.parametrize(
        ("output", "code"),
        [
            ("Exit code 2\nboom", 2),
            ("Error: Exit code 1", 1),
            ("Process exited with code 0\nfine", 0),
            ("Command failed with exit code 101", 101),
            ("boom\n[exit code: 3]", 3),
            ("boom\nexit status 1", 1),
            ("fine\n<exited with exit code 0>", 0),
            ('{"returncode": 5, "stdout": ""}', 5),
            ('{"output": "x", "metadata": {"exit_code": 6}}', 6),
            ('{"output": "x", "metadata": {"exit_code": true}}', None),
            ("The exit code 2 means that there was a warning.", None),
            ("exit code 1\n" + "x" * 500, None),
            ("", None),
            ("[]", None),
        ],
    )
    def test_of_a_message(self, output, code):
        call = {"id": "c", "function": {"name": "bash", "arguments": "{}"}}
        (found,) = read(
            {"role": "assistant", "tool_calls": [call]}, {"role": "tool", "tool_call_id": "c", "content": output}
        ).trace.calls
        assert (found.exit_code, found.ok) == (code, None if code is None else code == 0)


class TestSpans:
    """Tools as OpenTelemetry notes them, under each convention."""

    @pytest.mark.parametrize(
        "told",
        [
            {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "bash", "gen_ai.tool.call.arguments": '{"command": "x"}'},
            {"mcp.method.name": "tools/call", "gen_ai.tool.name": "bash", "gen_ai.tool.input": '{"command": "x"}'},
            {"openinference.span.kind": "TOOL", "tool.name": "bash", "input.value": '{"command": "x"}'},
            {"traceloop.span.kind": "tool", "traceloop.entity.name": "bash", "traceloop.entity.input": '{"command": "x"}'},
        ],
        ids=["gen_ai", "MCP", "OpenInference", "OpenLLMetry"],
    )  # fmt: skip
    def test_every_convention_names_the_same_call(self, told):
        assert calls({"name": "x", "span_id": "s", "attributes": told}) == [("bash", RAN, None)]

    @pytest.mark.parametrize(
        ("status", "ok"),
        [
            ({"code": 1}, True),
            ({"code": 2}, False),
            ({"code": "STATUS_CODE_ERROR"}, False),
            ({"status_code": "OK"}, True),
            ({"code": 0}, None),
            ("OK", None),
        ],
    )
    def test_how_it_ended(self, status, ok):
        span = {"name": "execute_tool bash", "spanId": "s", "attributes": [], "status": status}
        assert calls(span) == [("bash", None, ok)]

    def test_values_in_the_wire_form_are_unpacked(self):
        value = {
            "kvlistValue": {"values": [{"key": "command", "value": {"arrayValue": {"values": [{"stringValue": "x"}]}}}]}
        }
        attributes = [
            {"key": "gen_ai.tool.call.arguments", "value": value},
            {"key": "process.exit.code", "value": {"intValue": "3"}},
            "no pair",
        ]  # fmt: skip
        (call,) = read({"name": "execute_tool bash", "spanId": "s", "attributes": attributes}).trace.calls
        assert (call.input, call.exit_code, call.ok) == ({"command": ["x"]}, 3, False)

    def test_spans_of_models_and_agents_are_somebody_elses(self):
        assert calls({"name": "chat", "spanId": "s", "attributes": {"gen_ai.operation.name": "chat"}}) == []

    def test_they_are_put_in_the_order_of_their_start(self):
        spans = [
            {"name": f"execute_tool t{n}", "spanId": str(n), "attributes": [], "startTimeUnixNano": str(n)}
            for n in (30, 9, 200)
        ]
        found = calls({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]})
        assert [name for name, _, _ in found] == ["t9", "t30", "t200"]
