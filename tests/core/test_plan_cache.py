"""Criteria are read and graphs built once for cases that bring the same, and no more is held than a bound on criteria allows."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest

from witnessmark import Case, CheckRef, InputError, Verifier, checkpoint
from witnessmark.core.plans import plan_cache
from witnessmark.core.plans.checkpoints import checkpoints
from witnessmark.core.values import canonical


def asked(word: Any) -> Case:
    return Case.from_dict({
        "subject": {"kind": "task_output", "text": "An order."},
        "criteria": [{"check": "contains", "value": word}],
    })  # fmt: skip


def test_the_same_criteria_are_compiled_once():
    verifier = Verifier()
    assert verifier.graph_of(asked("a")) is verifier.graph_of(asked("a"))
    assert verifier.graph_of(asked("a")) is not verifier.graph_of(asked("b"))


@pytest.mark.parametrize(
    ("plan", "cases"),
    [
        (lambda case: [CheckRef("contains", case.context["word"])], [{"context": {"word": w}} for w in ("An", "no")]),
        (
            lambda case: [CheckRef("max_length", 99 if case.evidence[0].text == "long" else 3)],
            [{"evidence": [{"id": "a", "text": text}]} for text in ("long", "short")],
        ),
    ],
)
def test_a_plan_may_read_all_of_a_case_and_each_case_is_held_against_its_own(plan, cases):
    checkpoint("test-plan", kinds=("task_output",))(plan)
    try:
        verifier = Verifier()
        outcomes = [
            verifier.verify_sync(
                Case(subject={"kind": "task_output", "text": "An order."}, checkpoint="test-plan", **one)
            ).outcome
            for one in cases
        ]
    finally:
        checkpoints.remove("test-plan")
    assert outcomes == ["pass", "fail"]


def test_a_tenant_that_brings_ever_new_criteria_makes_nothing_grow(monkeypatch):
    monkeypatch.setattr(plan_cache, "MOST_BYTES", 50_000)
    verifier = Verifier()
    first = verifier.graph_of(asked("first"))
    assert verifier.graph_of(asked("first")) is first
    for number in range(10):
        verifier.graph_of(asked(f"{number}" * 10_000))
    assert verifier.graph_of(asked("first")) is not first, "the oldest went, by bytes and not only by number"


def test_criteria_from_a_dictionary_are_those_it_has_now_and_stay_so_in_the_case():
    given = {
        "subject": {"kind": "task_output", "text": "An order."},
        "criteria": [{"check": "json_schema", "value": {"type": "object", "minProperties": 1}}],
    }
    first = Case.from_dict(given)
    given["criteria"][0]["value"]["minProperties"] = 2
    second = Case.from_dict(given)
    assert [case.criteria[0].value["minProperties"] for case in (first, second)] == [1, 2]
    assert first.digest() != second.digest()


@pytest.mark.parametrize("wrong", [float("nan"), {1: "a"}, b"1", datetime(2026, 1, 1, tzinfo=UTC), {"a"}])
def test_what_is_no_json_is_refused_however_often_its_like_was_read(wrong):
    likeness = msgspec.json.decode(msgspec.json.encode(wrong))
    for _ in range(2):
        good = asked(likeness)
        assert good.criteria[0].value == likeness
        with pytest.raises(InputError):
            asked(wrong)


def test_a_whole_number_and_the_same_with_a_point_are_two_criteria():
    assert [type(asked(number).criteria[0].value) for number in (1, 1.0, True, 1)] == [int, float, bool, int]


def test_a_dictionary_gives_the_case_its_json_gives():
    criteria = ["in words", {"check": "contains", "value": "order", "id": "a"}, {"text": "polite", "needs": ["a"]}]
    given = {"subject": {"kind": "task_output", "text": "An order."}, "criteria": criteria}
    for _ in range(2):
        case = Case.from_dict(given)
        assert case == Case.from_json(json.dumps(given))
        assert case.criteria_json() == canonical(case.criteria)
