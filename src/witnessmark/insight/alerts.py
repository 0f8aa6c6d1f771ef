"""Which figures want a person, how badly, and what to do about it. Delivering them is somebody else's."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from typing import Literal, Protocol

from witnessmark.core.errors import UsageError
from witnessmark.core.tallies import DAY_S, TallyStore
from witnessmark.core.values import Value
from witnessmark.insight.artifacts import ArtifactStore
from witnessmark.insight.calibrated_results import in_force
from witnessmark.insight.dictionary import BY_NAME
from witnessmark.insight.figure import Figure
from witnessmark.insight.metrics import figures as measured

Severity = Literal["high", "medium"]
LOOK_BACK_S = 7 * DAY_S
"""Judges of the last week are compared with those that were calibrated."""


class AlertStore(TallyStore, ArtifactStore, Protocol):
    """A store that counts and remembers."""


class Alert(Value, frozen=True):
    """A figure that is where it should not be, or a judge that is no longer the one that was measured."""

    name: str
    title: str
    severity: Severity
    figure: Figure | None
    message: str
    advice: str


_ALERTS: Mapping[str, tuple[str, str, Severity]] = {
    "catch_rate": ("low_catch_rate", "Low catch rate", "high"),
    "false_rejection_rate": ("high_false_rejection", "High false rejection rate", "medium"),
    "retry_success": ("low_retry_success", "Low retry success", "medium"),
    "verification_cost_share": ("high_cost_share", "Verifying costs too much", "medium"),
}


def alerts(figures: Mapping[str, Figure]) -> tuple[Alert, ...]:
    """The alerts these figures raise, the gravest first."""
    raised = [
        _alert(figures[metric], *told)
        for metric, told in _ALERTS.items()
        if metric in figures and figures[metric].state == "alert"
    ]
    return tuple(sorted(raised, key=lambda alert: alert.severity != "high"))


def _alert(figure: Figure, name: str, title: str, severity: Severity) -> Alert:
    metric = BY_NAME[figure.name]
    side = "below" if metric.better == "higher" else "above"
    value, limit = _percent(figure.value), _percent(metric.alert)
    between = "" if figure.low is None else f", between {_percent(figure.low)} and {_percent(figure.high)}"
    named = ("The " if figure.name.endswith(("rate", "share")) else "") + figure.name.replace("_", " ")
    message = f"{named[:1].upper()}{named[1:]} is {value} (n = {figure.n}{between}), {side} the limit of {limit}."
    return Alert(name=name, title=title, severity=severity, figure=figure, message=message, advice=figure.advice)


def _percent(value: float | None) -> str:
    return f"{100 * (value or 0):.0f}%"


def drift(seen: Sequence[tuple[str, str, str]], fitted: Sequence[tuple[str, str, str]]) -> tuple[Alert, ...]:
    """A (check, version, judge) at work that the calibration in force has never measured, though it knows the check."""
    checks = {check for check, _, _ in fitted}
    new = sorted(set(seen) - set(fitted))
    return tuple(
        Alert(
            name="judge_drift",
            title="A judge changed",
            severity="medium",
            figure=None,
            message=f"The check {check}, version {version}, by {judge or 'no judge'} is in use and was never calibrated.",
            advice="Its verdicts count as uncalibrated. Collect overrides and outcomes, then `witnessmark calibrate fit`.",
        )
        for check, version, judge in new
        if check in checks
    )


async def current_alerts(
    store: AlertStore, workspace: str, now: float, calibration: str | None = None
) -> tuple[Alert, ...]:
    """Everything that wants a person in a workspace: figures, and judges that are no longer those that were measured.

    `calibration`: the one that the settings name, or `none`; None is the one applied in the workspace.
    """
    return alerts(await measured(store, workspace)) + await current_drift(store, workspace, now, calibration)


async def current_drift(
    store: AlertStore, workspace: str, now: float, calibration: str | None = None
) -> tuple[Alert, ...]:
    """Judges at work that the calibration in force has never measured; there are none where none is in force."""
    held = None
    with contextlib.suppress(
        UsageError
    ):  # one is named that there is not: whoever verifies is told, and no judge is at work
        held = await in_force(store, workspace, calibration)
    if held is None:
        return ()
    marks = await store.marks(workspace, ("source",), now - LOOK_BACK_S)
    seen = [(check, version, judge) for check, version, judge in (mark.key.split("|", 2) for mark in marks)]
    fitted = [(fit.source.check, fit.source.version, fit.source.judge) for fit in held.fits]
    return drift(seen, fitted)
