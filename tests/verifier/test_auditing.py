"""The judges judged: a share of what one judge said is read by another, beside the work and never in its way."""

from __future__ import annotations

import asyncio

import pytest

from witnessmark import Case, Policy, Verifier
from witnessmark.checks.goal import achievement
from witnessmark.core.errors import TransientError
from witnessmark.insight import second_opinions
from witnessmark.judges.pool import JudgePool
from witnessmark.judges.qualification import Qualification
from witnessmark.judges.scripted_judge import ScriptedJudge
from witnessmark.settings import Settings
from witnessmark.stores.audit import audit
from witnessmark.stores.memory import MemoryStore
from witnessmark.testing.judges import OneJudge

ALL = {"meta_audit_share": 1.0}


def goal_answer(achieved):
    blank = {"reasoning": "r", "confidence": 0.9, "issues": [], "suggestions": [], "questions": []}
    return {name: blank.get(name, achieved) for name in achievement.REPLY["required"]}


def judged_case(text="Lisbon lies on seven hills.", **more):
    return Case(subject={"kind": "answer", "text": text}, goal="Describe Lisbon.", checkpoint="goal", **more)


def says(achieved, name, family="mistral"):
    return ScriptedJudge(lambda _: goal_answer(achieved), id=name, family=family)


def bench(*judges, **more):
    """Configured judges, all of them qualified; the first is picked."""
    made = JudgePool(judges, named=False, **more)
    made.qualified = {
        judge.id: Qualification(
            judge=judge.id, model="m", set="s", items=1, answered=1, compliance=1.0, kappa=1.0, accuracy=1.0
        )
        for judge in judges
    }
    return made


def verified(judges, policy=ALL, case=None):
    """The record, what was said about it, and what the store's audit finds, once the verifier is closed."""
    store = MemoryStore()

    async def main():
        async with Verifier(store=store, policy=policy, services={"judges": judges}) as verifier:
            record = await verifier.verify(case or judged_case())
        return record, await store.children(record.id), await audit(store)

    return asyncio.run(main())


def test_where_two_judges_are_configured_the_other_one_reads_what_the_first_said():
    first, second = says(True, "a"), says(False, "b")
    record, (again,), audited = verified(bench(first, second))
    assert (record.kind, record.outcome) == ("verification", "pass")
    assert (again.kind, again.parent) == ("audit", record.id)
    assert again.because == "goal_achieved: pass by a, fail by b"
    assert {said.judge for said in again.results if said.judge} == {"b"}
    assert (len(first.asked), len(second.asked)) == (1, 1), "a second reading is not read again itself"
    assert again.holds()
    assert audited.faults == []


def test_judges_that_agree_are_kept_as_agreeing():
    _, (again,), _ = verified(bench(says(True, "a"), says(True, "b")))
    assert again.because == "b says the same as a"


def test_by_default_about_one_in_a_hundred_judged_cases_is_drawn_and_always_the_same_ones():
    record, _, _ = verified(OneJudge(says(True, "a")))
    cases = [judged_case(f"answer {number}") for number in range(2000)]
    drawn = [case for case in cases if second_opinions.is_sampled(Policy(), case, record)]
    assert 5 <= len(drawn) <= 45  # req: C22
    assert drawn == [case for case in cases if second_opinions.is_sampled(Policy(), case, record)]
    assert all(second_opinions.is_sampled(Policy(**ALL), case, record) for case in cases[:50])
    assert not any(second_opinions.is_sampled(Policy(meta_audit_share=0.0), case, record) for case in cases)


def test_a_case_that_is_not_drawn_is_read_once():
    second = says(False, "b")
    record, said, _ = verified(bench(says(True, "a"), second), policy={"meta_audit_share": 0.0})
    assert (record.outcome, said, second.asked) == ("pass", [], [])


def test_what_no_judge_said_is_not_drawn():
    case = Case(subject={"kind": "task_output", "text": "hi"}, criteria=({"check": "min_length", "value": 10},))
    record = Verifier().verify_sync(case)
    assert not second_opinions.is_sampled(Policy(**ALL), case, record)


@pytest.mark.parametrize(
    "judges",
    [
        OneJudge(says(True, "a")),
        bench(says(True, "a")),
        JudgePool([says(True, "a"), says(True, "b")], named=True, use="panel"),
        bench(says(True, "a"), says(False, "b", family="openai")),
    ],
    ids=["somebody else's", "one", "a panel of all", "the other is of the maker's family"],
)
def test_where_no_other_judge_may_read_it_nothing_is_read_again(judges):
    record, said, _ = verified(judges, case=judged_case(executor={"id": "x", "model": "gpt-4o"}))
    assert record.outcome == "pass"
    assert said == []


def test_whoever_verifies_does_not_wait_for_the_second_reading():
    store, gate = MemoryStore(), []

    class Slow(ScriptedJudge):
        async def ask(self, question):
            await gate[0].wait()
            return await super().ask(question)

    async def main():
        gate.append(asyncio.Event())
        slow = Slow(lambda _: goal_answer(True), id="b", family="mistral")
        async with Verifier(store=store, policy=ALL, services={"judges": bench(says(True, "a"), slow)}) as verifier:
            record = await verifier.verify(judged_case())
            before = await store.children(record.id)
            gate[0].set()
        return before, await store.children(record.id)

    before, after = asyncio.run(main())
    assert (len(before), len(after)) == (0, 1)


def test_another_judge_that_breaks_costs_nothing_and_is_kept_as_not_having_looked():
    broken = ScriptedJudge([TransientError("down")], id="b", family="mistral")
    record, (again,), audited = verified(bench(says(True, "a"), broken))
    assert record.outcome == "pass"
    assert (again.outcome, again.because) == ("unverified", "the other judge could not say")
    assert audited.faults == []


def test_a_store_that_fails_under_a_second_reading_is_logged_and_nothing_more(caplog):
    class Full(MemoryStore):
        async def append(self, entries):
            if any(entry.record.kind == "audit" for entry in entries):
                raise OSError("no space left")
            return await super().append(entries)

    async def main():
        judges = bench(says(True, "a"), says(True, "b"))
        async with Verifier(store=Full(), policy=ALL, services={"judges": judges}) as verifier:
            return await verifier.verify(judged_case())

    assert asyncio.run(main()).outcome == "pass"
    assert "a second reading by another judge was not kept: OSError: no space left" in caplog.text


def test_what_was_kept_out_of_the_store_is_still_read_from_the_case_at_hand():
    store = MemoryStore()

    async def main():
        judges = bench(says(True, "a"), says(True, "b"))
        settings = Settings(content={"keep": "digest"})
        async with Verifier(settings, store=store, policy=ALL, services={"judges": judges}) as verifier:
            record = await verifier.verify(judged_case())
        return await store.children(record.id)

    assert [said.kind for said in asyncio.run(main())] == ["audit"]


def test_many_are_kept_at_once_and_each_that_is_drawn_is_read_again():
    async def main():
        store = MemoryStore()
        judges = bench(says(True, "a"), says(False, "b"))
        async with Verifier(store=store, policy=ALL, services={"judges": judges}) as verifier:
            made = [result.record async for result in verifier.verify_many([judged_case()])]
        return await store.children(made[0].id)

    assert [said.because for said in asyncio.run(main())] == ["goal_achieved: pass by a, fail by b"]


@pytest.mark.parametrize("second", [True, False])
def test_a_second_reading_can_be_asked_for(second):
    async def main():
        verifier = Verifier(services={"judges": OneJudge(says(True, "a"))})
        record = await verifier.verify(judged_case())
        return await second_opinions.meta_audit(verifier, judged_case(), record, OneJudge(says(second, "b")))

    looked = asyncio.run(main())
    assert looked.agree is second
    assert looked.differences == (() if second else ("goal_achieved: pass by a, fail by b",))
