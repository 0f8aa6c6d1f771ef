"""Whether the agents of a plan can carry it out: computed from the registry, never asked of a judge.

Routability is the mean over the subgoals: 1.0 where the agent is able, 0.4 where it is unknown or unable and somebody in
the registry stands in, 0 where nobody does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum

from witnessmark.checks.plan.bands import banded
from witnessmark.checks.plan.order import plan_of
from witnessmark.core.agents import Crew, crew_of
from witnessmark.core.case import Case, Decomposition, Subgoal
from witnessmark.core.registry import Look, check
from witnessmark.core.thresholds import threshold
from witnessmark.core.verdict import Finding, Result, Status, abstained, counted

GOOD = threshold("plan_dimension")
"""From here up a dimension of a plan is good enough by itself."""


class AgentFit(Enum):
    """How a subgoal stands with its agent, and what that is worth in tenths."""

    ABLE = "able"
    UNKNOWN = "unknown, with a substitute"
    UNABLE = "unable, with a substitute"
    NOBODY = "unknown, with no substitute"
    STUCK = "unable, with no substitute"

    @property
    def tenths(self) -> int:
        """What it counts for, in tenths."""
        return {AgentFit.ABLE: 10, AgentFit.UNKNOWN: 4, AgentFit.UNABLE: 4}.get(self, 0)

    @property
    def unknown(self) -> bool:
        """Whether the agent is not in the registry."""
        return self in (AgentFit.UNKNOWN, AgentFit.NOBODY)

    def told(self, subgoal: Subgoal) -> bool:
        """Whether `plan_structure` says it already: no agent is named, and nobody stands in."""
        return self is AgentFit.NOBODY and not subgoal.agent.strip()


def standing(subgoal: Subgoal, crew: Crew) -> AgentFit:
    """How one subgoal stands. One that names no agent is routed by what it needs."""
    agent = crew.named(subgoal.agent)
    if agent is None:
        if not subgoal.agent.strip() and subgoal.needs and crew.able_ones(subgoal.needs):
            return AgentFit.ABLE
        return AgentFit.UNKNOWN if crew.stand_in(None, subgoal.needs) else AgentFit.NOBODY
    if crew.able(agent, subgoal.needs):
        return AgentFit.ABLE
    return AgentFit.UNABLE if crew.stand_in(agent, subgoal.needs) else AgentFit.STUCK


def standings(plan: Decomposition, crew: Crew | None) -> Iterator[tuple[Subgoal, AgentFit]]:
    """Each subgoal with how it stands; nothing where no registry is given."""
    if crew is None:
        return
    seen: dict[tuple[str, tuple[str, ...]], AgentFit] = {}
    for subgoal in plan.subgoals:
        asked = (subgoal.agent, subgoal.needs)
        how = seen.get(asked)
        if how is None:
            how = seen[asked] = standing(subgoal, crew)
        yield subgoal, how


def dimension_status(score: float) -> Status:
    """A dimension of a plan: good enough by itself, in part, or not at all."""
    if score >= GOOD:
        return "pass"
    return "partial" if score > 0 else "fail"


@check("plan_routability", version="2", cost="instant", categories=("unroutable",))
def plan_routability() -> Look:
    """The agents of the plan exist, can do their subgoals and may do them here."""

    def look(case: Case, prior: Mapping[str, Result]) -> Result:
        plan, crew = plan_of(case), crew_of(case)
        if crew is None:
            return abstained("no_evidence", "no registry of agents is given, so it is unknown which agent can do what")
        stands = list(standings(plan, crew))
        if not stands:
            return abstained("undecided", "the plan has no subgoals to route")
        score = round(sum(how.tenths for _, how in stands) / len(stands) / 10, 9)
        short = [(subgoal, how) for subgoal, how in stands if how is not AgentFit.ABLE]
        made = Result(
            status=dimension_status(score),
            score=score,
            reason=_reason(score, len(short), len(stands)),
            findings=tuple(unroutable(subgoal, crew) for subgoal, how in short[:50] if not how.told(subgoal)),
            details={"standing": {subgoal.id: how.value for subgoal, how in short}} if short else {},
        )
        return banded("routability", made)

    return look


def _reason(score: float, short: int, count: int) -> str:
    if not short:
        return "every agent is there and able (routability: 1.0)"
    return f"{short} of {counted(count, 'subgoal')} {'goes' if short == 1 else 'go'} to an agent that is missing or unable (routability: {score:g})"


def unroutable(subgoal: Subgoal, crew: Crew) -> Finding:
    """What is wrong with the agent of a subgoal that is not able to do it."""
    agent = crew.named(subgoal.agent)
    if not subgoal.agent.strip():
        what = "a subgoal names no agent, and no agent was found for what it needs"
    elif agent is None:
        what = "a subgoal goes to an agent that is not in the registry"
    elif not crew.may_work(agent):
        what = f"the agent {agent.name} is not authorised in the environment {crew.environment}"
    else:
        what = f"the agent {agent.name} lacks a capability or tool that the subgoal needs"
    lacking = crew.lacks(agent, subgoal.needs) if agent is not None and crew.may_work(agent) else []
    return Finding(
        message=what,
        category="unroutable",
        quote=": ".join(filter(None, (subgoal.id, subgoal.agent)))
        + (f" (needs {', '.join(lacking)})" if lacking else ""),
        suggestion=_suggestion(subgoal, agent is None, crew),
    )


def _suggestion(subgoal: Subgoal, unknown: bool, crew: Crew) -> str:
    """Who could do it instead; only those who can."""
    meant = crew.nearest(subgoal.agent, subgoal.needs, subgoal.description)
    stand_in = crew.stand_in(crew.named(subgoal.agent), subgoal.needs)
    able = crew.able_ones(subgoal.needs)
    names = list(dict.fromkeys(agent.name for agent in (meant, stand_in) if agent in able))
    if not crew.agents:
        return "Add agents to the registry; it is empty."
    if not able:
        return "Nobody in the registry can do it: add an agent that can, or change what the subgoal needs."
    if not names:
        return f"Choose one of the registry: {', '.join(sorted(agent.name for agent in able)[:10])}."
    by = "by capability rather than by a special name" if unknown else "by what the subgoal needs"
    return f"Use {' or '.join(names)}: choose {by}."
