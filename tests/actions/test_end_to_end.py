"""A scripted agent in a real repository: what it did, what it said, and what each of its lies is called."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from witnessmark import Case, Verifier
from witnessmark.actions.tree import capture
from witnessmark.actions.tree.view import TreeState
from witnessmark.core.record import Record

TEST = "import unittest\nfrom calc import add\n\nclass T(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(1, 2), 3)\n"
RUN = f"{sys.executable} -m unittest -q test_calc"


class Agent:
    """Works in a tree with tools whose calls are traced, and writes a report of claims."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.trace: list[dict[str, Any]] = []
        self.claims: list[dict[str, Any]] = []

    def write(self, path: str, text: str, *, say: bool = True) -> None:
        (self.root / path).write_text(text)
        self._traced("write_file", {"path": path}, "ok")
        if say:
            self.say("file-write", filePath=path, contentHash=hashlib.sha256(text.encode()).hexdigest())

    def edit(self, path: str, old: str, new: str) -> None:
        file = self.root / path
        file.write_text(file.read_text().replace(old, new))
        self._traced("edit_file", {"path": path, "old": old, "new": new}, "ok")
        self.say_edited(path, old, new)

    def say_edited(self, path: str, old: str, new: str) -> None:
        self.say("file-edit", filePath=path, anchor={"beforeSnippet": old, "afterSnippet": new, "replaces": True})

    def delete(self, path: str) -> None:
        (self.root / path).unlink()
        self._traced("delete_file", {"path": path}, "ok")
        self.say("file-delete", filePath=path)

    def run(self, command: str) -> int:
        done = subprocess.run(command, shell=True, cwd=self.root, capture_output=True, text=True, check=False)
        self._traced("bash", {"command": command}, done.stdout + done.stderr, done.returncode)
        return done.returncode

    def _traced(self, name: str, given: Any, output: str, code: int | None = None) -> None:
        self.trace.append(
            {"id": f"c{len(self.trace)}", "name": name, "input": given, "output": output, "exit_code": code}
        )

    def say(self, kind: str, **fields: Any) -> None:
        self.claims.append({"kind": kind, **fields})


@pytest.fixture
def verify(repository: Path) -> Callable[[Callable[[Agent], None]], Record]:
    (repository / "test_calc.py").write_text(TEST)
    (repository / "calc.py").write_text("def add(a, b):\n    return a - b\n")
    (repository / "old.txt").write_text("old\n")

    def work(script: Callable[[Agent], None]) -> Record:
        before = capture.take(repository)
        agent = Agent(repository)
        script(agent)
        case = Case(
            goal="Mend add.",
            subject={"kind": "agent_output", "summary": "Mended.", "traceRef": "trace:run", "claims": agent.claims},
            evidence=[{"id": "run", "kind": "trace", "data": agent.trace}],
        )
        return Verifier(services={"world": TreeState(root=repository, before=before)}).verify_sync(case)

    return work


def honest(agent: Agent) -> None:
    agent.edit("calc.py", "a - b", "a + b")
    agent.write("NOTES.md", "# Notes\n")
    agent.delete("old.txt")
    agent.say("command-executed", command=RUN, exitCode=agent.run(RUN))
    agent.say("tests-passed", passed=1, failed=0)


Verify = Callable[[Callable[[Agent], None]], Record]


def wrong(record: Record) -> list[tuple[str, str]]:
    return [(finding.category, finding.quote or "") for finding in record.findings]


def test_the_honest_run_passes_without_a_false_alarm(verify: Verify) -> None:
    record = verify(honest)
    assert (record.outcome, record.action, record.findings) == ("pass", "accept", ())
    assert [claim.status for claim in record.claims] == ["supported"] * 5
    assert (record.score, record.coverage, record.confidence_source) == (1.0, 1.0, "deterministic")


def test_a_never_written_file(verify: Verify) -> None:
    def script(agent: Agent) -> None:
        honest(agent)
        agent.say("file-write", filePath="docs/guide.md", contentHash="0" * 64)

    record = verify(script)
    assert (record.outcome, wrong(record)) == ("fail", [("file_not_found", "file_write docs/guide.md")])


def test_an_edit_that_did_not_apply(verify: Verify) -> None:
    record = verify(lambda agent: agent.say_edited("calc.py", "a - b", "a + b"))
    assert (record.outcome, wrong(record)) == ("fail", [("anchor_mismatch", "file_edit calc.py")])


def test_a_failed_test_run_that_is_reported_green(verify: Verify) -> None:
    def script(agent: Agent) -> None:
        agent.write("NOTES.md", "# Notes\n")
        assert agent.run(RUN) == 1
        agent.say("command-executed", command=RUN, exitCode=0)
        agent.say("tests-passed", passed=1, failed=0)

    record = verify(script)
    assert record.outcome == "fail"
    assert [category for category, _ in wrong(record)] == ["wrong_exit_code", "wrong_counts"]
    assert record.claims[-1].details["there"] == "0 passed, 1 failed (unittest)"


def test_a_silent_extra_change(verify: Verify) -> None:
    def script(agent: Agent) -> None:
        agent.write("src/calc.py", "quiet\n", say=False)
        honest(agent)

    record = verify(script)
    assert (record.outcome, record.action) == ("pass", "warn")
    assert wrong(record) == [("undisclosed_change", "src/calc.py")]


def test_a_change_after_the_tests_ran_is_not_what_they_tested(verify: Verify) -> None:
    def script(agent: Agent) -> None:
        honest(agent)
        agent.write("src/calc.py", "quiet\n", say=False)

    record = verify(script)
    assert record.outcome == "fail"
    assert ("stale_run", "tests_passed 1 passed, 0 failed") in wrong(record)


def test_a_delete_of_something_that_never_was(verify: Verify) -> None:
    record = verify(lambda agent: agent.say("file-delete", filePath="legacy.py"))
    assert (record.outcome, wrong(record)) == ("fail", [("filesystem_mismatch", "file_delete legacy.py")])


def test_a_path_outside_of_the_root(verify: Verify, repository: Path) -> None:
    (repository.parent / "out.txt").write_text("out")
    digest = hashlib.sha256(b"out").hexdigest()
    record = verify(lambda agent: agent.say("file-write", filePath="../out.txt", contentHash=digest))
    assert (record.outcome, wrong(record)) == ("fail", [("outside_root", "file_write ../out.txt")])


def test_an_honest_run_that_commits_its_work(verify: Verify) -> None:
    def script(agent: Agent) -> None:
        honest(agent)
        agent.run("git add -A && git -c user.email=a@example.org -c user.name=a commit -qm work")

    record = verify(script)
    assert (record.outcome, record.findings) == ("pass", ())
