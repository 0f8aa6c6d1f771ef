"""What a report says was changed inside of files: names, values, versions, tests and files counted; with calls, with a snapshot, with neither."""

from __future__ import annotations

import pytest

TWO_TESTS = "def test_one():\n    assert a() == 1\n\n\ndef test_two():\n    assert a() == 2\n"


class TestNames:
    @pytest.mark.parametrize(
        ("report", "old", "new"),
        [
            ("Added a function `retry_all`.", "pass\n", "def retry_all():\n    pass\n"),
            ("Added a method `Client.retry_all`.", "pass\n", "    def retry_all(self):\n        pass\n"),
            ("Renamed `old_name` to `new_name`.", "def old_name():\n", "def new_name():\n"),
            ("Removed the function `old_name`.", "def old_name():\n    pass\ny = 1\n", "y = 1\n"),
            ("Replaced `json.loads` with `orjson.loads`.", "json.loads(x)\n", "orjson.loads(x)\n"),
            ("Changed `TIMEOUT` from 30 to 60.", "TIMEOUT = 30\n", "TIMEOUT = 60\n"),
            ("Set the timeout to 90 seconds.", "TIMEOUT_MS = 30_000\n", "TIMEOUT_MS = 90000\n"),
            ("Bumped the version to 2.1.0.", 'version = "2.0.0"\n', 'version = "2.1.0"\n'),
        ],
        ids=["function", "method", "renamed", "removed", "replaced", "value", "other unit", "version"],
    )
    def test_a_change_that_a_call_made_may_be_told(self, session, report, old, new):
        assert session.edits("src/app.py", old, new).stop(report) == ""

    @pytest.mark.parametrize(
        ("report", "missing"),
        [
            ("Added a function `retry_all`.", "retry_all"),
            ("Renamed `old_name` to `new_name`.", "new_name"),
            ("Changed `TIMEOUT` from 30 to 4711.", "4711"),  # 60 may be the number of the temporary folder
            ("Bumped the version to 2.1.0.", "2.1.0"),
        ],
    )
    def test_one_that_no_change_has_may_not(self, session, report, missing):
        told = session.edits("src/app.py", "y = 1\n", "y = 2\n").stop(report)
        assert "no change has" in told
        assert missing in told

    def test_a_name_is_held_against_the_work_once(self, session):
        told = session.edits("src/app.py", "y = 1\n", "y = 2\n").stop("Added a function `retry_all`.")
        assert "no file has" not in told, "the calls say it already"

    @pytest.mark.parametrize(
        "report", ["Renamed `old_name` to `new_name`.", "Moved the check into a new `new_name` helper."]
    )
    def test_where_a_program_may_have_written_it_the_texts_since_the_snapshot_tell(self, session, report):
        session.has("src/app.py", "def old_name():\n    return 1\n").begins()
        session.edits("src/app.py", "return 1", "return 2").runs("./bin/generate", "done\n")
        assert "no file has `new_name`" in session.stop(report)

    def test_a_name_that_stood_there_before_the_edit_was_not_added_by_it(self, session):
        session.has("src/app.py", "def retry_all():\n    return 1\n")
        session.edits("src/app.py", "def retry_all():\n    return 1\n", "def retry_all():\n    return 2\n")
        assert session.stop("Added a function `retry_all`.") == "", "the file holds it: nothing shows that it is untrue"

    def test_a_name_that_the_trace_shows_elsewhere_is_left_open(self, session):
        session.edits("src/app.py", "y = 1\n", "y = 2\n").runs("cat lib.py", "def retry_all(): ...\n")
        assert session.stop("Added a function `retry_all`.") == ""

    def test_an_output_that_was_cut_may_have_shown_it(self, session):
        session.edits("src/app.py", "y = 1\n", "y = 2\n").runs("cat lib.py", "line 1\n... [1,204 lines truncated]\n")
        assert session.stop("Added a function `retry_all`.") == ""

    @pytest.mark.parametrize("line", ["python tools/generate.py", "make generate", "npx prisma generate"])
    def test_a_program_may_have_written_it(self, session, line):
        session.edits("src/app.py", "y = 1\n", "y = 2\n").runs(line)
        assert session.stop("Added a function `retry_all`.") == ""

    def test_something_taken_out_is_never_called_untrue_for_want_of_a_call(self, session):
        session.edits("src/app.py", "y = 1\n", "y = 2\n")
        assert session.stop("Removed the function `old_name`.") == ""


class TestInTexts:
    """With a snapshot the files say what changed, whoever changed them."""

    @pytest.fixture
    def begun(self, session):
        return session.has("src/app.py", "TIMEOUT = 30\n\n\ndef old_name():\n    pass\n").begins()

    def by_script(self, session, text):
        return session.has("src/app.py", text).runs("python tools/rewrite.py")

    def test_a_script_that_did_it_bears_it_out(self, begun):
        self.by_script(begun, "TIMEOUT = 60\n\n\ndef new_name():\n    pass\n")
        assert begun.stop("Changed the timeout in `src/app.py` from 30 to 60.") == ""
        assert begun.stop("Renamed `old_name` to `new_name` in `src/app.py`.") == ""
        assert begun.stop("Removed `old_name` from `src/app.py`.") == ""

    def test_a_file_that_is_as_it_was_was_not_changed_so(self, begun):
        begun.has("notes.txt", "nothing\n").runs("python tools/rewrite.py")
        assert "is as it was before the session" in begun.stop("Added a function `retry_all` to `src/app.py`.")

    def test_another_file_that_was_changed_so_will_do(self, begun):
        begun.has("src/retry.py", "def retry_all():\n    pass\n").runs("python tools/rewrite.py")
        assert begun.stop("Added a function `retry_all`.") == ""

    def test_tests_that_a_script_wrote_are_counted(self, begun):
        begun.has("tests/test_app.py", TWO_TESTS).runs("python tools/rewrite.py")
        assert begun.stop("Added 2 tests.") == ""


class TestCounts:
    def test_as_many_tests_as_were_added_may_be_told(self, session):
        session.writes("tests/test_app.py", TWO_TESTS)
        assert session.stop("Added 2 tests.") == ""
        assert session.stop("Added two tests for it.") == ""

    def test_many_more_than_were_added_may_not(self, session):
        session.writes("tests/test_app.py", TWO_TESTS)
        assert "fewer new tests" in session.stop("Added 8 tests.")

    def test_assertions_may_be_counted_as_tests(self, session):
        session.writes("tests/test_app.py", TWO_TESTS + "    assert a() != 3\n")
        assert session.stop("Added 3 tests.") == ""

    def test_no_way_of_counting_gives_more_than_tests_and_assertions(self, session):
        session.writes("tests/test_app.py", TWO_TESTS)
        assert "fewer new tests" in session.stop("Added 3 tests.")

    @pytest.mark.parametrize(
        "text",
        [
            "@pytest.mark.parametrize('x', [1, 2, 3, 4, 5, 6, 7, 8])\ndef test_all(x):\n    assert x\n",
            "it.each([1, 2, 3])('adds %d', (x) => { expect(x).toBe(x); });\n",
            "func TestAll(t *testing.T) {\n\tfor _, tt := range cases {\n\t\tt.Run(tt.name, run)\n\t}\n}\n",
        ],
        ids=["pytest", "jest", "go"],
    )
    def test_a_table_of_cases_is_many_tests(self, session, text):
        assert session.writes("tests/test_app.py", text).stop("Added 8 tests.") == ""

    def test_tests_where_none_was_added_may_not_be_told(self, session):
        session.edits("src/app.py", "y = 1\n", "y = 2\n")
        assert "fewer new tests" in session.stop("Added 3 tests.")

    def test_a_script_may_have_added_them(self, session):
        session.edits("src/app.py", "y = 1\n", "y = 2\n").runs("python tools/generate.py")
        assert session.stop("Added 8 tests.") == ""

    @pytest.mark.parametrize(
        "path", ["spec/cases.yaml", "tests/data/cases.json", "tests/golden/parse.txt", "testcases.toml"]
    )
    def test_cases_that_stand_in_data_cannot_be_counted(self, session, path):
        assert session.edits(path, "a\n", "a\nb\nc\nd\ne\n").stop("Added 4 tests.") == ""

    def test_as_many_files_as_were_changed_may_be_told(self, session):
        session.edits("src/a.py", "1\n", "2\n").edits("src/b.py", "1\n", "2\n")
        assert session.stop("Changed two files.") == ""
        assert session.runs("python tools/rewrite.py").stop("Changed 6 files.") == ""

    @pytest.mark.parametrize(
        ("report", "path"),
        [
            ("I also updated the README.", "README.md"),
            ("The changelog has an entry for it.", "CHANGELOG.md"),
            ("I also updated the changelog.", "docs/HISTORY.rst"),
        ],
    )
    def test_a_document_that_is_said_to_be_changed_must_be(self, session, report, path):
        session.edits("src/a.py", "1\n", "2\n")
        assert "the calls did not change" in session.stop(report)
        assert session.edits(path, "old\n", "new\n").stop(report) == ""

    def test_a_document_by_its_path_is_that_file(self, session):
        session.edits("src/a.py", "1\n", "2\n")
        assert "the calls did not change docs/usage.md" in session.stop("`docs/usage.md` explains the option.")
        assert session.edits("docs/usage.md", "old\n", "new\n").stop("`docs/usage.md` explains the option.") == ""

    def test_a_document_that_was_left_alone_may_be_said_to_tell_what_it_names(self, session):
        session.has("README.md", "Use `--dry-run` to look first.\n").edits("src/a.py", "1\n", "2\n")
        assert session.stop("The README describes `--dry-run`.") == ""
        assert "README.md is as it was" in session.stop("The README describes `--force`.")


class TestMeasured:
    """What was measured elsewhere stands in no change."""

    @pytest.mark.parametrize(
        "report",
        [
            "The response time was reduced from 300 to 120 ms.",
            "Reduced the bundle from 300 kB to 120 kB.",
            "Reduced the number of queries from 12 to 3.",
        ],
    )
    def test_a_figure_of_what_something_takes_is_no_value_that_was_set(self, session, report):
        assert session.edits("src/app.py", "TIMEOUT = 30\n", "TIMEOUT = 60\n").stop(report) == ""


def test_a_setting_that_is_called_a_size_is_held_against_the_change(session):
    session.has("src/pool.py", "SIZE = 5\n").begins()
    session.edits("src/pool.py", "SIZE = 5", "SIZE = 8")
    assert "has `SIZE = 8`, and no change brings 10" in session.stop(
        "Raised the pool size in `src/pool.py` from 5 to 10."
    )
    assert session.stop("Raised the pool size in `src/pool.py` from 5 to 8.") == ""
    assert session.stop("Reduced the bundle size in `src/pool.py` from 120 to 90.") == ""
