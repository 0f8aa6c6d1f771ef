"""The tables of the HTTP service and what its pages need: keys, sessions, audit log, idempotent answers, workspaces' settings, jobs and who runs them.

They stand in the same database as the records, so that one transaction covers both.
"""

from __future__ import annotations

from witnessmark.stores.migrations.steps import Connection, migration


@migration
def m020_who_may(db: Connection) -> None:
    """Keys and sessions by digest only: what is kept opens no door."""
    db.execute(
        """CREATE TABLE api_keys (
            id TEXT PRIMARY KEY, digest TEXT NOT NULL UNIQUE, workspace TEXT NOT NULL, role TEXT NOT NULL,
            name TEXT NOT NULL, rate_per_minute BIGINT, created_at DOUBLE PRECISION NOT NULL,
            revoked_at DOUBLE PRECISION)"""
    )
    db.execute(
        """CREATE TABLE sessions (
            digest TEXT PRIMARY KEY, key_id TEXT NOT NULL, until DOUBLE PRECISION NOT NULL)"""
    )
    db.execute(
        """CREATE TABLE audit_log (
            workspace TEXT NOT NULL, id TEXT NOT NULL, at DOUBLE PRECISION NOT NULL, who TEXT NOT NULL,
            what TEXT NOT NULL, target TEXT NOT NULL, PRIMARY KEY (workspace, id))"""
    )


@migration
def m021_idempotent_answers(db: Connection) -> None:
    """What was answered to a request with an Idempotency-Key, for a day: a record by its id, anything else as it was."""
    db.execute(
        """CREATE TABLE idempotency (
            workspace TEXT NOT NULL, key TEXT NOT NULL, digest TEXT NOT NULL, status BIGINT NOT NULL, record_id TEXT,
            body TEXT NOT NULL, at DOUBLE PRECISION NOT NULL, PRIMARY KEY (workspace, key))"""
    )


@migration
def m022_workspace_settings(db: Connection) -> None:
    """What an admin has set for a workspace, each name once."""
    db.execute(
        """CREATE TABLE workspace_settings (
            workspace TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, at DOUBLE PRECISION NOT NULL,
            who TEXT NOT NULL, PRIMARY KEY (workspace, name))"""
    )


@migration
def m023_jobs(db: Connection) -> None:
    """Jobs and their cases. A case that is taken belongs to a worker for as long as that one says it is alive."""
    db.execute(
        """CREATE TABLE jobs (
            id TEXT PRIMARY KEY, workspace TEXT NOT NULL, state TEXT NOT NULL, total BIGINT NOT NULL,
            who TEXT NOT NULL, created_at DOUBLE PRECISION NOT NULL, finished_at DOUBLE PRECISION)"""
    )
    db.execute("CREATE INDEX jobs_by_workspace ON jobs (workspace, created_at, id)")
    db.execute("CREATE INDEX jobs_by_state ON jobs (state, created_at)")
    db.execute(
        """CREATE TABLE job_cases (
            job_id TEXT NOT NULL, number BIGINT NOT NULL, state TEXT NOT NULL, case_id TEXT, body TEXT, worker TEXT,
            record_id TEXT, outcome TEXT, action TEXT, problem TEXT, PRIMARY KEY (job_id, number))"""
    )
    db.execute("CREATE INDEX job_cases_by_state ON job_cases (job_id, state, number)")
    db.execute("CREATE TABLE job_workers (id TEXT PRIMARY KEY, seen_at DOUBLE PRECISION NOT NULL)")


@migration
def m024_parents(db: Connection) -> None:
    """Most records have no parent, and nobody looks for those: they need no place in its index."""
    db.execute("DROP INDEX records_by_parent")
    db.execute("CREATE INDEX records_by_parent ON records (parent) WHERE parent IS NOT NULL")


@migration
def m025_probe(db: Connection) -> None:
    """One row that is written to see whether anything can be written."""
    db.execute("CREATE TABLE service_probe (id TEXT PRIMARY KEY, at DOUBLE PRECISION NOT NULL)")


@migration
def m026_leases(db: Connection) -> None:
    """A case that is taken is leased for a while, under a number that grows each time; whoever has an older one is too late."""
    for column in (
        "lease_until DOUBLE PRECISION",
        "fence BIGINT NOT NULL DEFAULT 0",
        "tries BIGINT NOT NULL DEFAULT 0",
    ):
        db.execute(f"ALTER TABLE job_cases ADD COLUMN {column}")
    db.execute("ALTER TABLE jobs ADD COLUMN bytes BIGINT NOT NULL DEFAULT 0")
    db.execute("UPDATE job_cases SET lease_until = 0 WHERE state = 'taken'")
    db.execute("CREATE INDEX jobs_open ON jobs (workspace, created_at, id) WHERE state = 'open'")
    db.execute("CREATE INDEX job_cases_taken ON job_cases (worker) WHERE state = 'taken'")


@migration
def m030_escalated(db: Connection) -> None:
    """The few records that wait for a person, by time."""
    db.execute("CREATE INDEX records_escalated ON records (workspace, first_at) WHERE action = 'escalate'")
