"""Cutting off what takes too long: near or far away, and only that."""

from __future__ import annotations

import asyncio
import math

import pytest

from witnessmark.core.concurrency import deadline
from witnessmark.core.concurrency.deadline import PRECISE_S, CutOff

NEAR, FAR = PRECISE_S / 2, PRECISE_S * 10


class JumpingLoop(asyncio.SelectorEventLoop):
    """A loop whose clock can be put forward."""

    ahead = 0.0

    def time(self):
        return super().time() + self.ahead


def run(work):
    with asyncio.Runner(loop_factory=JumpingLoop) as runner:
        return runner.run(work)


def put_forward(seconds):
    asyncio.get_running_loop().ahead += seconds


async def for_ever():
    await asyncio.Event().wait()


@pytest.mark.parametrize("seconds", [NEAR, FAR, 0.0, -1.0], ids=["near", "far", "now", "before"])
def test_what_takes_too_long_is_ended(seconds):
    async def work():
        clock = CutOff(seconds)
        with pytest.raises(TimeoutError), clock:
            put_forward(seconds + 0.001)
            await for_ever()
        return clock.expired, asyncio.current_task().cancelling()

    assert run(work()) == (True, 0)


@pytest.mark.parametrize("seconds", [NEAR, FAR], ids=["near", "far"])
def test_what_is_done_in_time_is_left_alone_afterwards(seconds):
    async def work():
        clock = CutOff(seconds)
        with clock:
            await asyncio.sleep(0)
        put_forward(seconds * 2)
        await asyncio.sleep(0.001)
        return clock.expired

    assert run(work()) is False


def test_each_of_many_is_ended_in_its_own_time():
    async def one(seconds):
        try:
            with CutOff(seconds):
                await for_ever()
        except TimeoutError:
            ended.append(seconds)

    async def work():
        tasks = [asyncio.create_task(one(seconds)) for seconds in (FAR * 3, FAR, FAR * 2)]
        await asyncio.sleep(0)
        for number in range(3):
            put_forward(FAR + 1)
            await asyncio.wait(tasks, return_when="FIRST_COMPLETED")
            tasks = [task for task in tasks if not task.done()]
            assert len(ended) == number + 1

    ended = []
    run(work())
    assert ended == [FAR, FAR * 2, FAR * 3]


def test_who_is_cancelled_from_outside_is_cancelled_and_not_late():
    async def inside():
        with CutOff(FAR):
            await for_ever()

    async def work():
        task = asyncio.create_task(inside())
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return task.cancelled()

    assert run(work()) is True


def test_an_error_on_the_way_out_stays_that_error():
    async def work():
        with CutOff(FAR):
            put_forward(FAR + 1)
            try:
                await for_ever()
            finally:
                raise LookupError("nothing there")

    with pytest.raises(LookupError, match="nothing there"):
        run(work())


def test_whoever_waits_inside_knows_when_it_ends():
    async def work():
        before = deadline.active.get()
        with CutOff(FAR) as clock:
            inside = deadline.active.get()
        return before, inside - clock.when, deadline.active.get()

    assert run(work()) == (math.inf, 0.0, math.inf)
