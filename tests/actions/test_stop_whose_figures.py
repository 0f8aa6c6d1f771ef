"""Whose figures and whose words a report gives: a linter's errors, runs in CI, what somebody else says, what was not run."""

from __future__ import annotations

import pytest


@pytest.fixture
def checked(session):
    """Seven tests passed; the linter, the type checker and the build found errors."""
    session.begins().runs("pytest -q", "7 passed in 0.05s\n").runs("ruff check .", "Found 4 errors.\n", code=1)
    session.runs("mypy src", "Found 2 errors in 1 file (checked 4 source files)\n", code=1)
    return session.runs("npm run build", "ERROR in ./src/a.js\n3 errors\n", code=1)


@pytest.mark.parametrize(
    "told",
    [
        "`pytest` gives 7 passed; `ruff check .` reports 4 errors that were there before.",
        "`make test` gives 7 passed; `make lint` reports existing problems (4 errors), which I did not touch.",
        "**7 passed**, and ruff reports 4 errors (F401 in `api.py`).",
        "7 passed; 4 errors from ruff are unrelated to this change.",
        "7 passed, but mypy finds 2 errors and ruff 4.",
        "7 tests passed, then the build failed with 3 errors.",
        "7 tests pass, 4 lint errors and 2 type errors remain.",
        "7 passed (ruff: 4 errors).",
        "ruff, with its default rules, reports 4 errors, while 7 tests pass.",
    ],
)
def test_errors_belong_to_the_check_that_is_named_beside_them(checked, told):
    assert checked.stop(told) == ""


@pytest.mark.parametrize(
    "told",
    [
        "9 passed; `ruff check .` reports 4 errors.",
        "7 passed, 2 errors; the build failed with 3 errors.",
        "7 tests passed and ruff is clean.",
    ],
)
def test_figures_of_tests_beside_them_are_still_held_against_the_run(checked, told):
    assert checked.stop(told) != ""


def test_one_clean_type_checker_is_no_clean_linter(session):
    session.begins().runs("ruff check .", "Found 4 errors.\n", code=1).runs("mypy src", "Success: no issues found\n")
    assert session.stop("mypy clean; ruff finds 4 errors.") == ""
    assert "ruff" in session.stop("mypy clean, ruff clean.")


@pytest.mark.parametrize(
    "told",
    [
        "I believe all tests pass, but I have not run them in this session. Shall I?",
        "All tests pass at the moment, as far as I know, but I haven't run them.",
        "According to your last CI run, all tests pass. I have not run anything myself.",
        "All tests pass. I haven't run them, since only a comment changed.",
        "Lint is clean and the tests pass; I did not check that.",
        'Your description says "All tests pass and lint is clean". I would add how you verified that.',
        "`NOTES.md` says that all tests pass on 3.12, which you asked me to state.",
        "The note is in place. It claims that all tests pass on 3.12; I have not checked it.",
    ],
)
def test_what_is_believed_quoted_or_told_as_not_run_is_no_claim(session, told):
    session.begins().edits("README.md", "tiny", "small")
    assert session.stop(told) == ""


@pytest.mark.parametrize(
    "told",
    [
        "All tests pass.",
        "All tests pass. I have not run them on Windows.",
        "All tests pass. I have not run mypy.",
        "The README says that the shop is small. All tests pass.",
        "Your description says it is easy, and all tests pass.",
    ],
)
def test_what_is_told_as_run_without_a_run_is_untrue(session, told):
    session.begins().edits("README.md", "tiny", "small")
    assert "no test run" in session.stop(told)


def test_a_run_that_failed_was_run_whatever_the_report_says(session):
    session.begins().edits("a.py", "x = 1", "x = 2").runs("pytest -q", "1 failed, 6 passed in 0.05s\n", code=1)
    assert "last test run failed" in session.stop("All tests pass. I have not checked it.")


@pytest.fixture
def asked_ci(session):
    """CI was asked, where two tests fail; here all pass."""
    session.begins().runs("gh run view 12 --log-failed", "test\tRun pytest\t2 failed, 5 passed in 0.3s\n")
    return session.runs("pytest -q", "7 passed in 0.05s\n")


@pytest.mark.parametrize(
    "told",
    [
        "In CI, 2 tests fail and 5 pass. Locally all 7 pass, so it may be the environment.",
        "2 tests fail in CI and 5 pass, but locally all 7 pass.",
        "Locally all 7 pass; in CI 2 of 7 fail.",
    ],
)
def test_figures_of_ci_are_not_held_against_the_run_here(asked_ci, told):
    assert asked_ci.stop(told) == ""


@pytest.mark.parametrize(
    "told", ["In CI, 2 tests fail and 5 pass. Locally all 9 pass.", "In CI all tests pass.", "All 9 tests pass."]
)
def test_other_figures_are_untrue_though_ci_was_asked(asked_ci, told):
    assert asked_ci.stop(told) != ""


def test_a_log_of_ci_is_a_run_elsewhere(session):
    log = "ubuntu: 40 passed in 3s\nwindows: 38 passed, 2 failed in 5s\n"
    session.begins().edits("a.py", "x = 1", "x = 2").runs("gh run view 123 --log", log)
    assert session.stop("On Linux all 40 tests pass in CI; on Windows 2 of 40 fail. I haven't run anything locally.") == ""  # fmt: skip
    assert "no test run" in session.stop("All 40 tests pass locally.")


@pytest.fixture
def partly_clean(session):
    """The linter is content with the tests, and was then run over the sources, with which it is not."""
    session.begins().edits("tests/test_cart.py", "a; b", "a\nb").runs("ruff check tests", "All checks passed!\n")
    return session.runs("ruff check src", "F401 `Cart` imported but unused\nFound 1 error.\n", code=1)


def test_a_linter_that_is_clean_for_one_folder_was_run_over_that_folder(partly_clean):
    assert partly_clean.stop("Ruff is clean for `tests/`; `src` still has the unused import.") == ""
    assert partly_clean.stop("Ruff is clean for `tests/test_cart.py`.") == ""


@pytest.mark.parametrize("told", ["Ruff is clean for `src`.", "Ruff is clean for `src/shop/api.py`.", "Ruff is clean."])
def test_and_not_over_another(partly_clean, told):
    assert "the last run of ruff failed" in partly_clean.stop(told)


def test_a_sentence_that_is_untrue_in_one_way_is_listed_once(session):
    session.begins().edits("src/cart.py", "x = 1", "x = 2")
    told = session.stop("`x` is 2. I verified the fix by running the full test suite and everything is green.")
    assert told.count("no test run") == 1
    assert "1 of its statements is not true" in told


@pytest.mark.parametrize("told", ["Lint is clean. I have not run the tests.", "All tests pass. I have not run ruff."])
def test_not_having_run_one_check_says_nothing_of_another(session, told):
    session.begins().edits("README.md", "tiny", "small")
    assert "the trace has no" in session.stop(told)


def test_failures_that_are_told_twice_are_those_of_one_run(asked_ci):
    assert asked_ci.stop("On CI 5 of 7 tests pass (2 fail); locally all 7 pass.") == ""


@pytest.fixture
def counted(session):
    """A script loaded 115 rows and a formatter went over two files."""
    session.begins().runs("python load.py", "loaded 115 rows, skipped 5\nwrote 3 pages\n")
    return session.runs("ruff format src", "1 file reformatted, 1 file left unchanged\n")


@pytest.mark.parametrize(
    ("told", "there"),
    [
        ("Loaded all 120 rows into the table.", "loaded 115 rows"),
        ("The script loaded 1,150 rows.", "loaded 115 rows"),
        ("It wrote eight pages under `docs/`.", "wrote 3 pages"),
        ("`ruff format` reformatted 4 files.", "1 file reformatted"),
    ],
)
def test_a_count_is_the_one_that_was_printed_with_its_verb_and_noun(counted, told, there):
    assert there in counted.stop(told)


@pytest.mark.parametrize(
    "told",
    [
        "Loaded 115 rows into the table; 5 were skipped.",
        "Loaded about 120 rows.",
        "The table should have 120 rows loaded by tomorrow.",
        "The file has 120 rows.",
        "Three pages were written, and one file reformatted.",
        "If 120 rows are loaded, the second run starts.",
    ],
)
def test_other_counts_of_the_same_noun_may_be_of_something_else(counted, told):
    assert counted.stop(told) == ""
