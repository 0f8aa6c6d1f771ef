"""Pydantic AI: an output validator that verifies an agent's output and asks the model again with what was found.

    agent.output_validator(output_validator("answer", evidence=lambda ctx: ctx.deps))

Asking again is bounded by the policy's `max_revisions` as well as by the agent's own output retries. Streamed partial outputs
are not judged. Needs the extra `pydantic-ai`.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, TypeVar

from pydantic_ai import ModelRetry, RunContext
from pydantic_ai.messages import ModelMessage, ToolCallPart, ToolReturnPart

from witnessmark.actions.trace.calls import ToolCall, decoded
from witnessmark.core.case import Evidence
from witnessmark.integrations.adapter import VerificationGate, accepted, feedback, tool_evidence

OutputT = TypeVar("OutputT")
FindEvidence = Callable[[RunContext[Any]], Iterable[Any]]
MOST_RUNS = 1024
"""Runs whose last record is remembered, to link the next attempt to it; a run that ends is forgotten at once."""


def output_validator(
    checkpoint: str = "answer",
    *,
    evidence: FindEvidence | None = None,
    goal: str | None = None,
    **gate: Any,
) -> Callable[[RunContext[Any], OutputT], Awaitable[OutputT]]:
    """A function for `agent.output_validator`: the output where it is accepted, ModelRetry with feedback where it is not.

    `evidence` finds what the output may rest on; left out, it is what the run's tools returned. `goal` is the user's prompt
    unless given. Where the policy says escalate or abort, NotAcceptedError ends the run. The rest (`verifier`, `criteria`,
    `context`, `text`, `on_record`) is as in `seam.Gate`.
    """
    through = VerificationGate(checkpoint, **gate)
    find = evidence if evidence is not None else (lambda ctx: tool_calls(ctx.messages))
    last: OrderedDict[str, str] = OrderedDict()

    async def validate(ctx: RunContext[Any], output: OutputT) -> OutputT:
        if ctx.partial_output:
            return output
        run = ctx.run_id or ""
        name = (ctx.agent.name if ctx.agent is not None else None) or ""
        asked = goal if goal is not None else _words(ctx.prompt)
        case = through.case(output, asked, find(ctx), by=name, model=ctx.model.model_name)
        parent = last.pop(run, None)
        record = await through.verify(case, attempt=ctx.retry + 1, parent=parent)
        told = feedback(case, record)
        if told is None:
            accepted(record)
            return output
        last[run] = record.id
        if len(last) > MOST_RUNS:
            last.popitem(last=False)
        raise ModelRetry(told)

    return validate


def tool_calls(messages: Sequence[ModelMessage]) -> tuple[Evidence, ...]:
    """What the tools of a run returned, each with what it was called with; a call without a return is left out."""
    given: dict[str, Any] = {}
    found: list[ToolCall] = []
    for part in (part for message in messages for part in message.parts):
        if isinstance(part, ToolCallPart):
            given[part.tool_call_id] = decoded(part.args)
        elif isinstance(part, ToolReturnPart):
            called = given.get(part.tool_call_id)
            found.append(ToolCall(part.tool_call_id, part.tool_name, called, _returned(part)))
    return tool_evidence(found)


def _returned(part: ToolReturnPart[Any]) -> Any:
    held = part.content
    return held if isinstance(held, str) else decoded(part.model_response_str())


def _words(prompt: Any) -> str:
    """The user's prompt in words: of several parts, those that are text."""
    parts = [prompt] if isinstance(prompt, str) else list(prompt or ())
    return "\n".join(part for part in parts if isinstance(part, str))
