"""What people remark on a record without deciding anything: kept beside it, never part of its identity."""

from __future__ import annotations

import time

import msgspec

from witnessmark.core.errors import InputError
from witnessmark.core.values import Value
from witnessmark.stores.sql import SqlStore

SHELF = "comments"
LONGEST = 4_000
MOST = 200


class Comment(Value, frozen=True):
    """One remark."""

    by: str
    at: float
    text: str


async def comments(store: SqlStore, workspace: str, record_id: str) -> tuple[Comment, ...]:
    """Every remark on a record, oldest first."""
    return _read(await store.recall(SHELF, f"{workspace}/{record_id}"))


async def remark(store: SqlStore, workspace: str, record_id: str, by: str, text: str) -> None:
    """Add a remark; of very many the oldest go."""
    said = text.strip()
    if not said:
        raise InputError("comment: say something; an empty remark helps nobody later")
    if len(said) > LONGEST:
        raise InputError(f"comment: {len(said)} characters are more than the {LONGEST} that are kept; be brief")
    made = Comment(by=by, at=time.time(), text=said)

    def added(was: bytes | None) -> bytes:
        return msgspec.json.encode((*_read(was), made)[-MOST:])

    await store.amend(SHELF, f"{workspace}/{record_id}", added)


def _read(body: bytes | None) -> tuple[Comment, ...]:
    return () if body is None else msgspec.json.decode(body, type=tuple[Comment, ...])
