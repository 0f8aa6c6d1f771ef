"""A record is what its id says, links to the attempt before it, and keeps evidence by digest."""

from __future__ import annotations

import copy
import pickle

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from witnessmark import Verifier
from witnessmark.core.case import Case
from witnessmark.core.record import Record
from witnessmark.core.values import text_digest
from witnessmark.core.verdict import Feedback, Usage
from witnessmark.loop.feedback import as_text


def verified(text="a long enough text", **more):
    case = Case(
        id="c1",
        goal="g",
        subject={"kind": "task_output", "text": text},
        evidence=[{"id": "d1", "text": "canary"}, {"id": "t", "kind": "tool_call", "name": "ls", "exit_code": 0}],
        criteria=[{"check": "min_length", "value": 5}, {"check": "contains_keywords", "value": ["long"]}],
    )
    return Verifier().verify_sync(case, **more)


def test_every_field_of_the_contract_is_there():
    fields = set(msgspec.json.decode(verified().full_json()))
    assert {
        "id", "case_id", "checkpoint", "workspace", "outcome", "unverified_because", "action", "degraded", "questions", "score",
        "confidence", "confidence_source", "coverage", "independence", "findings", "results", "claims", "feedback", "usage",
        "attempt", "parent",
    } <= fields  # fmt: skip


def test_results_findings_and_usage_have_the_fields_of_the_contract():
    shown = msgspec.json.decode(verified("short").full_json())
    assert {"check", "version", "status", "score", "reason", "judge"} <= set(shown["results"][0])
    assert {"check", "category", "severity", "message", "suggestion", "span", "evidence"} <= set(shown["findings"][0])
    assert set(shown["usage"]) == {"judge_calls", "tokens", "cost_usd", "cached"}
    assert shown["findings"][0]["check"] == "contains_keywords"


def test_the_same_verification_has_the_same_id():
    assert verified().id == verified().id
    assert verified().id != verified("another long text").id


def test_a_record_that_was_copied_or_pickled_still_holds_and_a_changed_one_does_not():
    record = verified("short")
    for again in (pickle.loads(pickle.dumps(record)), copy.deepcopy(record), copy.copy(record)):
        assert again == record
        assert again.holds()
    assert not pickle.loads(pickle.dumps(replace(record, because="all is well"))).holds()


@pytest.mark.parametrize("more", [{"attempt": 2}, {"parent": "0" * 64}, {"attempt": 2, "parent": "0" * 64}])
def test_attempt_and_parent_are_part_of_the_identity(more):
    assert verified(**more).id != verified().id


def test_the_workspace_is_part_of_the_identity():
    case = Case(subject={"kind": "task_output", "text": "x"}, criteria=[{"check": "min_length", "value": 1}])
    assert Verifier(workspace="a").verify_sync(case).id != Verifier(workspace="b").verify_sync(case).id


def test_usage_stays_outside_the_identity():
    record = verified()
    assert replace(record, usage=Usage(tokens=99)).holds()


@pytest.mark.parametrize(
    "change",
    [
        {"outcome": "fail"},
        {"score": 0.9},
        {"action": "warn"},
        {"results": ()},
        {"workspace": "x"},
        {"policy": msgspec.Raw(b'{"a":1}')},
        {"degraded": True},
    ],
)
def test_a_changed_record_no_longer_holds(change):
    record = verified()
    assert record.holds()
    assert not replace(record, **change).holds()


def test_reading_a_written_record_gives_the_same_and_it_holds():
    for record in (verified(), verified("short")):
        again = Record.from_json(record.json())
        assert again == record
        assert again.holds()
        assert again.json() == record.json()


def test_evidence_is_kept_by_digest():
    record = verified()
    assert record.evidence[0].sha256 == text_digest("canary")
    assert b"canary" not in record.json()
    assert [source.id for source in record.evidence] == ["d1", "t"]


def test_versions_of_checks_are_kept():
    assert {(said.node, said.version) for said in verified().results} == {
        ("not_empty", "2"),
        ("min_length", "1"),
        ("contains_keywords", "1"),
        ("not_contradicted", "1"),
    }
    graph = msgspec.json.decode(verified().graph)
    assert graph["nodes"][1] == {
        "check": "min_length", "cost": "instant", "must_pass": True, "node": "min_length", "options": {"characters": 5}, "version": "1", "weight": 1.0,
    }  # fmt: skip


def test_a_case_without_an_id_goes_by_its_digest():
    record = Verifier().verify_sync(Case(subject={"kind": "answer", "text": "x"}))
    assert record.case_id == record.case_digest


@given(st.text(min_size=1, max_size=40), st.lists(st.sampled_from(["alpha", "beta", "x y"]), min_size=1, max_size=3))
def test_any_text_gives_a_record_that_holds_after_a_round_trip(text, words):
    case = Case(
        subject={"kind": "task_output", "text": text},
        criteria=[{"check": "contains_keywords", "value": words}, "judge me"],
    )
    record = Verifier().verify_sync(case)
    assert Record.from_json(record.json()).holds()


def test_feedback_in_words():
    told = Feedback(
        level="basic",
        attempt=1,
        max_attempts=3,
        previous_score=0.5,
        failed=("has X",),
        issues=("no X",),
        suggestions=("Add X.",),
    )
    assert (
        as_text(told)
        == "PREVIOUS ATTEMPT FEEDBACK (attempt 1 of 3, score 0.5):\nIssues:\n- no X\nSuggestions:\n- Add X."
    )
    assert "Not met:\n- has X" in as_text(replace(told, level="detailed"))


def test_a_record_that_somebodys_tool_reformatted_still_holds():
    record = verified()
    spaced = msgspec.json.format(record.json(), indent=3)
    again = Record.from_json(spaced)
    assert again.holds()
    assert again.normal() == record
