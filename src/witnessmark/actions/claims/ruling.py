"""What is said about one claim: whether the world bears it out, why, and what is there instead."""

from __future__ import annotations

from typing import Literal, Protocol

import msgspec

Ruled = Literal["supported", "unsupported", "contradicted", "unverifiable", "superseded"]


class Ruling(msgspec.Struct, frozen=True):
    """One claim held against the world. `there` is what was found, in a few words; `by` is the evidence that says so."""

    status: Ruled
    reason: str
    category: str = ""
    there: str = ""
    by: str = ""

    @property
    def wrong(self) -> bool:
        """Whether it was looked at and is not so."""
        return self.status in ("unsupported", "contradicted")


def supported(reason: str, there: str = "", by: str = "") -> Ruling:
    """It is so."""
    return Ruling("supported", reason, "", there, by)


def unsupported(category: str, reason: str, there: str = "nothing") -> Ruling:
    """Nothing shows it, where something would have to."""
    return Ruling("unsupported", reason, category, there)


def contradicted(category: str, reason: str, there: str = "", by: str = "") -> Ruling:
    """What is there says otherwise."""
    return Ruling("contradicted", reason, category, there, by)


def unverifiable(reason: str, category: str = "unverifiable_claim", there: str = "") -> Ruling:
    """It cannot be said."""
    return Ruling("unverifiable", reason, category, there)


class Complete(Protocol):
    """Anything that says whether it holds everything that was done."""

    @property
    def whole(self) -> bool:
        """Whether what is not in it was not done."""


def absent(trace: Complete, why: str) -> Ruling:
    """Not in the trace: untrue where the trace holds everything that was done."""
    if trace.whole:
        return unsupported("not_in_trace", why, "not in the trace")
    return unverifiable(f"{why}, which does not contain everything that was done", there="not in the trace")


SUPERSEDED = Ruling("superseded", "a later claim on the same path replaces it")
