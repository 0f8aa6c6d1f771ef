"""A snapshot of a tree as it is now, without what is ignored."""

from __future__ import annotations

import hashlib
import os
import re
import stat
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path

from witnessmark.actions.tree import containment
from witnessmark.actions.tree import git as gitinfo
from witnessmark.actions.tree.containment import PathContent, ReadLimits
from witnessmark.actions.tree.snapshot import Git, Snapshot, SnapshotEntry, quoted
from witnessmark.actions.tree.texts import packed_texts
from witnessmark.core.errors import InputError

Matches = Callable[[str], bool]
MAX_PATTERNS = 2_000


def ignore_lines(text: str) -> tuple[str, ...]:
    """The patterns of a file: blank lines and comments left out."""
    kept = (line.rstrip() for line in text.splitlines())
    return tuple(line for line in kept if line and not line.startswith("#"))


def matcher(given: Iterable[str]) -> Matches | None:
    """What says whether a path is matched by the patterns, the last one that matches deciding; None without any.

    A path does not say whether it is a folder, so a pattern for folders holds for a file of that name too.
    """
    from pathspec import GitIgnoreSpec  # here: most runs have no patterns

    rules = tuple(given)
    if len(rules) > MAX_PATTERNS:
        raise InputError(
            f"{len(rules):,} patterns are more than the {MAX_PATTERNS:,} that are used; write fewer, wider ones"
        )
    for rule in rules:
        if not rule.strip("!/ "):
            raise InputError(f"pattern {rule!r}: names nothing; write a file or folder name")
    if not rules:
        return None
    try:
        spec = GitIgnoreSpec.from_lines(rules, backend="re2")
    except (ValueError, re.error) as exc:
        raise InputError(f"a pattern is not one that .gitignore could have ({exc})") from None
    return lambda path: spec.match_file(path) or spec.match_file(f"{path}/")


IGNORE_FILE = ".witnessmarkignore"
RACY_NS = 2_000_000_000
"""Filesystems keep times to two seconds at worst."""
LARGE = 64 << 20
"""A file of so many bytes takes a noticeable time to hash."""
_OF_GIT = frozenset({"config", "hooks", "info"})
"""What is looked at inside .git: what changes how git behaves. The rest is git's own."""


@dataclass(frozen=True, slots=True)
class TreeLimits:
    """How large a tree may be."""

    entries: int = 2_000_000
    depth: int = 200
    seconds: float = 600.0
    files: ReadLimits = field(default_factory=ReadLimits)


def take(
    root: str | os.PathLike[str],
    *,
    earlier: Snapshot | None = None,
    leave_out: tuple[str, ...] = (),
    limits: TreeLimits | None = None,
    git: bool = True,
    texts: bool = False,
    to_compare: bool = False,
) -> Snapshot:
    """What stands below the root now. With an earlier snapshot, its patterns hold: nobody hides by adding one later.

    With `texts` it also keeps what small text files hold that git does not have, so that a later look can say what changed in them.
    `to_compare`: a large file of a size that no earlier one has is not hashed, since it surely is another one.
    """
    limits = limits or TreeLimits()
    with containment.Root(root, limits.files) as top:
        patterns = earlier.ignore if earlier is not None else (*_ignore_file(top), *leave_out)
        view = gitinfo.look(root) if git and _has_git(root) else None
        walk = _Walk(top, limits, earlier, matcher(patterns), view)
        walk.sizes = frozenset(entry.size for entry in earlier.entries) if to_compare and earlier is not None else None
        walk.folder(top.fd, "", 0, ignored=False)
        walk.hash_linked()
        entries = sorted(walk.entries, key=attrgetter("path"))
        held = packed_texts(entries, top, view, root) if texts else {}
    made = Git(head=view.head) if view else None
    return Snapshot(entries, taken_ns=walk.taken_ns, git=made, ignore=patterns, texts=held)


def _has_git(root: str | os.PathLike[str]) -> bool:
    """Whether the root lies in a repository, so that git is not started where there is none."""
    here = Path(root).absolute()
    return any((folder / ".git").exists() for folder in (here, *here.parents))


def _ignore_file(top: containment.Root) -> tuple[str, ...]:
    found = top.content(IGNORE_FILE)
    return ignore_lines(found.content.decode("utf-8", "replace")) if found.state == "file" else ()


class _Walk:
    """The state of one walk; made for it, gone with it."""

    def __init__(
        self,
        top: containment.Root,
        limits: TreeLimits,
        earlier: Snapshot | None,
        skipped: Matches | None,
        view: gitinfo.GitView | None,
    ) -> None:
        self.top, self.limits, self.skipped = top, limits, skipped
        self.ignored = view.files | view.folders if view is not None else frozenset()
        self.known = earlier.by_path if earlier is not None else {}
        self.settled_ns = earlier.taken_ns - RACY_NS if earlier is not None else 0
        self.sizes: frozenset[int] | None = None
        self.taken_ns = time.time_ns()
        self.ends = time.monotonic() + limits.seconds
        self.entries: list[SnapshotEntry] = []
        self.linked: dict[tuple[int, int], list[tuple[str, os.stat_result, str]]] = defaultdict(list)

    def folder(self, fd: int, prefix: str, depth: int, *, ignored: bool) -> None:
        """Everything in one directory, and below it. Files that are as they were are the hot path."""
        listed = self._listed(fd)
        known, settled_ns, skipped, by_git = self.known, self.settled_ns, self.skipped, self.ignored
        for item in listed:
            name = item.name
            path = prefix + name
            written = path if path.isascii() and "%" not in path else quoted(path)
            if (skipped is not None and skipped(written)) or (prefix == ".git/" and name not in _OF_GIT):
                continue
            try:
                info = item.stat(follow_symlinks=False)
            except OSError:
                continue  # gone since it was listed
            mark = "i" if ignored or (by_git and path in by_git) else ""
            old = known.get(written)
            if old is not None and _as_it_was(old, info, settled_ns) and old.mark == mark:
                self.entries.append(old)
            elif stat.S_ISREG(info.st_mode):
                self._file(fd, name, path, written, info, mark)
            elif stat.S_ISDIR(info.st_mode):
                self._folder(fd, name, path, written, info, mark, depth)
            else:
                self._other(fd, name, written, info, mark)

    def _listed(self, fd: int) -> list[os.DirEntry[str]]:
        with os.scandir(fd) as found:
            listed = list(found)
        if len(self.entries) + len(listed) > self.limits.entries or time.monotonic() > self.ends:
            raise InputError(
                f"the tree has more than {self.limits.entries:,} entries or takes longer than {self.limits.seconds:g} s; "
                f"put what does not matter into {IGNORE_FILE}"
            )
        return listed

    def _file(self, fd: int, name: str, path: str, written: str, info: os.stat_result, mark: str) -> None:
        if self.sizes is not None and info.st_size > LARGE and info.st_size not in self.sizes:
            self.entries.append(_entry(written, "f", info, "", mark))
        elif info.st_nlink > 1:
            self.linked[(info.st_dev, info.st_ino)].append((path, info, mark))
        else:
            self._add_file(written, containment.read(fd, name, self.limits.files, info=info), info, mark)

    def _add_file(self, written: str, seen: PathContent, info: os.stat_result, mark: str) -> None:
        """The entry of a file: with the times it had when its bytes were read."""
        if seen.state == "absent":
            return
        now = seen.info if seen.state == "file" and seen.info is not None else info
        mark += "" if seen.state == "file" else "h" if seen.state == "linked" else "u"
        self.entries.append(_entry(written, "f", now, seen.sha256, mark))

    def _folder(self, fd: int, name: str, path: str, written: str, info: os.stat_result, mark: str, depth: int) -> None:
        nested_git = name == ".git" and path != ".git"
        if nested_git or depth >= self.limits.depth:
            self.entries.append(_entry(written, "d", info, "", mark if nested_git else mark + "u"))
            return
        opened = containment.open_directory(fd, name, self.top.device)
        if isinstance(opened, PathContent):
            kind = "m" if opened.state == "elsewhere" else "d"
            self.entries.append(_entry(written, kind, info, "", mark + "u"))
            return
        self.entries.append(_entry(written, "d", info, "", mark))
        try:
            self.folder(opened, path + "/", depth + 1, ignored=bool(mark))
        finally:
            os.close(opened)

    def _other(self, fd: int, name: str, written: str, info: os.stat_result, mark: str) -> None:
        if not stat.S_ISLNK(info.st_mode):
            self.entries.append(_entry(written, "s", info, "", mark))
            return
        try:
            target = os.fsencode(os.readlink(name, dir_fd=fd))
        except OSError:
            return
        self.entries.append(_entry(written, "l", info, hashlib.sha256(target).hexdigest(), mark))

    def hash_linked(self) -> None:
        """Files with several names: read only where all of the names lie in the tree."""
        for names in self.linked.values():
            all_here = len(names) >= names[0][1].st_nlink
            for path, info, mark in names:
                seen = self._read_linked(path) if all_here else PathContent("linked")
                self._add_file(quoted(path), seen, info, mark)

    def _read_linked(self, path: str) -> PathContent:
        above, _, name = path.rpartition("/")
        parent = self.top._directory(above)  # noqa: SLF001 - the same room
        return (
            parent
            if isinstance(parent, PathContent)
            else containment.read(parent, name, self.limits.files, linked=True)
        )


def _as_it_was(old: SnapshotEntry, info: os.stat_result, settled_ns: int) -> bool:
    """Whether a file is so much as it was that its digest can be taken over; any change at all moves its ctime."""
    return (
        old.ctime_ns == info.st_ctime_ns < settled_ns
        and old.mtime_ns == info.st_mtime_ns
        and old.size == info.st_size
        and old.inode == info.st_ino
        and old.sha256 != ""
        and old.type == "f"
    )


def _entry(written: str, kind: str, info: os.stat_result, digest: str, mark: str) -> SnapshotEntry:
    return SnapshotEntry(
        written,
        kind,
        info.st_mode & 0o7777,
        info.st_size,
        info.st_mtime_ns,
        info.st_ctime_ns,
        info.st_ino,
        digest,
        mark,
    )
