"""What the pages need of the tables: the review queue is found without reading every record."""

from __future__ import annotations

from witnessmark.stores.migrations.steps import Connection, migration


@migration
def m030_escalated(db: Connection) -> None:
    """The few records that wait for a person, by time."""
    db.execute("CREATE INDEX records_escalated ON records (workspace, first_at) WHERE action = 'escalate'")
