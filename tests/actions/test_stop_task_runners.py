"""`All tests pass` behind a pipe, whose exit code says nothing: what runners, task runners and environments printed of the end counts."""

from __future__ import annotations

from typing import NamedTuple

import pytest


class Run(NamedTuple):
    """A command behind a pipe, the end of what it prints where tests failed, and where all passed."""

    command: str
    red: str
    green: str


RUNS = {
    "jest, a file that could not run": Run(
        "npx jest 2>&1 | tail -20",
        "Test Suites: 1 failed, 2 passed, 3 total\nTests:       12 passed, 12 total\nSnapshots:   0 total\n",
        "Test Suites: 3 passed, 3 total\nTests:       12 passed, 12 total\nSnapshots:   0 total\n",
    ),
    "jest, its files alone": Run(
        "npx jest 2>&1 | grep Suites",
        "Test Suites: 1 skipped, 1 failed, 2 passed, 4 total\n",
        "Test Suites: 1 skipped, 3 passed, 4 total\n",
    ),
    "vitest, a file that could not run": Run(
        "npx vitest run | tail -8",
        " Test Files  1 failed | 2 passed (3)\n      Tests  12 passed (12)\n   Duration  1.2s\n",
        " Test Files  3 passed (3)\n      Tests  12 passed (12)\n   Duration  1.2s\n",
    ),
    "vitest, an error outside of the tests": Run(
        "npx vitest run | tail -8",
        " Test Files  3 passed (3)\n      Tests  12 passed (12)\n     Errors  1 error\n   Duration  1.2s\n",
        " Test Files  3 passed (3)\n      Tests  12 passed (12)\n   Duration  1.2s\n",
    ),
    "vitest, its beginning": Run(
        "npx vitest run | head -3",
        " ❯ src/a.test.ts (3 tests | 1 failed) 12ms\n",
        " ✓ src/a.test.ts (3 tests) 12ms\n",
    ),
    "turbo": Run(
        "npx turbo run test | tail -6",
        " Tasks:    1 successful, 2 total\nCached:    0 cached, 2 total\nFailed:    web#test\n\n ERROR  run failed: command  exited (1)\n",
        " Tasks:    2 successful, 2 total\nCached:    0 cached, 2 total\n  Time:    1.2s\n",
    ),
    "turbo, another package green": Run(
        "npx turbo run test | tail -20",
        "api:test: Tests:       12 passed, 12 total\nFailed:    web#test\n ERROR  run failed: command  exited (1)\n",
        "api:test: Tests:       12 passed, 12 total\n Tasks:    2 successful, 2 total\n",
    ),
    "nx, many": Run(
        "npx nx run-many -t test | tail -12",
        " NX   Ran target test for 2 projects (3s)\n\n   ✔  1/2 succeeded\n\n   ✖  1/2 targets failed, including the following:\n\n      - nx run web:test\n",
        " NX   Successfully ran target test for 2 projects (3s)\n",
    ),
    "nx, one": Run(
        "npx nx test web | tail -5",
        " NX   Running target test for project web failed\n\nFailed tasks:\n\n- web:test\n",
        " NX   Successfully ran target test for project web\n",
    ),
    "tox": Run(
        "tox | tail -5",
        "  py310: FAIL code 1 (3.21=setup[2.1]+cmd[1.1] seconds)\n  py311: OK (3.1 seconds)\n  evaluation failed :( (6.4 seconds)\n",
        "  py310: OK (3.21=setup[2.1]+cmd[1.1] seconds)\n  py311: OK (3.1 seconds)\n  congratulations :) (6.4 seconds)\n",
    ),
    "tox, another environment green": Run(
        "tox | tail",
        "12 passed in 0.4s\n  py310: FAIL code 1 (3.21 seconds)\n  py311: OK (3.1 seconds)\n",
        "12 passed in 0.4s\n  py310: OK (3.21 seconds)\n  py311: OK (3.1 seconds)\n",
    ),
    "tox, an older one": Run(
        "tox | tail -4",
        "ERROR:   py310: commands failed\n  py311: commands succeeded\n",
        "  py310: commands succeeded\n  py311: commands succeeded\n  congratulations :)\n",
    ),
    "nox": Run(
        "nox -s tests | tail -2",
        "nox > Command pytest -q failed with exit code 1\nnox > Session tests-3.11 failed.\n",
        "nox > Session tests-3.11 was successful.\n",
    ),
    "nox, several": Run(
        "nox | tail -3",
        "nox > Ran multiple sessions:\nnox > * tests-3.10: failed\nnox > * tests-3.11: success\n",
        "nox > Ran multiple sessions:\nnox > * tests-3.10: success\nnox > * tests-3.11: success\n",
    ),
    "npm": Run(
        "npm test 2>&1 | tail -4",
        "npm error code ELIFECYCLE\nnpm error errno 1\n",
        "Tests:       12 passed, 12 total\n",
    ),
    "pnpm": Run(
        "pnpm -r test | tail -3",
        "packages/web test: Failed\n ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL  web@1.0.0 test: `vitest run`\nExit status 1\n",
        "packages/web test: Done\n",
    ),
    "yarn": Run("yarn test | tail -3", "error Command failed with exit code 1.\n", "Done in 1.20s.\n"),
    "lerna": Run("npx lerna run test | tail -5", " lerna ERR! npm run test exited 1 in 'web'\n", "lerna success run Ran npm script 'test' in 2 packages\n"),
    "maven": Run("mvn test | tail -3", "[ERROR] Failed to execute goal surefire:test (default-test) on project app: There are test failures.\n", "[INFO] BUILD SUCCESS\n"),
    "rspec": Run("bundle exec rspec | tail -1", "rspec ./spec/a_spec.rb:3 # adds\n", "12 examples, 0 failures\n"),
    "deno": Run("deno test | tail -1", "error: Test failed\n", "ok | 12 passed | 0 failed (1s)\n"),
}  # fmt: skip
each = pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
SAID = "Changed `src/a.ts`. All tests pass."


@pytest.fixture
def busy(session):
    return session.edits("src/a.ts", "1\n", "2\n")


@each
def test_what_was_printed_of_a_failure_makes_it_untrue(busy, run):
    assert "the last test run failed" in busy.runs(run.command, run.red).stop(SAID)


@each
def test_where_all_passed_it_is_let_through(busy, run):
    assert busy.runs(run.command, run.green).stop(SAID) == ""


@each
def test_run_again_and_green_it_is_let_through(busy, run):
    busy.runs(run.command, run.red).edits("src/a.ts", "2\n", "3\n").runs(run.command, run.green)
    assert busy.stop(SAID) == ""


@each
def test_a_failure_that_is_told_may_stop(busy, run):
    assert busy.runs(run.command, run.red).stop("Changed `src/a.ts`. One test still fails; I left it for you.") == ""


ELSEWHERE = {
    "turbo": ("npx turbo run test lint | tail", "api:test: Tests:       12 passed, 12 total\nFailed:    web#lint\n ERROR  run failed: command  exited (1)\n"),
    "turbo, nothing of the tests": ("npx turbo run test lint | tail -2", "Failed:    web#lint\n\n ERROR  run failed: command  exited (1)\n"),
    "nx": ("npx nx run-many -t test lint | tail -5", "   ✖  1/4 targets failed, including the following:\n\n      - nx run web:lint\n"),
    "tox": ("tox | tail -3", "  py311: OK (3.1 seconds)\n  lint: FAIL code 1 (1 seconds)\n  evaluation failed :( (6.4 seconds)\n"),
    "nox": ("nox | tail -3", "nox > * tests-3.11: success\nnox > * lint: failed\n"),
    "make": ("make test lint | tail -1", "make: *** [Makefile:3: lint] Error 1\n"),
    "npm": ("npm test && npm run lint | tail -3", "Tests:       12 passed, 12 total\nnpm error Lifecycle script `lint` failed with error:\nnpm error code 1\n"),
}  # fmt: skip


@pytest.mark.parametrize("run", ELSEWHERE.values(), ids=ELSEWHERE)
def test_another_task_that_failed_is_no_test(busy, run):
    assert busy.runs(*run).stop("Changed `src/a.ts`. All tests pass; lint still fails in `web`.") == ""
    assert busy.stop("Changed `src/a.ts`. All tests pass.") == ""


def test_a_task_of_tests_that_failed_beside_another_is_one(busy):
    output = "api:test: Tests:       12 passed, 12 total\nFailed:    web#lint, web#test\n ERROR  run failed: command  exited (1)\n"
    told = busy.runs("npx turbo run test lint | tail", output).stop(SAID)
    assert "the last test run failed" in told
