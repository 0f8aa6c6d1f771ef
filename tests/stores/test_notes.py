"""Notes: what is remembered between runs, on every store alike."""

from __future__ import annotations

import asyncio

import pytest

from witnessmark.core.protocols import Notes
from witnessmark.stores import open_store


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def url(request, tmp_path):
    if request.param == "postgres":
        return request.getfixturevalue("postgres_url")
    return "memory:" if request.param == "memory" else f"sqlite:///{tmp_path}/notes.db"


def one_more(was: bytes | None) -> bytes:
    return b"%d" % (int(was or b"0") + 1)


def test_a_note_that_two_change_at_once_has_what_both_put_there(url):
    """Each store has its own connection, as two processes have; a store in memory has none."""

    async def go():
        one = open_store(url)
        other = one if url == "memory:" else open_store(url)
        was = await asyncio.gather(*((one, other)[n % 2].amend("counts", "k", one_more) for n in range(40)))
        found = await one.recall("counts", "k")
        for store in {one, other}:
            await store.close()
        return was, found

    was, found = asyncio.run(go())
    assert found == b"40"
    assert sorted(int(each or b"0") for each in was) == list(range(40)), "each is told what it changed"


def test_a_note_whose_change_breaks_stays_as_it_was(url):
    def breaks(was):
        raise ValueError(was)

    async def go():
        store = open_store(url)
        await store.remember("counts", "k", b"1")
        for key in ("k", "other"):
            with pytest.raises(ValueError, match="1|None"):
                await store.amend("counts", key, breaks)
        found = await store.recall_all("counts")
        await store.close()
        return found

    assert asyncio.run(go()) == [("k", b"1")]


def test_notes_are_kept_replaced_and_apart_by_shelf(url):
    async def go():
        store = open_store(url)
        assert isinstance(store, Notes)
        await store.remember("answers", "k", '{"ü": "日本"}'.encode())
        await store.remember("answers", "k", b'{"a": 2}')
        await store.remember("qualifications", "k", '{"ü": "日本"}'.encode())
        found = [await store.recall(namespace, "k") for namespace in ("answers", "qualifications", "elsewhere")]
        await store.purge()
        left = [await store.recall(namespace, "k") for namespace in ("answers", "qualifications")]
        await store.close()
        return found, left

    found, left = asyncio.run(go())
    assert found == [b'{"a": 2}', '{"ü": "日本"}'.encode(), None]
    assert left == [None, '{"ü": "日本"}'.encode()], "a purge takes answers, which may repeat what was judged"
