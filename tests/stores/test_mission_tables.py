"""What a coordinator queries: mission_events and mission_tasks, the same on SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
import json
import sqlite3

import pytest

from trueline import Verifier
from trueline.compat.tasks import Task
from trueline.compat.verification_service import VerificationService
from trueline.testing import OneJudge, ScriptedJudge, scores


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request, tmp_path):
    """A store's URL and a way to ask it in plain SQL."""
    if request.param == "sqlite":
        file = tmp_path / "records.db"

        def ask(sql):
            with sqlite3.connect(file) as db:
                rows = db.execute(sql).fetchall()
            db.close()
            return rows

        return f"sqlite:///{file}", ask
    import psycopg

    url = request.getfixturevalue("postgres_url")

    def ask_postgres(sql):
        with psycopg.connect(url, autocommit=True) as db:
            return db.execute(sql).fetchall()

    return url, ask_postgres


def task(output, task_id="t1"):
    return Task(task_id=task_id, task_output=output, success_criteria=("Names the law",))


def test_tasks_and_events_are_there_to_query(place):
    url, ask = place

    async def work():
        judge = ScriptedJudge(lambda q: scores({"*": 5 if "R12" in q.user else 3})(q))
        async with Verifier(store=url, services={"judges": OneJudge(judge)}) as verifier:
            service = VerificationService(verifier)
            first = await service.verify_task(task("nothing"))
            second = await service.verify_task(task("It is R12."), attempt=2, parent=first.record_id)
            unjudged = VerificationService(verifier.with_services({"judges": None}))
            await unjudged.verify_task(task("It is R12.", "t2"))
            spent = await verifier.store.spent_since(0.0)
            assert (spent.judge_calls, spent.tokens) == (2, 200)
            assert (await verifier.store.spent_since(4e9)).tokens == 0
            return first, second

    first, second = asyncio.run(work())
    rows = ask("SELECT task_id, verification_score, verification_status, outcome FROM mission_tasks ORDER BY task_id")
    assert rows == [("t1", 1.0, "pass", "pass"), ("t2", None, "partial", "unverified")]  # req: S2-087
    assert ask("SELECT verifier_score, attempt FROM mission_tasks WHERE task_id = 't1'") == [(1.0, 2)]  # req: S2-097
    events = ask("SELECT type, record_id, data FROM mission_events WHERE task_id = 't1' ORDER BY created_at")
    assert [(kind, record) for kind, record, _ in events] == [
        ("verification", first.record_id), ("verification", second.record_id),
    ]  # req: S2-086  # fmt: skip
    assert json.loads(events[1][2])["score"] == 1.0
