"""Whether a file is there, without ever leaving a root: relative to a directory descriptor, no link followed, nothing read.

A small stand-in for the world behind `completion.Look`; a fuller one (snapshots, hashes, anchors) fits in its place.
"""

from __future__ import annotations

import os
import posixpath
import stat
from typing import Literal

from trueline.verdict import ClaimStatus
from trueline.world.claims import ActionClaim
from trueline.world.completion import Look

Seen = Literal["file", "folder", "nothing", "unknown"]
MAX_PARTS = 100
_NOTHING_LIKE_IT = {"nothing": "there is no such file", "unknown": "it cannot be looked at from here"}


def look_under(root: str) -> Look:
    """A look at files under this root; anything outside of it, or behind a link, cannot be told."""

    def look(claim: ActionClaim) -> tuple[ClaimStatus, str]:
        here = seen(root, claim.path or "")
        if claim.kind == "file_rename":
            return _renamed(here, seen(root, claim.to or ""))
        if here == "unknown":
            return "unverifiable", _NOTHING_LIKE_IT["unknown"]
        if claim.kind == "file_delete":
            return ("supported", "it is gone") if here == "nothing" else ("contradicted", "it is still there")
        return ("supported", "it is there") if here != "nothing" else ("contradicted", _NOTHING_LIKE_IT["nothing"])

    return look


def _renamed(old: Seen, new: Seen) -> tuple[ClaimStatus, str]:
    if "unknown" in (old, new):
        return "unverifiable", _NOTHING_LIKE_IT["unknown"]
    if new == "nothing":
        return "contradicted", "there is nothing under the new name"
    return (
        ("supported", "it is under the new name")
        if old == "nothing"
        else ("contradicted", "the old one is still there")
    )


def seen(root: str, path: str) -> Seen:
    """What stands at a path under the root."""
    parts = _parts(root, path)
    if parts is None or os.open not in os.supports_dir_fd:
        return "unknown"
    try:
        at = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return "unknown"
    try:
        for part in parts[:-1]:
            below = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=at)
            os.close(at)
            at = below
        found = os.stat(parts[-1], dir_fd=at, follow_symlinks=False)
    except FileNotFoundError:
        return "nothing"
    except (OSError, ValueError):
        return "unknown"
    finally:
        os.close(at)
    return "file" if stat.S_ISREG(found.st_mode) else "folder" if stat.S_ISDIR(found.st_mode) else "unknown"


def _parts(root: str, path: str) -> list[str] | None:
    """The components of a path under the root; None where it leads out of it."""
    if not path or "\0" in path or path.startswith("~") or (len(path) > 1 and path[1] == ":"):
        return None
    plain = posixpath.normpath(path.replace("\\", "/"))
    if plain.startswith("/"):
        base = posixpath.normpath(root).rstrip("/") + "/"
        if not plain.startswith(base):
            return None
        plain = plain[len(base) :]
    parts = plain.split("/")
    return None if ".." in parts or len(parts) > MAX_PARTS or plain == "." else parts
