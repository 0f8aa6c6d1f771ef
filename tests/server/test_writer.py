"""Group commit: short writes share a transaction, long ones have their own, and nobody waits for more than one of those."""

from __future__ import annotations

import asyncio

import pytest

from witnessmark.server.state import AUDIT_COLUMNS
from witnessmark.server.writer import LONG, Write, Writer
from witnessmark.stores.sqlite import sqlite_store


def line(name: str, workspace: str, size: int = 0) -> Write:
    """One line of the audit log, as long as asked for."""
    row = (name, workspace, 0.0, "w", "x" * size, name)
    return Write(rows=(("audit_log", AUDIT_COLUMNS, row),), workspace=workspace)


@pytest.fixture
def groups(tmp_path):
    """Keeps writes that come at once, and says which went into one transaction."""

    def kept(*writes: Write) -> list[list[str]]:
        async def go() -> list[list[str]]:
            store = sqlite_store(str(tmp_path / "w.db"))
            await store.migrate()
            found: list[list[str]] = []
            transact = store.transact

            async def watched(work):
                found.append([write.rows[0][2][0] for write in work.keywords["writes"]])
                return await transact(work)

            store.transact = watched
            writer = Writer(store)
            await asyncio.gather(*(writer.keep(write) for write in writes))
            rows = await store.read(lambda db: db.execute("SELECT count(*) FROM audit_log"))
            assert rows == [(len(writes),)]
            await store.close()
            return found

        return asyncio.run(go())

    return kept


def test_short_writes_share_a_transaction(groups):
    assert groups(*(line(f"s{n}", "a") for n in range(5))) == [["s0", "s1", "s2", "s3", "s4"]]


def test_who_asks_a_turn_later_comes_along(tmp_path):
    async def go() -> list[int]:
        store = sqlite_store(str(tmp_path / "w.db"))
        await store.migrate()
        writer, sizes, transact = Writer(store), [], store.transact

        async def watched(work):
            sizes.append(len(work.keywords["writes"]))
            return await transact(work)

        async def after(turns: int) -> None:
            for _ in range(turns):
                await asyncio.sleep(0)
            await writer.keep(line(f"s{turns}", "a"))

        store.transact = watched
        await asyncio.gather(*map(after, range(4)))
        await store.close()
        return sizes

    assert asyncio.run(go()) == [4]


def test_a_long_write_does_not_hold_up_short_ones(groups):
    long = [line(f"long{n}", "hostile", LONG) for n in range(3)]
    assert groups(*long, line("short", "other")) == [["short"], ["long0"], ["long1"], ["long2"]]


def test_long_writes_of_workspaces_take_turns(groups):
    many = [line(f"h{n}", "hostile", LONG) for n in range(3)]
    assert groups(*many, line("other", "other", LONG)) == [["h0"], ["other"], ["h1"], ["h2"]]
