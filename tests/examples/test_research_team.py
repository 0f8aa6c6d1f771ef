"""The example team: one agent lies, one breaks, one is honest, and five checkpoints do something about it."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest


def run(root, *args):
    script = root / "examples" / "research_team" / "run.py"
    return subprocess.run(
        [sys.executable, str(script), *args], capture_output=True, text=True, check=False, timeout=120, cwd=root
    )


@pytest.fixture(scope="module")
def told():
    from pathlib import Path

    done = run(Path(__file__).resolve().parents[2])
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_plan_that_goes_in_a_circle_is_made_again(told):
    assert "plan, attempt 1: fail (subgoals wait for each other in a circle" in told
    assert "plan, attempt 2: pass" in told


def test_the_honest_agent_is_accepted_at_once(told):
    assert "counter, attempt 1: pass\n    → accept" in told


def test_the_agent_that_breaks_is_given_another_try_for_each_kind_of_break(told):
    assert "accountant, attempt 1: no output (ConnectionError: the budget system does not answer)" in told
    assert "accountant, attempt 2: fail (summary is empty" in told
    assert "accountant, attempt 3: pass" in told


def test_the_agent_that_lies_is_caught_twice_and_replaced(told):
    assert "pollster, attempt 1: fail (a figure stands in none of the sources “84”)" in told
    assert "pollster is not used; the subgoal goes to the generalist" in told
    assert "generalist, attempt 1: pass" in told
    assert "84" not in told.rsplit("\n\n", 1)[1], "the lie did not reach the answer"


def test_the_moderator_the_writer_and_the_speaker_are_held_to_what_was_said(told):
    assert "moderator, attempt 1: partial (the conclusion says that all agreed, and somebody objected" in told
    assert "a figure stands in none of the sources “25”" in told
    assert "synthesis, attempt 2: pass" in told, "every sentence is traced to the agent that bears it"
    assert "answer, attempt 1: fail (the output declines, or announces work" in told
    assert "answer, attempt 2: pass" in told


@pytest.fixture
def endpoint():
    """An OpenAI-compatible server that plays every part badly: it always says the same."""

    class Answer(BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["content-length"]))
            said = json.dumps({"choices": [{"message": {"content": "I cannot help with that."}}]}).encode()
            self.send_response(200)
            self.send_header("content-length", str(len(said)))
            self.end_headers()
            self.wfile.write(said)

        def log_message(self, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/v1#stub"
    server.shutdown()
    server.server_close()


def test_any_compatible_endpoint_can_play_the_parts_and_a_bad_one_is_not_believed(root, endpoint):
    done = run(root, "--endpoint", endpoint)
    assert done.returncode == 0, done.stderr
    assert "plan, attempt 1: no output (ValueError: the answer holds no JSON object)" in done.stdout
    assert "→ escalate" in done.stdout or "→ abort" in done.stdout
    assert "accept" not in done.stdout
