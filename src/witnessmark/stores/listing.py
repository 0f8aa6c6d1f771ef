"""Records a page at a time, newest first, by the index: the thousandth page costs what the first does."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from witnessmark.core.errors import InputError
from witnessmark.core.record import Summary
from witnessmark.stores.sql import SqlStore

FILTERS = ("checkpoint", "outcome", "action", "case_id", "kind", "parent")


@dataclass(frozen=True, slots=True)
class Page:
    """Some records, and where the next ones begin; None where there are no more."""

    records: tuple[Summary, ...]
    next: str | None


async def listed(
    store: SqlStore,
    workspace: str,
    filters: Mapping[str, str] | None = None,
    *,
    since: float | None = None,
    until: float | None = None,
    after: str | None = None,
    limit: int = 50,
) -> Page:
    """The records of a workspace by when they were first made; `after` is the `next` of the previous page."""
    where, values = ["r.workspace = ?", "r.body IS NOT NULL"], [workspace]
    for name, value in (filters or {}).items():
        if name not in FILTERS:
            raise InputError(f"{name}: is not one of {', '.join(FILTERS)}")
        where.append(f"r.{name} = ?")
        values.append(value)
    bounds: list[tuple[str, Any]] = [("r.first_at >= ?", since), ("r.first_at < ?", until)]
    for text, bound in bounds:
        if bound is not None:
            where.append(text)
            values.append(bound)
    if after is not None:
        where.append("(r.first_at, r.id) < (?, ?)")
        values += list(_position(after))  # type: ignore[arg-type]
    sql = (
        "SELECT r.id, r.workspace, r.case_id, r.checkpoint, r.outcome, r.action, r.score, r.coverage, r.reason, r.first_at, "
        "(SELECT count(*) FROM runs u WHERE u.workspace = r.workspace AND u.record_id = r.id) FROM records r "
        f"WHERE {' AND '.join(where)} ORDER BY r.first_at DESC, r.id DESC LIMIT ?"
    )
    rows = await store.read(lambda db: db.execute(sql, (*values, limit + 1)))
    found = tuple(Summary(*row) for row in rows[:limit])
    return Page(found, _mark(found[-1]) if len(rows) > limit else None)


def _mark(last: Summary) -> str:
    return base64.urlsafe_b64encode(f"{last.at!r} {last.id}".encode()).decode().rstrip("=")


def _position(mark: str) -> tuple[float, str]:
    try:
        at, _, record_id = (
            base64.urlsafe_b64decode(mark.encode() + b"=" * (-len(mark) % 4)).decode("ascii").partition(" ")
        )
        position = float(at), record_id
    except (ValueError, binascii.Error):
        raise InputError("after: is not a valid cursor; pass the `next` of the previous page, unchanged") from None
    if not record_id or "\x00" in record_id or position[0] != position[0]:
        raise InputError("after: is not a valid cursor; pass the `next` of the previous page, unchanged")
    return position
