"""A run proves the tree it ran on, at the stop: which of several runs shows the tree as it is now, and which shows another one."""

from __future__ import annotations

import pytest

GREEN = "==== 12 passed in 0.31s ====\n"
RED = "1 failed, 11 passed in 0.3s\n"
SAID = "All tests pass."


@pytest.fixture
def green(session):
    """A mend, and a run of all tests that passed after it."""
    return session.edits("src/a.py", "one\n", "two\n").runs("pytest -q", GREEN)


class TestChangedBack:
    """What was changed after the run and is as it was then leaves the run what it is."""

    def test_a_line_put_in_and_taken_out_again(self, green):
        green.edits("src/a.py", "two\n", "two\nprint(1)\n")
        assert "src/a.py was changed after the last test run" in green.stop(SAID)
        assert green.edits("src/a.py", "two\nprint(1)\n", "two\n").stop(SAID) == ""

    def test_in_several_files_in_any_order(self, green):
        green.edits("src/b.py", "x\n", "y\n").edits("src/a.py", "two\n", "2\n").edits("src/b.py", "y\n", "x\n")
        assert "src/a.py was changed" in green.stop(SAID)
        assert green.edits("src/a.py", "2\n", "two\n").stop(SAID) == ""

    def test_the_same_words_in_another_file_put_nothing_back(self, green):
        green.edits("src/a.py", "two\n", "three\n").edits("src/b.py", "three\n", "two\n")
        assert "was changed after the last test run" in green.stop(SAID)

    def test_changed_twice_and_back_once_it_is_changed(self, green):
        green.edits("src/a.py", "two\n", "three\n").edits("src/a.py", "three\n", "four\n")
        green.edits("src/a.py", "four\n", "three\n")
        assert "src/a.py was changed" in green.stop(SAID)

    @pytest.mark.parametrize(
        "line",
        [
            "echo 'x = 1' > probe.py; python probe.py; rm probe.py",
            "cat > probe.py <<'EOF'\nx = 1\nEOF\npython probe.py && rm probe.py",
        ],
        ids=["echo", "heredoc"],
    )
    def test_a_script_that_was_made_run_and_deleted(self, green, line):
        assert green.runs(line, "1\n").stop(SAID) == ""

    def test_one_that_was_written_and_stays_is_a_change(self, green):
        green.writes("src/extra.py", "x = 1\n")
        assert "src/extra.py was changed" in green.stop(f"{SAID} Wrote `src/extra.py`.")
        assert green.deletes("src/extra.py").stop(SAID) == ""

    def test_a_file_that_was_there_and_is_deleted_is_a_change(self, green):
        assert "src/b.py was changed" in green.has("src/b.py").deletes("src/b.py").stop(f"{SAID} Removed `src/b.py`.")


class TestSeenToFail:
    """To show that a test needs the mend, the mend is taken out, the test seen to fail, and the mend put back."""

    def test_by_an_edit_and_back(self, green):
        green.edits("src/a.py", "two\n", "one\n").runs("pytest -q", RED, 1)
        assert "the last test run failed" in green.stop(SAID), "the mend is out"
        assert green.edits("src/a.py", "one\n", "two\n").stop(SAID) == ""

    def test_by_a_stash_in_one_line(self, green):
        assert green.runs("git stash && pytest -q; git stash pop", RED).stop(SAID) == ""

    def test_by_a_stash_in_three(self, green):
        green.runs("git stash", "Saved working directory\n").runs("pytest -q", RED, 1)
        assert "the last test run failed" in green.stop(SAID), "it is still in the stash"
        assert green.runs("git stash pop", "Dropped refs/stash@{0}\n").stop(SAID) == ""

    def test_without_a_run_before_it_nothing_shows_that_they_pass(self, session):
        session.edits("src/a.py", "one\n", "two\n")
        assert "the last test run failed" in session.runs("git stash && pytest -q; git stash pop", RED).stop(SAID)

    def test_a_run_before_that_is_older_than_the_mend_does_not_either(self, session):
        session.runs("pytest -q", GREEN).edits("src/a.py", "one\n", "two\n").runs("pytest -q", RED, 1)
        assert "the last test run failed" in session.edits("src/a.py", "two\n", "three\n").stop(SAID)

    def test_red_on_this_very_tree_is_red(self, green):
        assert "the last test run failed" in green.runs("pytest -q", RED, 1).stop(SAID)

    def test_the_number_that_is_told_is_that_of_the_run_that_counts(self, green):
        green.edits("src/a.py", "two\n", "one\n").runs("pytest -q", RED, 1).edits("src/a.py", "one\n", "two\n")
        assert green.stop("All 12 tests pass.") == ""
        assert "other counts" in green.stop("All 15 tests pass.")


class TestLinters:
    @pytest.mark.parametrize("line", ["npx prettier --write src", "ruff format .", "cargo fmt", "gofmt -w ."])
    def test_a_formatter_may_have_mended_what_a_linter_found(self, session, line):
        session.edits("src/a.py", "one\n", "two\n").runs("npm run lint", "2 problems\n", 1)
        assert "the last run of the linter failed" in session.stop("Linting passes.")
        assert session.runs(line, "formatted\n").stop("Linting passes.") == ""

    def test_a_formatter_before_it_did_not(self, session):
        session.edits("src/a.py", "one\n", "two\n").runs("ruff format .", "1 file reformatted\n")
        assert "failed" in session.runs("npm run lint", "2 problems\n", 1).stop("Linting passes.")

    def test_fixed_by_the_linter_itself_it_passes(self, session):
        session.edits("src/a.py", "one\n", "two\n").runs("ruff check .", "Found 2 errors.\n", 1)
        assert (
            session.runs("ruff check --fix .", "Found 2 errors (2 fixed, 0 remaining).\n").stop("Linting passes.") == ""
        )


class TestAllPackages:
    ALL = ["`go test ./...` passes for the whole module.", "I ran `go test ./...`, all green."]
    OK = "ok  \tx/cache\t0.004s\n"

    @pytest.fixture
    def busy(self, session):
        session.has("cache/a.go", "package cache\n").has("server/b.go", "package server\n")
        return session.begins().edits("cache/a.go", "package cache\n", "package cache\n\nvar A = 1\n")

    @pytest.mark.parametrize("told", ALL)
    def test_one_package_is_not_all_of_them(self, busy, told):
        assert "no such command" in busy.runs("go test ./cache/", self.OK).stop(told)
        assert busy.stop("`go test ./cache/` passes; the rest of the module was not tested.") == ""

    @pytest.mark.parametrize("told", ALL)
    @pytest.mark.parametrize(
        "typed", ["go test -race ./...", "go test ./cache/... ./server/...", "gotestsum ./...", "make test", "go test"]
    )
    def test_what_may_have_gone_over_all_is_let_through(self, busy, told, typed):
        assert busy.runs("go test ./cache/", self.OK).runs(typed, self.OK).stop(told) == ""
