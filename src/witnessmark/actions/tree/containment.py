"""Reading below one directory and nowhere else, whatever a path says.

Every component is opened relative to the descriptor of the one above it and never followed where it is a link; only
regular files are opened, and none that is too large, changes while it is read, or has a second name that may lie
outside. What is refused is a state with a reason, not an exception: the caller decides what that means for a claim.
Knows nothing about claims.
"""

from __future__ import annotations

import errno
import functools
import hashlib
import io
import os
import stat
import sys
import time
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from witnessmark.core.errors import InputError, UsageError

State = Literal[
    "file", "directory", "absent", "outside", "link", "special", "linked", "elsewhere", "too_large", "changing", "unreadable"
]  # fmt: skip
"""What stands at a path. Only of a `file` anything is ever read."""

CHUNK = 1 << 20
DIRECTORIES_OPEN = 64
PATHS_KNOWN = 4096
MAX_PATH = 4096
MAX_PARTS = 200
_TRIES = 3
_FILE = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
_FILE |= getattr(os, "O_NOCTTY", 0)
_DIRECTORY = _FILE | getattr(os, "O_DIRECTORY", 0)
CASE_MATTERS = sys.platform != "darwin"


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """How much of one file is read, and for how long."""

    file_bytes: int = 8 << 30
    text_bytes: int = 64 << 20
    file_s: float = 60.0


class PathContent(msgspec.Struct, frozen=True):
    """What stands at a path: for a file its digest or content, otherwise why there is none."""

    state: State
    why: str = ""
    sha256: str = ""
    content: bytes = b""
    info: Any = None
    """Of a file, link or other thing that is there: its os.stat_result."""


ABSENT = PathContent("absent", "there is no such file")
THROUGH_LINK = PathContent("link", "leads through a symbolic link, which is not followed")
OUTSIDE = PathContent("outside", "the path leads out of the root")


def able() -> None:
    """Refuse where the system lacks what containment needs."""
    if os.open not in os.supports_dir_fd or not hasattr(os, "O_NOFOLLOW") or os.scandir not in os.supports_fd:
        raise UsageError(
            "looking at a working tree needs Linux or macOS: this system cannot confine what is opened to a folder"
        )


class Root:
    """A directory that is looked into. Close it, or use it in a `with` statement."""

    def __init__(self, path: str | os.PathLike[str], limits: ReadLimits | None = None) -> None:
        able()
        self.limits = limits or ReadLimits()
        try:
            self.fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except (OSError, ValueError) as exc:
            raise InputError(
                f"root {os.fspath(path)!r}: is not a directory that can be read ({getattr(exc, 'strerror', None) or exc})"
            ) from None
        self.device = os.fstat(self.fd).st_dev
        self._names = tuple({os.path.abspath(path), os.path.realpath(path)})  # noqa: PTH100 - lexical on purpose
        self._open: dict[str, int] = {}
        self._relative: dict[str, str | None] = {}

    def __enter__(self) -> Root:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of every descriptor."""
        self._forget()
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def _forget(self, above: str = "") -> None:
        """Close the directories that are open, apart from those on the way to one."""
        for path in [path for path in self._open if not above.startswith(f"{path}/")]:
            os.close(self._open.pop(path))

    def relative(self, path: str) -> str | None:
        """The path from the root with single slashes, or None where it leads out of it or is not a path at all."""
        known = self._relative.get(path, "")
        if known == "":
            if len(self._relative) >= PATHS_KNOWN:
                self._relative.clear()
            plain = inside(path, self._names)
            known = self._relative[path] = plain if plain is None or plain.isascii() else self._spelled(plain)
        return known

    def _spelled(self, path: str) -> str:
        """A path as its names are spelled there: one name may be written composed or decomposed, or hold bytes that are no text."""
        found: list[str] = []
        for name in path.split("/"):
            parent = self._directory("/".join(found))
            there = name
            if not name.isascii() and not isinstance(parent, PathContent) and standing(parent, name).state == "absent":
                alike = [other for other in os.listdir(parent) if not other.isascii() and _alike(name, other)]  # noqa: PTH208 - by descriptor
                there = alike[0] if len(alike) == 1 else unicodedata.normalize("NFC", name)
            found.append(there)
        return "/".join(found)

    def sha256(self, path: str) -> PathContent:
        """The digest of the file's bytes, streamed."""
        return self._look(path, functools.partial(read, limits=self.limits, keep=False))

    def content(self, path: str) -> PathContent:
        """The file's bytes, of a file that is not too large to hold."""
        return self._look(path, functools.partial(read, limits=self.limits, keep=True))

    def state(self, path: str) -> PathContent:
        """What stands there, without reading it."""
        return self._look(path, standing)

    def _look(self, path: str, look: Callable[[int, str], PathContent]) -> PathContent:
        relative = self.relative(path)
        if relative is None:
            return OUTSIDE
        above, _, name = relative.rpartition("/")
        parent = self._directory(above)
        if isinstance(parent, PathContent):
            return parent
        found = look(parent, name)
        return PathContent("absent", "is spelled differently there") if self._misspelled(parent, name, found) else found

    def _directory(self, path: str) -> int | PathContent:
        """The descriptor of a directory below the root, each step opened from the one above and never followed."""
        if not path:
            return self.fd
        known = self._open.get(path)
        if known is not None:
            return known
        above, _, name = path.rpartition("/")
        parent = self._directory(above)
        if isinstance(parent, PathContent):
            return parent
        opened = open_directory(parent, name, self.device)
        if isinstance(opened, PathContent):
            return opened
        if self._misspelled(parent, name, PathContent("directory")):
            os.close(opened)
            return PathContent("absent", "is spelled differently there")
        if len(self._open) >= DIRECTORIES_OPEN:
            self._forget(above=path)
        self._open[path] = opened
        return opened

    @staticmethod
    def _misspelled(parent: int, name: str, found: PathContent) -> bool:
        """Whether a system that ignores case opened something whose name is another one."""
        if CASE_MATTERS or found.state == "absent":
            return False
        composed = unicodedata.normalize("NFC", name)
        return all(unicodedata.normalize("NFC", there) != composed for there in os.listdir(parent))


def _alike(name: str, there: str) -> bool:
    """Whether a name means one that is there: the same letters, or what is printed for bytes that are no UTF-8."""
    data = os.fsencode(there)
    read_as = {there, data.decode("utf-8", "replace"), data.decode("latin-1")}
    wanted = unicodedata.normalize("NFC", name)
    return any(unicodedata.normalize("NFC", one) == wanted for one in read_as)


def inside(path: str, roots: tuple[str, ...] = ()) -> str | None:
    """A path as it is written from the root, or None: absolute elsewhere, with `..`, of home, empty, too long, no path.

    >>> inside("./src//a.py"), inside("../a.py"), inside("/etc/passwd"), inside("/w/a.py", ("/w",))
    ('src/a.py', None, None, 'a.py')
    """
    if not path or "\0" in path or len(path) > MAX_PATH or not (path.isascii() or _nameable(path)):
        return None
    if path[0] == "/":
        below = next((path[len(root) :] for root in roots if path.startswith(root.rstrip("/") + "/")), None)
        if below is None:
            return None
        path = below
    if "/." in path or "//" in path or path[0] in "./" or path[-1] == "/":
        parts = [part for part in path.split("/") if part not in ("", ".")]
        if not parts or ".." in parts:
            return None
        path = "/".join(parts)
    return None if path.count("/") > MAX_PARTS or path.startswith("~/") or path == "~" else path


def _nameable(path: str) -> bool:
    """Whether the system has bytes for it: a lone surrogate that stands for no byte names nothing."""
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        return False
    return True


def open_directory(parent: int, name: str, device: int) -> int | PathContent:
    """The descriptor of a directory in another one; a link or another filesystem is not entered."""
    try:
        fd = os.open(name, _DIRECTORY, dir_fd=parent)
    except OSError as exc:
        return _unopened(parent, name, exc)
    if os.fstat(fd).st_dev != device:
        os.close(fd)
        return PathContent("elsewhere", "lies on another filesystem, which is not entered")
    return fd


def _unopened(parent: int, name: str, exc: OSError) -> PathContent:
    if exc.errno in (errno.ELOOP, errno.ENOTDIR, errno.EMLINK):
        there = standing(parent, name)
        return THROUGH_LINK if there.state == "link" else ABSENT
    if exc.errno in (errno.ENOENT, errno.ENAMETOOLONG, errno.EILSEQ, errno.EINVAL):
        return ABSENT
    return PathContent("unreadable", f"cannot be read ({os.strerror(exc.errno or 0)})")


def standing(parent: int, name: str) -> PathContent:
    """What a name in a directory is, without opening it."""
    try:
        info = os.stat(name, dir_fd=parent, follow_symlinks=False)
    except OSError as exc:
        return ABSENT if exc.errno in (errno.ELOOP, errno.ENOTDIR) else _unopened(parent, name, exc)
    kind = stat.S_IFMT(info.st_mode)
    if kind == stat.S_IFREG:
        return PathContent("file", info=info)
    if kind == stat.S_IFDIR:
        return PathContent("directory", "is a directory", info=info)
    if kind == stat.S_IFLNK:
        return PathContent("link", "is a symbolic link, which is not followed", info=info)
    return PathContent("special", "is not a regular file (a pipe, socket or device), so it is not opened", info=info)


def read(
    parent: int,
    name: str,
    limits: ReadLimits,
    *,
    keep: bool = False,
    linked: bool = False,
    info: os.stat_result | None = None,
) -> PathContent:
    """The digest (or content) of a regular file in a directory; `linked` allows files with more than one name.

    `info` is what is already known to stand there, and saves a look.
    """
    for _ in range(_TRIES):
        if info is None:
            there = standing(parent, name)
            if there.info is None or there.state != "file":
                return there
            info = there.info
        if info.st_nlink > 1 and not linked:
            return _LINKED
        if info.st_size > (limits.text_bytes if keep else limits.file_bytes):
            return PathContent("too_large", "is larger than what is read of one file", info=info)
        found = _read_once(parent, name, limits, keep, info)
        if found.state != "changing":
            return found
        info = None
    return _CHANGING


_LINKED = PathContent("linked", "has a second name (a hard link) that may lie outside of the root, so it is not read")
_CHANGING = PathContent("changing", "keeps changing while it is read")


def _read_once(parent: int, name: str, limits: ReadLimits, keep: bool, info: os.stat_result) -> PathContent:
    """Read what `info` describes. Only if it still describes it afterwards, what was read is the file."""
    try:
        fd = os.open(name, _FILE, dir_fd=parent)
    except OSError as exc:
        return _unopened(parent, name, exc)
    content, digest, size = b"", "", info.st_size
    try:
        if keep:
            content = _exactly(fd, size)
            whole = len(content) == size
        elif size < CHUNK:
            data = os.read(fd, size + 1)
            whole, digest = len(data) == size, hashlib.sha256(data).hexdigest()
        else:
            whole, digest = _streamed(fd, size, time.monotonic() + limits.file_s)
            if not digest:
                return PathContent("too_large", f"takes longer than the {limits.file_s:g} s that one file may take")
        return PathContent("file", "", digest, content, info) if whole and _same(info, os.fstat(fd)) else _CHANGING
    except OSError as exc:
        return _CHANGING if exc.errno == errno.EAGAIN else PathContent("unreadable", f"cannot be read ({exc.strerror})")
    finally:
        os.close(fd)


def _same(was: os.stat_result, now: os.stat_result) -> bool:
    return (
        was.st_ctime_ns == now.st_ctime_ns
        and was.st_mtime_ns == now.st_mtime_ns
        and was.st_size == now.st_size
        and was.st_ino == now.st_ino
        and was.st_mode == now.st_mode
    )


def _exactly(fd: int, size: int) -> bytes:
    """Up to one byte more than expected: more or less than that is a file that changes."""
    with io.FileIO(fd, closefd=False) as file:
        parts, left = [], size + 1
        while left > 0 and (part := file.read(min(left, CHUNK))):
            parts.append(part)
            left -= len(part)
    return b"".join(parts)


def _streamed(fd: int, size: int, ends: float) -> tuple[bool, str]:
    """Whether exactly `size` bytes were there, and their digest; no digest where the time is over."""
    hasher, buffer, done = hashlib.sha256(), bytearray(CHUNK), 0
    view = memoryview(buffer)
    with io.FileIO(fd, closefd=False) as file:
        while done <= size and (count := file.readinto(view)):
            hasher.update(view[:count])
            done += count
            if time.monotonic() > ends:
                return False, ""
    return done == size, hasher.hexdigest()
