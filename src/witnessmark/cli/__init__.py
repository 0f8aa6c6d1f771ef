"""The command line: parse, call, print. No judgement here; one file per family of commands."""

from __future__ import annotations

import errno
import io
import os
import sys
import threading
from typing import TextIO


def main() -> None:
    """Run `witnessmark`. A hook runs at every stop of an agent, so it is spared the other commands."""
    _replace_closed_streams()
    try:
        if sys.argv[1:2] == ["hook"]:
            from witnessmark.cli.hook import run as run_hook

            run_hook(sys.argv[2:])
            return
        from witnessmark.cli.app import run

        run()
    except KeyboardInterrupt:  # while it starts
        sys.stderr.write("witnessmark: interrupted\n")
        _end(INTERRUPTED)
    except SystemExit as exc:
        if isinstance(exc.code, int) and (exc.code == INTERRUPTED or _is_checking()):
            _end(exc.code)
        raise


class ClosedInput(io.RawIOBase):
    """What stands in for a standard input that was closed: reading it is refused in words, for nothing was read."""

    def readable(self) -> bool:
        """Readers may try."""
        return True

    def readinto(self, _buffer: object) -> int:
        """Raise OSError."""
        raise OSError(errno.EBADF, "standard input is closed; send the text there, or name a file")

    def readall(self) -> bytes:
        """Raise OSError."""
        return bytes(self.readinto(None))


def _replace_closed_streams() -> None:
    """Python has None for a standard stream that was closed (`<&-`, `>&-`), which nothing can read, write or ask for colour."""
    sys.stdin = sys.stdin or io.TextIOWrapper(io.BufferedReader(ClosedInput()))
    sys.stdout = sys.stdout or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")
    sys.stderr = sys.stderr or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")


def is_closed(stream: TextIO) -> bool:
    """Whether a standard input is the stand-in for one that was closed."""
    return isinstance(getattr(getattr(stream, "buffer", None), "raw", None), ClosedInput)


INTERRUPTED = 130
"""As shells say it: 128 and the signal."""


def _is_checking() -> bool:
    """Whether a check that was given up after its time is still at work: its thread ends with its last step."""
    return any(thread.name in ("witnessmark-check", "witnessmark-turns") for thread in threading.enumerate())


def _end(code: int) -> None:
    """End at once: a thread that is still in a model would be ended inside of its C++, which aborts the whole process."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
