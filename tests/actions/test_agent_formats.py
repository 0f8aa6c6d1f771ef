"""Traces of other coding agents, in the forms that their documents give; one that cannot be read is never whole."""

from __future__ import annotations

import json
from typing import Any

import pytest

from witnessmark.actions.trace.ledger import ledger_of
from witnessmark.actions.trace.reader import read_trace

RED = "1 failed, 2 passed in 0.1s"
CODEX_EXEC = [
    {"type": "thread.started", "thread_id": "t"},
    {"type": "turn.started"},
    {"type": "item.completed", "item": {"id": "i0", "type": "reasoning", "text": "hm"}},
    {"type": "item.started", "item": {"id": "i1", "type": "command_execution", "command": "pytest -q", "status": "in_progress"}},
    {"type": "item.completed", "item": {"id": "i1", "type": "command_execution", "command": "bash -lc 'pytest -q'", "aggregated_output": RED, "exit_code": 1, "status": "failed"}},
    {"type": "item.completed", "item": {"id": "i2", "type": "file_change", "changes": [{"path": "a.py", "kind": "update"}], "status": "completed"}},
    {"type": "item.completed", "item": {"id": "i3", "type": "agent_message", "text": "Done."}},
    {"type": "turn.completed", "usage": {"input_tokens": 1}},
]  # fmt: skip
GEMINI = {
    "sessionId": "s", "projectHash": "h",
    "messages": [
        {"id": "1", "type": "user", "content": "please"},
        {"id": "2", "type": "gemini", "content": "", "toolCalls": [
            {"id": "r", "name": "run_shell_command", "args": {"command": "pytest -q"}, "status": "success",
             "result": [{"functionResponse": {"id": "r", "name": "run_shell_command", "response": {"output": f"Output: {RED}\nExit Code: 1"}}}]},
            {"id": "e", "name": "replace", "args": {"file_path": "a.py", "old_string": "1", "new_string": "2"}, "status": "success"},
        ]},
    ],
}  # fmt: skip
OPENCODE = {
    "info": {"id": "ses_1"},
    "messages": [
        {"info": {"role": "user"}, "parts": [{"type": "text", "text": "please"}]},
        {"info": {"role": "assistant"}, "parts": [
            {"type": "tool", "tool": "bash", "callID": "r", "state": {"status": "completed", "input": {"command": "pytest -q"}, "output": RED, "metadata": {"exit": 1}}},
            {"type": "tool", "tool": "edit", "callID": "e", "state": {"status": "completed", "input": {"filePath": "a.py", "oldString": "1", "newString": "2"}, "output": ""}},
        ]},
    ],
}  # fmt: skip
COPILOT = [
    {"type": "session.start", "data": {"sessionId": "s"}},
    {"type": "user.message", "data": {"content": "please"}},
    {"type": "tool.execution_start", "data": {"toolCallId": "r", "toolName": "bash", "arguments": {"command": "pytest -q"}}},
    {"type": "tool.execution_complete", "data": {"toolCallId": "r", "success": False, "result": {"content": f"{RED}\n<exited with exit code 1>"}}},
    {"type": "tool.execution_start", "data": {"toolCallId": "e", "toolName": "edit", "arguments": {"path": "a.py", "old_str": "1", "new_str": "2"}}},
    {"type": "tool.execution_complete", "data": {"toolCallId": "e", "success": True, "result": {"content": "ok"}}},
]  # fmt: skip
SWE_AGENT = {
    "trajectory": [
        {"action": "pytest -q", "observation": RED, "thought": "look"},
        {"action": "str_replace_editor str_replace a.py --old_str 1 --new_str 2", "observation": "The file a.py has been edited."},
    ],
    "info": {"exit_status": "submitted"},
}  # fmt: skip
OPENHANDS = [
    {"id": 0, "source": "user", "action": "message", "args": {"content": "please"}},
    {"id": 1, "source": "agent", "action": "run", "args": {"command": "pytest -q"}},
    {
        "id": 2,
        "source": "agent",
        "observation": "run",
        "cause": 1,
        "content": RED,
        "extras": {"metadata": {"exit_code": 1}},
    },
    {
        "id": 3,
        "source": "agent",
        "action": "edit",
        "args": {"path": "a.py", "command": "str_replace", "old_str": "1", "new_str": "2"},
    },
    {"id": 4, "source": "agent", "observation": "edit", "cause": 3, "content": "ok", "extras": {"path": "a.py"}},
]


def encoded(source: Any) -> bytes:
    rows = source if isinstance(source, list) else [source]
    return "\n".join(json.dumps(row) for row in rows).encode()


@pytest.mark.parametrize(
    "source", [CODEX_EXEC, GEMINI, OPENCODE, COPILOT, SWE_AGENT, OPENHANDS],
    ids=["codex exec", "gemini", "opencode", "copilot", "swe-agent", "openhands"],
)  # fmt: skip
def test_a_failed_test_run_and_an_edit_are_read_from_each(source: Any) -> None:
    read = read_trace(encoded(source), "t")
    ledger = ledger_of(read.trace)
    assert read.unreadable == ()
    assert read.trace.whole
    assert [(run.role, run.outcome) for run in ledger.of("test")] == [("test", "failed")]
    assert [change.path for change in ledger.changes] == ["a.py"]


@pytest.mark.parametrize("data", [b"", b'{"type": "wholly.new", "x": 1}\n{"type": "another"}', b"\xff\xfe\x00"])
def test_a_trace_that_could_not_be_read_is_never_whole(data: bytes) -> None:
    read = read_trace(data, "t")
    assert read.trace.calls == ()
    assert not read.trace.whole
    assert read.unreadable


def test_turns_subagents_and_continued_sessions_are_told_apart() -> None:
    def line(role: str, content: Any, **more: Any) -> dict[str, Any]:
        return {"type": role, "message": {"role": role, "content": content}} | more

    use = {"type": "tool_use", "id": "u", "name": "Bash", "input": {"command": "pytest"}}
    sub = {
        "type": "progress",
        "parentToolUseID": "p",
        "data": {"type": "agent_progress", "message": line("assistant", [use | {"id": "v"}])},
    }
    rows = [line("user", "one"), line("assistant", [use]), line("user", "two"), sub]
    trace = read_trace(encoded(rows), "t").trace
    assert [(call.turn, call.by) for call in trace.calls] == [(1, ""), (2, "p")]
    assert (trace.turns, trace.asked, trace.whole) == (2, "two", True)
    went_on = [
        line("user", "This session is being continued from a previous conversation that ran out of context."),
        *rows,
    ]
    assert not read_trace(encoded(went_on), "t").trace.whole


class TestCommandsInTheTextOfMessages:
    """mini-SWE-agent has no calls: each message holds one command, and the next what came back."""

    STEPS = (
        {"role": "system", "content": "You are an agent."},
        {"role": "user", "content": "Fix add."},
        {"role": "assistant", "content": "THOUGHT: run\n\n```mswea_bash_command\npytest -q\n```"},
        {"role": "user", "content": f"<returncode>1</returncode>\n<output>\n{RED}\n</output>"},
        {"role": "assistant", "content": "Done."},
    )

    def test_they_are_read_with_their_outputs(self) -> None:
        found = read_trace(json.dumps({"trajectory_format": "mini-swe-agent-1", "messages": self.STEPS}).encode())
        (call,) = found.trace.calls
        assert (call.input, call.output, call.exit_code, call.turn) == ({"command": "pytest -q"}, RED, 1, 1)
        assert found.trace.whole
        assert found.trace.asked == "Fix add."
        assert [run.outcome for run in ledger_of(found.trace).of("test")] == ["failed"]

    def test_of_an_agent_that_is_not_known_they_are_not_read_and_the_trace_is_not_whole(self) -> None:
        found = read_trace(json.dumps({"messages": self.STEPS}).encode())
        assert not found.trace.whole
        assert "command in its text" in found.unreadable[0].why

    def test_a_chat_without_commands_is_whole(self) -> None:
        found = read_trace(json.dumps({"messages": [self.STEPS[1], self.STEPS[4]]}).encode())
        assert (found.trace.whole, found.trace.calls) == (True, ())
