"""Messages between a process and its worker processes: one pickled value at a time, length first.

A worker is a program of ours with a pipe in and a pipe out; one that dies shows as the end of its pipe. Knows nothing about
what is said.
"""

from __future__ import annotations

import os
import pickle
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

HEAD = 8
_CHUNK = 1 << 20


class UnreadableMessageError(Exception):
    """A message came whole, and what it holds cannot be made anew here."""


def send(file: IO[bytes], message: Any) -> None:
    """Write one message."""
    send_packed(file, pickle.dumps(message, protocol=5))


def send_packed(file: IO[bytes], body: bytes) -> None:
    """Write one message that is pickled already."""
    file.write(len(body).to_bytes(HEAD, "little"))
    file.write(body)
    file.flush()


def receive(file: IO[bytes]) -> Any:
    """The next message, or None at the end of the pipe, wherever it ends."""
    head = file.read(HEAD)
    size = int.from_bytes(head, "little")
    body = file.read(size) if len(head) == HEAD else b""
    return pickle.loads(body) if body and len(body) == size else None  # noqa: S301 - from our own process


def receive_within(file: IO[bytes], seconds: float, goes_on: Callable[[], bool] = lambda: False) -> Any:
    """The next message, None at the end of the pipe.

    Raises TimeoutError where it is not whole in time, and UnreadableMessageError where it cannot be read.

    `goes_on` is asked when the time is up, and says whether as much is given once more. For a pipe that is read by nothing
    else: it is read past the buffer of `file`.
    """
    until = time.monotonic() + seconds
    waiting = select.poll()
    waiting.register(file.fileno(), select.POLLIN)
    data = bytearray()
    size = HEAD
    while len(data) < size:
        left = until - time.monotonic()
        if left <= 0 or not waiting.poll(left * 1000):
            if not goes_on():
                raise TimeoutError
            until = time.monotonic() + seconds
            continue
        part = os.read(file.fileno(), min(_CHUNK, size - len(data)))
        if not part:
            return None
        data += part
        if len(data) == HEAD and size == HEAD:
            size += int.from_bytes(data, "little")
    try:
        return pickle.loads(memoryview(data)[HEAD:])  # noqa: S301 - from our own process
    except Exception as exc:
        raise UnreadableMessageError(str(exc)) from exc


def start(program: str) -> subprocess.Popen[bytes]:
    """A worker that runs this program with our interpreter; it is told our path first, so that it finds what we find."""
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=1 << 16
    )
    assert process.stdin is not None
    with suppress(BrokenPipeError):
        send(process.stdin, sys.path)
    return process


def worker_ends() -> tuple[IO[bytes], IO[bytes]]:
    """In a worker: where messages come in and go out. What is printed goes to standard error, not between them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    inward = sys.stdin.buffer
    outward = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.path[:] = receive(inward)
    return inward, outward


def end(process: subprocess.Popen[bytes], *, now: bool) -> int:
    """Let a worker go home, or stop it where it is; gives its exit code."""
    if now:
        process.kill()
    for pipe in (process.stdin, process.stdout):
        assert pipe is not None
        with suppress(BrokenPipeError):
            pipe.close()
    return process.wait()


def cpu_seconds(pid: int) -> float:
    """The CPU time that a process has used so far; 0.0 where the system does not say."""
    try:
        told = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return 0.0
    user, system = told.rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
