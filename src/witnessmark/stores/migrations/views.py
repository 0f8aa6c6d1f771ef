"""The views once more, where what they read was mended since. A view of somebody else's under one of their names stays."""

from __future__ import annotations

from witnessmark.stores.migrations import insight
from witnessmark.stores.migrations.steps import Connection, migration


@migration
def m044_log_of_what_holds(db: Connection) -> None:
    """The log of interactions as PostgreSQL reads it whole, whatever a text in it has, and without overrides that were taken back."""
    kind = getattr(db, "dialect", "sqlite")
    for name, body in insight.views(kind).items():
        if _ours(db, kind, name):
            _replace(db, kind, name, body)


def _ours(db: Connection, kind: str, name: str) -> bool:
    sql = (
        "SELECT 1 FROM sqlite_master WHERE type = 'view' AND name = ? AND sql LIKE ?"
        if kind == "sqlite"
        else "SELECT 1 FROM pg_views WHERE schemaname = current_schema() AND viewname = ? AND definition LIKE ?"
    )
    return bool(db.execute(sql, (name, "%records r%")))


def _replace(db: Connection, kind: str, name: str, body: str) -> None:
    """In place on PostgreSQL, where views of others may read ours and it cannot be dropped."""
    if kind == "sqlite":
        db.execute(f"DROP VIEW {name}")
    db.execute(f"CREATE {'VIEW' if kind == 'sqlite' else 'OR REPLACE VIEW'} {name} AS {body}")
