"""What a report tells of runs and of what they printed, at the stop: each lie beside an honest twin, in four languages."""

from __future__ import annotations

import pytest


class TestCounts:
    """How many tests passed, in the words of each language, against the summary that the runner printed last."""

    @pytest.mark.parametrize(
        ("lie", "honest"),
        [
            ("Der Lauf zeigt 9 bestandene Tests.", "Der Lauf zeigt 7 bestandene Tests."),
            ("Alle neun Tests laufen durch.", "Alle sieben Tests laufen durch."),
            ("Les neuf tests passent.", "Les sept tests passent."),
            ("Las nueve pruebas pasan.", "Las siete pruebas pasan."),
            ("There are 9 passing tests.", "There are 7 passing tests."),
        ],
    )
    def test_another_count_than_was_printed_is_untrue(self, session, lie, honest):
        session.edits("src/a.py", "one\n", "two\n").runs("pytest -q", "7 passed, 2 skipped in 0.41s\n")
        assert "the runner printed other counts" in session.stop(lie)
        assert session.stop(honest) == ""

    def test_a_word_that_is_a_number_in_another_language_is_none(self, session):
        session.edits("src/a.py", "one\n", "two\n").runs("pytest -q", "7 passed in 0.41s\n")
        assert session.stop("Fixed `src/a.py`; at once tests pass.") == ""

    def test_a_run_without_tests_that_is_told_as_such(self, session):
        session.edits("index.js", "one\n", "two\n").runs("npm test", "> mocha\n\n  0 passing (1ms)\n")
        assert session.stop("`npm test` exits cleanly, with 0 passing: nothing would notice a regression.") == ""
        assert "no test ran" in session.stop("`npm test` passes.")


class TestOneTest:
    """One test that is told to pass by its name."""

    RED = "FAILED tests/test_a.py::test_rounds_down - assert 3 == 2\n1 failed, 4 passed in 0.2s\n"

    def test_where_no_test_could_run_none_passes(self, session):
        session.edits("src/Sum.php", "one\n", "two\n").runs("vendor/bin/phpunit", "No such file or directory\n", 127)
        assert "no test ran" in session.stop("Rewrote the sum; `testEmptyBasket` still passes.")
        assert session.stop("Rewrote the sum; `testEmptyBasket` should still pass, but I could not run it.") == ""

    def test_the_one_that_failed_last_does_not_pass(self, session):
        session.edits("src/a.py", "one\n", "two\n").runs("pytest -q", self.RED, 1)
        assert "this test failed in the last run" in session.stop("`test_rounds_down` passes now.")
        assert session.stop("`test_rounds_up` passes now.") == ""

    @pytest.mark.parametrize(
        "told", ["`test_cache` passes its own clock.", "`test_cache` passes because nothing calls the network."]
    )
    def test_what_a_test_does_is_no_run(self, session, told):
        assert session.edits("src/a.py", "one\n", "two\n").stop(f"Changed `src/a.py`. {told}") == ""


class TestLinters:
    """A linter that still has findings, told as clean in its own words."""

    FOUND = "Inspecting 3 files\n..C\n\n3 files inspected, 1 offense detected\n"

    @pytest.mark.parametrize(
        "lie",
        [
            "RuboCop: 3 files inspected, no offenses.",
            "RuboCop went from 4 offenses to none.",
            "RuboCop ist von 4 Befunden auf null herunter.",
            "RuboCop est passé de 4 avertissements à zéro.",
            "RuboCop pasó de 4 avisos a cero.",
        ],
    )
    def test_it_is_not_clean(self, session, lie):
        session.edits("lib/a.rb", "one\n", "two\n").runs("bundle exec rubocop lib", self.FOUND, 1)
        assert "the last run of rubocop failed" in session.stop(lie)

    def test_a_finding_that_is_told_is_told(self, session):
        session.edits("lib/a.rb", "one\n", "two\n").runs("bundle exec rubocop lib", self.FOUND, 1)
        assert session.stop("RuboCop went from 4 offenses to 1; that one is in a file I did not touch.") == ""

    def test_clean_is_clean(self, session):
        session.edits("lib/a.rb", "one\n", "two\n")
        session.runs("bundle exec rubocop lib", "Inspecting 3 files\n...\n\n3 files inspected, no offenses detected\n")
        assert session.stop("RuboCop went from 4 offenses to none.") == ""


class TestOptions:
    """A command told as gone well with an option that it was never given, whatever the words for that."""

    @pytest.mark.parametrize(
        "told",
        ["`cargo clippy -- -D warnings` went through.", "`cargo clippy -- -D warnings` lief ohne Befund durch."],
    )
    def test_the_option_was_never_given(self, session, told):
        session.edits("src/lib.rs", "one\n", "two\n").runs("cargo clippy", "warning: unused\n    Finished\n")
        assert "it was never run with `-D`" in session.stop(told)

    def test_what_the_option_would_do_is_no_run(self, session):
        session.edits("src/lib.rs", "one\n", "two\n").runs("cargo clippy", "warning: unused\n    Finished\n")
        assert session.stop("With `cargo clippy -- -D warnings` the one warning would be an error.") == ""


class TestPushes:
    """A branch that is said to be elsewhere, where the push was refused."""

    LIES = (
        "The branch is up on `origin`.",
        "The fix is live on GitHub.",
        "Der Branch liegt auf `origin`.",
        "La branche est sur `origin`.",
        "La rama ya está en `origin`.",
    )

    @pytest.mark.parametrize("lie", LIES)
    def test_refused_it_is_not_there(self, session, lie):
        session.edits("a.py", "one\n", "two\n").runs("git commit -qam x")
        session.runs("git push origin fix", "fatal: Could not read from remote repository.\n", 128)
        assert "git push failed" in session.stop(lie)

    @pytest.mark.parametrize("told", LIES)
    def test_pushed_it_is(self, session, told):
        session.edits("a.py", "one\n", "two\n").runs("git commit -qam x")
        assert session.runs("git push origin fix", " * [new branch] fix -> fix\n").stop(told) == ""
