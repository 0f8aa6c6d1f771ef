"""What was kept, in the order of commits: what was committed after one moment and up to another, whoever committed it.

A run has the time at which it began and is kept when it ends, so that its time does not tell what is new. The database does:
SQLite numbers rows in the order of commits, since there only one writes at a time, and PostgreSQL tells of every transaction
whether it was committed at a moment.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from witnessmark.stores.sql import PAGE, Database, SqlStore

Moment = int | str
"""What was committed by then, as the database tells it: the last row, or a snapshot."""
_NOW = {
    "sqlite": "SELECT coalesce(max(rowid), 0) FROM runs",
    "postgresql": "SELECT txid_current_snapshot()::text",
}
_PLACE = {"sqlite": "u.rowid", "postgresql": "u.committed_by"}


class CommitWindow(NamedTuple):
    """What is to be read: what was committed after one moment and up to another, less what was read of it already."""

    since: Moment
    until: Moment
    after: tuple[int, str] = (0, "")


class RunCommit(NamedTuple):
    """A run that was committed, with its record."""

    at: float
    workspace: str
    id: str
    case_id: str
    checkpoint: str
    kind: str
    outcome: str
    action: str
    score: float | None


async def now(store: SqlStore) -> Moment:
    """What is committed at this moment."""
    ((moment,),) = await store.read(lambda db: db.execute(_NOW[db.dialect]))
    return moment  # type: ignore[no-any-return]


async def page(store: SqlStore, workspace: str, window: CommitWindow) -> tuple[list[RunCommit], CommitWindow | None]:
    """The first runs of a workspace that were committed in the window, and what is left of it; None where nothing is."""
    rows = await store.read(lambda db: _page(db, workspace, window))
    left = window._replace(after=(rows[-1][0], rows[-1][1])) if len(rows) == PAGE else None
    return [RunCommit(*row[2:]) for row in rows], left


def _page(db: Database, workspace: str, window: CommitWindow) -> list[tuple[Any, ...]]:
    place, (between, moments) = _PLACE[db.dialect], _between(db.dialect, window.since, window.until)
    # The workspace is compared as an expression, so that no index of it is taken: few runs are new, many are a workspace's.
    sql = (
        f"SELECT {place}, u.id, u.at, r.workspace, r.id, r.case_id, r.checkpoint, r.kind, r.outcome, r.action, r.score "
        "FROM runs u JOIN records r ON r.workspace = u.workspace AND r.id = u.record_id "
        f"WHERE {between} AND u.workspace || '' = ? AND r.body IS NOT NULL AND ({place}, u.id) > (?, ?) "
        f"ORDER BY {place}, u.id LIMIT {PAGE}"
    )
    return db.execute(sql, (*moments, workspace, *window.after))


def _between(dialect: str, since: Moment, until: Moment) -> tuple[str, tuple[Moment, ...]]:
    """The condition that a run was committed between two moments, and what is bound in it."""
    if dialect == "sqlite":
        return "u.rowid > ? AND u.rowid <= ?", (since, until)
    by = "txid_visible_in_snapshot(u.committed_by, ?::txid_snapshot)"
    # The first condition finds by index what the others decide.
    return f"u.committed_by >= txid_snapshot_xmin(?::txid_snapshot) AND NOT {by} AND {by}", (since, since, until)
