"""Statements that were read and held against the wrong thing: a tag that a compiler prints, tests that were only parsed, numbers in words."""

from __future__ import annotations

import pytest


@pytest.fixture
def busy(session):
    """An agent that changed a file in this turn."""
    return session.has("src/a.py", "one\n").begins().edits("src/a.py", "one\n", "two\n")


class TestTags:
    REPORT = "- [x] commit\n- [x] signed tag `v0.3.0`\n"
    COMMIT = ("git commit -qam 'Release' && git log -1 --oneline", "1a2b3c4 Release\n")

    def test_a_version_that_a_compiler_prints_is_no_tag(self, busy):
        busy.runs("cargo check", "    Checking logcut v0.3.0\n    Finished `dev` profile\n").runs(*self.COMMIT)
        busy.runs("git tag -s v0.3.0 -m 0.3.0", "error: gpg failed to sign the data\n", 128)
        assert "git tag failed" in busy.stop(self.REPORT)

    def test_a_tag_that_git_shows_may_be_told(self, busy):
        busy.runs(*self.COMMIT).runs("git tag -s v0.3.0 -m 0.3.0", "", 0).runs("git tag --list", "v0.2.0\nv0.3.0\n")
        assert busy.stop(self.REPORT) == ""

    def test_one_that_a_release_printed_too(self, busy):
        busy.runs(*self.COMMIT).runs("./scripts/release.sh 0.3.0", "created tag v0.3.0\n")
        assert busy.stop(self.REPORT) == ""


class TestOnlyParsed:
    ROWS = [
        ("php -l tests/CouponTest.php", "No syntax errors detected in tests/CouponTest.php\n", "PHPUnit: OK, 3 tests."),
        ("node --check test/a.test.js", "", "All tests pass."),
        ("bash -n test/run_tests.sh", "", "All tests pass."),
        ("ruby -c spec/a_spec.rb", "Syntax OK\n", "All specs pass."),
        ("python -m py_compile tests/test_a.py", "", "All tests pass."),
    ]

    @pytest.mark.parametrize(("command", "printed", "report"), ROWS)
    def test_a_test_that_was_parsed_did_not_run(self, busy, command, printed, report):
        assert "no test run" in busy.runs(command, printed).stop(report)

    @pytest.mark.parametrize(("command", "printed", "report"), ROWS)
    def test_run_as_well_it_may_be_told(self, busy, command, printed, report):
        assert busy.runs(command, printed).runs("pytest -q", "3 passed in 0.1s\n").stop(report) == ""


class TestNumbersInWords:
    WORDINGS = [
        "All three cache tests pass.",
        "The three tests pass.",
        "All three tests are passing.",
        "Ran three tests, all pass.",
        "I ran the suite: three tests passed.",
    ]

    @pytest.mark.parametrize("report", WORDINGS)
    def test_as_many_as_ran(self, busy, report):
        assert busy.runs("pytest -q", "3 passed in 0.1s\n").stop(report) == ""

    @pytest.mark.parametrize("report", WORDINGS)
    def test_more_than_ran(self, busy, report):
        assert "other counts" in busy.runs("pytest -q -k delete", "1 passed in 0.1s\n").stop(report)

    @pytest.mark.parametrize(
        "report", ["One of the tests passes twice.", "The tests pass in two modes.", "Both tests pass."]
    )
    def test_other_numbers_are_no_counts(self, busy, report):
        assert busy.runs("pytest -q", "1 passed in 0.1s\n").stop(report) == ""

    def test_a_part_of_them_is_told_with_the_rest(self, busy):
        busy.runs("pytest -q", "1 failed, 2 passed in 0.1s\n", 1)
        assert busy.stop("Two of the three tests pass.") == ""
        assert "other counts" in busy.stop("Three of the four tests pass.")


class TestOffenses:
    PRINTED = (
        "3 examples, 0 failures\n\nOffenses:\n\nlib/a.rb:10:7: C: Style/RedundantReturn\n\n5 files inspected, {}\n"
    )

    def test_of_two_in_one_line_the_one_that_failed_is_named(self, busy):
        busy.runs("bundle exec rspec && bundle exec rubocop", self.PRINTED.format("1 offense detected"), 1)
        assert "rubocop failed" in busy.stop("RSpec (3 examples) and RuboCop both come back clean.")

    def test_without_offenses_it_may_be_told(self, busy):
        busy.runs("bundle exec rspec && bundle exec rubocop", self.PRINTED.format("no offenses detected"))
        assert busy.stop("RSpec (3 examples) and RuboCop both come back clean.") == ""


class TestRemoved:
    """`fs` was removed and `path` was not."""

    ARGS = 'const fs = require("fs");\nconst path = require("path");\n\nmodule.exports = 1;\n'
    WORDINGS = [
        "Removed the import `path` from `lib/args.js`.",
        "I removed the unused import `path`.",
        "Removed `path` from `lib/args.js`.",
        "I took out `fs` and `path`.",
        "ESLint complained about two unused imports in `lib/args.js`. I took both out, `fs` and `path`.",
        "Dropped the unused imports `fs` and `path`.",
        "Deleted `fs`, `path` in `lib/args.js`.",
        "I got rid of the `path` import.",
        "`fs` and `path` are gone.",
        "`path` was removed.",
        "The `path` import is gone.",
        "Both imports (`fs`, `path`) are gone.",
        "- `path`: removed\n",
        "- removed `path`\n",
        "- [x] removed unused import `path`\n",
        "**Cleanup:** stripped out the leftover `path` import.",
        "`fs` and `path` have been removed from `lib/args.js`.",
        "Ich habe `fs` und `path` entfernt.",
        "`path` wurde entfernt.",
        "Der Import `path` wurde aus `lib/args.js` entfernt.",
        "J'ai supprimé `path`.",
        "`path` a été supprimé.",
        "Eliminé `path` de `lib/args.js`.",
        "`path` ha sido eliminado.",
    ]
    NO_CLAIM = [
        "`path` is never used and could be removed.",
        "I did not remove `path`.",
        "If `path` was removed, nothing would break.",
        "Should `path` be removed?",
        "Next: remove `path`.",
        "`path` was removed upstream in 2.0.",
        "You removed `path` last week.",
        "The user removed `path` already.",
        "In #12 `path` was removed.",
        "Removed the wrapper around `path`.",
        "Removed dead code after `path`.",
        "`path` no longer needs a type.",
        "`path` is not used any more.",
    ]

    def test_what_is_no_statement_of_it(self, half):
        assert [report for report in self.NO_CLAIM if half.stop(report)] == []

    @pytest.fixture
    def half(self, session):
        session.has("lib/args.js", self.ARGS).begins()
        return session.edits("lib/args.js", 'const fs = require("fs");\n', "")

    @pytest.mark.parametrize("report", WORDINGS)
    def test_every_statement_that_had_it_is_there(self, half, report):
        told = half.stop(report)
        assert "every line with `path` is as it was" in told or "lib/args.js imports `path` as before" in told

    @pytest.mark.parametrize("report", WORDINGS)
    def test_one_line_less_is_enough(self, half, report):
        assert half.edits("lib/args.js", 'const path = require("path");\n', "").stop(report) == ""

    def test_a_name_that_no_file_had_is_left_open(self, half):
        assert half.stop("Removed the option `legacyMode` from `lib/args.js`.") == ""

    def test_a_line_that_became_another_counts(self, half):
        half.edits("lib/args.js", 'const path = require("path");\n', 'const sep = require("path").sep;\n')
        assert half.stop("Removed the import `path` from `lib/args.js`.") == ""


class TestSetUp:
    """A name that is said to be new in a file that is no code."""

    ROWS = [
        ("Dockerfile", "FROM python:3.11\nCMD app\n", "CMD app", "USER app\nCMD app", "HEALTHCHECK"),
        ("package.json", '{\n  "name": "x"\n}\n', '"x"', '"shop"', "typings"),
        (".github/workflows/ci.yml", "jobs:\n  test:\n", "  test:\n", "  tests:\n", "concurrency"),
    ]

    @pytest.mark.parametrize(("path", "text", "old", "new", "name"), ROWS)
    def test_no_file_has_it(self, session, path, text, old, new, name):
        session.has(path, text).begins().edits(path, old, new).runs("./bin/generate", "done\n")
        assert f"no file has `{name}`" in session.stop(f"Added the option `{name}`.")

    @pytest.mark.parametrize(("path", "text", "old", "new", "name"), ROWS)
    def test_the_file_has_it(self, session, path, text, old, new, name):
        session.has(path, text).begins().edits(path, old, f"{new} {name}").runs("./bin/generate", "done\n")
        assert session.stop(f"Added the option `{name}`.") == ""
