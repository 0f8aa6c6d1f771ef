"""Work of the person that was not committed and that git put away must be said; what the session itself wrote may go again."""

from __future__ import annotations

import subprocess

import pytest

from .conftest import git  # type: ignore[import-not-found]

SAID = "Raised the timeout in `src/app.py`. All tests pass."
GONE = "work that was not committed was put away"
THROWN = ["git checkout -- notes.py", "git checkout HEAD -- notes.py", "git checkout notes.py", "git checkout .", "git checkout -f", "git restore notes.py", "git restore .",
          "git restore --staged --worktree notes.py", "git reset --hard", "git reset --hard HEAD", "git stash", "git stash push -m wip", "git stash && git stash drop",
          "git switch --discard-changes main", "git -c core.pager=cat checkout -- notes.py"]  # fmt: skip
KEPT = ["git checkout -b topic", "git restore --staged notes.py", "git reset", "git reset --soft HEAD", "git stash && git stash pop", "git stash; git stash apply; git stash drop",
        "git checkout -- other.py", "git status", "git stash list", "git diff -- notes.py"]  # fmt: skip


@pytest.fixture
def repository(session):
    """A folder under git in which the person has changed one file and not committed it."""
    session.has("src/app.py", "TIMEOUT = 1\n").has("notes.py", "a = 1\n").has("other.py", "o = 1\n")
    git(session.root, "init", "-q", "-b", "main", ".")
    git(session.root, "add", "-A")
    for name, value in (("user.email", "a@example.org"), ("user.name", "a")):
        git(session.root, "config", name, value)
    git(session.root, "commit", "-qm", "x")
    return session.has("notes.py", "a = 1\nb = 'an hour of work'\n")


def does(session, command):
    """The command is really run in the folder, and stands in the transcript with what it printed."""
    done = subprocess.run(["bash", "-c", command], cwd=session.root, capture_output=True, text=True, check=False)
    return session.runs(command, done.stdout + done.stderr, done.returncode)


class TestWithASnapshot:
    @pytest.fixture
    def begun(self, repository):
        return repository.begins().edits("src/app.py", "1\n", "2\n")

    @pytest.mark.parametrize("command", THROWN)
    def test_it_must_be_said(self, begun, command):
        told = does(begun, command).stop(SAID)
        assert GONE in told
        assert "notes.py" in told

    @pytest.mark.parametrize("command", KEPT)
    def test_what_put_nothing_back_took_nothing(self, begun, command):
        assert does(begun, command).stop("Done.") == ""

    def test_edited_first_the_person_s_lines_are_gone_all_the_same(self, begun):
        does(begun.edits("notes.py", "a = 1\n", "a = 2\n"), "git checkout -- notes.py")
        assert GONE in begun.stop(SAID)
        assert GONE in begun.edits("notes.py", "a = 1\n", "a = 3\n").stop("Set `a` in `notes.py` to 3.")

    def test_what_the_session_wrote_and_took_back_is_no_loss(self, begun):
        begun.edits("other.py", "o = 1\n", "o = 2\n")
        assert does(begun, "git checkout -- other.py").stop("Raised the timeout in `src/app.py`.") == ""

    def test_untracked_files_that_a_stash_took_are_gone(self, repository):
        repository.has("idea.txt", "x\n").begins().edits("src/app.py", "1\n", "2\n")
        assert "idea.txt" in does(repository, "git stash -u").stop(SAID)


class TestByTheTrace:
    """Without a snapshot git's own words before the agent did anything show what was not committed."""

    @pytest.mark.parametrize(
        "look", ["git status", "git status --short", "git status -sb && git diff", "git diff --stat"]
    )
    @pytest.mark.parametrize("command", THROWN)
    def test_it_must_be_said(self, repository, look, command):
        does(repository, look).edits("src/app.py", "1\n", "2\n")
        told = does(repository, command).stop(SAID)
        assert GONE in told
        assert "notes.py" in told

    @pytest.mark.parametrize("command", ["git checkout -- notes.py", "git restore notes.py", "git checkout notes.py"])
    def test_a_file_put_back_by_its_name_that_the_session_never_touched(self, repository, command):
        assert GONE in does(repository.edits("src/app.py", "1\n", "2\n"), command).stop(SAID)

    @pytest.mark.parametrize("command", KEPT)
    def test_what_put_nothing_back_took_nothing(self, repository, command):
        does(repository, "git status --short").edits("src/app.py", "1\n", "2\n").edits("other.py", "o = 1\n", "o = 2\n")
        assert does(repository, command).stop("Done.") == ""

    @pytest.mark.parametrize("before", ["npm install", "./build.sh", "black .", "pytest -q"])
    def test_what_a_command_may_have_changed_is_not_the_person_s(self, repository, before):
        repository.runs(before, "ok").edits("src/app.py", "1\n", "2\n").runs("git status --short", " M notes.py\n")
        assert does(repository, "git checkout -- notes.py").stop("Done.") == ""

    def test_what_the_session_changed_is_not_the_person_s(self, repository):
        git(repository.root, "checkout", "--", "notes.py")
        repository.edits("notes.py", "a = 1\n", "a = 2\n").runs("git status --short", " M notes.py\n")
        assert does(repository, "git checkout -- notes.py").stop("Tried another value and left it.") == ""

    def test_what_was_committed_since_is_not_lost(self, repository):
        does(does(repository, "git status --short"), "git commit -qam wip")
        assert does(repository.edits("src/app.py", "1\n", "2\n"), "git checkout .").stop("Done.") == ""

    def test_a_command_that_failed_took_nothing(self, repository):
        does(repository, "git status --short").edits("src/app.py", "1\n", "2\n")
        assert repository.runs("git checkout -- notes.py", "fatal: not a git repository", 128).stop("Done.") == ""

    def test_a_stash_of_the_person_that_was_dropped(self, repository):
        does(repository, "git stash").asks("Now raise the timeout.").edits("src/app.py", "1\n", "2\n")
        repository.items = repository.items[3:]
        assert "a stash that was there before" in does(repository, "git stash drop").stop(SAID)


class TestFilesTakenFromAnotherBranch:
    """Taking a file from another commit is work of its own; it loses something only where git told of changes in the file."""

    FROM = ["git checkout topic -- notes.py", "git checkout topic notes.py", "git restore --source=topic notes.py", "git restore -s topic -- notes.py", "git checkout HEAD~1 -- notes.py"]  # fmt: skip

    @pytest.fixture
    def branched(self, repository):
        """The same folder with nothing left to commit, and a branch with another version of the file."""
        git(repository.root, "checkout", "-qb", "topic")
        git(repository.root, "commit", "-qam", "y")
        git(repository.root, "checkout", "-q", "main")
        git(repository.root, "commit", "--allow-empty", "-qm", "z")
        return repository

    @pytest.mark.parametrize("command", FROM)
    @pytest.mark.parametrize("begun", [True, False])
    def test_a_file_without_changes_of_its_own_lost_nothing(self, branched, command, begun):
        does(branched.begins() if begun else branched, command)
        assert branched.stop("Took `notes.py` from the branch `topic`.") == ""
        assert branched.stop("Done.") == ""

    @pytest.mark.parametrize("command", FROM)
    def test_after_a_look_that_showed_none_it_lost_nothing(self, branched, command):
        does(branched, "git status --short")
        assert does(branched, command).stop("Took `notes.py` from the branch `topic`.") == ""

    @pytest.mark.parametrize("command", FROM)
    @pytest.mark.parametrize("begun", [True, False])
    def test_work_that_was_in_it_is_lost(self, branched, command, begun):
        branched.has("notes.py", "a = 1\nc = 'another hour'\n")
        does(branched.begins() if begun else branched, "git status --short")
        told = does(branched, command).stop("Took `src/app.py` from the branch `topic`.")
        assert f"notes.py: {GONE}" in told
        assert "topic:" not in told

    def test_what_was_taken_may_be_put_back(self, branched):
        does(does(branched, "git checkout topic -- notes.py"), "git status --short")
        assert does(branched, "git checkout HEAD -- notes.py").stop("Looked at the other version.") == ""

    @pytest.mark.parametrize("command", ["git checkout HEAD -- notes.py", "git restore --source HEAD notes.py", "git checkout @ -- notes.py"])  # fmt: skip
    def test_the_last_commit_is_no_other(self, repository, command):
        assert GONE in does(repository.edits("src/app.py", "1\n", "2\n"), command).stop(SAID)


@pytest.mark.parametrize(
    "said",
    ["I discarded the changes in `notes.py`.", "I ran `git checkout -- notes.py`, which put it back.", "`notes.py` is back to what was committed.", "Your uncommitted edits of `notes.py` are gone.",
     "Ich habe `notes.py` auf den letzten Commit zurückgesetzt.", "The working tree was reset.", "I stashed what was open."],
)  # fmt: skip
def test_told_it_is_no_secret(repository, said):
    does(repository, "git status --short").edits("src/app.py", "1\n", "2\n")
    assert GONE not in does(repository, "git checkout -- notes.py").stop(f"{SAID} {said}")


@pytest.mark.parametrize("said", ["Restored `src/app.py`.", "The linter is clean.", "Removed an unused import."])
def test_told_of_something_else_it_is_not_told(repository, said):
    does(repository, "git status --short").edits("src/app.py", "1\n", "2\n")
    assert GONE in does(repository, "git checkout -- notes.py").stop(f"Raised the timeout. {said}")


def test_asked_for_it_is_no_secret(repository):
    does(repository.asks("Please throw away my changes to notes.py."), "git status --short").edits(
        "src/app.py", "1\n", "2\n"
    )
    assert GONE not in does(repository, "git checkout -- notes.py").stop(SAID)


ONTO = "To github.com:a/b\n + 1234567...89abcde main -> main (forced update)\n"
AHEAD = "On branch main\nYour branch is ahead of 'origin/main' by 3 commits.\n"
LOG = "aaaaaaa third\nbbbbbbb second\nccccccc first\n"


class TestCommitsLeftBehind:
    """Commits of others that no branch has any more must be said; what the session committed itself may go again."""

    @pytest.fixture
    def begun(self, session):
        return session.has("src/app.py", "TIMEOUT = 1\n").begins().edits("src/app.py", "1\n", "2\n")

    @pytest.mark.parametrize(
        ("before", "command", "printed"),
        [
            ((), "git reset --hard HEAD~2", "HEAD is now at 1a2b3c4 first"),
            ((), "git reset --hard HEAD^", "HEAD is now at 1a2b3c4 first"),
            (("git status", AHEAD), "git reset --hard origin/main", "HEAD is now at 1a2b3c4 first"),
            (("git log --oneline", LOG), "git reset --hard ccccccc", "HEAD is now at ccccccc first"),
            (("git commit -am x", "[main 1234567] x"), "git reset --hard HEAD~2", "HEAD is now at 1a2b3c4 first"),
            ((), "git branch -D old-work", "Deleted branch old-work (was 1234567)."),
            ((), "git push --force origin main", ONTO),
            ((), "git push origin +main", ONTO),
        ],
    )
    def test_they_must_be_said(self, begun, before, command, printed):
        told = (
            (begun.runs(*before) if before else begun)
            .runs(command, printed)
            .stop(SAID.removesuffix(" All tests pass."))
        )
        assert "were there before the session" in told or "pushed before were overwritten" in told
        assert command.removeprefix("git ").split()[0] in told

    @pytest.mark.parametrize(
        ("before", "command", "printed"),
        [
            (("git commit -am x", "[main 1234567] x"), "git reset --hard HEAD~1", "HEAD is now at 1a2b3c4 first"),
            (("git log --oneline", LOG), "git reset --hard aaaaaaa", "HEAD is now at aaaaaaa third"),
            (("git branch backup", ""), "git reset --hard HEAD~2", "HEAD is now at 1a2b3c4 first"),
            (("git checkout -b topic", "Switched"), "git branch -D topic", "Deleted branch topic (was 1234567)."),
            (("git merge topic", "Merge made"), "git branch -D topic", "Deleted branch topic (was 1234567)."),
            ((), "git branch -d merged", "Deleted branch merged (was 1234567)."),
            ((), "git push --force", "Everything up-to-date"),
            ((), "git push --force-with-lease", ONTO),
            (("git commit --amend --no-edit", "[main 1234567] x"), "git push --force", ONTO),
            (("git rebase origin/main", "Successfully rebased"), "git push -f", ONTO),
        ],
    )
    def test_what_the_session_made_or_something_leads_to_may_go(self, begun, before, command, printed):
        told = (begun.runs(*before) if before else begun).runs(command, printed).stop("Done.")
        assert "the session" not in told
        assert "overwritten" not in told

    @pytest.mark.parametrize(
        ("command", "printed", "said"),
        [
            ("git reset --hard HEAD~2", "HEAD is now at 1a2b3c4 first", "I took the last two commits off the branch."),
            ("git branch -D old", "Deleted branch old (was 1234567).", "The branch `old` is deleted."),
            ("git push --force origin main", ONTO, "I rebased and force-pushed `main`."),
            ("git reset --hard HEAD~2", "HEAD is now at 1a2b3c4 first", "Die letzten zwei Commits habe ich verworfen."),
            ("git branch -D old", "Deleted branch old (was 1234567).", "J'ai supprimé la branche `old`."),
        ],
    )
    def test_what_is_told_is_told(self, begun, command, printed, said):
        told = begun.runs(command, printed).stop(f"`TIMEOUT` is 2. {said}")
        assert "does not say so" not in told

    def test_what_was_brought_back_is_not_lost(self, begun):
        begun.runs("git reset --hard HEAD~2", "HEAD is now at 1a2b3c4 first")
        assert "the session" not in begun.runs("git reset --hard ORIG_HEAD", "HEAD is now at 9f8e7d6").stop("Done.")
