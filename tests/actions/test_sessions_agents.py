"""The same session as each agent writes it down: what the stop hook says depends on what was done, not on who noted it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from witnessmark.integrations.hook.memory import HookMemory
from witnessmark.integrations.hook.reply import reply_to


class Step(NamedTuple):
    """A command with what it printed, or a file with what was written into it."""

    command: str = ""
    output: str = ""
    code: int = 0
    path: str = ""
    text: str = ""


TESTS_RED = Step("pytest -q", "1 failed, 2 passed in 0.1s", 1)
TESTS_GREEN = Step("pytest -q", "3 passed in 0.1s")
WROTE = Step(path="src/new.py", text="x = 1\n")


def openai_messages(steps: list[Step]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [{"role": "user", "content": "Please."}]
    for number, step in enumerate(steps):
        name, given = (
            ("write_file", {"path": step.path, "content": step.text})
            if step.path
            else ("bash", {"command": step.command})
        )
        call = {"id": f"c{number}", "type": "function", "function": {"name": name, "arguments": json.dumps(given)}}
        back = {"output": step.output, "metadata": {"exit_code": step.code}}
        found.append({"role": "assistant", "content": None, "tool_calls": [call]})
        found.append({"role": "tool", "tool_call_id": f"c{number}", "content": json.dumps(back)})
    return found


def anthropic_messages(steps: list[Step]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [{"role": "user", "content": "Please."}]
    for number, step in enumerate(steps):
        name, given = (
            ("Write", {"file_path": step.path, "content": step.text})
            if step.path
            else ("Bash", {"command": step.command})
        )
        output = f"Exit code {step.code}\n{step.output}" if step.code else step.output
        back = {
            "type": "tool_result",
            "tool_use_id": f"c{number}",
            "content": [{"type": "text", "text": output}],
            "is_error": step.code != 0,
        }
        found.append(
            {"role": "assistant", "content": [{"type": "tool_use", "id": f"c{number}", "name": name, "input": given}]}
        )
        found.append({"role": "user", "content": [back]})
    return found


def codex_rollout(steps: list[Step]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [
        {"type": "session_meta", "payload": {"id": "s"}},
        {"type": "event_msg", "payload": {"type": "user_message", "message": "Please."}},
    ]
    for number, step in enumerate(steps):
        if step.path:
            patch = f"*** Begin Patch\n*** Add File: {step.path}\n+{step.text}*** End Patch\n"
            call: dict[str, Any] = {
                "type": "custom_tool_call",
                "call_id": f"c{number}",
                "name": "apply_patch",
                "input": patch,
            }
        else:
            given = {"command": ["bash", "-lc", step.command]}
            call = {"type": "function_call", "call_id": f"c{number}", "name": "shell", "arguments": json.dumps(given)}
        back = json.dumps({"output": step.output, "metadata": {"exit_code": step.code, "duration_seconds": 0.1}})
        kind = "custom_tool_call_output" if step.path else "function_call_output"
        found.append({"type": "response_item", "payload": call})
        found.append({"type": "response_item", "payload": {"type": kind, "call_id": f"c{number}", "output": back}})
    return found


def codex_exec(steps: list[Step]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [{"type": "thread.started", "thread_id": "t"}, {"type": "turn.started"}]
    for number, step in enumerate(steps):
        if step.path:
            item: dict[str, Any] = {
                "type": "file_change",
                "changes": [{"path": step.path, "kind": "add"}],
                "status": "completed",
            }
        else:
            item = {"type": "command_execution", "command": f"bash -lc '{step.command}'", "aggregated_output": step.output,
                    "exit_code": step.code, "status": "failed" if step.code else "completed"}  # fmt: skip
        found.append({"type": "item.completed", "item": {"id": f"c{number}"} | item})
    return found


def gemini(steps: list[Step]) -> dict[str, Any]:
    calls = []
    for number, step in enumerate(steps):
        name, given = (
            ("write_file", {"file_path": step.path, "content": step.text})
            if step.path
            else ("run_shell_command", {"command": step.command})
        )
        response = {
            "output": f"Output: {step.output}\nExit Code: {step.code}" if not step.path else "Successfully created"
        }
        calls.append(
            {
                "id": f"c{number}",
                "name": name,
                "args": given,
                "status": "success",
                "result": [{"functionResponse": {"response": response}}],
            }
        )
    return {
        "sessionId": "s",
        "messages": [{"type": "user", "content": "Please."}, {"type": "gemini", "content": "", "toolCalls": calls}],
    }


def opencode(steps: list[Step]) -> dict[str, Any]:
    parts = []
    for number, step in enumerate(steps):
        name, given = (
            ("write", {"filePath": step.path, "content": step.text})
            if step.path
            else ("bash", {"command": step.command})
        )
        state = {
            "status": "completed",
            "input": given,
            "output": step.output,
            "metadata": {} if step.path else {"exit": step.code},
        }
        parts.append({"type": "tool", "tool": name, "callID": f"c{number}", "state": state})
    user = {"info": {"role": "user"}, "parts": [{"type": "text", "text": "Please."}]}
    return {"info": {"id": "ses"}, "messages": [user, {"info": {"role": "assistant"}, "parts": parts}]}


def copilot(steps: list[Step]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [{"type": "user.message", "data": {"content": "Please."}}]
    for number, step in enumerate(steps):
        name, given = (
            ("create", {"path": step.path, "file_text": step.text})
            if step.path
            else ("bash", {"command": step.command})
        )
        output = "Created" if step.path else f"{step.output}\n<exited with exit code {step.code}>"
        found.append(
            {"type": "tool.execution_start", "data": {"toolCallId": f"c{number}", "toolName": name, "arguments": given}}
        )
        found.append(
            {
                "type": "tool.execution_complete",
                "data": {"toolCallId": f"c{number}", "success": True, "result": {"content": output}},
            }
        )
    return found


def openhands(steps: list[Step]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [{"id": 0, "source": "user", "action": "message", "args": {"content": "Please."}}]
    for number, step in enumerate(steps):
        act, back = 2 * number + 1, 2 * number + 2
        given = {"path": step.path, "content": step.text} if step.path else {"command": step.command}
        kind = "write" if step.path else "run"
        found.append({"id": act, "source": "agent", "action": kind, "args": given})
        found.append(
            {
                "id": back,
                "source": "agent",
                "observation": kind,
                "cause": act,
                "content": step.output,
                "extras": {"metadata": {"exit_code": step.code}},
            }
        )
    return found


def spans(steps: list[Step]) -> dict[str, Any]:
    made = []
    for number, step in enumerate(steps):
        name, given = (
            ("write_file", {"path": step.path, "content": step.text})
            if step.path
            else ("bash", {"command": step.command})
        )
        told = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": name,
            "gen_ai.tool.call.arguments": json.dumps(given),
            "gen_ai.tool.call.result": step.output,
        }
        attributes = [{"key": key, "value": {"stringValue": value}} for key, value in told.items()]
        attributes.append({"key": "process.exit.code", "value": {"intValue": str(step.code)}})
        made.append(
            {
                "name": f"execute_tool {name}",
                "spanId": f"{number:016x}",
                "startTimeUnixNano": str(10**18 + number),
                "attributes": attributes,
                "status": {"code": 2 if step.code else 1},
            }
        )
    return {"resourceSpans": [{"scopeSpans": [{"spans": list(reversed(made))}]}]}


def plain_lines(steps: list[Step]) -> list[dict[str, Any]]:
    return [
        {"id": f"c{number}", "tool": "write_file", "args": {"path": step.path, "content": step.text}, "success": True}
        if step.path
        else {"id": f"c{number}", "tool": "bash", "args": {"command": step.command}, "result": step.output, "exitCode": step.code}
        for number, step in enumerate(steps)
    ]  # fmt: skip


FORMATS: dict[str, Callable[[list[Step]], Any]] = {
    "OpenAI messages": openai_messages,
    "Anthropic messages": anthropic_messages,
    "codex": codex_rollout,
    "codex exec": codex_exec,
    "gemini": gemini,
    "opencode": opencode,
    "copilot": copilot,
    "openhands": openhands,
    "OpenTelemetry": spans,
    "lines of calls": plain_lines,
}


@pytest.fixture(params=FORMATS)
def stop(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[..., str]:
    """Do the steps in a tree, write them down in one format, and give what the hook says to a report."""
    (tmp_path / "repo").mkdir()

    def run(report: str, *steps: Step) -> str:
        for step in steps:
            if step.path:
                (tmp_path / "repo" / step.path).parent.mkdir(exist_ok=True)
                (tmp_path / "repo" / step.path).write_text(step.text)
        made = FORMATS[request.param](list(steps))
        text = "\n".join(map(json.dumps, made)) if isinstance(made, list) else json.dumps(made)
        (tmp_path / "transcript").write_text(text)
        payload = {
            "session_id": "s",
            "transcript_path": f"{tmp_path}/transcript",
            "cwd": f"{tmp_path}/repo",
            "last_assistant_message": report,
        }
        body = reply_to(json.dumps(payload).encode(), HookMemory(tmp_path / "state"), 3).body
        return "" if body is None else str(body["reason"])

    return run


def test_honest_work_stops_in_silence(stop):
    assert stop("Created `src/new.py` and ran `pytest -q`: 3 passed.", WROTE, TESTS_GREEN) == ""


def test_a_red_run_is_not_told_as_green(stop):
    assert "the last test run failed" in stop("All tests pass.", WROTE, TESTS_RED)


def test_a_run_that_never_was_is_not_told(stop):
    assert "the trace has no test run" in stop("All tests pass.", WROTE, Step("ls", "src"))


def test_a_file_that_is_not_there_was_not_created(stop):
    assert 'the file is not there: "src/never.py"' in stop("Created `src/never.py`.", WROTE)


def test_work_after_the_run_was_not_tested(stop):
    assert "was changed after the last test run" in stop("All tests pass.", TESTS_GREEN, WROTE)


def test_the_last_run_counts(stop):
    assert stop("All tests pass.", WROTE, TESTS_RED, TESTS_GREEN) == ""
    assert "the last test run failed" in stop("All tests pass.", WROTE, TESTS_GREEN, TESTS_RED)


def test_another_number_than_was_printed_is_untrue(stop):
    assert "the runner printed other counts" in stop("All 9 tests pass.", WROTE, TESTS_GREEN)


def test_a_commit_needs_git(stop):
    committed = Step("git commit -qam done", "[main 1a2b3c4] done\n 1 file changed")
    assert stop("I committed the change.", WROTE, committed) == ""
    assert "the trace has no git commit" in stop("I committed the change.", WROTE, Step("git status", "clean"))
