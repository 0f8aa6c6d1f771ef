"""How much a caller may ask, and how long it may take: a bucket of requests for each key, and one clock for all requests.

Knows nothing about HTTP or stores.
"""

from __future__ import annotations

import asyncio
import itertools
import time
from collections import OrderedDict
from collections.abc import Callable

KEPT = 10_000


class Rates:
    """A bucket for each name: it holds a minute's worth, and fills evenly."""

    def __init__(self, per_minute: int, share: int = 1, clock: Callable[[], float] = time.monotonic) -> None:
        """`share`: among how many processes the limit is divided."""
        self._per_minute, self.share, self._clock = per_minute, share, clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait_s(self, name: str, per_minute: int | None = None) -> float:
        """Take one; 0 where there was one, otherwise the seconds until there is."""
        most = (self._per_minute if per_minute is None else per_minute) / self.share
        if not most:
            return 0.0
        now = self._clock()
        left, at = self._buckets.get(name, (most, now))
        left = min(most, left + (now - at) * most / 60.0)
        if left < 1.0 and left < most:
            self._buckets[name] = (left, now)
            return (1.0 - left) * 60.0 / most
        self._buckets[name] = (left - 1.0, now)
        if len(self._buckets) > KEPT:
            self._buckets.popitem(last=False)
        return 0.0

    def owed_s(self, name: str, per_minute: int) -> float:
        """The seconds until a bucket that was overdrawn is above nothing again; 0 where it is."""
        left = self._filled(name, per_minute)
        return 0.0 if left > 0 else (1.0 - left) * 60.0 / per_minute

    def take(self, name: str, count: int, per_minute: int) -> None:
        """Take so many, whether or not they are there."""
        self._buckets[name] = (self._filled(name, per_minute) - count, self._clock())
        if len(self._buckets) > KEPT:
            self._buckets.popitem(last=False)

    def _filled(self, name: str, per_minute: int) -> float:
        now = self._clock()
        left, at = self._buckets.get(name, (float(per_minute), now))
        return min(float(per_minute), left + (now - at) * per_minute / 60.0)


class Clock:
    """Ends requests that take too long: one look at all of them now and then, instead of a timer for each."""

    def __init__(self, look_s: float = 0.25) -> None:
        self._look_s = look_s
        self._running: dict[int, tuple[float, asyncio.Task[None]]] = {}
        self._ended: set[int] = set()
        self._number = itertools.count()

    def start(self, limit_s: float | None) -> int:
        """Let this task take so long from now."""
        mark = next(self._number)
        task = asyncio.current_task()
        if limit_s is not None and task is not None:
            self._running[mark] = (time.monotonic() + limit_s, task)
        return mark

    def stop(self, mark: int) -> None:
        """It is done."""
        self._running.pop(mark, None)
        self._ended.discard(mark)

    def ended(self, mark: int) -> bool:
        """Whether it was this clock that ended it."""
        return mark in self._ended

    async def run(self) -> None:
        """Look, for ever."""
        while True:
            await asyncio.sleep(self._look_s)
            now = time.monotonic()
            for mark, (until, task) in list(self._running.items()):
                if until < now and mark not in self._ended:
                    self._ended.add(mark)
                    task.cancel()
