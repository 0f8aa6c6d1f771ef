"""Long steps beside the event loop: one at a time, senders in turn, and the loop goes on meanwhile."""

from __future__ import annotations

import asyncio
import contextvars
import threading

import pytest

from witnessmark.core.work.turns import TurnThread


def test_those_who_send_much_wait_for_those_who_send_little():
    turns, done, gate = TurnThread(), [], threading.Event()

    async def go():
        first = asyncio.create_task(turns.call("hostile", gate.wait))
        await asyncio.sleep(0)
        many = [asyncio.create_task(turns.call("hostile", done.append, "hostile")) for _ in range(5)]
        await asyncio.sleep(0)
        one = asyncio.create_task(turns.call("other", done.append, "other"))
        await asyncio.sleep(0)
        gate.set()
        await asyncio.gather(first, *many, one)

    asyncio.run(go())
    assert done.index("other") <= 1


def test_the_loop_goes_on_while_a_step_is_under_way():
    async def go():
        gate = threading.Event()
        step = asyncio.create_task(TurnThread().call("a", gate.wait))
        await asyncio.sleep(0)
        gate.set()  # only a loop that is not held up comes here
        return await step

    assert asyncio.run(go()) is True


def test_what_a_step_raises_is_raised_to_whoever_waits_and_the_next_is_served():
    turns = TurnThread()

    async def go():
        with pytest.raises(ZeroDivisionError):
            await turns.call("a", divmod, 1, 0)
        return await turns.call("a", divmod, 7, 2)

    assert asyncio.run(go()) == (3, 1)


def test_a_step_that_is_called_off_before_its_turn_never_runs():
    turns, gate, ran = TurnThread(), threading.Event(), []

    async def go():
        first = asyncio.create_task(turns.call("a", gate.wait))
        second = asyncio.create_task(turns.call("a", ran.append, "called off"))
        await asyncio.sleep(0)
        second.cancel()
        await asyncio.wait([second])
        gate.set()
        await first
        await turns.call("a", ran.append, "next")

    asyncio.run(go())
    assert ran == ["next"]


def test_a_step_sees_the_context_it_was_sent_from():
    word = contextvars.ContextVar("word", default="none")

    async def go():
        word.set("ours")
        return await TurnThread().call("a", word.get)

    assert asyncio.run(go()) == "ours"
