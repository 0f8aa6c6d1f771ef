"""A case through the verifier with a judge over HTTP: the record says who judged, how independent, and what it cost."""

from __future__ import annotations

import asyncio

import pytest

from witnessmark import Case, Settings, Verifier
from witnessmark.testing.stub_server import StubServer

CANARY = "sk-canary-fedcba9876543210"
CASE = Case(
    goal="Say how many days a week has",
    subject={"kind": "task_output", "text": "A week has seven days, from Monday to Sunday."},
    criteria=["States the number of days of a week"],
    executor={"model": "gpt-4o"},
    context={"quality": False},
)


def _answer(body):
    asked = body["response_format"]["json_schema"]["schema"]["required"]
    return {key: {"reasoning": "It says seven.", "score": 5, "confidence": 0.9} for key in asked}


def _verified(model="qwen3-8b", cases=1, store="memory:", judging=None, timeout_s=60.0, **stub_options):
    async def go():
        async with StubServer(_answer, **stub_options) as stub:
            spec = {
                "url": stub.url,
                "model": model,
                "key_env": "WITNESSMARK_TEST_KEY",
                "input_usd": 1.0,
                "output_usd": 1.0,
            }
            spec["limits"] = {"timeout_s": timeout_s, "backoff_s": 0.01}
            settings = Settings(judges={"main": spec}, judging={"judges": ["main"]} | (judging or {}))
            async with Verifier(settings, store=store) as verifier:
                return [await verifier.verify(CASE) for _ in range(cases)], stub

    return asyncio.run(go())


@pytest.fixture(autouse=True)
def _key(monkeypatch):
    monkeypatch.setenv("WITNESSMARK_TEST_KEY", CANARY)


def test_a_judged_criterion_settles_with_judge_independence_and_cost():
    (record,), _ = _verified()
    said = next(result for result in record.results if result.check == "rubric")
    assert (record.outcome, said.status, said.judge) == ("pass", "pass", "main")
    assert record.independence == "family"
    assert record.usage.judge_calls >= 1
    assert record.usage.cost_usd == pytest.approx(record.usage.tokens / 1e6)


def test_the_same_case_again_costs_nothing():
    (_, again), stub = _verified(cases=2)
    assert again.usage.judge_calls == 0
    assert again.usage.cached >= 1  # req: S2-106
    assert stub.calls == 1


def test_the_executors_own_family_is_an_error_never_a_verdict():
    (record,), stub = _verified(model="gpt-4o-mini")
    assert record.outcome == "unverified"
    assert any(result.status == "error" and "of the family openai too" in result.reason for result in record.results)
    assert stub.calls == 0  # req: S2-110


def test_allowed_it_is_judged_and_labelled():
    (record,), _ = _verified(model="gpt-4o-mini", judging={"allow_same_family": True})
    assert record.independence == "model"  # req: S2-037


@pytest.mark.parametrize("fault", ["prose", "truncated", "refusal", "500", "dropped", "empty", "hang"])
def test_a_broken_judge_never_gives_a_score(fault):
    (record,), _ = _verified(script=[fault] * 50, timeout_s=0.2 if fault == "hang" else 60.0, hang_s=3600)
    assert (record.outcome, record.score) == ("unverified", None)
    assert record.unverified_because == "judge_error"


def test_no_record_holds_the_key():
    (record,), stub = _verified(script=["prose"] * 9)
    assert stub.headers[0]["Authorization"] == f"Bearer {CANARY}"
    assert CANARY not in record.full_json().decode()
