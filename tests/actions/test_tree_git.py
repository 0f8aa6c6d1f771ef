"""What git says about a tree, whatever kind of repository it is; without git, or with one that lies, a snapshot is taken all the same."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from witnessmark.actions.tree import capture, snapshot
from witnessmark.actions.tree import git as gitinfo
from witnessmark.actions.tree.snapshot import Snapshot, diff
from witnessmark.actions.tree.texts import text_at
from witnessmark.actions.tree.view import TreeState, TreeView

from .conftest import git  # type: ignore[import-not-found]

ME = ("-c", "user.email=a@example.org", "-c", "user.name=a")


def taken(root: Path) -> Snapshot:
    """A snapshot with texts, as it is read back from its file."""
    return snapshot.read(capture.take(root, texts=True).write())


class TestKindsOfRepository:
    def test_without_a_commit_there_is_no_head_and_what_is_ignored_is_known(self, tree: Path) -> None:
        git(tree, "init", "-q", ".")
        (tree / ".gitignore").write_text("*.log\n")
        (tree / "x.log").write_bytes(b"1")
        made = taken(tree)
        assert made.git.head is None
        assert made.get("x.log").ignored
        assert text_at(made, "a.txt", tree) == "alpha\n", "git has nothing yet, so the snapshot keeps it"

    def test_a_folder_inside_of_a_repository_is_named_from_itself(self, repository: Path) -> None:
        (repository / ".gitignore").write_text("/src/*.log\n")
        (repository / "src" / "x.log").write_bytes(b"1")
        made = taken(repository / "src")
        assert made.git.head == git(repository, "rev-parse", "HEAD").strip()
        assert [entry.path for entry in made.entries if entry.ignored] == ["x.log"]
        (repository / "src" / "calc.py").write_bytes(b"changed\n")
        assert text_at(made, "calc.py", repository / "src") == "def add(a, b):\n    return a - b\n", "from the commit"

    def test_a_second_working_tree_is_one_too(self, repository: Path, tmp_path: Path) -> None:
        git(repository, "worktree", "add", "-q", "--detach", str(tmp_path / "second"))
        made = taken(tmp_path / "second")
        assert made.git.head == git(repository, "rev-parse", "HEAD").strip()
        assert made.get(".git").type == "f"
        (tmp_path / "second" / "a.txt").write_bytes(b"omega\n")
        assert text_at(made, "a.txt", tmp_path / "second") == "alpha\n"

    def test_a_repository_that_is_broken_is_no_reason_not_to_look(self, repository: Path) -> None:
        (repository / ".git" / "HEAD").write_text("nonsense\n")
        made = capture.take(repository)
        assert made.git is None
        assert made.get("a.txt") is not None

    def test_a_folder_called_git_is_no_repository(self, tree: Path) -> None:
        (tree / ".git").mkdir()
        (tree / ".git" / "config").write_text("[core]\n")
        made = capture.take(tree)
        assert made.git is None
        assert made.get(".git/config") is not None, "what it would be told is looked at"

    def test_names_with_quotes_spaces_and_other_letters_are_ignored_as_git_means_them(self, repository: Path) -> None:
        (repository / ".gitignore").write_text("out dir/\n*.tmp\n")
        (repository / "out dir").mkdir()
        for name in ('a "b".tmp', "ä.tmp", "out dir/x", "kept.txt"):
            (repository / name).write_bytes(b"1")
        ignored = {entry.path for entry in capture.take(repository).entries if entry.ignored}
        assert ignored == {'a "b".tmp', "ä.tmp", "out dir", "out dir/x"}


class TestWhatItMayNotDo:
    def test_variables_of_the_caller_do_not_lead_it_elsewhere(
        self, repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        other = tmp_path / "other"
        other.mkdir()
        git(other, "init", "-q", ".")
        head = git(repository, "rev-parse", "HEAD").strip()
        monkeypatch.setenv("GIT_DIR", str(other / ".git"))
        monkeypatch.setenv("GIT_WORK_TREE", str(other))
        made = capture.take(repository)
        assert made.git is not None
        assert made.git.head == head

    def test_an_answer_that_does_not_come_is_none(self, repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def late(*words: object, **more: object) -> None:
            raise subprocess.TimeoutExpired("git", 20)

        monkeypatch.setattr(gitinfo.subprocess, "run", late)
        assert capture.take(repository).git is None
        assert gitinfo.committed(repository) is None
        assert gitinfo.blob(repository, "HEAD", "a.txt", 100) is None

    @pytest.mark.parametrize("commit", ["HEAD:a.txt", "--help", "HEAD^", ""])
    def test_a_commit_that_is_no_name_is_not_asked_for(self, repository: Path, commit: str) -> None:
        assert gitinfo.blob(repository, commit, "a.txt", 100) is None

    def test_no_more_is_read_of_a_file_than_allowed(self, repository: Path) -> None:
        head = git(repository, "rev-parse", "HEAD").strip()
        assert gitinfo.blob(repository, head, "a.txt", 6) == b"alpha\n"
        assert gitinfo.blob(repository, head, "a.txt", 5) is None
        assert gitinfo.blob(repository, head, "never.txt", 100) is None
        assert gitinfo.blob(repository, head, "src", 100) is None, "a folder"

    def test_a_snapshot_that_names_another_commit_proves_nothing_by_it(self, repository: Path) -> None:
        made = taken(repository)
        (repository / "a.txt").write_bytes(b"omega\n")
        git(repository, *ME, "commit", "-qam", "second")
        later = git(repository, "rev-parse", "HEAD").strip()
        forged = Snapshot(made.entries, taken_ns=made.taken_ns, git=snapshot.Git(head=later))
        assert text_at(made, "a.txt", repository) == "alpha\n"
        assert text_at(forged, "a.txt", repository) is None, "its bytes are not those that the snapshot has"

    def test_without_git_on_this_machine_what_the_commit_has_is_not_known(
        self, repository: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        made = taken(repository)
        monkeypatch.setattr(gitinfo.shutil, "which", lambda name: None)
        (repository / "a.txt").write_bytes(b"omega\n")
        assert text_at(made, "a.txt", repository) is None
        assert gitinfo.committed(repository) is None


class TestCommitted:
    def test_sizes_are_those_of_the_commit(self, repository: Path) -> None:
        (repository / "a.txt").write_bytes(b"much longer now\n")
        sizes, looked = gitinfo.committed(repository) or ({}, -1)
        assert sizes == {"a.txt": 6, "src/calc.py": 32}
        assert looked > 0

    def test_an_index_that_is_gone_dates_nothing(self, repository: Path) -> None:
        (repository / ".git" / "index").unlink()
        sizes, looked = gitinfo.committed(repository) or ({}, -1)
        assert (len(sizes), looked) == (2, 0)
        assert sorted(taken(repository).texts) == ["a.txt", "src/calc.py"], "so everything is kept in the snapshot"

    def test_a_file_changed_to_the_same_length_after_git_looked_is_kept(self, repository: Path) -> None:
        (repository / "a.txt").write_bytes(b"omega\n")
        made = taken(repository)
        (repository / "a.txt").write_bytes(b"gamma\n")
        assert text_at(made, "a.txt", repository) == "omega\n"


class TestRulesThatChange:
    def test_a_rule_that_hides_a_file_does_not_make_it_unchanged(self, repository: Path) -> None:
        before = capture.take(repository)
        (repository / ".gitignore").write_text("src/\n")
        (repository / "src" / "new.py").write_bytes(b"x\n")
        found = {(change.kind, change.path) for change in diff(before, capture.take(repository, earlier=before))}
        assert ("created", "src/new.py") in found

    def test_a_hook_and_the_configuration_are_changes_and_git_s_own_files_are_not(self, repository: Path) -> None:
        before = capture.take(repository)
        git(repository, "config", "core.editor", "vi")
        (repository / ".git" / "hooks").mkdir(exist_ok=True)
        (repository / ".git" / "hooks" / "pre-commit").write_text("#!/bin/sh\n")
        (repository / "n.txt").write_bytes(b"n")
        git(repository, "add", "-A")
        git(repository, *ME, "commit", "-qm", "second", "--no-verify")
        found = {change.path for change in diff(before, capture.take(repository, earlier=before))}
        assert found == {".git/config", ".git/hooks/pre-commit", "n.txt"}

    def test_a_commit_changes_no_file(self, repository: Path) -> None:
        (repository / "a.txt").write_bytes(b"omega\n")
        before = capture.take(repository)
        git(repository, *ME, "commit", "-qam", "second")
        world = TreeState(root=repository, before=before)
        assert world.changes() == ()
        with TreeView(world) as view:
            assert view.changed_paths == ()
