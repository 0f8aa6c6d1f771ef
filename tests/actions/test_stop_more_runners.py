"""`All 12 tests pass` after the runners of further languages: let through where they printed that, and blocked where they printed failures."""

from __future__ import annotations

from typing import NamedTuple

import pytest


class Runner(NamedTuple):
    """A command, the end of what it prints when twelve tests pass, and when one of them fails."""

    command: str
    green: str
    red: str


RUNNERS = {
    "zig": Runner("zig test src/main.zig", "All 12 tests passed.\n", "11 passed; 0 skipped; 1 failed.\nerror: the following test command failed with exit code 1:\n"),
    "zig build": Runner("zig build test --summary all", "Build Summary: 3/3 steps succeeded; 12/12 tests passed\n", "Build Summary: 1/3 steps succeeded; 1 failed; 11/12 tests passed; 1 failed\n"),
    "forge": Runner("forge test", "Suite result: ok. 12 passed; 0 failed; 0 skipped; finished in 1.2ms\n\nRan 1 test suite in 2ms (1.2ms CPU time): 12 tests passed, 0 failed, 0 skipped (12 total tests)\n",
                    "Suite result: FAILED. 11 passed; 1 failed; 0 skipped; finished in 1ms\n\nRan 1 test suite in 2ms (1.2ms CPU time): 11 tests passed, 1 failed, 0 skipped (12 total tests)\n"),
    "julia": Runner("julia --project -e 'using Pkg; Pkg.test()'", "Test Summary: | Pass  Total  Time\nMyPkg         |   12     12  1.2s\n     Testing MyPkg tests passed \n",
                    "Test Summary: | Pass  Fail  Total  Time\nMyPkg         |   11     1     12  1.2s\nERROR: Some tests did not pass: 11 passed, 1 failed, 0 errored, 0 broken.\n"),
    "wdio": Runner("npx wdio run wdio.conf.js", "12 passing (1.2s)\n\nSpec Files:\t 3 passed, 3 total (100% completed) in 00:00:05 \n", "11 passing (1s)\n1 failing\n\nSpec Files:\t 2 passed, 1 failed, 3 total (100% completed) in 00:00:05 \n"),
    "tasty": Runner("cabal test", "All 12 tests passed (0.01s)\n", "1 out of 12 tests failed (0.01s)\n"),
    "busted": Runner("busted", "12 successes / 0 failures / 0 errors / 0 pending : 0.1 seconds\n", "11 successes / 1 failure / 0 errors / 0 pending : 0.1 seconds\n"),
    "alcotest": Runner("dune test", "Test Successful in 0.001s. 12 tests run.\n", "1 failure! in 0.001s. 12 tests run.\n"),
    "clojure": Runner("lein test", "Ran 12 tests containing 20 assertions.\n0 failures, 0 errors.\n", "Ran 12 tests containing 20 assertions.\n1 failures, 0 errors.\n"),
    "pester": Runner("pwsh -c Invoke-Pester", "Tests Passed: 12, Failed: 0, Skipped: 0 NotRun: 0\n", "Tests Passed: 11, Failed: 1, Skipped: 0 NotRun: 0\n"),
    "robot": Runner("robot tests", "12 tests, 12 passed, 0 failed\n", "12 tests, 11 passed, 1 failed\n"),
    "behave": Runner("behave", "12 scenarios passed, 0 failed, 0 skipped\n20 steps passed, 0 failed\n", "11 scenarios passed, 1 failed, 0 skipped\n"),
    "cucumber": Runner("npx cucumber-js", "12 scenarios (12 passed)\n40 steps (40 passed)\n", "12 scenarios (1 failed, 11 passed)\n40 steps (1 failed, 39 passed)\n"),
    "meson": Runner("meson test -C build", "Ok:                 12\nExpected Fail:      0\nFail:               0\nUnexpected Pass:    0\nSkipped:            0\nTimeout:            0\n",
                    "Ok:                 11\nExpected Fail:      0\nFail:               1\nUnexpected Pass:    0\nSkipped:            0\nTimeout:            0\n"),
    "lit": Runner("llvm-lit tests", "Testing Time: 0.1s\n\nTotal Discovered Tests: 12\n  Passed: 12 (100.00%)\n", "Testing Time: 0.1s\n\nTotal Discovered Tests: 12\n  Passed: 11\n  Failed: 1\n"),
    "moon": Runner("moon test", "Total tests: 12, passed: 12, failed: 0.\n", "Total tests: 12, passed: 11, failed: 1.\n"),
    "sui": Runner("sui move test", "Test result: OK. Total tests: 12; passed: 12; failed: 0\n", "Test result: FAILED. Total tests: 12; passed: 11; failed: 1\n"),
    "gleam": Runner("gleam test", "12 tests, no failures\n", "12 tests, 1 failures\n"),
    "odin": Runner("odin test .", "Finished 12 tests in 1.2ms. All tests were successful.\n", "Finished 12 tests in 1.2ms. 1 test failed.\n"),
    "gut": Runner("godot -s addons/gut/gut_cmdln.gd", "Passing Tests         12\nFailing Tests         0\n", "Passing Tests         11\nFailing Tests         1\n"),
    "ert": Runner("emacs --batch -f ert-run-tests-batch-and-exit", "Ran 12 tests, 12 results as expected, 0 unexpected (2025)\n", "Ran 12 tests, 11 results as expected, 1 unexpected (2025)\n"),
    "buck": Runner("buck2 test //...", "Tests finished: Pass 12. Fail 0. Fatal 0. Skip 0. Build failure 0\n", "Tests finished: Pass 11. Fail 1. Fatal 0. Skip 0. Build failure 0\n"),
    "ginkgo": Runner("ginkgo ./...", "Ran 12 of 12 Specs in 0.1 seconds\nSUCCESS! -- 12 Passed | 0 Failed | 0 Pending | 0 Skipped\n", "Ran 12 of 12 Specs in 0.1 seconds\nFAIL! -- 11 Passed | 1 Failed | 0 Pending | 0 Skipped\n"),
    "doctest": Runner("./build/tests", "[doctest] test cases: 12 | 12 passed | 0 failed | 0 skipped\n", "[doctest] test cases: 12 | 11 passed | 1 failed | 0 skipped\n"),
    "unity": Runner("./build/tests", "12 Tests 0 Failures 0 Ignored\nOK\n", "12 Tests 1 Failures 0 Ignored\nFAIL\n"),
    "trial": Runner("trial app", "Ran 12 tests in 0.1s\n\nPASSED (successes=12)\n", "Ran 12 tests in 0.1s\n\nFAILED (failures=1, successes=11)\n"),
    "elm": Runner("npx elm-test", "TEST RUN PASSED\n\nDuration: 12 ms\nPassed:   12\nFailed:   0\n", "TEST RUN FAILED\n\nDuration: 12 ms\nPassed:   11\nFailed:   1\n"),
    "wtr": Runner("npx wtr", "3/3 test files | 12 passed, 0 failed\n", "3/3 test files | 11 passed, 1 failed\n"),
    "totals": Runner("dotnet vstest a.dll", "Total tests: 12\n     Passed: 12\n Total time: 1.2 Seconds\n", "Total tests: 12\n     Passed: 11\n     Failed: 1\n Total time: 1.2 Seconds\n"),
    "zio": Runner("sbt test", "12 tests passed. 0 tests failed. 0 tests ignored.\n", "11 tests passed. 1 tests failed. 0 tests ignored.\n"),
    "criterion": Runner("./build/tests", "[====] Synthesis: Tested: 12 | Passing: 12 | Failing: 0 | Crashing: 0\n", "[====] Synthesis: Tested: 12 | Passing: 11 | Failing: 1 | Crashing: 0\n"),
    "phpspec": Runner("vendor/bin/phpspec run", "2 specs\n12 examples (12 passed)\n15ms\n", "2 specs\n12 examples (11 passed, 1 failed)\n15ms\n"),
}  # fmt: skip
SAID = "Changed `src/a.x`. All 12 tests pass."
each = pytest.mark.parametrize("runner", RUNNERS.values(), ids=RUNNERS)
PIPED = " 2>&1 | tail -20"


@pytest.fixture
def busy(session):
    return session.edits("src/a.x", "1\n", "2\n")


@each
@pytest.mark.parametrize("pipe", ["", PIPED])
def test_what_the_runner_printed_is_let_through(busy, runner, pipe):
    assert busy.runs(runner.command + pipe, runner.green).stop(SAID) == ""


@each
@pytest.mark.parametrize(("pipe", "code"), [("", 1), (PIPED, 0)])
def test_failures_that_it_printed_make_it_untrue(busy, runner, pipe, code):
    assert "not true" in busy.runs(runner.command + pipe, runner.red, code).stop(SAID)


@each
def test_more_tests_than_it_printed_make_it_untrue(busy, runner):
    assert "not true" in busy.runs(runner.command, runner.green).stop(SAID.replace("12", "14"))


@each
def test_told_with_its_failure_it_is_let_through(busy, runner):
    told = "Changed `src/a.x`. 11 tests pass; one still fails, as it did before."
    assert busy.runs(runner.command, runner.red, 1).stop(told) == ""


TESTTHAT = "Rscript -e 'devtools::test()'"


def test_one_that_counts_expectations_says_nothing_of_how_many_tests_passed(busy):
    busy.runs(TESTTHAT, "[ FAIL 0 | WARN 0 | SKIP 0 | PASS 31 ]\n")
    assert busy.stop(SAID) == ""
    busy.runs(TESTTHAT, "[ FAIL 1 | WARN 0 | SKIP 0 | PASS 30 ]\n", 1)
    assert "not true" in busy.stop(SAID)


def test_an_unknown_one_is_no_proof_and_no_lie(busy):
    assert busy.runs("./acme-suite", "everything is fine\n").stop(SAID) == ""
