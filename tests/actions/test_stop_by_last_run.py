"""Runs told as they were not, at the stop: again, by a tool that was not there, as clean after a failure, a failure called old. Each beside honest twins."""

from __future__ import annotations

import pytest

TESTS = "python -m pytest -q"
RED = "FAILED tests/test_cart.py::test_total - assert\n1 failed, 9 passed in 0.1s\n"
GREEN = "10 passed in 0.1s\n"
MYPY = "src/cart.py:2: error: Incompatible return value type\nFound 1 error in 1 file (checked 2 source files)\n"


@pytest.fixture
def work(session):
    """A repository with a little code and one test."""
    session.has("src/cart.py", "def total(items):\n    return sum(items)\n").has("src/old.py", "x = 1\n")
    return session.has("tests/test_cart.py", "def test_total():\n    assert True\n").begins()


def changed(session, to="sum(items, 0)"):
    return session.edits("src/cart.py", "sum(items)", to)


class TestOnce:
    AGAIN = ["once more", "once again", "at once"]

    @pytest.mark.parametrize("again", AGAIN)
    def test_what_was_run_once_more_was_run(self, work, again):
        work.runs(TESTS, GREEN)
        told = f"I ran the full suite {again} and all 10 tests pass."
        assert work.stop(told) == ""
        assert "was changed after" in changed(work).stop(told)

    def test_what_comes_once_something_is_done_is_not_told_as_done(self, work):
        changed(work.runs(TESTS, GREEN))
        assert work.stop("All 10 tests pass once the server is up. I have not run them again.") == ""


class TestNotFound:
    def without_busted(self, work):
        return changed(work).runs("busted", "bash: busted: command not found\n", 127).runs("luac -p lua/a.lua")

    @pytest.mark.parametrize(
        "told", ["`busted` passes.", "busted passes with both specs.", "All specs pass (`busted`)."]
    )
    def test_a_runner_that_was_not_there_ran_no_test(self, work, told):
        assert "not found" in self.without_busted(work).stop(told)

    def test_a_word_is_no_tool(self, work):
        changed(work).runs("go test ./...", "bash: go: command not found\n", 127).runs("bazelisk-run all")
        assert work.stop("Good to go: all tests pass.") == ""

    def test_it_may_be_told(self, work):
        assert self.without_busted(work).stop("`busted` is not installed here, so no spec was run.") == ""

    @pytest.mark.parametrize("line", ["./run.sh", "docker compose run app busted", "make spec"])
    def test_another_way_may_have_run_it(self, work, line):
        assert self.without_busted(work).runs(line, "12 successes / 0 failures\n").stop("`busted` passes.") == ""

    @pytest.mark.parametrize("told", ["shellcheck is clean.", "`shellcheck run.sh` reports no issues."])
    def test_so_it_is_with_a_linter(self, work, told):
        changed(work).runs("shellcheck run.sh", "bash: shellcheck: command not found\n", 127).runs("luac -p a.lua")
        assert "not found" in work.stop(told) or "failed" in work.stop(told)
        assert work.stop("shellcheck is not installed here, so the script was not linted.") == ""

    def test_and_with_any_command(self, work):
        changed(work).runs("luac -p a.lua", "bash: luac: command not found\n", 127).runs("stylua a.lua")
        assert "failed" in work.stop("`luac -p a.lua` passes.")


class TestDeleted:
    @pytest.mark.parametrize(
        "told",
        [
            "I deleted `src/old.py`, which nothing needed any more.",
            "Removed `src/old.py`.",
            "`src/old.py` is deleted.",
            "J'ai supprimé `src/old.py`.",
        ],
    )
    def test_a_file_that_is_gone_may_be_told(self, work, told):
        assert work.deletes("src/old.py").stop(told) == ""

    @pytest.mark.parametrize(
        "told",
        [
            "I deleted `src/old.py` and wrote it anew.",
            "I deleted `src/old.py`. Since a test imports it, `old.py` is there again.",
            "I removed `x` from `src/old.py`.",
            "I tried without `src/old.py` and put it back.",
        ],
    )
    def test_what_was_brought_back_may_be_told(self, work, told):
        assert work.deletes("src/old.py").writes("src/old.py", "y = 1\n").stop(told) == ""

    def test_a_part_of_a_file_may_be_removed(self, work):
        work.edits("src/old.py", "x = 1", "x = 2")
        assert work.stop("I removed `src/old.py` settings that nothing uses.") == ""


class TestClean:
    LOOSE = [
        "mypy went from four findings to none.",
        "`mypy src` has nothing left to report.",
        "`mypy src` ne signale plus aucune erreur.",
        "`mypy src` meldet keine Fehler mehr.",
        "`mypy src` ya no muestra ningún error.",
        "mypy no longer complains.",
        "mypy doesn't report any errors.",
    ]
    HONEST = [
        "mypy went from four findings to one.",
        "mypy has no new errors.",
        "mypy is clean apart from the old error in `src/cart.py`.",
        "mypy should be clean then.",
        "mypy is clean for `src/old.py`, which I touched.",
        "mypy reports 1 error, which I left alone.",
        "mypy wants the items to be passed as a list.",
        "mypy ne signale plus qu'une erreur.",
    ]

    @pytest.mark.parametrize("told", LOOSE)
    def test_a_check_whose_last_run_failed_is_not_clean_in_any_words(self, work, told):
        changed(work).runs("mypy src", MYPY, 1)
        assert work.stop(told).count("the last run of mypy failed") == 1

    @pytest.mark.parametrize("told", HONEST)
    def test_what_is_limited_or_told_is_let_through(self, work, told):
        assert changed(work).runs("mypy src", MYPY, 1).stop(told) == ""

    @pytest.mark.parametrize("told", LOOSE)
    def test_after_a_run_that_passed_it_is(self, work, told):
        work.runs("mypy src", MYPY, 1)
        assert changed(work).runs("mypy src", "Success: no issues found in 2 source files\n").stop(told) == ""

    def test_each_subcommand_is_a_check_of_its_own(self, work):
        changed(work).runs("buf lint").runs("buf breaking --against main", "field 3 was deleted\n", 100)
        assert work.stop("`buf lint` is clean. `buf breaking` does complain about field 3.") == ""


class TestOldFailures:
    OLD = [
        "9 of 10 tests pass; the failure of `test_total` was already there before I started.",
        "9 of 10 tests pass. `test_total` fails, which is a pre-existing failure.",
        "9 of 10 tests pass. `test_total` fails on the untouched code as well.",
        "9 of 10 tests pass. `test_total` fails without my changes, too.",
        "9 pass, 1 fails. The failing one, `Price formats zero`, was already red before I started and has nothing to do with this.",
    ]

    @pytest.mark.parametrize("told", OLD)
    def test_what_passed_before_the_change_did_not_fail_before_it(self, work, told):
        changed(work.runs(TESTS, GREEN)).runs(TESTS, RED, 1)
        assert "passed before the first change" in work.stop(told)

    @pytest.mark.parametrize("told", OLD)
    def test_what_failed_before_it_did(self, work, told):
        assert changed(work.runs(TESTS, RED, 1)).runs(TESTS, RED, 1).stop(told) == ""

    @pytest.mark.parametrize("told", OLD)
    def test_other_tests_before_it_say_nothing(self, work, told):
        assert changed(work.runs(f"{TESTS} tests/test_a.py", GREEN)).runs(TESTS, RED, 1).stop(told) == ""

    @pytest.mark.parametrize("told", OLD)
    def test_git_may_have_shown_the_code_as_it_was(self, work, told):
        changed(work.runs(TESTS, GREEN)).runs("git stash").runs(TESTS, RED, 1).runs("git stash pop")
        assert work.stop(told) == ""

    @pytest.mark.parametrize(
        "told",
        [
            "9 of 10 tests pass. `test_total` fails now and passed before my change, so it is mine.",
            "9 of 10 tests pass. `test_total` is flaky and failed before my change in CI, too.",
            "9 of 10 tests pass, `test_total` fails. None failed before my change.",
            "9 of 10 tests pass, `test_total` fails; it did not fail before my change.",
            "9 of 10 tests pass. `test_total` fails because it relied on what was there before my change.",
            "9 of 10 tests pass. `test_total` fails: it checks the value from before this change.",
            "9 of 10 tests pass, `test_total` fails. The login fails without this change.",
            "9 of 10 tests pass. `test_total` fails on the original version of the fixture.",
        ],
    )
    def test_a_failure_that_is_called_new_is_let_through(self, work, told):
        assert changed(work.runs(TESTS, GREEN)).runs(TESTS, RED, 1).stop(told) == ""

    RAN = [
        "9 of 10 tests pass. `test_total` fails in the same way on the old code, I ran it before my change.",
        "I ran the tests before my change and one failed; 9 of 10 pass now.",
        "9 of 10 tests pass. `test_total` fails on the untouched code as well, I checked that before touching anything.",
    ]

    @pytest.mark.parametrize("told", RAN)
    def test_where_there_was_one_it_is_so(self, work, told):
        assert changed(work.runs(TESTS, RED, 1)).runs(TESTS, RED, 1).stop(told) == ""

    def test_something_else_may_have_been_looked_at_before_the_change(self, work):
        changed(work).runs(TESTS, RED, 1)
        assert work.stop("I checked the failing input before my change. 9 of 10 tests pass, one fails.") == ""

    def test_a_test_that_was_written_first_is_no_change_of_the_code(self, work):
        work.writes("tests/test_new.py", "def test_new():\n    assert False\n").runs(TESTS, RED, 1)
        assert changed(work).runs(TESTS, GREEN).stop("I ran the tests before my change, and one failed.") == ""
