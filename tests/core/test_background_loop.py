"""Async work from sync code: who drives the loop, what goes on after a call, and how it ends."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from witnessmark.core.concurrency.background_loop import THREAD, SyncLoop, run_sync
from witnessmark.core.errors import UsageError


@pytest.fixture
def shared():
    made = SyncLoop()
    yield made
    made.shut_down()
    assert made.loop.is_closed()


async def _thread_name():
    return threading.current_thread().name


def test_the_caller_drives_the_loop_and_the_next_one_may_be_another_thread(shared):
    assert shared.run(_thread_name()) == threading.current_thread().name
    heard = []
    other = threading.Thread(target=lambda: heard.append(shared.run(_thread_name())), name="other")
    other.start()
    other.join()
    assert heard == ["other"]
    assert shared.run(_thread_name()) == threading.current_thread().name


def test_inside_a_running_loop_the_thread_drives_it(shared):
    async def inside():
        return shared.run(_thread_name())

    assert asyncio.run(inside()) == THREAD
    assert shared.run(_thread_name()) == THREAD


def test_what_the_work_raises_is_raised_and_the_loop_stays_usable(shared):
    async def broken():
        raise LookupError("nothing there")

    with pytest.raises(LookupError, match="nothing there"):
        shared.run(broken())
    assert shared.run(_thread_name()) == threading.current_thread().name


def test_a_call_from_the_work_itself_is_refused_instead_of_waiting_for_itself(shared):
    async def outer():
        return shared.run(_thread_name())

    with pytest.raises(UsageError, match="await instead"):
        shared.run(outer())


def test_what_is_left_under_way_goes_on_after_the_call(shared):
    ended, tasks = threading.Event(), []

    async def beside():
        for _ in range(5):
            await asyncio.sleep(0)
        ended.set()

    async def work():
        tasks.append(asyncio.get_running_loop().create_task(beside()))
        return "done"

    assert shared.run(work()) == "done"
    assert ended.wait()
    assert shared.run(_thread_name()) == THREAD


def test_callers_at_the_same_time_share_the_loop_and_none_waits_for_another(shared):
    """The second call comes while the first drives the loop, ends the first, and goes on when that one has left."""
    first_waits, first_left = threading.Event(), threading.Event()
    go_on: list[asyncio.Event] = []

    async def first():
        go_on.append(asyncio.Event())
        asyncio.get_running_loop().call_soon(first_waits.set)
        await go_on[0].wait()
        return "first"

    async def second():
        go_on[0].set()
        await asyncio.to_thread(first_left.wait)
        return threading.current_thread().name

    heard = []
    other = threading.Thread(target=lambda: (first_waits.wait(), heard.append(shared.run(second()))))
    other.start()
    assert shared.run(first()) == "first"
    first_left.set()
    other.join()
    assert heard == [THREAD]


def test_a_connection_that_was_closed_between_two_calls_is_known_to_be_closed(shared):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        reader, writer = shared.run(asyncio.open_connection("127.0.0.1", port))
        server.accept()[0].close()

        async def look():
            ended = reader.at_eof()
            writer.close()
            return ended

        assert shared.run(look())


@pytest.fixture
def heard() -> Iterator[None]:
    """Ctrl-C is heard, also where the tests were started in the background of a shell, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heard")
def test_ctrl_c_ends_the_call_and_the_work(shared):
    cancelled = threading.Event()

    async def long():
        asyncio.get_running_loop().call_soon(signal.raise_signal, signal.SIGINT)
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    with pytest.raises(KeyboardInterrupt):
        shared.run(long())
    assert cancelled.wait()
    assert shared.run(_thread_name()) == THREAD


def test_the_end_waits_for_what_is_under_way_and_closes_what_is_open():
    class Connection:
        closed_after: str | None = None

        async def close(self):
            self.closed_after = ended[0]

    shared, thing, ended = SyncLoop(), Connection(), []

    async def beside():
        await asyncio.sleep(0)
        ended.append("the rest")

    async def work():
        asyncio.get_running_loop().call_soon(lambda: tasks.append(asyncio.ensure_future(beside())))

    tasks: list[asyncio.Future[None]] = []
    shared.open.add(thing)
    shared.run(work())
    shared.shut_down()
    assert thing.closed_after == "the rest"


FORKED = """
import asyncio, os
from witnessmark.core.concurrency.background_loop import run_sync

async def loop():
    return asyncio.get_running_loop()

before = run_sync(loop())
child = os.fork()
if child == 0:
    os._exit(3 if run_sync(loop()) is not before else 4)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), run_sync(loop()) is before)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_child_gets_a_loop_of_its_own():
    done = subprocess.run([sys.executable, "-c", FORKED], capture_output=True, text=True, timeout=120, check=True)
    assert (done.stdout, done.stderr) == ("3 True\n", "")


TIMER = """
import asyncio, threading
from witnessmark.core.concurrency.background_loop import keep_running, run_sync

rang = threading.Event()

async def work():
    asyncio.get_running_loop().call_later(0.001, rang.set)
    keep_running()

run_sync(work())
print(rang.wait(100))
"""


def test_a_timer_that_needs_the_loop_rings_after_the_call():
    done = subprocess.run([sys.executable, "-c", TIMER], capture_output=True, text=True, timeout=120, check=True)
    assert (done.stdout, done.stderr) == ("True\n", "")


def test_one_loop_serves_all_calls_of_a_process():
    async def loop():
        return asyncio.get_running_loop()

    assert run_sync(loop()) is run_sync(loop())
