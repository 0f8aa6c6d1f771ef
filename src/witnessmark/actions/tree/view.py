"""The world that claims are held against: a root that is looked into, or snapshots alone, on whatever machine.

`TreeState` is what the caller hands in; a `TreeView` is one look at it. Knows nothing about claims.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatch
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Literal

from witnessmark.actions.trace.activities import listed
from witnessmark.actions.trace.calls import Trace
from witnessmark.actions.trace.changes import FileChange
from witnessmark.actions.trace.discards import discards
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.actions.trace.ledger import TAKERS, Ledger
from witnessmark.actions.trace.removals import Removal
from witnessmark.actions.tree import capture, containment
from witnessmark.actions.tree.containment import PathContent, Root
from witnessmark.actions.tree.secrets import holds_keys
from witnessmark.actions.tree.snapshot import Snapshot, SnapshotEntry, TreeChange, diff, quoted, unquoted
from witnessmark.actions.tree.texts import TextChange, text_at
from witnessmark.core.errors import InputError
from witnessmark.text.patterns import compiled

if TYPE_CHECKING:
    from witnessmark.actions.tree.probes import EffectProbe

MAX_LISTED = 100_000
_NOT_LISTED = frozenset({".git", "node_modules", ".venv", "venv", "__pycache__", "target", ".tox", ".mypy_cache"})
_BY_TREE = "tree:"
"""What stands in the place of a call's id where the tree shows a change and no call does."""
NOT_HERE = PathContent("unreadable", "is known by its digest only: there is no root to look into here")


@dataclass(frozen=True, slots=True)
class TreeState:
    """What is known of the world: its root, how it was before, how it is after, and the traces that were kept.

    `aside` are files and folders that are not the agent's: the report itself, the snapshot. Without a root, `after` stands for it.
    """

    root: str | os.PathLike[str] | None = None
    before: Snapshot | None = None
    after: Snapshot | None = None
    aside: frozenset[str] = frozenset()
    traces: Mapping[str, Trace] = field(default_factory=dict)
    probes: Mapping[str, EffectProbe] = field(default_factory=dict)
    """Commands that the user registered to look at effects elsewhere, by effect."""
    limits: capture.TreeLimits = field(default_factory=capture.TreeLimits)
    shared: bool = False
    """Whether others may work in the tree as well, as beside a session: what no call of the agent shows is not laid to it."""

    @property
    def visible(self) -> bool:
        """Whether there is anything to hold a file claim against."""
        return self.root is not None or self.after is not None

    def changes(self) -> tuple[TreeChange, ...] | None:
        """What changed since `before`, apart from what is aside; None where before or after is not known."""
        if self.before is None or not self.visible:
            return None
        after = self.after
        if after is None:
            assert self.root is not None
            after = capture.take(self.root, earlier=self.before, limits=self.limits, to_compare=True)
        aside = {quoted(path) for path in self.aside}
        changes = diff(self.before, after)
        return tuple(one for one in changes if not any(map(aside.intersection, _parts(one)))) if aside else changes


def _parts(change: TreeChange) -> Iterator[set[str]]:
    """The paths of a change, each with the folders that it lies in."""
    for path in change.paths:
        yield {path, *map(str, PurePosixPath(path).parents)}


class TreeView:
    """One look at the world: what stands at a path now, and what stood there before. Close it, or use `with`."""

    def __init__(self, world: TreeState) -> None:
        if not world.visible:
            raise InputError("there is no tree to look at; give --root, or --after")
        self.world = world
        self.root = Root(world.root, world.limits.files) if world.root is not None else None
        self._looked_at: tuple[str | None, TextChange | None] = (None, None)
        self._skipped = capture.matcher(world.before.ignore) if world.before is not None else None

    def __enter__(self) -> TreeView:
        return self

    def __exit__(self, *exc: object) -> None:
        if self.root is not None:
            self.root.close()

    def relative(self, path: str) -> str | None:
        """The path from the root, or None where it leads out of it."""
        return self.root.relative(path) if self.root is not None else containment.inside(path)

    def state(self, path: str) -> PathContent:
        """What stands there."""
        return self.root.state(path) if self.root is not None else self._from_after(path)

    def sha256(self, path: str) -> PathContent:
        """The digest of what stands there: of the bytes themselves where there is a root."""
        return self.root.sha256(path) if self.root is not None else self._from_after(path)

    def content(self, path: str) -> PathContent:
        """The bytes that stand there."""
        if self.root is not None:
            return self.root.content(path)
        seen = self._from_after(path)
        return NOT_HERE if seen.state == "file" else seen

    def before(self, path: str) -> SnapshotEntry | None:
        """What stood there before; None where nothing did or nobody looked."""
        return self.world.before.get(path) if self.world.before is not None else None

    def text_change(self, path: str) -> TextChange | None:
        """What a file held before and holds now, the same text twice where nothing changed; None where one of them is not known."""
        if self._looked_at[0] != path:
            self._looked_at = (path, self._text_change(path))
        return self._looked_at[1]

    def _text_change(self, path: str) -> TextChange | None:
        relative = self.relative(path)
        if self.world.before is None or relative is None or self.left_out(relative):
            return None
        now = self.content(relative)
        new = _decoded(now.content) if now.state == "file" else "" if now.state == "absent" else None
        old = text_at(self.world.before, relative, self.world.root) if new is not None else None
        return TextChange(relative, old, new) if old is not None and new is not None else None

    @cached_property
    def changes(self) -> tuple[TreeChange, ...]:
        """What changed since before, apart from what git ignores (files that hold keys are none of that); none where nobody looked before."""
        looked = self.world.changes() or ()
        return tuple(change for change in looked if not change.ignored or holds_keys(change.path))

    @cached_property
    def changed_paths(self) -> tuple[str, ...]:
        """The files that are not as they were before, apart from what git ignores; none where nobody looked before."""
        return tuple(unquoted(change.path) for change in self.changes if not change.ignored)

    def unshown(self, ledger: Ledger) -> list[FileChange]:
        """The changes since before that no call shows, as changes of the last turn.

        Where others work in the tree too, and of several turns, only those of files that a script of the last turn names, or that are gone
        where a command of it may have taken them, and no earlier one.
        """
        if not self.knows_before:
            return []
        alone = not self.world.shared and ledger.turns <= 1
        scripts, takers = list(ledger.scripts()), set(ledger.scripts(TAKERS))
        removals, stashed = self.removals(ledger), _stashed(ledger)
        if not (alone or scripts or removals or stashed):
            return []
        known = {self.relative(path) for change in ledger.changes for path in (change.path, change.to) if path}
        taken = {self.relative(change.path) for change in ledger.changes if change.kind in ("delete", "rename")}
        shown = {path for path in taken if path is not None and self.state(path).state == "absent"}

        def ours(change: TreeChange) -> bool:
            paths, gone = list(map(unquoted, change.paths)), change.kind == "deleted"
            fits = {turn for turn, line in (takers if gone else scripts) if any(_fits(line, path) for path in paths)}
            by = fits | {turn for turn, line in scripts if any(_names(line, path) for path in paths)}
            told = not gone or any(f"{paths[0]}/".startswith(f"{path}/") for path in shown)
            removed = set() if told else {one.turn for one in removals if one.covers(paths[0])}
            unshown = bool(removed) or known.isdisjoint(paths)
            return unshown and (alone or (gone and stashed) or by | removed == {ledger.turns})

        mine = [change for change in self.changes if change.kind != "mode" and ours(change)]
        return [self._as_file_change(change, ledger.turns) for change in mine]

    def removals(self, ledger: Ledger) -> list[Removal]:
        """What may have taken files away that no call names, with its places from the root."""
        return [self._placed(one, ledger) for one in ledger.removals]

    def _placed(self, removal: Removal, ledger: Ledger) -> Removal:
        """A removal with its places from the root, without those outside.

        One that was given its files from elsewhere took what is gone wherever the words of its line name no place, unless git may have.
        """
        places = removal.places
        if removal.guessed:
            named = tuple(place for place in places if self._is_place(place, removal.folder))
            by_git = any(activity.target in _MOVES_TREE for _, _, activity, _ in ledger.git)
            places = named or (() if by_git else (removal.folder,))
        inside = ("." if place == "." else self.relative(place) for place in places)
        return replace(removal, places=tuple(filter(None, inside)))

    def _is_place(self, word: str, folder: str) -> bool:
        """Whether a word of a line that ran in a folder names a place: a pattern, a path, a folder, or a file that is gone.

        A file that is there may list others.
        """
        entry = self.before(word)
        gone = entry is not None and (entry.type == "d" or self.state(word).state == "absent")
        return gone or any(sign in word.removeprefix(f"{folder}/") for sign in "/*?[")

    def _as_file_change(self, change: TreeChange, turn: int) -> FileChange:
        path, call = unquoted(change.path), f"{_BY_TREE}{change.path}"
        if change.kind == "renamed":
            return FileChange("rename", unquoted(change.old or ""), sys.maxsize, turn, call, to=path)
        if change.kind == "deleted":
            return FileChange("delete", path, sys.maxsize, turn, call)
        text = self.text_change(path)
        kind: Literal["write", "edit"] = "write" if change.kind == "created" else "edit"
        old, new = (text.old if kind == "edit" else None, text.new) if text is not None else (None, None)
        return FileChange(kind, path, sys.maxsize, turn, call, old, new)

    def place(self, trace: TraceIndex) -> None:
        """Name what a trace changed from this root, where there is one."""
        if self.world.root is not None:
            root = str(Path(self.world.root).absolute())
            trace.place(root, self.relative, lambda path: self.state(path).state not in ("absent", "outside"))

    @property
    def knows_before(self) -> bool:
        """Whether anybody looked before."""
        return self.world.before is not None

    def left_out(self, path: str) -> bool:
        """Whether the snapshot before was told not to look there, so that it says nothing about the path."""
        if self.world.before is None:
            return True
        if path == ".git" or path.startswith(".git/"):
            return True
        return self._skipped is not None and self._skipped(quoted(path))

    def holds_files(self, folder: str) -> bool:
        """Whether a folder holds any file, at whatever depth, apart from what programs leave there."""
        if self.world.after is not None and self.root is None:
            files = (entry for entry in self.world.after.entries if entry.type != "d")
            return any(unquoted(entry.path).startswith(f"{folder}/") for entry in files)
        return next(self.paths(folder), None) is not None

    def paths(self, below: str = "") -> Iterator[str]:
        """The files under the root, or in one of its folders, by their names, without reading them; at most MAX_LISTED of them."""
        if self.world.root is None:
            return
        top, count = os.fspath(self.world.root), 0
        for folder, folders, files in os.walk(Path(top, below)):
            folders[:] = [name for name in folders if name not in _NOT_LISTED]
            above = os.path.relpath(folder, top)
            for name in files:
                count += 1
                yield name if above == "." else f"{above}/{name}"
            if count > MAX_LISTED:
                return

    def _from_after(self, path: str) -> PathContent:
        relative = self.relative(path)
        if relative is None:
            return containment.OUTSIDE
        assert self.world.after is not None
        entry = self.world.after.get(relative)
        if entry is None:
            return containment.ABSENT
        if entry.type == "f":
            unread = PathContent(
                "linked" if "h" in entry.mark else "unreadable", "was not read when the snapshot was taken"
            )
            return PathContent("file", sha256=entry.sha256) if entry.sha256 else unread
        return _NOT_FILES[entry.type]


_MOVES_TREE = listed("git_goes_back") | listed("git_merges") | listed("git_brings")
"""Commands of git after which files may be gone."""


def _stashed(ledger: Ledger) -> bool:
    """Whether the last turn, and no earlier one, had git put every untracked file of the tree away: `git stash -u`."""
    return {one.call.turn for one in discards(ledger) if one.untracked and not one.paths} == {ledger.turns}


def from_root(path: str, view: TreeView | None) -> str:
    """A path from the root of the tree where there is one: tools name it in full, commands from where they run."""
    return (view.relative(path) if view is not None else None) or path


_GLOB = compiled(r"(?<![\w./-])[\w./-]*+[*?][\w./*?-]*")


def _names(line: str, path: str) -> bool:
    """Whether a command line has the name of a file."""
    return re.search(rf"(?<![\w.-]){re.escape(path.rpartition('/')[2])}(?![\w-])", line) is not None


def _fits(line: str, path: str) -> bool:
    """Whether a command line has a pattern that a file fits."""
    name = path.rpartition("/")[2]
    return any(fnmatch(path, glob) or fnmatch(name, glob.rpartition("/")[2]) for glob in _GLOB.findall(line))


def _decoded(content: bytes) -> str | None:
    try:
        return content.decode("utf-8") if b"\0" not in content else None
    except UnicodeDecodeError:
        return None


_NOT_FILES = {
    "d": PathContent("directory", "is a directory"),
    "l": PathContent("link", "is a symbolic link, which is not followed"),
    "s": PathContent("special", "is not a regular file"),
    "m": PathContent("elsewhere", "lies on another filesystem"),
}
