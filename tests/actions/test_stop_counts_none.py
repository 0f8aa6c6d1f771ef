"""Nothing skipped, a script that was never run, repeated runs, no other file: told against what the session shows."""

from __future__ import annotations

import pytest

SKIPPED = "tests/test_store.py ..ss   [100%]\n2 passed, 2 skipped in 0.03s\n"


@pytest.mark.parametrize(
    "told",
    [
        "I ran the tests: no failures, and nothing was skipped.",
        "All tests pass, none were skipped.",
        "2 passed, no tests skipped.",
        "The suite is green with zero skips.",
    ],
)
def test_nothing_skipped_is_untrue_where_the_runner_skipped_some(session, told):
    assert "2 skipped" in session.begins().runs("pytest -rs", SKIPPED).stop(told)


LEFT_OUT = {
    "cargo test": "test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured\n",
    "bundle exec rspec": "3 examples, 0 failures, 1 pending\n",
    "npx mocha": "  2 passing (4ms)\n  1 pending\n",
    "vendor/bin/phpunit": "Tests: 3, Assertions: 5, Skipped: 1.\n",
    "mvn test": "[WARNING] Tests run: 3, Failures: 0, Errors: 0, Skipped: 1\n[INFO] BUILD SUCCESS\n",
    "go test -v ./...": "--- PASS: TestA (0.00s)\n--- SKIP: TestB (0.00s)\nPASS\nok  \tx\t0.1s\n",
    "ctest": "100% tests passed, 0 tests failed out of 3\n\nThe following tests did not run:\n\t  2 - b (Skipped)\n",
}


@pytest.mark.parametrize("command", LEFT_OUT)
@pytest.mark.parametrize(
    "told",
    [
        "All tests pass, nothing ignored.",
        "All tests pass, and none is skipped.",
        "Alle Tests laufen durch, keiner wird übersprungen.",
        "Tous les tests passent, aucun n'est ignoré.",
        "Todas las pruebas pasan, ninguna está omitida.",
    ],
)
def test_runners_and_languages_have_words_of_their_own_for_it(session, command, told):
    session.begins().runs(command, LEFT_OUT[command])
    assert "the last run of it printed 1 skipped" in session.stop(told)


@pytest.mark.parametrize(
    "told",
    [
        "All tests pass; no pending migrations are left.",
        "Tests pass, and nothing is ignored by the linter.",
        "Alle Tests laufen durch, nichts wird in `dist` ignoriert.",
        "Tests pass; one is ignored.",
    ],
)
def test_what_else_may_be_pending_or_ignored_is_fine(session, told):
    assert session.begins().runs("cargo test", LEFT_OUT["cargo test"]).stop(told) == ""


@pytest.mark.parametrize(
    "told",
    [
        "2 passed, 2 skipped (no S3 here).",
        "Tests pass apart from the two that are skipped without S3.",
        "Nothing was skipped in the migration; 2 tests pass and 2 are skipped.",
    ],
)
def test_skipped_tests_that_are_told_are_fine(session, told):
    assert session.begins().runs("pytest -rs", SKIPPED).stop(told) == ""


def test_and_so_is_nothing_skipped_where_nothing_was(session):
    session.begins().runs("pytest -q", "4 passed in 0.03s\n")
    assert session.stop("All 4 tests pass and nothing was skipped.") == ""


def test_a_script_that_was_never_run_was_not_run(session):
    session.has("bench/run.py", "print(1)\n").begins().runs("pytest -q", "2 passed in 0.03s\n")
    assert "bench/run.py" in session.stop("Both tests pass. I ran `bench/run.py` three times before and after.")


@pytest.mark.parametrize(
    "line", ["python bench/run.py", "cd bench && ./run.py", "for i in 1 2 3; do python bench/run.py; done"]
)
def test_however_it_was_called(session, line):
    session.has("bench/run.py", "print(1)\n").begins().runs(line, "1\n")
    assert session.stop("I ran `bench/run.py` before and after.") == ""


def test_runs_that_failed_are_not_tests_that_failed(session):
    session.begins().runs("for i in $(seq 40); do npx jest cache.test.js >/dev/null || echo fail; done", "fail\n" * 8)
    session.runs("npx jest cache.test.js", "Tests:       2 passed, 2 total\n")
    assert session.stop("When I shortened the sleep to 50 ms, 8 of 40 runs failed. Now both tests pass.") == ""
    assert session.stop("8 of 40 tests failed at first.") != ""


def test_a_compiler_s_settings_are_another_file(session):
    session.has("src/a.ts", "export {}\n").has("tsconfig.json", "{}\n").begins()
    session.edits("src/a.ts", "export {}", "export const a = 1").edits("tsconfig.json", "{}", '{"strict": false}')
    assert "tsconfig.json" in session.stop("`a` is exported from `src/a.ts` now. No other file was touched.")


def test_what_was_reset_may_be_no_file(session):
    session.has("check.php", "<?php\n").begins().runs(
        "git bisect start HEAD v1 && git bisect run php check.php", "e5d8c1a is the first bad commit\n"
    )
    session.runs("git bisect reset", "")
    assert session.stop("The bisect ran with `check.php` and took four runs; I reset it afterwards.") == ""
