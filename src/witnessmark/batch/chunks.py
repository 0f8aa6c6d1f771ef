"""Rows put into chunks, and rows that belong together put beside each other, without holding them in memory."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from witnessmark.batch.values import Chunk, Row

MOST_BYTES = 8 << 20


LEAST, SECONDS = 10, 2.0
"""The rows of a first chunk, and how long one is to take: what is under way is lost when a run is interrupted."""


class ChunkSize:
    """How many rows the next chunk has: as many as take about two seconds at the pace of the last one, at most `most`."""

    def __init__(self, most: int, *, fixed: bool = False) -> None:
        self.most, self.rows = most, most if fixed else min(LEAST, most)
        self._fixed, self._since = fixed, time.monotonic()

    def done(self, rows: int) -> None:
        """A chunk of so many rows is done."""
        now = time.monotonic()
        pace = rows / max(now - self._since, 1e-6)
        self._since = now
        if not self._fixed:
            # It grows step by step: the chunks that were handed out already do not say how long a larger one takes.
            self.rows = min(self.most, max(LEAST, min(int(pace * SECONDS), 4 * self.rows)))


def chunks(rows: Iterable[Row], size: ChunkSize, seen: Any) -> Iterator[Chunk]:
    """Chunks of at most `size` rows or so many bytes; rows of one group are never parted. `seen()` tells how far we are."""
    kept: list[Row] = []
    held = number = 0
    for row in rows:
        parts = bool(kept) and (row.group is None or row.group != kept[-1].group)
        if parts and (len(kept) >= size.rows or held >= MOST_BYTES):
            yield Chunk(number, tuple(kept), seen())
            kept, held, number = [], 0, number + 1
        kept.append(row)
        held += len(row.data)
    if kept:
        yield Chunk(number, tuple(kept), seen())


def skipped(rows: Iterable[Row], count: int) -> Iterator[Row]:
    """The rows after those that are done already."""
    return islice(rows, count, None)


def grouped(rows: Iterable[Row], path: str) -> Iterator[Row]:
    """Every row with the group it says it belongs to: the value at a dotted path of the case."""
    steps = path.split(".")
    for row in rows:
        found = None if row.problem else _value_at(row.data, steps)
        yield row if found is None else row._replace(group=found)


def _value_at(data: bytes, steps: list[str]) -> str | None:
    try:
        value = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    for step in steps:
        value = value.get(step) if isinstance(value, dict) else None
    return str(value) if isinstance(value, (str, int)) and str(value) else None


def gathered(rows: Iterable[Row], file: Path) -> Iterator[Row]:
    """The rows of each group together, at the place of its first row; kept in a file meanwhile, since there may be many."""
    file.unlink(missing_ok=True)
    db = sqlite3.connect(file, isolation_level=None)
    try:
        db.execute("PRAGMA journal_mode=OFF")
        db.execute("PRAGMA synchronous=OFF")
        db.execute("CREATE TABLE rows (number INTEGER PRIMARY KEY, place TEXT, data BLOB, problem TEXT, grp TEXT)")
        db.execute("BEGIN")
        db.executemany("INSERT INTO rows VALUES (?, ?, ?, ?, ?)", rows)
        db.execute("COMMIT")
        db.execute(
            "CREATE TABLE firsts AS SELECT grp, min(number) AS first FROM rows WHERE grp IS NOT NULL GROUP BY grp"
        )
        db.execute("CREATE UNIQUE INDEX by_group ON firsts (grp)")
        ordered = (
            "SELECT r.number, r.place, r.data, r.problem, r.grp FROM rows r LEFT JOIN firsts f ON f.grp = r.grp "
            "ORDER BY coalesce(f.first, r.number), r.number"
        )
        for row in db.execute(ordered):
            yield Row(*row)
    finally:
        db.close()
        file.unlink(missing_ok=True)
