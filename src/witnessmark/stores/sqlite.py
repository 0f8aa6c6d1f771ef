"""SQLite: a file in WAL mode.

A commit survives a crash of the process; a power cut may take the last commits with it, never what came before and never the
file's integrity (synchronous=NORMAL).
"""

from __future__ import annotations

import functools
import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from witnessmark.core.errors import ConfigError, StoreError
from witnessmark.core.registry import store
from witnessmark.stores.rows import Row
from witnessmark.stores.sql import SqlStore

BUSY_MS = 60_000
AGAIN_S = 0.02
"""How long to wait before a file is asked for again that another process is about to write."""
ROWS = 32


class Sqlite:
    """One connection to a SQLite file."""

    skip_locked = ""
    dialect = "sqlite"
    lower = "in_lower_case({})"  # its own function knows the letters of ASCII only

    def __init__(self, path: str) -> None:
        self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._db.create_function("in_lower_case", 1, _in_lower_case, deterministic=True)
        self._db.execute(f"PRAGMA busy_timeout={BUSY_MS}")
        self._into_wal()
        self._db.execute("PRAGMA synchronous=NORMAL")
        # Ids are digests, so every write touches pages all over: keep many at hand, and write them back less often.
        self._db.execute("PRAGMA cache_size=-32000")
        self._db.execute("PRAGMA wal_autocheckpoint=4000")

    def _into_wal(self) -> None:
        """Switch the file to WAL; where somebody is about to write it, SQLite refuses at once, whatever the busy timeout says, so that waiting is ours."""
        until = time.monotonic() + BUSY_MS / 1000
        while True:
            try:
                self._db.execute("PRAGMA journal_mode=WAL")
                return
            except sqlite3.OperationalError as exc:
                if exc.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                    raise
            time.sleep(AGAIN_S)

    def execute(self, sql: str, parameters: tuple[Any, ...] = (), /) -> list[tuple[Any, ...]]:
        """Run one statement and return its rows."""
        return self._db.execute(sql, parameters).fetchall()

    def insert(self, table: str, columns: Sequence[str], values: Sequence[Row]) -> int:
        """Insert rows; one whose key is there already is left as it is. Says how many were new."""
        # Many rows to a statement: between statements another thread may run, and a busy one is slow to give the turn
        # back. Few sizes, so that each statement is prepared once.
        start, size, most, new = 0, ROWS, len(values), 0
        while start < most:
            while size > most - start:
                size //= 2
            part = values[start : start + size]
            new += self._db.execute(
                _insert(table, tuple(columns), size), [cell for row in part for cell in row]
            ).rowcount
            start += size
        return new

    def many(self, sql: str, values: Sequence[Row], /) -> None:
        """Run one statement for each row of values."""
        self._db.executemany(sql, values)

    def begin(self, *, alone: bool = False) -> None:  # noqa: ARG002 - a writing transaction is alone on SQLite
        """Take the write lock now, so that nothing can fail for want of it later."""
        self._db.execute("BEGIN IMMEDIATE")

    def commit(self) -> None:
        """Make it last."""
        self._db.execute("COMMIT")

    def rollback(self) -> None:
        """Undo it."""
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")

    def lost(self) -> bool:
        """A file does not go away."""
        return False

    def close(self) -> None:
        """Let go."""
        self._db.close()


def _in_lower_case(text: str | None) -> str | None:
    return text and text.lower().replace("ς", "σ")


@functools.lru_cache(maxsize=256)
def _insert(table: str, columns: tuple[str, ...], rows: int) -> str:
    marks = f"({', '.join('?' * len(columns))})"
    return f"INSERT OR IGNORE INTO {table} ({', '.join(columns)}) VALUES {', '.join([marks] * rows)}"


@store("sqlite")
def sqlite_by_url(url: str) -> SqlStore:
    """The store of a URL sqlite:///path."""
    path = url.removeprefix("sqlite:")
    if not path.startswith("///"):
        raise ConfigError(f"store {url!r}: write sqlite:///relative/path or sqlite:////absolute/path")
    return sqlite_store(path[3:])


def sqlite_store(path: str) -> SqlStore:
    """A store in a file; its folder is made where it is missing."""

    def connect() -> Sqlite:
        file = Path(path).expanduser()
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            return Sqlite(str(file))
        except (OSError, sqlite3.Error) as exc:
            raise StoreError(f"store {path!r} cannot be opened ({exc}); give another place with --store") from None

    return SqlStore(connect, sqlite3.Error, sqlite3.DataError, there=Path(path).expanduser().exists)
