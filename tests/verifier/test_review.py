"""A second look: overrides, outcomes, verifying again, and judges that are judged."""

from __future__ import annotations

import asyncio

import pytest

from witnessmark import Case, Verifier
from witnessmark.checks.goal import achievement
from witnessmark.core.errors import InputError, UnknownNameError, UsageError
from witnessmark.insight import review
from witnessmark.judges.scripted_judge import ScriptedJudge
from witnessmark.settings import Settings
from witnessmark.stores import open_store
from witnessmark.stores.audit import audit
from witnessmark.stores.memory import MemoryStore
from witnessmark.testing.judges import OneJudge


@pytest.fixture(params=["memory", "sqlite"])
def store(request, tmp_path):
    if request.param == "memory":
        return MemoryStore()
    return open_store(f"sqlite:///{tmp_path}/s.db")


def short(text="hi"):
    return Case(subject={"kind": "task_output", "text": text}, criteria=({"check": "min_length", "value": 10},))


def test_an_override_is_a_record_with_a_parent_and_a_reason_and_changes_nothing(store):
    async def main():
        async with Verifier(store=store) as verifier:
            record = await verifier.verify(short())
            said = await review.override(store, record.id[:10], outcome="pass", reason="short is fine here", by="Ana")
            kept = await store.get(record.id)
            return record, said, kept.record, await review.standing(store, record.id), await audit(store)

    record, said, kept, standing, audited = asyncio.run(main())
    assert (said.kind, said.parent, said.because) == ("override", record.id, "short is fine here")  # req: S1-024
    assert (said.outcome, said.action, said.layer) == ("pass", "accept", "person")
    assert said.results[0].details == {"was": "fail", "number": 1, "by": "Ana"}  # req: C21
    assert kept == record, "the verdict stays as it was"
    assert standing.id == said.id
    assert said.holds()
    assert audited.faults == []


def test_the_newest_override_holds_also_when_it_says_what_an_earlier_one_said(store):
    async def main():
        async with Verifier(store=store) as verifier:
            record = await verifier.verify(short())
            for word in ("pass", "fail", "pass"):
                last = await review.override(store, record.id, outcome=word, reason="I looked")
            return last, await review.standing(store, record.id), await store.children(record.id)

    last, standing, children = asyncio.run(main())
    assert (standing.id, standing.outcome, len(children)) == (last.id, "pass", 3)


def test_overriding_an_override_is_about_the_verification(store):
    async def main():
        async with Verifier(store=store) as verifier:
            record = await verifier.verify(short())
            first = await review.override(store, record.id, outcome="pass", reason="fine")
            second = await review.override(store, first.id, outcome="fail", reason="not fine")
            return record, second, await review.standing(store, first.id)

    record, second, standing = asyncio.run(main())
    assert second.parent == record.id
    assert standing.id == second.id


def mission(*records: str) -> Case:
    tasks = [
        {"id": f"t{n}", "output": "The tower is 300 m high.", "record": record} for n, record in enumerate(records)
    ]
    return Case(subject={"kind": "mission", "tasks": tasks})


def said_by(record, check):
    return next((said.status, said.reason) for said in record.results if said.check == check)


def test_an_override_that_was_taken_back_holds_nowhere(store):
    async def main():
        async with Verifier(store=store) as verifier:
            record = await verifier.verify(short("long enough for it"))
            undone = await review.override(store, record.id, outcome="fail", reason="the wrong tower")
            await review.undo(store, record.id)
            whole = await verifier.verify(mission(record.id, undone.id))
            return whole, await review.standing(store, undone.id), await store.labelled("default")

    whole, standing, labelled = asyncio.run(main())
    assert (standing.kind, standing.outcome) == ("verification", "pass")
    assert said_by(whole, "task_verdicts") == ("pass", "2 pass")
    assert list(labelled) == [], "nothing is learned from it, whichever the store"


@pytest.mark.parametrize("word", ["pass", "unverified"])
def test_a_person_whose_reason_is_the_word_undone_has_spoken(store, word):
    async def main():
        async with Verifier(store=store) as verifier:
            record = await verifier.verify(short())
            said = await review.override(store, record.id, outcome=word, reason="undone")
            spoken = await review.standing(store, record.id), await store.labelled("default")
            await review.undo(store, record.id)
            return said, *spoken, await review.standing(store, record.id)

    said, standing, labelled, after = asyncio.run(main())
    assert (standing.id, standing.outcome) == (said.id, word)
    assert [one.override for one in labelled] == [word]
    assert (after.kind, after.outcome) == ("verification", "fail"), "and can be taken back as any other"


def test_tasks_without_any_settled_verdict_are_not_called_settled(store):
    async def main():
        async with Verifier(store=store) as verifier:
            record = await verifier.verify(short("long enough for it"))
            await review.override(store, record.id, outcome="unverified", reason="nobody can say")
            return await verifier.verify(mission(record.id))

    whole = asyncio.run(main())
    assert said_by(whole, "task_verdicts")[0] == "abstain"
    assert said_by(whole, "tasks_settled") == ("partial", "1 of 1 tasks are unverified")


@pytest.mark.parametrize(
    ("given", "match"),
    [
        ({"outcome": "good", "reason": "x"}, "outcome: 'good' is not one of pass, partial, fail, unverified"),
        ({"outcome": "pass", "reason": "  "}, "reason: say why"),
        ({"outcome": "pass", "reason": "x" * 5000}, "reason: 5000 characters"),
    ],
)
def test_what_is_wrong_with_an_override_is_said(given, match):
    async def main():
        store = MemoryStore()
        record = await Verifier(store=store).verify(short())
        await review.override(store, record.id, **given)

    with pytest.raises(InputError, match=match):
        asyncio.run(main())


def test_an_unknown_or_purged_record_cannot_be_overridden():
    async def main(purge):
        store = MemoryStore()
        record = await Verifier(store=store).verify(short())
        if purge:
            await store.purge(workspace="default")
        await review.override(store, record.id if purge else "ffff", outcome="pass", reason="x")

    with pytest.raises(UsageError, match="was purged"):
        asyncio.run(main(purge=True))
    with pytest.raises(UnknownNameError):
        asyncio.run(main(purge=False))


FACTS = {"completed": True, "accurate": False}


def test_what_really_happened_is_kept_beside_the_verdict():
    async def main():
        store = MemoryStore()
        record = await Verifier(store=store).verify(short("long enough to pass"))
        happened = await review.outcome(
            store, record.id, outcome="fail", reason="the customer sent it back", facts=FACTS
        )
        return record, happened, await review.standing(store, record.id)

    record, happened, standing = asyncio.run(main())
    assert (happened.kind, happened.parent, happened.outcome) == ("outcome", record.id, "fail")
    assert happened.results[0].details.items() >= FACTS.items()  # req: S0-089
    assert happened.results[0].details == {"was": "pass", "number": 1} | FACTS  # req: S1-040
    assert standing.id == record.id, "what happened is not an override"


@pytest.mark.parametrize("number", [99, "many", None])
def test_facts_take_the_place_of_nothing_of_ours_and_are_kept(store, number):
    facts = {"number": number, "was": "late", "undone": "the second half"}

    async def main():
        async with Verifier(store=store) as verifier:
            record = await verifier.verify(short())
            first = await review.outcome(store, record.id, outcome="fail", facts=facts)
            await review.outcome(store, record.id, outcome="pass")
            return first, await store.labelled("default")

    first, labelled = asyncio.run(main())
    ours, theirs = {"was": "fail", "number": 1}, {f"facts.{name}": facts[name] for name in ("was", "number")}
    assert first.results[0].details == ours | theirs | {"undone": "the second half"}
    assert [one.outcome for one in labelled] == ["pass"], "the newest holds"


def test_an_outcome_is_not_taken_back_by_a_fact(store):
    async def main():
        async with Verifier(store=store) as verifier:
            record = await verifier.verify(short())
            await review.outcome(store, record.id, outcome="pass", facts={"undone": True})
            return await store.labelled("default")

    assert [one.outcome for one in asyncio.run(main())] == ["pass"]


def test_what_happened_must_be_known():
    with pytest.raises(InputError, match="once it is known"):
        asyncio.run(review.outcome(MemoryStore(), "x", outcome="unverified"))


def test_verifying_again_with_another_policy_is_a_record_with_a_parent(store):
    case = Case(
        subject={"kind": "task_output", "text": "twelve chars"},
        criteria=(
            {"check": "min_length", "value": 10, "must_pass": False},
            {"check": "min_length", "value": 99, "must_pass": False},
        ),
    )

    async def main():
        verifier = Verifier(store=store)
        record = await verifier.verify(case)
        looser = Verifier(store=store, policy={"pass_threshold": 0.5})
        again = await review.reverify(looser, record.id)
        await store.close()
        return record, again

    record, again = asyncio.run(main())
    assert (record.outcome, again.outcome) == ("partial", "pass")
    assert again.parent == record.id  # req: S1-023
    assert again.case_digest == record.case_digest


def test_a_person_may_want_it_stricter_or_looser_than_the_workspace():
    settings = Settings(
        policy={"pass_threshold": 0.8}, users={"ana": {"pass_threshold": 0.5}, "ben": {"pass_threshold": 0.9}}
    )
    criteria = (
        {"check": "min_length", "value": 1, "must_pass": False, "weight": 3},
        {"check": "min_length", "value": 9, "must_pass": False},
    )

    def outcome(**context):
        case = Case(subject={"kind": "task_output", "text": "short"}, criteria=criteria, context=context)
        record = Verifier(settings).verify_sync(case)
        return record.outcome, record.layer

    assert outcome(user="ana") == ("pass", "user")  # req: S1-041
    assert outcome(user="ben")[0] == "partial"
    assert outcome()[0] == outcome(user="nobody")[0] == "partial"
    assert outcome(user="ben", policy={"pass_threshold": 0.7}) == ("pass", "task"), "the task has the last word"


def goal_answer(achieved):
    blank = {"reasoning": "r", "confidence": 0.9, "issues": [], "suggestions": [], "questions": []}
    return {name: blank.get(name, achieved) for name in achievement.REPLY["required"]}


def judged_case(text="Lisbon lies on seven hills."):
    return Case(subject={"kind": "answer", "text": text}, goal="Describe Lisbon.", checkpoint="goal")


def test_verifying_again_with_another_judge():
    async def main():
        store = MemoryStore()
        first = Verifier(store=store, services={"judges": OneJudge(ScriptedJudge([goal_answer(True)], id="a"))})
        record = await first.verify(judged_case())
        second = first.with_services({"judges": OneJudge(ScriptedJudge([goal_answer(False)], id="b"))})
        return record, await review.reverify(second, record.id)

    record, again = asyncio.run(main())
    assert (record.outcome, again.outcome) == ("pass", "partial")
    assert (record.results[-1].judge, again.results[-1].judge) == ("a", "b")


def test_a_case_that_was_kept_out_has_to_be_given_and_be_the_same():
    async def main(case):
        store = MemoryStore()
        verifier = Verifier(Settings(content={"keep": "digest"}), store=store)
        record = await verifier.verify(short())
        return await review.reverify(verifier, record.id, case=case)

    with pytest.raises(UsageError, match="was kept out of the store"):
        asyncio.run(main(None))
    with pytest.raises(InputError, match="its digest differs"):
        asyncio.run(main(short("another text")))
    assert asyncio.run(main(short())).parent is not None
