"""One endpoint and how it is treated: so many calls at once, so many a minute, tried again with patience, left alone while it is down.

Shared by all judges of that endpoint. Knows nothing about what is asked or how it is paid.
"""

from __future__ import annotations

import asyncio
import random
import time
import weakref
from collections import deque
from collections.abc import Awaitable, Callable
from typing import TypeVar

from witnessmark.core.concurrency.deadline import cut_off_within
from witnessmark.core.errors import (
    InputError,
    JudgeTimeoutError,
    JudgeUnavailableError,
    RateLimitedError,
    TransientError,
)
from witnessmark.core.values import Count, NotNegative, Value

T = TypeVar("T")
Clock = Callable[[], float]


class Patience(Value, frozen=True):
    """How an endpoint is treated."""

    timeout_s: NotNegative = 60.0
    retries: Count = 2
    backoff_s: NotNegative = 0.5
    max_wait_s: NotNegative = 30.0
    """The longest wait before another try; an endpoint that asks for more is not waited for."""
    concurrency: int = 16
    per_minute: NotNegative | None = None
    open_after: int = 20
    """The breaker looks at this many calls, and opens where four of five failed."""
    cool_s: NotNegative = 10.0

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("concurrency", "open_after"):
            if getattr(self, name) < 1:
                raise InputError(f"{name}: {getattr(self, name)} lets no call through; give 1 or more")
        if self.timeout_s == 0 or self.per_minute == 0:
            raise InputError("timeout_s, per_minute: 0 lets no call through; leave it out for the default")


class Breaker:
    """Open while most calls fail: then no call is made, until one that is let through after a while succeeds."""

    SHARE = 0.8

    def __init__(self, after: int, cool_s: float, clock: Clock = time.monotonic) -> None:
        self._seen: deque[bool] = deque(maxlen=after)
        self._cool_s, self._clock = cool_s, clock
        self._opened: float | None = None
        self._probing = False

    @property
    def is_open(self) -> bool:
        """Whether calls are held back."""
        return self._opened is not None

    def enter(self) -> None:
        """Let the call through, or raise: one probe at a time once it has cooled."""
        if self._opened is None:
            return
        left = self._opened + self._cool_s - self._clock()
        if left > 0 or self._probing:
            raise JudgeUnavailableError(
                f"the endpoint keeps failing; it will not be asked again for {max(left, 0.0):.0f} s"
            )
        self._probing = True

    def leave(self, fine: bool | None) -> None:
        """Note how a call went; None where it was called off, which says nothing about the endpoint."""
        self._probing = False
        if fine is None:
            return
        if self._opened is not None:
            self._opened = None if fine else self._clock()
            self._seen.clear()
            return
        self._seen.append(fine)
        if len(self._seen) == self._seen.maxlen and self._seen.count(False) >= self.SHARE * len(self._seen):
            self._opened = self._clock()


class Pace:
    """Calls spread evenly: the next one is due a fixed while after the last."""

    def __init__(self, per_minute: float | None, clock: Clock = time.monotonic) -> None:
        self._gap_s = 60.0 / per_minute if per_minute else 0.0
        self._clock, self._due = clock, 0.0

    def wait_s(self) -> float:
        """How long the next caller waits; calling takes the place."""
        if not self._gap_s:
            return 0.0
        now = self._clock()
        start = max(now, self._due)
        self._due = start + self._gap_s
        return start - now


class EndpointLimits:
    """One base URL: its pace, its breaker, and for each event loop its room for calls at once."""

    def __init__(self, url: str, patience: Patience | None = None, clock: Clock = time.monotonic) -> None:
        self.url, self.patience = url, patience or Patience()
        self.breaker = Breaker(self.patience.open_after, self.patience.cool_s, clock)
        self._pace = Pace(self.patience.per_minute, clock)
        self._rooms: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore]
        self._rooms = weakref.WeakKeyDictionary()

    async def call(self, attempt: Callable[[], Awaitable[T]]) -> T:
        """The attempt's outcome; a TransientError is tried again, with growing waits, as often as patience allows."""
        for tried in range(self.patience.retries + 1):
            try:
                return await self._once(attempt)
            except TransientError as exc:
                wait = self._wait_s(exc, tried)
                if wait is None:
                    raise
            await asyncio.sleep(wait)
        raise AssertionError("unreachable: the last try returns or raises")

    async def _once(self, attempt: Callable[[], Awaitable[T]]) -> T:
        pause = self._pace.wait_s()
        if pause:
            await asyncio.sleep(pause)
        async with self._room():
            self.breaker.enter()
            fine: bool | None = None
            try:
                if cut_off_within(asyncio.get_running_loop().time(), self.patience.timeout_s):
                    made = await attempt()
                else:
                    async with asyncio.timeout(self.patience.timeout_s):
                        made = await attempt()
                fine = True
            except RateLimitedError:
                fine = True  # it answers, and asks for patience: that is not a fault
                raise
            except TransientError:
                fine = False
                raise
            except TimeoutError:
                fine = False
                raise JudgeTimeoutError(f"no answer within {self.patience.timeout_s:g} s") from None
            finally:
                self.breaker.leave(fine)
            return made

    def _room(self) -> asyncio.Semaphore:
        loop = asyncio.get_running_loop()
        room = self._rooms.get(loop)
        if room is None:
            room = self._rooms[loop] = asyncio.Semaphore(self.patience.concurrency)
        return room

    def _wait_s(self, exc: TransientError, tried: int) -> float | None:
        """How long to wait before the next try; None where there is none, or the wait would be too long."""
        if tried >= self.patience.retries or self.breaker.is_open:
            return None
        asked = exc.retry_after_s if isinstance(exc, RateLimitedError) else None
        if asked is not None:
            return asked if asked <= self.patience.max_wait_s else None
        grown = self.patience.backoff_s * 2.0**tried
        return min(grown * random.uniform(0.75, 1.25), self.patience.max_wait_s)  # noqa: S311 - spreads retries
