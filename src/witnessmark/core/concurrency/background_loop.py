"""One event loop for code that is not async. It starts when first needed and ends with the process.

Whoever calls drives it, since handing work to another thread costs more than most of the work. A thread of its own drives it as
soon as there is more than one caller to serve: others call at the same time, something is still under way when a caller has what
it came for, or another loop runs in the caller's thread. At the process's end what is still under way gets a moment, and what was
opened there is closed.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import functools
import os
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


def run_sync(work: Coroutine[Any, Any, T]) -> T:
    """Run async work from sync code, whether or not a loop is running here.

    Raises what the work raises, and UsageError where the call comes from such work itself and would wait for itself.
    """
    with _lock:
        if not _loops:
            _watch_process()
            _loops.append(SyncLoop())
        shared = _loops[0]
    return shared.run(work)


def close_at_exit(thing: Closeable) -> None:
    """Have it closed when the process ends, where it is used on the loop for sync code."""
    shared = _running_here()
    if shared is not None:
        shared.open.add(thing)


def keep_running() -> None:
    """Where the loop for sync code runs here: let it run when its caller has left, since a timer is set on it."""
    shared = _running_here()
    if shared is not None:
        shared.keep_running = True


class SyncLoop:
    """A loop for sync code, and who drives it: nobody, one caller, or, once there is need of it, its own thread for good."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.open: weakref.WeakSet[Closeable] = weakref.WeakSet()
        self.keep_running = False
        self._lock = threading.Lock()
        self._driven = False
        self._thread: threading.Thread | None = None

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """The work's outcome; UsageError where the call comes from this loop."""
        running = asyncio._get_running_loop()  # noqa: SLF001 - the public one raises where none runs
        if running is self.loop:
            work.close()
            raise UsageError(
                "sync call inside async work that a sync call started: it would wait for itself; await instead"
            )
        return self._drive(work) if running is None and self._take() else self._hand_over(work)

    def _take(self) -> bool:
        """Whether the caller may drive the loop now; whoever may has to."""
        with self._lock:
            free = not self._driven
            self._driven = True
            return free

    def _drive(self, work: Coroutine[Any, Any, T]) -> T:
        """The work's outcome, run here; what is left to do after it is the thread's."""
        task = self.loop.create_task(self._to_the_end(work))
        try:
            self.loop.run_forever()
            return task.result()
        finally:
            if not task.cancel() and not task.cancelled():  # Ctrl-C while it runs: nobody wants the work any more
                task.exception()  # looked at, so that nobody warns that nobody did
            with self._lock:
                if self.keep_running or asyncio.all_tasks(self.loop):
                    self._start_thread()
                else:
                    self._driven = False

    async def _to_the_end(self, work: Coroutine[Any, Any, T]) -> T:
        """The work, and the end of driving; `run_until_complete` needs another turn of the loop for that."""
        await asyncio.sleep(0)  # what came while nobody drove it is heard first: a closed connection is not used again
        try:
            return await work
        finally:
            if self._thread is None:
                self.loop.stop()

    def _hand_over(self, work: Coroutine[Any, Any, T]) -> T:
        """The work's outcome, run by whoever drives the loop now, and by the thread after that."""
        call = _Call(work)
        with self._lock:
            self.loop.call_soon_threadsafe(call.start)
            self.keep_running = True
            if not self._driven:
                self._start_thread()
        try:
            call.done.acquire()
        except BaseException:  # Ctrl-C while it waits: nobody wants the work any more
            self.loop.call_soon_threadsafe(call.cancel)
            raise
        return call.result()

    def _start_thread(self) -> None:
        self._driven = True
        self._thread = threading.Thread(target=self.loop.run_forever, name=THREAD, daemon=True)
        self._thread.start()

    def shut_down(self) -> None:
        """At the process's end: wait a while for what is under way, cancel the rest, and close what is open."""
        if self._take():
            self.loop.run_until_complete(self._finish())
            self.loop.close()
            return
        with contextlib.suppress(TimeoutError):
            asyncio.run_coroutine_threadsafe(self._finish(), self.loop).result(GRACE_S * 3)
        if self._thread is not None:
            self.loop.call_soon_threadsafe(self.loop.stop)
            self._thread.join(GRACE_S)
            if not self._thread.is_alive():
                self.loop.close()

    async def _finish(self) -> None:
        rest = asyncio.all_tasks() - {asyncio.current_task()}
        if rest:
            _, late = await asyncio.wait(rest, timeout=GRACE_S)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(GRACE_S):
                for thing in list(self.open):
                    await thing.close()


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


_loops: list[SyncLoop] = []
_inherited: list[SyncLoop] = []
_lock = threading.Lock()


def _running_here() -> SyncLoop | None:
    """The process's loop for sync code, where it runs in this thread."""
    running = asyncio.get_running_loop()
    with _lock:
        return next((shared for shared in _loops if shared.loop is running), None)


@functools.cache
def _watch_process() -> None:
    """Once: hear of the process's end, and of a child that is forked."""
    atexit.register(_shut_down)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_forget)


def _shut_down() -> None:
    with _lock:
        ending = _loops.pop() if _loops else None
    if ending is not None:
        ending.shut_down()


def _forget() -> None:
    """In a forked child: the loop and its connections are the parent's.

    They are left alone, since to close them would close the parent's; the child gets a loop of its own when it needs one.
    """
    _inherited.extend(_loops)
    _loops.clear()
    _lock.release()
