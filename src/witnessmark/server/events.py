"""Who watches, and what they are told: one server-sent event for each record, whoever made it.

Records of this process are told at once; those of other processes are found by looking, for as long as anybody listens.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncIterator
from typing import Any

import msgspec

from witnessmark.core.errors import StoreError
from witnessmark.core.record import Entry
from witnessmark.stores.sql import Database, SqlStore

LOOK_S = 1.0
OVERLAP_S = 5.0
BEAT_S = 15.0
BACKLOG = 1000
_SQL = (
    "SELECT r.first_at, r.workspace, r.id, r.case_id, r.checkpoint, r.kind, r.outcome, r.action, r.score FROM records r "
    "WHERE r.workspace = ? AND r.first_at >= ? AND r.body IS NOT NULL ORDER BY r.first_at LIMIT 500"
)


class RecordEvents:
    """Tells listeners of a workspace about its records."""

    def __init__(self, store: SqlStore) -> None:
        self._store = store
        self._listeners: set[tuple[str, asyncio.Queue[bytes | None]]] = set()
        self._told: OrderedDict[str, None] = OrderedDict()
        self._looking: asyncio.Task[None] | None = None
        self._over = False

    @property
    def listened(self) -> bool:
        """Whether anybody listens."""
        return bool(self._listeners)

    def tell(self, entry: Entry) -> None:
        """A record was kept here."""
        record = entry.record
        if record is not None and entry.runs:
            at = entry.runs[-1].at
            self._send(
                f"{record.id} {at!r}",
                (at, record.workspace, record.id, record.case_id, record.checkpoint, record.kind,
                 record.outcome, record.action, record.score),
            )  # fmt: skip

    def _send(self, mark: str, told: tuple[Any, ...]) -> None:
        if mark in self._told:
            return
        self._told[mark] = None
        if len(self._told) > 4 * BACKLOG:
            self._told.popitem(last=False)
        names = ("at", "workspace", "id", "case_id", "checkpoint", "kind", "outcome", "action", "score")
        data = msgspec.json.encode(dict(zip(names, told, strict=True)))
        for workspace, queue in self._listeners:
            if workspace == told[1] and not queue.full():
                queue.put_nowait(b"event: record\nid: " + mark.encode() + b"\ndata: " + data + b"\n\n")

    async def listen(self, workspace: str) -> AsyncIterator[bytes]:
        """Events of a workspace from now on, and a comment now and then that keeps the line open."""
        if self._over:
            return
        me = (workspace, asyncio.Queue[bytes | None](BACKLOG))
        self._listeners.add(me)
        if self._looking is None:
            self._looking = asyncio.get_running_loop().create_task(self._look())
        try:
            yield b"retry: 2000\n: listening\n\n"
            while True:
                try:
                    event = await asyncio.wait_for(me[1].get(), BEAT_S)
                except TimeoutError:
                    event = b": still here\n\n"
                if event is None:
                    return
                yield event
        finally:
            self._listeners.discard(me)

    async def _look(self) -> None:
        since = time.time()
        while self._listeners and not self._over:
            await asyncio.sleep(LOOK_S)
            start = since
            try:
                rows = await self._store.read(lambda db, start=start: self._found(db, start))  # type: ignore[misc]
            except StoreError:
                continue
            for row in rows:
                self._send(f"{row[2]} {row[0]!r}", row)
            since = time.time() - OVERLAP_S
        self._looking = None

    def _found(self, db: Database, since: float) -> list[tuple[Any, ...]]:
        spaces = {workspace for workspace, _ in self._listeners}
        return [row for workspace in sorted(spaces) for row in db.execute(_SQL, (workspace, since))]

    def close(self) -> None:
        """Everybody may go home."""
        self._over = True
        if self._looking is not None:
            self._looking.cancel()
        for _, queue in self._listeners:
            if queue.full():
                queue.get_nowait()
            queue.put_nowait(None)
