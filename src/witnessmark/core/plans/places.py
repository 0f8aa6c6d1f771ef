"""What a checkpoint says of a case: its places and its policy. What is wrong with somebody's own is told with its name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from witnessmark.core.case import Case
from witnessmark.core.errors import InputError, WitnessmarkError
from witnessmark.core.policy import Policy
from witnessmark.core.registry import Checkpoint, CheckRef
from witnessmark.core.values import canonical

T = TypeVar("T")


def places_of(point: Checkpoint, case: Case) -> tuple[tuple[CheckRef, ...], bytes]:
    """The places of a checkpoint for this case, and as JSON; InputError where its plan breaks, or yields anything else."""
    who = f"checkpoint {point.name!r}: its plan"
    planned: Any = told(who, lambda: point.plan(case))
    if planned is None:
        raise InputError(f"{who} returns nothing; yield a CheckRef for each check")
    places: tuple[Any, ...] = told(who, lambda: tuple(planned))
    for place in places:
        if not isinstance(place, CheckRef):
            write = f"CheckRef({place!r})" if isinstance(place, str) else "CheckRef(NAME, …)"
            raise InputError(f"{who} yields a {type(place).__name__}; write {write}")
    try:
        return places, canonical(places)
    except TypeError as exc:
        raise InputError(f"{who} has a value or an option that is not JSON, which no record can keep: {exc}") from None


def policy_of(point: Checkpoint, case: Case) -> Policy:
    """The policy of a checkpoint for this case; InputError where what works it out breaks."""
    ask = point.policy_of
    return point.policy if ask is None else told(f"checkpoint {point.name!r}: its policy_of", lambda: ask(case))


def told(who: str, call: Callable[[], T]) -> T:
    """What the call gives; InputError that says who broke, and with what, where it raises anything but our errors."""
    try:
        return call()
    except WitnessmarkError:
        raise
    except Exception as exc:  # somebody else's code, told by its name; other checks and cases go on
        raise InputError(f"{who} broke: {type(exc).__name__}: {exc}"[:500]) from exc
