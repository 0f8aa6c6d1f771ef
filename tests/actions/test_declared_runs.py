"""An agent's own list of what it ran, checked, committed, sent and left alone, through the verifier: exact, and held against its trace."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from witnessmark.actions.tree import capture
from witnessmark.actions.tree.probes import EffectProbe
from witnessmark.actions.tree.view import TreeState
from witnessmark.core.record import Record

Report = Callable[..., Record]
Call = dict[str, Any]


def ran(command: str, code: int | None = 0, output: str = "", number: int = 1) -> Call:
    ended = {} if code is None else {"exit_code": code}
    return {"id": f"c{number}", "name": "bash", "input": {"command": command}, "output": output} | ended


def edited(path: str, old: str, new: str, number: int = 2) -> Call:
    given = {"file_path": path, "old_string": old, "new_string": new}
    return {"id": f"e{number}", "name": "Edit", "input": given, "output": "updated"}


def got(url: str, output: Any) -> Call:
    return {"id": "h1", "name": "http", "input": {"url": url}, "output": output}


def held(report: Report, claim: dict[str, Any], *calls: Call, **more: Any) -> tuple[str, str]:
    """What is said of the one claim of a report with this trace."""
    (found,) = report(claim, trace=list(calls), **more).claims
    return found.status, str(found.details.get("category", ""))


SUPPORTED = ("supported", "")
OPEN = ("unverifiable", "unverifiable_claim")
NOT_IN_TRACE = ("unsupported", "not_in_trace")


class TestCommands:
    @pytest.mark.parametrize(
        ("claim", "calls", "expected"),
        [
            ({"command": "ls -a"}, [ran("ls -a")], SUPPORTED),
            ({"command": "ls   -a"}, [ran("ls -a")], SUPPORTED),
            ({"command": "ls -a"}, [ran("cd src && ls -a")], SUPPORTED),
            ({"command": "ls -a"}, [ran("ls -l")], NOT_IN_TRACE),
            ({"command": "make", "exitCode": 0}, [ran("make", 0)], SUPPORTED),
            ({"command": "make", "exitCode": 0}, [ran("make", 2)], ("contradicted", "wrong_exit_code")),
            ({"command": "make", "exitCode": 2}, [ran("make", 2)], SUPPORTED),
            ({"command": "make", "exitCode": 0}, [ran("make", 2), ran("make", 0, number=2)], SUPPORTED),
            ({"command": "make", "exitCode": 0}, [ran("make", 0), ran("make", 2, number=2)], ("contradicted", "wrong_exit_code")),
            ({"command": "make", "exitCode": 0}, [ran("make", None)], OPEN),
            ({"command": "make", "exitCode": 0}, [ran("make | tee log", 0)], OPEN),
            ({"command": "pytest", "exitCode": 0}, [ran("pytest || true", 0, "1 failed in 0.1s")], ("contradicted", "wrong_exit_code")),
        ],
        ids=[
            "ran", "other spaces", "a part of a line", "another one", "ended well", "ended badly", "said to end badly", "well at last",
            "badly at last", "no exit code", "behind a pipe", "masked, and it printed a failure",
        ],
    )  # fmt: skip
    def test_a_command(
        self, report: Report, claim: dict[str, Any], calls: list[Call], expected: tuple[str, str]
    ) -> None:
        assert held(report, {"kind": "command", **claim}, *calls) == expected

    def test_an_earlier_run_is_told_apart_by_a_later_claim(self, report: Report) -> None:
        first, second = ({"kind": "command", "command": "make", "exitCode": code} for code in (2, 0))
        record = report(first, second, trace=[ran("make", 2), ran("make", 0, number=2)])
        assert [claim.status for claim in record.claims] == ["supported", "supported"]
        record = report(second, first, trace=[ran("make", 2), ran("make", 0, number=2)])
        assert [claim.status for claim in record.claims] == ["supported", "contradicted"], "the last one ended with 0"

    def test_what_was_run_is_shown_beside_what_was_claimed(self, report: Report) -> None:
        record = report({"kind": "command", "command": "make", "exitCode": 0}, trace=[ran("make", 2)])
        (wrong,) = record.findings[0].words
        assert (wrong.text, wrong.closest.text) == ("make", "exit code 2")


class TestTests:
    GREEN = ran("pytest -q", 0, "12 passed in 0.4s")

    @pytest.mark.parametrize(
        ("claim", "calls", "expected"),
        [
            ({"passed": 12}, [GREEN], "supported"),
            ({"passed": 11}, [GREEN], "contradicted"),
            ({"passed": 12, "command": "pytest -q"}, [GREEN], "supported"),
            ({"passed": 12, "command": "jest"}, [GREEN], "unsupported"),
            ({"passed": 11, "failed": 1}, [ran("pytest", 1, "1 failed, 11 passed in 0.4s")], "supported"),
            ({"passed": 9, "failed": 3}, [ran("pytest", 1, "1 failed, 11 passed in 0.4s")], "contradicted"),
            ({"failed": 1}, [ran("pytest", 1, "boom")], "unverifiable"),
            ({"passed": 17}, [GREEN, ran("npx jest", 0, "Tests: 5 passed, 5 total", 2)], "supported"),
            ({"passed": 12}, [ran("make test", 0, "")], "unverifiable"),
            ({}, [ran("pytest", 5, "no tests ran in 0.01s")], "contradicted"),
            ({}, [GREEN, edited("src/a.py", "a = 1", "a = 2")], "contradicted"),
            ({}, [GREEN, edited("README.md", "a", "b")], "supported"),
        ],
        ids=[
            "as printed", "fewer", "by the command named", "by a command that did not run", "failures told", "other failures told",
            "failures without counts", "two runs together", "a runner without counts", "no test ran", "changed since", "words changed since",
        ],
    )  # fmt: skip
    def test_counts_are_those_that_were_printed(
        self, report: Report, claim: dict[str, Any], calls: list[Call], expected: str
    ) -> None:
        assert held(report, {"kind": "tests_passed", **claim}, *calls)[0] == expected


class TestRequests:
    URL = "https://example.org/items"

    @pytest.mark.parametrize(
        ("status", "output", "expected"),
        [
            (201, {"status": 201}, SUPPORTED),
            (201, {"statusCode": 201}, SUPPORTED),
            (None, {"status": 500}, SUPPORTED),
            (201, {"status": 500}, ("contradicted", "contradicted_claim")),
            (201, {"body": "made"}, OPEN),
            (201, {"status": "created"}, OPEN),
        ],
        ids=["this status", "another key", "only requested", "another status", "no status", "a status in words"],
    )
    def test_a_request(self, report: Report, status: int | None, output: Any, expected: tuple[str, str]) -> None:
        assert held(report, {"kind": "http", "url": self.URL, "status": status}, got(self.URL, output)) == expected

    def test_to_another_address_none_was_made(self, report: Report) -> None:
        assert held(report, {"kind": "http", "url": self.URL}, got("https://example.org/other", {})) == NOT_IN_TRACE


class TestChecksGitAndEffects:
    @pytest.mark.parametrize(
        ("claim", "calls", "expected"),
        [
            ({"kind": "check_passed", "check": "lint"}, [ran("ruff check .")], SUPPORTED),
            ({"kind": "check_passed", "check": "lint"}, [ran("ruff check .", 1)], ("contradicted", "wrong_exit_code")),
            ({"kind": "check_passed", "check": "types"}, [ran("ruff check .")], NOT_IN_TRACE),
            ({"kind": "check_passed", "check": "build"}, [ran("ls")], OPEN),
            ({"kind": "check_passed", "check": "lint"}, [ran("ruff check . | tail -1", 0, "")], OPEN),
            ({"kind": "check_passed", "check": "coverage", "value": "92 %"}, [ran("pytest --cov", 0, "TOTAL 500 36 92%\n")], SUPPORTED),
            ({"kind": "check_passed", "check": "coverage", "value": "99 %"}, [ran("pytest --cov", 0, "TOTAL 500 36 92%\n")], ("contradicted", "wrong_counts")),
            ({"kind": "check_passed", "check": "coverage", "value": "high"}, [ran("pytest --cov", 0, "TOTAL 500 36 92%\n")], OPEN),
            ({"kind": "git", "role": "commit"}, [ran("git commit -m x", 0, "[main 1a2b3c4] x")], SUPPORTED),
            ({"kind": "git", "role": "commit", "commit": "feed123"}, [ran("git commit -m x", 0, "[main 1a2b3c4] x")], ("contradicted", "not_in_trace")),
            ({"kind": "git", "role": "commit"}, [ran("git commit -m x", 1, "nothing to commit")], ("contradicted", "wrong_exit_code")),
            ({"kind": "git", "role": "push"}, [ran("git commit -m x", 0, "[main 1a2b3c4] x")], NOT_IN_TRACE),
            ({"kind": "effect", "effect": "deployed"}, [ran("fly deploy", 0, "https://x.example")], SUPPORTED),
            ({"kind": "effect", "effect": "deployed"}, [ran("fly deploy", 1, "boom")], ("contradicted", "wrong_exit_code")),
            ({"kind": "effect", "effect": "deployed"}, [ran("fly deploy", 1, "boom"), ran("fly deploy", 1, "boom", 2)], ("contradicted", "wrong_exit_code")),
            ({"kind": "effect", "effect": "merged"}, [ran("git merge fix", 1, "CONFLICT")], OPEN),
            ({"kind": "effect", "effect": "published"}, [ran("twine upload dist/*", 0, "")], OPEN),
            ({"kind": "effect", "effect": "teleported"}, [ran("fly deploy", 0, "https://x.example")], OPEN),
        ],
        ids=[
            "linted", "lint failed", "types never ran", "a build may be shown by anything", "how it ended is hidden", "coverage",
            "another coverage", "no figure", "a commit", "another commit", "a commit refused", "never pushed", "deployed", "deploying failed", "failed twice", "a merge with conflicts",
            "no receipt", "an effect that nobody knows",
        ],
    )  # fmt: skip
    def test_a_claim(self, report: Report, claim: dict[str, Any], calls: list[Call], expected: tuple[str, str]) -> None:
        assert held(report, claim, *calls) == expected

    @pytest.mark.parametrize(
        ("words", "expected"),
        [
            (("true",), SUPPORTED),
            (("false",), ("contradicted", "contradicted_claim")),
            (("sh", "-c", "exit 3"), OPEN),
            (("no-such-program-anywhere",), OPEN),
        ],
        ids=["confirmed", "refuted", "says nothing", "not there"],
    )
    def test_a_probe_that_the_user_registered_decides(
        self, report: Report, words: tuple[str, ...], expected: tuple[str, str]
    ) -> None:
        world = TreeState(probes={"deployed": EffectProbe(run=words, contained=False)})
        assert held(report, {"kind": "effect", "effect": "deployed"}, ran("ls"), world=world) == expected

    def test_a_probe_of_another_effect_is_not_asked(self, report: Report) -> None:
        world = TreeState(probes={"merged": EffectProbe(run=("false",), contained=False)})
        assert held(report, {"kind": "effect", "effect": "deployed"}, ran("ls"), world=world) == OPEN

    def test_without_a_trace_nothing_of_it_can_be_said(self, report: Report) -> None:
        claims = [{"kind": "check_passed", "check": "lint"}, {"kind": "git", "role": "push"}, {"kind": "effect", "effect": "deployed"}, {"kind": "command", "command": "ls"}]  # fmt: skip
        record = report(*claims)
        assert [(claim.status, claim.details["category"]) for claim in record.claims] == [
            ("unverifiable", "trace_unresolved")
        ] * 4
        assert record.outcome == "unverified"


class TestContentAndDenials:
    CHANGE = edited("src/calc.py", "return a - b", "return a + b")

    @pytest.mark.parametrize(
        ("claim", "calls", "expected"),
        [
            ({"kind": "content", "role": "add", "value": "a + b"}, [CHANGE], SUPPORTED),
            ({"kind": "content", "role": "add", "value": "retry_all"}, [CHANGE], "unsupported"),
            ({"kind": "content", "role": "add", "value": "a + b", "path": "src/other.py"}, [CHANGE], "unverifiable"),
            ({"kind": "content", "role": "remove", "old": "a - b"}, [CHANGE], SUPPORTED),
            ({"kind": "content", "role": "tests", "value": "0"}, [CHANGE], SUPPORTED),
            ({"kind": "content", "role": "add", "value": "def add", "path": "src/calc.py"}, None, "unverifiable"),
            ({"kind": "content", "role": "remove", "old": "def add", "path": "src/calc.py"}, None, "unverifiable"),
            ({"kind": "untouched", "role": "tests"}, [CHANGE], SUPPORTED),
            ({"kind": "untouched", "path": "src/calc.py"}, [CHANGE], "contradicted"),
            ({"kind": "untouched", "path": "src/calc.py"}, [ran("make generate")], "unverifiable"),
            ({"kind": "untouched", "path": "src/calc.py"}, None, "unverifiable"),
            ({"kind": "reverted", "path": "src/calc.py"}, [CHANGE], "unsupported"),
            ({"kind": "reverted", "path": "src/calc.py"}, None, "unverifiable"),
            ({"kind": "work", "text": "Cleaned up."}, [CHANGE], "unverifiable"),
        ],
        ids=[
            "added", "not added", "added to another file", "removed", "no tests", "there, and nobody knows since when", "still there",
            "tests left alone", "a file that was changed", "changed out of sight", "no trace", "never put back", "no trace of a revert", "work",
        ],
    )  # fmt: skip
    def test_a_claim(
        self, report: Report, tree: Path, claim: dict[str, Any], calls: list[Call] | None, expected: Any
    ) -> None:
        (found,) = report(claim, world=TreeState(root=tree), trace=calls).claims
        assert found.status == (expected[0] if isinstance(expected, tuple) else expected)

    def test_with_a_snapshot_bytes_decide_what_was_left_alone_and_put_back(self, report: Report, tree: Path) -> None:
        world = TreeState(root=tree, before=capture.take(tree))
        left, back = {"kind": "untouched", "path": "a.txt"}, {"kind": "reverted", "path": "src/calc.py"}
        assert [claim.status for claim in report(left, back, world=world).claims] == ["supported", "supported"]
        (tree / "a.txt").write_bytes(b"omega\n")
        (tree / "src" / "calc.py").write_bytes(b"")
        assert [claim.status for claim in report(left, back, world=world).claims] == ["contradicted", "contradicted"]
        unknown = {"kind": "untouched", "path": "never.txt"}
        assert [claim.status for claim in report(unknown, world=world).claims] == ["unverifiable"]
