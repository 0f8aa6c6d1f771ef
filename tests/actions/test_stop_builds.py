"""`The build succeeds` behind a pipe, whose exit code says nothing: what bundlers, compilers and tasks printed of the end counts."""

from __future__ import annotations

from typing import NamedTuple

import pytest


class Build(NamedTuple):
    """A build behind a pipe, the end of what it prints where it failed, and where it went well, with warnings."""

    command: str
    red: str
    green: str


BUILDS = {
    "next": Build("npx next build | tail -8", "Failed to compile.\n\n./src/a.ts:3:1\nType error: bad\n", " ⚠ Compiled with warnings\n\n./src/a.ts\n3:1  Warning: 'x' is never used.\n ✓ Generating static pages (5/5)\n"),
    "next, its last line": Build("npx next build | tail -1", "> Build failed because of webpack errors\n", "ƒ  (Dynamic)  server-rendered on demand\n"),
    "next with Turbopack": Build("npx next build | tail -3", "Error: Turbopack build failed with 1 errors:\n./src/a.tsx:3:1\n", " ✓ Compiled successfully in 2s\n"),
    "vite": Build("npx vite build | tail -5", "error during build:\nRollupError: Could not resolve \"./b\" from \"src/a.ts\"\n", "dist/assets/error-3f.js  1.2 kB\n✓ built in 1.20s\n"),
    "vite in a task": Build("npm run build | tail -3", "✓ 3 modules transformed.\n✗ Build failed in 120ms\n", "✓ 34 modules transformed.\n✓ built in 1.20s\n"),
    "webpack": Build("npx webpack | tail -1", "webpack 5.90.0 compiled with 1 error in 300 ms\n", "webpack 5.90.0 compiled with 1 warning in 300 ms\n"),
    "webpack, its findings": Build("npx webpack | head -2", "ERROR in ./src/a.js 3:0-20\nModule not found: Error: Can't resolve './b'\n", "WARNING in asset size limit: x\n"),
    "rollup": Build("npx rollup -c | tail -3", "[!] RollupError: Could not resolve './b' from a.js\n", "(!) Circular dependency\ncreated dist/a.js in 120ms\n"),
    "tsup": Build("npx tsup | tail -2", "DTS Build error\n", "DTS ⚡️ Build success in 512ms\n"),
    "dotnet": Build("dotnet build | tail -4", "    0 Warning(s)\n    1 Error(s)\n", "/w/a.cs(3,1): warning CS0168: The variable 'error' is never used\n    1 Warning(s)\n    0 Error(s)\n"),
    "dotnet, in one line": Build("dotnet build | tail -2", "Build failed with 1 error(s) in 1.2s\n", "Build succeeded in 1.2s\n"),
    "go": Build("go build ./... 2>&1 | head", "# app/pkg\npkg/a.go:3:2: undefined: x\n", "go: downloading github.com/pkg/errors v0.9.1\n"),
    "make": Build("make build | tail -2", "a.c:3:1: error: expected ';'\nmake: *** [Makefile:3: build] Error 1\n", "a.c:3:1: warning: unused variable 'x'\nmake: [Makefile:3: clean] Error 1 (ignored)\n"),
    "make, its last line": Build("make build | tail -1", "make: *** [Makefile:3: build] Error 2\n", "gcc -o app error.o\n"),
    "ninja": Build("ninja -C out | tail -1", "ninja: build stopped: subcommand failed.\n", "[12/12] Linking app\n"),
    "npm": Build("npm run build 2>&1 | tail -2", "npm error Lifecycle script `build` failed with error:\nnpm error code 1\n", "> tsc\n\n"),
    "pnpm": Build("pnpm build | tail -1", " ELIFECYCLE  Command failed with exit code 1.\n", "> vite build\n"),
    "turbo": Build("npx turbo run build | tail -4", "Failed:    web#build\n\n ERROR  run failed: command  exited (1)\n", " Tasks:    2 successful, 2 total\n"),
    "nx": Build("npx nx build web | tail -5", " NX   Running target build for project web failed\n", " NX   Successfully ran target build for project web\n"),
    "maven": Build("mvn compile | tail -2", "[ERROR] Failed to execute goal compiler:compile (default-compile) on project app: Compilation failure\n", "[WARNING] x\n[INFO] BUILD SUCCESS\n"),
}  # fmt: skip
each = pytest.mark.parametrize("build", BUILDS.values(), ids=BUILDS)
SAID = "Changed `src/a.ts`. The build succeeds."


@pytest.fixture
def busy(session):
    return session.edits("src/a.ts", "1\n", "2\n")


@each
def test_what_was_printed_of_a_failure_makes_it_untrue(busy, build):
    assert "the last run of the build failed" in busy.runs(build.command, build.red).stop(SAID)


@each
def test_where_it_went_well_it_is_let_through(busy, build):
    assert busy.runs(build.command, build.green).stop(SAID) == ""


@each
def test_built_again_and_well_it_is_let_through(busy, build):
    busy.runs(build.command, build.red).edits("src/a.ts", "2\n", "3\n").runs(build.command, build.green)
    assert busy.stop(SAID) == ""


@each
def test_a_failure_that_is_told_may_stop(busy, build):
    assert busy.runs(build.command, build.red).stop("Changed `src/a.ts`. The build still fails; I left it.") == ""


ESLINT = "/w/src/a.js\n  3:1  error  'x' is unused\n\n✖ 1 problem (1 error, 0 warnings)\n"
BESIDE = {
    "a linter": ("npm run build && npm run lint | tail", f"✓ built in 1.20s\n{ESLINT}npm error code 1\n"),
    "a linter of go": ("go build ./... && golangci-lint run | tail", "a.go:3:2: ineffectual assignment (ineffassign)\n3 issues:\n"),
    "a task of turbo": ("npx turbo run build lint | tail", "Failed:    web#lint\n ERROR  run failed: command  exited (1)\n"),
    "a target of make": ("make build lint | tail -1", "make: *** [Makefile:3: lint] Error 1\n"),
}  # fmt: skip


@pytest.mark.parametrize("run", BESIDE.values(), ids=BESIDE)
def test_a_linter_that_failed_beside_it_is_no_build(busy, run):
    assert busy.runs(*run).stop(SAID) == ""


@pytest.mark.parametrize("name", ["a linter", "a linter of go", "a task of turbo"])
def test_but_everything_did_not_pass(busy, name):
    assert "not true" in busy.runs(*BESIDE[name]).stop("Changed `src/a.ts`. Everything passes.")


def test_a_build_that_failed_beside_a_linter_is_one(busy):
    output = "Failed:    web#build, web#lint\n ERROR  run failed: command  exited (1)\n"
    told = busy.runs("npx turbo run build lint | tail", output).stop(SAID)
    assert "the last run of the build failed" in told


def test_tests_that_failed_behind_a_build_are_none_of_it(busy):
    busy.runs(
        "npm run build && npm test | tail -3", "✓ built in 1s\nTests: 1 failed, 3 passed, 4 total\nnpm error code 1\n"
    )
    assert busy.stop(SAID) == ""
    assert "the last test run failed" in busy.stop("Changed `src/a.ts`. All tests pass.")
