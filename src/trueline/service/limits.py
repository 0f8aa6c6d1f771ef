"""How much a caller may ask: a bucket of requests for each key, filled by the clock. Knows nothing about HTTP or stores."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

KEPT = 10_000


class Rates:
    """A bucket for each name: it holds a minute's worth, and fills evenly."""

    def __init__(self, per_minute: int, share: int = 1, clock: Callable[[], float] = time.monotonic) -> None:
        """`share`: among how many processes the limit is divided."""
        self._per_minute, self._share, self._clock = per_minute, share, clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait_s(self, name: str, per_minute: int | None = None) -> float:
        """Take one; 0 where there was one, otherwise the seconds until there is."""
        most = (self._per_minute if per_minute is None else per_minute) / self._share
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
