"""Whether a plan holds together at all: ids, references, cycles, order, sizes. Exact, and before anything is paid for.

A blocking fault fails the plan whatever else is good about it. A lesser one keeps it from passing. Knows no judge.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from witnessmark.checks.plan import order
from witnessmark.checks.plan.routing import AgentFit, standings, unroutable
from witnessmark.core.agents import Crew, crew_of
from witnessmark.core.case import Case, Complexity, Decomposition
from witnessmark.core.errors import InputError
from witnessmark.core.registry import Look, check
from witnessmark.core.verdict import Finding, Result, counted, failed, passed

SIZES: Mapping[Complexity, tuple[int, int]] = {
    "SIMPLE": (1, 10), "MEDIUM": (1, 30), "COMPLEX": (2, 100), "CRITICAL": (2, 100),
}  # fmt: skip
"""How many subgoals a plan may have: more than anybody can follow is not a plan, and a complex goal is not one step."""
MOST = 50


@check(
    "plan_structure",
    version="2",
    cost="instant",
    categories=("dependency_cycle", "unknown_reference", "duplicate", "broken_order", "wrong_size", "unroutable"),
)
def plan_structure(sizes: dict[Complexity, tuple[int, int]] | None = None) -> Look:
    """The plan holds together: ids, dependencies, order, agents that exist, a sensible size ({"MEDIUM": [1, 30]}).

    Args:
        sizes: the fewest and most subgoals by complexity, in place of those built in.

    """
    fitting = _sizes(sizes)

    def look(case: Case, prior: Mapping[str, Result]) -> Result:
        plan = order.plan_of(case)
        blocking = list(islice(_blocking(plan, crew_of(case)), MOST))
        lesser = list(islice(_lesser(plan, fitting[case.complexity]), MOST))
        notes = list(_notes(plan))
        if blocking:
            more = f" (and {len(blocking) - 1} more)" if len(blocking) > 1 else ""
            return failed(f"{blocking[0].message}{more}", *blocking, *lesser, *notes)
        if stuck := next(_who(plan, crew_of(case), AgentFit.STUCK), None):  # `plan_routability` says who cannot do what
            return failed(stuck.message, *lesser, *notes)
        if lesser:
            share = max(0.0, round(1 - len(lesser) / len(plan.subgoals), 9))
            return Result(status="partial", score=share, reason=lesser[0].message, findings=(*lesser, *notes))
        return passed(counted(len(plan.subgoals), "consistent subgoal"), findings=tuple(notes))

    return look


def _sizes(told: Mapping[Complexity, tuple[int, int]] | None) -> Mapping[Complexity, tuple[int, int]]:
    for name, (low, high) in (told or {}).items():
        if not 0 < low <= high:
            raise InputError(
                f"option sizes.{name}: must be [fewest, most] with 1 or more subgoals, not [{low}, {high}]"
            )
    return {**SIZES, **{name: (low, high) for name, (low, high) in (told or {}).items()}}


def _blocking(plan: Decomposition, crew: Crew | None) -> Iterator[Finding]:
    if not plan.subgoals:
        yield Finding(
            message="the plan has no subgoals", category="empty_output", suggestion="Break the goal into subgoals."
        )
        return
    yield from _ids(plan)
    yield from _dependencies(plan)
    yield from _order(plan)
    yield from _who(plan, crew, AgentFit.NOBODY)


def _ids(plan: Decomposition) -> Iterator[Finding]:
    for number, subgoal in enumerate(plan.subgoals, start=1):
        if not subgoal.id.strip():
            yield Finding(
                message=f"subgoal number {number} has no id",
                category="missing_field",
                quote=subgoal.description or None,
                suggestion="Give every subgoal an id of its own.",
            )
    for name in order.doubles([subgoal.id for subgoal in plan.subgoals if subgoal.id.strip()]):
        yield Finding(
            message="two subgoals have the same id",
            category="duplicate",
            quote=name,
            suggestion="Give every subgoal an id of its own.",
        )


def _dependencies(plan: Decomposition) -> Iterator[Finding]:
    for subgoal, need in order.dangling(plan):
        yield Finding(
            message="a subgoal depends on one that is not in the plan",
            category="unknown_reference",
            quote=f"{subgoal.id} → {need}",
            suggestion="Add the subgoal it waits for, or take the dependency out.",
        )
    for path in order.cycles(plan):
        yield Finding(
            message="subgoals wait for each other in a cycle",
            category="dependency_cycle",
            quote=" → ".join(path),
            suggestion="Take out one of these dependencies, or merge the subgoals.",
        )


def _order(plan: Decomposition) -> Iterator[Finding]:
    if plan.execution_order is not None:
        yield from _order_names(plan)
    for early, late, at_once in order.broken(plan):
        how = "run at once, and one waits for the other" if at_once else "are in the wrong order"
        yield Finding(
            message=f"two subgoals {how}",
            category="broken_order",
            quote=f"{early} needs {late}",
            suggestion="Put what is waited for into an earlier phase, or earlier in a sequential one.",
        )


def _order_names(plan: Decomposition) -> Iterator[Finding]:
    ids = {subgoal.id for subgoal in plan.subgoals}
    listed = [name for phase in plan.execution_order or () for name in phase.subgoals]
    for name in dict.fromkeys(name for name in listed if name not in ids):
        yield Finding(
            message="the order names a subgoal that is not in the plan",
            category="unknown_reference",
            quote=name,
            suggestion="Add that subgoal, or take it out of the order.",
        )
    there = set(listed)
    for subgoal in plan.subgoals:
        if subgoal.id not in there:
            yield Finding(
                message="a subgoal is not in the execution order, so it would never run",
                category="broken_order",
                quote=subgoal.id,
                suggestion="Put it into a phase of the order.",
            )
    for name in order.doubles(listed):
        yield Finding(
            message="a subgoal appears twice in the order",
            category="duplicate",
            quote=name,
            suggestion="Let every subgoal run once.",
        )


def _who(plan: Decomposition, crew: Crew | None, fit: AgentFit) -> Iterator[Finding]:
    """The subgoals whose agents stand so, none of whom has a stand-in. Where no registry is given, nothing can be told."""
    for subgoal, standing in standings(plan, crew):
        if crew is not None and standing is fit:
            yield unroutable(subgoal, crew)


def _lesser(plan: Decomposition, size: tuple[int, int]) -> Iterator[Finding]:
    for subgoal in plan.subgoals:
        if not subgoal.description.strip():
            yield Finding(
                message="a subgoal does not say what is to be done",
                category="missing_field",
                quote=subgoal.id,
                suggestion="Describe the subgoal so that an agent can do it and somebody can check it.",
            )
    said = [" ".join(subgoal.description.casefold().split()).rstrip(".") for subgoal in plan.subgoals]
    for text in order.doubles([text for text in said if text]):
        yield Finding(
            message="two subgoals ask for the same thing",
            category="duplicate",
            quote=text,
            suggestion="Merge them, or say how they differ.",
        )
    low, high = size
    if plan.subgoals and not low <= len(plan.subgoals) <= high:
        wanted = f"at least {low}" if len(plan.subgoals) < low else f"at most {high}"
        yield Finding(
            message=f"{counted(len(plan.subgoals), 'subgoal')}, and a plan of this complexity has {wanted}",
            category="wrong_size",
            suggestion="Break the goal into steps that can each be done and checked, and no smaller than that.",
        )


def _notes(plan: Decomposition) -> Iterator[Finding]:
    if plan.execution_order is None and len(plan.subgoals) > 1:
        yield Finding(
            message="no execution order is given; the subgoals are read as running one after the other, as listed",
            category="broken_order",
            severity="warning",
            suggestion="Give an execution_order.",
        )
