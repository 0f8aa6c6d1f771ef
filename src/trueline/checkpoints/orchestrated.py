"""Checkpoints of an orchestrated run: plan, agent output, synthesis, goal, discussion, consistency, mission."""

from __future__ import annotations

from collections.abc import Iterator

from trueline.case import Case, Mission
from trueline.checkpoints import criteria, policies
from trueline.registry import Place, checkpoint

ADDRESSES = "The output does what the agent was asked to do, and says so where it did only a part of it."


@checkpoint("decomposition", kinds=("decomposition",), policy=policies.PLAN)
def decomposition(case: Case) -> Iterator[Place]:
    """A plan before anything runs: structure, routing, groundedness, completeness."""
    yield Place("plan_structure", weight=0.0, must_pass=True)
    yield Place("plan_review", weight=0.0)
    yield Place("plan_blockers", weight=0.0, must_pass=True, after=("plan_review",))
    yield Place("plan_completeness", weight=0.4, after=("plan_review",))
    yield Place("plan_consistency", weight=0.2, after=("plan_review",))
    yield Place("plan_groundedness", weight=0.2, after=("plan_review",))
    yield Place("plan_routability", weight=0.2)
    yield from criteria.places(case)


@checkpoint("agent_output", kinds=("agent_output",), policy=policies.OUTPUT, policy_of=policies.of_output)
def agent_output(case: Case) -> Iterator[Place]:
    """One agent's output before it is used: format, content, confidence."""
    yield Place("output_format", weight=0.0, must_pass=True)
    yield Place("output_content", weight=0.0, must_pass=True)
    if case.goal:
        asked = {"key": "addresses", "text": ADDRESSES}
        yield Place("rubric", value=asked, name="output_addresses", weight=0.0, criterion=ADDRESSES)
    yield Place("output_confidence", after=("output_addresses",) if case.goal else ())
    yield from criteria.places(case)


@checkpoint("synthesis", kinds=("synthesis",), policy=policies.SYNTHESIS)
def synthesis(case: Case) -> Iterator[Place]:
    """Every claim of a synthesis against the agent outputs it was made from."""
    yield criteria.something_there()
    yield Place("traceability")
    yield Place("synthesis_reading", weight=0.0)
    rests_on = ("traceability", "synthesis_reading")
    yield Place("synthesis_coherence", weight=0.0, after=rests_on)
    yield Place("synthesis_completeness", weight=0.0, after=rests_on)
    both = ("synthesis_coherence", "synthesis_completeness")
    yield Place("synthesis_floor", weight=0.0, must_pass=True, after=both)
    yield from criteria.places(case)


@checkpoint("goal", kinds=("answer", "task_output", "synthesis", "agent_output"))
def goal(case: Case) -> Iterator[Place]:
    """Whether the person's goal was achieved, read independently."""
    if case.kind != "agent_output":
        yield criteria.something_there()
    yield Place("goal_signs", weight=0.0, must_pass=True)
    yield Place("goal_achieved")
    yield from criteria.places(case)


@checkpoint("discussion", kinds=("discussion",))
def discussion(case: Case) -> Iterator[Place]:
    """A moderator's conclusion against what was said."""
    yield criteria.something_there()
    yield Place("discussion_points")
    yield Place("discussion_read")
    yield from criteria.places(case)


@checkpoint("consistency", kinds=("mission",))
def consistency(case: Case) -> Iterator[Place]:
    """Outputs of related tasks against each other."""
    yield Place("plain_conflicts", weight=0.0, must_pass=True)
    yield Place("consistency")
    yield from criteria.places(case)


@checkpoint("mission", kinds=("mission",))
def mission(case: Case) -> Iterator[Place]:
    """A mission as a whole: its tasks' verdicts, their consistency, its goal."""
    assert isinstance(case.subject, Mission)
    if any(task.record for task in case.subject.tasks):
        yield Place("task_verdicts")
        yield Place("tasks_settled", weight=0.0, must_pass=True, after=("task_verdicts",))
    yield Place("plain_conflicts", weight=0.0, must_pass=True)
    yield Place("consistency")
    asked = case.subject.goal or case.goal
    if asked:
        reached = {"key": "goal", "text": f"Together the outputs reach the goal: {asked}"}
        yield Place("rubric", value=reached, name="mission_goal", criterion=asked)
    yield from criteria.places(case)
