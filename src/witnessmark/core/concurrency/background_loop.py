"""One event loop in a thread of its own, for code that is not async. It starts when first needed and ends with the process.

At the process's end what is still under way gets a moment, what was opened there is closed, and the thread is joined.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import threading
import weakref
from collections.abc import Coroutine
from typing import Any, Generic, Protocol, TypeVar

from witnessmark.core.errors import UsageError

T = TypeVar("T")
THREAD = "witnessmark-sync"
GRACE_S = 5.0
"""How long the end of the process waits for work that nobody waits for, such as a second opinion."""


class Closeable(Protocol):
    """What has something open on the loop it was used on."""

    async def close(self) -> None:
        """Let go of it; called on that loop."""
        ...


_loops: list[asyncio.AbstractEventLoop] = []
_threads: list[threading.Thread] = []
_lock = threading.Lock()
_open: weakref.WeakSet[Closeable] = weakref.WeakSet()


def run_sync(work: Coroutine[Any, Any, T]) -> T:
    """Run async work from sync code on the background loop, whether or not a loop is running here.

    Raises what the work raises, and UsageError where the call comes from that loop itself and would wait for itself.
    """
    loop = _background_loop()
    if threading.current_thread().name == THREAD:
        work.close()
        raise UsageError(
            "sync call inside async work that a sync call started: it would wait for itself; await instead"
        )
    call = _Call(work)
    loop.call_soon_threadsafe(call.start)
    try:
        call.done.acquire()
    except BaseException:  # Ctrl-C while it waits: nobody wants the work any more
        loop.call_soon_threadsafe(call.cancel)
        raise
    return call.result()


class _Call(Generic[T]):
    """Work handed to the loop by one thread that waits for it: a lock is all it takes, a future costs twice as much."""

    __slots__ = ("_task", "_work", "done")

    def __init__(self, work: Coroutine[Any, Any, T]) -> None:
        self._work = work
        self._task: asyncio.Task[T] | None = None
        self.done = threading.Lock()
        self.done.acquire()

    def start(self) -> None:
        """On the loop: begin, and wake whoever waits once it has ended."""
        self._task = asyncio.get_running_loop().create_task(self._work)
        self._task.add_done_callback(lambda _: self.done.release())

    def cancel(self) -> None:
        """On the loop: end it early."""
        if self._task is not None:
            self._task.cancel()

    def result(self) -> T:
        """What came of it, once it has ended; raises what it raised."""
        assert self._task is not None
        return self._task.result()


def close_at_exit(thing: Closeable) -> None:
    """Have it closed when the process ends, where it is used on the background loop."""
    if threading.current_thread().name == THREAD:
        _open.add(thing)


def _background_loop() -> asyncio.AbstractEventLoop:
    with _lock:
        if not _loops:
            loop = asyncio.new_event_loop()
            thread = threading.Thread(target=loop.run_forever, name=THREAD, daemon=True)
            thread.start()
            _loops.append(loop)
            _threads.append(thread)
            atexit.register(_shut_down)
        return _loops[0]


def _shut_down() -> None:
    with _lock:
        if not _loops:
            return
        loop, thread = _loops.pop(), _threads.pop()
    ending = asyncio.run_coroutine_threadsafe(_finish(), loop)
    with contextlib.suppress(TimeoutError):
        ending.result(GRACE_S * 2)
    loop.call_soon_threadsafe(loop.stop)
    thread.join(GRACE_S)
    if not thread.is_alive():
        loop.close()


async def _finish() -> None:
    """Wait a while for what is under way, cancel the rest, and close what is open."""
    rest = asyncio.all_tasks() - {asyncio.current_task()}
    if rest:
        _, late = await asyncio.wait(rest, timeout=GRACE_S)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)
    for thing in list(_open):
        await thing.close()
