"""When the check that is running now is cut off. Whoever waits inside it sets a clock of its own only for a shorter wait."""

from __future__ import annotations

import asyncio
import math
import weakref
from contextvars import ContextVar
from types import TracebackType

PRECISE_S = 5.0
"""Up to this long a cut-off has a timer of its own; a timer costs more than most of what a check does."""
LOOK_EVERY_S = 0.25
"""How often those that are further away are looked at, all of them together."""
active: ContextVar[float] = ContextVar("witnessmark_deadline", default=math.inf)
"""The end of the check that is running now, as the event loop's clock tells time; endless where none is."""


def cut_off_within(now: float, seconds: float) -> bool:
    """Whether the check that is running now ends before a wait of so many seconds would, and is not over yet.

    One that is over holds nothing: what it left running must look to its own end.
    """
    return now < active.get() <= now + seconds


class CutOff:
    """Ends what runs inside it with TimeoutError after so many seconds, as `asyncio.timeout` does, and is far cheaper."""

    __slots__ = ("_cancelling", "_far", "_outer", "_seconds", "_task", "_timer", "expired", "when")

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._timer: asyncio.TimerHandle | None = None
        self._far: _FarCutOffs | None = None
        self.expired = False

    def __enter__(self) -> CutOff:
        loop = asyncio.get_running_loop()
        task = asyncio.current_task(loop)
        assert task is not None  # a check runs in a task
        self._task, self._cancelling = task, task.cancelling()
        self.when = loop.time() + self._seconds
        if self._seconds > PRECISE_S:
            self._far = _far_cut_offs(loop)
            self._far.add(self, loop)
        else:
            self._timer = loop.call_at(self.when, self.cut)
        self._outer = active.set(self.when)
        return self

    def cut(self) -> None:
        """Its time is over."""
        self.expired = True
        self._task.cancel()

    def __exit__(self, kind: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None) -> None:
        active.reset(self._outer)
        if self._far is not None:
            self._far.waiting.discard(self)
        elif self._timer is not None:
            self._timer.cancel()
        if self.expired and self._task.uncancel() <= self._cancelling and kind is asyncio.CancelledError:
            raise TimeoutError from exc


class _FarCutOffs:
    """Cut-offs of one loop that are far away: one timer for all of them, while there are any."""

    def __init__(self) -> None:
        self.waiting: set[CutOff] = set()
        self._looking = False

    def add(self, one: CutOff, loop: asyncio.AbstractEventLoop) -> None:
        """Have it cut when its time comes, unless it is discarded before."""
        self.waiting.add(one)
        if not self._looking:
            self._looking = True
            loop.call_later(LOOK_EVERY_S, self._look)

    def _look(self) -> None:
        loop = asyncio.get_running_loop()
        now = loop.time()
        for one in [one for one in self.waiting if one.when <= now]:
            self.waiting.discard(one)
            one.cut()
        self._looking = bool(self.waiting)
        if self._looking:
            loop.call_later(LOOK_EVERY_S, self._look)


_by_loop: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, _FarCutOffs] = weakref.WeakKeyDictionary()


def _far_cut_offs(loop: asyncio.AbstractEventLoop) -> _FarCutOffs:
    found = _by_loop.get(loop)
    if found is None:
        found = _by_loop[loop] = _FarCutOffs()
    return found
