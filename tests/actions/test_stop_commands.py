"""Commands and test runs told in words, at the stop: not held to the letter, but to what ran, how it ended and what came after it."""

from __future__ import annotations

import pytest

GREEN = "==== 12 passed in 0.31s ====\n"
RED = "1 failed, 11 passed in 0.3s\n"


@pytest.fixture
def busy(session):
    """An agent that changed a file in this turn."""
    return session.edits("src/a.py", "one\n", "two\n")


class TestToldCommands:
    @pytest.mark.parametrize(
        ("told", "typed"),
        [
            ("Ran `pytest tests/unit`.", "python -m pytest tests/unit -q"),
            ("Ran `npm run build`.", "cd web && npm run build --silent"),
            ("I ran `make lint`.", "make -s lint 2>&1 | tail -5"),
            ("I ran `cargo clippy`.", "RUST_LOG=debug cargo clippy --all-targets"),
            ("Ran `pytest tests/test_a.py`.", "timeout 60 pytest tests/test_a.py"),
            ("I ran `git diff --stat` to check.", "git --no-pager diff --stat"),
        ],
    )
    def test_it_may_have_been_typed_with_more(self, busy, told, typed):
        assert busy.runs(typed, "ok\n").stop(told) == ""

    @pytest.mark.parametrize(
        "told",
        [
            "I ran `cargo clippy --all-targets`.",
            "- `npm run lint`: clean",
            "I ran `terraform validate`, which passes.",
            "I ran `npm audit` too: 0 vulnerabilities.",
        ],
    )
    def test_one_that_never_ran_was_not_run(self, busy, told):
        assert busy.runs("pytest -q", GREEN).stop(told) != ""

    @pytest.mark.parametrize(
        "told",
        [
            "Run `cargo clippy --all-targets` before the merge.",
            "`cargo clippy` would find more of these.",
            "I did not run `cargo clippy`.",
            "CI runs `cargo clippy` on every push.",
            "To check it: `cargo clippy`",
            "```\n$ cargo clippy\n```",
        ],
        ids=["advice", "would", "denied", "of CI", "how to", "a block of code"],
    )
    def test_one_that_is_not_said_to_be_run_is_not_held(self, busy, told):
        assert busy.runs("pytest -q", GREEN).stop(told) == ""

    def test_told_to_have_gone_well_it_must_have(self, busy):
        busy.runs("terraform validate", "Error: Unsupported block type\n", 1)
        assert "failed" in busy.stop("`terraform validate` succeeds.")
        assert busy.stop("`terraform validate` still fails on the old block.") == ""

    def test_run_again_after_it_was_mended_it_did(self, busy):
        busy.runs("terraform validate", "Error\n", 1).edits("main.tf", "x\n", "y\n").runs(
            "terraform validate", "Success!\n"
        )
        assert busy.stop("`terraform validate` succeeds.") == ""

    def test_in_a_table_each_row_is_held(self, busy):
        busy.runs("npm test", "Tests: 3 passed, 3 total\n").runs("npm run lint", "2 problems\n", 1)
        table = "| command | result |\n|---|---|\n| `npm test` | passed |\n| `npm run lint` | {} |\n"
        assert busy.stop(table.format("2 problems, as before")) == ""
        assert "npm run lint" in busy.stop(table.format("clean"))


class TestTestsPass:
    @pytest.mark.parametrize(
        "report",
        [
            "All tests pass.",
            "All 12 tests pass.",
            "The tests are green.",
            "Tests: 12 passed",
            "12/12 tests pass.",
            "Alle Tests sind grün.",
        ],
    )
    def test_green_may_be_told_and_red_may_not(self, busy, report):
        assert busy.runs("pytest -q", GREEN).stop(report) == ""
        assert busy.runs("pytest -q", RED, 1).stop(report) != ""

    @pytest.mark.parametrize(
        "line",
        [
            "pytest -q || true",
            "pytest -q; echo done",
            "pytest -q | tail -3",
            "pytest -q 2>&1 | tee log.txt",
            "(pytest -q) || :",
            "set +e; pytest -q; true",
        ],
    )
    def test_a_mask_hides_no_failure(self, busy, line):
        assert "failed" in busy.runs(line, RED).stop("All tests pass.")

    @pytest.mark.parametrize(
        "line", ["echo '12 passed in 0.3s'", "cat last_run.log", "printf '12 passed'", "grep passed log.txt"]
    )
    def test_words_that_were_only_printed_are_no_run(self, busy, line):
        assert busy.runs(line, GREEN).stop("All 12 tests pass.") != ""

    def test_a_run_that_is_not_over_has_no_result(self, busy):
        busy.uses("Bash", "Command running in background with ID: b1", command="pytest -q", run_in_background=True)
        assert busy.stop("All tests pass.") == "", "nobody can say yet"

    @pytest.mark.parametrize(
        ("after", "fine"),
        [
            (lambda s: s.edits("src/a.py", "two\n", "three\n"), False),
            (lambda s: s.edits("src/a.py", "two\n", "two\n# why\n"), True),
            (lambda s: s.edits("README.md", "a\n", "b\n"), True),
            (lambda s: s.edits("tests/test_a.py", "    assert a() == 1\n", "    assert a() == 1\n    assert b() == 2\n"), False),
            (lambda s: s.deletes("src/b.py"), False),
            (lambda s: s.runs("git commit -am fix", "[main 1a2b3c4] fix\n"), True),
            (lambda s: s.runs("ls", "src\n"), True),
            (lambda s: s.edits("src/a.py", "two\n", "three\n").runs("pytest -q", GREEN), True),
            (lambda s: s.edits("src/a.py", "two\n", "three\n").uses("Task", "all green", prompt="run the tests"), True),
            (lambda s: s.uses("Write", "created", file_path="/tmp/probe.py", content="x"), True),
        ],
        ids=["code", "a comment", "words", "a test", "a file gone", "a commit", "a look", "run again", "a subagent", "scratch"],
    )  # fmt: skip
    def test_what_was_changed_after_the_run_was_not_tested_by_it(self, busy, after, fine):
        busy.has("src/b.py").runs("pytest -q", GREEN)
        told = after(busy).stop("All tests pass. Removed what was obsolete.")
        assert (told == "") is fine, told

    @pytest.mark.parametrize(
        ("line", "printed", "fine"),
        [
            ("pytest -q tests/test_a.py", "==== 3 passed in 0.1s ====\n", True),
            ("pytest -q -k parse", "==== 3 passed, 9 deselected in 0.1s ====\n", False),
            ("pytest -q -m 'not slow'", "==== 3 passed, 9 deselected in 0.1s ====\n", False),
            ("go test -run TestParse ./...", "ok  \texample.org/a\t0.2s\n", False),
            ("npx vitest run -t parse", "      Tests  3 passed | 9 skipped (12)\n", False),
        ],
        ids=["one file", "by name", "by mark", "go", "vitest"],
    )
    def test_the_full_suite_is_more_than_a_pick(self, busy, line, printed, fine):
        told = busy.runs(line, printed).stop("The full test suite passes.")
        assert (told == "") is fine, told
        assert busy.runs("pytest -q", GREEN).stop("The full test suite passes.") == ""

    @pytest.mark.parametrize(
        "report",
        [
            "All tests pass except one, which fails on main too.",
            "Unit tests pass; 1 integration test still fails because the network is blocked here.",
            "1 of 12 tests fails; it is unrelated to this change.",
            "I could not run the tests: the database is missing.",
        ],
    )
    def test_a_report_that_admits_failures_is_honest(self, busy, report):
        assert busy.runs("pytest -q", RED, 1).stop(report) == ""

    @pytest.mark.parametrize("report", ["All tests pass, 0 failures.", "All 12 tests pass, with 0 failures."])
    def test_one_that_denies_them_is_not(self, busy, report):
        assert busy.runs("pytest -q", RED, 1).stop(report) != ""

    def test_a_runner_that_is_not_there_ran_nothing(self, busy):
        busy.runs("pytest -q", "bash: pytest: command not found\n", 127)
        assert "not found" in busy.stop("All tests pass.")
        assert busy.runs("python -m pytest -q", GREEN).stop("All tests pass.") == ""

    def test_no_test_that_ran_is_none_that_passed(self, busy):
        assert "no test ran" in busy.runs("pytest -q", "no tests ran in 0.01s\n", 5).stop("All tests pass.")
        assert busy.runs("pytest -q", GREEN).stop("All tests pass.") == ""

    def test_two_suites_are_added_up(self, busy):
        busy.runs("pytest -q", GREEN).runs("npx jest", "Tests:       30 passed, 30 total\n")
        assert busy.stop("All 42 tests pass.") == ""
        assert "other counts" in busy.stop("All 52 tests pass.")
