"""What only holds for databases: migrations that keep old data, many writers at once, crashes, wrong URLs."""

from __future__ import annotations

import asyncio
import random
import signal
import sqlite3
import subprocess
import textwrap
import threading

import pytest

from witnessmark.core.errors import ConfigError, StoreError, UnfitError
from witnessmark.core.record import Query
from witnessmark.stores import open_store
from witnessmark.stores.audit import audit
from witnessmark.stores.migrations import MIGRATIONS, migrate
from witnessmark.stores.sql import transact
from witnessmark.stores.sqlite import Sqlite
from witnessmark.testing.records import entry, made

from .conftest import on_store  # type: ignore[import-not-found]


@pytest.fixture(params=["sqlite", "postgres"])
def url(request, tmp_path):
    return request.getfixturevalue("postgres_url") if request.param == "postgres" else f"sqlite:///{tmp_path}/s.db"


def database(url):
    if url.startswith("sqlite"):
        return Sqlite(url.removeprefix("sqlite:///"))
    from witnessmark.stores.postgres import Postgres

    return Postgres(url)


def test_migrations_run_once_each_and_keep_old_data(url):
    db = database(url)
    assert transact(db, lambda d: migrate(d, MIGRATIONS[:1])) == ["m001_records_and_runs"]
    db.begin()
    db.execute("INSERT INTO records (workspace, id, outcome, first_at) VALUES (?, ?, ?, ?)", ("w", "old", "pass", 1.0))
    db.commit()
    assert transact(db, migrate) == [step.__name__ for step in MIGRATIONS[1:]]
    assert transact(db, migrate) == []
    assert db.execute("SELECT id, outcome FROM records") == [("old", "pass")]
    db.close()


def test_a_migration_that_breaks_leaves_nothing_half_done(url):
    def m999_broken(db):
        db.execute("CREATE TABLE half (a TEXT)")
        raise RuntimeError("on purpose")

    db = database(url)
    with pytest.raises(RuntimeError):
        transact(db, lambda d: migrate(d, [*MIGRATIONS, m999_broken]), alone=True)
    assert transact(db, migrate) == [step.__name__ for step in MIGRATIONS]
    with pytest.raises(Exception):  # noqa: B017 - the driver's own
        db.execute("SELECT * FROM half")
    db.close()


@pytest.mark.parametrize(
    ("url", "error", "complaint"),
    [
        ("mysql://x", ConfigError, "write sqlite:///path, postgresql://"),
        ("sqlite:/x", ConfigError, "write sqlite:///relative/path"),
        ("sqlite:////proc/nowhere/s.db", StoreError, "cannot be opened"),
        ("postgresql://user:hunter2@127.0.0.1:1/db", StoreError, "cannot be reached"),
    ],
)
def test_a_wrong_url_is_refused_without_its_password(url, error, complaint):
    async def use():
        store = open_store(url)
        try:
            await store.find(Query())
        finally:
            await store.close()

    with pytest.raises(error) as refused:
        asyncio.run(use())
    assert complaint in str(refused.value)
    assert "hunter2" not in str(refused.value)


def test_a_number_that_no_column_holds_is_told_from_a_store_that_is_away_and_leaves_nothing_behind(url):
    async def work(store):
        with pytest.raises(UnfitError, match="does not take a value"):
            await store.append([entry(made(), judge_calls=2**63)])
        await store.append([entry(made())])
        return len(await store.find(Query()))

    assert on_store(url, work) == 1


WRITER = textwrap.dedent(
    """
    import asyncio, sys
    from witnessmark import Case, Verifier
    url, name, count, batch = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])

    async def main():
        async with Verifier(store=url) as verifier:
            for start in range(0, count, batch):
                entries = []
                for n in range(start, start + batch):
                    case = Case(id=f"{name}-{n}", subject={"kind": "task_output", "text": f"{name} {n}"}, criteria=[{"check": "min_length", "value": 1}])
                    entries.append(await verifier.evaluate(case))
                await verifier.store.append(entries)
                for entry in entries:
                    print(entry.record.case_id, flush=False)
                sys.stdout.flush()

    asyncio.run(main())
    """
)


@pytest.fixture
def writer(warm):
    """Start a process that writes. One that is killed is gone when its output ends."""

    def start(url, name, count, batch):
        command = [*warm, "-c", WRITER, url, name, str(count), str(batch)]
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    return start


def kept(url):
    async def work():
        store = open_store(url)
        try:
            return [s.case_id for s in await store.find(Query(limit=1_000_000))], await audit(store)
        finally:
            await store.close()

    return asyncio.run(work())


def test_four_processes_at_once_lose_and_double_nothing(url, writer):
    """They also open the new, empty store at once, so the migrations race."""
    writers = [writer(url, f"w{n}", 200, 20) for n in range(4)]
    said = [name for process in writers for name in process.communicate()[0].split()]
    assert [process.returncode for process in writers] == [0, 0, 0, 0]
    ids, seen = kept(url)
    assert sorted(ids) == sorted(said) == sorted(f"w{w}-{n}" for w in range(4) for n in range(200))
    assert seen.faults == []


def test_a_new_file_that_another_process_is_about_to_write_is_waited_for(tmp_path):
    """SQLite refuses to change the mode of such a file at once, and does not wait for the busy timeout."""
    file = tmp_path / "s.db"
    other = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    other.execute("CREATE TABLE theirs (x)")
    other.execute("BEGIN IMMEDIATE")
    ends = threading.Timer(0.3, lambda: other.execute("COMMIT"))
    ends.start()
    assert kept(f"sqlite:///{file}")[0] == []
    ends.join()
    other.close()


def test_killed_at_random_moments_nothing_that_was_acknowledged_is_lost(tmp_path, writer):
    url = f"sqlite:///{tmp_path}/s.db"
    chance = random.Random(20)
    acknowledged = set()
    for number in range(20):
        process = writer(url, f"k{number}", 100_000, 5)
        acknowledged |= {process.stdout.readline().strip() for _ in range(chance.randint(2, 20))}
        process.send_signal(signal.SIGKILL)
        # A line cut off by the kill was never acknowledged.
        acknowledged |= {
            line.strip() for line in process.stdout.read().splitlines(keepends=True) if line.endswith("\n")
        }
        process.wait()
        process.stdout.close()
    ids, seen = kept(url)
    assert len(acknowledged) > 20
    assert acknowledged <= set(ids)
    assert len(ids) == len(set(ids))
    assert seen.faults == []
    assert sqlite3.connect(f"{tmp_path}/s.db").execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_file_that_is_no_database_is_a_clear_word(tmp_path):
    (tmp_path / "s.db").write_text("this is not a database, " * 100)

    async def use():
        store = open_store(f"sqlite:///{tmp_path}/s.db")
        try:
            await store.find(Query())
        finally:
            await store.close()

    with pytest.raises(StoreError, match="file is not a database"):
        asyncio.run(use())


def test_a_server_that_hung_up_is_called_again(postgres_url):
    async def use():
        store, other = open_store(postgres_url), database(postgres_url)
        await store.find(Query())
        other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()"
        )
        other.close()
        with pytest.raises(StoreError, match="the store failed"):
            await store.find(Query())
        found = await store.find(Query())
        await store.close()
        return found

    assert asyncio.run(use()) == []
