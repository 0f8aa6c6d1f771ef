"""An orchestrated run over HTTP: POST /orchestrations, then its plan, outputs, synthesis and response, one after the other.

The service remembers the run, so a client need not: which attempt this is, what the next one is told, who gets it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from typing import Any

import msgspec

from witnessmark.core.case import Complexity, Evidence, Executor
from witnessmark.core.values import Value, parse
from witnessmark.core.work.inputs import check_run
from witnessmark.loop.orchestration import SHELF, Orchestration, OrchestrationState, StepReport
from witnessmark.server.http.endpoints import ApiRequest, Endpoint, Response, json_reply
from witnessmark.server.http.errors import RefusedError
from witnessmark.server.writer import NoteWrite

Step = Callable[[Orchestration], Awaitable[StepReport]]


class NewOrchestration(Value, frozen=True):
    """What a run is for, and who is there to do it."""

    goal: str
    agents: tuple[dict[str, Any], ...] = ()
    complexity: Complexity = "MEDIUM"
    interaction_id: str | None = None
    policy: dict[str, Any] = {}


class PlanStep(Value, frozen=True):
    """A plan as the planner handed it in."""

    plan: dict[str, Any]
    evidence: tuple[Evidence, ...] = ()
    executor: Executor | None = None


class OutputStep(Value, frozen=True):
    """An agent's output for one subgoal."""

    output: dict[str, Any]
    evidence: tuple[Evidence, ...] = ()
    executor: Executor | None = None


class SynthesisStep(Value, frozen=True):
    """A synthesis; it rests on the run's outputs and brings no evidence of its own."""

    text: str
    executor: Executor | None = None


class ResponseStep(Value, frozen=True):
    """The response to the person."""

    text: str
    evidence: tuple[Evidence, ...] = ()
    executor: Executor | None = None


async def start(ask: ApiRequest) -> Response:
    """Begin a run; answers its state, whose id the steps are sent to."""
    given = await ask.read(NewOrchestration)
    check_run(given.goal, given.agents, given.policy, ask.state.settings.inputs)
    verifier = await ask.state.verifier_in_force(ask.caller.workspace)
    run = Orchestration(
        verifier,
        given.goal,
        agents=given.agents,
        complexity=given.complexity,
        interaction_id=given.interaction_id,
        policy=given.policy,
    )
    where = ((b"location", f"/orchestrations/{run.state.id}".encode()),)
    return json_reply(
        run.state, 201, headers=where, notes=(_note(ask, run.state),), audit=("orchestration", run.state.id)
    )


async def show(ask: ApiRequest) -> Response:
    """The run so far."""
    return json_reply(await _state(ask))


async def plan(ask: ApiRequest) -> Response:
    """Verify the plan."""
    await _state(ask)  # a run that is not there is 404, whatever the body
    given = await ask.read(PlanStep)
    return await _step(ask, lambda run: run.plan(given.plan, evidence=given.evidence, executor=given.executor))


async def agent_output(ask: ApiRequest) -> Response:
    """Verify an agent's output for one subgoal."""
    await _state(ask)  # a run that is not there is 404, whatever the body
    given, subgoal = await ask.read(OutputStep), ask.path["subgoal"]
    return await _step(
        ask, lambda run: run.agent_output(subgoal, given.output, evidence=given.evidence, executor=given.executor)
    )


async def synthesis(ask: ApiRequest) -> Response:
    """Verify the synthesis of what the agents found."""
    await _state(ask)  # a run that is not there is 404, whatever the body
    given = await ask.read(SynthesisStep)
    return await _step(ask, lambda run: run.synthesis(given.text, executor=given.executor))


async def response(ask: ApiRequest) -> Response:
    """Verify the response to the person."""
    await _state(ask)  # a run that is not there is 404, whatever the body
    given = await ask.read(ResponseStep)
    return await _step(ask, lambda run: run.response(given.text, evidence=given.evidence, executor=given.executor))


async def _step(ask: ApiRequest, step: Step) -> Response:
    """Take one step of the run; the next one waits until what this one changed is committed.

    Of two at once in two processes the later one is refused at its commit: it knew nothing of the other.
    """
    key, locks = (ask.caller.workspace, ask.path["id"]), ask.state.run_locks
    lock = locks.get(key)
    if lock is None:
        lock = locks[key] = asyncio.Lock()
    await lock.acquire()
    with ExitStack() as held:
        held.callback(lock.release)
        verifier, store = await ask.state.request_verifier(ask.caller.workspace)
        before = await _body(ask)
        run = Orchestration.resumed(verifier, parse(before, OrchestrationState))
        report = await step(run)
        return json_reply(
            report,
            entries=store.entries,
            notes=(_note(ask, run.state)._replace(was=before),),
            audit=("orchestration-step", f"{run.state.id} {report.step}"),
            after=store.committed,
            ended=held.pop_all().close,
        )


async def _state(ask: ApiRequest) -> OrchestrationState:
    return parse(await _body(ask), OrchestrationState)


async def _body(ask: ApiRequest) -> bytes:
    body = await ask.state.store.recall(SHELF, _key(ask, ask.path["id"]))
    if body is None:
        raise RefusedError(404, "there is no such run in this workspace; POST /orchestrations begins one")
    return body


def _note(ask: ApiRequest, state: OrchestrationState) -> NoteWrite:
    return NoteWrite(SHELF, _key(ask, state.id), msgspec.json.encode(state))


def _key(ask: ApiRequest, run_id: str) -> str:
    return f"{ask.caller.workspace}/{run_id}"


_MISSING = {404: ("There is no such run in this workspace.", None)}
_REPORT = {
    200: ("What became of it, and what to do next.", StepReport),
    409: (
        "Not now: the step was decided already, something it depends on was not accepted, or another process took a step meanwhile.",
        None,
    ),
    **_MISSING,
}
ENDPOINTS = (
    Endpoint(
        "POST",
        "/orchestrations",
        start,
        "Begin an orchestrated run.",
        body=NewOrchestration,
        answers={201: ("The run.", OrchestrationState)},
    ),
    Endpoint(
        "GET",
        "/orchestrations/{id}",
        show,
        "An orchestrated run so far.",
        answers={200: ("The run.", OrchestrationState), **_MISSING},
    ),
    Endpoint("POST", "/orchestrations/{id}/plan", plan, "Verify the run's plan.", body=PlanStep, answers=_REPORT),
    Endpoint(
        "POST",
        "/orchestrations/{id}/outputs/{subgoal}",
        agent_output,
        "Verify an agent's output for one subgoal.",
        body=OutputStep,
        answers=_REPORT,
    ),
    Endpoint(
        "POST",
        "/orchestrations/{id}/synthesis",
        synthesis,
        "Verify the synthesis of the agents' outputs.",
        body=SynthesisStep,
        answers=_REPORT,
    ),
    Endpoint(
        "POST",
        "/orchestrations/{id}/response",
        response,
        "Verify the response to the person.",
        body=ResponseStep,
        answers=_REPORT,
    ),
)
