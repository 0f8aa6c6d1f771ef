"""The instructor adapter with the real instructor over a real OpenAI client and a scripted endpoint on this machine."""

from __future__ import annotations

import asyncio
from typing import Annotated

import instructor
import pytest
from instructor.core.exceptions import InstructorRetryException
from openai import AsyncOpenAI, OpenAI
from pydantic import BaseModel, ValidationError

from witnessmark import UsageError, Verifier
from witnessmark.core.errors import NotAcceptedError
from witnessmark.integrations.instructor_validator import Request, verified
from witnessmark.testing.stub_server import StubServer

SOURCE = "Revenue grew 14 % in 2025. The company opened offices in Lyon and Porto."
WRONG, RIGHT = "Revenue grew 40 % in 2025.", "Revenue grew 14 % in 2025."
QUESTION = "How much did revenue grow?"


class Reply(BaseModel):
    text: Annotated[str, verified("answer")]
    sure: bool = True


def saying(*texts):
    left = list(texts)
    return StubServer(lambda body: {"text": left.pop(0)})


def create(client, request, model, **more):
    return client.chat.completions.create(
        model="stub", messages=[{"role": "user", "content": QUESTION}], response_model=model, context=request.context,
        **more,
    )  # fmt: skip


def ask(stub, request, model=Reply, max_retries=3):
    """The sync client, in a thread of its own."""
    with OpenAI(base_url=stub.url, api_key="none", max_retries=0) as plain:
        client = instructor.from_openai(plain, mode=instructor.Mode.JSON)
        return create(client, request, model, max_retries=max_retries)


def asked(request, *texts, **more):
    async def main():
        async with saying(*texts) as stub:
            return await asyncio.to_thread(ask, stub, request, **more), stub

    return asyncio.run(main())


def test_a_reply_that_the_sources_contradict_is_asked_for_again_with_what_was_found():
    request = Request(QUESTION, [SOURCE])
    reply, stub = asked(request, WRONG, RIGHT)
    assert (reply.text, reply.sure) == (RIGHT, True)
    assert [record.outcome for record in request.records] == ["fail", "pass"]
    first, second = request.records
    assert (second.attempt, second.parent) == (2, first.id)
    again = str(stub.asked[1]["messages"])
    assert "PREVIOUS ATTEMPT FEEDBACK" in again
    assert "> Revenue grew 40 % in 2025." in again


def test_a_source_by_itself_is_read_as_one():
    request = Request(QUESTION, SOURCE)
    assert Reply.model_validate({"text": RIGHT}, context=request.context).text == RIGHT
    assert [source.id for source in request.records[0].evidence] == ["d1"]


def test_the_same_through_the_async_client():
    async def main():
        request = Request(QUESTION, [SOURCE])
        async with saying(WRONG, RIGHT) as stub, AsyncOpenAI(base_url=stub.url, api_key="none") as plain:
            client = instructor.from_openai(plain, mode=instructor.Mode.JSON)
            return await create(client, request, Reply, max_retries=3), request, stub

    reply, request, stub = asyncio.run(main())
    assert reply.text == RIGHT
    assert [record.outcome for record in request.records] == ["fail", "pass"]
    assert "PREVIOUS ATTEMPT FEEDBACK" in str(stub.asked[1]["messages"])


def test_asking_again_ends_where_instructor_says_so():
    with pytest.raises(InstructorRetryException, match="PREVIOUS ATTEMPT FEEDBACK"):
        asked(Request(QUESTION, [SOURCE]), WRONG, WRONG, WRONG, max_retries=1)


def test_asking_again_ends_where_the_policy_says_so():
    strict = Verifier(policy={"max_revisions": 1, "on_exhausted": "abort"})
    request = Request(QUESTION, [SOURCE], verifier=strict)
    with pytest.raises(Exception, match="fail, abort") as raised:
        asked(request, *[WRONG] * 9, max_retries=8)
    causes = [raised.value, raised.value.__cause__, raised.value.__context__]
    assert any(isinstance(cause, NotAcceptedError) for cause in causes)
    assert len(request.records) == 2


def test_where_the_policy_goes_on_degraded_the_reply_comes_out_with_its_record():
    mild = Verifier(policy={"max_revisions": 0, "on_exhausted": "warn", "profile": "original"})
    request = Request(QUESTION, [SOURCE], verifier=mild)
    reply, _ = asked(request, WRONG)
    assert reply.text == WRONG
    assert (request.records[0].outcome, request.records[0].action, request.records[0].degraded) == (
        "fail",
        "warn",
        True,
    )


def test_two_fields_count_their_own_attempts():
    class Both(BaseModel):
        text: Annotated[str, verified("answer")]
        title: Annotated[str, verified("task", criteria=({"check": "max_length", "value": 20},))] = "a short title"

    request = Request(QUESTION, [SOURCE])
    Both.model_validate({"text": RIGHT, "title": "short"}, context=request.context)
    with pytest.raises(ValidationError, match="PREVIOUS ATTEMPT FEEDBACK"):
        Both.model_validate({"text": RIGHT, "title": "much too long to be a title"}, context=request.context)
    assert [(r.checkpoint, r.attempt) for r in request.records] == [
        ("answer", 1),
        ("task", 1),
        ("answer", 2),
        ("task", 2),
    ]


class Point(BaseModel):
    text: Annotated[str, verified("answer")]


class Points(BaseModel):
    points: list[Point]


def test_each_element_of_a_list_counts_its_own_attempts():
    request = Request(QUESTION, [SOURCE])
    replies = [[RIGHT, WRONG, WRONG], [RIGHT, RIGHT, WRONG, RIGHT], [RIGHT]]

    async def main():
        async with StubServer(lambda body: {"points": [{"text": text} for text in replies.pop(0)]}) as stub:
            return await asyncio.to_thread(ask, stub, request, Points)

    assert [point.text for point in asyncio.run(main()).points] == [RIGHT]
    first, second, third = request.records[:3], request.records[3:7], request.records[7:]
    assert [(one.attempt, one.parent) for one in first] == [(1, None)] * 3
    assert [(one.attempt, one.parent) for one in second] == [*((2, one.id) for one in first), (1, None)]
    assert [(one.attempt, one.parent) for one in third] == [(3, second[0].id)]


def test_an_element_of_a_list_is_asked_again_however_many_stand_before_it():
    mild = Verifier(policy={"max_revisions": 1, "on_exhausted": "warn", "profile": "original"})
    request = Request(QUESTION, [SOURCE], verifier=mild)
    with pytest.raises(ValidationError) as raised:
        Points.model_validate({"points": [{"text": RIGHT}, {"text": RIGHT}, {"text": WRONG}]}, context=request.context)
    assert [error["loc"] for error in raised.value.errors()] == [("points", 2, "text")]


def test_a_field_that_does_not_know_what_was_asked_says_what_to_hand_in():
    with pytest.raises(UsageError, match=r"context=Request\(goal, evidence\)\.context"):
        Reply(text=RIGHT)
