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
    body = await store.recall(SHELF, f"{workspace}/{record_id}")
    return () if body is None else msgspec.json.decode(body, type=tuple[Comment, ...])


async def remark(store: SqlStore, workspace: str, record_id: str, by: str, text: str) -> None:
    """Add a remark; of very many the oldest go."""
    said = text.strip()
    if not said:
        raise InputError("comment: say something; an empty remark helps nobody later")
    if len(said) > LONGEST:
        raise InputError(f"comment: {len(said)} characters are more than the {LONGEST} that are kept; be brief")
    before = await comments(store, workspace, record_id)
    kept = (*before, Comment(by=by, at=time.time(), text=said))[-MOST:]
    await store.remember(SHELF, f"{workspace}/{record_id}", msgspec.json.encode(kept))
