"""What every store must do: one suite, run on memory, SQLite and a real PostgreSQL."""

from __future__ import annotations

import asyncio
import time

import pytest
from msgspec.structs import replace
from msgspec.structs import replace as change

from witnessmark import Case, Verifier
from witnessmark.core.errors import InputError, StoreError, UnknownNameError
from witnessmark.core.record import Entry, Query, Run, Store
from witnessmark.core.verdict import Usage
from witnessmark.stores import open_store
from witnessmark.stores.audit import audit
from witnessmark.stores.transfer import export, take_in

from .conftest import on_store as using  # type: ignore[import-not-found]


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def url(request, tmp_path):
    if request.param == "postgres":
        return request.getfixturevalue("postgres_url")
    return "memory:" if request.param == "memory" else f"sqlite:///{tmp_path}/s.db"


def entry_of(text="hello world", *, at=None, workspace="default", parent=None, attempt=1, usage=None, **more):
    case = Case(subject={"kind": "task_output", "text": text}, criteria=[{"check": "min_length", "value": 8}], **more)
    # a verifier that has a store keeps the case with the entry
    made = asyncio.run(Verifier(store="memory:", workspace=workspace).evaluate(case, attempt=attempt, parent=parent))
    run = made.runs[0]
    run = replace(run, at=at if at is not None else run.at, usage=usage or run.usage)
    return replace(made, runs=(run,))


def test_is_a_store(url):
    assert isinstance(open_store(url), Store)


def test_what_was_appended_comes_back_the_same(url):
    entry = entry_of(usage=Usage(judge_calls=2, tokens=30, cost_usd=0.5, cached=1))

    async def work(store):
        await store.append([entry])
        return await store.get(entry.id)

    found = using(url, work)
    assert found == entry
    assert found.record.holds()
    assert Case.from_json(found.case).digest() == found.record.case_digest


def test_storing_twice_is_one_record_and_two_runs(url):
    first, second = entry_of(at=100.0), entry_of(at=200.0)
    assert first.id == second.id

    async def work(store):
        await store.append([first])
        await store.append([second])
        await store.append([second])
        return await store.get(first.id), await store.find(Query())

    found, listed = using(url, work)
    assert [run.at for run in found.runs] == [100.0, 200.0]
    assert [(one.id, one.runs, one.at) for one in listed] == [(first.id, 2, 200.0)]


def test_both_copies_in_one_append_are_one_record(url):
    first, second = entry_of(at=100.0), entry_of(at=200.0)

    async def work(store):
        await store.append([first, second])
        return await store.get(first.id)

    assert len(using(url, work).runs) == 2


def test_the_beginning_of_an_id_is_enough_while_it_is_unique(url):
    entries = [entry_of(f"text number {n}") for n in range(40)]

    async def work(store):
        await store.append(entries)
        exact = await store.get(entries[7].id[:20])
        with pytest.raises(StoreError, match="give more characters"):
            shared = next(e.id[:1] for e in entries if sum(o.id.startswith(e.id[:1]) for o in entries) > 1)
            await store.get(shared)
        for missing in ("zzz", "", "%", "_" * 3):
            with pytest.raises(UnknownNameError):
                await store.get(missing)
        return exact

    assert using(url, work).id == entries[7].id


def test_one_workspace_does_not_see_another(url):
    ours, theirs = entry_of(workspace="ours"), entry_of(workspace="theirs")

    async def work(store):
        await store.append([ours, theirs])
        with pytest.raises(UnknownNameError):
            await store.get(ours.id, "theirs")
        return await store.find(Query(workspace="theirs")), [e.id async for e in store.scan("ours")]

    listed, scanned = using(url, work)
    assert [one.id for one in listed] == [theirs.id]
    assert scanned == [ours.id]


def test_finding_by_what_was_decided_newest_first(url):
    entries = [entry_of(f"text number {n}" if n % 2 else f"t{n}", at=float(n), id=f"case-{n}") for n in range(6)]

    async def work(store):
        await store.append(entries)
        return {
            "all": [s.case_id for s in await store.find(Query())],
            "fail": [s.case_id for s in await store.find(Query(outcome="fail"))],
            "since": [s.case_id for s in await store.find(Query(since=2.0, until=4.0))],
            "limit": [s.case_id for s in await store.find(Query(limit=1))],
            "case": [s.outcome for s in await store.find(Query(case_id="case-3", checkpoint="task", action="accept"))],
        }

    assert using(url, work) == {
        "all": ["case-5", "case-4", "case-3", "case-2", "case-1", "case-0"],
        "fail": ["case-4", "case-2", "case-0"],
        "since": ["case-3", "case-2"],
        "limit": ["case-5"],
        "case": ["pass"],
    }


def test_scanning_goes_over_pages_oldest_first(url):
    entries = [entry_of(f"text number {n}", at=float(n // 7)) for n in range(60)]

    async def work(store, monkey):
        await store.append(entries)
        return [e async for e in store.scan()]

    with pytest.MonkeyPatch.context() as monkey:
        monkey.setattr("witnessmark.stores.sql.PAGE", 7)
        found = using(url, lambda store: work(store, monkey))
    assert [e.id for e in found] == [e.id for e in sorted(entries, key=lambda e: (e.runs[0].at, e.id))]


def test_attempts_are_linked(url):
    first = entry_of("short")
    second = entry_of("long enough now", attempt=2, parent=first.id)

    async def work(store):
        await store.append([first, second])
        return await store.children(first.id), await audit(store)

    children, seen = using(url, work)
    assert [record.attempt for record in children] == [2]
    assert (seen.records, seen.faults) == (2, [])


def test_the_audit_names_what_is_not_as_it_says(url):
    good = entry_of("a good record")
    changed = entry_of("a changed record")
    changed = replace(changed, record=change(changed.record, outcome="fail"))
    orphan = entry_of("an orphan here", parent="f" * 64, attempt=2)
    wrong_case = replace(entry_of("another record"), case=good.case)
    never_ran = replace(entry_of("never ran at all"), runs=())

    async def work(store):
        await store.append([good, changed, orphan, wrong_case])
        seen = await audit(store)
        return {fault.record_id: fault.what for fault in seen.faults}

    faults = using(url, work)
    assert set(faults) == {changed.id, orphan.id, wrong_case.id}
    assert "was changed after it was made" in faults[changed.id]
    assert "neither there nor a tombstone" in faults[orphan.id]
    assert "not the case that was verified" in faults[wrong_case.id]
    assert never_ran.runs == ()


def test_purging_by_age_leaves_tombstones_and_the_audit_holds(url):
    old = entry_of("an old record", at=100.0)
    child = entry_of("its successor", at=300.0, attempt=2, parent=old.id)
    renewed_first, renewed_again = entry_of("made again later", at=100.0), entry_of("made again later", at=300.0)

    async def work(store):
        await store.append([old, child, renewed_first, renewed_again])
        count = await store.purge(before=200.0)
        tomb = await store.get(old.id)
        return count, tomb, await audit(store), await store.find(Query()), await store.get(child.id)

    count, tomb, seen, listed, kept = using(url, work)
    assert count == 1
    assert (tomb.record, tomb.case, [run.at for run in tomb.runs]) == (None, None, [100.0])
    assert (seen.records, seen.tombstones, seen.faults) == (2, 1, [])
    assert old.id not in [one.id for one in listed]
    assert kept.case is not None


def test_purging_a_workspace_leaves_the_others_alone(url):
    ours, theirs = entry_of("the same text", workspace="ours"), entry_of("the same text", workspace="theirs")

    async def work(store):
        await store.append([ours, theirs])
        count = await store.purge(workspace="ours")
        return count, await store.get(ours.id), await store.get(theirs.id)

    count, gone, there = using(url, work)
    assert (count, gone.record) == (1, None)
    assert there.record is not None
    assert there.case is not None


def test_a_tombstone_stays_one_when_the_record_is_made_again_and_purged(url):
    entry = entry_of(at=100.0)

    async def work(store):
        await store.append([entry])
        await store.purge(workspace="default")
        return await store.purge(workspace="default"), await audit(store)

    count, seen = using(url, work)
    assert (count, seen.tombstones) == (0, 1)


def test_export_and_import_between_stores_keep_everything(url, tmp_path):
    entries = [entry_of(f"text number {n}", at=float(n)) for n in range(5)]
    broken = entry_of("a broken one", at=7.0)
    broken = replace(broken, runs=(replace(broken.runs[0], tracebacks={"x": "Traceback …"}),))

    async def work(store):
        await store.append([*entries, broken])
        await store.purge(before=0.5)
        return [line async for line in export(store)]

    lines = using(url, work)

    async def back(store):
        first = await take_in(store, lines)
        await take_in(store, lines)
        return first, [e async for e in store.scan()], await audit(store)

    for other in ("memory:", f"sqlite:///{tmp_path}/other.db"):
        count, found, seen = using(other, back)
        assert count == 6
        assert [(e.id, e.record is None, len(e.runs)) for e in found] == [
            (entries[0].id, True, 1),
            *((e.id, False, 1) for e in [*entries[1:], broken]),
        ]
        assert found[-1].runs[0].tracebacks == {"x": "Traceback …"}
        assert seen.faults == []


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (b"not json", "line 1: not a line"),
        (b'{"witnessmark_export": 1}', "line 1: missing field `id`"),
        (b'{"witnessmark_export": 9, "id": "a", "workspace": "w", "runs": []}', "format 9 is not known"),
    ],
)
def test_a_broken_line_is_refused_with_its_number(line, complaint):
    with pytest.raises(InputError) as refused:
        using("memory:", lambda store: take_in(store, [line]))
    assert complaint in str(refused.value)


def test_a_forged_line_is_refused(url):
    entry = entry_of()

    async def lines_of(store):
        await store.append([entry])
        return [line async for line in export(store)]

    (line,) = using("memory:", lines_of)
    with pytest.raises(InputError, match="is not what its id says"):
        using(url, lambda store: take_in(store, [line.replace(b'"outcome":"pass"', b'"outcome":"fail"')]))


def test_nul_and_odd_characters_are_kept(url):
    entry = entry_of("NUL \x00 and \u2028 and 🙂 and \x1b[31m")

    async def work(store):
        await store.append([entry])
        return await store.get(entry.id), await store.find(Query())

    found, _ = using(url, work)
    assert Case.from_json(found.case).text == "NUL \x00 and \u2028 and 🙂 and \x1b[31m"


@pytest.fixture(params=["sqlite", "postgres"])
def sql_url(request, tmp_path):
    return request.getfixturevalue("postgres_url") if request.param == "postgres" else f"sqlite:///{tmp_path}/s.db"


def test_all_or_nothing(sql_url):
    """An append that fails in the middle leaves nothing behind, and the store works on."""
    good, other = entry_of("a good record"), entry_of("another one")
    bad = Entry("id", "w", None, (Run("run", object()),))  # type: ignore[arg-type]

    async def work(store):
        with pytest.raises(Exception):  # noqa: B017 - the driver's own
            await store.append([good, bad])
        await store.append([other])
        return await store.find(Query())

    assert [one.id for one in using(sql_url, work)] == [other.id]


def test_a_cancelled_caller_never_leaves_half_a_write(sql_url):
    entries = [entry_of(f"text number {n}") for n in range(50)]

    async def work(store):
        task = asyncio.create_task(store.append(entries))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        for _ in range(100):
            if len(await store.find(Query(limit=100))) in (0, 50):
                break
            await asyncio.sleep(0.01)
        return len(await store.find(Query(limit=100)))

    assert using(sql_url, work) in (0, 50)


def test_time_is_kept_to_the_microsecond(url):
    now = time.time()
    entry = entry_of(at=now)

    async def work(store):
        await store.append([entry])
        return (await store.get(entry.id)).runs[0].at

    assert using(url, work) == now
