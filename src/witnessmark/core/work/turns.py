"""One thread beside the event loop for steps that hold the interpreter for a while, taken in turn over those who send them.

One thread and not many: they would only take the interpreter from the loop more often. Works with any number of loops.
"""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")


class TurnThread:
    """Runs one step at a time; a sender with many waits as long for its next as one with few."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: OrderedDict[str, deque[tuple[Future[Any], Callable[[], Any]]]] = OrderedDict()
        self._running = False

    async def call(self, sender: str, function: Callable[..., T], /, *args: Any) -> T:
        """What the function gives, or raises."""
        context, future = contextvars.copy_context(), Future[T]()
        with self._lock:
            self._waiting.setdefault(sender, deque()).append((future, lambda: context.run(function, *args)))
            start, self._running = not self._running, True
        if start:
            threading.Thread(target=self._work, name="witnessmark-turns", daemon=True).start()
        return await asyncio.wrap_future(future)

    def _work(self) -> None:
        """Until nothing waits; then the thread ends, and the next call starts another."""
        while True:
            with self._lock:
                if not self._waiting:
                    self._running = False
                    return
                sender, queue = self._waiting.popitem(last=False)
                future, step = queue.popleft()
                if queue:
                    self._waiting[sender] = queue  # at the end: the others come first
            if future.set_running_or_notify_cancel():
                _settle(future, step)


def _settle(future: Future[Any], step: Callable[[], Any]) -> None:
    try:
        value = step()
    except BaseException as exc:  # noqa: BLE001 - carried over to whoever waits for it
        future.set_exception(exc)
    else:
        future.set_result(value)
