"""The text of a pull request, sentence by sentence, against git's own diff and the log of its CI run."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from witnessmark.actions.pull_request import trace_of_pull_request
from witnessmark.cli.commands.pull_request import pull_request

APP = typer.Typer()
APP.command()(pull_request)  # alone, so that no other command has to be built for each test
BEFORE = {
    "app.py": "def add(a, b):\n    return a - b\n\n\ndef sub(a, b):\n    return a - b\n",
    "kept.py": "k = 1\n",
    "old.py": "x = 1\n",
    "names.py": "".join(f"n{number} = {number}\n" for number in range(30)),
    "lib/größe.py": "g = 1\n",
    "lib/tail.txt": "no newline at the end",
    "run.sh": "#!/bin/sh\necho\n",
    "test_app.py": "def test_add():\n    assert add(1, 2) == 3\n",
}
AFTER = {
    "app.py": BEFORE["app.py"].replace("a - b", "a + b", 1),
    "lib/größe.py": "g = 2\n",
    "lib/tail.txt": "still no newline",
    "new.py": "y = 2\n",
    "empty.py": "",
    "test_new.py": "def test_y():\n    assert y == 2\n\n\ndef test_z():\n    assert y != 3\n",
    "docs/diff.md": "diff --git a/kept.py b/kept.py\n--- a/kept.py\n+++ b/kept.py\n@@ -1 +1 @@\n-k = 1\n+k = 2\n",
}


def git(root: Path, *words: str) -> None:
    named = ["git", "-c", "user.email=a@example.org", "-c", "user.name=a", *words]
    subprocess.run(named, cwd=root, check=True, capture_output=True)


def put(root: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A branch that edits, adds, deletes, renames, and changes a picture and a right."""
    root = tmp_path_factory.mktemp("repo")
    git(root, "init", "-q", "-b", "main", ".")
    put(root, BEFORE)
    (root / "logo.png").write_bytes(bytes(range(256)))
    git(root, "add", "-A")
    git(root, "commit", "-qm", "first")
    git(root, "checkout", "-qb", "work")
    put(root, AFTER)
    (root / "logo.png").write_bytes(bytes(range(255, -1, -1)))
    (root / "run.sh").chmod(0o755)
    git(root, "rm", "-q", "old.py")
    git(root, "mv", "names.py", "labels.py")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "second")
    return root


def test_nothing_that_a_repository_configures_is_run_for_the_diff(tmp_path):
    """An agent may have written its configuration: a converter of texts is a program that git would start."""
    git(tmp_path, "init", "-q", "-b", "main", ".")
    put(tmp_path, {"a.txt": "one\n", ".gitattributes": "*.txt diff=mine\n"})
    ran = tmp_path / "ran"
    git(tmp_path, "config", "diff.mine.textconv", f"touch '{ran}'; cat")
    git(tmp_path, "config", "diff.mine.command", f"touch '{ran}'; true")
    git(tmp_path, "config", "diff.external", f"touch '{ran}'; true")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "first")
    git(tmp_path, "checkout", "-qb", "work")
    put(tmp_path, {"a.txt": "two\n"})
    git(tmp_path, "commit", "-qam", "second")
    call, *_ = trace_of_pull_request(tmp_path, "main").calls
    assert call.input == {"path": "a.txt", "old_string": "one", "new_string": "two"}
    assert not ran.exists()


Rows = list[dict[str, str]]


def checked(root: Path, text: str, *more: str) -> tuple[int, Rows]:
    """The exit code and the rows of the command."""
    words = ["-", "--base", "main", "--root", str(root), "--json", *more]
    done = CliRunner().invoke(APP, words, input=text)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, json.loads(done.stdout)["statements"]


@pytest.fixture(scope="module")
def says(root: Path) -> Callable[..., list[tuple[str, str]]]:
    """What becomes of the statements of a text: their statuses and reasons, apart from what is left out."""

    def check(text: str, *more: str) -> list[tuple[str, str]]:
        rows = checked(root, text, *more)[1]
        return [(row["status"], row["why"]) for row in rows if row["status"] not in ("not said", "not looked at")]

    return check


@pytest.mark.parametrize(
    "text",
    [
        "Fixed the sign in `app.py`.",
        "Added `new.py`.",
        "Created `new.py` and `empty.py`.",
        "Deleted `old.py`.",
        "Renamed `names.py` to `labels.py`.",
        "Updated `lib/größe.py`.",
        "Updated `lib/tail.txt`.",
        "Replaced `logo.png`.",
        "Updated `run.sh`.",
        "Added two tests in `test_new.py`.",
        "I did not touch `kept.py`.",
        "`sub` in `app.py` is as it was; `add` was fixed in `app.py`.",
        "## Changes\n- `app.py`: fixed the sign\n- `new.py`: new\n- `old.py`: removed\n",
        "| File | Status |\n|---|---|\n| `app.py` | modified |\n| `new.py` | new |\n| `old.py` | deleted |\n",
        "Ich habe `new.py` angelegt und `old.py` gelöscht.",
    ],
)
def test_what_the_diff_shows_is_borne_out(says, text):
    found = says(text)
    assert {status for status, _ in found} == {"supported"}, found


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Updated `kept.py` to round.", "no call in the trace changed it"),
        ("Deleted `kept.py`.", "it is still there"),
        ("Created `lib/never.py`.", "the file is not there"),
        ("Renamed `lib/tail.txt` to `lib/head.txt`.", "the file is not there"),
        ("Moved `names.py` into `lib/names.py`.", "the file is not there"),
        ("I did not touch `app.py`.", "app.py was changed"),
        ("Also bumps the version to 0.5.0 in `kept.py`.", "no call in the trace changed it"),
        ("`lib/größe.py` is unchanged.", "lib/größe.py was changed"),
        ("Only `app.py` was changed.", "was changed"),
        ("Added a function `mul` to `app.py`.", "no change has 'mul'"),
        ("Added 9 tests.", "new tests"),
    ],
)
def test_what_the_diff_does_not_show_is_refused(root, says, text, why):
    found = says(text)
    assert any(status in ("unsupported", "contradicted") and why in told for status, told in found), found
    assert checked(root, text)[0] == 1


@pytest.mark.parametrize("text", ["All tests pass.", "All 12 tests pass.", "mypy passes.", "The build succeeds."])
def test_how_ci_ended_is_not_known_unless_it_is_told(root, text):
    assert checked(root, text + " Removed `old.py`.")[0] == 0
    code, rows = checked(root, text, "--head", "main")
    assert (code, [row["status"] for row in rows]) == (4, ["unverifiable"])


def test_where_ci_is_known_to_have_failed_the_same_words_are_wrong(root):
    assert checked(root, "All tests pass. Removed `old.py`.", "--ci", "failure")[0] == 1


@pytest.mark.parametrize(
    "text",
    [
        "Thanks for the review!",
        "Please look at `kept.py` next.",
        "We should delete `kept.py` some day.",
        "`kept.py` could be renamed to `lost.py`.",
        "> Updated `kept.py`.",
        "Updated `kept.py`?",
        "The sign was wrong because `kept.py` sets `k` first.",
        "I ran `pytest -q` and committed.",
        "Ran the tests.",
        "Verified by running pytest.",
        "I checked it in the browser.",
    ],
)
def test_what_is_no_statement_about_the_diff_is_not_held_against_it(says, text):
    assert not any(status in ("unsupported", "contradicted") for status, _ in says(text))


class TestLeftOut:
    def test_a_deleted_file_has_to_be_told(self, root):
        code, rows = checked(root, "Fixed the sign in `app.py`.")
        assert code == 1
        assert [(row["status"], row["what"]) for row in rows][-1] == ("not said", "old.py")

    @pytest.mark.parametrize(
        "told", ["Deleted `old.py`.", "`old.py` is gone.", "Removed old.py, which nobody imports."]
    )
    def test_told_in_any_words_it_is_fine(self, root, told):
        code, rows = checked(root, f"Fixed the sign in `app.py`. {told}")
        assert (code, [row for row in rows if row["status"] == "not said"]) == (0, [])

    def test_files_that_were_added_or_moved_are_no_loss(self, root):
        _, rows = checked(root, "Fixed the sign in `app.py`. Removed `old.py`.")
        assert not [row for row in rows if row["status"] == "not said"]


class TestContinuousIntegration:
    @pytest.fixture
    def log(self, tmp_path: Path) -> Callable[[str], tuple[str, ...]]:
        def write(text: str) -> tuple[str, ...]:
            (tmp_path / "ci.log").write_text(text)
            return ("--ci-log", str(tmp_path / "ci.log"))

        return write

    @pytest.mark.parametrize("ci", ["success", "unknown"])
    @pytest.mark.parametrize(
        ("printed", "text", "status"),
        [
            ("12 passed in 0.3s", "All 12 tests pass.", "supported"),
            ("12 passed in 0.3s", "All 40 tests pass.", "contradicted"),
            ("1 failed, 11 passed in 0.3s", "1 of 12 tests fails.", "supported"),
            ("Tests:       12 passed, 12 total", "12 tests pass.", "supported"),
            ("ok  \texample.org/a\t0.1s", "All tests pass.", "supported"),
            ("cloning…\nno tests were found", "We tested nothing.", None),
        ],
    )
    def test_the_log_says_how_many(self, says, log, ci, printed, text, status):
        assert {found for found, _ in says(text, "--ci", ci, *log(printed))} == ({status} if status else set())

    @pytest.mark.parametrize("text", ["All tests pass.", "Lint is clean.", "The build passes.", "Type checks pass."])
    def test_one_that_succeeded_ran_every_check(self, says, text):
        assert [status for status, _ in says(text, "--ci", "success")] == ["supported"]

    @pytest.mark.parametrize("text", ["Lint is clean.", "Type checks pass.", "Formatting checks pass."])
    def test_which_check_of_one_that_failed_was_red_nobody_can_say(self, says, text):
        assert [status for status, _ in says(text, "--ci", "failure")] == ["unverifiable"]

    def test_tests_that_are_said_to_pass_did_not_where_it_failed_and_shows_none(self, says):
        assert [status for status, _ in says("All tests pass.", "--ci", "failure")] == ["contradicted"]

    def test_its_linter_may_have_failed_where_every_test_passed(self, says, log):
        more = ("--ci", "failure", *log("12 passed in 0.3s\nruff: 2 errors"))
        assert [status for status, _ in says("All 12 tests pass.", *more)] == ["supported"]


class TestWhoeverRunsIt:
    """Neither the settings of git nor odd names change what is read."""

    @pytest.mark.parametrize(
        "setting",
        [
            "diff.noprefix=true",
            "diff.mnemonicPrefix=true",
            "diff.context=0",
            "diff.renames=false",
            "diff.external=false",
            "color.diff=always",
            "core.quotePath=true",
        ],
    )
    def test_settings(self, root, setting, monkeypatch):
        name, _, value = setting.partition("=")
        told = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": name, "GIT_CONFIG_VALUE_0": value}
        for variable, text in told.items():
            monkeypatch.setenv(variable, text)
        text = "Fixed `app.py` and `lib/größe.py`. Renamed `names.py` to `labels.py`. Deleted `old.py`."
        code, rows = checked(root, text)
        assert (code, {row["status"] for row in rows}) == (0, {"supported"})

    def test_a_diff_within_a_file_that_was_added_is_no_change_of_another(self, says):
        (found,) = says("Updated `kept.py` to round.")
        assert found[0] == "unsupported"

    @pytest.mark.parametrize(
        ("text", "status"),
        [
            ("This PR only touches `app.py` and `new.py`.", "contradicted"),
            ("Apart from that, no other files changed besides `app.py` and `new.py`.", "contradicted"),
            ("No other files changed besides `app.py` (with `new.py`, `empty.py`, `size.py`).", "contradicted"),
        ],
    )
    def test_all_the_files_that_are_named_have_to_be_all_there_are(self, says, text, status):
        assert says(text)[-1][0] == status

    def test_a_file_is_named_by_its_whole_name(self, says):
        told = "No other files changed besides `app.py`, `new.py`, `empty.py`, `run.sh`, `old.py`, `names.py`, `labels.py` and `größe.py`."
        assert says(told)[-1] == ("contradicted", "test_new.py was changed")

    def test_what_cannot_be_checked_is_listed(self, root):
        _, rows = checked(root, "Deleted `old.py`. The limit is easier to explain now.")
        assert any(row["status"] == "not looked at" and "limit" in row["what"] for row in rows)

    def test_another_head_is_another_diff(self, root):
        assert checked(root, "Created `new.py`.", "--head", "main")[1][0]["status"] != "supported"

    @pytest.mark.parametrize("more", [("--head", "-x"), ("--head", "none-such"), ("--base", "--output=x")])
    def test_what_is_no_commit_is_refused_with_its_name(self, root, more):
        with pytest.raises(Exception, match=r"name commits or branches|none-such"):
            checked(root, "x", *more)

    def test_a_folder_without_git_is_refused(self, tmp_path):
        with pytest.raises(Exception, match="is not a git repository"):
            checked(tmp_path, "x")

    @pytest.mark.parametrize(("option", "other"), [("--base", ()), ("--head", ("--base", "main"))])
    def test_a_branch_that_git_does_not_know_is_named_with_its_option(self, root, option, other):
        refused = CliRunner().invoke(APP, ["-", option, "orign/main", *other, "--root", str(root)], input="Thanks!")
        assert str(refused.exception) == (
            f"{option} orign/main: git knows no such branch or commit; fetch it, or check the name"
        )

    def test_without_json_the_same_stands_in_a_table(self, root):
        words = ["-", "--base", "main", "--root", str(root)]
        told = CliRunner().invoke(APP, words, input="Created `lib/never.py`.")
        assert (told.exit_code, "not there" in told.stdout) == (1, True)
        nothing = CliRunner().invoke(APP, [*words, "--head", "main"], input="Thanks!")
        assert (nothing.exit_code, nothing.stdout.count("no statement")) == (4, 1)


class TestTheMoodOfItsWords:
    """Pull requests tell their work in the imperative as often as not."""

    @pytest.mark.parametrize(
        "text",
        [
            "Add `ghost.py` and remove `old.py`.",
            "- Remove `old.py`\n- Add `ghost.py`",
            "Adds `backoff()` to `new.py`. Removes `old.py`.",
            "This PR adds a `backoff()` function to `new.py` and removes `old.py`.",
            "Introduces `backoff` in `new.py`. Removes `old.py`.",
            "Remove `old.py`. No changes to `app.py`.",
        ],
    )
    def test_what_is_not_in_the_diff_is_wrong_in_any_mood(self, root, text):
        assert checked(root, text)[0] == 1

    @pytest.mark.parametrize(
        "text",
        [
            "Add `new.py` and remove `old.py`.",
            "Move `names.py` to `labels.py`, and remove the unused `old.py`.",
            "Remove `old.py`.\n\n## How to test\n1. Add a key to `config.py`\n2. Run `pytest`",
            "Remove `old.py`.\n\n## Follow-ups\n- Add `metrics.py`",
        ],
    )
    def test_what_is_in_the_diff_is_right_and_steps_are_no_statements(self, root, text):
        assert checked(root, text)[0] == 0

    def test_a_statement_is_shown_in_its_own_words(self, root):
        rows = checked(root, "Add `new.py` and remove `old.py`.")[1]
        assert {row["what"] for row in rows if row["status"] == "supported"} <= {"Add `new.py`", "remove `old.py`"}

    def test_nothing_is_said_to_be_removed_because_a_new_file_has_it_not(self, root):
        rows = checked(root, "Remove `old.py`. Drop the `sub` function.")[1]
        assert [row["status"] for row in rows if "sub" in row["what"]] == ["unverifiable"]


class TestADiffThatDeletesAndRenames:
    """What is gone brings no value, so that values are held all the same."""

    @pytest.fixture
    def root(self, tmp_path):
        git(tmp_path, "init", "-q", "-b", "main", ".")
        put(tmp_path, {"conf.py": "TIMEOUT = 30\n", "old.py": "x = 1\n"})
        git(tmp_path, "add", "-A")
        git(tmp_path, "commit", "-qm", "first")
        git(tmp_path, "checkout", "-qb", "work")
        put(tmp_path, {"conf.py": "TIMEOUT = 60\n"})
        git(tmp_path, "rm", "-q", "old.py")
        git(tmp_path, "add", "-A")
        git(tmp_path, "commit", "-qm", "second")
        return tmp_path

    @pytest.mark.parametrize(("value", "code"), [("60", 0), ("120", 1)])
    def test_a_value_is_held(self, root, value, code):
        assert checked(root, f"Raise `TIMEOUT` from 30 to {value}. Remove `old.py`.")[0] == code


LOG = "...    [100%]\n3 passed in 0.05s\n"


@pytest.mark.parametrize(
    "prefix",
    [
        "",
        "2026-01-01T00:00:02.1234567Z ",
        "test\tRun tests\t2026-01-01T00:00:02.1234567Z ",
        "2026-01-01T00:00:02.123456Z 01O ",
    ],
    ids=["plain", "downloaded", "several jobs", "with streams"],
)
@pytest.mark.parametrize(("count", "code"), [("3", 0), ("30", 1)])
def test_a_log_is_read_behind_what_the_service_puts_before_each_line(root, tmp_path, prefix, count, code):
    file = tmp_path / "ci.log"
    file.write_text("".join(f"{prefix}{line}\n" for line in LOG.splitlines()))
    done = checked(root, f"Remove `old.py`. All {count} tests pass.", "--ci", "success", "--ci-log", str(file))
    assert done[0] == code
