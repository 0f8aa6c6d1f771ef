"""What test runners print, as counts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from witnessmark.actions.trace.test_runners import counts_of

JUNIT = '<?xml version="1.0"?><testsuites><testsuite name="a" tests="5" failures="1" errors="1" skipped="1"/><testsuite name="b" tests="2"/></testsuites>'
OUTPUTS = {
    "pytest": ("....F\n=== 1 failed, 26 passed, 2 skipped, 1 error in 3.41s ===", (26, 1, 2, 1)),
    "pytest quiet": ("...\n12 passed, 1 warning in 0.52s\n", (12, 0, 0, 0)),
    "pytest coloured": ("\x1b[32m=== \x1b[1m3 passed\x1b[0m\x1b[32m in 0.10s\x1b[0m ===", None),
    "pytest nothing": ("=== no tests ran in 0.01s ===", (0, 0, None, None)),
    "unittest": ("....\nRan 15 tests in 0.010s\n\nOK", (15, 0, 0, 0)),
    "unittest failed": ("Ran 4 tests in 1.0s\n\nFAILED (failures=1, errors=1, skipped=1)", (1, 1, 1, 1)),
    "jest": ("Test Suites: 1 failed, 6 total\nTests:       2 failed, 1 skipped, 44 passed, 47 total\nTime: 2 s", (44, 2, 1, 0)),
    "vitest": (" Test Files  3 passed (3)\n      Tests  1 failed | 31 passed | 2 skipped (34)\n", (31, 1, 2, 0)),
    "go verbose": ("=== RUN TestA\n--- PASS: TestA (0.00s)\n    --- FAIL: TestB/x (0.1s)\n--- SKIP: TestC (0s)\nFAIL", (1, 1, 1, 0)),
    "go json": ('{"Time":"t","Action":"pass","Package":"p","Test":"TestA","Elapsed":0}\n{"Action":"fail","Package":"p","Test":"TestB"}', (1, 1, 0, 0)),
    "go packages": ("ok  \texample.com/a\t0.2s\nok  \texample.com/b\t(cached)\n", (None, None, None, None)),
    "cargo": ("test result: ok. 33 passed; 0 failed; 1 ignored; 0 measured\ntest result: FAILED. 2 passed; 1 failed; 0 ignored; 0", (35, 1, 1, 0)),
    "junit": (JUNIT, (4, 1, 1, 1)),
    "junit sums": ('<testsuites tests="9" failures="2"><testsuite tests="9" failures="2"/></testsuites>', (7, 2, 0, 0)),
    "rspec": ("388 examples, 3 failures, 5 pending", (380, 3, 5, 0)),
    "minitest": ("11 runs, 20 assertions, 0 failures, 0 errors, 1 skips", (10, 0, 1, 0)),
    "mocha": ("  41 passing (2s)\n  1 pending\n  2 failing\n", (41, 2, 1, 0)),
}  # fmt: skip


@pytest.mark.parametrize("name", [name for name, (_, expected) in OUTPUTS.items() if expected is not None])
def test_counts_are_what_the_runner_printed(name):
    output, expected = OUTPUTS[name]
    found = counts_of(output)
    assert found is not None
    assert (found.passed, found.failed, found.skipped, found.errors) == expected


def test_colours_do_not_hide_counts():
    found = counts_of("\x1b[32m12 passed\x1b[0m in 0.10s")
    assert found is not None
    assert found.passed == 12


def test_text_of_no_runner_is_no_count_and_never_zero_tests():
    assert counts_of("12 files passed to the compiler\nall is fine") is None
    assert counts_of("") is None


def test_the_last_summary_counts():
    found = counts_of("1 failed, 1 passed in 0.1s\nfixed\n2 passed in 0.1s\n")
    assert found is not None
    assert (found.passed, found.failed) == (2, 0)


def test_a_package_that_failed_in_go_is_failed_without_counts_of_tests():
    found = counts_of("ok  \texample.com/a\t0.2s\nFAIL\texample.com/b\t0.1s\n")
    assert found is not None
    assert (found.passed, found.failed, found.failed_only) == (None, 1, True)


@given(st.text(alphabet='0123456789 passedfailinRunTest:,()|=<>"\n-', max_size=400))
def test_any_text_gives_counts_or_none(text):
    found = counts_of(text)
    assert found is None or found.bad >= 0
