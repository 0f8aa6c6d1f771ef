"""Where stores could differ: made again, purged, looked up by odd beginnings, taken in from elsewhere. All three answer alike."""

from __future__ import annotations

import asyncio
import json
import time

import pytest
from msgspec.structs import replace

from witnessmark import Case, Verifier
from witnessmark.core.errors import InputError, StoreError, UnknownNameError
from witnessmark.core.record import Query, standing
from witnessmark.insight.review import override
from witnessmark.stores import open_store, scores
from witnessmark.stores.audit import audit
from witnessmark.stores.transfer import export, take_in
from witnessmark.testing.records import DAY, word

from .conftest import on_store  # type: ignore[import-not-found]


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def url(request, tmp_path):
    if request.param == "postgres":
        return request.getfixturevalue("postgres_url")
    return "memory:" if request.param == "memory" else f"sqlite:///{tmp_path}/s.db"


@pytest.fixture
def using(url):
    """Do something with a new store, and close it."""
    return lambda work: on_store(url, work)


def entry_of(text="hello world", *, at=100.0, workspace="default", least=8, **more):
    """What a verifier would hand to a store, as if it had been made at this second."""
    criteria = [{"check": "min_length", "value": least}]
    case = Case(subject={"kind": "task_output", "text": text}, criteria=criteria, **more)
    made = asyncio.run(Verifier(store="memory:", workspace=workspace).evaluate(case))
    return replace(made, runs=(replace(made.runs[0], at=at),))


def again(entry, at):
    """The same record, made once more."""
    return replace(entry, runs=(replace(entry.runs[0], id=f"again-{at}", at=at),))


class TestMadeAgain:
    def test_its_runs_are_kept_in_the_order_they_were_made(self, using):
        entry = entry_of(at=100.0)

        async def work(store):
            for at in (100.0, 300.0, 200.0):
                await store.append([entry if at == 100.0 else again(entry, at)])
            return await store.get(entry.id), await store.find(Query())

        found, (line,) = using(work)
        assert sorted(run.at for run in found.runs) == [100.0, 200.0, 300.0]
        assert line.runs == 3

    def test_the_very_same_run_twice_is_one(self, using):
        entry = entry_of()

        async def work(store):
            await store.append([entry])
            await store.append([entry])
            return await store.get(entry.id)

        assert len(using(work).runs) == 1

    def test_after_a_purge_it_is_kept_anew_with_its_content_and_can_be_purged_again(self, using):
        """Whoever has the same work verified again is told that its record is kept: then it is."""
        entry = entry_of(at=100.0)

        async def work(store):
            await store.append([entry])
            await store.purge(workspace="default")
            await store.append([again(entry, 200.0)])
            found, listed, seen = await store.get(entry.id), await store.find(Query()), await audit(store)
            tallied = await store.run_tallies("default")
            count = await store.purge(workspace="default")
            return found, listed, seen, sum(one.sums.runs for one in tallied), count, await store.get(entry.id)

        found, (line,), seen, counted, count, gone = using(work)
        assert (found.record, found.case) == (entry.record, entry.case)
        assert [run.at for run in found.runs] == [100.0, 200.0]
        assert (line.id, line.at, line.runs) == (entry.id, 200.0, 1), (
            "what was purged is in no list and no figure again"
        )
        assert (seen.records, seen.tombstones, seen.faults) == (1, 0, [])
        assert (counted, count) == (1, 1)
        assert (gone.record, gone.case) == (None, None)

    def test_it_was_first_made_at_its_earliest_run_whichever_was_kept_first(self, using):
        entry = entry_of(at=300.0 * DAY)

        async def work(store):
            await store.append([entry, word(entry.record, "fail", "outcome", at=400.0 * DAY)])
            await store.append([again(entry, 100.0 * DAY)])
            (labelled,) = await store.labelled("default")
            (mark,) = await store.marks("default", ["label"], by_bucket=True)
            return labelled.at, mark.bucket, (await anext(store.scan())).id

        assert using(work) == (100.0 * DAY, 100 * DAY, entry.id)

    def test_old_words_stay_with_a_record_that_was_made_again_and_a_new_one_holds(self, using):
        old, now = entry_of(at=100.0), time.time()

        async def work(store):
            await store.append([old, again(old, now)])
            said = [word(old.record, "pass", "override", number, at=200.0 * number) for number in (1, 2)]
            await store.append([*said, word(old.record, "fail", "override", 3, at=now)])
            assert await store.purge(before=now - 1) == 0
            await override(store, old.id, outcome="partial", reason="I looked again")
            (labelled,) = await store.labelled("default")
            return (await standing(store, old.id)).outcome, labelled.override

        assert using(work) == ("partial", "partial")

    def test_what_was_purged_and_made_anew_is_exported_and_taken_in_as_it_is(self, using):
        entry = entry_of(at=100.0)

        async def work(store):
            await store.append([entry])
            old = [line async for line in export(store)]
            await store.purge(workspace="default")
            await store.append([again(entry, 200.0)])
            other = open_store("memory:")
            for lines in (old, [line async for line in export(store)], old):
                await take_in(store, lines)
            await take_in(other, [line async for line in export(store)])
            rows = [[row["at"] async for row in scores.rows(one)] for one in (store, other)]
            counts = [await one.run_tallies("default") for one in (store, other)]
            return rows, [sum(one.sums.runs for one in tallied) for tallied in counts]

        assert using(work) == ([[200.0], [200.0]], [1, 1])

    def test_a_tombstone_from_elsewhere_adds_nothing_that_counts(self, using):
        entry = entry_of(at=100.0)

        async def work(store):
            other = open_store("memory:")
            await other.append([again(entry, 50.0)])
            await other.purge(workspace="default")
            await store.append([entry])
            await take_in(store, [line async for line in export(other)])
            (line,) = await store.find(Query())
            return line.runs, sum(one.sums.runs for one in await store.run_tallies("default"))

        assert using(work) == (1, 1)

    def test_after_a_purge_a_word_about_it_can_be_said_again(self, using):
        entry = entry_of(at=100.0)

        async def work(store):
            for _ in range(2):
                await store.append([again(entry, time.time())])
                await override(store, entry.id, outcome="fail", reason="no", by="ann", workspace="default")
                holds = await standing(store, entry.id)
                await store.purge(workspace="default")
            return holds

        assert using(work).outcome == "fail"

    def test_taken_in_again_from_an_export_of_before_it_stays_purged(self, using):
        entry = entry_of(at=100.0)

        async def work(store):
            await store.append([entry])
            lines = [line async for line in export(store)]
            await store.purge(workspace="default")
            await take_in(store, lines)
            return await store.get(entry.id), await store.purge(workspace="default")

        found, count = using(work)
        assert (found.record, found.case, count) == (None, None, 0)

    def test_what_stays_purged_leaves_no_text_behind(self, tmp_path):
        url, entry = f"sqlite:///{tmp_path}/s.db", entry_of("a text that was to go", at=100.0)

        async def work(store):
            await store.append([entry])
            lines = [line async for line in export(store)]
            await store.purge(workspace="default")
            await take_in(store, lines)
            return await store.read(lambda db: db.execute("SELECT count(*) FROM cases"))

        assert on_store(url, work) == [(0,)]


class TestPurge:
    def test_what_was_made_again_lately_is_not_old(self, using):
        entry = entry_of(at=100.0)

        async def work(store):
            await store.append([entry, again(entry, 300.0)])
            return await store.purge(before=200.0), await store.purge(before=301.0)

        assert using(work) == (0, 1)

    def test_the_second_it_was_made_in_is_not_before_it(self, using):
        entry = entry_of(at=100.0)

        async def work(store):
            await store.append([entry])
            return await store.purge(before=100.0), await store.purge(before=100.001)

        assert using(work) == (0, 1)

    def test_of_one_workspace_only_what_is_old(self, using):
        old, new = entry_of("an old text", at=100.0, workspace="w"), entry_of("a new text", at=300.0, workspace="w")
        other = entry_of("another text", at=100.0, workspace="v")

        async def work(store):
            await store.append([old, new, other])
            count = await store.purge(before=200.0, workspace="w")
            return count, {line.id for line in await store.find(Query())}

        assert using(work) == (1, {new.id, other.id})

    def test_what_a_person_said_holds_for_as_long_as_the_record_it_is_about_stays(self, using):
        entry, now = entry_of(at=100.0), time.time()

        async def work(store):
            await store.append([entry])
            await override(store, entry.id, outcome="fail", reason="no", by="ann", workspace="default")
            await store.append([again(entry, now + 100.0)])
            count = await store.purge(before=now + 50.0)
            return count, await standing(store, entry.id), await store.purge(before=now + 200.0)

        count, holds, rest = using(work)
        assert (count, holds.kind, holds.outcome, rest) == (0, "override", "fail", 2)

    def test_an_answer_goes_when_it_is_old_and_by_its_workspace(self, using):
        async def work(store):
            await store.remember("answers/default", "key", b"{}")
            left = []
            for before, workspace in ((200.0, None), (10.0**12, "another"), (10.0**12, "default")):
                await store.purge(before=before, workspace=workspace)
                left.append(await store.recall("answers/default", "key"))
            return left

        assert using(work) == [b"{}", b"{}", None]

    def test_a_remark_goes_with_the_record_it_is_about(self, using):
        gone, stays = entry_of("an old text", at=100.0), entry_of("a new text", at=300.0)

        async def work(store):
            await store.append([gone, stays])
            for entry in (gone, stays):
                await store.remember("comments", f"default/{entry.id}", b"[]")
            await store.purge(before=200.0)
            return [key for key, _ in await store.recall_all("comments")]

        assert using(work) == [f"default/{stays.id}"]

    def test_an_orchestrated_run_goes_when_it_is_old_and_by_its_workspace(self, using):
        async def work(store):
            for name in ("w", "w/v"):
                await store.remember("orchestrations", f"{name}/run", b"{}")
            left = []
            for before, workspace in ((200.0, None), (None, "another"), (10.0**12, "w"), (None, None)):
                await store.purge(before=before, workspace=workspace)
                left.append(sorted(key for key, _ in await store.recall_all("orchestrations")))
            return left

        assert using(work) == [["w/run", "w/v/run"], ["w/run", "w/v/run"], ["w/v/run"], []]

    def test_a_store_with_nothing_in_it_purges_nothing(self, using):
        assert using(lambda store: store.purge(before=10.0**12)) == 0


class TestLookup:
    @pytest.mark.parametrize("beginning", ["", "%", "_", "'", "zz", "\x00", "*", "\\"])
    def test_a_beginning_that_no_id_has_is_unknown(self, using, beginning):
        entry = entry_of()

        async def work(store):
            await store.append([entry])
            with pytest.raises(UnknownNameError):
                await store.get(beginning)

        using(work)

    def test_letters_of_an_id_are_small(self, using):
        entry = entry_of()
        assert entry.id != entry.id.upper()

        async def work(store):
            await store.append([entry])
            with pytest.raises(UnknownNameError):
                await store.get(entry.id.upper())

        using(work)

    def test_a_beginning_of_several_is_refused(self, using):
        entries = [entry_of(f"text number {number}", at=float(number)) for number in range(17)]  # more than hex digits
        firsts = [entry.id[0] for entry in entries]
        first = max(set(firsts), key=firsts.count)

        async def work(store):
            await store.append(entries)
            with pytest.raises(StoreError, match=f"several ids begin with '{first}'; give more characters"):
                await store.get(first)

        using(work)

    def test_a_limit_is_a_limit_and_the_newest_come_first(self, using):
        entries = [entry_of(f"text number {number}", at=float(number)) for number in range(5)]

        async def work(store):
            await store.append(entries)
            return [line.at for line in await store.find(Query(limit=2))]

        assert using(work) == [4.0, 3.0]

    @pytest.mark.parametrize(
        ("query", "found"),
        [
            (Query(since=200.0), {"c2", "c3"}),
            (Query(until=200.0), {"c1"}),
            (Query(since=100.0, until=300.0), {"c1", "c2"}),
            (Query(outcome="fail"), {"c3"}),
            (Query(outcome="fail", since=100.0, until=200.0), set()),
            (Query(case_id="c2"), {"c2"}),
            (Query(case_id="C2"), set()),
            (Query(checkpoint="task", action="accept"), {"c1", "c2"}),
            (Query(workspace="nobody"), set()),
        ],
    )
    def test_a_query_finds_what_fits_all_of_it(self, using, query, found):
        made = [
            entry_of("the first text", at=100.0, id="c1"),
            entry_of("the second text", at=200.0, id="c2"),
            entry_of("no", at=300.0, id="c3"),
        ]

        async def work(store):
            await store.append(made)
            return {line.case_id for line in await store.find(query)}

        assert using(work) == found


class TestTakenIn:
    """Lines of an export in which something was changed on the way."""

    @pytest.fixture
    def line(self):
        entry = entry_of()

        async def one():
            store = open_store("memory:")
            await store.append([entry])
            return [json.loads(line) async for line in export(store)]

        (found,) = asyncio.run(one())
        return found

    def refused(self, using, line):
        data = json.dumps(line).encode()

        async def work(store):
            with pytest.raises(InputError) as refusal:
                await take_in(store, [data])
            assert [entry async for entry in store.scan()] == [], "nothing of it is kept"
            return str(refusal.value)

        return using(work)

    def test_as_it_was_it_is_taken(self, using, line):
        async def work(store):
            return await take_in(store, [json.dumps(line).encode(), b"\n", b""]), await audit(store)

        count, seen = using(work)
        assert (count, seen.records, seen.faults) == (1, 1, [])

    def test_a_record_in_another_workspace_than_its_own_is_refused(self, using, line):
        assert "line 1: record" in self.refused(using, line | {"workspace": "theirs"})

    def test_a_parent_that_the_record_does_not_name_is_refused(self, using, line):
        assert "line 1: record" in self.refused(using, line | {"parent": "f" * 64})

    def test_another_case_than_was_verified_is_refused(self, using, line):
        other = line["case"] | {"goal": "Something else."}
        assert "the case is not the one that was verified" in self.refused(using, line | {"case": other})

    def test_a_case_of_which_something_was_left_out_is_taken(self, using, line):
        other = line | {"case": line["case"] | {"goal": "[redacted]"}, "redacted": True}

        async def work(store):
            return await take_in(store, [json.dumps(other).encode()]), await audit(store)

        count, seen = using(work)
        assert (count, seen.faults) == (1, [])

    def test_another_outcome_is_refused(self, using, line):
        record = line["record"] | {"outcome": "fail"}
        assert "is not what its id says" in self.refused(using, line | {"record": record})

    def test_a_field_that_is_not_known_is_named(self, using, line):
        assert "line 1: colour: unknown field" in self.refused(using, line | {"colour": "red"})

    def test_a_format_of_tomorrow_is_refused_with_the_one_that_is_read(self, using, line):
        assert "export format 2 is not known; this version reads 1" in self.refused(
            using, line | {"witnessmark_export": 2}
        )

    def test_a_tombstone_is_taken_as_one(self, using, line):
        tombstone = line | {"record": None, "case": None}

        async def work(store):
            await take_in(store, [json.dumps(tombstone).encode()])
            return await store.get(line["id"]), await audit(store)

        found, seen = using(work)
        assert found.record is None
        assert (seen.tombstones, seen.faults) == (1, [])
