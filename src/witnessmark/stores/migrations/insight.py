"""The tables of counts, what runs say about the work, and the views under the names of an application's own log."""

from __future__ import annotations

from typing import Any

import msgspec

from witnessmark.core.tallies import RunSums
from witnessmark.stores.migrations.steps import Connection, migration
from witnessmark.stores.rollups import update


@migration
def m010_work_of_runs(db: Connection) -> None:
    """How hard the work was, who did it and at what cost: known when it is verified, kept even where content is not."""
    db.execute("ALTER TABLE runs ADD COLUMN complexity TEXT")
    db.execute("ALTER TABLE runs ADD COLUMN agent TEXT")
    db.execute("ALTER TABLE runs ADD COLUMN work_usd DOUBLE PRECISION")
    sql = "SELECT u.id, c.body FROM runs u JOIN records r ON r.workspace = u.workspace AND r.id = u.record_id " \
        "JOIN cases c ON c.workspace = r.workspace AND c.digest = r.case_digest WHERE u.id > ? ORDER BY u.id LIMIT 500"  # fmt: skip
    after: Any = ""
    while page := db.execute(sql, (after,)):
        for run_id, body in page:
            _work(db, run_id, msgspec.json.decode(str(body)))
        after = page[-1][0]


def _work(db: Connection, run_id: object, case: dict[str, Any]) -> None:
    executor = case.get("executor") or {}
    complexity = (case.get("context") or {}).get("complexity")
    told = (complexity, executor.get("id") or None, executor.get("cost_usd"))
    if any(one is not None for one in told):
        db.execute("UPDATE runs SET complexity = ?, agent = ?, work_usd = ? WHERE id = ?", (*told, run_id))


@migration
def m011_rollups(db: Connection) -> None:
    """Counts for each workspace and day; they change in the same transaction as what they count."""
    sums = ", ".join(f"{name} BIGINT NOT NULL" for name in RunSums._fields)
    db.execute(
        f"""CREATE TABLE rollup_runs (
            workspace TEXT NOT NULL, day BIGINT NOT NULL, checkpoint TEXT NOT NULL,
            attempt BIGINT NOT NULL, outcome TEXT NOT NULL, action TEXT NOT NULL, {sums},
            PRIMARY KEY (workspace, day, checkpoint, attempt, outcome, action))"""
    )
    db.execute(
        """CREATE TABLE rollup_marks (
            workspace TEXT NOT NULL, measure TEXT NOT NULL, bucket BIGINT NOT NULL, mark TEXT NOT NULL,
            n BIGINT NOT NULL, total BIGINT NOT NULL, PRIMARY KEY (workspace, measure, bucket, mark))"""
    )
    # Only words about verifications stand in it: finding them must not read every record.
    db.execute(
        "CREATE INDEX records_by_word ON records (workspace, parent) WHERE kind IN ('override', 'outcome') AND body IS NOT NULL"
    )
    update.recount(db)  # type: ignore[arg-type] # every database has more than a migration asks for


_BY_CHECKPOINT = (
    "CASE WHEN r.checkpoint IN ('agent_output', 'actions', 'task') THEN 'agent' "
    "WHEN r.checkpoint IN ('discussion', 'synthesis', 'consistency') THEN 'moderator' "
    "WHEN r.checkpoint = 'tool' THEN 'tool' ELSE 'orchestrator' END"
)
_BODY = "replace(r.body, '\\u0000', '\\ufffd')::jsonb"
_CASE = "replace(c.body, '\\u0000', '\\ufffd')::jsonb"
"""Of PostgreSQL, which reads no JSON that has NUL in a text: one such case would keep everybody from reading a whole view."""
_TYPE = {
    "sqlite": f"coalesce(json_extract(c.body, '$.context.verification_type'), {_BY_CHECKPOINT})",
    "postgresql": f"coalesce({_CASE} #>> '{{context,verification_type}}', {_BY_CHECKPOINT})",
}
"""What whoever asked for it says it is; otherwise what the checkpoint stands for."""
_INTERACTION = {
    "sqlite": "coalesce(json_extract(c.body, '$.context.interaction_id'), r.case_id)",
    "postgresql": f"coalesce({_CASE} #>> '{{context,interaction_id}}', r.case_id)",
}
_UUID = "substr(r.id, 1, 8) || '-' || substr(r.id, 9, 4) || '-' || substr(r.id, 13, 4) || '-' || substr(r.id, 17, 4) || '-' || substr(r.id, 21, 12)"
_GOAL = {
    "sqlite": "coalesce(json_extract(c.body, '$.goal'), '')",
    "postgresql": f"coalesce({_CASE} ->> 'goal', '')",
}
_AT = {
    "sqlite": "strftime('%Y-%m-%dT%H:%M:%fZ', r.first_at, 'unixepoch')",
    "postgresql": "to_timestamp(r.first_at)",
}
_AGENT = "coalesce((SELECT max(u.agent) FROM runs u WHERE u.workspace = r.workspace AND u.record_id = r.id), r.case_id)"
_RESULT = {
    "sqlite": "json_object('goalAchieved', json(CASE r.outcome WHEN 'pass' THEN 'true' ELSE 'false' END), 'confidence', r.confidence, "
    "'issues', (SELECT json_group_array(json_extract(f.value, '$.message')) FROM json_each(r.body, '$.findings') f), "
    "'suggestions', (SELECT json_group_array(json_extract(f.value, '$.suggestion')) FROM json_each(r.body, '$.findings') f "
    "WHERE json_extract(f.value, '$.suggestion') IS NOT NULL))",
    "postgresql": "jsonb_build_object('goalAchieved', r.outcome = 'pass', 'confidence', r.confidence, "
    "'issues', (SELECT coalesce(jsonb_agg(f -> 'message'), '[]'::jsonb) FROM "
    f"jsonb_array_elements(coalesce({_BODY} -> 'findings', '[]'::jsonb)) f), "
    "'suggestions', (SELECT coalesce(jsonb_agg(f -> 'suggestion'), '[]'::jsonb) FROM "
    f"jsonb_array_elements(coalesce({_BODY} -> 'findings', '[]'::jsonb)) f WHERE jsonb_exists(f, 'suggestion')))",
}


@migration
def m012_interaction_log(db: Connection) -> None:
    """The log of an application's interactions, as views: they can never disagree with the records they are read from."""
    kind = getattr(db, "dialect", "sqlite")
    for name, body in views(kind).items():
        # An application that keeps its own table of that name in this database keeps it.
        if not _taken(db, kind, name):
            db.execute(f"CREATE VIEW {name} AS {body}")
    db.execute("CREATE INDEX idx_verification_logs_interaction ON records (case_id, workspace)")
    db.execute("CREATE INDEX idx_verification_logs_type ON records (checkpoint) WHERE kind = 'verification'")
    db.execute("DROP INDEX records_by_case")


def _taken(db: Connection, kind: str, name: str) -> bool:
    sql = (
        "SELECT 1 FROM sqlite_master WHERE name = ?"
        if kind == "sqlite"
        else "SELECT 1 WHERE to_regclass(?) IS NOT NULL"
    )
    return bool(db.execute(sql, (name,)))


def holds(kind: str, of: str) -> str:
    """That nobody took back what a record says: of an override, neither it nor a later one on the same record is an undoing."""
    undone = {
        "sqlite": "json_extract(z.body, '$.results[0].details.undone')",
        "postgresql": f"{_BODY.replace('r.', 'z.')} #>> '{{results,0,details,undone}}'",
    }
    later = f"(z.first_at > {of}.first_at OR (z.first_at = {of}.first_at AND z.id >= {of}.id))"
    return (
        f"NOT ({of}.kind = 'override' AND EXISTS (SELECT 1 FROM records z WHERE z.workspace = {of}.workspace AND "
        f"z.parent = {of}.parent AND z.kind = 'override' AND {undone[kind]} IS NOT NULL AND {later}))"
    )


def views(kind: str) -> dict[str, str]:
    """What each of the views reads, by its name."""
    cases = "LEFT JOIN cases c ON c.workspace = r.workspace AND c.digest = r.case_digest"
    verified = "r.kind = 'verification' AND r.body IS NOT NULL"
    gathered = {"sqlite": f"json_group_array(json({_RESULT[kind]}))", "postgresql": f"jsonb_agg({_RESULT[kind]} ORDER BY r.first_at, r.id)"}  # fmt: skip
    by = {
        "sqlite": "coalesce(json_extract(r.body, '$.results[0].details.by'), '')",
        "postgresql": f"coalesce({_BODY} #>> '{{results,0,details,by}}', '')",
    }
    was = {
        "sqlite": "json_extract(r.body, '$.results[0].details.was')",
        "postgresql": f"{_BODY} #>> '{{results,0,details,was}}'",
    }
    return {
        "verification_logs": f"SELECT {_UUID} AS id, {_INTERACTION[kind]} AS interaction_id, {_TYPE[kind]} AS verification_type, "
        f"{_AGENT} AS target_id, {_GOAL[kind]} AS goal, {_RESULT[kind]} AS result, {_AT[kind]} AS created_at, "
        f"r.workspace AS workspace, r.id AS record_id FROM records r {cases} WHERE {verified}",
        "interactions": f"SELECT {_INTERACTION[kind]} AS id, r.workspace AS workspace, max({_GOAL[kind]}) AS goal, "
        f"{gathered[kind]} AS verification_results, min({_AT[kind]}) AS created_at "
        f"FROM records r {cases} WHERE {verified} GROUP BY r.workspace, {_INTERACTION[kind]}",
        "overrides": f"SELECT {_UUID} AS id, r.case_id AS interaction_id, r.parent AS record_id, {was[kind]} AS was, "
        f"r.outcome AS outcome, r.reason AS reason, {by[kind]} AS user_id, {_AT[kind]} AS created_at, "
        f"r.workspace AS workspace FROM records r WHERE r.kind = 'override' AND r.body IS NOT NULL AND {holds(kind, 'r')}",
    }
