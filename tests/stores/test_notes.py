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
