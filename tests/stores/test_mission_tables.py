"""What a coordinator queries: mission_events and mission_tasks, the same on SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
import json
import sqlite3

import pytest
from msgspec.structs import replace

from witnessmark import Verifier
from witnessmark.compat.tasks import Task
from witnessmark.compat.verification_service import VerificationService
from witnessmark.core.case import TaskOutput
from witnessmark.core.verdict import Usage
from witnessmark.insight import review, second_opinions
from witnessmark.testing import OneJudge, ScriptedJudge, scores


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
        paid = Usage(judge_calls=1, tokens=100, cost_usd=0.25)
        judge = ScriptedJudge(lambda q: scores({"*": 5 if "R12" in q.user else 3})(q), usage=paid)
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
    older = "SELECT verification_score, verifier_score, cost, cost_usd FROM orchestration_tasks WHERE task_id = 't1'"
    assert ask(older) == [(1.0, 1.0, 0.5, 0.5)]  # req: C30


def test_only_a_verification_or_a_persons_word_says_how_a_task_stands(place):
    """A second reading by another judge, an end of a loop and what happened later used to pass for the newest verdict."""
    url, ask = place

    async def work():
        answers = iter(["nothing", "It is R12."])
        judge = ScriptedJudge(lambda q: scores({"*": 5 if "R12" in q.user else 1})(q), id="one")
        strict = ScriptedJudge(scores({"*": 1}), id="strict")
        async with Verifier(store=url, services={"judges": OneJudge(judge)}) as verifier:
            case = task("", "t1").case()
            made = await verifier.revise(lambda feedback=None: next(answers), case, checkpoint="task")
            await second_opinions.meta_audit(
                verifier, replace(case, subject=TaskOutput(text="It is R12.")), made.record, OneJudge(strict)
            )
            await review.outcome(verifier.store, made.record.id, outcome="fail", reason="it was R13")
            before = ask("SELECT record_id, outcome FROM mission_tasks WHERE task_id = 't1'")
            said = await review.override(verifier.store, made.record.id, outcome="fail", reason="R13 holds now")
            return made, before, said

    made, before, said = asyncio.run(work())
    assert made.ending is not None
    assert before == [(made.record.id, "pass")]
    assert ask("SELECT record_id, outcome FROM mission_tasks WHERE task_id = 't1'") == [(said.id, "fail")]
    events = ask("SELECT record_id FROM mission_events WHERE task_id = 't1' ORDER BY created_at")
    assert events == [(attempt.record.id,) for attempt in made.attempts]


def test_a_task_stands_as_verified_once_a_persons_words_on_it_are_taken_back(place):
    url, ask = place
    tasks = "SELECT record_id, outcome FROM mission_tasks"

    async def work():
        judge = ScriptedJudge(scores({"*": 5}))
        async with Verifier(store=url, services={"judges": OneJudge(judge)}) as verifier:
            verified = await VerificationService(verifier).verify_task(task("It is R12."))
            for outcome in ("fail", "partial"):
                await review.override(verifier.store, verified.record_id, outcome=outcome, reason="nul \x00 in it")
            spoken = ask(tasks)
            await review.undo(verifier.store, verified.record_id)
            undone = ask(tasks)
            again = await review.override(verifier.store, verified.record_id, outcome="fail", reason="R13 holds now")
            return verified.record_id, spoken, undone, again.id

    verified, spoken, undone, again = asyncio.run(work())
    assert [outcome for _, outcome in spoken] == ["partial"]
    assert undone == [(verified, "pass")]
    assert ask(tasks) == [(again, "fail")]
