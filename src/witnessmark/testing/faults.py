"""Fault injection: take a good case, break it in a named way, and see whether the verification notices.

    >>> from witnessmark.testing import faults
    >>> broken = faults.inject(case, "cycle", seed=1)        # doctest: +SKIP
    >>> [fault.name for fault in faults.of("agent_output")]  # doctest: +SKIP

Every fault is a pure function of the case and the seed. What a fault does and who should catch it is in `FAULTS`.
"""

from __future__ import annotations

import random

from witnessmark.core.case import Case
from witnessmark.core.errors import InputError, UnknownNameError
from witnessmark.testing import output_faults, plan_faults, synthesis_faults  # noqa: F401 - they fill FAULTS
from witnessmark.testing.fault import FAULTS, Fault

__all__ = ["FAULTS", "Fault", "inject", "of", "try_inject"]


def of(kind: str) -> list[Fault]:
    """The faults for subjects of this kind."""
    return [fault for fault in FAULTS.values() if fault.kind == kind]


def try_inject(case: Case, name: str, *, seed: int = 0) -> Case | None:
    """The case broken in this way, or None where it has nothing that could be broken so."""
    if name not in FAULTS:
        raise UnknownNameError("fault", name, FAULTS)
    fault = FAULTS[name]
    if case.kind != fault.kind:
        raise InputError(f"subject.kind: fault {name!r} breaks a {fault.kind}, not a {case.kind}")
    broken = fault.breaks(case, random.Random(f"{seed}:{name}:{case.digest()}"))  # noqa: S311 - repeatable, no secret
    return None if broken == case else broken


def inject(case: Case, name: str, *, seed: int = 0) -> Case:
    """The case broken in this way; the same case and seed give the same broken case."""
    broken = try_inject(case, name, seed=seed)
    if broken is None:
        raise InputError(f"fault {name!r} does not apply: the case has nothing that could be broken so")
    return broken
