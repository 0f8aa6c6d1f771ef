"""Snapshots and what changed between them: every kind of change, what a snapshot refuses to believe, and what may stay unsaid."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from witnessmark.actions.claim import ActionClaim
from witnessmark.actions.claims.disclosure import undisclosed, unsaid
from witnessmark.actions.tree import capture, snapshot
from witnessmark.actions.tree.snapshot import Snapshot, TreeChange, diff
from witnessmark.actions.tree.view import TreeState, TreeView
from witnessmark.core.errors import InputError

from .conftest import git  # type: ignore[import-not-found]

Change = Callable[[Path], object]


def after(tree: Path, *changes: Change) -> tuple[TreeChange, ...]:
    """What changed in a tree when these things were done to it, by snapshots that were written and read back."""
    before = snapshot.read(capture.take(tree).write())
    for change in changes:
        change(tree)
    return diff(before, snapshot.read(capture.take(tree, earlier=before).write()))


def swapped(tree: Path) -> None:
    (tree / "a.txt").rename(tree / "held")
    (tree / "src" / "calc.py").rename(tree / "a.txt")
    (tree / "held").rename(tree / "src" / "calc.py")


class TestKindsOfChange:
    @pytest.mark.parametrize(
        ("change", "expected"),
        [
            (lambda tree: (tree / "n.txt").write_bytes(b"123"), [("created", "n.txt", "created, 3 bytes")]),
            (lambda tree: (tree / "a.txt").write_bytes(b"omega, longer\n"), [("modified", "a.txt", "modified, 6 → 14 bytes")]),
            (lambda tree: (tree / "a.txt").write_bytes(b"omega\n"), [("modified", "a.txt", "modified, 6 → 6 bytes")]),
            (lambda tree: (tree / "a.txt").unlink(), [("deleted", "a.txt", "deleted, 6 bytes")]),
            (lambda tree: (tree / "a.txt").rename(tree / "b.txt"), [("renamed", "b.txt", "renamed")]),
            (lambda tree: (tree / "src").rename(tree / "lib"), [("renamed", "lib/calc.py", "renamed")]),
            (lambda tree: (tree / "link").symlink_to("a.txt"), [("created", "link", "created")]),
            (lambda tree: os.mkfifo(tree / "pipe"), [("created", "pipe", "created")]),
            (lambda tree: os.utime(tree / "a.txt", ns=(1, 1)), []),
            (lambda tree: (tree / "a.txt").write_bytes(b"alpha\n"), []),
            (lambda tree: (tree / "empty").mkdir(), []),
            (swapped, [("modified", "a.txt", "modified, 6 → 32 bytes"), ("modified", "src/calc.py", "modified, 32 → 6 bytes")]),
        ],
        ids=[
            "created", "longer", "as long as before", "deleted", "renamed", "its folder renamed", "a link", "a pipe", "only its times",
            "the same bytes", "an empty folder", "two swapped",
        ],
    )  # fmt: skip
    def test_one(self, tree: Path, change: Change, expected: list[tuple[str, str, str]]) -> None:
        assert [(found.kind, found.path, found.words()) for found in after(tree, change)] == expected

    def test_permissions(self, tree: Path) -> None:
        (tree / "a.txt").chmod(0o644)
        (found,) = after(tree, lambda tree: (tree / "a.txt").chmod(0o755))
        assert (found.kind, found.words()) == ("mode", "permissions 644 → 755")

    def test_a_file_becomes_a_folder_and_back(self, tree: Path) -> None:
        def folder(tree: Path) -> None:
            (tree / "a.txt").unlink()
            (tree / "a.txt").mkdir()
            (tree / "a.txt" / "inside").write_bytes(b"1")

        assert [(found.kind, found.path) for found in after(tree, folder)] == [
            ("retyped", "a.txt"),
            ("created", "a.txt/inside"),
        ]

    def test_a_link_that_leads_elsewhere_now(self, tree: Path) -> None:
        (tree / "link").symlink_to("a.txt")

        def turned(tree: Path) -> None:
            (tree / "link").unlink()
            (tree / "link").symlink_to("src")

        assert [(found.kind, found.path) for found in after(tree, turned)] == [("modified", "link")]

    def test_of_two_copies_each_new_name_takes_one(self, tree: Path) -> None:
        (tree / "b.txt").write_bytes(b"alpha\n")

        def moved(tree: Path) -> None:
            (tree / "a.txt").rename(tree / "z.txt")
            (tree / "b.txt").rename(tree / "y.txt")

        assert {(found.kind, found.old, found.path) for found in after(tree, moved)} == {
            ("renamed", "a.txt", "z.txt"),
            ("renamed", "b.txt", "y.txt"),
        }

    def test_empty_files_are_not_taken_for_one_another(self, tree: Path) -> None:
        (tree / "empty").write_bytes(b"")

        def moved(tree: Path) -> None:
            (tree / "empty").unlink()
            (tree / "other").write_bytes(b"")

        assert [(found.kind, found.path) for found in after(tree, moved)] == [
            ("deleted", "empty"),
            ("created", "other"),
        ]

    def test_a_file_that_may_not_be_read_changes_by_its_size(self, tree: Path, tmp_path: Path) -> None:
        (tmp_path / "twin").write_bytes(b"1")
        os.link(tmp_path / "twin", tree / "twin")
        assert after(tree) == ()
        (found,) = after(tree, lambda tree: (tree / "twin").write_bytes(b"12"))
        assert (found.kind, found.after.sha256) == ("modified", ""), "seen, and never read"


class TestReading:
    """A snapshot is believed only where it is whole."""

    def changed(self, tree: Path, **header: Any) -> bytes:
        first, _, body = capture.take(tree).write().partition(b"\n")
        return json.dumps(json.loads(first) | header).encode() + b"\n" + body

    @pytest.mark.parametrize(
        ("header", "why"),
        [
            ({"format": "tar"}, "'tar' version 1"),
            ({"version": 9}, "version 9"),
            ({"digest": "0" * 64}, "digest does not match"),
            ({"count": 99}, "not 99 different paths"),
            ({"surprise": 1}, "is not a snapshot"),
            ({"taken_ns": "now"}, "is not a snapshot"),
        ],
    )
    def test_a_first_line_that_is_wrong_is_named(self, tree: Path, header: dict[str, Any], why: str) -> None:
        with pytest.raises(InputError, match=why):
            snapshot.read(self.changed(tree, **header), "s.snap")

    def test_entries_that_are_none_are_named(self, tree: Path) -> None:
        body = b'["a.txt", "f"]\n'
        data = self.changed(tree, digest=hashlib.sha256(body).hexdigest(), count=1).partition(b"\n")[0] + b"\n" + body
        with pytest.raises(InputError, match="an entry cannot be read"):
            snapshot.read(data)

    def test_the_same_path_twice_is_refused(self, tree: Path) -> None:
        line = capture.take(tree).write().splitlines()[1] + b"\n"
        data = self.changed(tree, digest=hashlib.sha256(line * 2).hexdigest(), count=2).partition(b"\n")[0]
        with pytest.raises(InputError, match="not 2 different paths"):
            snapshot.read(data + b"\n" + line * 2)

    def test_from_disk(self, tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        place = tmp_path / "s.snap"
        place.write_bytes(capture.take(tree).write())
        assert snapshot.load(place).get("a.txt") is not None
        with pytest.raises(InputError, match="witnessmark snapshot -o FILE"):
            snapshot.load(tmp_path / "missing.snap")
        with pytest.raises(InputError, match="cannot be read"):
            snapshot.load(tmp_path)
        monkeypatch.setattr(snapshot, "MAX_BYTES", 10)
        with pytest.raises(InputError, match="has more than"):
            snapshot.load(place)


class TestTaking:
    def test_what_lies_deeper_than_allowed_is_marked_and_not_forgotten(self, tree: Path) -> None:
        (tree / "d" / "e" / "f").mkdir(parents=True)
        made = capture.take(tree, limits=capture.TreeLimits(depth=1))
        assert (made.get("d").mark, made.get("d/e").mark, made.get("d/e/f")) == ("", "u", None)

    def test_a_repository_inside_is_git_s_own(self, repository: Path) -> None:
        (repository / "vendor" / "lib").mkdir(parents=True)
        git(repository / "vendor" / "lib", "init", "-q", ".")
        made = capture.take(repository)
        assert made.get("vendor/lib/.git").type == "d"
        assert made.get("vendor/lib/.git/config") is None

    def test_patterns_come_from_the_tree_and_from_the_caller(self, tree: Path) -> None:
        (tree / ".witnessmarkignore").write_text("# kept out\n\n*.log\n")
        for name in ("x.log", "x.tmp", "x.py"):
            (tree / name).write_bytes(b"1")
        made = capture.take(tree, leave_out=("*.tmp",))
        assert made.ignore == ("*.log", "*.tmp")
        assert [entry.path for entry in made.entries if entry.path.startswith("x.")] == ["x.py"]

    def test_too_many_patterns_are_refused(self, tree: Path) -> None:
        with pytest.raises(InputError, match="write fewer, wider ones"):
            capture.take(tree, leave_out=tuple(f"f{number}" for number in range(2_001)))

    def test_modes_are_kept_without_the_kind_of_file(self, tree: Path) -> None:
        (tree / "a.txt").chmod(0o4751)
        assert capture.take(tree).get("a.txt").mode == 0o4751 == stat.S_IMODE((tree / "a.txt").stat().st_mode)


class TestViews:
    def test_a_world_without_a_root_and_a_snapshot_cannot_be_looked_at(self) -> None:
        with pytest.raises(InputError, match="--root"):
            TreeView(TreeState())

    def test_what_is_aside_is_no_change(self, tree: Path) -> None:
        before = capture.take(tree)
        (tree / "report.md").write_bytes(b"done")
        (tree / "n.txt").write_bytes(b"n")
        world = TreeState(root=tree, before=before, aside=frozenset({"report.md"}))
        assert [change.path for change in world.changes() or ()] == ["n.txt"]
        assert TreeState(root=tree).changes() is None, "nobody looked before"
        assert TreeState(before=before).changes() is None, "nobody looks now"

    def test_with_two_snapshots_the_tree_itself_is_not_asked(self, tree: Path) -> None:
        before = capture.take(tree)
        (tree / "n.txt").write_bytes(b"n")
        later = capture.take(tree, earlier=before)
        (tree / "m.txt").write_bytes(b"m")
        assert [change.path for change in TreeState(root=tree, before=before, after=later).changes() or ()] == ["n.txt"]

    def test_far_away_each_kind_of_thing_is_told_apart(self, tree: Path, tmp_path: Path) -> None:
        (tmp_path / "twin").write_bytes(b"1")
        os.link(tmp_path / "twin", tree / "twin")
        (tree / "link").symlink_to("a.txt")
        os.mkfifo(tree / "pipe")
        with (tree / "huge").open("wb") as file:
            file.truncate(1 << 40)
        with TreeView(TreeState(after=capture.take(tree))) as view:
            states = {
                path: view.state(path).state for path in ("a.txt", "src", "link", "pipe", "twin", "huge", "no", "../x")
            }
            assert list(view.paths()) == []
        assert states == {
            "a.txt": "file", "src": "directory", "link": "link", "pipe": "special", "twin": "linked", "huge": "unreadable",
            "no": "absent", "../x": "outside",
        }  # fmt: skip

    def test_files_are_listed_without_what_tools_install(self, tree: Path) -> None:
        for folder in ("node_modules/x", ".venv/lib", ".git/objects", "src/__pycache__"):
            (tree / folder).mkdir(parents=True)
            (tree / folder / "f").write_bytes(b"1")
        with TreeView(TreeState(root=tree)) as view:
            assert sorted(view.paths()) == ["a.txt", "src/calc.py"]

    def test_only_what_was_looked_at_before_can_be_compared(self, tree: Path) -> None:
        (tree / "cache").mkdir()
        with TreeView(TreeState(root=tree, before=capture.take(tree, leave_out=("cache/",)))) as view:
            left = {path: view.left_out(path) for path in ("a.txt", "cache/x", ".git/config", "new.txt")}
        assert left == {"a.txt": False, "cache/x": True, ".git/config": True, "new.txt": False}
        with TreeView(TreeState(root=tree)) as view:
            assert view.left_out("a.txt")
            assert view.text_change("a.txt") is None


class TestUnsaid:
    """Changes that no claim names."""

    def left(self, changes: tuple[TreeChange, ...], *claims: ActionClaim, allowed: tuple[str, ...] = ()) -> list[str]:
        return [row.path for row in unsaid(undisclosed(changes, claims, allowed))]

    def test_a_claim_of_any_kind_names_its_file_and_no_other(self, tree: Path) -> None:
        changes = after(tree, lambda tree: (tree / "n.txt").write_bytes(b"n"), lambda tree: (tree / "a.txt").unlink())
        assert self.left(changes) == ["a.txt", "n.txt"]
        assert self.left(changes, ActionClaim("file_edit", path="./n.txt")) == ["a.txt"]
        assert self.left(changes, ActionClaim("command", command="rm a.txt")) == ["a.txt", "n.txt"]

    def test_both_ends_of_a_rename_must_be_named(self, tree: Path) -> None:
        changes = after(tree, lambda tree: (tree / "a.txt").rename(tree / "b.txt"))
        assert self.left(changes) == ["a.txt → b.txt"]
        assert self.left(changes, ActionClaim("file_create", path="b.txt")) == ["a.txt → b.txt"]
        assert self.left(changes, ActionClaim("file_rename", path="a.txt", to="b.txt")) == []
        both = (ActionClaim("file_delete", path="a.txt"), ActionClaim("file_create", path="b.txt"))
        assert self.left(changes, *both) == []

    def test_a_new_file_in_a_folder_that_is_said_to_be_deleted_is_not_said(self, tree: Path) -> None:
        changes = after(
            tree, lambda tree: (tree / "src" / "calc.py").unlink(), lambda tree: (tree / "src" / "n").write_bytes(b"1")
        )
        assert self.left(changes, ActionClaim("file_delete", path="src")) == ["src/n"]

    def test_what_tools_leave_behind_and_what_is_allowed_needs_no_word(self, tree: Path) -> None:
        def run(tree: Path) -> None:
            for name in (
                ".pytest_cache/x",
                "src/__pycache__/a.pyc",
                "pkg.egg-info/PKG-INFO",
                ".coverage",
                "out/log.txt",
                "n.txt",
            ):
                (tree / name).parent.mkdir(parents=True, exist_ok=True)
                (tree / name).write_bytes(name.encode())

        changes = after(tree, run)
        assert self.left(changes) == ["n.txt", "out/log.txt"]
        assert self.left(changes, allowed=("out/",)) == ["n.txt"]
        assert self.left(changes, allowed=("out/", "!out/log.txt")) == ["n.txt", "out/log.txt"]

    def test_what_git_ignores_needs_no_word_unless_the_rule_came_with_it(self, repository: Path) -> None:
        (repository / ".gitignore").write_text("*.log\n")
        assert self.left(after(repository, lambda tree: (tree / "x.log").write_bytes(b"1"))) == []
        hidden = after(
            repository,
            lambda tree: (tree / ".gitignore").write_text("*.log\n*.bin\n"),
            lambda tree: (tree / "x.bin").write_bytes(b"1"),
        )
        assert self.left(hidden) == [".gitignore", "x.bin"]

    def test_names_that_are_no_text_are_shown_as_the_system_has_them(self, tree: Path) -> None:
        changes = after(tree, lambda tree: (tree / "100%.txt").write_bytes(b"1"))
        assert self.left(changes) == ["100%.txt"]
        assert self.left(changes, ActionClaim("file_create", path="100%.txt")) == []


def test_a_snapshot_of_an_empty_tree_is_one(tmp_path: Path) -> None:
    (tmp_path / "nothing").mkdir()
    made = snapshot.read(capture.take(tmp_path / "nothing").write())
    assert (made.entries, made.digest) == ((), hashlib.sha256(b"").hexdigest())
    assert diff(made, Snapshot((), taken_ns=0)) == ()
