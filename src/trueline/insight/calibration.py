"""How sure a judge's word is, learnt from what people and the world said later: per check, judge, version and kind of confidence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from trueline.insight.thresholds import Certificate
from trueline.tallies import Counted
from trueline.values import Unit, Value
from trueline.verdict import ConfidenceSource


class Source(Value, frozen=True):
    """What is calibrated on its own: never two checks, judges, versions or kinds of confidence together."""

    check: str
    version: str
    judge: str = ""
    kind: ConfidenceSource = "reported"


class Sample(Value, frozen=True):
    """One word of a source, and whether the work was good."""

    source: Source
    status: Literal["pass", "partial", "fail"]
    score: Unit | None
    confidence: Unit | None
    good: bool
    group: str = ""


class Bin(Value, frozen=True):
    """One bar of a reliability diagram."""

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

    source: Source
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


async def labelled(
    store: Counted, workspace: str, since: float | None = None, until: float | None = None
) -> tuple[Sample, ...]:
    """What a store knows: every word of a judge about work whose end is known."""
    raise NotImplementedError


def fit(
    samples: Sequence[Sample],
    *,
    name: str = "calibration",
    version: int = 1,
    workspace: str = "default",
    risk: float = 0.05,
    confidence: float = 0.90,
) -> Calibration:
    """Learn from the samples, each source on its own."""
    raise NotImplementedError


def what_if(calibration: Calibration, samples: Sequence[Sample]) -> WhatIf:
    """What the calibration would have changed on these samples."""
    raise NotImplementedError


async def kept(store: Any, workspace: str) -> tuple[Calibration, ...]:
    """Every calibration of a workspace, newest first."""
    raise NotImplementedError


async def keep(store: Any, calibration: Calibration) -> Calibration:
    """Keep it under the next version of its name; returns it with that version."""
    raise NotImplementedError


async def applied(store: Any, workspace: str) -> Calibration | None:
    """The calibration that holds in a workspace now."""
    raise NotImplementedError


async def apply(store: Any, workspace: str, ref: str | None) -> None:
    """Have this calibration (name@version) hold in a workspace from now on; None: none."""
    raise NotImplementedError
