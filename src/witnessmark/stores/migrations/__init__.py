"""How the tables came to be: a list of functions, each run once, in order, on SQLite and PostgreSQL alike.

Never change a migration that was released; add one, in the file of its room, which is imported here. The types are those
both databases read the same way.
"""

from __future__ import annotations

import time

from witnessmark.stores.migrations import insight, records, service, views  # noqa: F401 - the steps put themselves on the list when their file is imported
from witnessmark.stores.migrations.steps import STEPS, Connection, Migration

MIGRATIONS = sorted(STEPS, key=lambda step: step.__name__)
"""In the order of their numbers."""


def migrate(db: Connection, steps: list[Migration] | None = None) -> list[str]:
    """Run the steps that were not run yet, inside the caller's transaction; says which."""
    db.execute(
        "CREATE TABLE IF NOT EXISTS witnessmark_migrations (name TEXT PRIMARY KEY, at DOUBLE PRECISION NOT NULL)"
    )
    done = {row[0] for row in db.execute("SELECT name FROM witnessmark_migrations")}
    ran = []
    for step in MIGRATIONS if steps is None else steps:
        if step.__name__ not in done:
            step(db)
            db.execute("INSERT INTO witnessmark_migrations (name, at) VALUES (?, ?)", (step.__name__, time.time()))
            ran.append(step.__name__)
    return ran
