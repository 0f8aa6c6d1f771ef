"""Counts always say what a recount of the records would say, whatever was appended, said or purged, and in which order."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from witnessmark.core.record import Entry, Record, ResultRecord
from witnessmark.stores import open_store
from witnessmark.stores.rollups import update
from witnessmark.stores.sqlite import Sqlite
from witnessmark.testing.records import DAY, NOON, entry, made, word

TABLES = ("rollup_runs", "rollup_marks")


def kept(db: Any) -> dict[str, list[Any]]:
    return {table: sorted(db.execute(f"SELECT * FROM {table}")) for table in TABLES}


def counts_and_recount(store: Any) -> tuple[dict[str, list[Any]], dict[str, list[Any]]]:
    """The counts that are kept, and those that counting everything anew gives."""

    def look(db: Any) -> tuple[Any, Any]:
        before = kept(db)
        update.recount(db)
        return before, kept(db)

    found: tuple[dict[str, list[Any]], dict[str, list[Any]]] = asyncio.run(store.transact(look))
    return found


def same_as_recounted(store: Any) -> dict[str, list[Any]]:
    """What is kept, after making sure that counting everything anew gives the same."""
    before, after = counts_and_recount(store)
    assert before == after
    return before


VERIFIED = st.fixed_dictionaries(
    {
        "checkpoint": st.sampled_from(["task", "answer"]),
        "outcome": st.sampled_from(["pass", "partial", "fail", "unverified"]),
        "action": st.sampled_from(["accept", "warn", "retry", "correct", "escalate", "abort"]),
        "workspace": st.sampled_from(["default", "other"]),
        "score": st.none() | st.floats(0, 1),
        "confidence": st.none() | st.floats(0, 1),
        "categories": st.lists(st.sampled_from(["truncated", "wrong_format", "criterion_unmet"]), max_size=3),
    }
)
STEP = st.one_of(
    st.tuples(st.just("verify"), VERIFIED, st.integers(0, 5), st.integers(1, 2)),
    st.tuples(st.just("retry"), VERIFIED, st.integers(0, 30), st.integers(0, 5)),
    st.tuples(st.sampled_from(["override", "outcome"]), st.sampled_from(["pass", "partial", "fail"]), st.integers(0, 30), st.integers(1, 3)),
    st.tuples(st.just("again"), st.integers(0, 30), st.booleans()),
    st.tuples(st.just("purge"), st.integers(0, 6), st.sampled_from([None, "default", "other"]), st.booleans()),
)  # fmt: skip


class World:
    """Makes entries out of steps, remembering what it made so that later ones can be about it."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []

    def next(self, step: tuple[Any, ...]) -> list[Entry]:
        verified = [e for e in self.entries if e.record is not None and e.record.kind == "verification"]
        if step[0] == "verify":
            _, told, day, runs = step
            new = entry(made(**told), NOON + day * DAY, runs=runs, agent="writer", work_usd=0.04, cost_usd=0.001)
        elif not verified:
            return []
        elif step[0] == "retry":
            _, told, which, day = step
            parent: Record = verified[which % len(verified)].record  # type: ignore[assignment]
            told = told | {"workspace": parent.workspace}
            new = entry(made(**told, attempt=parent.attempt + 1, parent=parent.id), NOON + day * DAY)
        elif step[0] == "again":
            _, which, new_run = step
            old = self.entries[which % len(self.entries)]
            return [entry(old.record, NOON + DAY) if new_run and old.record else old]
        else:
            kind, outcome, which, number = step
            new = word(verified[which % len(verified)].record, outcome, kind, number)  # type: ignore[arg-type]
        self.entries.append(new)
        return [new]


def play(store: Any, batches: list[list[tuple[Any, ...]]], backwards: bool) -> None:
    world = World()

    async def work() -> None:
        for batch in batches:
            entries = [e for step in batch if step[0] != "purge" for e in world.next(step)]
            if entries:
                await store.append(entries[::-1] if backwards else entries)
            for step in batch:
                if step[0] == "purge":
                    _, day, workspace, all_of_it = step
                    await store.purge(before=None if all_of_it else NOON + day * DAY, workspace=workspace)

    asyncio.run(work())


BATCHES = st.lists(st.lists(STEP, min_size=1, max_size=8), min_size=1, max_size=6)


@settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))
@given(batches=BATCHES, backwards=st.booleans())
def test_counts_are_those_of_a_recount_whatever_happens(tmp_path_factory, batches, backwards):
    store = open_store(f"sqlite:///{tmp_path_factory.mktemp('counts')}/records.db")
    play(store, batches, backwards)
    kept_counts, recounted = counts_and_recount(store)
    assert kept_counts == recounted
    asyncio.run(store.close())


@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(batches=BATCHES, backwards=st.booleans())
def test_and_on_postgresql(postgres_server, batches, backwards):
    import uuid

    name = f"t{uuid.uuid4().hex[:12]}"
    postgres_server.psql(f"CREATE DATABASE {name};")
    store = open_store(postgres_server.get_uri(name))
    play(store, batches, backwards)
    kept_counts, recounted = counts_and_recount(store)
    assert kept_counts == recounted
    asyncio.run(store.close())


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(batches=BATCHES)
def test_a_store_in_memory_counts_the_same(tmp_path_factory, batches):
    """Without purges: memory forgets a tombstone's first run, a file does not."""
    plain = [[step for step in batch if step[0] not in ("purge", "again")] for batch in batches]
    file = open_store(f"sqlite:///{tmp_path_factory.mktemp('counts')}/records.db")
    memory = open_store("memory:")

    async def work() -> None:
        world = World()
        for batch in plain:
            entries = [e for step in batch for e in world.next(step)]
            for store in (file, memory):
                await store.append(entries)
        for workspace in ("default", "other"):
            for store in (file, memory):
                assert sorted(await store.run_tallies(workspace), key=repr) == sorted(
                    await memory.run_tallies(workspace), key=repr
                )
                measures = ("hour", "confidence", "score", "agent", "label", "retry", "category")
                read = await store.marks(workspace, measures, by_bucket=True)
                assert sorted(read, key=repr) == sorted(
                    await memory.marks(workspace, measures, by_bucket=True), key=repr
                )
                assert [one.record.id for one in await store.labelled(workspace)] == [
                    one.record.id for one in await memory.labelled(workspace)
                ]
        await file.close()

    asyncio.run(work())


def test_counts_stand_in_the_transaction_of_the_record(sqlite_url, monkeypatch):
    """What cannot be counted is not kept either: there is no moment at which the two differ."""
    store = open_store(sqlite_url)
    asyncio.run(store.append([entry(made())]))

    def broken(*_: Any) -> None:
        raise RuntimeError("no room")

    monkeypatch.setattr(update, "write", broken)
    with pytest.raises(RuntimeError, match="no room"):
        asyncio.run(store.append([entry(made())]))
    monkeypatch.undo()
    counted = same_as_recounted(store)
    assert [row[6] for row in counted["rollup_runs"]] == [1]
    assert len(list(asyncio.run(store.read(lambda db: db.execute("SELECT id FROM records"))))) == 1


def test_a_store_from_before_is_counted_when_it_is_opened(tmp_path):
    """A file that an earlier version wrote gets its counts, and what the kept cases say about the work."""
    from witnessmark.stores import migrations

    path = str(tmp_path / "old.db")
    db = Sqlite(path)
    old = [step for step in migrations.MIGRATIONS if step.__name__ < "m010"]
    db.begin()
    migrations.migrate(db, old)
    record = made(score=0.9)
    case = b'{"context":{"complexity":"COMPLEX"},"executor":{"id":"writer","cost_usd":0.5}}'
    columns = "workspace, id, case_id, case_digest, checkpoint, kind, outcome, action, score, attempt, body, first_at"
    db.execute(
        f"INSERT INTO records ({columns}) VALUES ('default', ?, ?, ?, 'task', 'verification', 'pass', 'accept', 0.9, 1, ?, ?)",
        (record.id, record.case_id, record.case_digest, record.json().decode(), NOON),
    )
    db.execute("INSERT INTO cases VALUES ('default', ?, ?, 0)", (record.case_digest, case.decode()))
    db.execute(
        "INSERT INTO runs (id, workspace, record_id, at, seconds, judge_calls, tokens, cost_usd, cached) "
        "VALUES ('r1', 'default', ?, ?, 0.1, 0, 0, 0.01, 0)",
        (record.id, NOON),
    )
    db.commit()
    db.close()
    store = open_store(path)
    (tally,) = asyncio.run(store.run_tallies("default"))
    assert (tally.sums.runs, tally.sums.work) == (1, 500_000_000)
    marks = asyncio.run(store.marks("default", ["agent", "complexity"]))
    assert sorted(mark.key for mark in marks) == ["pass|COMPLEX", "pass|writer"]


def test_a_purged_record_is_counted_no_more_and_leaves_no_name(sqlite_url):
    store = open_store(sqlite_url)
    old, new = made(), made()
    asyncio.run(store.append([entry(old, NOON, agent="ada"), entry(new, NOON + 5 * DAY, agent="bob")]))
    asyncio.run(store.append([word(old, "fail")]))
    asyncio.run(store.purge(before=NOON + DAY))
    counted = same_as_recounted(store)
    assert sum(row[6] for row in counted["rollup_runs"]) == 1
    assert "ada" not in repr(counted)
    assert asyncio.run(store.read(lambda db: db.execute("SELECT agent FROM runs ORDER BY agent")))[0][0] is None
    assert asyncio.run(store.labelled("default")) == []


def test_runs_purged_by_an_earlier_version_do_not_count_again_either(tmp_path):
    from witnessmark.stores import migrations

    path, record = str(tmp_path / "old.db"), made()
    db = Sqlite(path)
    db.begin()
    migrations.migrate(db, [step for step in migrations.MIGRATIONS if step.__name__ < "m042"])
    db.execute("INSERT INTO records (workspace, id, first_at) VALUES ('default', ?, ?)", (record.id, NOON))
    db.execute(
        "INSERT INTO runs (id, workspace, record_id, at, seconds, judge_calls, tokens, cost_usd, cached) "
        "VALUES ('r1', 'default', ?, ?, 0.1, 0, 0, 0.01, 0)",
        (record.id, NOON),
    )
    db.commit()
    db.close()
    store = open_store(path)
    asyncio.run(store.append([entry(record, NOON + DAY)]))
    counted = same_as_recounted(store)
    assert [row[6] for row in counted["rollup_runs"]] == [1]


def test_retries_count_by_what_was_wrong_before(sqlite_url):
    """Told by hand, so that a recount with the same mistake would not hide it."""
    store = open_store(sqlite_url)
    first = made(outcome="partial", action="correct", categories=("truncated", "truncated", "wrong_format"))
    second = made(outcome="pass", attempt=2, parent=first.id)
    again = made(outcome="fail", attempt=2, parent=second.id)  # verified again, which is not a retry
    asyncio.run(store.append([entry(second), entry(again)]))
    asyncio.run(store.append([entry(first)]))
    marks = asyncio.run(store.marks("default", ["retry"]))
    assert {(m.key, m.n, m.total) for m in marks} == {
        ("*", 1, 1),
        ("@correct", 1, 1),
        ("truncated", 1, 1),
        ("wrong_format", 1, 1),
    }


def test_the_newest_word_holds_and_moves_the_count(sqlite_url):
    store = open_store(sqlite_url)
    record = made(outcome="fail", action="abort")
    asyncio.run(store.append([entry(record, agent="writer", work_usd=0.2)]))
    asyncio.run(store.append([word(record, "pass", "override", 1)]))
    asyncio.run(store.append([word(record, "fail", "override", 2)]))
    asyncio.run(store.append([word(record, "pass", "outcome", 1)]))
    (mark,) = asyncio.run(store.marks("default", ["label"]))
    assert (mark.key, mark.n, mark.total) == ('["task","writer","fail","stopped","fail","pass"]', 1, 200_000_000)
    (one,) = asyncio.run(store.labelled("default"))
    assert (one.override, one.outcome, one.truth) == ("fail", "pass", "pass")


def test_what_judges_said_is_counted_by_judge(sqlite_url):
    store = open_store(sqlite_url)
    said = tuple(
        ResultRecord(
            node=f"n{n}", check="rubric", version="1", status=status, judge="openai/m", confidence_source="reported"
        )
        for n, status in enumerate(("pass", "fail", "fail"))
    )
    asyncio.run(store.append([entry(made(results=said, confidence=0.7, confidence_source="reported"), runs=2)]))
    marks = {m.key: m.n for m in asyncio.run(store.marks("default", ["judge", "confidence"]))}
    assert marks == {"pass|openai/m": 2, "fail|openai/m": 4, "reported|7": 2}


def test_two_writers_at_once_leave_the_counts_right(postgres_url):
    """Each has its own connection; both say something about the same verification, and verify beside it."""
    first, second = open_store(postgres_url), open_store(postgres_url)
    record = made(outcome="fail", action="abort")

    async def work() -> None:
        await first.append([entry(record)])
        for number in range(1, 9):
            await asyncio.gather(
                first.append([word(record, "pass", "override", 2 * number)]),
                second.append([word(record, "fail", "override", 2 * number + 1)]),
            )
            await asyncio.gather(first.append([entry(made())]), second.append([entry(made(), runs=2)]))

    asyncio.run(work())
    counted = same_as_recounted(first)
    assert sum(row[6] for row in counted["rollup_runs"]) == 25
    (label,) = [row for row in counted["rollup_marks"] if row[1] == "label"]
    assert label[4] == 1
    for store in (first, second):
        asyncio.run(store.close())
