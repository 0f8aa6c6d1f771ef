"""What changed between two snapshots: files created, modified, deleted, renamed, made something else. Nothing is read here.

A file whose times changed and whose bytes did not is no change. Folders come and go with what is in them, so they are not
listed. Knows nothing about claims.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Literal

from witnessmark.actions.tree.snapshot import Snapshot, SnapshotEntry

ChangeKind = Literal["created", "modified", "deleted", "renamed", "retyped", "mode"]


@dataclass(frozen=True, slots=True)
class TreeChange:
    """One thing that is not as it was. `old` is where a renamed file stood before."""

    kind: ChangeKind
    path: str
    before: SnapshotEntry | None = None
    after: SnapshotEntry | None = None
    old: str | None = None

    @property
    def paths(self) -> tuple[str, ...]:
        """Every path the change touches, as written in a snapshot."""
        return (self.path,) if self.old is None else (self.path, self.old)

    @property
    def ignored(self) -> bool:
        """Whether git leaves it out, before and after."""
        return all(entry.ignored for entry in (self.before, self.after) if entry is not None)

    def words(self) -> str:
        """What happened, in a few words."""
        if self.kind == "renamed":
            return "renamed"
        if self.kind == "modified" and self.before is not None and self.after is not None:
            return f"modified, {self.before.size:,} → {self.after.size:,} bytes"
        if self.kind == "mode" and self.before is not None and self.after is not None:
            return f"permissions {self.before.mode:o} → {self.after.mode:o}"
        entry = self.after or self.before
        return f"{self.kind}, {entry.size:,} bytes" if entry is not None and entry.type == "f" else self.kind


def diff(before: Snapshot, after: Snapshot) -> tuple[TreeChange, ...]:
    """Every change, sorted by path; a file that went and came back elsewhere with the same bytes is renamed."""
    was, now = before.by_path, after.by_path
    gone = [entry for path, entry in was.items() if path not in now and entry.type != "d"]
    come = [entry for path, entry in now.items() if path not in was and entry.type != "d"]
    found = _renames(gone, come)
    moved = {path for change in found for path in change.paths}
    found += [TreeChange("deleted", entry.path, before=entry) for entry in gone if entry.path not in moved]
    found += [TreeChange("created", entry.path, after=entry) for entry in come if entry.path not in moved]
    for path, entry in now.items():
        old = was.get(path)
        if old is not None and old is not entry:
            kind = _kind(old, entry)
            if kind is not None:
                found.append(TreeChange(kind, path, before=old, after=entry))
    return tuple(sorted(found, key=lambda change: change.path))


def _kind(old: SnapshotEntry, new: SnapshotEntry) -> ChangeKind | None:
    if old.type != new.type:
        return "retyped"
    if old.type == "d":
        return None
    if differs(old, new):
        return "modified"
    return "mode" if old.mode != new.mode else None


def differs(old: SnapshotEntry, new: SnapshotEntry) -> bool:
    """Whether the bytes differ; where they were not read, size and time have to say."""
    if old.sha256 and new.sha256:
        return old.sha256 != new.sha256
    return (old.size, old.mtime_ns) != (new.size, new.mtime_ns)


def _renames(gone: list[SnapshotEntry], come: list[SnapshotEntry]) -> list[TreeChange]:
    """Pairs with the same bytes, the same inode preferred; empty files say nothing."""
    by_digest: dict[str, list[SnapshotEntry]] = defaultdict(list)
    for entry in gone:
        if entry.type == "f" and entry.sha256 and entry.size:
            by_digest[entry.sha256].append(entry)
    found = []
    for entry in come:
        candidates = by_digest.get(entry.sha256) if entry.type == "f" and entry.sha256 else None
        if candidates:
            old = next((one for one in candidates if one.inode == entry.inode), candidates[0])
            candidates.remove(old)
            found.append(TreeChange("renamed", entry.path, before=old, after=entry, old=old.path))
    return found
