"""The Pydantic AI adapter in a real agent with a scripted model: a wrong answer goes back with feedback, a right one passes."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import pytest
from pydantic import BaseModel
from pydantic_ai import Agent, UnexpectedModelBehavior
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from witnessmark import Verifier
from witnessmark.core.errors import NotAcceptedError
from witnessmark.integrations.pydantic_ai import output_validator, tool_calls
from witnessmark.stores.memory import MemoryStore

SOURCE = "Revenue grew 14 % in 2025. The company opened offices in Lyon and Porto."
WRONG, RIGHT = "Revenue grew 40 % in 2025.", "Revenue grew 14 % in 2025."


class Scripted:
    """A model that says these things one after the other, and keeps what it was sent."""

    def __init__(self, *parts):
        self.parts, self.sent = list(parts), []
        self.model = FunctionModel(self._reply, model_name="scripted-1")

    def _reply(self, messages: list, info: AgentInfo) -> ModelResponse:
        self.sent.append(messages)
        part = self.parts.pop(0)
        return ModelResponse(parts=[TextPart(part) if isinstance(part, str) else part])


def agent_of(script, **options):
    made = Agent(script.model, deps_type=list, retries=5, name="analyst")
    made.output_validator(output_validator("answer", evidence=lambda ctx: ctx.deps, **options))
    return made


def said_to_the_model(messages):
    """The words of the last request."""
    return [str(part.content) for part in messages[-1].parts]


def test_a_wrong_answer_goes_back_to_the_model_with_what_was_found_and_a_right_one_comes_out():
    script, records = Scripted(WRONG, RIGHT), []
    agent = agent_of(script, on_record=records.append)
    result = asyncio.run(agent.run("How much did revenue grow?", deps=[SOURCE]))

    assert result.output == RIGHT
    assert [record.outcome for record in records] == ["fail", "pass"]
    (told,) = said_to_the_model(script.sent[1])
    assert "PREVIOUS ATTEMPT FEEDBACK" in told
    assert "> How much did revenue grow?" in told
    assert "> Revenue grew 40 % in 2025." in told


def test_the_attempts_are_linked_and_say_who_wrote_with_which_model():
    store = MemoryStore()
    script, records = Scripted(WRONG, RIGHT), []
    agent = agent_of(script, on_record=records.append, verifier=Verifier(store=store))
    asyncio.run(agent.run("How much did revenue grow?", deps=[SOURCE]))

    first, second = records
    assert (first.attempt, second.attempt, second.parent) == (1, 2, first.id)
    kept = asyncio.run(store.get(second.id)).case
    assert b'"executor":{"id":"analyst","model":"scripted-1"}' in kept


def test_asking_again_ends_where_the_policy_says_so():
    script = Scripted(*[WRONG] * 6)
    strict = Verifier(policy={"max_revisions": 1, "on_exhausted": "abort"})
    with pytest.raises(NotAcceptedError, match="fail, abort") as raised:
        asyncio.run(agent_of(script, verifier=strict).run("How much did revenue grow?", deps=[SOURCE]))
    assert len(script.sent) == 2
    assert raised.value.record.action == "abort"


def test_where_the_policy_goes_on_degraded_the_output_comes_out_marked():
    script, records = Scripted(*[WRONG] * 6), []
    mild = Verifier(policy={"max_revisions": 1, "on_exhausted": "warn", "profile": "original"})
    result = asyncio.run(agent_of(script, verifier=mild, on_record=records.append).run("Growth?", deps=[SOURCE]))
    assert result.output == WRONG
    assert (records[-1].action, records[-1].degraded, records[-1].outcome) == ("warn", True, "fail")


def test_the_agents_own_limit_of_retries_holds_too():
    script = Scripted(*[WRONG] * 6)
    agent = Agent(script.model, deps_type=list, retries=0)
    agent.output_validator(output_validator("answer", evidence=lambda ctx: ctx.deps))
    with pytest.raises(UnexpectedModelBehavior):
        asyncio.run(agent.run("Growth?", deps=[SOURCE]))
    assert len(script.sent) == 1


def test_without_more_the_answer_is_held_against_what_the_tools_returned():
    script = Scripted(ToolCallPart("report", {"year": 2025}, "call-7"), WRONG, RIGHT)
    records = []
    agent = Agent(script.model, retries=3)
    agent.output_validator(output_validator("answer", on_record=records.append))

    @agent.tool_plain
    def report(year: int) -> dict[str, str]:
        return {"text": SOURCE}

    result = asyncio.run(agent.run("How much did revenue grow?"))
    assert result.output == RIGHT
    assert [source.id for source in records[0].evidence] == ["call-7"]
    assert records[0].claims[0].status == "contradicted"
    (call,) = tool_calls(result.all_messages())
    assert (call.name, call.input, call.output) == ("report", {"year": 2025}, {"text": SOURCE})


def test_part_of_a_structured_output_is_judged():
    class Reply(BaseModel):
        answer: str
        sure: bool

    script = Scripted(*[ToolCallPart("final_result", {"answer": text, "sure": True}) for text in (WRONG, RIGHT)])
    agent = Agent(script.model, output_type=Reply, deps_type=list, retries=3)
    agent.output_validator(output_validator("answer", evidence=lambda ctx: ctx.deps, text=lambda reply: reply.answer))
    result = asyncio.run(agent.run("How much did revenue grow?", deps=[SOURCE]))
    assert result.output == Reply(answer=RIGHT, sure=True)


def test_a_structured_output_is_held_against_deterministic_criteria_as_json():
    @dataclass
    class Order:
        items: list[str]

    schema = {"type": "object", "properties": {"items": {"type": "array", "minItems": 1}}}
    script = Scripted(*[ToolCallPart("final_result", {"items": items}) for items in ([], ["pen"])])
    agent = Agent(script.model, output_type=Order, retries=3)
    agent.output_validator(output_validator("task", criteria=({"check": "json_schema", "value": schema},)))
    assert asyncio.run(agent.run("Extract the order.")).output == Order(items=["pen"])


def test_a_stream_is_judged_once_at_its_end():
    records = []

    async def words(messages, info):
        for word in ("Revenue grew ", "14 % in ", "2025."):
            yield word

    agent = Agent(FunctionModel(stream_function=words), deps_type=list)
    agent.output_validator(output_validator("answer", evidence=lambda ctx: ctx.deps, on_record=records.append))

    async def main():
        async with agent.run_stream("Growth?", deps=[SOURCE]) as streamed:
            return [text async for text in streamed.stream_output(debounce_by=None)]

    assert asyncio.run(main())[-1] == RIGHT
    assert {record.case_id for record in records} == {records[0].case_id}
    assert records[0].outcome == "pass"
