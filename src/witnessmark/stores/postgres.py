"""PostgreSQL through psycopg, the extra `postgres`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from witnessmark.core.errors import ConfigError, StoreError
from witnessmark.core.registry import store
from witnessmark.stores import without_password
from witnessmark.stores.rows import Row
from witnessmark.stores.sql import SqlStore

_MIGRATION_LOCK = 7_255_418_002
_COLLATION = """SELECT collname FROM pg_collation c JOIN pg_database d ON d.datname = current_database()
    WHERE collname IN ('und-x-icu', 'pg_c_utf8', 'C.utf8') AND collencoding IN (-1, d.encoding)
    ORDER BY collname = 'und-x-icu' DESC, collname = 'pg_c_utf8' DESC LIMIT 1"""
"""One that knows the capitals of every language: the database's own may be C, which knows those of ASCII."""


class Postgres:
    """One connection to a PostgreSQL database."""

    skip_locked = " FOR UPDATE SKIP LOCKED"
    dialect = "postgresql"

    def __init__(self, url: str) -> None:
        import psycopg

        self._db = psycopg.connect(url, autocommit=True, connect_timeout=10)
        collation = "".join(f' COLLATE "{name}"' for (name,) in self.execute(_COLLATION))
        self.lower = f"replace(lower({{}}{collation}), 'ς', 'σ')"

    def execute(self, sql: str, parameters: tuple[Any, ...] = (), /) -> list[tuple[Any, ...]]:
        """Run one statement and return its rows."""
        cursor = self._db.execute(_marked(sql), parameters)
        return cursor.fetchall() if cursor.description else []

    def insert(self, table: str, columns: Sequence[str], values: Sequence[Row]) -> int:
        """Insert rows; one whose key is there already is left as it is. Says how many were new."""
        marks = ", ".join(["%s"] * len(columns))
        sql = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks}) ON CONFLICT DO NOTHING"
        with self._db.cursor() as cursor:
            cursor.executemany(sql, values)
            return cursor.rowcount

    def many(self, sql: str, values: Sequence[Row], /) -> None:
        """Run one statement for each row of values."""
        with self._db.cursor() as cursor:
            cursor.executemany(_marked(sql), values)

    def begin(self, *, alone: bool = False) -> None:
        """Start a transaction; `alone` waits until nobody else migrates."""
        self._db.execute("BEGIN")
        if alone:
            self._db.execute("SELECT pg_advisory_xact_lock(%s)", (_MIGRATION_LOCK,))

    def commit(self) -> None:
        """Make it last."""
        self._db.execute("COMMIT")

    def rollback(self) -> None:
        """Undo it."""
        if not self.lost():
            self._db.execute("ROLLBACK")

    def lost(self) -> bool:
        """Whether the server hung up."""
        return bool(self._db.closed or self._db.broken)

    def close(self) -> None:
        """Let go."""
        self._db.close()


def _marked(sql: str) -> str:
    return sql.replace("%", "%%").replace("?", "%s")


@store("postgres")
@store("postgresql")
def postgres_store(url: str) -> SqlStore:
    """A store in a PostgreSQL database."""
    try:
        import psycopg
    except ImportError:
        raise ConfigError("PostgreSQL needs the extra: pip install 'witnessmark[postgres]'") from None

    def connect() -> Postgres:
        try:
            return Postgres(url)
        except psycopg.OperationalError as exc:
            said = str(exc).strip().partition("\n")[0]
            raise StoreError(
                f"store {without_password(url)!r} cannot be reached ({said}); is it running, is the URL right?"
            ) from None

    return SqlStore(connect, psycopg.Error, psycopg.DataError)
