"""The policies of the checkpoints that have their own; where a case decides, a function of it. Values only, no judgement."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from witnessmark.core.agents import crew_of, key
from witnessmark.core.case import Case
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
    policy = replace(OUTPUT, revise_with="switch") if another_agent(case, told) else OUTPUT
    if told.get("critical") is not True:
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
