"""`witnessmark hook claude-code` with payloads as Claude Code sends them, through a process of its own."""

import json
import os
import subprocess
import sys

import pytest

from witnessmark.actions.claim import ActionClaim, contradicted, unsupported
from witnessmark.actions.claims.omissions import Danger
from witnessmark.actions.tree.capture import take
from witnessmark.integrations.hook.memory import HookMemory
from witnessmark.integrations.hook.reply import FalseStatement, Omission, complaint, reply_to

HONEST = "Created `src/a.py` and ran `pytest -q`: 2 passed."
FALSE = "I created `src/never.py` and updated `src/a.py`. All 12 tests pass."


def said(text):
    return {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": text}]}}


def used(identity, name, given):
    block = {"type": "tool_use", "id": identity, "name": name, "input": given}
    return {
        "type": "assistant",
        "timestamp": "2026-01-02T03:04:05.000Z",
        "message": {"role": "assistant", "content": [block]},
    }


def came_back(identity, content, *, failed=False, told=None):
    block = {"type": "tool_result", "tool_use_id": identity, "content": content, "is_error": failed}
    item = {"type": "user", "message": {"role": "user", "content": [block]}}
    return item | ({"toolUseResult": told} if told is not None else {})


@pytest.fixture
def session(tmp_path, warm):
    """A working folder, a transcript and a place to remember; `stop` sends one payload through the real command."""
    root = tmp_path / "repo"
    (root / "src").mkdir(parents=True)
    (root / "src" / "a.py").write_text("x = 1\n")
    transcript = tmp_path / "transcript.jsonl"
    items = [
        {"type": "summary", "summary": "work", "leafUuid": "1"},
        {"type": "user", "message": {"role": "user", "content": "please"}},
        used("t1", "Write", {"file_path": str(root / "src" / "a.py"), "content": "x = 1\n"}),
        came_back("t1", "File created", told={"type": "create", "filePath": "a.py"}),
        used("t2", "Bash", {"command": "pytest -q"}),
        came_back(
            "t2", "..\n2 passed in 0.01s", told={"stdout": "2 passed in 0.01s", "stderr": "", "interrupted": False}
        ),
    ]
    transcript.write_text("\n".join(map(json.dumps, items)))

    def stop(report=None, *, options=(), raw=None, project="", **more):
        payload = {
            "session_id": "0f3c", "transcript_path": str(transcript), "cwd": str(root), "permission_mode": "default",
            "hook_event_name": "Stop", "stop_hook_active": False, "background_tasks": [],
        } | ({"last_assistant_message": report} if report is not None else {}) | more  # fmt: skip
        given = raw if raw is not None else json.dumps(payload).encode()
        command = [*warm, "-m", "witnessmark", "hook", "claude-code", "--state", str(tmp_path / "state"), *options]
        return subprocess.run(
            command,
            input=given,
            capture_output=True,
            env=os.environ | {"CLAUDE_PROJECT_DIR": project},
            timeout=60,
            check=False,
        )

    stop.root, stop.transcript, stop.state = root, transcript, tmp_path / "state"
    return stop


def test_an_honest_report_passes_in_silence(session):
    done = session(HONEST)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_false_report_is_blocked_with_the_exact_list_of_what_is_missing(session):
    done = session(FALSE)
    answer = json.loads(done.stdout)
    assert done.returncode == 0
    assert answer["decision"] == "block"  # req: S3-040
    assert 'the file is not there: "src/never.py"' in answer["reason"]  # req: S3-040
    assert 'the runner printed other counts: "12"; closest: trace "2 passed, 0 failed (pytest)"' in answer["reason"]
    assert "in: **12** tests pass\n   → State the counts the runner printed" in answer["reason"]
    assert "src/a.py" not in answer["reason"]


def test_twenty_stops_with_the_same_report_are_blocked_exactly_once(session):
    payload = {
        "session_id": "s",
        "transcript_path": str(session.transcript),
        "cwd": str(session.root),
        "last_assistant_message": FALSE,
    }
    answers = [reply_to(json.dumps(payload).encode(), HookMemory(session.state), 3) for _ in range(20)]
    assert [answer.body is not None and "decision" in answer.body for answer in answers] == [True] + [False] * 19


def test_after_a_block_the_rest_is_let_through_and_visibly_marked(session):
    session(FALSE)
    done = session(FALSE)
    assert "are not true (this was reported before" in json.loads(done.stdout)["systemMessage"]
    assert b"are not true" in done.stderr


def test_an_agent_that_was_asked_to_continue_is_never_blocked(session):
    answer = json.loads(session(FALSE, stop_hook_active=True).stdout)
    assert "decision" not in answer
    assert "asked to continue already" in answer["systemMessage"]


def test_new_untruths_are_blocked_up_to_a_cap(session):
    answers = [session(f"Created `src/never{n}.py`.", options=("--max-blocks", "2")).stdout for n in range(4)]
    assert [b'"decision"' in answer for answer in answers] == [True, True, False, False]
    assert b"2 blocks in one session are enough" in answers[-1]


def test_other_sessions_have_a_memory_of_their_own(session):
    assert b'"decision"' in session(FALSE).stdout
    assert b'"decision"' in session(FALSE, session_id="another").stdout


def test_without_last_assistant_message_the_transcript_is_read(session):
    with session.transcript.open("a") as file:
        file.write("\n" + json.dumps(said(FALSE)))
    assert b"src/never.py" in session().stdout


def test_a_subagent_is_held_to_its_own_transcript(session, tmp_path):
    own = tmp_path / "agent.jsonl"
    own.write_text(json.dumps(used("s1", "Read", {"file_path": "x"})))
    more = {"hook_event_name": "SubagentStop", "agent_id": "def456", "agent_transcript_path": str(own)}
    answer = json.loads(session("Ran `pytest -q`: 2 passed.", **more).stdout)
    assert "the trace has no such command" in answer["reason"]
    assert session("Ran `pytest -q`: 2 passed.").stdout == b""


@pytest.mark.parametrize(
    "raw", [b"", b"not json", b"[]", b"{}", b'{"session_id": 7}', b"\xff\xfe", b'{"session_id": "s", "transcript_path": "/no/such/file"}',
            b'{"session_id": "s", "hook_event_name": "PreToolUse"}'],
)  # fmt: skip
def test_a_hook_that_breaks_lets_through_and_says_unverified(session, raw):
    done = session(raw=raw)
    assert done.returncode == 0
    assert "UNVERIFIED" in json.loads(done.stdout)["systemMessage"]
    assert "decision" not in json.loads(done.stdout)
    assert b"UNVERIFIED" in done.stderr


def test_a_place_to_remember_that_cannot_be_written_does_not_block(session):
    session.state.write_text("a file, not a folder")
    done = session(FALSE)
    assert "UNVERIFIED" in json.loads(done.stdout)["systemMessage"]


WRONG = [
    ("--max-blocks", "many"),
    ("--seconds", "-1"),
    ("--seconds",),
    ("--bogus",),
    ("extra",),
    ("--before", "none.snap"),
]


@pytest.mark.parametrize("options", WRONG)
def test_wrong_options_never_exit_with_two_which_would_block(session, options):
    done = session(FALSE, options=options)
    assert done.returncode == 0
    assert "UNVERIFIED" in json.loads(done.stdout)["systemMessage"]
    assert b"UNVERIFIED" in done.stderr
    assert b"decision" not in done.stdout


@pytest.mark.parametrize("arguments", [(), ("claude-cod",), ("--bogus", "claude-code")])
def test_a_hook_that_is_not_known_lets_through_too(arguments):
    command = [sys.executable, "-m", "witnessmark", "hook", *arguments]
    done = subprocess.run(command, input=b"{}", capture_output=True, timeout=60, check=False)
    assert done.returncode == 0
    assert "UNVERIFIED" in json.loads(done.stdout)["systemMessage"]


def test_a_payload_that_never_ends_is_let_through_in_time(session):
    command = [
        sys.executable,
        "-m",
        "witnessmark",
        "hook",
        "claude-code",
        "--seconds",
        "1",
        "--state",
        str(session.state),
    ]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.wait(timeout=60) == 0
        assert process.stdout is not None
        assert "UNVERIFIED" in json.loads(process.stdout.read())["systemMessage"]


def test_a_transcript_that_cannot_be_read_whole_holds_nothing_against_the_agent(session):
    with session.transcript.open("a") as file:
        file.write("\n{broken")
    assert session("Ran `cargo build`. All 12 tests pass.").stdout == b""


def test_nothing_outside_the_working_folder_is_looked_at(session, tmp_path):
    (session.root / "link").symlink_to("/etc")
    report = "Created `/etc/never-there.conf`, `../outside.py` and `link/never.conf`. Deleted `/etc/passwd`."
    assert session(report).stdout == b""


def test_hostile_text_in_a_report_cannot_forge_lines(session):
    answer = json.loads(session("Created `src/\x1b[2Jnever.py`, `src/nix.py` and `src/x\u202ey.py`.").stdout)
    assert "src/nix.py" in answer["reason"]
    assert "\x1b" not in answer["reason"]
    assert "\u202e" not in answer["reason"]


@pytest.mark.parametrize(
    ("agent", "event"),
    [
        ("claude-code", "Stop"),
        ("codex", "Stop"),
        ("gemini", "AfterAgent"),
        ("cursor", "stop"),
        ("copilot", "agentStop"),
    ],
)
def test_settings_name_the_event_and_the_full_path_of_the_command(agent, event):
    done = subprocess.run(
        [sys.executable, "-m", "witnessmark", "hook", agent, "--print-settings"],
        capture_output=True, timeout=60, check=True,
    )  # fmt: skip
    entry = json.dumps(json.loads(done.stdout)["hooks"][event])
    assert f"hook {agent}" in entry
    assert '"/' in entry, "from the root, so that it is found whatever PATH the agent has"
    assert (b"not tried" in done.stderr) == (agent != "claude-code")


def test_the_settings_are_put_beside_what_a_project_has(tmp_path):
    place = tmp_path / ".claude" / "settings.json"
    place.parent.mkdir()
    place.write_text('{"model": "x", "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}]}}')
    command = [sys.executable, "-m", "witnessmark", "hook", "claude-code", "--install"]
    for _ in range(2):
        subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=60, check=True)
    made = json.loads(place.read_text())
    assert made["model"] == "x"
    assert [entry["hooks"][0]["command"].split()[-2:] for entry in made["hooks"]["Stop"]] == [
        ["mine"],
        ["hook", "claude-code"],
    ]
    place.write_text("{broken")
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=60, check=False)
    assert (done.returncode, place.read_text()) == (1, "{broken")


def test_a_session_that_is_told_of_from_its_start_is_held_against_how_the_tree_was(session):
    (session.root / "old.py").write_text("old\n")
    assert session(hook_event_name="SessionStart").stdout == b""
    reason = json.loads(session("Deleted `gone.py`.").stdout)["reason"]
    assert 'it was not there before either, so nothing was deleted: "gone.py"' in reason


def test_other_agents_are_answered_in_their_own_words(session, warm):
    def answer(agent, **more):
        payload = {"transcript_path": str(session.transcript), "cwd": str(session.root)} | more
        command = [*warm, "-m", "witnessmark", "hook", agent, "--state", str(session.state / agent)]
        done = subprocess.run(command, input=json.dumps(payload).encode(), capture_output=True, timeout=60, check=True)
        return json.loads(done.stdout)

    gemini = answer("gemini", session_id="g", hook_event_name="AfterAgent", prompt_response=FALSE)
    assert (gemini["decision"], "src/never.py" in gemini["reason"]) == ("deny", True)
    cursor = answer("cursor", conversation_id="c", hook_event_name="stop", status="completed", loop_count=0, text=FALSE)
    assert "src/never.py" in cursor["followup_message"]
    again = answer("cursor", conversation_id="c2", hook_event_name="stop", loop_count=1, text=FALSE)
    assert "followup_message" not in again, "it was asked to go on already"
    copilot = answer("copilot", sessionId="p", hook_event_name="agentStop", last_assistant_message=FALSE)
    assert copilot["decision"] == "block"


def test_a_snapshot_from_before_shows_what_the_transcript_cannot(session, tmp_path):
    (session.root / "old.py").write_text("old\n")
    before = tmp_path / "before.snap"
    before.write_bytes(take(session.root).write())
    report = "Updated `old.py` and deleted `gone.py`."
    said = json.loads(session(report).stdout)["reason"]
    assert 'the file is there, and no call in the trace changed it: "old.py"' in said
    assert "gone.py" not in said, "nothing shows that it ever was"
    reason = json.loads(session(report, session_id="2", options=("--before", str(before))).stdout)["reason"]
    assert 'the file was there before, and its bytes are the same: "old.py"' in reason
    assert 'it was not there before either, so nothing was deleted: "gone.py"' in reason
    (session.root / "old.py").write_text("new\n")
    assert session("Updated `old.py`.", session_id="3", options=("--before", str(before))).stdout == b""


@pytest.mark.parametrize(
    "report",
    [
        "Done.\n\n1. **Removed unused helpers** (`old.py`): deleted `one` and `two`, which nothing used.",
        "I removed unused imports from:\n   - `old.py`\n   - `src/a.py`",
        "Deleted the branch `fix/login`, and `build/` with what was in it.",
        "Added `run.lock` and `run-state.json` to `.gitignore`.",
        "The check in `src/same.py` is dropped when the flag is set, and `src/same.py:12` reads the flag.",
    ],
)
def test_a_snapshot_from_before_makes_no_untruth_of_a_part_removed_a_branch_or_a_description(session, tmp_path, report):
    (session.root / "old.py").write_text("def one(): ...\ndef two(): ...\nkept = 1\n")
    (session.root / "src" / "same.py").write_text("flag = 1\n")
    before = tmp_path / "before.snap"
    before.write_bytes(take(session.root).write())
    (session.root / "old.py").write_text("kept = 1\n")
    (session.root / ".gitignore").write_text("run.lock\n")
    assert session(report, options=("--before", str(before))).stdout == b""


def test_a_change_that_was_changed_back_in_the_same_session_is_not_called_untrue(session, tmp_path):
    before = tmp_path / "before.snap"
    before.write_bytes(take(session.root).write())
    options = ("--before", str(before))
    assert session("Removed the second line from `src/a.py`.", options=options).stdout == b"", (
        "the call wrote what is there"
    )
    (session.root / "src" / "b.py").write_text("y = 1\n")
    before.write_bytes(take(session.root).write())
    assert b"its bytes are the same" in session("Changed `src/b.py`.", session_id="2", options=options).stdout


def test_an_effect_that_a_probe_of_the_user_refutes_is_untrue(session, tmp_path):
    settings = tmp_path / "probes.toml"

    def said(code, session_id):
        run = json.dumps([sys.executable, "-c", f"raise SystemExit({code})"])
        settings.write_text(f"[probes.deployed]\nrun = {run}\ncontained = false\n")
        return session(
            "I deployed it to production.", session_id=session_id, options=("--probes", str(settings))
        ).stdout

    assert b"the probe says that it is not there" in said(1, "1")
    assert said(0, "2") == b""
    assert session("I deployed it to production.", session_id="3").stdout == b"", "nobody looked"
    settings.write_text("[probes.deployed]\nrun = 3\n")
    assert b"UNVERIFIED" in session("I deployed it.", session_id="4", options=("--probes", str(settings))).stdout


def test_an_agent_that_went_into_a_folder_is_held_to_paths_from_the_project(session, tmp_path):
    inner = str(session.root / "src")
    assert session(HONEST, cwd=inner, project=str(session.root)).stdout == b""
    assert b"src/never.py" in session(FALSE, cwd=inner, project=str(session.root)).stdout
    (tmp_path / "other").mkdir()
    answer = session(HONEST, session_id="2", project=str(tmp_path / "other")).stdout
    assert answer == b"", "it works outside of the project"


def test_a_working_folder_that_is_gone_is_said(session):
    answer = json.loads(session(FALSE, cwd=str(session.root / "none")).stdout)
    assert "UNVERIFIED" in answer["systemMessage"]


def test_a_long_list_is_cut_and_says_so():
    ruling = unsupported("file_not_found", "no")
    wrong = [FalseStatement(ActionClaim("file_create", path=f"{n}.py"), ruling) for n in range(30)]
    assert "… and 10 more." in complaint(wrong)


def test_what_was_left_out_is_counted_and_headed_apart_and_each_has_its_advice():
    false = FalseStatement(ActionClaim("file_create", path="a.py"), contradicted("contradicted_claim", "it is not so"))
    skipped = Omission(Danger("weakened", "tests/test_ids.py", "a test was skipped: test_ids", "c1"))
    secret = Omission(Danger("secret", ".env", "a secret was written (AKIA…)", "c2"))
    told = complaint([false, skipped, secret]).splitlines()
    assert told[0].endswith("1 of its statements is not true, 1 change is not mentioned, 1 secret was written.")
    at = told.index("Not mentioned in the report:")
    assert told[at + 1 : at + 3] == [
        "2. tests/test_ids.py: a test was skipped: test_ids",
        "   → Say so in the report, or revert it.",
    ]
    assert told[at + 3 : at + 5] == ["Secrets written into files:", "3. .env: a secret was written (AKIA…)"]
    assert sum(line.startswith("   → ") for line in told) == 3
    assert complaint([skipped, skipped]).splitlines()[0].endswith("the files: 2 changes are not mentioned.")


def test_the_next_stop_does_not_compile_its_expressions_again(session, tmp_path):
    compiled = tmp_path / "compiled"

    def stop():
        payload = {"session_id": "1", "transcript_path": str(session.transcript), "cwd": str(session.root)}
        given = json.dumps(payload | {"hook_event_name": "Stop", "last_assistant_message": FALSE}).encode()
        command = [sys.executable, "-m", "witnessmark", "hook", "claude-code", "--state", str(tmp_path / os.urandom(4).hex())]  # fmt: skip
        env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        env |= {"PYTHONPYCACHEPREFIX": str(compiled)}
        return subprocess.run(command, input=given, capture_output=True, env=env, timeout=60, check=True).stdout

    first = stop()
    (kept,) = compiled.rglob("*.expressions")
    before = kept.stat().st_mtime_ns, kept.read_bytes()
    assert json.loads(first)["decision"] == "block"
    assert stop() == first
    assert (kept.stat().st_mtime_ns, kept.read_bytes()) == before


@pytest.mark.parametrize("way", ["--install", "SessionStart"])
def test_what_a_stop_compiles_is_there_before_the_first_one(session, tmp_path, way):
    compiled = tmp_path / "compiled"

    def hook(*options, event="Stop"):
        payload = {"session_id": "1", "transcript_path": str(session.transcript), "cwd": str(session.root)}
        given = json.dumps(payload | {"hook_event_name": event, "last_assistant_message": FALSE}).encode()
        command = [sys.executable, "-m", "witnessmark", "hook", "claude-code", "--state", str(tmp_path / "state"), *options]  # fmt: skip
        env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        env |= {"PYTHONPYCACHEPREFIX": str(compiled)}
        subprocess.run(command, input=given, capture_output=True, env=env, cwd=tmp_path, timeout=300, check=True)
        (kept,) = compiled.rglob("*.expressions")
        return kept.stat().st_mtime_ns, kept.stat().st_size

    _, rehearsed = hook(*(["--install"] if way == "--install" else []), event=way)
    _, stopped = hook()
    assert stopped < rehearsed * 1.25  # nearly all that a stop compiles
    before = hook()
    assert hook(event="SessionStart") == before  # it is done once
