"""Linters, types, builds, commits, pushes, branches and tags, at the stop: what ran last decides, and what ran unseen leaves it open."""

from __future__ import annotations

import pytest

from .conftest import git  # type: ignore[import-not-found]

MADE = "[main 1a2b3c4] Fix the sign\n 1 file changed\n"


@pytest.fixture
def busy(session):
    """An agent that changed a file in this turn."""
    return session.edits("src/a.py", "one\n", "two\n")


class TestChecks:
    """Each row: what the report says, the command that shows it, and what that prints where it fails."""

    ROWS = [
        ("Linting passes.", "ruff check .", "Found 2 errors.\n"),
        ("`eslint` is clean and linting passes.", "npx eslint src", "✖ 3 problems (3 errors, 0 warnings)\n"),
        ("No type errors.", "mypy src", "Found 2 errors in 1 file (checked 3 source files)\n"),
        ("The type check is clean.", "npx tsc --noEmit", "src/a.ts(3,1): error TS2322: Type\n"),
        ("The build passes.", "npm run build", "error during build:\n"),
        ("The build is green.", "cargo build", "error[E0308]: mismatched types\n"),
    ]

    @pytest.mark.parametrize(("report", "command", "printed"), ROWS)
    def test_a_run_that_passed_may_be_told(self, busy, report, command, printed):
        assert busy.runs(command, "ok\n").stop(report) == ""

    @pytest.mark.parametrize(("report", "command", "printed"), ROWS)
    def test_one_that_failed_may_not(self, busy, report, command, printed):
        assert busy.runs(command, printed, 1).stop(report) != ""

    @pytest.mark.parametrize(("report", "command", "printed"), ROWS)
    def test_what_counts_is_the_last_one(self, busy, report, command, printed):
        assert (
            busy.runs(command, printed, 1).edits("src/a.py", "two\n", "three\n").runs(command, "ok\n").stop(report)
            == ""
        )
        assert busy.runs(command, printed, 1).stop(report) != ""

    @pytest.mark.parametrize(("report", "command", "printed"), ROWS)
    def test_changed_after_it_failed_it_has_to_run_again(self, busy, report, command, printed):
        busy.runs(command, printed, 1).edits("src/a.py", "two\n", "three\n")
        assert "none was made after the changes since" in busy.stop(report)

    @pytest.mark.parametrize("report", ["Linting passes.", "No type errors."])
    def test_one_that_never_ran_may_not_be_told(self, busy, report):
        assert "the trace has no run of a" in busy.runs("pytest -q", "3 passed in 0.1s\n").stop(report)

    @pytest.mark.parametrize("report", ["The build is green.", "All checks pass.", "The code is formatted."])
    def test_what_any_run_may_show_is_left_open(self, busy, report):
        assert busy.runs("pytest -q", "3 passed in 0.1s\n").stop(report) == ""

    def test_a_script_of_the_project_may_have_run_the_linter(self, busy):
        assert busy.runs("./ci/all.sh", "everything is fine\n").stop("Linting passes.") == ""

    def test_a_report_that_speaks_of_the_failures_itself_is_honest(self, busy):
        busy.runs("ruff check .", "Found 2 errors.\n", 1)
        assert busy.stop("Linting passes, except for 2 files that still fail, as before.") == ""

    def test_of_all_checks_one_that_failed_is_enough(self, busy):
        busy.runs("ruff check .", "Found 2 errors.\n", 1).runs("mypy src", "Success: no issues found\n")
        assert busy.stop("All checks pass.") != ""
        assert busy.runs("ruff check .", "All checks passed!\n").stop("All checks pass.") == ""


class TestCommits:
    @pytest.mark.parametrize(
        ("line", "printed"),
        [
            ("git commit -qam fix", ""),
            ("git merge fix", "Merge made by the 'ort' strategy.\n"),
            ("git cherry-pick 1a2b3c4", MADE),
            ("git revert --no-edit HEAD", MADE),
            ("git pull --rebase", "Successfully rebased and updated refs/heads/main.\n"),
            ("git commit -m fix; false", MADE),
            ("git ci -m fix", MADE),
        ],
    )
    def test_more_than_one_command_makes_a_commit(self, busy, line, printed):
        assert busy.runs(line, printed).stop("Committed the fix.") == ""

    @pytest.mark.parametrize(
        ("line", "printed", "code"),
        [
            ("git commit -m fix", "nothing to commit, working tree clean\n", 1),
            ("git commit -m fix", "no changes added to commit\n", 1),
            ("git commit -m fix", "husky - pre-commit hook failed (code 1)\n", 1),
            ("git commit -m fix", "fatal: not a git repository\n", 128),
            ("git commit --dry-run -m fix", "Changes to be committed:\n", 0),
            ("git add -A", "", 0),
            ("git ci -m fix", "git: 'ci' is not a git command. See 'git --help'.\n", 1),
            ("git log -1 --oneline", "1a2b3c4 Fix the sign\n", 0),
        ],
        ids=["nothing", "not added", "hook", "no repository", "dry run", "only added", "no alias", "only looked"],
    )
    def test_one_that_made_none_is_none(self, busy, line, printed, code):
        assert "commit" in busy.runs(line, printed, code).stop("Committed the fix.")

    def test_a_commit_that_failed_and_was_made_then_is_made(self, busy):
        busy.runs("git commit -m fix", "no changes added to commit\n", 1).runs("git commit -am fix", MADE)
        assert busy.stop("Committed the fix.") == ""

    def test_an_earlier_turn_made_it_and_nothing_was_changed_since(self, busy):
        busy.runs("git commit -am fix", MADE).asks("Run the tests.").runs("pytest -q", "3 passed in 0.1s\n")
        assert busy.stop("Committed the fix, and all tests pass.") == ""

    def test_an_earlier_commit_does_not_hold_what_was_changed_after_it(self, busy):
        busy.runs("git commit -am fix", MADE).asks("And the other one.").edits("src/b.py", "one\n", "two\n")
        assert "no git commit in this turn" in busy.stop("Fixed `src/b.py`. Committed the fix.")

    def test_who_was_asked_to_commit_cannot_point_to_an_earlier_one(self, busy):
        busy.runs("git commit -am fix", MADE).asks("Please commit it.").runs("git status", "clean\n").runs(
            "pytest -q", "1 passed\n"
        )
        assert "no git commit in this turn" in busy.stop("Committed the fix.")

    @pytest.mark.parametrize(
        "line", ["gh pr merge 12 --squash", "jj commit -m fix", "gh api repos/o/r/contents/a -X PUT"]
    )
    def test_other_programs_commit_too(self, busy, line):
        assert busy.runs(line, "ok\n").stop("Committed the fix.") == ""


class TestKnownToGit:
    """A repository with the commit, branch or tag that is named bears it out, whoever made it."""

    @pytest.fixture
    def versioned(self, session):
        session.has("a.txt", "alpha\n")
        git(session.root, "init", "-q", "-b", "main", ".")
        git(session.root, "add", "-A")
        git(session.root, "-c", "user.email=a@example.org", "-c", "user.name=a", "commit", "-qm", "first")
        git(session.root, "tag", "v1.2.0")
        git(session.root, "branch", "fix/sign")
        return session.edits("src/a.py", "one\n", "two\n")

    def test_a_commit_that_is_there(self, versioned):
        head = git(versioned.root, "rev-parse", "HEAD").strip()
        assert versioned.stop(f"Committed as `{head[:9]}`.") == ""
        assert "commit" in versioned.stop("Committed as `feed123`.")

    @pytest.mark.parametrize("packed", [False, True], ids=["loose", "packed"])
    def test_a_tag_and_a_branch_that_are_there(self, versioned, packed):
        if packed:
            git(versioned.root, "pack-refs", "--all")
        assert versioned.stop("Tag `v1.2.0` created.") == ""
        assert versioned.stop("Created the branch `fix/sign`.") == ""

    def test_ones_that_are_not(self, versioned):
        assert "no git tag" in versioned.stop("Tag `v9.9.9` created.")
        assert "no git branch" in versioned.stop("Created the branch `fix/other`.")

    def test_a_name_that_would_lead_out_of_the_folder_is_not_looked_up(self, versioned):
        (versioned.root / ".git" / "outside").write_text("x")
        assert "no git branch" in versioned.stop("Created the branch `../../outside`.")


class TestPushes:
    @pytest.mark.parametrize(
        ("printed", "code"),
        [
            (" ! [rejected] main -> main (fetch first)\nerror: failed to push some refs\n", 1),
            ("fatal: could not read from remote repository\n", 128),
        ],
    )
    def test_one_that_the_server_refused_is_none(self, busy, printed, code):
        assert "push" in busy.runs("git push", printed, code).stop("Pushed it to origin.")

    def test_refused_behind_a_pipe_it_is_none_either(self, busy):
        busy.runs("git push 2>&1 | tail -2", " ! [rejected] main -> main (fetch first)\n")
        assert "push" in busy.stop("Pushed it to origin.")

    def test_refused_first_and_through_then_it_is_one(self, busy):
        busy.runs("git push", " ! [rejected] main -> main\n", 1).runs("git pull --rebase", "ok\n")
        assert busy.runs("git push", "   1a2b3c4..5d6e7f8  main -> main\n").stop("Pushed it to origin.") == ""
