"""Ways to break a good plan."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from witnessmark.checks.plan.names import holds_data
from witnessmark.core.case import Case, Decomposition, Phase, Subgoal
from witnessmark.testing.fault import FAULTS, Fault, fault, subject

STRUCTURE, ROUTES, NAMES = "plan_structure", "plan_routability", "plan_groundedness"
NOWHERE = "sg-nowhere"


def plan_of(case: Case) -> Decomposition:
    """The plan, which the kit has made sure of."""
    assert isinstance(case.subject, Decomposition)
    return case.subject


def order_of(plan: Decomposition) -> tuple[Phase, ...]:
    """The execution order, one after the other where none is given."""
    return plan.execution_order or (Phase(subgoals=tuple(s.id for s in plan.subgoals)),)


def _changed(case: Case, number: int, **fields: Any) -> Case:
    plan = plan_of(case)
    subgoals = [replace(s, **fields) if at == number else s for at, s in enumerate(plan.subgoals)]
    return subject(case, subgoals=tuple(subgoals))


def _any(case: Case, rng: random.Random) -> int | None:
    count = len(plan_of(case).subgoals)
    return rng.randrange(count) if count else None


def _one_changed(name: str, summary: str, fields: Callable[[Subgoal], dict[str, Any]]) -> None:
    """A fault of the structure that lies in the fields of one subgoal."""

    def breaks(case: Case, rng: random.Random) -> Case | None:
        at = _any(case, rng)
        return None if at is None else _changed(case, at, **fields(plan_of(case).subgoals[at]))

    FAULTS[name] = Fault(name, "decomposition", STRUCTURE, summary, breaks)


def _dependency(case: Case, rng: random.Random) -> tuple[str, str] | None:
    """A subgoal and one that it waits for."""
    pairs = [(s.id, need) for s in plan_of(case).subgoals for need in s.depends_on]
    return rng.choice(pairs) if pairs else None


def _without(order: Sequence[Phase], *names: str) -> tuple[Phase, ...]:
    kept = (replace(phase, subgoals=tuple(n for n in phase.subgoals if n not in names)) for phase in order)
    return tuple(phase for phase in kept if phase.subgoals)


# --- structure ------------------------------------------------------------------------------------------------------


@fault("no_subgoals", "decomposition", STRUCTURE)
def no_subgoals(case: Case, rng: random.Random) -> Case | None:
    """Take out every subgoal and the order."""
    return subject(case, subgoals=(), execution_order=None)


_one_changed("blank_id", "Leave a subgoal without an id.", lambda _: {"id": " "})


@fault("duplicate_id", "decomposition", STRUCTURE)
def duplicate_id(case: Case, rng: random.Random) -> Case | None:
    """Give two subgoals the same id."""
    plan = plan_of(case)
    if len(plan.subgoals) < 2:
        return None
    one, other = rng.sample(range(len(plan.subgoals)), 2)
    return _changed(case, one, id=plan.subgoals[other].id)


_one_changed(
    "unknown_dependency",
    "Let a subgoal wait for one that is not in the plan.",
    lambda one: {"depends_on": (*one.depends_on, NOWHERE)},
)
_one_changed("self_dependency", "Let a subgoal wait for itself.", lambda one: {"depends_on": (one.id,)})


@fault("cycle", "decomposition", STRUCTURE)
def cycle(case: Case, rng: random.Random) -> Case | None:
    """Let two subgoals wait for each other."""
    plan = plan_of(case)
    if len(plan.subgoals) < 2:
        return None
    one, other = (plan.subgoals[n] for n in rng.sample(range(len(plan.subgoals)), 2))
    ids = {one.id: other.id, other.id: one.id}
    subgoals = [replace(s, depends_on=(*s.depends_on, ids[s.id])) if s.id in ids else s for s in plan.subgoals]
    return subject(case, subgoals=tuple(subgoals))


@fault("drop_subgoal", "decomposition", STRUCTURE)
def drop_subgoal(case: Case, rng: random.Random) -> Case | None:
    """Take out a subgoal that the order or another subgoal still names."""
    plan = plan_of(case)
    named = {need for s in plan.subgoals for need in s.depends_on} | {
        name for phase in plan.execution_order or () for name in phase.subgoals
    }
    there = [s.id for s in plan.subgoals if s.id in named]
    if not there:
        return None
    gone = rng.choice(there)
    return subject(case, subgoals=tuple(s for s in plan.subgoals if s.id != gone))


@fault("drop_from_order", "decomposition", STRUCTURE)
def drop_from_order(case: Case, rng: random.Random) -> Case | None:
    """Leave a subgoal out of the execution order."""
    at = _any(case, rng)
    if at is None:
        return None
    plan = plan_of(case)
    return subject(case, execution_order=_without(order_of(plan), plan.subgoals[at].id))


@fault("order_names_unknown", "decomposition", STRUCTURE)
def order_names_unknown(case: Case, rng: random.Random) -> Case | None:
    """Put a subgoal into the order that is not in the plan."""
    return subject(case, execution_order=(*order_of(plan_of(case)), Phase(subgoals=(NOWHERE,))))


@fault("order_repeats", "decomposition", STRUCTURE)
def order_repeats(case: Case, rng: random.Random) -> Case | None:
    """Let a subgoal run twice."""
    at = _any(case, rng)
    if at is None:
        return None
    plan = plan_of(case)
    return subject(case, execution_order=(*order_of(plan), Phase(subgoals=(plan.subgoals[at].id,))))


@fault("order_too_early", "decomposition", STRUCTURE)
def order_too_early(case: Case, rng: random.Random) -> Case | None:
    """Run a subgoal before what it waits for."""
    pair = _dependency(case, rng)
    if pair is None:
        return None
    order = order_of(plan_of(case))
    return subject(case, execution_order=(Phase(subgoals=(pair[0],)), *_without(order, pair[0])))


@fault("parallel_dependents", "decomposition", STRUCTURE)
def parallel_dependents(case: Case, rng: random.Random) -> Case | None:
    """Run a subgoal at once with what it waits for."""
    pair = _dependency(case, rng)
    if pair is None:
        return None
    rest = _without(order_of(plan_of(case)), *pair)
    return subject(case, execution_order=(*rest, Phase(phase="parallel", subgoals=(pair[1], pair[0]))))


_one_changed("blank_description", "Leave a subgoal without a description.", lambda _: {"description": "  "})


def _with_more(case: Case, more: Sequence[Subgoal]) -> Case:
    plan = plan_of(case)
    order = (*order_of(plan), Phase(subgoals=tuple(s.id for s in more)))
    return subject(case, subgoals=(*plan.subgoals, *more), execution_order=order)


@fault("repeat_subgoal", "decomposition", STRUCTURE)
def repeat_subgoal(case: Case, rng: random.Random) -> Case | None:
    """Ask for the same thing twice, under two ids."""
    at = _any(case, rng)
    if at is None or not plan_of(case).subgoals[at].description.strip():
        return None
    return _with_more(case, [replace(plan_of(case).subgoals[at], id="sg-again")])


@fault("too_many", "decomposition", STRUCTURE)
def too_many(case: Case, rng: random.Random) -> Case | None:
    """Add more subgoals than anybody can follow."""
    at = _any(case, rng)
    if at is None:
        return None
    one = plan_of(case).subgoals[at]
    more = [replace(one, id=f"sg-more-{n}", description=f"{one.description}, part {n}") for n in range(1, 101)]
    return _with_more(case, more)


# --- who does it ----------------------------------------------------------------------------------------------------


def _agents(case: Case) -> list[dict[str, Any]]:
    return [dict(agent) for agent in case.context.get("agents") or ()]


@fault("rename_agent", "decomposition", ROUTES)
def rename_agent(case: Case, rng: random.Random) -> Case | None:
    """Hand a subgoal to an agent that nobody has heard of."""
    at = _any(case, rng)
    return None if at is None or not _agents(case) else _changed(case, at, agent="zz-unheard-of-specialist")


@fault("nobody_stands_in", "decomposition", STRUCTURE)
def nobody_stands_in(case: Case, rng: random.Random) -> Case | None:
    """Hand a subgoal to an unknown agent where nobody can stand in."""
    renamed = rename_agent(case, rng)
    if renamed is None:
        return None
    anything = {"all", "*", "any"}
    left = [a for a in _agents(case) if not anything & {str(c).lower() for c in a.get("capabilities") or ()}]
    agents = [{k: v for k, v in agent.items() if k != "fallback"} for agent in left]
    context = {k: v for k, v in case.context.items() if k != "fallback_agent"}
    return replace(renamed, context=context | {"agents": agents})


@fault("missing_capability", "decomposition", ROUTES)
def missing_capability(case: Case, rng: random.Random) -> Case | None:
    """Let a subgoal need what its agent cannot do."""
    special = {a["name"] for a in _agents(case) if "all" not in (a.get("capabilities") or ())}
    there = [n for n, s in enumerate(plan_of(case).subgoals) if s.agent in special]
    if not there:
        return None
    at = rng.choice(there)
    return _changed(case, at, needs=(*plan_of(case).subgoals[at].needs, "zz-rare-skill"))


@fault("wrong_environment", "decomposition", ROUTES)
def wrong_environment(case: Case, rng: random.Random) -> Case | None:
    """Let an agent work where it is not authorised."""
    at, agents = _any(case, rng), _agents(case)
    if at is None:
        return None
    chosen = plan_of(case).subgoals[at].agent
    if chosen not in {agent.get("name") for agent in agents}:
        return None
    bound = [agent | ({"environments": ["staging"]} if agent["name"] == chosen else {}) for agent in agents]
    return replace(case, context=case.context | {"agents": bound, "environment": "production"})


# --- what it rests on -----------------------------------------------------------------------------------------------


def _says_more(case: Case, rng: random.Random, words: str) -> Case | None:
    at = _any(case, rng)
    if at is None:
        return None
    said = plan_of(case).subgoals[at].description.rstrip(". ")
    return _changed(case, at, description=f"{said}. {words}" if said else words)


@fault("invent_file", "decomposition", NAMES)
def invent_file(case: Case, rng: random.Random) -> Case | None:
    """Take a file for granted that the evidence does not show."""
    if not any(source.kind in ("code", "file", "diff") for source in case.evidence):
        return None
    return _says_more(case, rng, "Reuse the existing routines in legacy/zz_ghost_module.py.")


@fault("invent_function", "decomposition", NAMES)
def invent_function(case: Case, rng: random.Random) -> Case | None:
    """Take a function for granted that the evidence does not show."""
    if not any(source.kind in ("code", "file", "diff") and not holds_data(source) for source in case.evidence):
        return None
    return _says_more(case, rng, "Call zz_reconcile_ghosts() first.")


# --- what only reading can tell ---------------------------------------------------------------------------------------


@fault("drop_subgoal_cleanly", "decomposition", "judge")
def drop_subgoal_cleanly(case: Case, rng: random.Random) -> Case | None:
    """Take out a subgoal and every trace of it."""
    plan, at = plan_of(case), _any(case, rng)
    if at is None or len(plan.subgoals) < 2:
        return None
    gone = plan.subgoals[at].id
    kept = [s for s in plan.subgoals if s.id != gone]
    cleared = tuple(replace(s, depends_on=tuple(n for n in s.depends_on if n != gone)) for s in kept)
    order = None if plan.execution_order is None else _without(plan.execution_order, gone)
    return subject(case, subgoals=cleared, execution_order=order)


@fault("contradict_subgoal", "decomposition", "judge")
def contradict_subgoal(case: Case, rng: random.Random) -> Case | None:
    """Let one subgoal decide the opposite of another."""
    if len(plan_of(case).subgoals) < 2:
        return None
    first = _changed(case, 0, description=f"{plan_of(case).subgoals[0].description}; keep all of it stateless")
    last = len(plan_of(first).subgoals) - 1
    words = f"{plan_of(first).subgoals[last].description}; keep its state in server-side sessions"
    return _changed(first, last, description=words)
