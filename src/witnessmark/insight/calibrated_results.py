"""Calibrations at work: what a judge said, with the chance that was learnt for it, before a verdict is made of it.

A result that a calibration covers carries a calibrated confidence and names the artefact; one that lies below the certified
cut-off settles nothing, so that a person decides. What no calibration covers stays as it was.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from witnessmark.core.errors import ConfigError, UnknownNameError, UsageError
from witnessmark.core.record import Store
from witnessmark.core.run import RunResult
from witnessmark.core.verdict import Result
from witnessmark.insight import artifacts
from witnessmark.insight import calibration as cal
from witnessmark.insight.samples import JudgeSource
from witnessmark.insight.values import Calibration, Fit

LOOK_AGAIN_S = 5.0


class Calibrator:
    """Finds the calibration in force and lays it over results. `chosen`: name@version, `none`, or None for the workspace's."""

    def __init__(self, store: Store | None, workspace: str, chosen: str | None) -> None:
        self._store, self._workspace, self._chosen = store, workspace, chosen
        self._fits: Mapping[JudgeSource, Fit] = {}
        self._ref = ""
        self._looked = float("-inf")

    async def over(self, ran: RunResult) -> RunResult:
        """The run with every result that the calibration in force covers; UsageError where one is named that there is not."""
        if self._store is not None and self._chosen is not None:
            await self._look(self._store)
        if not [1 for result in ran.results if result.confidence_source != "deterministic" and result.settled]:
            return ran
        if self._store is not None:
            await self._look(self._store)
        if not self._fits:
            return ran
        return RunResult(tuple(self._over(r) for r in ran.results), ran.usage, ran.seconds, ran.tracebacks)

    async def _look(self, store: Store) -> None:
        """Which one holds; another process may have applied another, so it is looked up now and then."""
        now = time.monotonic()
        if self._chosen == "none" or now - self._looked < LOOK_AGAIN_S:
            return
        found = await in_force(store, self._workspace, self._chosen)
        self._looked = now
        self._ref = found.ref if found else ""
        self._fits = covering(found) if found else {}

    def _over(self, result: Result) -> Result:
        source = JudgeSource(
            check=result.check, version=result.version, judge=result.judge or "", kind=result.confidence_source
        )
        made = self._fits.get(source)
        return result if made is None or not result.settled else calibrated(result, made, self._ref)


async def in_force(store: object, workspace: str, chosen: str | None) -> Calibration | None:
    """The calibration that the settings name, or the one applied in the workspace; UsageError where that cannot be found."""
    if chosen == "none":
        return None
    if not hasattr(store, "recall_all"):
        if chosen is not None:
            raise UsageError(f"calibration {chosen!r}: this store keeps none; use SQLite or PostgreSQL")
        return None
    kept: Any = store
    if chosen is None:
        return await artifacts.calibration_in_force(kept, workspace)
    try:
        return await artifacts.calibration_named(kept, workspace, chosen)
    except UnknownNameError as exc:
        raise ConfigError(f"settings: {exc}") from None


def covering(found: Calibration) -> dict[JudgeSource, Fit]:
    """The fits that rest on enough to be used."""
    return {made.source: made for made in found.fits if made.method != "none"}


def calibrated(result: Result, made: Fit, ref: str) -> Result:
    """The result with its learnt confidence, or handed on where it is not sure enough. What was said stays readable."""
    leaning = cal.lean(made.by, result.status, result.score, result.confidence)
    if leaning is None:
        return result
    p = round(cal.chance(made, leaning), 6)
    told = {
        "by": ref,
        "kind": result.confidence_source,
        "status": result.status,
        "score": result.score,
        "confidence": result.confidence,
        "chance_good": p,
    }
    details = result.details | {"calibration": told}
    sure = cal.sureness(made.by, result.status, result.score, result.confidence)
    if cal.handed_on(made, sure):
        # In our words only: the judge's may have to be kept out, and what is not settled is not looked through for them.
        reason = f"gave {result.status}, and is not certain enough to decide without a person (calibration {ref})"
        return replace(
            result, status="abstain", score=None, cause="undecided", confidence=None, reason=reason, details=details
        )
    confidence = p if result.status == "pass" else 1 - p
    return replace(result, confidence=round(confidence, 6), confidence_source="calibrated", details=details)
