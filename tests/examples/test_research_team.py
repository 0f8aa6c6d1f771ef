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


def lines_of(told, who):
    """The attempts of one, each as its verdict and what was found and done."""
    table = told.split("\n\n")[1].splitlines()[1:]
    first = next(number for number, line in enumerate(table) if line.startswith(who))
    rest = table[first + 1 :]
    more = next((number for number, line in enumerate(rest) if not line.startswith(" ")), len(rest))
    return [" ".join(line[16:].split()) for line in (table[first], *rest[:more])]


def test_it_is_told_in_fewer_than_forty_lines(told):
    assert len(told.splitlines()) < 40


def test_the_plan_that_goes_in_a_circle_is_made_again(told):
    first, second = lines_of(told, "planner")
    assert first.startswith("fail subgoals wait for each other in a cycle")
    assert first.endswith("→ sent back with feedback")
    assert second == "pass → accepted"


def test_the_honest_agent_is_accepted_at_once(told):
    assert lines_of(told, "counter") == ["pass → accepted"]
    assert "counter was honest: held against its document and accepted at once." in told


def test_the_agent_that_breaks_is_given_another_try_for_each_kind_of_break(told):
    first, second, third = lines_of(told, "accountant")
    assert first == "no output ConnectionError: the budget system does not answer → asked again"
    assert second.startswith("fail summary is empty")
    assert third == "pass → accepted"
    assert "accountant broke: asked again each time, and its work was used only when attempt 3 held." in told


def test_the_agent_that_lies_is_caught_twice_and_replaced(told):
    first, second = lines_of(told, "pollster")
    assert first == "fail a figure stands in none of the sources “84” → sent back with feedback"
    assert second.endswith("→ not used, generalist takes over")
    assert "pollster lied or erred: caught 2 times, its work is not used and generalist did it instead." in told
    assert lines_of(told, "generalist") == ["pass → accepted"]
    assert "What was refused (84, 9): none of it is in the answer." in told
    assert "84" not in told.rsplit("\n\n", 1)[1], "the lie did not reach the answer"


def test_the_moderator_the_writer_and_the_speaker_are_held_to_what_was_said(told):
    moderator, writer, speaker = (lines_of(told, who) for who in ("moderator", "writer", "speaker"))
    assert moderator[0].startswith("fail the conclusion says that all agreed, and somebody objected")
    assert writer[0].startswith("fail a figure stands in none of the sources “25”")
    assert speaker[0].startswith("fail the output declines, or announces work")
    assert [said[1:] for said in (moderator, writer, speaker)] == [["pass → accepted"]] * 3


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
    assert "no output   ValueError: the answer holds no JSON object → asked again" in done.stdout
    assert "→ a person has to look" in done.stdout or "→ given up" in done.stdout
    assert "accepted" not in done.stdout
