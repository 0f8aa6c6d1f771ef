"""Checkpoints of what came out: a task's output, an answer, an agent's report of its actions."""

from __future__ import annotations

from collections.abc import Iterator

from witnessmark.checkpoints import criteria
from witnessmark.core.case import Case
from witnessmark.core.plans.checkpoints import CheckRef, checkpoint
from witnessmark.core.policy import Policy


@checkpoint("task", kinds=("task_output", "agent_output"))
def task(case: Case) -> Iterator[CheckRef]:
    """A task's output against its success criteria; without any, against the goal itself."""
    if case.kind == "task_output":
        yield criteria.SOMETHING_THERE
    yield from criteria.expected(case)
    yield from criteria.places(case, quality=True)
    if not case.criteria and case.reference is None:
        yield from criteria.goal_as_criterion(case)
    elif case.evidence and not criteria.read_evidence(case):
        yield CheckRef("not_contradicted", weight=0.0)


@checkpoint("answer", kinds=("answer",), policy=Policy(revise_with="correct"))
def answer(case: Case) -> Iterator[CheckRef]:
    """Every claim of an answer against its sources, and the answer against the one that was expected, where there is one."""
    yield criteria.SOMETHING_THERE
    if case.evidence or case.reference is None:
        yield CheckRef("grounding", must_pass=True)
    yield from criteria.expected(case)
    yield from criteria.places(case)


@checkpoint("actions", kinds=("agent_output",))
def actions(case: Case) -> Iterator[CheckRef]:
    """What an agent says it did against what really happened."""
    yield CheckRef("output_structure", weight=0.0, must_pass=True)
    yield CheckRef("tool_outputs", weight=0.0, must_pass=True, needs=("output_structure",))
    yield CheckRef("claimed_actions", must_pass=True, needs=("output_structure", "tool_outputs"))
    yield CheckRef("unverifiable_claims", weight=0.0, needs=("claimed_actions",))
    yield CheckRef("undisclosed_changes", weight=0.0, needs=("output_structure",))
    yield from criteria.places(case)
