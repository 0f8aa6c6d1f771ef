"""The views once more, where what they read was mended since. A view of somebody else's under one of their names stays."""

from __future__ import annotations

from witnessmark.stores.migrations import insight
from witnessmark.stores.migrations.steps import Connection, migration


@migration
def m042_views_of_texts_with_nul(db: Connection) -> None:
    """The log of interactions as PostgreSQL reads it whole, whatever a text in it has."""
    kind = getattr(db, "dialect", "sqlite")
    for name, body in insight.views(kind).items():
        if _ours(db, kind, name):
            _replace(db, kind, name, body)


@migration
def m043_views_of_what_holds(db: Connection) -> None:
    """An override that was taken back stands in no view, nor does its undoing: they count nowhere else either."""
    kind = getattr(db, "dialect", "sqlite")
    for name, body in (("overrides", insight.views(kind)["overrides"]), ("mission_tasks", _mission_tasks(kind))):
        if _ours(db, kind, name):
            _replace(db, kind, name, body)


def _mission_tasks(kind: str) -> str:
    """Of every task the last word: its newest verification, or what a person said of it since."""
    word = "{0}.body IS NOT NULL AND {0}.checkpoint = 'task' AND {0}.kind IN ('verification', 'override') AND {1}"
    return f"""SELECT r.workspace AS workspace, r.case_id AS task_id, r.score AS verification_score,
           CASE r.outcome WHEN 'unverified' THEN 'partial' ELSE r.outcome END AS verification_status,
           r.score AS verifier_score, r.outcome AS outcome, r.action AS action, r.attempt AS attempt,
           r.id AS record_id, u.at AS verified_at,
           (SELECT sum(w.cost_usd) FROM records q JOIN runs w ON w.workspace = q.workspace AND w.record_id = q.id
            WHERE q.workspace = r.workspace AND q.case_id = r.case_id) AS verification_cost_usd
    FROM records r JOIN runs u ON u.workspace = r.workspace AND u.record_id = r.id
    WHERE {word.format("r", insight.holds(kind, "r"))} AND NOT EXISTS (
        SELECT 1 FROM records q JOIN runs w ON w.workspace = q.workspace AND w.record_id = q.id
        WHERE q.workspace = r.workspace AND q.case_id = r.case_id AND {word.format("q", insight.holds(kind, "q"))}
          AND (w.at > u.at OR (w.at = u.at AND w.id > u.id)))"""


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
