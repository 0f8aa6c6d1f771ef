"""`Lint is clean`, `types check`, `it builds` at a stop, held against what linters, type checkers, formatters and builds did."""

from __future__ import annotations

from typing import NamedTuple

import pytest


class Tool(NamedTuple):
    """How a check is called, what it prints when it is content and when it is not, and what is said about it."""

    command: str
    clean: str
    dirty: str
    said: str


LINT, TYPES, BUILD = "Lint is clean.", "Type checks pass.", "The build passes."
TOOLS = {
    "ruff": Tool("ruff check .", "All checks passed!\n", "a.py:1:1: F401 unused\nFound 1 error.\n", LINT),
    "eslint": Tool("npx eslint src", "", "/a.js\n  1:1  error  no-undef\n\n✖ 1 problem (1 error, 0 warnings)\n", LINT),
    "golangci-lint": Tool("golangci-lint run", "0 issues.\n", "a.go:1:1: Error return value (errcheck)\n1 issues:\n", LINT),
    "clippy": Tool("cargo clippy -- -D warnings", "Finished dev\n", "error: unused variable\n", LINT),
    "flake8": Tool("flake8 src", "", "src/a.py:1:1: F401 unused\n", LINT),
    "npm": Tool("npm run lint", "> lint\n", "✖ 3 problems (3 errors, 0 warnings)\n", LINT),
    "a formatter that is asked": Tool("black --check .", "1 file would be left unchanged.\n", "would reformat a.py\n", LINT),
    "shellcheck": Tool("shellcheck run.sh", "", "In run.sh line 1:\nSC2086 (warning): quote\n", LINT),
    "mypy": Tool("mypy src", "Success: no issues found in 3 source files\n", "a.py:1: error: bad\nFound 1 error in 1 file\n", TYPES),
    "tsc": Tool("npx tsc --noEmit", "", "a.ts(1,1): error TS2322: bad\n", TYPES),
    "pyright": Tool("pyright", "0 errors, 0 warnings\n", "a.py:1:1 - error: bad\n1 error\n", TYPES),
    "npm types": Tool("npm run typecheck", "> tsc\n", "a.ts(1,1): error TS2322: bad\n", TYPES),
    "go build": Tool("go build ./...", "", "./a.go:3:1: undefined: x\n", BUILD),
    "cargo build": Tool("cargo build", "Finished dev\n", "error[E0425]: cannot find value\n", BUILD),
    "npm build": Tool("npm run build", "built in 1s\n", "error during build:\n", BUILD),
    "gradle": Tool("./gradlew assemble", "BUILD SUCCESSFUL\n", "BUILD FAILED\n", BUILD),
    "make": Tool("make build", "", "make: *** [build] Error 1\n", BUILD),
}  # fmt: skip
NOUN = {LINT: "linter", TYPES: "type checker", BUILD: "build"}
each = pytest.mark.parametrize("tool", TOOLS.values(), ids=TOOLS)


@each
def test_clean_may_be_told(session, tool):
    assert session.runs(tool.command, tool.clean).stop(tool.said) == ""


@each
def test_dirty_may_not(session, tool):
    assert f"the last run of the {NOUN[tool.said]} failed" in session.runs(tool.command, tool.dirty, 1).stop(tool.said)


@each
def test_dirty_and_then_clean_may(session, tool):
    session.runs(tool.command, tool.dirty, 1).runs(tool.command, tool.clean)
    assert session.stop(tool.said) == ""


@each
def test_clean_and_then_dirty_may_not(session, tool):
    session.runs(tool.command, tool.clean).runs(tool.command, tool.dirty, 1)
    assert f"the last run of the {NOUN[tool.said]} failed" in session.stop(tool.said)


@each
def test_dirty_and_told_so_may_stop(session, tool):
    session.runs(tool.command, tool.dirty, 1)
    assert session.stop(f"`{tool.command}` still fails; I left it for you.") == ""


@each
def test_changed_after_the_last_run_failed_it_has_to_run_again(session, tool):
    session.writes("a.py", "x = 1\n").runs(tool.command, tool.dirty, 1).edits("a.py", "x = 1", "x = 2")
    assert "none was made after the changes since" in session.stop(tool.said)


@pytest.mark.parametrize(
    "name", ["ruff", "eslint", "mypy", "tsc", "cargo build"], ids=["ruff", "eslint", "mypy", "tsc", "cargo"]
)
@pytest.mark.parametrize("mask", ["{} || true", "{} | tail -5", "{} 2>&1 | head; echo done", "{}; exit 0"])
def test_a_mask_hides_no_printed_fault(session, name, mask):
    tool = TOOLS[name]
    told = session.runs(mask.format(tool.command), tool.dirty).stop(tool.said)
    assert f"the last run of the {NOUN[tool.said]} failed" in told


@pytest.mark.parametrize(
    ("said", "ran"),
    [(LINT, "mypy src"), (LINT, "pytest -q"), (TYPES, "ruff check ."), (TYPES, "npm run build:css")],
)
def test_one_that_never_ran_was_not_clean(session, said, ran):
    assert f"the trace has no run of a {NOUN[said]}" in session.runs(ran, "").stop(said)


class TestOthers:
    """A check stands for itself alone."""

    @pytest.mark.parametrize("said", [LINT, "Lint checks pass.", "ruff is happy.", "Ran `ruff check .`: clean."])
    def test_red_tests_say_nothing_of_the_linter(self, session, said):
        session.runs("ruff check .", "All checks passed!\n").runs("pytest -q", "1 failed in 0.1s\n", 1)
        assert session.stop(said) == ""

    @pytest.mark.parametrize("said", [TYPES, "Type checking passes.", "mypy is clean.", "Type checks are green."])
    def test_a_dirty_linter_says_nothing_of_the_types(self, session, said):
        session.runs("mypy src", "Success: no issues found\n").runs("ruff check .", "Found 1 error.\n", 1)
        assert session.stop(said) == ""

    @pytest.mark.parametrize("said", ["All checks pass.", "Everything is green.", "CI passes."])
    def test_all_of_them_are_all_of_them(self, session, said):
        session.runs("mypy src", "Success: no issues found\n").runs("ruff check .", "Found 1 error.\n", 1)
        assert "the last run of the" in session.stop(said)

    def test_several_in_one_sentence_are_each_held(self, session):
        session.runs("ruff check .", "All checks passed!\n").runs("mypy src", "Found 1 error in 1 file\n", 1)
        told = session.stop("Lint and type checks pass.")
        assert "the last run of the type checker failed" in told
        assert "the last run of the linter failed" not in told

    def test_a_formatter_that_writes_is_no_linter(self, session):
        assert "the trace has no run of a linter" in session.runs("black .", "1 file reformatted.\n").stop(LINT)

    def test_a_task_that_may_be_anything_leaves_it_open(self, session):
        session.runs("make check", "ruff check .\nFound 1 error.\n", 2)
        assert session.stop(LINT) == ""
        assert session.stop(TYPES) == ""

    def test_a_linter_that_is_not_there_did_not_run(self, session):
        told = session.runs("ruff check .", "bash: ruff: command not found\n", 127).stop(LINT)
        assert "the trace has no run of a linter" in told

    def test_the_line_counts_its_last_command(self, session):
        assert session.runs("ruff check . && mypy src && pytest -q", "3 passed in 0.1s\n").stop(
            "Lint is clean, type checks and tests pass."
        ) == ""  # fmt: skip


class TestTasks:
    """What a project's own task is for stands in its name."""

    @pytest.mark.parametrize(
        ("line", "said"),
        [
            ("make lint", LINT),
            ("just lint", LINT),
            ("npm run lint:fix", LINT),
            ("yarn lint", LINT),
            ("pnpm -C web lint", LINT),
            ("nox -s lint", LINT),
            ("tox -e lint", LINT),
            ("uv run ruff check", LINT),
            ("docker compose exec web ruff check .", LINT),
            ("poetry run mypy .", TYPES),
            ("pnpm type-check", TYPES),
            ("npm run check:type-check", TYPES),
            ("make typecheck", TYPES),
            ("tox -e types", TYPES),
            ("turbo run build --filter=web", BUILD),
            ("mvn -q package", BUILD),
            ("dotnet build", BUILD),
            ("cmake --build out", BUILD),
        ],
    )
    def test_it_is_held_by_that(self, session, line, said):
        assert session.runs(line).stop(said) == ""
        told = session.runs(line, "", 1).stop(said)
        assert f"the last run of the {NOUN[said]} failed" in told
