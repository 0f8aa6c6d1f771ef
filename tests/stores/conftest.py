"""A new store for each test."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from witnessmark.stores import open_store


@pytest.fixture
def sqlite_url(tmp_path: Any) -> str:
    """A new store in a file."""
    return f"sqlite:///{tmp_path}/records.db"


def on_store(url: str, work: Any, *entries: Any) -> Any:
    """What the work says of a store that holds these entries; the store is closed after it."""

    async def main() -> Any:
        store = open_store(url)
        try:
            if entries:
                await store.append(list(entries))
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(main())
