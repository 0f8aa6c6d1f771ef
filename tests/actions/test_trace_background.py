"""Runs that were not waited for: what a later call fetched of them counts as theirs, and what nobody fetched is open."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from witnessmark.actions.trace.ledger import ledger_of
from witnessmark.actions.trace.reader import read_trace
from witnessmark.integrations.hook.memory import HookMemory
from witnessmark.integrations.hook.reply import reply_to

GREEN = "3 passed in 0.1s"
RED = "1 failed, 2 passed in 0.1s"


def started(session: Any, command: str, task: str = "b1") -> None:
    """Claude Code starts a command and goes on."""
    identity = f"toolu_{task}"
    use = {"type": "tool_use", "id": identity, "name": "Bash", "input": {"command": command, "run_in_background": True}}
    text = f"Command running in background with ID: {task}. Output is being written to: /tmp/{task}.output"
    back = {"type": "tool_result", "tool_use_id": identity, "content": text, "is_error": False}
    told = {"stdout": "", "stderr": "", "interrupted": False, "backgroundTaskId": task}
    session.items.append({"type": "assistant", "message": {"role": "assistant", "content": [use]}})
    session.items.append({"type": "user", "message": {"role": "user", "content": [back]}, "toolUseResult": told})


def told(output: str, code: int | None) -> str:
    """What the tool that fetches says: with an exit code once it has ended."""
    if code is None:
        return f"<status>running</status>\n\n<stdout>\n{output}\n</stdout>"
    status = "failed" if code else "completed"
    return f"<status>{status}</status>\n\n<exit_code>{code}</exit_code>\n\n<stdout>\n{output}\n</stdout>"


TOOLS = [("BashOutput", "bash_id"), ("TaskOutput", "task_id")]


@pytest.fixture(params=TOOLS, ids=[name for name, _ in TOOLS])
def fetch(request, session):
    """Fetch what a command has printed so far, by either name of the tool."""
    tool, key = request.param

    def fetches(output: str, code: int | None, task: str = "b1") -> Any:
        return session.uses(tool, told(output, code), **{key: task})

    return fetches


class TestClaudeCode:
    def test_what_was_fetched_may_be_told(self, session, fetch):
        started(session, "pytest -q")
        fetch(GREEN, 0)
        assert session.stop("All tests pass.") == ""
        assert session.stop("All 3 tests pass.") == ""

    def test_other_counts_may_not(self, session, fetch):
        started(session, "pytest -q")
        fetch(GREEN, 0)
        assert "the runner printed other counts" in session.stop("All 9 tests pass.")

    def test_red_is_red_and_may_be_told(self, session, fetch):
        started(session, "pytest -q")
        fetch(RED, 1)
        assert "the last test run failed" in session.stop("All tests pass.")
        assert session.stop("1 test fails, 2 pass.") == ""

    def test_while_it_runs_nothing_is_known(self, session, fetch):
        started(session, "pytest -q")
        fetch("collecting ...", None)
        assert session.stop("All tests pass.") == ""

    def test_fetched_twice_the_end_counts(self, session, fetch):
        started(session, "pytest -q")
        fetch("..", None)
        fetch(RED, 1)
        assert "the last test run failed" in session.stop("All tests pass.")

    def test_nobody_fetched_it(self, session):
        started(session, "pytest -q")
        assert session.stop("All tests pass.") == ""

    def test_another_command_that_was_fetched_is_not_it(self, session, fetch):
        started(session, "npm run dev", "d1")
        started(session, "pytest -q", "t1")
        fetch(GREEN, 0, "t1")
        assert session.stop("All 3 tests pass.") == ""
        assert "the runner printed other counts" in session.stop("All 9 tests pass.")

    def test_one_that_is_not_in_the_trace_says_nothing(self, session, fetch):
        started(session, "pytest -q")
        fetch(RED, 1, "gone")
        assert session.stop("All tests pass.") == ""

    def test_a_server_that_goes_on_runs_no_tests(self, session):
        started(session, "npm run dev")
        session.runs("pytest -q", RED, 1)
        assert "the last test run failed" in session.stop("All tests pass.")

    def test_what_was_changed_after_it_was_started_was_not_tested(self, session, fetch):
        session.writes("app.py", "x = 1\n")
        started(session, "pytest -q")
        fetch(GREEN, 0)
        session.edits("app.py", "x = 1", "x = 2")
        assert "app.py was changed after the last test run" in session.stop("All tests pass.")

    def test_a_later_run_in_the_foreground_counts_instead(self, session, fetch):
        started(session, "pytest -q")
        fetch(RED, 1)
        assert session.runs("pytest -q", GREEN).stop("All tests pass.") == ""

    def test_a_linter_in_the_background_is_a_run_of_it(self, session, fetch):
        started(session, "ruff check .")
        fetch("Found 2 errors.", 1)
        assert "the last run of the linter failed" in session.stop("Lint is clean.")

    def test_a_run_that_the_person_interrupted_has_no_result(self, session):
        session.runs("pytest -q", "...")
        session.items[-1]["toolUseResult"] = {"stdout": "...", "stderr": "", "interrupted": True}
        assert session.stop("All tests pass.") == ""


def codex(*steps: tuple[str, dict[str, Any], str]) -> bytes:
    """A rollout of codex with these calls and what came back."""
    rows: list[dict[str, Any]] = [
        {"type": "session_meta", "payload": {"id": "s"}},
        {"type": "event_msg", "payload": {"type": "user_message", "message": "Please."}},
    ]
    for number, (name, given, output) in enumerate(steps):
        call = {"type": "function_call", "call_id": f"c{number}", "name": name, "arguments": json.dumps(given)}
        back = {"type": "function_call_output", "call_id": f"c{number}", "output": output}
        rows += [{"type": "response_item", "payload": call}, {"type": "response_item", "payload": back}]
    return "\n".join(map(json.dumps, rows)).encode()


START = ("exec_command", {"cmd": "pytest -q"}, "Wall time: 10 seconds\nProcess running with session ID 4711\nOutput:\n")


def poll(output: str, session: int = 4711) -> tuple[str, dict[str, Any], str]:
    return "write_stdin", {"session_id": session, "chars": ""}, output


class TestCodex:
    def outcomes(self, *steps: tuple[str, dict[str, Any], str]) -> list[str]:
        return [run.outcome for run in ledger_of(read_trace(codex(*steps)).trace).of("test")]

    def test_a_command_that_goes_on_is_open(self):
        assert self.outcomes(START) == ["unknown"]
        assert self.outcomes(START, poll("Process running with session ID 4711\nOutput:\n..")) == ["unknown"]

    @pytest.mark.parametrize(
        ("output", "code", "outcome"), [(GREEN, 0, "passed"), (RED, 1, "failed"), ("no tests ran in 0.01s", 5, "none")]
    )
    def test_its_end_is_read_from_the_poll(self, output, code, outcome):
        ended = poll(f"Wall time: 1 seconds\nProcess exited with code {code}\nOutput:\n{output}\n")
        assert self.outcomes(START, ended) == [outcome]

    def test_another_session_is_another_command(self):
        assert self.outcomes(START, poll(f"Process exited with code 1\nOutput:\n{RED}", 12)) == ["unknown"]

    @pytest.mark.parametrize(
        ("output", "code", "blocked"), [(GREEN, 0, ""), (RED, 1, "the last test run failed")], ids=["green", "red"]
    )
    def test_at_the_stop(self, tmp_path: Path, output, code, blocked):
        (tmp_path / "repo").mkdir()
        (tmp_path / "t").write_bytes(codex(START, poll(f"Process exited with code {code}\nOutput:\n{output}")))
        payload = {"session_id": "s", "transcript_path": f"{tmp_path}/t", "cwd": f"{tmp_path}/repo"}
        payload["last_assistant_message"] = "All tests pass."
        body = reply_to(json.dumps(payload).encode(), HookMemory(tmp_path / "state"), 3).body
        assert blocked in str((body or {"reason": ""})["reason"])
        assert bool(body) is bool(blocked)


class TestOtherAgents:
    """A subagent and a tool that nobody knows may have run what is not shown."""

    def test_a_subagent_may_have_run_the_tests(self, session):
        session.uses("Task", "All good.", description="run tests", prompt="Run the tests.")
        assert session.stop("All tests pass.") == ""

    def test_a_red_run_of_the_agent_itself_before_it_is_open_after_it(self, session):
        session.runs("pytest -q", RED, 1).uses("Task", "Fixed.", prompt="Fix it and run the tests.")
        assert session.stop("All tests pass.") == ""

    def test_a_red_run_after_it_is_not(self, session):
        session.uses("Task", "Fixed.", prompt="Fix it.").runs("pytest -q", RED, 1)
        assert "the last test run failed" in session.stop("All tests pass.")

    @pytest.mark.parametrize("tool", ["Read", "Grep", "TodoWrite", "WebSearch", "ExitPlanMode", "mcp__docs__search"])
    def test_a_tool_that_only_looks_runs_none(self, session, tool):
        session.uses(tool, "3 passed", query="pytest")
        assert "the trace has no test run" in session.stop("All tests pass.")

    def test_what_a_subagent_is_seen_to_do_counts(self, session):
        use = {"type": "tool_use", "id": "sub", "name": "Bash", "input": {"command": "pytest -q"}}
        back = {"type": "tool_result", "tool_use_id": "sub", "content": RED, "is_error": True}
        for role, block in (("assistant", use), ("user", back)):
            message = {"type": role, "message": {"role": role, "content": [block]}}
            data = {"type": "agent_progress", "message": message}
            session.items.append({"type": "progress", "parentToolUseID": "p", "data": data})
        assert "the last test run failed" in session.stop("All tests pass.")
