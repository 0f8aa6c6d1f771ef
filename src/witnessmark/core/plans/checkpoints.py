"""Checkpoints by name: the ready-made graphs, each of places for checks, with their policies."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from witnessmark.core.case import KINDS, Case, default_checkpoint
from witnessmark.core.errors import InputError, UnknownNameError
from witnessmark.core.policy import Policy
from witnessmark.core.registry import Registry


class CheckRef(msgspec.Struct, frozen=True, omit_defaults=True):
    """A check's place in a checkpoint, by name: made into a node once the check is looked up."""

    check: str
    value: Any = None
    options: Mapping[str, Any] = {}
    name: str | None = None
    needs: tuple[str, ...] = ()
    weight: float = 1.0
    must_pass: bool = False
    criterion: str | None = None
    asked_by_case: bool = False
    gates: tuple[str, ...] = ()
    after: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        weight: Any = self.weight
        if not isinstance(weight, (int, float)) or not 0 <= weight <= 1e6:
            raise InputError(f"CheckRef {self.check!r}: weight {self.weight!r} is not a number from 0 to 1000000")


Plan = Callable[[Case], Iterable[CheckRef]]


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A ready-made graph with its policy: which places it has for a case, and what it takes.

    `policy_of` is there where what to do depends on the case, such as whether there is another agent to hand it to.
    """

    name: str
    kinds: tuple[str, ...]
    policy: Policy
    plan: Plan
    summary: str = ""
    policy_of: Callable[[Case], Policy] | None = None


checkpoints: Registry[Checkpoint] = Registry(
    "checkpoint", "witnessmark.checkpoints", "; `witnessmark checkpoints` lists them"
)


def checkpoint_for(case: Case, name: str | None = None) -> Checkpoint:
    """The checkpoint a case goes through; by its name, or the one for its kind.

    Raises:
        UnknownNameError: where there is no checkpoint of that name.
        InputError: where it does not take such a subject.

    """
    point = checkpoints.get(name or default_checkpoint(case))
    if case.kind not in point.kinds:
        takes = " or ".join(point.kinds)
        raise InputError(f"subject.kind: checkpoint {point.name!r} takes {takes}, not {case.kind}")
    return point


_DEFAULT = Policy()


def checkpoint(
    name: str,
    *,
    kinds: tuple[str, ...],
    policy: Policy = _DEFAULT,
    policy_of: Callable[[Case], Policy] | None = None,
    register: bool = True,
) -> Callable[[Plan], Checkpoint]:
    """Make a plan known as a checkpoint for subjects of these kinds.

    Args:
        name: how cases and commands call it.
        kinds: the kinds of subject that it takes, such as ("answer",).
        policy: the policy that holds where nothing else is said.
        policy_of: the policy for a case, where it depends on the case.
        register: a third-party package sets False and names the checkpoint in the entry-point group `witnessmark.checkpoints`.

    Raises:
        InputError: where a kind is unknown, or the name is given already.

    """
    named: Any = kinds
    unknown = next((kind for kind in named if kind not in KINDS), None) if not isinstance(named, str) else named
    if unknown is not None:
        near = UnknownNameError("kind", unknown, KINDS, f" Write a tuple of {', '.join(KINDS)}.")
        raise InputError(f"checkpoint {name!r}: {near}")

    def decorate(plan: Plan) -> Checkpoint:
        made = Checkpoint(name, kinds, policy, plan, (inspect.getdoc(plan) or "").partition("\n")[0], policy_of)
        if register:
            checkpoints.add(name, made)
        return made

    return decorate
