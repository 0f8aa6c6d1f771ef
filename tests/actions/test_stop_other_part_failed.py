"""Tests that all passed in a run that failed by another part: the coverage, a linter or type checker of the same line or task."""

from __future__ import annotations

from typing import NamedTuple

import pytest


class Run(NamedTuple):
    """A command, what it printed, and how it ended."""

    command: str
    output: str
    code: int


GREEN = "12 passed in 0.41s\n"
JEST = "Tests:       12 passed, 12 total\n"
VITEST = " Test Files  3 passed (3)\n      Tests  12 passed (12)\n"
COVERAGE = "FAIL Required test coverage of 80% not reached. Total coverage: 60.00%\n"
RUFF = "src/a.py:1:1: F401 `os` imported but unused\nFound 1 error.\n"
ESLINT = "/w/src/a.js\n  3:1  error  'x' is unused\n\n✖ 1 problem (1 error, 0 warnings)\n"
TSC = "src/a.ts(3,1): error TS2322: Type 'x' is not assignable\n"
RUNS = {
    "pytest, coverage": Run("pytest -q --cov=src --cov-fail-under=80", COVERAGE + GREEN, 1),
    "pytest, coverage, piped": Run("pytest -q --cov=src --cov-fail-under=80 | tail -5", COVERAGE + GREEN, 0),
    "jest, coverage": Run("npx jest --coverage", f'{JEST}Jest: "global" coverage threshold for lines (80%) not met: 60%\n', 1),
    "vitest, coverage": Run("npx vitest run --coverage", f"{VITEST}ERROR: Coverage for lines (60%) does not meet global threshold (80%)\n", 1),
    "a task of unclear name": Run("npm run check", JEST + ESLINT, 1),
    "such a task, piped": Run("npm run check 2>&1 | tail -20", f"{VITEST}{TSC} ELIFECYCLE  Command failed with exit code 2.\n", 0),
    "a task of tests": Run("npm test", JEST + ESLINT, 1),
    "a script": Run("./check.sh", GREEN + RUFF, 1),
    "make": Run("make check", f"pytest -q\n{GREEN}ruff check .\n{RUFF}make: *** [Makefile:3: check] Error 1\n", 2),
    "tox": Run("tox", f"{GREEN}lint: exit 1\n  py311: OK (3.1s)\n  lint: FAIL code 1 (1s)\n", 1),
    "a linter behind it": Run("npm test && npm run lint", JEST + ESLINT, 1),
    "clippy behind it": Run("cargo test && cargo clippy -- -D warnings", "test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured\nerror: unused variable\nerror: could not compile `app` (lib) due to 1 previous error\n", 101),
    "go vet behind it": Run("pytest -q && go vet ./...", f"{GREEN}# app\na.go:3:2: unreachable code\nexit status 1\n", 1),
}  # fmt: skip
each = pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)


@pytest.fixture
def busy(session):
    return session.edits("src/a.py", "1\n", "2\n")


@each
@pytest.mark.parametrize("told", ["All 12 tests pass.", "All tests pass.", "Ran `{}`: all 12 tests pass."])
def test_the_tests_passed_and_may_be_told_so(busy, run, told):
    busy.runs(*run)
    assert busy.stop(f"Changed `src/a.py`. {told.format(run.command)}") == ""


@each
@pytest.mark.parametrize("told", ["Everything passes.", "All checks are green."])
def test_not_everything_passed(busy, run, told):
    assert "the last run of the check failed" in busy.runs(*run).stop(f"Changed `src/a.py`. {told}")


@pytest.mark.parametrize("name", ["pytest, coverage", "pytest, coverage, piped", "a task of unclear name", "make"])
def test_the_command_did_not_pass(busy, name):
    run = RUNS[name]
    assert "failed" in busy.runs(*run).stop(f"Changed `src/a.py`. `{run.command}` passes.")


@each
def test_another_count_than_was_printed_is_untrue(busy, run):
    assert "the runner printed other counts" in busy.runs(*run).stop("Changed `src/a.py`. All 14 tests pass.")


FAILED = {
    "a test": Run("npm run check", "Tests:       1 failed, 11 passed, 12 total\n" + ESLINT, 1),
    "an earlier package": Run("tox", "1 failed, 11 passed in 0.4s\n12 passed in 0.4s\n  py310: FAIL code 1\n  lint: FAIL code 1\n", 1),
    "a file that could not run": Run("npm test", "FAIL src/b.test.ts\n  src/b.test.ts:3:1 - error TS2322: bad\nTests:       12 passed, 12 total\n", 1),
    "tests and coverage": Run("pytest -q --cov-fail-under=80", f"{COVERAGE}1 failed, 11 passed in 0.4s\n", 1),
    "a program of tests that does not compile": Run("cargo test", "test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured\nerror: could not compile `app` (test \"b\")\n", 101),
    "for no reason that was printed": Run("pytest -q", GREEN, 1),
}  # fmt: skip


@pytest.mark.parametrize("run", FAILED.values(), ids=FAILED)
def test_where_tests_failed_too_they_did_not_pass(busy, run):
    assert "the last test run failed" in busy.runs(*run).stop("Changed `src/a.py`. All tests pass.")


def test_a_linter_with_errors_and_no_warnings_is_not_clean(busy):
    assert "the last run of the linter failed" in busy.runs("npx eslint . | tail -3", ESLINT).stop("Lint is clean.")


def test_a_linter_without_errors_and_warnings_is(busy):
    assert (
        busy.runs("npx eslint . | tail -3", "0 errors, 0 warnings\n").stop("Changed `src/a.py`. Lint is clean.") == ""
    )
