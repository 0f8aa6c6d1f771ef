"""`All 12 tests pass` at a stop, held against what each test runner prints: true, another number, red, and no test at all."""

from __future__ import annotations

import tomllib
from typing import NamedTuple

import pytest

from witnessmark.actions.trace.test_runners import DATA

from .test_stop_more_runners import RUNNERS as MORE  # type: ignore[import-not-found]


class Runner(NamedTuple):
    """How a runner is called, what it prints when twelve tests pass, and when one of them fails."""

    command: str
    green: str
    red: str


RUNNERS = {
    "pytest": Runner("pytest -q", "............\n12 passed in 0.31s\n", ".F\n1 failed, 11 passed in 0.3s\n"),
    "unittest": Runner(
        "python -m unittest", "Ran 12 tests in 0.004s\n\nOK\n", "Ran 12 tests in 0.004s\n\nFAILED (failures=1)\n"
    ),
    "phpunit": Runner(
        "vendor/bin/phpunit",
        "............  12 / 12 (100%)\n\nOK (12 tests, 31 assertions)\n",
        "There was 1 failure:\n\nFAILURES!\nTests: 12, Assertions: 31, Failures: 1.\n",
    ),
    "jest": Runner(
        "npx jest",
        "Test Suites: 2 passed, 2 total\nTests:       12 passed, 12 total\nTime: 1 s\n",
        "Test Suites: 1 failed, 1 passed, 2 total\nTests:       1 failed, 11 passed, 12 total\n",
    ),
    "vitest": Runner(
        "npx vitest run",
        " Test Files  2 passed (2)\n      Tests  12 passed (12)\n",
        " Test Files  1 failed | 1 passed (2)\n      Tests  1 failed | 11 passed (12)\n",
    ),
    "nextest": Runner(
        "cargo nextest run",
        "     Summary [   0.012s] 12 tests run: 12 passed, 0 skipped\n",
        "     Summary [   0.012s] 12 tests run: 11 passed, 1 failed, 0 skipped\n",
    ),
    "cargo": Runner(
        "cargo test",
        "running 12 tests\ntest result: ok. 12 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n",
        "test result: FAILED. 11 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\n",
    ),
    "maven": Runner(
        "mvn -q test",
        "[INFO] Tests run: 12, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS\n",
        "[ERROR] Tests run: 12, Failures: 1, Errors: 0, Skipped: 0\n[INFO] BUILD FAILURE\n",
    ),
    "dotnet": Runner(
        "dotnet test",
        "Passed!  - Failed:     0, Passed:    12, Skipped:     0, Total:    12, Duration: 9 ms\n",
        "Failed!  - Failed:     1, Passed:    11, Skipped:     0, Total:    12, Duration: 9 ms\n",
    ),
    "sbt": Runner(
        "sbt test",
        "[info] Passed: Total 12, Failed 0, Errors 0, Passed 12\n",
        "[error] Failed: Total 12, Failed 1, Errors 0, Passed 11\n",
    ),
    "scalatest": Runner(
        "sbt test",
        "[info] Tests: succeeded 12, failed 0, canceled 0, ignored 0, pending 0\n[info] All tests passed.\n",
        "[info] Tests: succeeded 11, failed 1, canceled 0, ignored 0, pending 0\n[info] *** 1 TEST FAILED ***\n",
    ),
    "gradle": Runner(
        "./gradlew test", "12 tests completed\nBUILD SUCCESSFUL in 2s\n", "12 tests completed, 1 failed\nBUILD FAILED\n"
    ),
    "swift": Runner(
        "swift test",
        "✔ Test run with 12 tests passed after 0.01 seconds.\n",
        "✘ Test run with 12 tests failed after 0.01 seconds with 1 issue.\n",
    ),
    "bazel": Runner(
        "bazel test //...",
        "Executed 12 out of 12 tests: 12 tests pass.\n",
        "Executed 12 out of 12 tests: 11 tests pass and 1 fails locally.\n",
    ),
    "flutter": Runner("flutter test", "00:02 +12: All tests passed!\n", "00:02 +11 -1: Some tests failed.\n"),
    "gotestsum": Runner("gotestsum ./...", "DONE 12 tests in 0.402s\n", "DONE 12 tests, 1 failure in 0.402s\n"),
    "bun": Runner(
        "bun test",
        " 12 pass\n 0 fail\n 31 expect() calls\nRan 12 tests across 2 files. [9.00ms]\n",
        " 11 pass\n 1 fail\n 31 expect() calls\nRan 12 tests across 2 files. [9.00ms]\n",
    ),
    "deno": Runner("deno test", "ok | 12 passed | 0 failed (9ms)\n", "FAILED | 11 passed | 1 failed (9ms)\n"),
    "node": Runner(
        "node --test",
        "ℹ tests 12\nℹ suites 0\nℹ pass 12\nℹ fail 0\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\n",
        "ℹ tests 12\nℹ suites 0\nℹ pass 11\nℹ fail 1\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\n",
    ),
    "cypress": Runner(
        "npx cypress run",
        "    ✔  All specs passed!                        00:04       12       12        -        -        -\n",
        "    ✖  1 of 2 failed (50%)                      00:04       12       11        1        -        -\n",
    ),
    "karma": Runner(
        "npx karma start --single-run",
        "Chrome 120: Executed 12 of 12 SUCCESS (0.05 secs / 0.01 secs)\n",
        "Chrome 120: Executed 12 of 12 (1 FAILED) (0.05 secs / 0.01 secs)\n",
    ),
    "nunit": Runner(
        "dotnet test", "Test Count: 12, Passed: 12, Failed: 0, Warnings: 0\n", "Test Count: 12, Passed: 11, Failed: 1\n"
    ),
    "ctest": Runner(
        "ctest",
        "100% tests passed, 0 tests failed out of 12\n",
        "92% tests passed, 1 tests failed out of 12\n\nThe following tests FAILED:\n",
    ),
    "prove": Runner(
        "prove -l",
        "All tests successful.\nFiles=2, Tests=12,  0 wallclock secs\nResult: PASS\n",
        "Files=2, Tests=12,  0 wallclock secs\nResult: FAIL\n",
    ),
    "catch2": Runner(
        "./build/tests",
        "All tests passed (31 assertions in 12 test cases)\n",
        "test cases: 12 | 11 passed | 1 failed\nassertions: 31 | 30 passed | 1 failed\n",
    ),
    "gtest": Runner(
        "./build/unit_test",
        "[==========] 12 tests ran.\n[  PASSED  ] 12 tests.\n",
        "[  PASSED  ] 11 tests.\n[  FAILED  ] 1 test, listed below:\n",
    ),
    "rspec": Runner("bundle exec rspec", "12 examples, 0 failures\n", "12 examples, 1 failure\n"),
    "mocha": Runner("npx mocha", "  12 passing (9ms)\n", "  11 passing (9ms)\n  1 failing\n"),
    "playwright": Runner(
        "npx playwright test",
        "Running 12 tests using 4 workers\n  12 passed (2.1s)\n",
        "Running 12 tests using 4 workers\n  1 failed\n    [chromium] › a.spec.ts:3:1 › adds\n  11 passed (2.1s)\n",
    ),
    "ava": Runner("npx ava", "  ✔ adds\n  ─\n\n  12 tests passed\n", "  ✘ adds\n  ─\n\n  1 test failed\n"),
    "script": Runner("./scripts/test.sh", "12 tests passed, 0 failed\n", "11 tests passed, 1 failed\n"),
    "tap": Runner("npx tap", "1..12\n# pass 12\n# fail 0\n", "1..12\n# pass 11\n# fail 1\n"),
    "junit": Runner(
        "make test",
        '<testsuites tests="12" failures="0" errors="0"><testsuite tests="12"/></testsuites>\n',
        '<testsuites tests="12" failures="1" errors="0"><testsuite tests="12" failures="1"/></testsuites>\n',
    ),
    "go": Runner(
        "go test -v ./...",
        "".join(f"--- PASS: Test{n} (0.00s)\n" for n in range(12)) + "ok  \texample.org/a\t0.1s\n",
        "".join(f"--- PASS: Test{n} (0.00s)\n" for n in range(11))
        + "--- FAIL: Test11 (0.00s)\nFAIL\texample.org/a\t0.1s\n",
    ),
    "elixir": Runner("mix test", "12 tests, 0 failures\n", "12 tests, 1 failure\n"),
    "minitest": Runner(
        "bin/rails test",
        "12 runs, 31 assertions, 0 failures, 0 errors, 0 skips\n",
        "12 runs, 31 assertions, 1 failures, 0 errors, 0 skips\n",
    ),
    "xctest": Runner(
        "swift test",
        "\t Executed 12 tests, with 0 failures (0 unexpected) in 0.011 (0.013) seconds\n",
        "\t Executed 12 tests, with 1 failure (0 unexpected) in 0.011 (0.013) seconds\n",
    ),
    "dotnet, terminal logger": Runner(
        "dotnet test",
        "Test summary: total: 12, failed: 0, succeeded: 12, skipped: 0, duration: 0.9s\n",
        "Test summary: total: 12, failed: 1, succeeded: 11, skipped: 0, duration: 0.9s\n",
    ),
    "lines of TAP": Runner(
        "make test",
        "1..12\n" + "".join(f"ok {n} - adds\n" for n in range(1, 13)),
        "1..12\n" + "".join(f"ok {n} - adds\n" for n in range(1, 12)) + "not ok 12 - subtracts\n",
    ),
}

each = pytest.mark.parametrize("runner", RUNNERS.values(), ids=RUNNERS)


def test_every_runner_that_is_said_to_be_understood_is_held_here():
    read = tomllib.loads(DATA.read_text(encoding="utf-8"))["runner"]
    assert {runner["name"] for runner in read} | {"junit", "go", "tap"} <= {*RUNNERS, *MORE, "testthat"}


@pytest.mark.parametrize("name", [name for name in RUNNERS if name != "go"])  # of go, subtests may be told or not
def test_more_than_it_printed_may_not(session, name):
    runner = RUNNERS[name]
    told = session.runs(runner.command, runner.green).stop("All 40 tests pass.")
    assert "the runner printed other counts" in told
    assert "12 passed" in told


@each
def test_after_a_red_run_they_do_not_pass(session, runner):
    told = session.runs(runner.command, runner.red, 1).stop("All tests pass.")
    assert "the last test run failed" in told


@each
def test_red_is_red_behind_a_mask(session, runner):
    told = session.runs(f"{runner.command} || true", runner.red).stop("All tests pass.")
    assert "the last test run failed" in told


@each
def test_green_after_red_is_green_and_its_number_may_be_told(session, runner):
    session.runs(runner.command, runner.red, 1).runs(runner.command, runner.green)
    assert session.stop("All 12 tests pass.") == ""


JEST, PYTEST = "Tests:       {0} passed, {0} total\n", "{} passed in 0.1s\n"
SEVEN_AND_FIVE = {
    "turbo": ("npx turbo test", "api:test:       Tests  7 passed (7)\nweb:test:       Tests  5 passed (5)\n"),
    "maven reactor": (
        "mvn test",
        "[INFO] Tests run: 7, Failures: 0, Errors: 0, Skipped: 0\n[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0\n",
    ),
    "doctests of elixir": ("mix test", "5 doctests, 7 tests, 0 failures\n"),
    "npm workspaces": ("npm test --workspaces", JEST.format(7) + JEST.format(5)),
    "make": ("make test", "cd a && pytest -q\n" + PYTEST.format(7) + "cd b && pytest -q\n" + PYTEST.format(5)),
    "vitest and playwright": ("npm run test:all", "      Tests  7 passed (7)\nRunning 5 tests\n  5 passed (2.1s)\n"),
    "xctest and swift testing": (
        "swift test",
        "Executed 7 tests, with 0 failures (0 unexpected) in 0.1 (0.1) seconds\n✔ Test run with 5 tests passed after 0.2 seconds.\n",
    ),
}
several = pytest.mark.parametrize(("command", "printed"), SEVEN_AND_FIVE.values(), ids=SEVEN_AND_FIVE)


@several
def test_the_summaries_of_one_run_may_be_added_up(session, command, printed):
    session.runs(command, printed)
    assert session.stop("All 12 tests pass.") == ""
    assert "the runner printed other counts" in session.stop("All 13 tests pass.")


def test_the_part_of_a_run_that_is_red_is_not_added_to_what_passed(session):
    session.runs("npm test --workspaces | cat", "Tests:       1 failed, 6 passed, 7 total\n" + JEST.format(5))
    assert session.stop("All 12 tests pass.") != ""
    assert session.stop("One test fails, 11 pass.") == ""


def test_a_suite_of_the_older_kind_beside_an_empty_one_of_the_newer_ran(session):
    older, newer = (
        "Executed 12 tests, with 0 failures (0 unexpected) in 0.1 (0.1) seconds\n",
        "✔ Test run with 0 tests passed after 0.001 seconds.\n",
    )
    assert session.runs("swift test", older + newer).stop("All 12 tests pass.") == ""


@pytest.mark.parametrize(
    ("command", "printed"),
    [
        ("npx ava", "  ✔ math › adds\n  ✘ [fail]: math › subs\n  ─\n\n  1 test failed\n"),
        ("./scripts/test.sh", "FAIL: test_sub\n11 tests passed, 1 failed\n"),
        ("swift test", "✘ Test run with 12 tests in 3 suites failed after 0.002 seconds with 2 issues.\n"),
    ],
    ids=["ava prints no passes", "both numbers in a line", "issues are no tests"],
)
def test_how_many_failed_and_passed_may_be_told_by_what_the_runner_leaves_open(session, command, printed):
    session.runs(command, printed, 1)
    assert session.stop("One test still fails; the other 11 pass.") == ""
    assert session.stop("All 12 tests pass.") != ""


def test_a_script_that_prints_both_numbers_is_held_to_them(session):
    session.runs("./scripts/test.sh", "11 tests passed, 1 failed\n", 1)
    assert "the runner printed other counts" in session.stop("14 tests pass, 3 fail.")
