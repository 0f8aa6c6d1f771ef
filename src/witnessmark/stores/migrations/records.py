"""The first tables: records with their runs, cases, notes, and the views a coordinator queries."""

from __future__ import annotations

from witnessmark.core.record import UNDONE
from witnessmark.stores.migrations.steps import Connection, migration


@migration
def m001_records_and_runs(db: Connection) -> None:
    """A record once, and a row for every time it was made. A record without body is a tombstone."""
    db.execute(
        """CREATE TABLE records (
            workspace TEXT NOT NULL, id TEXT NOT NULL, case_id TEXT, case_digest TEXT, checkpoint TEXT, kind TEXT,
            outcome TEXT, action TEXT, score DOUBLE PRECISION, confidence DOUBLE PRECISION, coverage DOUBLE PRECISION,
            attempt BIGINT, parent TEXT, reason TEXT, body TEXT, first_at DOUBLE PRECISION NOT NULL,
            PRIMARY KEY (workspace, id))"""
    )
    db.execute("CREATE INDEX records_by_time ON records (workspace, first_at, id)")
    db.execute("CREATE INDEX records_by_parent ON records (parent)")
    db.execute("CREATE INDEX records_by_case ON records (workspace, case_id)")
    db.execute(
        """CREATE TABLE runs (
            id TEXT PRIMARY KEY, workspace TEXT NOT NULL, record_id TEXT NOT NULL, at DOUBLE PRECISION NOT NULL,
            seconds DOUBLE PRECISION NOT NULL, judge_calls BIGINT NOT NULL, tokens BIGINT NOT NULL,
            cost_usd DOUBLE PRECISION, cached BIGINT NOT NULL, detail TEXT)"""
    )
    db.execute("CREATE INDEX runs_by_record ON runs (workspace, record_id)")


@migration
def m002_cases(db: Connection) -> None:
    """What was verified, by digest, where its content is kept."""
    db.execute(
        """CREATE TABLE cases (
            workspace TEXT NOT NULL, digest TEXT NOT NULL, body TEXT NOT NULL, redacted BIGINT NOT NULL,
            PRIMARY KEY (workspace, digest))"""
    )


@migration
def m003_notes(db: Connection) -> None:
    """What is remembered between runs: answers of judges, which judges are qualified."""
    db.execute(
        """CREATE TABLE notes (
            shelf TEXT NOT NULL, key TEXT NOT NULL, at DOUBLE PRECISION NOT NULL, body TEXT NOT NULL,
            PRIMARY KEY (shelf, key))"""
    )


@migration
def m004_mission_tables(db: Connection) -> None:
    """Verifications of tasks under the names a coordinator queries: views, so that they can never disagree with records."""
    joined = "records r JOIN runs u ON u.workspace = r.workspace AND u.record_id = r.id"
    tasks = "r.body IS NOT NULL AND r.checkpoint = 'task'"
    db.execute(
        f"""CREATE VIEW mission_events AS
            SELECT u.id AS id, r.workspace AS workspace, r.case_id AS task_id, 'verification' AS type, r.body AS data,
                   r.id AS record_id, u.at AS created_at
            FROM {joined} WHERE {tasks}"""
    )
    db.execute(
        f"""CREATE VIEW mission_tasks AS
            SELECT r.workspace AS workspace, r.case_id AS task_id, r.score AS verification_score,
                   CASE r.outcome WHEN 'unverified' THEN 'partial' ELSE r.outcome END AS verification_status,
                   r.score AS verifier_score, r.outcome AS outcome, r.action AS action, r.attempt AS attempt,
                   r.id AS record_id, u.at AS verified_at,
                   (SELECT sum(w.cost_usd) FROM records q JOIN runs w ON w.workspace = q.workspace AND w.record_id = q.id
                    WHERE q.workspace = r.workspace AND q.case_id = r.case_id) AS verification_cost_usd
            FROM {joined} WHERE {tasks} AND NOT EXISTS (
                SELECT 1 FROM records q JOIN runs w ON w.workspace = q.workspace AND w.record_id = q.id
                WHERE q.workspace = r.workspace AND q.case_id = r.case_id AND q.checkpoint = 'task' AND q.body IS NOT NULL
                  AND (w.at > u.at OR (w.at = u.at AND w.id > u.id)))"""
    )


@migration
def m040_task_views_by_kind(db: Connection) -> None:
    """The same views with the kinds told apart, and the older names beside them."""
    joined = "records r JOIN runs u ON u.workspace = r.workspace AND u.record_id = r.id"
    holds = "IN ('verification', 'override')"
    db.execute("DROP VIEW mission_events")
    db.execute("DROP VIEW mission_tasks")
    db.execute(
        f"""CREATE VIEW mission_events AS
            SELECT u.id AS id, r.workspace AS workspace, r.case_id AS task_id, 'verification' AS type, r.body AS data,
                   r.id AS record_id, u.at AS created_at
            FROM {joined} WHERE r.body IS NOT NULL AND r.checkpoint = 'task' AND r.kind = 'verification'"""
    )
    db.execute(
        f"""CREATE VIEW mission_tasks AS
            SELECT r.workspace AS workspace, r.case_id AS task_id, r.score AS verification_score,
                   CASE r.outcome WHEN 'unverified' THEN 'partial' ELSE r.outcome END AS verification_status,
                   r.score AS verifier_score, r.outcome AS outcome, r.action AS action, r.attempt AS attempt,
                   r.id AS record_id, u.at AS verified_at,
                   (SELECT sum(w.cost_usd) FROM records q JOIN runs w ON w.workspace = q.workspace AND w.record_id = q.id
                    WHERE q.workspace = r.workspace AND q.case_id = r.case_id) AS verification_cost_usd
            FROM {joined} WHERE r.body IS NOT NULL AND r.checkpoint = 'task' AND r.kind {holds} AND NOT EXISTS (
                SELECT 1 FROM records q JOIN runs w ON w.workspace = q.workspace AND w.record_id = q.id
                WHERE q.workspace = r.workspace AND q.case_id = r.case_id AND q.checkpoint = 'task' AND q.body IS NOT NULL
                  AND q.kind {holds} AND (w.at > u.at OR (w.at = u.at AND w.id > u.id)))"""
    )
    db.execute(
        """CREATE VIEW orchestration_tasks AS
            SELECT workspace, task_id, verification_score, verifier_score, verification_status, outcome, action, attempt,
                   record_id, verified_at, verification_cost_usd, verification_cost_usd AS cost_usd, verification_cost_usd AS cost
            FROM mission_tasks"""
    )


@migration
def m041_runs_by_commit(db: Connection) -> None:
    """Which transaction kept a run, where the order of rows does not tell; what is there already was kept before any."""
    if getattr(db, "dialect", "sqlite") == "postgresql":
        db.execute("ALTER TABLE runs ADD COLUMN committed_by BIGINT")
        db.execute("ALTER TABLE runs ALTER COLUMN committed_by SET DEFAULT txid_current()")
        db.execute("CREATE INDEX runs_by_commit ON runs (committed_by)")


_UNDONE = {
    "sqlite": f"json_extract(o.body, '$.results[0].details.{UNDONE}')",
    "postgresql": f"replace(o.body, '\\u0000', '\\ufffd')::json #>> '{{results,0,details,{UNDONE}}}'",
}
"""As `record_sets` asks for it today: what a migration did once, it does for good."""
_COUNTED = "coalesce({}.complexity, 'MEDIUM') <> ''"


@migration
def m042_task_view_by_what_stands(db: Connection) -> None:
    """The view of tasks again, without what a person took back: a task stands as its verification says, as if nobody had spoken."""
    kind = getattr(db, "dialect", "sqlite")

    def stands(name: str) -> str:
        """That this row is a verification, or a person's word that was not taken back by the last one on its verification."""
        of = f"o.workspace = {name}.workspace AND o.parent = {name}.parent AND o.kind = 'override'"
        undone = f"(SELECT {_UNDONE[kind]} FROM records o WHERE {of} ORDER BY o.first_at + 0 DESC, o.id DESC LIMIT 1)"
        return f"({name}.kind = 'verification' OR ({name}.kind = 'override' AND {undone} IS NULL))"

    view = f"""VIEW mission_tasks AS
            SELECT r.workspace AS workspace, r.case_id AS task_id, r.score AS verification_score,
                   CASE r.outcome WHEN 'unverified' THEN 'partial' ELSE r.outcome END AS verification_status,
                   r.score AS verifier_score, r.outcome AS outcome, r.action AS action, r.attempt AS attempt,
                   r.id AS record_id, u.at AS verified_at,
                   (SELECT sum(w.cost_usd) FROM records q JOIN runs w ON w.workspace = q.workspace AND w.record_id = q.id
                    WHERE q.workspace = r.workspace AND q.case_id = r.case_id AND {_COUNTED.format("w")}) AS verification_cost_usd
            FROM records r JOIN runs u ON u.workspace = r.workspace AND u.record_id = r.id AND {_COUNTED.format("u")}
            WHERE r.body IS NOT NULL AND r.checkpoint = 'task' AND {stands("r")} AND NOT EXISTS (
                SELECT 1 FROM records q JOIN runs w ON w.workspace = q.workspace AND w.record_id = q.id
                WHERE q.workspace = r.workspace AND q.case_id = r.case_id AND q.checkpoint = 'task' AND q.body IS NOT NULL
                  AND {_COUNTED.format("w")} AND {stands("q")} AND (w.at > u.at OR (w.at = u.at AND w.id > u.id)))"""
    _viewed(db, "mission_tasks", view)


@migration
def m043_purged_runs(db: Connection) -> None:
    """Runs of before a purge are marked, so that none counts again where its work is verified anew: they say nothing of the work."""
    gone = "SELECT 1 FROM records r WHERE r.workspace = runs.workspace AND r.id = runs.record_id AND r.body IS NULL"
    db.execute(f"UPDATE runs SET complexity = '' WHERE EXISTS ({gone})")
    view = f"""VIEW mission_events AS
            SELECT u.id AS id, r.workspace AS workspace, r.case_id AS task_id, 'verification' AS type, r.body AS data,
                   r.id AS record_id, u.at AS created_at
            FROM records r JOIN runs u ON u.workspace = r.workspace AND u.record_id = r.id AND {_COUNTED.format("u")}
            WHERE r.body IS NOT NULL AND r.checkpoint = 'task' AND r.kind = 'verification'"""
    _viewed(db, "mission_events", view)


def _viewed(db: Connection, name: str, view: str) -> None:
    """Put a view in the place of the one before it; on PostgreSQL what was built on it holds it there."""
    if getattr(db, "dialect", "sqlite") == "sqlite":
        db.execute(f"DROP VIEW {name}")
        db.execute(f"CREATE {view}")
    else:
        db.execute(f"CREATE OR REPLACE {view}")
