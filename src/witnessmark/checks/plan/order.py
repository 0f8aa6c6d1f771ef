"""A plan as a graph: cycles, references, and whether the execution order keeps to the dependencies.

Pure functions over a Decomposition, each in time proportional to its size, and without recursion. Knows nothing about
agents, findings or scores.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from witnessmark.core.case import Case, Decomposition, Phase, Subgoal, subject_of


@dataclass(frozen=True, slots=True)
class Slot:
    """Where a subgoal stands in the order."""

    phase: int
    number: int
    parallel: bool

    def after(self, other: Slot) -> bool:
        """Whether this one starts only when the other is done."""
        if self.phase != other.phase:
            return self.phase > other.phase
        return not self.parallel and self.number > other.number


def plan_of(case: Case) -> Decomposition:
    """The plan of a case, or an error that says what the check is for."""
    return subject_of(case, Decomposition)


def phases(plan: Decomposition) -> tuple[Phase, ...]:
    """The execution order; where none is given, one after the other as listed."""
    if plan.execution_order is not None:
        return plan.execution_order
    return (Phase(phase="sequential", subgoals=tuple(subgoal.id for subgoal in plan.subgoals)),)


def slots(order: Sequence[Phase]) -> dict[str, Slot]:
    """Where each id stands first."""
    found: dict[str, Slot] = {}
    for number, phase in enumerate(order):
        for place, name in enumerate(phase.subgoals):
            found.setdefault(name, Slot(number, place, phase.phase == "parallel"))
    return found


def doubles(names: Sequence[str]) -> list[str]:
    """Names that stand there more than once, each once."""
    seen: set[str] = set()
    again = [name for name in names if name in seen or seen.add(name)]  # type: ignore[func-returns-value]
    return list(dict.fromkeys(again))


def dangling(plan: Decomposition) -> Iterator[tuple[Subgoal, str]]:
    """Each subgoal with a dependency that is not in the plan."""
    known = {subgoal.id for subgoal in plan.subgoals}
    for subgoal in plan.subgoals:
        for need in subgoal.depends_on:
            if need not in known:
                yield subgoal, need


def cycles(plan: Decomposition, most: int = 5) -> list[list[str]]:
    """Dependency cycles as paths that end where they began, a few of them."""
    needs = {subgoal.id: subgoal.depends_on for subgoal in plan.subgoals}
    done: set[str] = set()
    found: list[list[str]] = []
    for start, first in needs.items():
        if start in done:
            continue
        path, at, waiting = [start], {start: 0}, [iter(first)]
        while waiting and len(found) < most:
            following = next(waiting[-1], None)
            if following is None:
                waiting.pop()
                left = path.pop()
                del at[left]
                done.add(left)
            elif following in at:
                found.append([*path[at[following] :], following])
            elif following in needs and following not in done:
                at[following] = len(path)
                path.append(following)
                waiting.append(iter(needs[following]))
    return found


def broken(plan: Decomposition) -> Iterator[tuple[str, str, bool]]:
    """Dependencies the order does not keep: who starts too early, what it waits for, and whether both run at once."""
    where = slots(phases(plan))
    for subgoal in plan.subgoals:
        mine = where.get(subgoal.id)
        for need in subgoal.depends_on:
            theirs = where.get(need)
            if mine is None or theirs is None or need == subgoal.id or mine.after(theirs):
                continue
            yield subgoal.id, need, mine.phase == theirs.phase and mine.parallel
