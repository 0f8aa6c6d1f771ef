"""The views a coordinator queries, by what a record is.

Only verifications are events, and only they and a person's word say how a task stands. What another judge read again, how a loop
ended and what happened later change no verdict. Knows nothing of tasks.
"""

from __future__ import annotations

from witnessmark.stores.migrations.steps import Connection, migration


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
