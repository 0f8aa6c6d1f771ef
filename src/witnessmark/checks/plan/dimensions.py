"""The dimensions of a plan that a judge and exact checks answer together: completeness, consistency, groundedness.

Each takes the lower of what was computed and what the judge said. Without a judge, completeness is unsettled: it is never
scored by keywords. The findings stand where they were made, in `plan_structure`, `plan_routability` and `plan_review`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from witnessmark.checks.plan import names, order
from witnessmark.checks.plan.bands import band, banded
from witnessmark.checks.plan.order import plan_of
from witnessmark.checks.plan.review import reviewed
from witnessmark.checks.plan.routing import AgentFit, dimension_status, standings
from witnessmark.core.agents import crew_of
from witnessmark.core.case import Case, Subgoal
from witnessmark.core.registry import Look, check
from witnessmark.core.verdict import Cause, EvidenceRef, Finding, Result, abstained, counted, passed

Prior = Mapping[str, Result]


@check("plan_completeness", version="1", cost="instant")
def plan_completeness() -> Look:
    """The plan covers all aspects of its goal, as a judge reads it; without one this is unsettled."""

    def look(case: Case, prior: Prior) -> Result:
        judged = _judged(prior, "completeness")
        if judged is not None:
            return banded("completeness", judged)
        said = prior.get("plan_review")
        reason = said.reason if said is not None else "no judge is configured to read the plan"
        return abstained(
            (said.cause if said is not None else None) or "no_judge", f"completeness is not settled: {reason}"
        )

    return look


@check("plan_consistency", version="2", cost="instant")
def plan_consistency() -> Look:
    """The subgoals fit together: dependencies, order and agents are checked exactly, contradictory choices by a judge."""

    def look(case: Case, prior: Prior) -> Result:
        computed = _computed_consistency(case)
        return banded("consistency", _lower(computed, _judged(prior, "consistency"), unread="contradictory choices"))

    return look


def _computed_consistency(case: Case) -> Result:
    plan = plan_of(case)
    if not plan.subgoals:
        return abstained("undecided", "the plan has no subgoals that could fit together")
    if order.cycles(plan, most=1) or any(order.broken(plan)):
        reason = "the dependencies and the order do not fit together (consistency: 0.0)"
        return Result(status="fail", score=0.0, reason=reason)
    stands = list(standings(plan, crew_of(case)))
    unable = sum(how in (AgentFit.UNABLE, AgentFit.STUCK) for _, how in stands)
    if not unable:
        return passed("dependencies, order and agents fit together (consistency: 1.0)")
    score = round(1 - unable / len(stands), 9)
    told = counted(unable, "subgoal goes", "subgoals go")
    reason = f"{told} to an agent that lacks what is needed (consistency: {score:g})"
    return Result(status=dimension_status(score), score=score, reason=reason)


@check("plan_groundedness", version="3", cost="instant", categories=("unfounded_name",))
def plan_groundedness() -> Look:
    """What the plan takes for granted is in the evidence: files, functions, agents exactly, the rest by a judge."""

    def look(case: Case, prior: Prior) -> Result:
        stands = standings(plan_of(case), crew_of(case))
        strangers = tuple(_stranger(subgoal) for subgoal, how in stands if how.unknown and subgoal.agent.strip())
        computed, judged = _computed_groundedness(case), _judged(prior, "groundedness")
        result = banded("groundedness", _lower(computed, judged, unread="architecture and patterns"))
        return replace(result, findings=(*computed.findings, *strangers)) if computed.findings or strangers else result

    return look


def _computed_groundedness(case: Case) -> Result:
    """By the files and functions the plan takes for granted; an unknown agent is told here and scored as routability."""
    plan, known = plan_of(case), names.known(case)
    found = list(names.names(plan))
    made = {name.text for name in found if name.use != "assumed"}
    told = [(name, known.has(name)) for name in found if name.use == "assumed" and name.text not in made]
    missing = [name for name, there in told if there is False]
    looked_at = sum(there is not None for _, there in told)
    if not looked_at:
        cause: Cause = "undecided" if case.evidence else "no_evidence"
        return abstained(cause, "the plan names no file or function that the evidence could show")
    score = round(1 - len(missing) / looked_at, 9)
    what = (
        f"{counted(len(missing), 'name is', 'names are')} not in the evidence"
        if missing
        else "all names are in the evidence"
    )
    return Result(
        status=dimension_status(score),
        score=score,
        reason=f"{what} (groundedness: {score:g})",
        findings=tuple(_unfounded(name, case) for name in missing[:50]),
        details={"looked_at": looked_at},
    )


def _stranger(subgoal: Subgoal) -> Finding:
    return Finding(
        message="a subgoal relies on an agent that is not in the registry",
        category="unfounded_name",
        severity="info",
        quote=f"{subgoal.id}: {subgoal.agent}",
    )


def _unfounded(name: names.PlanName, case: Case) -> Finding:
    return Finding(
        message=f"a subgoal takes a {name.kind} for granted that the evidence does not show",
        category="unfounded_name",
        quote=f"{name.subgoal}: {name.text}",
        evidence=tuple(EvidenceRef(id=source.id) for source in case.evidence[:5]),
        suggestion=f"Name a {name.kind} that is there, or add a subgoal that finds or creates it.",
    )


@check("plan_blockers", version="1", cost="instant")
def plan_blockers() -> Look:
    """No judge names a fault that alone keeps the plan from working; a good score does not outweigh one."""

    def look(case: Case, prior: Prior) -> Result:
        said = reviewed(prior)
        critical = [issue for issue in said.details.get("issues", ()) if issue["critical"]] if said else []
        if said is None or not critical:
            return passed("no judge names a fault that blocks the plan")
        reason = f"a judge names {counted(len(critical), 'fault that alone keeps', 'faults that alone keep')} the plan from working"
        return _by(said, Result(status="partial", score=0.0, reason=reason, confidence=said.confidence))

    return look


# --- computed and judged together -----------------------------------------------------------------------------------


def _judged(prior: Prior, name: str) -> Result | None:
    said = reviewed(prior)
    if said is None:
        return None
    heard: Mapping[str, Any] = said.details["dimensions"][name]
    score = heard["score"]
    result = Result(
        status=dimension_status(score),
        score=score,
        reason=f"{band(name, score)} ({name}: {score:g})",
        confidence=heard["confidence"],
    )
    return _by(said, result)


def _by(said: Result, result: Result) -> Result:
    """The result as one that rests on the review: its judge, its independence, its label."""
    return Result(
        status=result.status,
        score=result.score,
        reason=result.reason,
        confidence=result.confidence,
        confidence_source=said.confidence_source,
        independence=said.independence,
        judge=said.judge,
        prompt=said.prompt,
        details={"option": said.details.get("option", "")},
    )


def _lower(computed: Result, judged: Result | None, *, unread: str) -> Result:
    """The lower of the two; where no judge read it, the result says what nobody looked at."""
    if judged is None:
        if not computed.settled:
            return computed
        more = dict(computed.details) | {"not_looked_at": unread}
        reason = f"{computed.reason}; {unread}: not looked at, no judge"
        return Result(
            status=computed.status, score=computed.score, reason=reason, findings=computed.findings, details=more
        )
    if not computed.settled or (computed.score or 0.0) >= (judged.score or 0.0):
        return judged
    return computed
