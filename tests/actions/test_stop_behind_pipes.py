"""`All tests pass` and `The build succeeds` behind a pipe, whose exit code says nothing: what runners, bundlers, compilers, tasks and environments printed of the end counts."""

from __future__ import annotations

from typing import NamedTuple

import pytest


class Run(NamedTuple):
    """A command behind a pipe, the end of what it prints where it failed, and where it went well, with warnings."""

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
BUILDS = {
    "next": Run("npx next build | tail -8", "Failed to compile.\n\n./src/a.ts:3:1\nType error: bad\n", " ⚠ Compiled with warnings\n\n./src/a.ts\n3:1  Warning: 'x' is never used.\n ✓ Generating static pages (5/5)\n"),
    "next, its last line": Run("npx next build | tail -1", "> Build failed because of webpack errors\n", "ƒ  (Dynamic)  server-rendered on demand\n"),
    "next with Turbopack": Run("npx next build | tail -3", "Error: Turbopack build failed with 1 errors:\n./src/a.tsx:3:1\n", " ✓ Compiled successfully in 2s\n"),
    "vite": Run("npx vite build | tail -5", "error during build:\nRollupError: Could not resolve \"./b\" from \"src/a.ts\"\n", "dist/assets/error-3f.js  1.2 kB\n✓ built in 1.20s\n"),
    "vite in a task": Run("npm run build | tail -3", "✓ 3 modules transformed.\n✗ Build failed in 120ms\n", "✓ 34 modules transformed.\n✓ built in 1.20s\n"),
    "webpack": Run("npx webpack | tail -1", "webpack 5.90.0 compiled with 1 error in 300 ms\n", "webpack 5.90.0 compiled with 1 warning in 300 ms\n"),
    "webpack, its findings": Run("npx webpack | head -2", "ERROR in ./src/a.js 3:0-20\nModule not found: Error: Can't resolve './b'\n", "WARNING in asset size limit: x\n"),
    "rollup": Run("npx rollup -c | tail -3", "[!] RollupError: Could not resolve './b' from a.js\n", "(!) Circular dependency\ncreated dist/a.js in 120ms\n"),
    "tsup": Run("npx tsup | tail -2", "DTS Build error\n", "DTS ⚡️ Build success in 512ms\n"),
    "dotnet": Run("dotnet build | tail -4", "    0 Warning(s)\n    1 Error(s)\n", "/w/a.cs(3,1): warning CS0168: The variable 'error' is never used\n    1 Warning(s)\n    0 Error(s)\n"),
    "dotnet, in one line": Run("dotnet build | tail -2", "Build failed with 1 error(s) in 1.2s\n", "Build succeeded in 1.2s\n"),
    "go": Run("go build ./... 2>&1 | head", "# app/pkg\npkg/a.go:3:2: undefined: x\n", "go: downloading github.com/pkg/errors v0.9.1\n"),
    "make": Run("make build | tail -2", "a.c:3:1: error: expected ';'\nmake: *** [Makefile:3: build] Error 1\n", "a.c:3:1: warning: unused variable 'x'\nmake: [Makefile:3: clean] Error 1 (ignored)\n"),
    "make, its last line": Run("make build | tail -1", "make: *** [Makefile:3: build] Error 2\n", "gcc -o app error.o\n"),
    "ninja": Run("ninja -C out | tail -1", "ninja: build stopped: subcommand failed.\n", "[12/12] Linking app\n"),
    "npm": Run("npm run build 2>&1 | tail -2", "npm error Lifecycle script `build` failed with error:\nnpm error code 1\n", "> tsc\n\n"),
    "pnpm": Run("pnpm build | tail -1", " ELIFECYCLE  Command failed with exit code 1.\n", "> vite build\n"),
    "turbo": Run("npx turbo run build | tail -4", "Failed:    web#build\n\n ERROR  run failed: command  exited (1)\n", " Tasks:    2 successful, 2 total\n"),
    "nx": Run("npx nx build web | tail -5", " NX   Running target build for project web failed\n", " NX   Successfully ran target build for project web\n"),
    "maven": Run("mvn compile | tail -2", "[ERROR] Failed to execute goal compiler:compile (default-compile) on project app: Compilation failure\n", "[WARNING] x\n[INFO] BUILD SUCCESS\n"),
}  # fmt: skip
EVERY = {
    **{name: ("the last test run", "All tests pass.", "One test", run) for name, run in RUNS.items()},
    **{
        f"build: {name}": ("the last run of the build", "The build succeeds.", "The build", run)
        for name, run in BUILDS.items()
    },
}
each = pytest.mark.parametrize(("what", "said", "subject", "run"), EVERY.values(), ids=EVERY)
TESTED, BUILT = "Changed `src/a.ts`. All tests pass.", "Changed `src/a.ts`. The build succeeds."


@pytest.fixture
def busy(session):
    return session.edits("src/a.ts", "1\n", "2\n")


@each
def test_what_was_printed_of_a_failure_makes_it_untrue(busy, what, said, subject, run):
    assert f"{what} failed" in busy.runs(run.command, run.red).stop(f"Changed `src/a.ts`. {said}")


@each
def test_where_all_went_well_it_is_let_through(busy, what, said, subject, run):
    assert busy.runs(run.command, run.green).stop(f"Changed `src/a.ts`. {said}") == ""


@each
def test_run_again_and_well_it_is_let_through(busy, what, said, subject, run):
    busy.runs(run.command, run.red).edits("src/a.ts", "2\n", "3\n").runs(run.command, run.green)
    assert busy.stop(f"Changed `src/a.ts`. {said}") == ""


@each
def test_a_failure_that_is_told_may_stop(busy, what, said, subject, run):
    told = f"Changed `src/a.ts`. {subject} still fails; I left it for you."
    assert busy.runs(run.command, run.red).stop(told) == ""


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
    assert busy.stop(TESTED) == ""


def test_a_task_of_tests_that_failed_beside_another_is_one(busy):
    output = "api:test: Tests:       12 passed, 12 total\nFailed:    web#lint, web#test\n ERROR  run failed: command  exited (1)\n"
    told = busy.runs("npx turbo run test lint | tail", output).stop(TESTED)
    assert "the last test run failed" in told


ESLINT = "/w/src/a.js\n  3:1  error  'x' is unused\n\n✖ 1 problem (1 error, 0 warnings)\n"
BESIDE = {
    "a linter": ("npm run build && npm run lint | tail", f"✓ built in 1.20s\n{ESLINT}npm error code 1\n"),
    "a linter of go": ("go build ./... && golangci-lint run | tail", "a.go:3:2: ineffectual assignment (ineffassign)\n3 issues:\n"),
    "a task of turbo": ("npx turbo run build lint | tail", "Failed:    web#lint\n ERROR  run failed: command  exited (1)\n"),
    "a target of make": ("make build lint | tail -1", "make: *** [Makefile:3: lint] Error 1\n"),
}  # fmt: skip


@pytest.mark.parametrize("run", BESIDE.values(), ids=BESIDE)
def test_a_linter_that_failed_beside_it_is_no_build(busy, run):
    assert busy.runs(*run).stop(BUILT) == ""


@pytest.mark.parametrize("name", ["a linter", "a linter of go", "a task of turbo"])
def test_but_everything_did_not_pass(busy, name):
    assert "not true" in busy.runs(*BESIDE[name]).stop("Changed `src/a.ts`. Everything passes.")


def test_a_build_that_failed_beside_a_linter_is_one(busy):
    output = "Failed:    web#build, web#lint\n ERROR  run failed: command  exited (1)\n"
    told = busy.runs("npx turbo run build lint | tail", output).stop(BUILT)
    assert "the last run of the build failed" in told


def test_tests_that_failed_behind_a_build_are_none_of_it(busy):
    busy.runs(
        "npm run build && npm test | tail -3", "✓ built in 1s\nTests: 1 failed, 3 passed, 4 total\nnpm error code 1\n"
    )
    assert busy.stop(BUILT) == ""
    assert "the last test run failed" in busy.stop(TESTED)
