"""How a judge's word on a criterion becomes a number between 0 and 1: one scale each, declared, never guessed.

`likert5` counts 1 to 5 in half steps as (s - 1) / 4 · `unit` is 0 to 1 · `binary` is true or false · `match` is unmet,
partly or met. What does not fit its scale is a JudgeReplyError; there is no default score. Knows no prompts, no judges.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from witnessmark.core.errors import JudgeReplyError
from witnessmark.core.plans.criteria import Scale
from witnessmark.core.thresholds import threshold
from witnessmark.text import lang
from witnessmark.text.digits import ungrouped

MET = threshold("criterion_met")
_MATCH = {"unmet": 0.0, "partly": 0.5, "met": 1.0}
_HALF_STEPS = [1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5]
REPLY_SCHEMA: Mapping[Scale, dict[str, Any]] = {
    "likert5": {"type": "number", "enum": _HALF_STEPS},
    "unit": {"type": "number", "minimum": 0, "maximum": 1},
    "binary": {"type": "boolean"},
    "match": {"type": "string", "enum": list(_MATCH)},
}


def read_score(scale: Scale, raw: Any) -> float:
    """The judge's word as a number between 0 and 1."""
    if scale == "binary":
        if isinstance(raw, bool):
            return float(raw)
        raise JudgeReplyError(f"a score is neither true nor false: {raw!r}")
    if scale == "match":
        if isinstance(raw, str) and raw in _MATCH:
            return _MATCH[raw]
        raise JudgeReplyError(f"a score is not one of {', '.join(_MATCH)}: {raw!r}")
    if scale == "unit":
        return _within(_number(raw), 0, 1)
    number = _within(_number(raw), 1, 5)
    if number * 4 != int(number * 4):  # half steps, and what lies between two of them when a panel is split
        raise JudgeReplyError(f"a score is not a step of the scale: {raw!r}")
    return likert(number)


def likert(steps: float) -> float:
    """1 to 5 as 0 to 1, the ends included."""
    return round((steps - 1) / 4, 9)


def read_confidence(raw: Any) -> float:
    """How sure the judge says it is; a missing or odd one is an error, never certainty."""
    return _within(_number(raw), 0, 1)


def _number(raw: Any) -> float:
    if isinstance(raw, bool) or not isinstance(raw, (int, float)) or not math.isfinite(raw):
        raise JudgeReplyError(f"not a number: {raw!r}")
    return float(raw)


def _within(number: float, low: float, high: float) -> float:
    if not low <= number <= high:
        raise JudgeReplyError(f"{number:g} is not between {low:g} and {high:g}")
    return number


_STATED = (
    r"(?:≥|>=|at least|no less than|minimum(?: of)?|from)\s*(\d([.,]\d{1,2})?)\s*(?:/|out of|of)\s*5\b"
    r"(?(2)|(?=\s*(?:$|[^\w\s]|{after_a_mark}\b)))"
)
"""A mark in words ("at least 4 out of 5"). Where things follow ("at least 1 of 5 risks"), they are counted; half a thing is not."""


@lang.kept(1024)
def met_from(text: str, declared: float | None) -> float:
    """The score from which a criterion is met: as declared, as its own words say (≥ 3.5/5), or 0.7."""
    if declared is not None:
        return declared
    stated = lang.pattern("counts", _STATED).search(text)
    if stated is None:
        return MET
    steps = float(ungrouped(stated.group(1)))
    return likert(steps) if 1 < steps <= 5 else MET  # every output has a mark of 1, so that 1 asks for nothing
