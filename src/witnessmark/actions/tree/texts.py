"""What files held when a snapshot was taken: from git where it has the same bytes, otherwise from the snapshot, within bounds.

A text is only ever believed where its sha256 is the one that the snapshot has for the file. What git ignores and what holds keys by
its name is not kept. Knows nothing about claims.
"""

from __future__ import annotations

import binascii
import hashlib
import os
import re
import zlib
from collections.abc import Iterable
from dataclasses import dataclass

from witnessmark.actions.tree import containment
from witnessmark.actions.tree import git as gitinfo
from witnessmark.actions.tree.snapshot import Snapshot, SnapshotEntry, unquoted
from witnessmark.text.patterns import compiled

FILE_BYTES, ALL_BYTES = 64 << 10, 4 << 20
"""The most that is kept of one file and of all: source files are rarely larger, and a snapshot stays quick to read."""
_NOT_KEPT = compiled(
    r"^\.git/|(?:^|/)(?:\.env[^/]*|\.npmrc|\.pypirc|\.netrc|id_[a-z0-9]+|[^/]*credentials?[^/]*|[^/]*\.(?:pem|key|p12|pfx|jks|keystore))$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class TextChange:
    """A file that is not as it was, with both texts; empty where there was or is no file."""

    path: str
    old: str
    new: str


def packed_texts(
    entries: Iterable[SnapshotEntry], top: containment.Root, view: gitinfo.GitView | None, root: str | os.PathLike[str]
) -> dict[str, str]:
    """The packed texts of files that git does not have as they are, by path as written; small text files only."""
    known = gitinfo.committed(root) if view is not None and view.head is not None else None
    found: dict[str, str] = {}
    left = ALL_BYTES
    for entry in entries:
        if (
            entry.type != "f"
            or entry.mark
            or not 0 < entry.size <= min(FILE_BYTES, left)
            or _NOT_KEPT.search(entry.path)
        ):
            continue
        path = unquoted(entry.path)
        if known is not None and known[0].get(path) == entry.size and entry.mtime_ns <= known[1]:
            continue  # git has it; were it changed to the same length before git looked, its sha256 would not fit
        seen = top.content(path)
        if seen.state == "file" and _is_text(seen.content):
            found[entry.path] = pack(seen.content)
            left -= len(seen.content)
    return found


def pack(content: bytes) -> str:
    """Bytes as they are written into a snapshot."""
    return binascii.b2a_base64(zlib.compress(content, 6), newline=False).decode("ascii")


def unpack(packed: str) -> bytes | None:
    """The bytes again, at most as many as a text may have; None where it is not a packed text."""
    try:
        return zlib.decompressobj().decompress(binascii.a2b_base64(packed), FILE_BYTES)
    except (binascii.Error, ValueError, zlib.error):
        return None


def text_at(before: Snapshot, path: str, root: str | os.PathLike[str] | None) -> str | None:
    """What a file held when the snapshot was taken: empty where there was none, None where nothing shows it."""
    entry = before.get(path)
    if entry is None:
        return ""
    if entry.type != "f" or not entry.sha256:
        return None
    packed = before.texts.get(entry.path)
    content = unpack(packed) if packed is not None else None
    if content is None and root is not None and before.git is not None and before.git.head is not None:
        content = gitinfo.blob(root, before.git.head, path, FILE_BYTES)
    if content is None or hashlib.sha256(content).hexdigest() != entry.sha256 or not _is_text(content):
        return None
    return content.decode("utf-8")


def _is_text(content: bytes) -> bool:
    if b"\0" in content:
        return False
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
