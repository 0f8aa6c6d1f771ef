"""Thresholds with a promise: verdicts accepted without a person are wrong at most so often, at so much confidence.

A fixed sequence of cut-offs, from the surest verdicts on, is tested with exact binomial bounds; the last one that holds is
taken (Learn then Test). Knows nothing about where verdicts come from.
"""

from __future__ import annotations

from collections.abc import Sequence

from trueline.values import Value


class Certificate(Value, frozen=True):
    """At and above `threshold` verdicts are wrong at most `risk` of the time, at this confidence; None: no cut-off holds."""

    threshold: float | None
    risk: float
    confidence: float
    coverage: float
    accepted: int
    wrong: int
    upper: float | None
    n: int

    @property
    def says(self) -> str:
        """The promise as a sentence."""
        raise NotImplementedError


def certify(samples: Sequence[tuple[float, bool]], *, risk: float = 0.05, confidence: float = 0.90) -> Certificate:
    """The lowest cut-off that keeps the promise on (sureness, was right) pairs."""
    raise NotImplementedError
