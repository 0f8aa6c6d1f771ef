"""One figure of the metric dictionary: its value, how sure we are of it, and whether it is where it should be."""

from __future__ import annotations

from typing import Literal

from witnessmark.core.values import Value

State = Literal["unknown", "ok", "below_target", "alert"]
MIN_SAMPLE = 20
"""Below this many cases in the denominator a share is unknown."""


class Metric(Value, frozen=True):
    """What a figure means, exactly. `aliases` are names that other documents use for it."""

    name: str
    numerator: str
    denominator: str
    meaning: str
    unit: Literal["share", "mean", "usd", "count"] = "share"
    better: Literal["higher", "lower", "neither"] = "neither"
    target: float | None = None
    alert: float | None = None
    aliases: tuple[str, ...] = ()
    min_sample: int = MIN_SAMPLE


class Figure(Value, frozen=True):
    """A metric measured. `value` is None while unknown; `low` and `high` bound it at 95 % where it is a share."""

    name: str
    value: float | None
    n: int
    low: float | None = None
    high: float | None = None
    numerator: float = 0.0
    denominator: float = 0.0
    target: float | None = None
    state: State = "unknown"
    advice: str = ""
