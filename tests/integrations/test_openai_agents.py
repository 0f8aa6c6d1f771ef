"""The OpenAI Agents adapter through the real Runner with a scripted model: the tripwire goes off on what is not accepted."""

from __future__ import annotations

import asyncio

import pytest
from agents import Agent, OutputGuardrailTripwireTriggered, RunConfig, Runner, function_tool
from agents.testing import ScriptedModel, assistant_message, function_call

from witnessmark import Case, Verifier, revise
from witnessmark.integrations.openai_agents import ToolResults, info_of, output_guardrail

SOURCE = "Revenue grew 14 % in 2025. The company opened offices in Lyon and Porto."
WRONG, RIGHT = "Revenue grew 40 % in 2025.", "Revenue grew 14 % in 2025."
QUIET = RunConfig(tracing_disabled=True)


def agent_of(*steps, guardrail=None, **more):
    model = ScriptedModel([[assistant_message(step)] if isinstance(step, str) else [step] for step in steps])
    guard = guardrail or output_guardrail("answer", evidence=lambda run: run.context)
    return Agent(name="analyst", model=model, output_guardrails=[guard], **more)


def answer(agent, question="How much did revenue grow?", **more):
    return asyncio.run(Runner.run(agent, question, run_config=QUIET, **more))


def test_an_answer_that_the_sources_bear_out_comes_through_with_its_record():
    done = answer(agent_of(RIGHT), context=[SOURCE])
    assert done.final_output == RIGHT
    (result,) = done.output_guardrail_results
    assert (result.output.tripwire_triggered, result.output.output_info.record.outcome) == (False, "pass")
    assert result.guardrail.get_name() == "witnessmark"


def test_an_answer_that_they_contradict_trips_the_wire_and_says_what_to_do():
    with pytest.raises(OutputGuardrailTripwireTriggered) as tripped:
        answer(agent_of(WRONG), context=[SOURCE])
    found = info_of(tripped.value)
    assert (found.record.outcome, found.record.action) == ("fail", "correct")
    assert found.record.claims[0].status == "contradicted"
    assert "> How much did revenue grow?" in found.feedback


def test_what_could_not_be_verified_trips_it_too_unless_the_policy_goes_on():
    with pytest.raises(OutputGuardrailTripwireTriggered) as tripped:
        answer(agent_of(RIGHT), context=[])
    found = info_of(tripped.value)
    assert (found.record.outcome, found.record.unverified_because) == ("unverified", "no_evidence")
    assert found.feedback is None

    mild = output_guardrail(
        "answer", evidence=lambda run: run.context, verifier=Verifier(policy={"on_unverified": "warn"})
    )
    assert answer(agent_of(RIGHT, guardrail=mild), context=[]).final_output == RIGHT


def test_results_of_tools_are_evidence_where_they_are_kept():
    @function_tool
    def report(year: int) -> str:
        """What the report of a year says."""
        return SOURCE

    call = function_call("report", {"year": 2025}, call_id="c1")
    kept = ToolResults()
    done = answer(agent_of(call, RIGHT, guardrail=output_guardrail(), tools=[report]), context=kept, hooks=kept)
    assert done.final_output == RIGHT
    (source,) = kept.evidence
    assert (source.id, source.name, source.input, source.output) == ("c1", "report", {"year": 2025}, SOURCE)

    kept = ToolResults()
    with pytest.raises(OutputGuardrailTripwireTriggered):
        answer(agent_of(call, WRONG, guardrail=output_guardrail(), tools=[report]), context=kept, hooks=kept)


def test_the_runner_inside_the_loop_is_asked_again_with_feedback_and_bounded():
    agent = agent_of(WRONG, RIGHT)
    agent.output_guardrails = []

    async def ask(feedback=None):
        question = "How much did revenue grow?" + (f"\n\n{feedback}" if feedback else "")
        return (await Runner.run(agent, question, run_config=QUIET)).final_output

    blank = Case(subject={"kind": "answer", "text": ""}, goal="How much did revenue grow?", evidence=[{"id": "d1", "text": SOURCE}])  # fmt: skip
    done = asyncio.run(revise(ask, blank))
    assert (done.output, done.record.attempt, done.passed) == (RIGHT, 2, True)


def test_another_guardrails_exception_is_not_taken_for_ours():
    from agents import GuardrailFunctionOutput, OutputGuardrail

    other = OutputGuardrail(lambda run, agent, output: GuardrailFunctionOutput("theirs", True), name="theirs")
    with pytest.raises(OutputGuardrailTripwireTriggered) as tripped:
        answer(agent_of(RIGHT, guardrail=other), context=[SOURCE])
    with pytest.raises(OutputGuardrailTripwireTriggered):
        info_of(tripped.value)


def test_the_question_is_found_in_a_list_of_messages():
    said = [
        {"role": "user", "content": "Hello."},
        {"role": "assistant", "content": "Hello, how can I help?"},
        {"role": "user", "content": [{"type": "input_text", "text": "How much did revenue grow?"}]},
    ]
    with pytest.raises(OutputGuardrailTripwireTriggered) as tripped:
        answer(agent_of(WRONG), said, context=[SOURCE])
    assert "> How much did revenue grow?" in info_of(tripped.value).feedback
    assert "Hello" not in info_of(tripped.value).feedback
