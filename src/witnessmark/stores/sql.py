"""Records in an SQL database: one set of tables and statements, written once with `?` for a parameter.

Each store has one connection and one thread that uses it, so that callers never wait on each other's event loop and
writes of one process go in order. What differs between databases is behind `Database`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol, TypeVar

from witnessmark.core.errors import SeveralRecordsError, StoreError, UnfitError, UnknownNameError
from witnessmark.core.record import Entry, Query, Record, Summary
from witnessmark.core.tallies import LabelledVerification, RunKey, RunSums, RunTally, TallyMark
from witnessmark.core.verdict import Usage
from witnessmark.stores import purges, rows
from witnessmark.stores.migrations import MIGRATIONS, migrate
from witnessmark.stores.rollups import read as counted
from witnessmark.stores.rollups import update

T = TypeVar("T")
PAGE = 500


class Database(Protocol):
    """An open connection: every call happens in the store's own thread."""

    dialect: str

    def execute(self, sql: str, parameters: tuple[Any, ...] = (), /) -> list[tuple[Any, ...]]:
        """Run one statement and return its rows."""
        ...

    def insert(self, table: str, columns: Sequence[str], values: Sequence[rows.Row]) -> int:
        """Insert rows; one whose key is there already is left as it is. Says how many were new."""
        ...

    def many(self, sql: str, values: Sequence[rows.Row], /) -> None:
        """Run one statement for each row of values."""
        ...

    lower: str
    """SQL that puts a text of any language into lower case, each sigma into one; `{}` stands for the text."""

    skip_locked: str
    """What a SELECT ends with that takes rows to change them, and leaves those that somebody else has in hand."""

    def begin(self, *, alone: bool = False) -> None:
        """Start a transaction that writes; `alone`: nobody else migrates meanwhile."""
        ...

    def commit(self) -> None:
        """Make it last."""
        ...

    def rollback(self) -> None:
        """Undo it."""
        ...

    def lost(self) -> bool:
        """Whether the connection is gone for good."""
        ...

    def close(self) -> None:
        """Let go."""
        ...


class SqlStore:
    """A store on a database. It opens on first use."""

    def __init__(
        self,
        connect: Callable[[], Database],
        errors: type[Exception],
        unfit: type[Exception],
        there: Callable[[], bool] = lambda: True,
    ) -> None:
        """`errors` is what the driver raises, `unfit` what it raises of a value that a column does not hold."""
        self._connect, self._errors, self._unfit, self._there = connect, errors, unfit, there
        self._db: Database | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="witnessmark-store")

    async def _do(self, work: Callable[[Database], T]) -> T:
        """Do the work in the store's thread. It is finished even when the caller is cancelled: never half a write."""
        loop = asyncio.get_running_loop()
        return await asyncio.shield(loop.run_in_executor(self._thread, self._guarded, work))

    def _guarded(self, work: Callable[[Database], T]) -> T:
        """Do the work; what the driver raises is a StoreError, and a lost connection is opened anew next time."""
        try:
            return work(self._open())
        except (OverflowError, self._unfit) as exc:
            raise UnfitError(f"the store does not take a value in this: {_said(exc)}") from exc
        except self._errors as exc:
            if self._db is not None and self._db.lost():
                self._db = None
            raise StoreError(f"the store failed: {_said(exc)}; `witnessmark doctor` checks it") from exc

    def _open(self) -> Database:
        if self._db is None:
            db = self._connect()
            transact(db, migrate, alone=True)
            self._db = db
        return self._db

    async def migration_state(self) -> tuple[list[str], list[str]]:
        """The steps of the schema that were run here, and those that this version would run on opening; runs none."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, self._steps)

    def _steps(self) -> tuple[list[str], list[str]]:
        done = self._done() if self._there() else []  # to connect to a file would make it
        return done, [step.__name__ for step in MIGRATIONS if step.__name__ not in done]

    def _done(self) -> list[str]:
        db = self._connect()
        try:
            return [str(name) for (name,) in db.execute("SELECT name FROM witnessmark_migrations ORDER BY name")]
        except self._errors:
            return []  # nothing was ever kept here
        finally:
            db.close()

    async def migrate(self) -> None:
        """Open the store, which runs the steps that are missing."""
        await self._do(lambda _: None)

    async def append(self, entries: Sequence[Entry]) -> None:
        """Keep these records and their runs, all or none, committed when this returns."""
        await self._do(lambda db: _appended(db, entries))

    async def transact(self, work: Callable[[Database], T]) -> T:
        """Do this in one transaction that writes, committed when this returns; `keep` adds records to it."""
        return await self._do(lambda db: transact(db, work))

    async def read(self, work: Callable[[Database], T]) -> T:
        """Do this in the store's thread, outside of any transaction of ours."""
        return await self._do(work)

    async def get(self, record_id: str, workspace: str | None = None) -> Entry:
        """The record with this id or unique beginning of one."""
        return await self._do(lambda db: _get(db, record_id, workspace))

    async def find(self, query: Query) -> Sequence[Summary]:
        """Summaries, newest first."""
        return await self._do(lambda db: _find(db, query))

    async def scan(self, workspace: str | None = None) -> AsyncIterator[Entry]:
        """Every record and tombstone, oldest first, a page at a time."""
        after: tuple[float, str, str] = (float("-inf"), "", "")
        while True:
            page = await self._do(lambda db, after=after: _page(db, workspace, after))  # type: ignore[misc]
            for entry, key in page:
                after = key
                yield entry
            if len(page) < PAGE:
                return

    async def purge(self, *, before: float | None = None, workspace: str | None = None) -> int:
        """Leave tombstones of what is old, or of a whole workspace."""
        return await self._do(lambda db: transact(db, lambda db: purges.purge(db, before, workspace)))

    async def children(self, record_id: str) -> Sequence[Record]:
        """The records whose parent this one is, oldest first."""
        sql = "SELECT body FROM records WHERE parent = ? AND body IS NOT NULL ORDER BY first_at, id"
        found = await self._do(lambda db: db.execute(sql, (record_id,)))
        return [Record.from_json(body.encode()) for (body,) in found]

    async def recall(self, namespace: str, key: str) -> bytes | None:
        """What was remembered under the key, or None."""
        sql = "SELECT body FROM notes WHERE shelf = ? AND key = ?"
        found = await self._do(lambda db: db.execute(sql, (namespace, key)))
        return found[0][0].encode() if found else None

    async def remember(self, namespace: str, key: str, body: bytes) -> None:
        """Keep this under the key, in place of what was there."""
        await self.transact(lambda db: remember(db, namespace, key, body))

    async def amend(self, namespace: str, key: str, change: Callable[[bytes | None], bytes]) -> bytes | None:
        """Keep what `change` makes of the note, and give what was there; of several at once each sees the one before it."""
        return await self.transact(lambda db: _amend(db, namespace, key, change))

    async def spent_since(self, at: float) -> Usage:
        """What all runs since then cost together; a run of unknown price adds no dollars."""
        sql = "SELECT coalesce(sum(judge_calls), 0), coalesce(sum(tokens), 0), coalesce(sum(cost_usd), 0.0) FROM runs WHERE at >= ?"
        ((calls, tokens, usd),) = await self._do(lambda db: db.execute(sql, (at,)))
        return Usage(judge_calls=int(calls), tokens=int(tokens), cost_usd=float(usd))

    async def run_tallies(
        self,
        workspace: str,
        since: float | None = None,
        until: float | None = None,
        *,
        by: Sequence[str] = RunKey._fields[1:],
        sums: Sequence[str] = RunSums._fields,
    ) -> Sequence[RunTally]:
        """The runs of these days, counted by these parts of the key; the other parts, and sums not asked for, are empty."""
        return await self._do(lambda db: counted.run_tallies(db, workspace, since, until, by, sums))

    async def marks(
        self,
        workspace: str,
        measures: Sequence[str],
        since: float | None = None,
        until: float | None = None,
        *,
        by_bucket: bool = False,
    ) -> Sequence[TallyMark]:
        """These measures over these days, counted; buckets are 0 unless asked for."""
        return await self._do(lambda db: counted.marks(db, workspace, measures, since, until, by_bucket))

    async def labelled(
        self, workspace: str, since: float | None = None, until: float | None = None
    ) -> Sequence[LabelledVerification]:
        """Every verification that a person or the world said something about, oldest first."""
        return await self._do(lambda db: counted.labelled(db, workspace, since, until))

    async def workspaces(self) -> Sequence[str]:
        """The workspaces that have anything counted."""
        return await self._do(counted.workspaces)

    async def recall_all(self, namespace: str) -> Sequence[tuple[str, bytes]]:
        """Everything remembered in a namespace, newest first."""
        sql = "SELECT key, body FROM notes WHERE shelf = ? ORDER BY at DESC, key"
        found = await self._do(lambda db: db.execute(sql, (namespace,)))
        return [(key, body.encode()) for key, body in found]

    async def close(self) -> None:
        """Finish what is under way and close the connection."""
        if self._db is not None:
            await self._do(lambda db: db.close())
            self._db = None
        self._thread.shutdown(wait=True)


def _said(exc: Exception) -> str:
    return str(exc).strip().partition("\n")[0]


def transact(db: Database, work: Callable[[Database], T], *, alone: bool = False) -> T:
    """Do the work in one transaction: all of it lasts, or nothing; `alone` shuts other processes out meanwhile."""
    db.begin(alone=alone)
    try:
        done = work(db)
        db.commit()
    except BaseException:
        db.rollback()
        raise
    return done


class RepeatedError(Exception):
    """A run that is there already came again, or a record that was purged: what is new has to be found out row by row."""


def _appended(db: Database, entries: Sequence[Entry]) -> None:
    try:
        transact(db, lambda db: keep(db, entries))
    except RepeatedError:
        transact(db, lambda db: keep(db, entries, careful=True))


_MADE_BEFORE = (
    "UPDATE records SET first_at = coalesce((SELECT min(u.at) FROM runs u WHERE u.workspace = records.workspace AND "
    f"u.record_id = records.id AND {rows.COUNTED_RUN.format('u')}), first_at) "
    "WHERE workspace = ? AND id = ? AND first_at > ? AND body IS NOT NULL"
)
"""A run that was kept after others may have been made before them, as one that was taken in from elsewhere."""


def keep(db: Database, entries: Sequence[Entry], *, careful: bool = False) -> None:
    """Keep records, runs and cases inside the caller's transaction; on RepeatedError do all of it again with care.

    The counts change with them: what else than new runs may change is counted before and after.
    """
    apart = update.touched(db, entries)
    if careful:
        apart |= {(entry.workspace, entry.id) for entry in entries}
    before = update.stored_counts(db, apart)
    new = db.insert("records", rows.RECORD_COLUMNS, [rows.record_row(entry) for entry in entries])
    gone = update.tombstones(db, entries) if new != len(entries) else set()
    if gone and not careful:
        raise RepeatedError
    gone -= purges.revive(db, entries, gone)
    runs = [row for entry in entries for row in rows.run_rows(entry)]
    if db.insert("runs", rows.RUN_COLUMNS, runs) != len(runs) and not careful:
        raise RepeatedError
    if new != len(entries):
        db.many(_MADE_BEFORE, [(e.workspace, e.id, rows.first_at(e)) for e in entries if e.record is not None])
    there = (entry for entry in entries if (entry.workspace, entry.id) not in gone)
    cases = [row for entry in there if (row := rows.case_row(entry)) is not None]
    if cases:
        db.insert("cases", rows.CASE_COLUMNS, cases)
    counts = update.fresh(entries, apart | gone)
    counts.add(update.stored_counts(db, apart).less(before))
    update.write(db, counts)


def remember(db: Database, namespace: str, key: str, body: bytes) -> None:
    """Keep a note inside the caller's transaction, in place of what was there."""
    sql = (
        "INSERT INTO notes (shelf, key, at, body) VALUES (?, ?, ?, ?) "
        "ON CONFLICT (shelf, key) DO UPDATE SET at = excluded.at, body = excluded.body"
    )
    db.execute(sql, (namespace, key, time.time(), body.decode()))


def note_to_change(db: Database, namespace: str, key: str) -> bytes | None:
    """The note as it stands, or None; whoever else would change it waits until the caller's transaction has ended."""
    alone = " FOR UPDATE" if db.dialect == "postgresql" else ""
    found = db.execute(f"SELECT body FROM notes WHERE shelf = ? AND key = ?{alone}", (namespace, key))
    return found[0][0].encode() if found else None


def _amend(db: Database, namespace: str, key: str, change: Callable[[bytes | None], bytes]) -> bytes | None:
    # A note that is not there cannot be locked: an empty one is put there first, and a second writer of it waits.
    is_new = db.insert("notes", ("shelf", "key", "at", "body"), [(namespace, key, time.time(), "")])
    found = note_to_change(db, namespace, key)
    was = None if is_new else found
    remember(db, namespace, key, change(was))
    return was


_ENTRY = (
    "SELECT r.workspace, r.id, r.parent, r.body, c.body, c.redacted, r.first_at FROM records r "
    "LEFT JOIN cases c ON c.workspace = r.workspace AND c.digest = r.case_digest"
)
_RUNS = f"SELECT {rows.RUN_READ} FROM runs"


def _entry(db: Database, row: Sequence[Any]) -> Entry:
    workspace, record_id, parent, body, case, redacted, _ = row
    sql = f"{_RUNS} WHERE workspace = ? AND record_id = ? ORDER BY at, id"
    runs = db.execute(sql, (workspace, record_id))
    return Entry(
        record_id,
        workspace,
        rows.record_from(body),
        tuple(rows.run_from(run) for run in runs),
        None if case is None else case.encode(),
        bool(redacted),
        parent,
    )


def _get(db: Database, record_id: str, workspace: str | None) -> Entry:
    # A range instead of LIKE: it uses the index on both databases and needs no escaping.
    where = " WHERE r.id >= ? AND r.id < ?" + ("" if workspace is None else " AND r.workspace = ?")
    bounds = (record_id, record_id + "\U0010ffff") + (() if workspace is None else (workspace,))
    known = record_id and "\0" not in record_id  # which PostgreSQL takes for no text
    found = db.execute(_ENTRY + where + " ORDER BY r.id LIMIT 2", bounds) if known else []
    if not found:
        raise UnknownNameError("record", record_id, (), "; `witnessmark records` lists them")
    if len(found) > 1 and found[0][1] != found[1][1] and found[0][1] != record_id:
        raise SeveralRecordsError(f"several ids begin with {record_id!r}; give more characters")
    return _entry(db, found[0])


def _find(db: Database, query: Query) -> list[Summary]:
    asked = {
        f"r.{name} = ?": getattr(query, name)
        for name in ("workspace", "checkpoint", "outcome", "action", "case_id")
        if getattr(query, name) is not None
    }
    asked |= {"u.at >= ?": query.since} if query.since is not None else {}
    asked |= {"u.at < ?": query.until} if query.until is not None else {}
    sql = (
        "SELECT r.id, r.workspace, r.case_id, r.checkpoint, r.outcome, r.action, r.score, r.coverage, r.reason, "
        "u.at, u.runs FROM records r JOIN (SELECT workspace, record_id, max(at) AS at, count(*) AS runs FROM runs "
        f"WHERE {rows.COUNTED_RUN.format('runs')} GROUP BY workspace, record_id) u ON u.workspace = r.workspace AND u.record_id = r.id WHERE "
        f"{' AND '.join(['r.body IS NOT NULL', *asked])} ORDER BY u.at DESC, r.id DESC LIMIT ?"
    )
    return [Summary(*row) for row in db.execute(sql, (*asked.values(), query.limit))]


def _page(
    db: Database, workspace: str | None, after: tuple[float, str, str]
) -> list[tuple[Entry, tuple[float, str, str]]]:
    first, space, record_id = after
    where = " WHERE (r.first_at > ? OR (r.first_at = ? AND (r.workspace > ? OR (r.workspace = ? AND r.id > ?))))"
    values: tuple[Any, ...] = (first, first, space, space, record_id)
    if workspace is not None:
        where, values = where + " AND r.workspace = ?", (*values, workspace)
    found = db.execute(f"{_ENTRY}{where} ORDER BY r.first_at, r.workspace, r.id LIMIT {PAGE}", values)
    return [(_entry(db, row), (row[6], row[0], row[1])) for row in found]
