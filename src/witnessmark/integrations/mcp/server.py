"""Witnessmark as an MCP server: an agent asks whether its own work can be trusted, before it says so.

Seven tools with output schemas; all but `record_override` only read. What the caller got wrong is a tool error that names
the field. Which files may be looked at is said by whoever starts the server, never by the model. Knows no transport.
"""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, ParamSpec, TypeVar

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations
from pydantic import Field

from witnessmark._version import __version__
from witnessmark.core.case import Case
from witnessmark.core.errors import UsageError, WitnessmarkError
from witnessmark.core.record import Store
from witnessmark.insight import review
from witnessmark.integrations import answers
from witnessmark.integrations.mcp import values
from witnessmark.integrations.mcp.strict_server import StrictServer
from witnessmark.integrations.mcp.values import CorrectionInfo, OverrideInfo, VerdictExplanation, VerdictInfo
from witnessmark.integrations.plain_cases import case_of
from witnessmark.verifier import Verifier

P = ParamSpec("P")
R = TypeVar("R")
INSTRUCTIONS = """Witnessmark says whether work can be trusted. Verify an answer before giving it, a task's output before calling the
task done, your own report of what you did before sending it, and a plan before running it. `unverified` is not a pass: say
that it could not be verified. Where the action is correct or retry, follow the findings' suggestions and verify again."""

Sources = Annotated[
    list[str | dict[str, Any]],
    Field(
        description="What the output may rest on: texts, or objects such as {id, kind, text}; results of tools as kind tool_call."
    ),
]
Criteria = Annotated[
    list[str | dict[str, Any]],
    Field(description="What the output must satisfy: words for a judge, or {check, value} for a deterministic check."),
]
RecordId = Annotated[str, Field(description="A record's id, or an unambiguous beginning of it.")]


def server(verifier: Verifier, *, log_level: Any = "WARNING") -> MCPServer[Any]:
    """The server around a verifier; run it on stdio or mount its HTTP application."""
    made: MCPServer[Any] = StrictServer(
        "witnessmark", title="Witnessmark", version=__version__, instructions=INSTRUCTIONS, log_level=log_level
    )
    asks_outside = verifier.service("judges") is not None
    reads = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=asks_outside)
    writes = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False)
    for tool in (*_verifying(verifier), *_planning_and_correcting(verifier), _explaining(verifier)):
        made.add_tool(tool, annotations=reads, structured_output=True)
    made.add_tool(_overriding(verifier), annotations=writes, structured_output=True)
    return made


def _told(tool: Callable[P, Awaitable[R]]) -> Callable[P, Awaitable[R]]:
    """What Witnessmark raises on purpose is a tool error the model can read and mend; a fault of ours stays on the server."""

    @functools.wraps(tool)
    async def called(*args: P.args, **named: P.kwargs) -> R:
        try:
            return await tool(*args, **named)
        except WitnessmarkError as exc:
            raise ToolError(str(exc)) from None

    return called


def _verifying(verifier: Verifier) -> list[Callable[..., Any]]:
    async def verified(case: Case, checkpoint: str) -> VerdictInfo:
        return values.verdict(await verifier.verify(case, checkpoint=checkpoint))

    async def verify_answer(
        answer: Annotated[str, Field(description="The answer, whole.")],
        evidence: Sources,
        question: Annotated[str, Field(description="What was asked.")] = "",
        criteria: Criteria = [],  # noqa: B006 - never changed
    ) -> VerdictInfo:
        """Hold every claim of an answer against its sources: supported, unsupported or contradicted, each with its place."""
        case = case_of(answer, kind="answer", goal=question, evidence=evidence, criteria_=criteria)
        return await verified(case, "answer")

    async def verify_task(
        task: Annotated[str, Field(description="What was to be done.")],
        output: Annotated[str, Field(description="The complete output.")],
        criteria: Criteria = [],  # noqa: B006
        evidence: Sources = [],  # noqa: B006
    ) -> VerdictInfo:
        """Hold a task's output against its success criteria; without any, against the task itself (which needs a judge)."""
        case = case_of(output, kind="task_output", goal=task, evidence=evidence, criteria_=criteria)
        return await verified(case, "task")

    async def verify_actions(
        report: Annotated[str, Field(description="What the agent says it did, in its own words.")],
        claims: Annotated[
            list[dict[str, Any]] | None, Field(description="The same as a list: {kind: file-write, filePath, …}.")
        ] = None,
        tool_calls: Annotated[
            list[dict[str, Any]] | None,
            Field(description="The calls that were made: {id, name, input, output, exit_code}."),
        ] = None,
    ) -> VerdictInfo:
        """Hold an agent's report against the files under the server's root and against the calls it made."""
        return await verified(_actions(report, claims, tool_calls), "actions")

    return [_told(verify_answer), _told(verify_task), _told(verify_actions)]


def _planning_and_correcting(verifier: Verifier) -> list[Callable[..., Any]]:
    async def verify_plan(
        goal: Annotated[str, Field(description="What the plan is for.")],
        subgoals: Annotated[
            list[dict[str, Any]], Field(description="{id, description, agent, depends_on[], needs[], critical} each.")
        ],
        execution_order: Annotated[
            list[dict[str, Any]] | None, Field(description="Phases: {phase: sequential|parallel, subgoals[]}.")
        ] = None,
        agents: Annotated[
            list[dict[str, Any]] | None, Field(description="The agents: {name, capabilities[], tools[]} each.")
        ] = None,
    ) -> VerdictInfo:
        """Look at a plan before it runs: cycles, dangling references, order, agents who cannot do what they are given."""
        plan: dict[str, Any] = {"kind": "decomposition", "goal": goal, "subgoals": subgoals}
        plan |= {"execution_order": execution_order} if execution_order is not None else {}
        case = case_of(plan, goal=goal, context={"agents": agents} if agents is not None else {})
        return values.verdict(await verifier.verify(case, checkpoint="decomposition"))

    async def correct_answer(
        answer: Annotated[str, Field(description="The answer, whole.")],
        evidence: Sources,
        question: Annotated[str, Field(description="What was asked.")] = "",
    ) -> CorrectionInfo:
        """Correct an answer by its sources: the best version that was verified, unchanged where the sources support it."""
        case = case_of(answer, kind="answer", goal=question, evidence=evidence)
        return values.corrected(await answers.correct_answer(case, verifier))

    return [_told(verify_plan), _told(correct_answer)]


def _actions(report: str, claims: list[dict[str, Any]] | None, calls: list[dict[str, Any]] | None) -> Case:
    subject: dict[str, Any] = {"kind": "agent_output", "summary": report}
    subject |= {"claims": claims} if claims is not None else {}
    if calls is None:
        return case_of(subject)
    trace = {"id": "calls", "kind": "trace", "data": calls}
    return case_of(subject | {"traceRef": "trace:calls"}, evidence=trace)


def _kept(verifier: Verifier) -> Store:
    if verifier.store is None:
        raise UsageError("no record is kept here; start the server with --store")
    return verifier.store


def _explaining(verifier: Verifier) -> Callable[..., Any]:
    async def explain_verdict(record_id: RecordId) -> VerdictExplanation:
        """Say why a kept verdict is what it is: every check with its reason, and a person's word over it."""
        store = _kept(verifier)
        entry = await store.get(record_id, verifier.workspace)
        if entry.record is None:
            raise UsageError(f"record {entry.id[:12]} was purged: only its existence is known")
        holds = await review.standing(store, entry.id, verifier.workspace)
        return values.explained(entry.record, holds)

    return _told(explain_verdict)


def _overriding(verifier: Verifier) -> Callable[..., Any]:
    async def record_override(
        record_id: RecordId,
        outcome: Annotated[str, Field(description="pass, partial, fail or unverified.")],
        reason: Annotated[str, Field(description="Why, in a person's words.")],
        by: Annotated[str, Field(description="The person who decided.")],
    ) -> OverrideInfo:
        """Keep a person's word over a verdict. Only at a person's request; the verdict itself stays as it was."""
        if not by.strip():
            raise UsageError("by: name the person who decided; an agent does not override verdicts on its own")
        made = await review.override(
            _kept(verifier), record_id, outcome=outcome, reason=reason, by=by, workspace=verifier.workspace
        )
        return OverrideInfo(record_id=made.id, about=str(made.parent), outcome=made.outcome, reason=made.because)

    return _told(record_override)
