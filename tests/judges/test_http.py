"""A judge over real HTTP against the stub endpoint: what comes back, what goes wrong, what it costs, what is never told."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest

from witnessmark.core import budget
from witnessmark.core.budget import Budget
from witnessmark.core.errors import (
    BudgetError,
    ConfigError,
    JudgeReplyError,
    JudgeTimeoutError,
    JudgeUnavailableError,
    RateLimitedError,
)
from witnessmark.core.protocols import Judge, Question
from witnessmark.core.verdict import Usage
from witnessmark.judges.ask import ask_about, rubric, rubric_schema
from witnessmark.judges.backends.anthropic import Anthropic
from witnessmark.judges.backends.chat import Chat
from witnessmark.judges.http import HttpJudge
from witnessmark.judges.keys import JudgeKey
from witnessmark.judges.limits import EndpointLimits, Patience
from witnessmark.judges.metering import Price
from witnessmark.testing.stub_server import StubServer

ANSWER = {"criteria": [{"id": "c1", "reasoning": "it is there", "score": 4, "confidence": 0.9}]}
QUICK = Patience(backoff_s=0.01, retries=2)
CANARY = "sk-canary-0123456789abcdef"


def _question(text: str = "hello") -> Question:
    return ask_about("rubric", ours=rubric({"c1": "x"}), material={"output": text}, reply_schema=rubric_schema(["c1"]))


def _judge(stub: StubServer, patience: Patience = QUICK, dialect: Any = None, **more: Any) -> HttpJudge:
    made = {"price": Price(input=1.0, output=2.0)} | more
    return HttpJudge("main", "stub", dialect=dialect or Chat(), endpoint=EndpointLimits(stub.url, patience), **made)


def _with_stub(work: Any, **options: Any) -> Any:
    """Run `work(stub)` against a stub with these options, closing what it made."""

    async def go() -> Any:
        async with StubServer(options.pop("answer", ANSWER), **options) as stub:
            return await work(stub)

    return asyncio.run(go())


async def _ask(judge: HttpJudge, question: Question | None = None) -> Any:
    try:
        return await judge.ask(question or _question())
    finally:
        await judge.close()


def test_a_question_is_asked_and_answered_with_usage():
    async def work(stub):
        reply = await _ask(_judge(stub))
        return reply, stub.asked[0]

    reply, sent = _with_stub(work)
    assert reply.data == ANSWER
    assert reply.usage == Usage(judge_calls=1, tokens=120, cost_usd=0.00014)
    assert sent["response_format"]["type"] == "json_schema"
    assert sent["response_format"]["json_schema"]["strict"] is True
    assert sent["temperature"] == 0.0  # the judge's temperature is never left to chance


def test_an_http_judge_is_a_judge():
    assert isinstance(HttpJudge("a", "m", dialect=Chat(), endpoint=EndpointLimits("http://127.0.0.1:9/v1")), Judge)


def test_anthropic_is_spoken_to_in_its_own_way():
    async def work(stub):
        judge = _judge(stub, dialect=Anthropic(), key=JudgeKey(env="K", environ={"K": CANARY}))
        return await _ask(judge), stub.asked[0], stub.headers[0]

    reply, sent, headers = _with_stub(work)
    assert reply.data == ANSWER
    assert reply.usage.tokens == 120
    assert sent["tool_choice"] == {"type": "tool", "name": "reply"}
    assert headers["x-api-key"] == CANARY  # req: S2-119


# --- what goes wrong ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", ["empty", "500", "429", "dropped"])
def test_a_passing_fault_is_tried_again(fault):
    async def work(stub):
        return await _ask(_judge(stub)), stub.calls

    reply, calls = _with_stub(work, script=[fault, None])
    assert reply.data == ANSWER
    assert calls == 2


@pytest.mark.parametrize("fault", ["prose", "truncated", "refusal"])
def test_an_unreadable_reply_is_asked_again_once_with_the_complaint(fault):
    async def work(stub):
        return await _ask(_judge(stub)), stub.asked

    reply, asked = _with_stub(work, script=[fault, None])
    assert reply.data == ANSWER
    assert reply.usage.judge_calls == 2
    assert "could not be used" in asked[1]["messages"][-1]["content"]
    assert len(asked[0]["messages"]) == 2


@pytest.mark.parametrize("fault", ["prose", "truncated", "refusal"])
def test_twice_unreadable_is_an_error_that_carries_its_cost(fault):
    async def work(stub):
        with pytest.raises(JudgeReplyError, match="asked twice") as caught:
            await _ask(_judge(stub))
        return caught.value, stub.calls

    exc, calls = _with_stub(work, script=[fault] * 5)
    assert calls == 2
    assert exc.usage.judge_calls == 2


def test_a_malformed_reply_is_mended_without_asking_again():
    async def work(stub):
        return await _ask(_judge(stub)), stub.calls

    assert _with_stub(work, script=["malformed"])[1] == 1


@pytest.mark.parametrize(
    ("fault", "error"),
    [("500", JudgeUnavailableError), ("empty", JudgeUnavailableError), ("dropped", JudgeUnavailableError),
     ("429", RateLimitedError), ("hang", JudgeTimeoutError)],
)  # fmt: skip
def test_a_lasting_fault_ends_in_its_own_error_after_the_retries(fault, error):
    patience = Patience(timeout_s=0.2, backoff_s=0.01, retries=2) if fault == "hang" else QUICK

    async def work(stub):
        with pytest.raises(error):
            await _ask(_judge(stub, patience))
        return stub.calls

    assert _with_stub(work, script=[fault] * 9, retry_after="0.01", hang_s=3600) == 3


@pytest.fixture
def waits(monkeypatch):
    """The seconds that somebody asked to wait for; none of them is waited."""
    asked, real = [], asyncio.sleep

    async def sleep(seconds, result=None):
        if seconds:
            asked.append(seconds)
        return await real(0, result)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    return asked


def test_retry_after_is_honoured_and_a_long_one_is_not_waited_for(waits):
    async def patient(stub):
        await _ask(_judge(stub))
        return stub.calls

    assert _with_stub(patient, script=["429", None], retry_after="17.5") == 2
    assert waits == [17.5]

    async def too_long(stub):
        with pytest.raises(RateLimitedError) as caught:
            await _ask(_judge(stub))
        return caught.value.retry_after_s, stub.calls

    assert _with_stub(too_long, script=["429", None], retry_after="3600") == (3600.0, 1)


def test_a_deadline_holds_for_every_call_by_default():
    assert Patience().timeout_s == 60.0


def test_an_endpoint_that_takes_no_schema_is_asked_for_json_and_then_in_words():
    async def work(stub):
        taken = []

        def refuse(body):
            taken.append(body.get("response_format", {}).get("type"))
            return (400, {"error": {"code": "unsupported"}}) if taken[-1] else None

        stub.refuse = refuse
        judge = _judge(stub)
        first = await judge.ask(_question())
        await judge.ask(_question())
        await judge.close()
        return first, taken

    reply, taken = _with_stub(work)
    assert reply.data == ANSWER
    assert taken == ["json_schema", "json_object", None, None]  # learnt once


def test_a_refusal_that_no_simpler_way_of_asking_mends_teaches_nothing():
    async def work(stub):
        judge = _judge(stub)
        stub.refuse = lambda body: (400, {"error": {"message": "too long"}})
        with pytest.raises(JudgeReplyError, match="refused"):
            await judge.ask(_question())
        stub.refuse = lambda body: None
        await judge.ask(_question())
        await judge.close()
        return stub.asked[-1]

    assert _with_stub(work)["response_format"]["type"] == "json_schema"


def test_a_query_of_the_base_url_stays_at_its_end():
    async def work(stub):
        judge = _judge(stub, dialect=Chat(azure=True), key=JudgeKey(env="K", environ={"K": CANARY}))
        judge.endpoint.url = f"{stub.url}?api-version=2024-10-21"
        return await _ask(judge), stub.headers[0]

    reply, headers = _with_stub(work)
    assert reply.data == ANSWER
    assert headers["api-key"] == CANARY


def test_parameters_an_endpoint_refuses_are_left_out():
    async def work(stub):
        def refuse(body):
            if "max_tokens" in body:
                return 400, {"error": {"param": "max_tokens"}}
            return (400, {"error": {"param": "temperature"}}) if "temperature" in body else None

        stub.refuse = refuse
        await _ask(_judge(stub))
        return stub.asked[-1]

    sent = _with_stub(work)
    assert sent["max_completion_tokens"] == 1024
    assert sent["response_format"]["type"] == "json_schema"


@pytest.mark.parametrize(("status", "error"), [(401, ConfigError), (404, ConfigError), (413, JudgeReplyError)])
def test_a_refusal_that_trying_again_cannot_mend_is_not_tried_again(status, error):
    async def work(stub):
        stub.refuse = lambda body: (status, {"error": {"message": f"no {CANARY}", "code": "x y"}})
        with pytest.raises(error) as caught:
            await _ask(_judge(stub))
        return str(caught.value), stub.calls

    said, calls = _with_stub(work)
    assert calls == 1
    assert CANARY not in said


def test_nobody_there_is_unavailable():
    async def work():
        endpoint = EndpointLimits("http://127.0.0.1:9/v1", Patience(retries=0))
        await _ask(HttpJudge("gone", "m", dialect=Chat(), endpoint=endpoint))

    with pytest.raises(JudgeUnavailableError, match=r"127\.0\.0\.1:9/v1 cannot be reached"):
        asyncio.run(work())


# --- limits -------------------------------------------------------------------------------------------------------


def test_connections_are_reused_and_calls_at_once_are_bounded():
    async def work(stub):
        stub.hangs_at = lambda body: stub.calls < 3
        judge = _judge(stub, Patience(concurrency=3))
        await asyncio.gather(*(judge.ask(_question(str(n))) for n in range(12)))
        await judge.close()
        return stub.most_in_flight, len(stub.connections)

    most, connections = _with_stub(work)
    assert most == 3
    assert connections <= 4


def test_the_breaker_leaves_a_failing_endpoint_alone_and_tries_it_again_later():
    now = [0.0]

    async def work(stub):
        endpoint = EndpointLimits(stub.url, Patience(retries=0, open_after=5, cool_s=30.0), clock=lambda: now[0])
        judge = HttpJudge("main", "stub", dialect=Chat(), endpoint=endpoint)
        for _ in range(8):
            with pytest.raises(JudgeUnavailableError):
                await judge.ask(_question())
        failed_calls = stub.calls
        now[0] = 31.0
        await judge.ask(_question())
        await judge.ask(_question())
        await judge.close()
        return failed_calls, stub.calls

    assert _with_stub(work, script=["500"] * 5) == (5, 7)


def test_a_rate_limit_spreads_calls(waits):
    async def work(stub):
        judge = _judge(stub, Patience(per_minute=0.006))
        await asyncio.gather(*(judge.ask(_question(str(n))) for n in range(5)))
        await judge.close()
        return stub.calls

    assert _with_stub(work) == 5
    assert [round(seconds, -4) for seconds in waits] == [10_000, 20_000, 30_000, 40_000]


def test_one_judge_serves_several_event_loops():
    judges = []

    async def work(stub):
        judges.append(judge := _judge(stub))
        await _ask(judge)

    _with_stub(work)

    async def again():
        async with StubServer(ANSWER) as stub:
            judges[0].endpoint.url = stub.url
            return await _ask(judges[0])

    assert asyncio.run(again()).data == ANSWER


# --- money --------------------------------------------------------------------------------------------------------


def _spending(tokens: int | None, usd: float | None, script: list[Any] | None = None, **more: Any) -> Budget:
    allowed = Budget(tokens, usd)

    async def work(stub):
        budget.active.set(allowed)
        await _ask(_judge(stub, **{k: v for k, v in more.items() if k == "price"}))

    _with_stub(work, script=script or [], **{k: v for k, v in more.items() if k != "price"})
    return allowed


def test_every_call_is_reserved_before_and_settled_after():
    spent = _spending(50_000, 1.0)
    assert spent.tokens_left == 50_000 - 120
    assert spent.usd_left == pytest.approx(1.0 - 0.00014)
    assert spent.spent.judge_calls == 1


def test_a_call_that_does_not_fit_is_never_made():
    async def work(stub):
        budget.active.set(Budget(500, None))
        with pytest.raises(BudgetError, match="500 are left"):
            await _ask(_judge(stub))
        return stub.calls

    assert _with_stub(work) == 0  # req: S2-109


def test_retries_count_towards_the_budget():
    assert _spending(50_000, None, ["500", None]).spent.judge_calls == 2
    once, twice = _spending(50_000, None), _spending(50_000, None, ["dropped", None])
    assert twice.tokens_left < once.tokens_left


def test_an_unknown_price_or_missing_usage_fails_closed_where_dollars_are_limited():
    with pytest.raises(BudgetError, match="price of this call is unknown"):
        _spending(50_000, 1.0, price=None)
    with pytest.raises(BudgetError, match="does not say what the call used"):
        _spending(50_000, 1.0, usage=False)
    assert _spending(50_000, None, price=None, usage=False).spent.cost_usd is None


# --- the key ------------------------------------------------------------------------------------------------------


def test_a_key_is_sent_and_told_to_nobody(tmp_path, caplog):
    file = tmp_path / "key"
    file.write_text(CANARY + "\n")
    caplog.set_level(logging.DEBUG)

    async def work(stub):
        key = JudgeKey(file=str(file))
        judge = _judge(stub, key=key)
        said = [repr(judge), repr(key)]
        reply = await judge.ask(_question())
        stub.refuse = lambda body: (401, {"error": {"message": f"bad key {CANARY}", "code": "bad_key"}})
        with pytest.raises(ConfigError) as refused:
            await judge.ask(_question())
        stub.refuse = lambda body: (500, {"error": {"message": CANARY}})
        with pytest.raises(JudgeUnavailableError) as broken:
            await judge.ask(_question())
        await judge.close()
        return [
            *said,
            repr(reply),
            str(refused.value),
            str(broken.value),
            repr(broken.value.__context__),
        ], stub.headers[0]

    said, headers = _with_stub(work)
    assert headers["Authorization"] == f"Bearer {CANARY}"
    assert not any(CANARY in text for text in [*said, caplog.text])


def test_a_missing_key_says_where_it_should_be():
    with pytest.raises(ConfigError, match="set NO_SUCH_KEY"):
        JudgeKey(env="NO_SUCH_KEY", environ={}).read()
    with pytest.raises(ConfigError, match="cannot be read"):
        JudgeKey(file="/nowhere/key").read()
    assert JudgeKey().read() == ""
