"""The service on any store: records are kept there, and an index in SQLite beside it serves lists, counts, keys and jobs.

A SQLite or PostgreSQL store is its own index. The index is filled from the store when the service starts.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from witnessmark.core.errors import ConfigError
from witnessmark.core.record import Entry, Store
from witnessmark.core.values import text_digest
from witnessmark.stores import default_url, open_store
from witnessmark.stores.sql import Database, SqlStore
from witnessmark.stores.sqlite import sqlite_store

T = TypeVar("T")
CHUNK = 500
APPEND_S = 60.0
"""How long the store may take to keep a group of records before the request fails."""


def open_service_store(url: str) -> SqlStore:
    """The store of a service: the one of the URL where it is SQL, otherwise that one with an index.

    Raises ConfigError for `memory:`, which no second process and no restart would find again.
    """
    if url.partition(":")[0] == "memory":
        raise ConfigError(f"store {url!r}: the service needs a persistent store, such as SQLite or PostgreSQL")
    store = open_store(url)
    return store if isinstance(store, SqlStore) else IndexedStore(store, index_path(url))


def index_path(url: str) -> str:
    """Where the index of a store lies: in the user's data folder, by the digest of the URL."""
    return str(Path(default_url().removeprefix("sqlite:///")).with_name(f"index-{text_digest(url)[:16]}.db"))


class IndexedStore(SqlStore):
    """Keeps records in a store of any kind and in an index of ours; reads from the index."""

    def __init__(self, records: Store, path: str) -> None:
        index = sqlite_store(path)
        super().__init__(index._connect, index._errors, index._unfit)  # noqa: SLF001 - of our own kind
        self.records = records
        self._loop: asyncio.AbstractEventLoop | None = None

    async def fill(self) -> int:
        """Take over what the store holds; what is there already is kept once. Says how many records it holds."""
        chunk: list[Entry] = []
        count = 0
        async for entry in self.records.scan():
            if entry.record is None:
                continue
            chunk.append(entry)
            count += 1
            if len(chunk) >= CHUNK:
                await super().append(chunk)
                chunk = []
        if chunk:
            await super().append(chunk)
        return count

    async def append(self, entries: Sequence[Entry]) -> None:
        """Keep these in the store first, then in the index: what the index shows is kept."""
        await self.records.append(entries)
        await super().append(entries)

    async def transact(self, work: Callable[[Database], T]) -> T:
        """As of any SQL store; `append_beside` keeps the records of the transaction in the store."""
        self._loop = asyncio.get_running_loop()
        return await super().transact(work)

    def append_beside(self, entries: Sequence[Entry]) -> None:
        """Keep the records of a transaction under way in the store; called in the index's thread, before its commit."""
        assert self._loop is not None
        asyncio.run_coroutine_threadsafe(self.records.append(entries), self._loop).result(APPEND_S)

    async def purge(self, *, before: float | None = None, workspace: str | None = None) -> int:
        """Remove content in both."""
        await super().purge(before=before, workspace=workspace)
        return await self.records.purge(before=before, workspace=workspace)

    async def close(self) -> None:
        """Let go of both."""
        await super().close()
        await self.records.close()
