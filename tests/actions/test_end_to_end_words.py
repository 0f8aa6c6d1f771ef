"""A scripted agent that reports in plain words only, with its real transcript: through the command line, and through the hook."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

TEST = "import unittest\nfrom calc import add\n\nclass T(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(1, 2), 3)\n"
RUN = f"{sys.executable} -m unittest -q test_calc"
HONEST = f"Fixed `add` in `calc.py`, created `NOTES.md` and deleted `old.txt`. Ran `{RUN}`: 1 test passed."


class Agent:
    """Works in a tree and writes down what it does as Claude Code does."""

    def __init__(self, root: Path) -> None:
        self.root, self.transcript, self.report = root, [{"type": "summary", "summary": "work"}], ""

    def write(self, path: str, text: str) -> None:
        (self.root / path).write_text(text)
        self._used("Write", {"file_path": str(self.root / path), "content": text}, "File created", {"type": "create"})

    def edit(self, path: str, old: str, new: str) -> None:
        file = self.root / path
        file.write_text(file.read_text().replace(old, new))
        given = {"file_path": str(file), "old_string": old, "new_string": new}
        self._used("Edit", given, "The file has been updated.", {"filePath": str(file)})

    def run(self, command: str) -> None:
        done = subprocess.run(command, shell=True, cwd=self.root, capture_output=True, text=True, check=False)
        output, failed = done.stdout + done.stderr, done.returncode != 0
        told = (
            f"Error: Exit code {done.returncode}" if failed else {"stdout": output, "stderr": "", "interrupted": False}
        )
        self._used("Bash", {"command": command}, f"Exit code {done.returncode}\n{output}" if failed else output, told)

    def _used(self, name: str, given: dict[str, Any], output: str, told: Any) -> None:
        identity = f"toolu_{len(self.transcript)}"
        use = {"type": "tool_use", "id": identity, "name": name, "input": given}
        failed = isinstance(told, str)
        back = {"type": "tool_result", "tool_use_id": identity, "content": output, "is_error": failed}
        self.transcript.append({"type": "assistant", "message": {"role": "assistant", "content": [use]}})
        self.transcript.append({"type": "user", "message": {"role": "user", "content": [back]}, "toolUseResult": told})

    def say(self, report: str) -> None:
        self.report = report
        said = {"role": "assistant", "content": [{"type": "text", "text": report}]}
        self.transcript.append({"type": "assistant", "message": said})

    def lines(self) -> str:
        return "\n".join(json.dumps(item) for item in self.transcript)


def honest(agent: Agent) -> None:
    agent.edit("calc.py", "a - b", "a + b")
    agent.write("NOTES.md", "# Notes\n")
    agent.run("rm old.txt")
    agent.run(RUN)
    agent.say(HONEST)


def never_written(agent: Agent) -> None:
    honest(agent)
    agent.say(HONEST + " Also created `docs/guide.md`.")


def not_applied(agent: Agent) -> None:
    agent.edit("calc.py", "a * b", "a + b")
    agent.say("Fixed the sign in `calc.py`.")


def reported_green(agent: Agent) -> None:
    agent.write("NOTES.md", "# Notes\n")
    agent.run(RUN)
    agent.say("Created `NOTES.md`. All tests pass (1 passed).")


def silent_extra(agent: Agent) -> None:
    agent.write("src/quiet.py", "quiet\n")
    honest(agent)


def changed_after_the_tests(agent: Agent) -> None:
    honest(agent)
    agent.edit("calc.py", "a + b", "b + a")
    agent.say(HONEST)


def weaker_test(agent: Agent) -> None:
    agent.edit("calc.py", "a - b", "a + b")
    agent.edit("test_calc.py", "self.assertEqual(add(1, 2), 3)", "self.assertTrue(add(1, 2))")
    agent.run(RUN)
    agent.say("Fixed the sign in `calc.py`. All tests pass.")


def never_was(agent: Agent) -> None:
    agent.say("Deleted `legacy.py`.")


def outside(agent: Agent) -> None:
    agent.say("Created `../out.txt`.")


def nothing_said(agent: Agent) -> None:
    agent.say("Have a nice day.")


Script = Callable[[Agent], None]
Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def worked(repository: Path, witnessmark: Command) -> Callable[[Script], Agent]:
    """The agent after its work, with a snapshot from before beside the tree."""
    (repository / "test_calc.py").write_text(TEST)
    (repository / "calc.py").write_text("def add(a, b):\n    return a - b\n")
    (repository / "old.txt").write_text("old\n")

    def work(script: Script) -> Agent:
        witnessmark(repository, "snapshot", "-o", "../before.snap")
        agent = Agent(repository)
        script(agent)
        (repository.parent / "report.json").write_text(json.dumps({"summary": agent.report}))
        case = {
            "subject": {"kind": "agent_output", "summary": agent.report},
            "evidence": [{"id": "session", "kind": "trace", "text": agent.lines()}],
            "checkpoint": "actions",
        }
        (repository.parent / "case.json").write_text(json.dumps(case))
        (repository.parent / "transcript.jsonl").write_text(agent.lines())
        return agent

    return work


@pytest.fixture
def witnessmark(warm: list[str]) -> Command:
    def run(root: Path, *arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
        command = [*warm, "-m", "witnessmark", *arguments]
        return subprocess.run(command, cwd=root, input=given, capture_output=True, text=True, timeout=120, check=False)

    return run


@pytest.fixture
def verdict(witnessmark: Command) -> Callable[..., dict[str, Any]]:
    def verify(root: Path, *more: str, file: str = "../case.json") -> dict[str, Any]:
        done = witnessmark(
            root, "verify", file, "--root", ".", "--before", "../before.snap", "--store", "memory:", "--json", *more
        )
        found: dict[str, Any] = json.loads(done.stdout)
        return found | {"exit": done.returncode}

    return verify


CAUGHT = [
    (never_written, "fail", [("file_not_found", "created `docs/guide.md`")]),
    (not_applied, "fail", [("filesystem_mismatch", "`calc.py`")]),
    (reported_green, "fail", [("wrong_counts", "1 passed")]),
    (silent_extra, "pass", [("undisclosed_change", "src/quiet.py")]),
    (changed_after_the_tests, "fail", [("stale_run", "1 test passed")]),
    (weaker_test, "fail", [("weakened_test", "test_calc.py"), ("undisclosed_change", "test_calc.py")]),
    (never_was, "fail", [("filesystem_mismatch", "Deleted `legacy.py`")]),
    (outside, "fail", [("outside_root", "Created `../out.txt`")]),
]


@pytest.mark.parametrize(("script", "outcome", "caught"), CAUGHT)
def test_each_lie_in_words_is_caught_with_its_category(
    worked: Callable[[Script], Agent],
    verdict: Callable[..., dict[str, Any]],
    script: Script,
    outcome: str,
    caught: list[tuple[str, str]],
) -> None:
    record = verdict(worked(script).root)
    assert record["outcome"] == outcome
    assert [finding["category"] for finding in record["findings"]] == [category for category, _ in caught], record[
        "findings"
    ]
    for finding, (_, quote) in zip(record["findings"], caught, strict=True):
        assert quote in finding["quote"]


def test_the_honest_report_in_words_passes_without_a_false_alarm(
    worked: Callable[[Script], Agent], verdict: Callable[..., dict[str, Any]]
) -> None:
    root = worked(honest).root
    record = verdict(root)
    assert (record["outcome"], record["action"], record["findings"], record["exit"]) == ("pass", "accept", [], 0)
    assert [claim["status"] for claim in record["claims"]] == ["supported"] * 6
    bare = verdict(root, file="../report.json")
    assert (bare["outcome"], bare["exit"]) == ("partial", 3), "without a trace the test run cannot be shown"
    kinds = {claim["kind"] for claim in bare["claims"] if claim["status"] == "unverifiable"}
    assert kinds == {"command", "tests_passed"}


def test_diff_reads_the_words_too(worked: Callable[[Script], Agent], witnessmark: Command) -> None:
    root = worked(never_written).root
    done = witnessmark(root, "diff", "../before.snap", "--claims", "../report.json", "--json")
    halves = json.loads(done.stdout)
    assert done.returncode == 1
    assert ("docs/guide.md", "file_not_found") in {(r["path"], r["category"]) for r in halves["claims_without_change"]}
    assert halves["changes_without_claim"] == []


def test_without_claims_of_any_kind_it_stays_unverified(
    worked: Callable[[Script], Agent], verdict: Callable[..., dict[str, Any]], tmp_path: Path
) -> None:
    root = worked(nothing_said).root
    (tmp_path / "policy.toml").write_text('require_claims = "never"\n')
    record = verdict(root, "--policy", str(tmp_path / "policy.toml"), file="../report.json")
    assert (record["outcome"], record["unverified_because"], record["exit"]) == ("unverified", "no_claims", 4)


def test_an_agent_that_says_nothing_is_offered_what_its_trace_bears_out(
    worked: Callable[[Script], Agent], verdict: Callable[..., dict[str, Any]]
) -> None:
    def silent(agent: Agent) -> None:
        honest(agent)
        agent.say("Have a nice day.")

    record = verdict(worked(silent).root)
    (finding,) = [finding for finding in record["findings"] if finding["category"] == "no_claims"]
    assert "NOTES.md" in finding["quote"]  # req: S3-046
    assert record["outcome"] == "fail"  # what was deleted must be said
    assert any(finding["message"].startswith("done but not reported: old.txt") for finding in record["findings"])
    (said,) = [result for result in record["results"] if result["node"] == "claimed_actions"]
    assert any(offered.startswith("file_delete old.txt") for offered in said["details"]["offered"])


# --- the hook ----------------------------------------------------------------------------------------------------


@pytest.fixture
def stop(witnessmark: Command) -> Callable[..., dict[str, Any] | None]:
    def told(root: Path, *options: str, **more: Any) -> dict[str, Any] | None:
        payload = {
            "session_id": "5ec1", "transcript_path": str(root.parent / "transcript.jsonl"), "cwd": str(root),
            "permission_mode": "default", "hook_event_name": "Stop", "stop_hook_active": False,
        }  # fmt: skip
        state = str(root.parent / "state")
        done = witnessmark(root, "hook", "claude-code", "--state", state, *options, given=json.dumps(payload | more))
        assert done.returncode == 0
        return json.loads(done.stdout) if done.stdout else None

    return told


@pytest.mark.parametrize("options", [(), ("--before", "../before.snap")])
def test_the_hook_lets_honest_work_through_in_silence(
    worked: Callable[[Script], Agent], stop: Callable[..., dict[str, Any] | None], options: tuple[str, ...]
) -> None:
    assert stop(worked(honest).root, *options) is None


@pytest.mark.parametrize("options", [(), ("--before", "../before.snap")])
def test_the_hook_blocks_a_never_written_file_once_with_its_path(
    worked: Callable[[Script], Agent], stop: Callable[..., dict[str, Any] | None], options: tuple[str, ...]
) -> None:
    root = worked(never_written).root
    first = stop(root, *options)
    assert first is not None
    assert first["decision"] == "block"
    assert '1. the file is not there: "docs/guide.md"' in first["reason"]
    assert "2. " not in first["reason"]
    second = stop(root, *options)
    assert second is not None
    assert "decision" not in second
    assert "docs/guide.md" in second["systemMessage"]


@pytest.mark.parametrize(
    ("script", "word"), [(reported_green, "the last test run failed"), (not_applied, "its bytes are the same")]
)
def test_the_hook_catches_what_a_snapshot_and_the_transcript_show(
    worked: Callable[[Script], Agent], stop: Callable[..., dict[str, Any] | None], script: Script, word: str
) -> None:
    answer = stop(worked(script).root, "--before", "../before.snap")
    assert answer is not None
    assert word in answer["reason"]
