"""How much a caller may ask, and how long it may take: a bucket of requests for each key, and one clock for all requests."""

from __future__ import annotations

import asyncio
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


class Deadline:
    """Until when a task may work on something, and whether the clock has ended it."""

    __slots__ = ("ended", "task", "until")

    def __init__(self, until: float, task: asyncio.Task[None]) -> None:
        self.until, self.task, self.ended = until, task, False


LOOK_S = 0.25


class Clock:
    """Ends requests that take too long: one look at all of them now and then, instead of a timer for each."""

    def __init__(self) -> None:
        self._running: set[Deadline] = set()

    def start(self, limit_s: float | None) -> Deadline | None:
        """Let this task take so long from now; None where it may take as long as it likes."""
        task = None if limit_s is None else asyncio.current_task()
        if limit_s is None or task is None:
            return None
        made = Deadline(time.monotonic() + limit_s, task)
        self._running.add(made)
        return made

    def stop(self, deadline: Deadline | None) -> None:
        """It is done."""
        if deadline is not None:
            self._running.discard(deadline)

    async def run(self) -> None:
        """Look, for ever."""
        while True:
            await asyncio.sleep(LOOK_S)
            now = time.monotonic()
            for one in list(self._running):
                if one.until < now and not one.ended:
                    one.ended = True
                    one.task.cancel()
