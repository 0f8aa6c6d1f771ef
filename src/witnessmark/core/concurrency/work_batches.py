"""Many pieces of work, several at once, with what came of them in the order they were given. Every queue here is bounded."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")
AHEAD = 4
"""How many times the width may be finished and wait for a slow one before them; bounds what is held in memory."""


async def ordered_batches(
    items: Iterable[T],
    work: Callable[[T], Awaitable[R]],
    *,
    width: int,
    most: int,
    after_s: float,
    room: asyncio.Semaphore | None = None,
) -> AsyncIterator[list[R]]:
    """What came of every item, in order, in batches.

    Args:
        items: taken one at a time, when there is room for the next.
        work: what is done with each; what it raises ends all of it.
        width: how many may be under way; with 1 there is no task and no switch between them.
        most: how many make a batch at most.
        after_s: after how many seconds a batch is handed on although it is not full; with 0 as soon as there is one.
        room: bounds what is under way over several calls together.

    """
    found = _one_by_one(items, work, room) if width <= 1 else _side_by_side(items, work, width, room, after_s)
    batch: list[R] = []
    began = time.monotonic()
    async for ready in found:
        for result in ready:
            batch.append(result)
            if len(batch) >= most:
                yield batch
                batch, began = [], time.monotonic()
        if batch and time.monotonic() - began >= after_s:
            yield batch
            batch, began = [], time.monotonic()
    if batch:
        yield batch


async def _one_by_one(
    items: Iterable[T], work: Callable[[T], Awaitable[R]], room: asyncio.Semaphore | None
) -> AsyncIterator[list[R]]:
    for item in items:
        if room is None:
            result = await work(item)
        else:
            async with room:
                result = await work(item)
        yield [result]


async def _side_by_side(
    items: Iterable[T],
    work: Callable[[T], Awaitable[R]],
    width: int,
    room: asyncio.Semaphore | None,
    after_s: float,
) -> AsyncIterator[list[R]]:
    """Lanes take items as they come free; a list of what is ready is handed on, empty where only time has passed."""
    lanes = _Lanes(enumerate(items), work, width, room or asyncio.Semaphore(width))
    loop = asyncio.get_running_loop()
    tasks = [loop.create_task(lanes.lane()) for _ in range(width)]
    ended: list[asyncio.Task[None]] = []

    def note(task: asyncio.Task[None]) -> None:
        ended.append(task)
        lanes.changed.set()

    for task in tasks:
        task.add_done_callback(note)

    timer: asyncio.TimerHandle | None = None

    def tick() -> None:
        nonlocal timer
        lanes.changed.set()
        timer = loop.call_later(after_s, tick)

    if (
        after_s
    ):  # one for all waits, since a wait is short and a timer is not free; none where no batch waits for its time
        timer = loop.call_later(after_s, tick)
    try:
        while True:
            ready = lanes.ready()
            yield ready
            if ready:
                continue
            for task in ended:
                task.result()
            if len(ended) == len(tasks):
                return
            lanes.changed.clear()
            await lanes.changed.wait()
    finally:
        if timer is not None:
            timer.cancel()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class _Lanes(Generic[T, R]):
    """Items shared out to lanes, and what came of them so far."""

    def __init__(
        self,
        waiting: Iterator[tuple[int, T]],
        work: Callable[[T], Awaitable[R]],
        width: int,
        room: asyncio.Semaphore,
    ) -> None:
        self._waiting, self._work, self._room, self._most = waiting, work, room, width * AHEAD
        self._results: dict[int, R] = {}
        self._next = 0
        self._space = asyncio.Event()
        self.changed = asyncio.Event()

    async def lane(self) -> None:
        """Work on one item after the other until there are none."""
        async with self._room:
            for place, item in self._waiting:
                self._results[place] = await self._work(item)
                if place == self._next:
                    self.changed.set()
                while place - self._next >= self._most:
                    self._space.clear()
                    await self._space.wait()

    def ready(self) -> list[R]:
        """What is next in order and there."""
        found = []
        while self._next in self._results:
            found.append(self._results.pop(self._next))
            self._next += 1
        if found:
            self._space.set()
        return found
