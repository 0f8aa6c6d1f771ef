"""The first page: what was verified, what it caught, what it cost, and where it is wrong. Draws what insight counts."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from witnessmark.insight import alerts as alerting
from witnessmark.insight.dictionary import PASSED_AT, STRICTER
from witnessmark.insight.figure import Figure, Metric
from witnessmark.insight.metrics import DICTIONARY
from witnessmark.insight.overview import Overview, overview
from witnessmark.server.pages import charts
from witnessmark.server.pages.render import usd
from witnessmark.stores import browse
from witnessmark.stores.purges import last_purge

if TYPE_CHECKING:  # a report draws the same where no web framework is installed
    from starlette.responses import Response

    from witnessmark.server.pages.access import Visit

PERIODS = (("7", "7 days"), ("30", "30 days"), ("90", "90 days"), ("all", "All"))
HEADLINES = (
    "pass_at_first_attempt", "catch_rate", "false_rejection_rate", "false_acceptance_rate", "retry_success",
    "override_rate",
)  # fmt: skip
_BAD, _KNOWN = "since:counted=bad", "since:counted=known"
LINKS = {
    "pass_rate": ("ran:outcome=pass", "ran:"),
    "pass_at_first_attempt": ("ran:attempt=1&outcome=pass", "ran:attempt=1"),
    "mean_retries": ("ran:counted=later", "ran:attempt=1"),
    "unverified_rate": ("ran:outcome=unverified", "ran:"),
    "escalation_rate": ("ran:action=escalate", "ran:"),
    "retry_success": ("ran:counted=later&outcome=pass", "ran:counted=later"),
    "corrective_trigger_rate": ("ran:checkpoint=answer&attempt=1&action=correct", "ran:checkpoint=answer&attempt=1"),
    "corrective_success_rate": ("since:counted=corrected&outcome=pass", "since:counted=corrected"),
    "calls_saved": (f"ran:score_from={PASSED_AT}&score_below={STRICTER}", f"ran:score_below={STRICTER}"),
    "mean_score": ("ran:counted=scored", "ran:counted=scored"),
    "catch_rate": ("since:counted=bad_stopped", _BAD),
    "false_rejection_rate": ("since:counted=good_stopped", _KNOWN),
    "false_rejection_of_good": ("since:counted=good_stopped", "since:counted=good"),
    "false_acceptance_rate": ("since:counted=bad_through", _KNOWN),
    "false_acceptance_of_bad": ("since:counted=bad_through", _BAD),
    "override_rate": ("since:counted=disagreed", "ran:"),
    "disagreement_of_reviewed": ("since:counted=disagreed", "since:counted=overridden"),
    "hallucination_rate": ("since:counted=told_bad", "since:counted=told"),
    "verification_cost_share": ("ran:counted=paired", "ran:counted=paired"),
    "verification_return": ("since:counted=bad_stopped", "ran:counted=priced"),
    "cost_per_verification": ("ran:counted=priced", "ran:counted=priced"),
}
"""Which records stand behind the numerator and the denominator of a figure, as the list of records filters them.

`ran`: those verified in the period, `since`: those first verified in it, as each figure is counted.
"""
BEHIND = {
    "catch_rate": ("since:counted=bad_through", "See the bad work that was let through"),
    "false_rejection_rate": ("since:counted=good_stopped", "See the good work that was stopped"),
    "retry_success": ("ran:counted=later", "See the retries"),
    "verification_cost_share": ("ran:counted=paired", "See the runs it counts"),
}
"""What whoever reads an alert looks at first, by its figure."""
STATES = {"ok": "on target", "below_target": "off target", "alert": "alert", "unknown": "too few to say"}


async def show(visit: Visit) -> Response:
    """The page, or what to do first."""
    store, workspace = visit.site.store, visit.caller.workspace
    purge = await last_purge(store, workspace)
    if not await browse.any_record(store, workspace):
        return await visit.page("welcome.html", "overview", purge=purge)
    days = visit.asked("days", "30")
    days = days if days in dict(PERIODS) else "30"
    since = None if days == "all" else time.time() - 86_400 * float(days)
    seen = await overview(store, workspace, since)
    more = await _drift(visit)
    first = "" if since is None else f"{datetime.fromtimestamp(since, UTC):%Y-%m-%d}"
    linked = context(seen, more) | {"link": partial(records_link, first)}
    linked["purge"] = purge if purge is not None and purge.at >= (since or 0.0) else None
    return await visit.page("overview.html", "overview", days=days, periods=PERIODS, **linked)


async def _drift(visit: Visit) -> tuple[alerting.Alert, ...]:
    """Judges at work that the calibration in force has never measured; there are none where none is in force."""
    chosen = visit.site.settings.calibration
    return await alerting.current_drift(visit.site.store, visit.caller.workspace, time.time(), chosen)


def context(seen: Overview, more: tuple[alerting.Alert, ...] = ()) -> dict[str, Any]:
    """What the templates of the page and of the report need of an overview; `more` are alerts beside its own."""
    known = {metric.name: metric for metric in DICTIONARY}
    heads = [seen.figures[name] for name in HEADLINES if name in seen.figures]
    rest = [figure for name, figure in seen.figures.items() if name not in HEADLINES]
    return {
        "seen": seen,
        "drawn": charts.drawn(seen),
        "heads": heads,
        "rest": rest,
        "alerts": alerting.alerts(seen.figures) + more,
        "known": known,
        "states": STATES,
        "links": LINKS,
        "behind": BEHIND,
        "link": None,
        "shown": shown,
        "title_of": title_of,
    }


def records_link(first: str, query: str) -> str:
    """The address of the records that `ran:…` or `since:…` names, from the first day of the period on."""
    when, _, rest = query.partition(":")
    return f"/ui/records?{'&'.join(part for part in (f'{when}={first}' if first else '', rest) if part)}"


def shown(figure: Figure, metric: Metric | None) -> str:
    """A figure's value in its unit."""
    if figure.value is None:
        return "–"
    unit = metric.unit if metric is not None else "share"
    if unit == "share":
        return f"{100 * figure.value:.1f}%"
    if unit == "usd":
        return usd(figure.value)
    return f"{figure.value:,.0f}" if unit == "count" else f"{figure.value:.2f}"


def title_of(name: str) -> str:
    """A metric's name as a title."""
    words = name.replace("_", " ")
    return words[:1].upper() + words[1:]


async def changes(visit: Visit) -> Response:
    """One event for every record kept in the caller's workspace."""
    from starlette.responses import Response, StreamingResponse

    how: dict[str, Any] = {
        "media_type": "text/event-stream",
        "headers": {"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    }
    if visit.request.method == "HEAD":  # the events would never end, and nobody gets them
        return Response(**how)
    return StreamingResponse(visit.site.changes(visit.caller, dict(visit.request.scope["headers"])), **how)
