"""The values of calibration (what was learnt about a source, how good it is, what it would change), and how alerts are sent."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from witnessmark.core.values import NotNegative, Value
from witnessmark.insight.samples import JudgeSource
from witnessmark.insight.thresholds import Certificate


class Bin(Value, frozen=True):
    """One bar of a reliability diagram: what was said on average, and how often it was so."""

    low: float
    high: float
    n: int
    said: float | None
    was: float | None


class Quality(Value, frozen=True):
    """How well a source's numbers tell good work from bad; None where the sample does not allow it."""

    n: int
    good: int
    point_biserial: float | None = None
    auroc: float | None = None
    auroc_low: float | None = None
    auroc_high: float | None = None
    kappa: float | None = None
    brier: float | None = None
    ece: float | None = None
    reliability: tuple[Bin, ...] = ()


class Fit(Value, frozen=True):
    """What was learnt about one source: a map from its numbers to the chance that the work is good, and a certified cut-off."""

    source: JudgeSource
    by: Literal["score", "confidence"]
    method: Literal["isotonic", "platt", "none"]
    before: Quality
    xs: tuple[float, ...] = ()
    ys: tuple[float, ...] = ()
    after: Quality | None = None
    certificate: Certificate | None = None
    advice: str = ""


class Calibration(Value, frozen=True):
    """A fitted artefact; `name@version` stands in every record it touched."""

    name: str
    version: int
    workspace: str
    made_at: float
    samples: int
    digest: str
    fits: tuple[Fit, ...] = ()

    @property
    def ref(self) -> str:
        """What records call it."""
        return f"{self.name}@{self.version}"


class WhatIf(Value, frozen=True):
    """What would have come out differently had this calibration held."""

    calibration: str
    cases: int
    changed: int
    accepted: int
    escalated: int
    wrong_before: int
    wrong_after: int
    moves: dict[str, int] = {}


class AlertSettings(Value, frozen=True):
    """Where alerts go besides the page. The secret that signs them is read from the environment."""

    webhook: str | None = None
    """Where alerts are sent; what is newly raised goes to the log as well."""
    log: bool = False
    """Look for alerts without a webhook too: they go to the log. A running service always does."""
    secret_env: str = "WITNESSMARK_WEBHOOK_SECRET"  # noqa: S105 - the name of a variable
    allow_private: bool = False
    tries: Annotated[int, msgspec.Meta(ge=1, le=10)] = 4
    backoff_s: NotNegative = 1.0
    every_s: NotNegative = 300.0
    """How often is looked, at most, while there is something new; 0 is never."""
