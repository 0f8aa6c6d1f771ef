"""The four bands of a plan's dimension, half open: [0.9, 1], [0.7, 0.9), [0.5, 0.7) and [0, 0.5), each with its words."""

from __future__ import annotations

from msgspec.structs import replace

from witnessmark.core.thresholds import threshold
from witnessmark.core.verdict import Result

FLOORS = (threshold("plan_good"), threshold("plan_dimension"), threshold("retry_threshold"), 0.0)
_WORDS = {
    "completeness": ("all aspects covered", "minor gaps", "incomplete coverage", "major omissions"),
    "consistency": ("no conflicts", "minor inconsistencies", "contradictions to reconcile", "conflicts"),
    "groundedness": ("rests on the context", "some assumptions", "many assumptions", "ignores the context"),
    "routability": ("agents fit", "stand-ins needed", "many agents missing or unable", "cannot be routed"),
}


def band(name: str, score: float) -> str:
    """What a score of this dimension says, in words."""
    return next(words for floor, words in zip(FLOORS, _WORDS[name], strict=True) if round(score, 9) >= floor)


def banded(name: str, result: Result) -> Result:
    """The result with its band in the details; one without a score has none."""
    if result.score is None:
        return result
    return replace(result, details={**result.details, "band": band(name, result.score)})
