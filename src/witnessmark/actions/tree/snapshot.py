"""How a tree was at one time, and what differs between two times."""

from __future__ import annotations

import hashlib
import os
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import msgspec

from witnessmark.actions.tree.regular_files import read_regular
from witnessmark.core.errors import InputError
from witnessmark.text.patterns import compiled

FORMAT = "witnessmark-snapshot"
VERSION = 1
MAX_BYTES = 2 << 30


class SnapshotEntry(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One thing in the tree. Not a Value: there are many of them, and they are checked when they are read."""

    path: str
    type: str
    mode: int
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    sha256: str
    mark: str

    @property
    def ignored(self) -> bool:
        """Whether git leaves it out."""
        return "i" in self.mark


class Git(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What git said about the tree: the commit it stands on."""

    head: str | None = None


class SnapshotHeader(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The first line of a snapshot."""

    format: str
    version: int
    taken_ns: int
    count: int
    digest: str
    git: Git | None = None
    ignore: tuple[str, ...] = ()
    text_bytes: int = 0


class Snapshot:
    """A tree at one moment: entries by path, and what was left out."""

    def __init__(
        self,
        entries: Iterable[SnapshotEntry],
        *,
        taken_ns: int,
        git: Git | None = None,
        ignore: tuple[str, ...] = (),
        texts: Mapping[str, str] | None = None,
    ) -> None:
        self.entries = tuple(entries)
        self.taken_ns, self.git, self.ignore = taken_ns, git, ignore
        self.texts: Mapping[str, str] = texts or {}
        """What files held, packed, by path as written: a hint, believed only where it has the entry's sha256."""

    @cached_property
    def by_path(self) -> dict[str, SnapshotEntry]:
        """Every entry under its path as it is written in the file."""
        return {entry.path: entry for entry in self.entries}

    def get(self, path: str) -> SnapshotEntry | None:
        """What stood at a path (as the system writes it), or None."""
        found = self.by_path.get(quoted(path))
        return found if found is not None or path.isascii() else self._composed.get(_composed(quoted(path)))

    @cached_property
    def _composed(self) -> dict[str, SnapshotEntry]:
        """Entries with names that can be written in more than one way, under the composed one."""
        return {_composed(entry.path): entry for entry in self.entries if not entry.path.isascii()}

    @cached_property
    def body(self) -> bytes:
        """The entries as they are written, a line each."""
        return _encoder.encode_lines(self.entries)

    @cached_property
    def digest(self) -> str:
        """The sha256 of the body: the same tree, the same digest."""
        return hashlib.sha256(self.body).hexdigest()

    def write(self) -> bytes:
        """The snapshot as a file."""
        texts = msgspec.json.encode(self.texts) if self.texts else b""
        header = SnapshotHeader(
            format=FORMAT,
            version=VERSION,
            taken_ns=self.taken_ns,
            count=len(self.entries),
            digest=self.digest,
            git=self.git,
            ignore=self.ignore,
            text_bytes=len(texts),
        )
        return msgspec.json.encode(header) + b"\n" + self.body + texts


def _composed(path: str) -> str:
    return unicodedata.normalize("NFC", path)


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(SnapshotEntry)


def read(data: bytes, where: str = "snapshot") -> Snapshot:
    """A snapshot from its file; anything that is not exactly one is refused."""
    first, _, rest = data.partition(b"\n")
    header = _header(first, where)
    end = len(rest) - header.text_bytes
    body = rest[: max(0, end)]
    if hashlib.sha256(body).hexdigest() != header.digest:
        raise InputError(
            f"{where}: was changed or truncated after it was taken: its digest does not match; take a new one"
        )
    try:
        entries = _decoder.decode_lines(body)
        texts = msgspec.json.decode(rest[end:], type=dict[str, str]) if header.text_bytes > 0 else {}
    except (msgspec.DecodeError, UnicodeDecodeError) as exc:
        raise InputError(f"{where}: an entry cannot be read ({exc}); take a new snapshot") from None
    made = Snapshot(entries, taken_ns=header.taken_ns, git=header.git, ignore=header.ignore, texts=texts)
    paths = [entry.path for entry in entries]
    if len(paths) != header.count or len(made.by_path) != header.count or sorted(paths) != paths:
        raise InputError(f"{where}: its entries are not {header.count} different paths in order; take a new snapshot")
    made.__dict__["body"], made.__dict__["digest"] = body, header.digest
    return made


def load(file: str | os.PathLike[str]) -> Snapshot:
    """A snapshot from disk."""
    name = os.fspath(file)
    try:
        return read(read_regular(name, MAX_BYTES), name)
    except OSError as exc:
        why = exc.strerror or exc
        raise InputError(f"{name}: cannot be read ({why}); `witnessmark snapshot -o FILE` takes one") from None


def _header(line: bytes, where: str) -> SnapshotHeader:
    try:
        header = msgspec.json.decode(line, type=SnapshotHeader)
    except msgspec.ValidationError as exc:
        raise InputError(f"{where}: is not a snapshot ({exc})") from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise InputError(f"{where}: is not a snapshot; `witnessmark snapshot -o FILE` takes one") from None
    if header.format != FORMAT or header.version != VERSION:
        raise InputError(
            f"{where}: is {header.format!r} version {header.version}; this reads {FORMAT} version {VERSION}"
        )
    return header


# --- paths as text ---------------------------------------------------------------------------------------------


def quoted(path: str) -> str:
    r"""A path of the system as it is written in the file.

    >>> quoted("a/b.txt"), quoted("100%.txt"), quoted("caf\udce9")
    ('a/b.txt', '100%25.txt', 'caf%E9')
    """
    if "%" not in path and path.isascii():
        return path
    return _STRAY.sub(lambda found: f"%{ord(found.group()) - 0xDC00:02X}", path.replace("%", "%25"))


def unquoted(written: str) -> str:
    """The path of the system for what is written in the file."""
    if "%" not in written:
        return written
    data = _ESCAPED.sub(lambda found: bytes([int(found.group(1), 16)]), written.encode())
    return os.fsdecode(data)


_STRAY = compiled("[\udc80-\udcff]")
_ESCAPED = re.compile(rb"%([0-9A-Fa-f]{2})")


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
