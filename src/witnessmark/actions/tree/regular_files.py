"""One file that somebody named, read whole: a regular file and nothing else, and no more of it than allowed."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from witnessmark.core.errors import InputError


def read_regular(path: str | os.PathLike[str], most: int, name: str = "") -> bytes:
    """The bytes of a regular file; `name` is what messages call it.

    Raises InputError for a device, a pipe or a folder, and for a file of more than `most` bytes; OSError where it cannot be opened.
    """
    told = name or os.fspath(path)
    # Not blocking: a pipe that nobody writes to would keep us waiting before we could see that it is one.
    with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as opened:  # noqa: PTH123 - by its descriptor
        info = os.fstat(opened.fileno())
        if not stat.S_ISREG(info.st_mode):
            raise InputError(f"{told}: is not a regular file; it is not read")
        data = opened.read(min(info.st_size, most) + 1)  # memory for no more than it has
        if info.st_size < len(data) <= most:
            data += opened.read(most + 1 - len(data))  # it grew, or does not tell its size
    if len(data) > most:
        bound = f"{most // 1_000_000} MB" if most >= 1_000_000 else f"{most:,} bytes"
        raise InputError(f"{told}: has more than {bound}; it is not read")
    return data


def read_named(path: str, most: int) -> bytes:
    """The same for a file that a person named; one that cannot be opened is bad input too."""
    try:
        return read_regular(Path(path), most)
    except OSError as exc:
        raise InputError(f"{path}: cannot be read ({exc.strerror})") from None
