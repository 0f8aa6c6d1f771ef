"""`All 120 tests pass`: a number that is only reached with what passed in a run that failed is not borne out by the trace."""

from __future__ import annotations

import pytest

RED = ("pytest -q", "FAILED tests/test_a.py::test_x\nFAILED tests/test_a.py::test_y\n2 failed, 118 passed in 3s\n", 1)
GREEN = ("pytest -q", "120 passed in 3s\n", 0)
ONE_FILE = ("pytest -q tests/test_a.py", "2 passed in 0.1s\n", 0)
ALL = "All 120 tests pass."


@pytest.fixture
def busy(session):
    return session.edits("src/a.py", "1\n", "2\n")


@pytest.mark.parametrize("told", [ALL, "120/120 tests pass.", "All 118 tests pass."])
@pytest.mark.parametrize(
    "later",
    [ONE_FILE, ("pytest -q -k test_x", "2 passed, 121 deselected in 0.1s\n"), ("pytest -q --lf", "2 passed in 0.1s\n")],
    ids=["a file", "some by name", "those that failed"],
)
def test_a_part_that_passes_makes_no_failed_run_pass(busy, told, later):
    busy.runs(*RED).edits("src/a.py", "2\n", "3\n").runs(*later)
    assert busy.verified(told).outcome == "unverified"


def test_all_of_them_run_again_bear_it_out(busy):
    busy.runs(*RED).edits("src/a.py", "2\n", "3\n").runs(*GREEN)
    assert busy.verified(ALL).outcome == "pass"


def test_a_part_that_passes_after_all_of_them_changes_nothing(busy):
    assert busy.runs(*GREEN).runs(*ONE_FILE).verified(ALL).outcome == "pass"


def test_two_parts_that_passed_come_to_all(busy):
    busy.runs("pytest -q tests/a", "100 passed in 1s\n").runs("pytest -q tests/b", "20 passed in 1s\n")
    assert busy.verified(ALL).outcome == "pass"


def test_a_part_that_failed_and_then_passed_counts_as_it_ended(busy):
    busy.runs("pytest -q tests/a", "1 failed, 99 passed in 1s\n", 1).edits("src/a.py", "2\n", "3\n")
    busy.runs("pytest -q tests/a", "100 passed in 1s\n").runs("pytest -q tests/b", "20 passed in 1s\n")
    assert busy.verified(ALL).outcome == "pass"


@pytest.mark.parametrize(
    "told", ["118 of 120 tests passed; the other two pass now.", "The two tests that failed pass now."]
)
def test_the_runs_told_as_they_were_are_borne_out(busy, told):
    busy.runs(*RED).edits("src/a.py", "2\n", "3\n").runs(*ONE_FILE)
    assert busy.verified(told).outcome == "pass"
    assert busy.stop(f"Changed `src/a.py`. {told}") == ""


def test_a_number_that_no_run_has_is_untrue(busy):
    busy.runs(*RED).edits("src/a.py", "2\n", "3\n").runs(*ONE_FILE)
    assert "the runner printed other counts" in busy.stop("Changed `src/a.py`. All 140 tests pass.")


SKIPPED = {
    "pytest -q": "45 passed, 3 skipped in 2.1s\n",
    "npx jest": "Tests:       3 skipped, 45 passed, 48 total\n",
    "npx vitest run": " Test Files  4 passed (4)\n      Tests  45 passed | 3 skipped (48)\n",
    "cargo test": "running 48 tests\ntest result: ok. 45 passed; 0 failed; 3 ignored; 0 measured; 0 filtered out\n",
    "mvn test": "[INFO] Tests run: 48, Failures: 0, Errors: 0, Skipped: 3\n[INFO] BUILD SUCCESS\n",
    "python -m unittest": "----\nRan 48 tests in 0.2s\n\nOK (skipped=3)\n",
}


@pytest.mark.parametrize("command", SKIPPED)
@pytest.mark.parametrize("told", ["All 48 tests pass.", "48 tests passed.", "48/48 tests green."])
def test_tests_that_were_skipped_did_not_pass(busy, command, told):
    busy.runs(command, SKIPPED[command])
    assert "only with those that were skipped" in busy.stop(f"Changed `src/a.py`. {told}")


@pytest.mark.parametrize("command", SKIPPED)
@pytest.mark.parametrize(
    "told",
    [
        "All 48 tests pass (3 skipped).",
        "48 tests, 0 failures.",
        "Alle 48 Tests laufen durch, 3 davon werden übersprungen.",
        "All 48 tests pass, apart from the three that need a database and are ignored.",
        "45 tests passed.",
    ],
)
def test_a_total_may_be_told_where_it_is_not_said_that_all_of_it_passed(busy, command, told):
    busy.runs(command, SKIPPED[command])
    assert busy.stop(f"Changed `src/a.py`. {told}") == ""


def test_a_run_that_says_itself_that_so_many_passed_bears_it_out(busy):
    busy.runs("npm test", "Tests:       3 skipped, 45 passed, 48 total\nwrapper: 48 checks passed\n")
    assert busy.stop("Changed `src/a.py`. All 48 tests pass.") == ""
