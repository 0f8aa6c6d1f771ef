"""A mistake in somebody's own check or checkpoint is one error that names it, and takes no other case with it."""

from __future__ import annotations

import asyncio
import re

import pytest

from witnessmark import Case, CheckRef, Verifier, checkpoint
from witnessmark.core.errors import InputError
from witnessmark.core.plans.checkpoints import checkpoints
from witnessmark.core.verdict import passed

GOOD = {"check": "min_length", "value": 1}


def asking(*criteria):
    return Case(subject={"kind": "task_output", "text": "Give me that."}, criteria=list(criteria))


@pytest.fixture
def planned():
    """Registers a plan as the checkpoint `test-own`, for the time of the test."""

    def register(plan, **more):
        return checkpoint("test-own", kinds=("answer",), **more)(plan)

    yield register
    checkpoints.remove("test-own")


def looked(text="hi", **context):
    return Verifier().verify_sync(
        Case(checkpoint="test-own", subject={"kind": "answer", "text": text}, context=context)
    )


def test_a_check_whose_service_nobody_hands_in_is_an_error_beside_the_others(register):
    @register("test-late", cost="instant", services=["clock"])
    def late(clock):
        return lambda case, prior: passed(f"it is {clock}")

    record = Verifier().verify_sync(asking(GOOD, {"check": "test-late"}))
    told = {said.check: (said.status, said.reason) for said in record.results}
    assert told["min_length"][0] == "pass"
    assert told["test-late"][0] == "error"
    assert "the service 'clock' is missing; hand it in with Verifier(services={'clock': …})" in told["test-late"][1]
    assert Verifier(services={"clock": "noon"}).verify_sync(asking({"check": "test-late"})).outcome == "pass"


def test_a_factory_that_breaks_is_an_error_beside_the_others(register):
    @register("test-pattern", cost="instant")
    def pattern(words: str):
        found = re.compile(words)
        return lambda case, prior: passed(found.pattern)

    record = Verifier().verify_sync(asking(GOOD, {"check": "test-pattern", "value": "("}))
    assert [said.status for said in record.results if said.check != "not_empty"] == ["pass", "error"]
    assert "check 'test-pattern' broke: " in record.results[-1].reason
    assert Verifier().verify_sync(asking({"check": "test-pattern", "value": "x"})).outcome == "pass"


def _raises(case):
    raise KeyError("x")


def _raises_later(case):
    yield CheckRef("not_empty")
    raise KeyError("x")


@pytest.mark.parametrize(
    ("plan", "told"),
    [
        (_raises, "its plan broke: KeyError: 'x'"),
        (_raises_later, "its plan broke: KeyError: 'x'"),
        (lambda case: ["not_empty"], r"its plan yields a str; write CheckRef\('not_empty'\)"),
        (lambda case: [None], "its plan yields a NoneType"),
        (lambda case: None, "its plan returns nothing; yield a CheckRef"),
        (lambda case: [CheckRef("contains_keywords", value=re.compile("x"))], "an option that is not JSON"),
        (lambda case: [CheckRef("not_empty", weight=-1)], "CheckRef 'not_empty': weight -1 is not a number from 0"),
    ],
)
def test_a_plan_that_is_wrong_is_told_with_its_checkpoint(planned, plan, told):
    planned(plan)
    with pytest.raises(InputError, match=told):
        looked()
    checkpoints.remove("test-own")
    planned(lambda case: [CheckRef("not_empty")])
    assert looked().outcome == "pass"


def test_a_plan_that_breaks_on_one_case_takes_none_of_the_others(planned):
    planned(lambda case: [CheckRef(case.context["check"])])
    subject = {"kind": "answer", "text": "hi"}
    cases = [Case(checkpoint="test-own", subject=subject, context=told) for told in ({"check": "not_empty"}, {})]

    async def all_of_them():
        return [one async for one in Verifier().verify_many(cases)]

    first, second = asyncio.run(all_of_them())
    assert first.record.outcome == "pass"
    assert str(second.error) == "checkpoint 'test-own': its plan broke: KeyError: 'check'"


def test_a_policy_that_breaks_is_told_with_its_checkpoint(planned):
    planned(lambda case: [CheckRef("not_empty")], policy_of=_raises)
    with pytest.raises(InputError, match="checkpoint 'test-own': its policy_of broke: KeyError"):
        looked()


@pytest.mark.parametrize(
    ("kinds", "told"), [(("anser",), "unknown kind 'anser'; did you mean answer"), ("answer", "Write a tuple")]
)
def test_a_checkpoint_for_a_kind_that_there_is_not_is_refused(kinds, told):
    with pytest.raises(InputError, match=f"checkpoint 'test-kind': .*{told}"):
        checkpoint("test-kind", kinds=kinds)
