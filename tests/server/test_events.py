"""GET /events: whoever listens is told what is kept from then on, each once, whichever process keeps it and however late."""

from __future__ import annotations

import asyncio
import json
import threading
import time

import pytest

from witnessmark.server.pages.site import Caller
from witnessmark.stores import open_store
from witnessmark.stores.sql import keep
from witnessmark.testing.records import DAY, NOON, entry, made

HERE = Caller("default", "admin", "local", keyless=True)


@pytest.fixture(params=["sqlite", "postgres"])
def url(request, tmp_path) -> str:
    return f"sqlite:///{tmp_path}/e.db" if request.param == "sqlite" else request.getfixturevalue("postgres_url")


class Listener:
    """One that listens in the application's loop until it has heard so many records."""

    def __init__(self, app, count):
        self.heard = []
        self._begun = threading.Event()
        self._done = asyncio.run_coroutine_threadsafe(self._listen(app.state.changes(HERE, {}), count), app.loop)
        self._begun.wait()

    async def _listen(self, events, count):
        async for event in events:
            if event.startswith(b"event: record"):
                self.heard.append(json.loads(event.partition(b"data: ")[2])["id"])
            self._begun.set()
            if len(self.heard) == count:
                return

    def all(self):
        self._done.result()
        return self.heard


@pytest.fixture
def app(within, url):
    return within(store=url)


def kept_elsewhere(app, *entries):
    """What another process keeps: it is committed without a word to this one."""

    async def keep_all():
        store = open_store(app.state.settings.store)
        await store.append(entries)
        await store.close()

    asyncio.run(keep_all())


def ids(entries):
    return [one.id for one in entries]


def test_of_many_that_are_kept_at_once_none_is_lost(app):
    many = [entry(made()) for _ in range(1_201)]
    listener = Listener(app, len(many))
    kept_elsewhere(app, *many)
    assert sorted(listener.all()) == sorted(ids(many))


def test_what_began_long_ago_and_is_kept_now_is_told(app):
    listener = Listener(app, 2)
    late, now = entry(made(), at=NOON), entry(made(), at=time.time())
    kept_elsewhere(app, now)
    kept_elsewhere(app, late)
    assert listener.all() == ids([now, late])


def test_what_was_kept_before_a_listener_came_is_not_told_to_it(app):
    before, between, after = (entry(made(), at=time.time()) for _ in range(3))
    kept_elsewhere(app, before)
    first = Listener(app, 2)
    kept_elsewhere(app, between)
    second = Listener(app, 1)
    kept_elsewhere(app, after)
    assert first.all() == ids([between, after])
    assert second.all() == ids([after])


def test_a_record_that_is_made_again_is_told_again_wherever_it_is_made(app, good):
    listener = Listener(app, 2)
    record = app.ask("POST", "/verify", good).json()["id"]
    assert app.ask("POST", "/verify", good).json()["id"] == record
    assert listener.all() == [record, record]


def test_what_another_writes_while_a_listener_comes_is_told_once_it_is_committed(within, postgres_url):
    app = within(store=postgres_url)
    writes, goes_on = threading.Event(), threading.Event()
    slow, quick = (
        entry(made()),
        entry(made(), at=NOON + DAY),
    )  # on days of their own, since counts of one day are locked

    def work(db):
        keep(db, [slow])
        writes.set()
        goes_on.wait()

    async def write():
        store = open_store(postgres_url)
        await store.transact(work)
        await store.close()

    writing = threading.Thread(target=lambda: asyncio.run(write()))
    writing.start()
    writes.wait()
    listener = Listener(app, 2)
    kept_elsewhere(app, quick)
    while listener.heard != [quick.id]:
        time.sleep(0.01)
    goes_on.set()
    writing.join()
    assert listener.all() == ids([quick, slow])
