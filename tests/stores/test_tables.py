"""The log of an application's interactions stands beside the records, in its own names, on both databases."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from msgspec.structs import replace

from witnessmark import Case, Verifier
from witnessmark.insight.review import override, undo
from witnessmark.stores import open_store


@pytest.fixture(params=["sqlite", "postgres"])
def url(request, tmp_path) -> str:
    """A new store."""
    return f"sqlite:///{tmp_path}/r.db" if request.param == "sqlite" else request.getfixturevalue("postgres_url")


def rows(store: Any, sql: str) -> list[dict[str, Any]]:
    return asyncio.run(store.read(lambda db: db.execute(sql)))


def case(text: str) -> Case:
    return Case(
        id="interaction-1",
        goal="Say hello",
        subject={"kind": "task_output", "text": text},
        criteria=[{"check": "min_length", "value": 4}],
        executor={"id": "greeter"},
    )


def test_every_verification_stands_in_the_log(url):
    store: Any = open_store(url)

    async def work() -> None:
        verifier = Verifier(store=store)
        await verifier.verify(case("hello"))
        await verifier.verify(case("hi"))

    asyncio.run(work())
    log = rows(store, "SELECT id, interaction_id, verification_type, target_id, goal, result, created_at FROM verification_logs ORDER BY created_at")  # fmt: skip
    assert len(log) == 2
    first, second = log
    assert len(str(first[0])) == 36  # req: S1-026
    assert first[1] == "interaction-1"  # req: S1-027
    assert first[2] in ("agent", "orchestrator", "moderator", "tool")  # req: S1-028
    assert first[3] == "greeter"  # req: S1-029
    assert first[4] == "Say hello"  # req: S1-030
    said = [json.loads(one) if isinstance(one, str) else one for one in (first[5], second[5])]
    assert [one["goalAchieved"] for one in said] == [True, False]  # req: S1-031
    assert set(said[1]) == {"goalAchieved", "confidence", "issues", "suggestions"}
    assert said[1]["issues"]
    asyncio.run(store.close())


def test_overrides_have_a_table_of_their_own(url):
    store: Any = open_store(url)

    async def work() -> str:
        failed = await Verifier(store=store).verify(case("hi"))
        await override(store, failed.id, outcome="pass", reason="short is fine", by="ada")
        return failed.id

    failed = asyncio.run(work())
    (overridden,) = rows(store, "SELECT record_id, was, outcome, reason, user_id FROM overrides")
    assert overridden == (failed, "fail", "pass", "short is fine", "ada")  # req: C21
    asyncio.run(store.close())


def test_an_interaction_holds_all_its_results_and_the_log_is_indexed(url):
    store: Any = open_store(url)

    async def work() -> None:
        for text in ("hello", "hi"):
            await Verifier(store=store).verify(case(text))

    asyncio.run(work())
    ((name, goal, results),) = rows(store, "SELECT id, goal, verification_results FROM interactions")
    results = json.loads(results) if isinstance(results, str) else results
    assert (name, goal) == ("interaction-1", "Say hello")
    assert [one["goalAchieved"] for one in results] == [True, False]  # req: S1-025
    catalogue = "sqlite_master WHERE type = 'index'" if url.startswith("sqlite") else "pg_indexes"
    column = "name" if url.startswith("sqlite") else "indexname"
    names = {row[0] for row in rows(store, f"SELECT {column} FROM {catalogue}")}
    assert "idx_verification_logs_interaction" in names  # req: S1-033
    assert "idx_verification_logs_type" in names  # req: S1-034
    ((at,),) = rows(store, "SELECT created_at FROM interactions")
    assert str(at).startswith("20")  # req: S1-032
    asyncio.run(store.close())


def test_the_log_can_be_read_whatever_signs_a_text_holds(url):
    store: Any = open_store(url)
    text = "a NUL: \x00, a tab: \t, \\ud800 and \\u0000 as they are written"

    async def work() -> None:
        failed = await Verifier(store=store).verify(replace(case("hi"), goal=text, criteria=(f"equals: {text}",)))
        await override(store, failed.id, outcome="pass", reason=text, by=text)

    asyncio.run(work())
    ((goal,),) = rows(store, "SELECT goal FROM verification_logs WHERE result IS NOT NULL")
    assert goal.startswith("a NUL: ")
    assert len(rows(store, "SELECT * FROM interactions")) == 1
    assert len(rows(store, "SELECT * FROM overrides")) == 1
    asyncio.run(store.close())


def test_an_applications_own_view_is_left_alone(postgres_url):
    import psycopg

    with psycopg.connect(postgres_url, autocommit=True) as db:
        db.execute("CREATE VIEW interactions AS SELECT 'yes' AS mine")
    store: Any = open_store(postgres_url)
    asyncio.run(Verifier(store=store).verify(case("hello")))
    assert rows(store, "SELECT mine FROM interactions") == [("yes",)]
    assert len(rows(store, "SELECT id FROM verification_logs")) == 1
    asyncio.run(store.close())


def test_an_applications_own_table_is_left_alone(tmp_path):
    """Somebody who keeps an `interactions` table in the same file keeps it."""
    import sqlite3

    path = tmp_path / "app.db"
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE interactions (id TEXT, mine TEXT)")
    db.execute("INSERT INTO interactions VALUES ('1', 'yes')")
    db.commit()
    db.close()
    store: Any = open_store(str(path))
    asyncio.run(Verifier(store=store).verify(case("hello")))
    assert rows(store, "SELECT mine FROM interactions") == [("yes",)]
    assert len(rows(store, "SELECT id FROM verification_logs")) == 1
    asyncio.run(store.close())


def test_a_text_with_nul_in_it_keeps_nobody_from_reading_the_log(url):
    store: Any = open_store(url)

    async def work() -> None:
        verifier = Verifier(store=store)
        await verifier.verify(case("hello"))
        failed = await verifier.verify(case("h\x00"))
        await override(store, failed.id, outcome="pass", reason="short\x00 is fine", by="ada")

    asyncio.run(work())
    assert [
        len(rows(store, f"SELECT * FROM {view}")) for view in ("verification_logs", "interactions", "overrides")
    ] == [2, 1, 1]
    asyncio.run(store.close())


def test_an_override_that_was_taken_back_stands_in_no_view(url):
    store: Any = open_store(url)

    async def work() -> None:
        failed = await Verifier(store=store).verify(case("hi"))
        await override(store, failed.id, outcome="pass", reason="short is fine", by="ada")
        await undo(store, failed.id, by="ada")

    asyncio.run(work())
    assert rows(store, "SELECT outcome FROM overrides") == []
    assert rows(store, "SELECT outcome, verification_status FROM mission_tasks") == [("fail", "fail")]

    async def decided_anew() -> None:
        ((failed,),) = await store.read(lambda db: db.execute("SELECT record_id FROM mission_tasks"))
        await override(store, failed, outcome="pass", reason="read it again", by="ada")

    asyncio.run(decided_anew())
    assert rows(store, "SELECT outcome, reason FROM overrides") == [("pass", "read it again")]
    assert rows(store, "SELECT outcome FROM mission_tasks") == [("pass",)]
    asyncio.run(store.close())
