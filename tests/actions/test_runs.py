"""Claims about what was run: the trace decides, and without a trace nothing is called true."""

from __future__ import annotations

from typing import Any

import pytest

from witnessmark.actions.claim import ActionClaim, Ruling
from witnessmark.actions.claims import runs
from witnessmark.actions.trace.calls import ToolCall, Trace
from witnessmark.actions.trace.index import index
from witnessmark.actions.trace.test_runners import counts_of

PYTEST = "..F.\n=========== short test summary info ===========\n1 failed, 11 passed, 2 skipped in 0.41s\n"


def call(command: Any, code: int | None = None, output: Any = None, number: int = 1, **more: Any) -> ToolCall:
    given = {"command": command} if isinstance(command, str) else command
    return ToolCall(id=f"c{number}", name="bash", input=given, exit_code=code, output=output, **more)


def ruled(claim: ActionClaim, *calls: ToolCall, later_same: bool = False, whole: bool = True) -> Ruling:
    return runs.rule(claim, index(Trace(id="t", calls=calls, whole=whole)), "", later_same)


def command(text: str, code: int | None = 0) -> ActionClaim:
    return ActionClaim(kind="command", command=text, exit_code=code)


def test_a_command_is_in_the_trace_with_that_exit_code() -> None:
    assert ruled(command("pytest -q"), call("pytest -q", 0)).status == "supported"  # req: S3-016
    assert ruled(command("pytest  -q "), call("pytest -q", 0)).status == "supported", "spaces do not matter"
    wrong = ruled(command("pytest -q"), call("pytest -q", 1))
    assert (wrong.status, wrong.category, wrong.there) == ("contradicted", "wrong_exit_code", "exit code 1")  # req: C42
    never = ruled(command("ruff check ."), call("pytest -q", 0))
    assert (never.status, never.category) == ("unsupported", "not_in_trace")


def test_without_a_trace_a_command_is_unverifiable() -> None:
    ruling = runs.rule(command("pytest"), None, "no trace was given")
    assert (ruling.status, ruling.category) == ("unverifiable", "trace_unresolved")  # req: C42


@pytest.mark.parametrize(
    ("line", "code", "status"),
    [
        ("cd /w && pytest -q", 0, "supported"),
        ("cd /w && pytest -q", 1, "contradicted"),
        ("make && pytest -q", 1, "unverifiable"),
        ("pytest -q || true", 0, "unverifiable"),
        ("pytest -q; echo done", 0, "unverifiable"),
        ("echo start; pytest -q", 0, "supported"),
        ("pytest -q | tail -3", 0, "unverifiable"),
        ("echo 'pytest -q && x'", 0, "unsupported"),
        ("pytest -q -k one", 0, "unsupported"),
    ],
)
def test_an_exit_code_counts_only_where_it_is_the_commands_own(line: str, code: int, status: str) -> None:
    assert ruled(command("pytest -q"), call(line, code)).status == status


def test_the_last_run_counts_and_an_honest_history_is_fine() -> None:
    failed, passed = call("pytest", 1, number=1), call("pytest", 0, number=2)
    assert ruled(command("pytest", 0), failed, passed).status == "supported"
    assert ruled(command("pytest", 0), passed, failed).status == "contradicted"
    assert ruled(command("pytest", 1), failed, passed, later_same=True).status == "supported", "told in order"


def test_other_forms_of_calls() -> None:
    assert ruled(command("ls -l"), call({"cmd": ["ls", "-l"]}, 0)).status == "supported"
    assert ruled(command("ls"), ToolCall(id="c", name="sh", input="ls", output={"exit_code": 0})).status == "supported"
    assert ruled(command("ls"), call("ls", ok=True)).status == "supported"
    assert ruled(command("ls"), call("ls", ok=False)).status == "contradicted"
    assert ruled(command("ls"), call("ls")).status == "unverifiable"
    assert ruled(command("ls", None), call("ls")).status == "supported"


def test_a_command_told_in_words_is_not_held_to_the_letter() -> None:
    def told(text: str) -> ActionClaim:
        return ActionClaim(kind="command", command=text, by="report")

    typed = call("cd /w && pytest -q --maxfail=1 tests", 0)
    assert ruled(told("pytest -q"), typed).status == "supported"
    assert ruled(told("pytest -k slow"), typed).status == "unverifiable"
    assert ruled(told("npm run build"), typed).status == "unverifiable", "it may only be mentioned"
    ran = ActionClaim(kind="command", command="npm run build", by="report", text="I ran `npm run build`")
    assert ruled(ran, typed).status == "unsupported"
    assert ruled(command("pytest -q"), typed).status == "unsupported", "a declared command is exact"
    assert ruled(ActionClaim(kind="command", by="report"), typed).status == "unverifiable"


def claimed(passed: int | None = None, failed: int | None = None, text: str | None = None) -> ActionClaim:
    return ActionClaim(kind="tests_passed", passed=passed, failed=failed, command=text)


def test_test_counts_are_those_the_runner_printed() -> None:
    green = call("pytest", 0, "12 passed in 0.41s\n")
    assert ruled(claimed(12), green).status == "supported"
    assert ruled(claimed(), green).status == "supported"
    assert ruled(claimed(14), green).category == "wrong_counts"
    red = call("pytest", 1, PYTEST)
    assert (ruled(claimed(), red).status, ruled(claimed(11), red).category) == ("contradicted", "wrong_counts")
    assert ruled(claimed(11, 1), red).status == "supported", "an honest report of a failure"
    assert ruled(claimed(), call("ls", 0, "a b")).category == "not_in_trace"
    assert ruled(claimed(), call("pytest", 0, "")).status == "supported", "its own exit code says that it passed"
    assert ruled(claimed(), call("pytest | cat", 0, "")).status == "unverifiable", "a pipe hides the exit code"
    assert ruled(claimed(), call("pytest", 127, "sh: pytest: command not found")).status == "contradicted"
    assert ruled(claimed(), call("pytest || true", 0, PYTEST)).status == "contradicted", "hidden by || true"
    assert ruled(claimed(), call("pytest", 5, "no tests ran in 0.01s\n")).status == "contradicted"
    assert (
        ruled(claimed(12, text="pytest"), green, call("jest", 1, "Tests: 1 failed, 1 total\n", 2)).status == "supported"
    )
    assert ruled(claimed(), green, call("pytest", 1, PYTEST, 2)).status == "contradicted", "the last run counts"


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        (PYTEST, (11, 1, "pytest")),
        ("===== 3 passed, 1 warning in 1.02s =====", (3, 0, "pytest")),
        ("2 failed, 1 error in 61.00s (0:01:01)\n", (0, 3, "pytest")),
        ("....\n-----\nRan 4 tests in 0.001s\n\nOK\n", (4, 0, "unittest")),
        ("Ran 5 tests in 0.1s\n\nFAILED (failures=1, errors=1, skipped=1)\n", (2, 2, "unittest")),
        ("Test Suites: 1 passed, 1 total\nTests:       1 failed, 2 skipped, 9 passed, 12 total\n", (9, 1, "jest")),
        ("ok  \texample.org/a\t0.01s\nok  \texample.org/b\t(cached)\n", (None, 0, "go")),
        ("--- FAIL: TestA (0.00s)\n    a_test.go:5: no\nFAIL\nFAIL\texample.org/a\t0.1s\n", (None, 1, "go")),
        ("--- PASS: TestA (0.0s)\n--- PASS: TestB (0.0s)\nok  \tx\t0.1s\n", (2, 0, "go")),
        ("test result: ok. 7 passed; 0 failed; 1 ignored; 0 measured\ntest result: FAILED. 1 passed; 2 failed;", (8, 2, "cargo")),
        ('<testsuites><testsuite name="a" tests="5" failures="1" errors="1" skipped="1"></testsuite></testsuites>', (2, 2, "junit")),
        ("\x1b[32m===== \x1b[1m3 passed\x1b[0m in 1.0s =====\x1b[0m", (3, 0, "pytest")),
        ("all good, promise", None),
        ("I ran 12 tests and they passed in my head", None),
    ],
)  # fmt: skip
def test_runners(text: str, counts: tuple[int | None, int, str] | None) -> None:
    found = counts_of(text)
    assert (None if found is None else (found.passed, found.bad, found.runner)) == counts


def test_hostile_output_is_bounded() -> None:
    counts_of("1 passed, " * 200_000)
    counts_of("<testsuite " * 100_000)
    counts_of("Tests: " + "9" * 1_000_000)
    counts_of("Tests: " + "9" * 10_000 + " passed")
    counts_of("\n" * 1_000_000 + " \t" * 500_000)
    assert counts_of("1 passing\n\n\n" * 100_000) is not None


def test_requests_have_receipts_in_the_trace() -> None:
    posted = ToolCall(id="c", name="http", input={"url": "https://example.org/x"}, output={"status": 201})
    claim = ActionClaim(kind="http", url="https://example.org/x", status=201)
    assert ruled(claim, posted).status == "supported"
    assert (
        ruled(ActionClaim(kind="http", url="https://example.org/x", status=200), posted).category
        == "contradicted_claim"
    )
    assert ruled(ActionClaim(kind="http", url="https://example.org/y"), posted).category == "not_in_trace"
