"""`verify --trace` on one shell line: whose exit code a line's is, however the line was written, and what cannot be told."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from witnessmark import Case, Verifier
from witnessmark.cli.app import command_line

Outcome = Callable[..., str]


@pytest.fixture
def held() -> Outcome:
    """The outcome of one sentence against one command with what it printed and how the line ended."""

    def verify(text: str, command: str, output: str = "", code: int | None = 0) -> str:
        call: dict[str, Any] = {"id": "c", "name": "bash", "input": {"command": command}, "output": output}
        if code is not None:
            call["exit_code"] = code
        evidence = [{"id": "t", "kind": "trace", "text": json.dumps(call)}]
        case = Case(subject={"kind": "agent_output", "summary": text}, evidence=evidence, checkpoint="actions")
        return Verifier().verify_sync(case).outcome

    return verify


PASS = "All tests pass."


@pytest.mark.parametrize(
    ("line", "code", "outcome"),
    [
        ("pytest -q", 0, "pass"),
        ("pytest -q", 1, "fail"),
        ("pytest -q", None, "unverified"),
        ("cd lib && pytest -q", 1, "fail"),
        ("export A=1; pytest -q", 1, "fail"),
        ("pip install . && pytest -q", 0, "pass"),
        ("pytest -q && git push", 0, "pass"),
        ("pytest -q; git status", 0, "unverified"),
        ("pytest -q | tail -3", 0, "unverified"),
        ("pytest -q || true", 0, "unverified"),
        ("pytest -q || echo failed", 0, "unverified"),
        ("set -o pipefail; pytest -q | tail -3", 0, "pass"),
        ("set -euo pipefail\npytest -q | tail -3", 0, "pass"),
        ("! pytest -q", 0, "unverified"),
        ("if pytest -q; then echo ok; fi", 0, "unverified"),
        ("for d in a b; do pytest -q $d; done", 0, "unverified"),
        ("(cd lib; pytest -q)", 1, "fail"),
        ("{ pytest -q; }", 1, "fail"),
        ("bash -c 'pytest -q'", 1, "fail"),
        ("bash -c 'pytest -q || true'", 0, "unverified"),
        ("timeout 60 pytest -q", 124, "unverified"),
        ("timeout 60 pytest -q", 1, "fail"),
        ("nohup pytest -q &", 0, "unverified"),
        ("time pytest -q", 1, "fail"),
        ("CI=1 pytest -q", 1, "fail"),
        ("docker compose exec web pytest -q", 1, "fail"),
        ("xargs -n1 pytest -q < list", 1, "fail"),
    ],
)
def test_without_a_word_of_the_runner_the_line_decides(held, line, code, outcome):
    assert held(PASS, line, "", code) == outcome


@pytest.mark.parametrize(
    "line",
    [
        "pytest -q | tail -3",
        "pytest -q || true",
        "pytest -q; git status",
        "if pytest -q; then echo ok; fi",
        "! pytest -q",
    ],
)
def test_what_the_runner_printed_counts_behind_every_mask(held, line):
    assert held(PASS, line, "3 passed in 0.1s") == "pass"
    assert held(PASS, line, "1 failed, 2 passed in 0.1s") == "fail"


@pytest.mark.parametrize(
    ("output", "outcome"),
    [
        ("no tests ran in 0.01s", "fail"),
        ("collected 0 items", "fail"),
        ("5 deselected in 0.01s", "fail"),
        ("3 skipped in 0.01s", "fail"),
        ("3 passed, 1 skipped in 0.01s", "pass"),
        ("3 passed, 1 xfailed in 0.01s", "pass"),
        ("3 passed, 2 warnings in 0.01s", "pass"),
        ("\x1b[32m3 passed\x1b[0m\x1b[32m in 0.01s\x1b[0m", "pass"),
        ("", "pass"),
    ],
)
def test_a_run_without_a_test_shows_nothing(held, output, outcome):
    assert held(PASS, "pytest -q", output) == outcome


@pytest.mark.parametrize(
    ("output", "code"),
    [
        ("bash: pytest: command not found", 127),
        ("/usr/bin/python: No module named pytest", 1),
        ('npm ERR! Missing script: "test"', 1),
        ("make: *** No rule to make target 'test'.  Stop.", 2),
        ("Permission denied", 126),
    ],
)
def test_a_program_that_is_not_there_tested_nothing(held, output, code):
    line = "npm test" if "npm" in output else "make test" if "make" in output else "pytest -q"
    assert held(PASS, line, output, code) == "fail"
    assert held(f"I could not run the tests: `{line}` is not there.", line, output, code) != "fail"


class TestThroughTheCommandLine:
    @pytest.mark.parametrize(
        ("report", "exit_code"),
        [
            ("All 3 tests pass.", 0),
            ("All 30 tests pass.", 1),
            ("Hello.", 4),
            ("All tests pass. I deployed it to production.", 3),
        ],
    )
    def test_the_exit_code_tells_the_outcome(self, tmp_path: Path, report, exit_code):
        call = {
            "id": "c",
            "name": "bash",
            "input": {"command": "pytest -q"},
            "output": "3 passed in 0.1s",
            "exit_code": 0,
        }
        (tmp_path / "trace.jsonl").write_text(json.dumps(call))
        (tmp_path / "report.md").write_text(report)
        words = [
            "verify",
            "--report",
            f"{tmp_path}/report.md",
            "--trace",
            f"{tmp_path}/trace.jsonl",
            "--store",
            "memory:",
        ]
        assert CliRunner().invoke(command_line(), words).exit_code == exit_code
