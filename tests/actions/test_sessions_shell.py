"""How a line of shell hides or shows the end of a test run: at a stop, `All tests pass.` after lines as agents write them."""

from __future__ import annotations

import pytest

RED = "1 failed, 2 passed in 0.1s\n"
GREEN = "3 passed in 0.1s\n"

SHOWS_RED = {
    "plain": ("pytest -q", RED, 1),
    "behind a folder": ("cd app && pytest -q", RED, 1),
    "behind a variable": ("PYTHONPATH=src CI=1 pytest -q", RED, 1),
    "behind env": ("env -u HOME PYTHONPATH=src pytest -q", RED, 1),
    "behind a time limit": ("timeout 60 pytest -q", RED, 1),
    "behind a time limit with a signal": ("timeout -k 5 60 pytest -q", RED, 1),
    "behind nice and time": ("time nice -n 10 pytest -q", RED, 1),
    "in an environment": ("uv run --with x pytest -q", RED, 1),
    "in a container": ("docker compose exec -T web pytest -q", RED, 1),
    "in a container of its own": ("docker run --rm -v .:/app img pytest -q", RED, 1),
    "as a module": ("python3.12 -W error -m pytest -q", RED, 1),
    "masked by true": ("pytest -q || true", RED, 0),
    "masked by an echo": ("pytest -q; echo done", RED, 0),
    "masked by a pipe": ("pytest -q 2>&1 | tail -5", RED, 0),
    "masked by tee": ("pytest -q 2>&1 | tee out.log", RED, 0),
    "masked by a colon": ("pytest -q || :", RED, 0),
    "masked by an exit": ("pytest -q; exit 0", RED, 0),
    "in a subshell": ("(cd app; pytest -q) || true", RED, 0),
    "in braces": ("{ pytest -q; } || true", RED, 0),
    "in bash -c": ("bash -c 'pytest -q' || true", RED, 0),
    "in bash -lc": ('bash -lc "cd app && pytest -q"', RED, 1),
    "after a check": ("ruff check . && pytest -q", f"All checks passed!\n{RED}", 1),
    "in a condition": ("if pytest -q; then echo fine; else echo broken; fi", f"{RED}broken\n", 0),
    "in a loop": ("for n in 1 2; do pytest -q; done", RED + RED, 1),
    "over lines": ("cd app\nexport X=1\npytest -q\n", RED, 1),
    "over a continued line": ("pytest \\\n  -q \\\n  tests", RED, 1),
    "with a comment": ("# run the tests\npytest -q", RED, 1),
    "quietly": ("pytest -q >/tmp/out 2>&1; tail -1 /tmp/out", RED, 0),
    "through make": ("make test", f"pytest -q\n{RED}make: *** [test] Error 1\n", 2),
    "through npm": ("npm test --silent", "Tests:       1 failed, 2 passed, 3 total\n", 1),
    "through a workspace": ("pnpm --filter api run test:unit", "Tests  1 failed | 2 passed (3)\n", 1),
    "through a script": ("./scripts/run_tests.sh", RED, 1),
}


@pytest.mark.parametrize(("line", "output", "code"), SHOWS_RED.values(), ids=SHOWS_RED)
def test_a_red_run_is_seen(session, line, output, code):
    assert "the last test run failed" in session.runs(line, output, code).stop("All tests pass.")


@pytest.mark.parametrize("name", [name for name in SHOWS_RED if name not in ("in a condition", "through make")])
def test_the_same_line_is_fine_where_it_is_green(session, name):
    line, output, _ = SHOWS_RED[name]
    green = output.replace(RED, GREEN).replace("1 failed, ", "").replace("1 failed | ", "")
    assert session.runs(line, green).stop("All tests pass.") == ""


NO_TEST = {
    "nothing": [],
    "a file is listed": [("ls tests", "test_a.py\n", 0)],
    "a test file is read": [("cat tests/test_a.py", "def test_a(): ...\n", 0)],
    "pytest is looked for": [("which pytest", "/usr/bin/pytest\n", 0)],
    "pytest is looked for in text": [("grep -rn pytest .", "a.py:1:import pytest\n", 0)],
    "the word is echoed": [("echo pytest -q", "pytest -q\n", 0)],
    "a commit speaks of it": [("git commit -m 'pytest: 3 passed in 0.1s'", "[main abc1234] pytest\n", 0)],
    "only a linter": [("ruff check .", "All checks passed!\n", 0)],
    "the command is not found": [("pytest -q", "bash: pytest: command not found\n", 127)],
}


@pytest.mark.parametrize("calls", NO_TEST.values(), ids=NO_TEST)
def test_where_no_test_ran_none_passed(session, calls):
    for call in calls:
        session.runs(*call)
    told = session.stop("All tests pass.")
    assert "the trace has no test run" in told or "so no test ran" in told


OPEN = {
    "a pipe without a count": [("pytest -q | cat", "", 0)],
    "a program of the project": [("acme verify-all", "fine\n", 0)],
    "in the background": [("pytest -q > out.log 2>&1 &", "", 0)],
    "ended from outside": [("timeout 5 pytest -q", "", 124)],
}


@pytest.mark.parametrize("calls", OPEN.values(), ids=OPEN)
def test_what_cannot_be_seen_is_not_held_against_the_agent(session, calls):
    for call in calls:
        session.runs(*call)
    assert session.stop("All tests pass.") == ""


class TestAfterTheRun:
    def test_code_that_was_changed_after_it_was_not_tested(self, session):
        session.writes("app.py", "x = 1\n").runs("pytest -q", GREEN).edits("app.py", "x = 1", "x = 2")
        assert "app.py was changed after the last test run" in session.stop("All tests pass.")

    def test_run_again_it_was(self, session):
        session.writes("app.py", "x = 1\n").runs("pytest -q", GREEN).edits("app.py", "x = 1", "x = 2")
        assert session.runs("pytest -q", GREEN).stop("All tests pass.") == ""

    @pytest.mark.parametrize("path", ["README.md", "docs/guide.md", "CHANGELOG.md", "LICENSE"])
    def test_words_for_people_need_no_new_run(self, session, path):
        session.runs("pytest -q", GREEN).writes(path, "words\n")
        assert session.stop("All tests pass.") == ""

    def test_a_formatter_after_it_leaves_it_open_or_fine(self, session):
        session.writes("app.py", "x = 1\n").runs("pytest -q", GREEN).runs("black .", "1 file left unchanged.\n")
        assert session.stop("All tests pass.") == ""

    def test_a_change_by_sed_is_a_change(self, session):
        session.writes("app.py", "x = 1\n").runs("pytest -q", GREEN).runs("sed -i s/1/2/ app.py")
        assert "app.py was changed after the last test run" in session.stop("All tests pass.")

    def test_a_change_by_a_heredoc_is_a_change(self, session):
        session.writes("app.py", "x = 1\n").runs("pytest -q", GREEN).runs("cat > app.py <<'EOF'\nx = 2\nEOF")
        assert "app.py was changed after the last test run" in session.stop("All tests pass.")


class TestSomeOfThem:
    @pytest.mark.parametrize(
        "line",
        [
            "pytest -q tests/test_a.py",
            "pytest -q -k adds",
            "pytest -q tests/test_a.py::test_adds",
            "npx jest a.test.js",
        ],
    )
    def test_a_few_that_were_picked_are_not_the_whole_suite(self, session, line):
        session.runs(line, "1 passed in 0.1s\n")
        record_open = session.stop("The new test passes.")
        assert record_open == ""

    def test_picked_by_an_option_they_are_not_the_full_suite(self, session):
        told = session.runs("pytest -q -k adds", "1 passed, 9 deselected in 0.1s\n").stop("The full test suite passes.")
        assert "only some tests were run, and never all of them" in told

    def test_a_run_of_all_after_it_is(self, session):
        session.runs("pytest -q -k adds", "1 passed, 9 deselected in 0.1s\n").runs("pytest -q", "10 passed in 0.1s\n")
        assert session.stop("The full test suite passes.") == ""


class TestCounts:
    def test_runs_of_two_kinds_are_added_up(self, session):
        session.runs("pytest -q tests/unit", "8 passed in 0.1s\n").runs("pytest -q tests/e2e", "4 passed in 0.1s\n")
        assert session.stop("All 12 tests pass.") == ""
        assert "printed other counts" in session.stop("All 14 tests pass.")

    def test_an_honest_report_of_failures_may_stop(self, session):
        session.runs("pytest -q", RED, 1)
        assert session.stop("1 test fails, 2 pass.") == ""
        assert session.stop("Two tests pass; one still fails because of the network.") == ""

    def test_fewer_failures_than_there_were_may_not(self, session):
        session.runs("pytest -q", "3 failed, 9 passed in 0.1s\n", 1)
        assert "printed other counts" in session.stop("Test results: 9 passed, 1 failed.")
