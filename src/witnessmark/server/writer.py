"""Group commit: what many requests want to keep goes into one transaction, and each is answered after its commit.

One writer to a process. While a transaction is under way the next requests gather, so the group grows with the load and a
lone request waits for nobody. A long write has a transaction of its own, one between two groups and workspaces in turn, so that
nobody waits for more than one of them. A write that cannot be kept fails alone. Knows nothing about HTTP.
"""

from __future__ import annotations

import asyncio
import functools
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec

from witnessmark.core.errors import StoreError, UsageError
from witnessmark.core.record import Entry
from witnessmark.stores.service_store import IndexedStore
from witnessmark.stores.sql import Database, RepeatedError, SqlStore, keep, note_to_change, remember

TableRow = tuple[str, tuple[str, ...], tuple[Any, ...]]
"""A table, its columns, and one row."""
CHANGED = "another request changed {} {} while this one was worked on, and nothing of this one was kept: send it again"
MOST = 256
LONG = 100_000
"""Bytes from which a write is long."""
SAID = 500
"""Bytes that one result, finding, claim or source in a record counts as."""
TRIES = 5
_AGAIN = frozenset({"40001", "40P01"})  # PostgreSQL: serialization failure, deadlock


class IdempotencyClaim(msgspec.Struct, frozen=True):
    """What only one may do: `take` does it, or gives what stands in its place.

    Where it comes to inserting a `row`, the rows of a group go in together; `take` is asked only where one is not new.
    """

    take: Callable[[Database], Any]
    row: TableRow | None = None


class NoteWrite(NamedTuple):
    """A namespace, a key, and what is remembered there from now on."""

    namespace: str
    key: str
    body: bytes
    was: bytes | None = None
    """What it was made from, and what must still stand there; None where it does not depend on it."""


class Write(msgspec.Struct, frozen=True):
    """What lasts together or not at all. The claim comes first: where it is taken, nothing else is written."""

    entries: tuple[Entry, ...] = ()
    rows: tuple[TableRow, ...] = ()
    claim: IdempotencyClaim | None = None
    workspace: str = ""
    notes: tuple[NoteWrite, ...] = ()
    ended: Callable[[], None] | None = None
    """Called once it was kept or could not be, also where nobody waits for it any more."""

    @property
    def is_long(self) -> bool:
        """Whether it takes a while to write: cases, and what records say about them."""
        size = 0
        for entry in self.entries:
            record = entry.record
            size += len(entry.case) if entry.case is not None else 0
            if record is not None:
                size += SAID * (len(record.results) + len(record.findings) + len(record.claims) + len(record.evidence))
        for _, _, row in self.rows:
            for cell in row:
                if type(cell) is str:
                    size += len(cell)
        return size + sum(len(note.body) for note in self.notes) > LONG


Waiting = tuple[Write, asyncio.Future[Any]]


class Writer:
    """Writes groups, one after the other."""

    def __init__(self, store: SqlStore, committed: Callable[[], None] | None = None) -> None:
        self._store, self._committed = store, committed
        self._waiting: list[Waiting] = []
        self._long: OrderedDict[str, deque[Waiting]] = OrderedDict()
        self._task: asyncio.Task[None] | None = None

    async def keep(self, write: Write) -> Any:
        """Committed when this returns; what stood already where the claim was taken, or None."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Any] = loop.create_future()
        if write.is_long:
            self._long.setdefault(write.workspace, deque()).append((write, future))
        else:
            self._waiting.append((write, future))
        if self._task is None:
            self._task = loop.create_task(self._drain())
        return await future

    async def finish(self) -> None:
        """Wait until all is written that was asked for."""
        while self._task is not None:
            await asyncio.wait([self._task])

    async def _drain(self) -> None:
        try:
            while self._waiting or self._long:
                if self._waiting:
                    await self._gathered()
                    group, self._waiting = self._waiting[:MOST], self._waiting[MOST:]
                    await self._commit(group)
                if self._long:
                    await self._commit([self._next_long()])
        finally:
            self._task = None

    async def _gathered(self) -> None:
        """Let those come along who are about to ask: as long as each turn of the loop brings more, up to a full group."""
        before = 0
        while before < len(self._waiting) < MOST:
            before = len(self._waiting)
            await asyncio.sleep(0)

    def _next_long(self) -> Waiting:
        workspace, queue = self._long.popitem(last=False)
        found = queue.popleft()
        if queue:
            self._long[workspace] = queue  # at the end: the others come first
        return found

    async def _commit(self, group: Sequence[Waiting]) -> None:
        answers, fault = await self._tried([write for write, _ in group])
        if fault is not None and len(group) > 1:
            for one in group:
                await self._commit([one])
            return
        for number, (write, future) in enumerate(group):
            if fault is None and answers[number] is None and write.entries and self._committed is not None:
                self._committed()
            if write.ended is not None:
                write.ended()
            if future.done():
                continue
            if fault is not None:
                future.set_exception(fault)
            else:
                future.set_result(answers[number])

    async def _tried(self, writes: Sequence[Write]) -> tuple[list[Any], BaseException | None]:
        """The answers, or what went wrong: looked at and not raised, since many wait for it."""
        fault: BaseException | None = None
        careful = False
        beside = self._store.append_beside if isinstance(self._store, IndexedStore) else None
        for _ in range(TRIES):
            work = asyncio.ensure_future(
                self._store.transact(functools.partial(kept, writes=writes, careful=careful, beside=beside))
            )
            await asyncio.wait([work])
            fault = work.exception()
            if fault is None:
                return work.result(), None
            if isinstance(fault, RepeatedError):
                careful = True
            elif not isinstance(fault, StoreError) or getattr(fault.__cause__, "sqlstate", None) not in _AGAIN:
                break
        return [], fault


def kept(
    db: Database,
    writes: Sequence[Write],
    careful: bool = False,
    beside: Callable[[Sequence[Entry]], None] | None = None,
) -> list[Any]:
    """Write the group inside the caller's transaction, in one order everywhere, so that two writers never wait in a ring.

    UsageError where a note was changed since it was read: then nothing is written.
    """
    answers = [_stands(db, write.claim, careful) for write in writes]
    claimed = [] if careful else [write.claim.row for write in writes if write.claim and write.claim.row]
    if _inserted(db, claimed) != len(claimed):
        raise RepeatedError
    going = [write for write, answer in zip(writes, answers, strict=True) if answer is None]
    notes = sorted((note for write in going for note in write.notes), key=lambda note: (note.namespace, note.key))
    for note in notes:
        if note.was is not None and note_to_change(db, note.namespace, note.key) != note.was:
            raise UsageError(CHANGED.format(note.namespace, note.key))
    entries = [entry for write in going for entry in write.entries]
    if entries:
        keep(db, sorted(entries, key=_order), careful=careful)
        if beside is not None:
            beside(entries)
    _inserted(db, [row for write in going for row in write.rows])
    for note in notes:
        remember(db, note.namespace, note.key, note.body)
    return answers


def _stands(db: Database, claim: IdempotencyClaim | None, careful: bool) -> Any:
    """What stands in the claim's place, or None where it could be taken."""
    return None if claim is None or (claim.row and not careful) else claim.take(db)


def _inserted(db: Database, given: Sequence[TableRow]) -> int:
    """Insert rows, those of one table together; says how many were new."""
    tables: dict[tuple[str, tuple[str, ...]], list[tuple[Any, ...]]] = {}
    for table, columns, row in given:
        tables.setdefault((table, columns), []).append(row)
    return sum(db.insert(table, columns, rows) for (table, columns), rows in tables.items())


def _order(entry: Entry) -> tuple[str, str, str]:
    return entry.workspace, entry.record.case_digest if entry.record else "", entry.id
