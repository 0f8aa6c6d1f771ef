"""Checkpoints of an orchestrated run, plan, agent output, synthesis, goal, discussion, consistency, mission, with their policies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from witnessmark.checkpoints import criteria
from witnessmark.core.agents import crew_of, key
from witnessmark.core.case import Case, Mission
from witnessmark.core.errors import InputError
from witnessmark.core.plans.checkpoints import CheckRef, checkpoint
from witnessmark.core.policy import Policy

PLAN = Policy(retry_below_floor="never", on_exhausted="abort", skip_judges_at=("SIMPLE",))
"""A plan: 0.7 passes, 0.5 to 0.7 is tried again, below that not; simple ones are not worth a judge."""


def of_plan(case: Case) -> Policy:
    """A simple plan is not worth a judge: what was skipped on purpose goes on with a warning, and needs nobody."""
    return replace(PLAN, on_unverified="warn") if case.complexity == "SIMPLE" else PLAN


OUTPUT = Policy(retry_below_floor="never", on_exhausted="warn", on_unverified="warn", skip_judges_at=("SIMPLE",))
"""An agent's output: what stays short of the mark goes into the synthesis as a part, with a warning."""

SYNTHESIS = Policy(on_exhausted="warn")
"""A synthesis: short of 0.7 it is tried again, however low; in the end the agent outputs stand, with a warning."""


def of_output(case: Case) -> Policy:
    """Another able agent gets the next try; a critical subgoal that fails ends the run."""
    subgoal = case.context.get("subgoal")
    told: Mapping[str, object] = subgoal if isinstance(subgoal, Mapping) else {}
    critical = told.get("critical")
    if not isinstance(critical, bool | None):
        raise InputError(f"context.subgoal.critical: must be true or false, not {str(critical)[:40]!r}")
    policy = replace(OUTPUT, revise_with="switch") if another_agent(case, told) else OUTPUT
    if not critical:
        return policy
    return replace(policy, on_exhausted="abort", on_unverified="escalate")


def another_agent(case: Case, subgoal: Mapping[str, object]) -> str | None:
    """The name of an agent other than the one that made the output, and able to do the subgoal."""
    crew = crew_of(case)
    if crew is None:
        return None
    given = subgoal.get("needs")
    needs = [need for need in given if isinstance(need, str)] if isinstance(given, (list, tuple)) else []
    made_by = (case.executor.id if case.executor else "") or str(subgoal.get("agent") or "")
    if not made_by:
        return None  # nobody knows who had it, so nobody can say who else
    return next((agent.name for agent in crew.able_ones(needs) if key(agent.name) != key(made_by)), None)


ADDRESSES = "The output does what the agent was asked to do, and says so where it did only a part of it."


@checkpoint("decomposition", kinds=("decomposition",), policy=PLAN, policy_of=of_plan)
def decomposition(case: Case) -> Iterator[CheckRef]:
    """A plan before anything runs: structure, routing, groundedness, completeness."""
    yield CheckRef("plan_structure", weight=0.0, must_pass=True)
    yield CheckRef("plan_review", weight=0.0)
    yield CheckRef("plan_blockers", weight=0.0, must_pass=True, after=("plan_review",))
    yield CheckRef("plan_completeness", weight=0.4, after=("plan_review",))
    yield CheckRef("plan_consistency", weight=0.2, after=("plan_review",))
    yield CheckRef("plan_groundedness", weight=0.2, after=("plan_review",))
    yield CheckRef("plan_routability", weight=0.2)
    yield from criteria.places(case)


@checkpoint("agent_output", kinds=("agent_output",), policy=OUTPUT, policy_of=of_output)
def agent_output(case: Case) -> Iterator[CheckRef]:
    """One agent's output before it is used: format, content, what backs it, confidence."""
    yield CheckRef("output_format", weight=0.0, must_pass=True)
    yield CheckRef("output_content", weight=0.0, must_pass=True)
    yield CheckRef("output_backing", weight=0.0)
    if case.goal:
        asked = {"key": "addresses", "text": ADDRESSES, "beside": True}
        yield CheckRef("rubric", value=asked, name="output_addresses", weight=0.0, criterion=ADDRESSES)
    looked = ("output_backing", "output_addresses") if case.goal else ("output_backing",)
    yield CheckRef("output_confidence", after=looked)
    yield from criteria.places(case)


@checkpoint("synthesis", kinds=("synthesis",), policy=SYNTHESIS)
def synthesis(case: Case) -> Iterator[CheckRef]:
    """Every claim of a synthesis against the agent outputs it was made from."""
    yield criteria.SOMETHING_THERE
    yield CheckRef("traceability")
    yield CheckRef("synthesis_whole", weight=0.0, must_pass=True, after=("traceability",))
    yield CheckRef("synthesis_reading", weight=0.0)
    rests_on = ("traceability", "synthesis_reading")
    yield CheckRef("synthesis_coherence", weight=0.0, after=rests_on)
    yield CheckRef("synthesis_completeness", weight=0.0, after=rests_on)
    both = ("synthesis_coherence", "synthesis_completeness")
    yield CheckRef("synthesis_floor", weight=0.0, must_pass=True, after=both)
    yield from criteria.places(case)


@checkpoint("goal", kinds=("answer", "task_output", "synthesis", "agent_output"))
def goal(case: Case) -> Iterator[CheckRef]:
    """Whether the person's goal was achieved, read independently."""
    if case.kind != "agent_output":
        yield criteria.SOMETHING_THERE
    yield CheckRef("goal_signs", weight=0.0, must_pass=True)
    yield CheckRef("goal_achieved")
    yield from criteria.expected(case)
    yield from criteria.places(case)


@checkpoint("discussion", kinds=("discussion",))
def discussion(case: Case) -> Iterator[CheckRef]:
    """A moderator's conclusion against what was said."""
    yield criteria.SOMETHING_THERE
    yield CheckRef("discussion_points")
    yield CheckRef("discussion_read")
    yield from criteria.places(case)


@checkpoint("consistency", kinds=("mission",))
def consistency(case: Case) -> Iterator[CheckRef]:
    """Outputs of related tasks against each other."""
    yield CheckRef("plain_conflicts", weight=0.0, must_pass=True)
    yield CheckRef("consistency")
    yield from criteria.places(case)


@checkpoint("mission", kinds=("mission",))
def mission(case: Case) -> Iterator[CheckRef]:
    """A mission as a whole: its tasks' verdicts, their consistency, its goal."""
    assert isinstance(case.subject, Mission)
    if any(task.record for task in case.subject.tasks):
        yield CheckRef("task_verdicts")
        yield CheckRef("tasks_settled", weight=0.0, must_pass=True, after=("task_verdicts",))
    yield CheckRef("tasks_delivered", weight=0.0, must_pass=True)
    yield CheckRef("plain_conflicts", weight=0.0, must_pass=True)
    yield CheckRef("consistency")
    asked = case.subject.goal or case.goal
    if asked:
        reached = {"key": "goal", "text": f"Together the outputs reach the goal: {asked}"}
        yield CheckRef("rubric", value=reached, name="mission_goal", criterion=asked)
    yield from criteria.places(case)
