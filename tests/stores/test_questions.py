"""The same records in every store, and the same answer to every question: one table, run on memory, SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
import io
import json
import uuid
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from witnessmark.core.errors import UnknownNameError
from witnessmark.core.record import Query
from witnessmark.core.tallies import BILLION, DAY_S, TallyStore
from witnessmark.stores import open_store, scores
from witnessmark.stores.audit import audit
from witnessmark.stores.transfer import export, take_in
from witnessmark.testing.records import NOON, entry, made, word

TOMORROW = NOON + DAY_S
GOOD = entry(made(case_id="good", score=0.9), at=NOON, judge_calls=2, cost_usd=0.5, agent="ann", work_usd=2.0)
BAD = entry(made(case_id="bad", outcome="fail", action="retry", score=0.2), at=NOON + 60, agent="bob")
AGAIN = entry(made(case_id="bad", attempt=2, parent=BAD.id, score=0.8), at=TOMORROW, agent="bob")
UNSURE = entry(made(case_id="unsure", outcome="unverified", action="escalate", checkpoint="answer"), at=NOON + 120)
THEIRS = entry(made(case_id="theirs", workspace="theirs"), at=NOON)
WORDS = (
    word(UNSURE.record, "pass", "override", at=TOMORROW + 60),
    word(GOOD.record, "fail", "outcome", at=TOMORROW + 60),
)
"""A person's word about one, and the world's about another."""


async def filled(url: str) -> Any:
    """A store that holds these."""
    store = open_store(url)
    await store.append([GOOD, BAD, AGAIN, UNSURE, THEIRS])
    await store.append(WORDS)
    return store


@pytest.fixture(scope="module", params=["memory", "sqlite", "postgres"])
def ask(request, tmp_path_factory):
    """Asks one store of each kind, filled once, since no question changes it."""
    if request.param == "postgres":
        server = request.getfixturevalue("postgres_server")
        name = f"q{uuid.uuid4().hex[:12]}"
        server.psql(f"CREATE DATABASE {name};")
        url = server.get_uri(name)
    else:
        folder = tmp_path_factory.mktemp("questions")
        url = "memory:" if request.param == "memory" else f"sqlite:///{folder}/q.db"
    loop = asyncio.new_event_loop()
    store = loop.run_until_complete(filled(url))
    yield lambda question: loop.run_until_complete(question(store))
    loop.run_until_complete(store.close())
    loop.close()


def found(**asked: Any) -> Callable[[Any], Awaitable[list[str]]]:
    async def question(store: Any) -> list[str]:
        return [one.case_id for one in await store.find(Query(**asked))]

    return question


FOUND: dict[str, tuple[dict[str, Any], list[str]]] = {
    "a workspace, newest first": ({"workspace": "theirs"}, ["theirs"]),
    "none of a workspace that is empty": ({"workspace": "nobody"}, []),
    "an outcome": ({"workspace": "default", "outcome": "unverified"}, ["unsure"]),
    "an action": ({"workspace": "default", "action": "retry"}, ["bad"]),
    "a checkpoint": ({"checkpoint": "answer", "outcome": "unverified"}, ["unsure"]),
    "attempts at one case": ({"case_id": "bad"}, ["bad", "bad"]),
    "from a moment on": ({"workspace": "default", "since": TOMORROW, "until": TOMORROW + 1}, ["bad"]),
    "up to a moment, which is left out": ({"workspace": "default", "until": NOON + 60}, ["good"]),
    "a few": ({"workspace": "default", "until": TOMORROW, "limit": 2}, ["unsure", "bad"]),
    "both at once": ({"case_id": "bad", "outcome": "fail"}, ["bad"]),
    "what is in no record": ({"case_id": "bad'; DROP TABLE records; --"}, []),
}


@pytest.mark.parametrize("name", FOUND)
def test_a_query_finds(ask, name):
    asked, expected = FOUND[name]
    assert ask(found(**asked)) == expected


RUNS: dict[str, tuple[dict[str, Any], dict[tuple[Any, ...], int]]] = {
    "by outcome": ({"by": ("outcome",)}, {("pass",): 2, ("fail",): 1, ("unverified",): 1}),
    "by checkpoint": ({"by": ("checkpoint",)}, {("task",): 3, ("answer",): 1}),
    "by attempt": ({"by": ("attempt",)}, {(1,): 3, (2,): 1}),
    "by outcome and action": (
        {"by": ("outcome", "action")},
        {("pass", "accept"): 2, ("fail", "retry"): 1, ("unverified", "escalate"): 1},
    ),
    "of the first day": ({"by": ("outcome",), "until": NOON}, {("pass",): 1, ("fail",): 1, ("unverified",): 1}),
    "of the second day": ({"by": ("outcome",), "since": TOMORROW}, {("pass",): 1}),
    "of no day": ({"by": ("outcome",), "since": NOON + 9 * DAY_S}, {}),
}


@pytest.mark.parametrize("name", RUNS)
def test_runs_are_counted(ask, name):
    how, expected = RUNS[name]

    async def question(store: TallyStore) -> dict[tuple[Any, ...], int]:
        tallies = await store.run_tallies("default", **how, sums=("runs",))
        return {tuple(getattr(one.key, part) for part in how["by"]): one.sums.runs for one in tallies}

    assert ask(question) == expected


SUMS = {
    "judge_calls": 2, "tokens": 0, "cached": 0, "priced": 4, "cost": BILLION // 2, "worked": 1, "work": 2 * BILLION,
    "paired": 1, "paired_cost": BILLION // 2, "paired_work": 2 * BILLION, "runs": 4,
}  # fmt: skip


@pytest.mark.parametrize("name", SUMS)
def test_what_runs_took_is_added_up(ask, name):
    async def question(store: TallyStore) -> list[int]:
        return [getattr(one.sums, name) for one in await store.run_tallies("default", by=(), sums=("runs", name))]

    assert ask(question) == [SUMS[name]]


MARKS: dict[str, dict[str, int]] = {
    "complexity": {"pass|MEDIUM": 2, "fail|MEDIUM": 1, "unverified|MEDIUM": 1},
    "agent": {"pass|ann": 1, "fail|bob": 1, "pass|bob": 1},
    "retry": {"*": 1, "@retry": 1},
}


@pytest.mark.parametrize("measure", MARKS)
def test_marks_are_counted(ask, measure):
    async def question(store: TallyStore) -> dict[str, int]:
        return {one.key: one.n for one in await store.marks("default", [measure])}

    counted = ask(question)
    assert {key: counted.get(key) for key in MARKS[measure]} == MARKS[measure]


def test_what_people_and_the_world_said_stands_beside_the_verification(ask):
    async def question(store: TallyStore) -> list[tuple[Any, ...]]:
        said = await store.labelled("default")
        return [(one.record.case_id, one.override, one.outcome, one.truth) for one in said]

    assert ask(question) == [("good", None, "fail", "fail"), ("unsure", "pass", None, "pass")]


def test_labels_are_asked_for_by_day(ask):
    async def question(store: TallyStore) -> list[int]:
        periods = [(None, None), (TOMORROW, None), (None, NOON), (NOON, TOMORROW)]
        return [len(await store.labelled("default", since, until)) for since, until in periods]

    assert ask(question) == [2, 0, 2, 2]


def test_the_workspaces_that_have_anything_are_known(ask):
    assert ask(lambda store: store.workspaces()) == ["default", "theirs"]


GOT: dict[str, tuple[str, str | None, str]] = {
    "by its id": (GOOD.id, None, "good"),
    "by its id in its workspace": (GOOD.id, "default", "good"),
    "by the beginning of it": (BAD.id[:16], "default", "bad"),
}


@pytest.mark.parametrize("name", GOT)
def test_a_record_is_got(ask, name):
    record_id, workspace, expected = GOT[name]
    assert ask(lambda store: store.get(record_id, workspace)).record.case_id == expected


@pytest.mark.parametrize(
    ("record_id", "workspace"),
    [(GOOD.id, "theirs"), (THEIRS.id, "default"), ("", None), ("0" * 64, None), ("%", None)],
)
def test_what_is_not_there_or_not_theirs_is_unknown(ask, record_id, workspace):
    with pytest.raises(UnknownNameError):
        ask(lambda store: store.get(record_id, workspace))


def test_attempts_follow_their_parent(ask):
    async def question(store: Any) -> list[list[tuple[str, int]]]:
        asked = [await store.children(one.id) for one in (BAD, AGAIN)]
        return [[(record.case_id, record.attempt) for record in children] for children in asked]

    assert ask(question) == [[("bad", 2)], []]


def test_a_scan_meets_every_record_once_oldest_first(ask):
    async def question(store: Any) -> tuple[list[str], list[str]]:
        ours = [one.record.case_id async for one in store.scan("default") if one.record.kind == "verification"]
        everybodys = [one.id async for one in store.scan()]
        return ours, everybodys

    ours, everybodys = ask(question)
    assert ours == ["good", "bad", "unsure", "bad"]
    assert len(everybodys) == len(set(everybodys)) == 7, "five verifications and two words about them"


def test_the_audit_holds(ask):
    report = ask(audit)
    assert (report.records, report.tombstones, report.faults) == (7, 0, [])


def test_scores_go_out_a_row_for_each_run_and_without_a_word_of_what_was_judged(ask):
    async def question(store: Any) -> list[dict[str, Any]]:
        out = io.BytesIO()
        assert await scores.write_lines(store, out, "default") == 4
        return [json.loads(line) for line in out.getvalue().splitlines()]

    rows = ask(question)
    assert [(row["case_id"], row["attempt"], row["outcome"], row["agent"]) for row in rows] == [
        ("good", 1, "pass", "ann"), ("bad", 1, "fail", "bob"), ("unsure", 1, "unverified", ""), ("bad", 2, "pass", "bob"),
    ]  # fmt: skip
    assert all(set(row) == set(scores.COLUMNS) for row in rows)


def test_scores_as_parquet_are_the_same_rows(ask, tmp_path):
    import pyarrow.parquet as pq

    assert ask(lambda store: scores.write_parquet(store, tmp_path / "s.parquet", "default")) == 4
    table = pq.read_table(tmp_path / "s.parquet")
    assert table.column_names == list(scores.COLUMNS)
    assert table.column("verifier_score").to_pylist() == [0.9, 0.2, None, 0.8]


def test_what_is_taken_over_into_another_store_answers_the_same(ask):
    async def question(store: Any) -> tuple[list[str], list[str], int]:
        lines = [line async for line in export(store)]
        other = open_store("memory:")
        await take_in(other, lines)
        before, after = await store.find(Query(limit=20)), await other.find(Query(limit=20))
        return [one.id for one in before], [one.id for one in after], len(lines)

    before, after, count = ask(question)
    assert before == after
    assert count == 7
