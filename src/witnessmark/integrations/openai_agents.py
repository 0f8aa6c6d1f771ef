"""OpenAI Agents SDK: an output guardrail that stops a run whose final output is not accepted, and says why.

    Agent(name="desk", output_guardrails=[output_guardrail("answer", evidence=lambda run: run.context.documents)])

The tripwire's `output_info` is an `Info`: the record and, where the policy wants another attempt, the words to ask again with. A
guardrail sees no tool results; `ToolResults` keeps them. Needs the extra `openai-agents`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from agents import (
    Agent,
    GuardrailFunctionOutput,
    OutputGuardrail,
    OutputGuardrailTripwireTriggered,
    RunContextWrapper,
    RunHooks,
    Tool,
)

from witnessmark.actions.trace.calls import ToolCall, decoded
from witnessmark.core.case import Evidence
from witnessmark.core.record import Record
from witnessmark.core.verdict import GOES_ON
from witnessmark.integrations.adapter import VerificationGate, feedback, tool_evidence

FindEvidence = Callable[[RunContextWrapper[Any]], Iterable[Any]]


@dataclass(frozen=True, slots=True)
class GuardrailInfo:
    """What the guardrail found: the record, and what to tell the agent where another attempt is wanted."""

    record: Record
    feedback: str | None


class ToolResults(RunHooks[Any]):
    """Keeps what tools return during one run: hand it to `Runner.run` as `hooks`, and as `context` where that is free."""

    def __init__(self) -> None:
        self.calls: list[ToolCall] = []

    async def on_tool_end(
        self,
        context: RunContextWrapper[Any],
        agent: Agent[Any],  # noqa: ARG002 - the SDK hands it in
        tool: Tool,
        result: Any,
    ) -> None:
        """Keep one result, with what the tool was called with."""
        known = getattr(context, "tool_call_id", None) or f"call-{len(self.calls) + 1}"
        given = decoded(getattr(context, "tool_arguments", None))
        self.calls.append(ToolCall(known, tool.name, given, result if isinstance(result, str) else str(result)))

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """The results as evidence."""
        return tool_evidence(self.calls)


def output_guardrail(
    checkpoint: str = "answer",
    *,
    evidence: FindEvidence | None = None,
    goal: str | None = None,
    name: str = "witnessmark",
    **gate: Any,
) -> OutputGuardrail[Any]:
    """A guardrail for `Agent(output_guardrails=[…])`; its tripwire goes off unless the policy says accept or warn.

    `evidence` finds what the output may rest on; left out, it is `run.context.evidence` (a `ToolResults` has it). `goal` is what
    the user asked unless given. The rest (`verifier`, `criteria`, `context`, `text`, `on_record`) is as in `seam.Gate`.
    """
    through = VerificationGate(checkpoint, **gate)
    find = evidence if evidence is not None else (lambda run: getattr(run.context, "evidence", ()))

    async def look(run: RunContextWrapper[Any], agent: Agent[Any], output: Any) -> GuardrailFunctionOutput:
        asked = goal if goal is not None else _asked(run.turn_input)
        model = agent.model if isinstance(agent.model, str) else None
        case = through.case(output, asked, find(run), by=agent.name, model=model)
        record = await through.verify(case)
        return GuardrailFunctionOutput(GuardrailInfo(record, feedback(case, record)), record.action not in GOES_ON)

    return OutputGuardrail(look, name=name)


def info_of(tripped: OutputGuardrailTripwireTriggered) -> GuardrailInfo:
    """What our guardrail found, from the exception that ended the run; raises that exception where it is another guardrail's."""
    found = tripped.guardrail_result.output.output_info
    if not isinstance(found, GuardrailInfo):
        raise tripped
    return found


def _asked(items: Iterable[Any]) -> str:
    """The last thing the user said, in words."""
    said = [item.get("content") for item in items if isinstance(item, dict) and item.get("role") == "user"]
    last = said[-1] if said else ""
    if isinstance(last, str):
        return last
    return "\n".join(
        part["text"] for part in last or () if isinstance(part, dict) and isinstance(part.get("text"), str)
    )
