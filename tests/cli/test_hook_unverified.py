"""What the hook cannot look at it says aloud: a transcript that cannot be read, a file of probes or a package that is missing."""

import json
import subprocess
import sys

import pytest

USER = json.dumps({"type": "user", "message": {"role": "user", "content": "Please do it."}})
SAID = json.dumps({"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": "Done."}]}})  # fmt: skip


@pytest.fixture
def stop(tmp_path, warm):
    """A stop whose transcript has these lines, as the command answers it."""

    def answer(*lines, options=(), **more):
        transcript = tmp_path / "transcript.jsonl"
        transcript.write_text("\n".join(lines))
        payload = {"session_id": "s", "transcript_path": str(transcript), "cwd": str(tmp_path)} | more
        command = [*warm, "-m", "witnessmark", "hook", "claude-code", "--state", str(tmp_path / "state"), *options]
        done = subprocess.run(command, input=json.dumps(payload).encode(), capture_output=True, timeout=60, check=False)
        assert done.returncode == 0
        return json.loads(done.stdout)["systemMessage"] if done.stdout else ""

    return answer


def test_a_transcript_of_which_nothing_can_be_read_is_said(stop):
    assert "UNVERIFIED" in stop("root:x:0:0:root:/root:/bin/bash", "daemon:x:1:1::/:/bin/sh")
    assert "UNVERIFIED" in stop("root:x:0:0:root:/root:/bin/bash", last_assistant_message="All tests pass.")
    assert stop(USER, SAID) == ""


def test_a_last_line_that_is_cut_off_may_hold_the_report(stop):
    assert "line 3 cannot be read" in stop(USER, SAID, SAID[:60])
    assert stop(USER, SAID[:60], SAID) == ""
    assert stop(USER, SAID, SAID[:60], last_assistant_message="Done.") == ""


def test_a_file_of_probes_that_is_not_there_is_said(stop, tmp_path):
    assert "there is no such file" in stop(USER, SAID, options=("--probes", str(tmp_path / "none.toml")))


@pytest.mark.parametrize(("agent", "field"), [("claude-code", "systemMessage"), ("gemini", "systemMessage")])
def test_a_python_without_what_the_package_needs_lets_through(agent, field):
    code = f"import sys; sys.modules['msgspec'] = None; sys.argv[1:] = ['hook', '{agent}']; from witnessmark.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code], input=b"{}", capture_output=True, timeout=60, check=False)
    assert done.returncode == 0
    assert "UNVERIFIED" in json.loads(done.stdout)[field]
    assert b"Traceback" not in done.stderr
