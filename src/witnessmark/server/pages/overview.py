"""The first page: what was verified, what it caught, what it cost, and where it is wrong. Draws what insight counts."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Any

from starlette.responses import Response, StreamingResponse

from witnessmark.insight import alerts as alerting
from witnessmark.insight.calibration import applied
from witnessmark.insight.figure import Figure, Metric
from witnessmark.insight.metrics import DICTIONARY
from witnessmark.insight.overview import Overview, overview
from witnessmark.server.pages import charts
from witnessmark.server.pages.access import Visit
from witnessmark.server.pages.render import usd
from witnessmark.stores import browse

PERIODS = (("7", "7 days"), ("30", "30 days"), ("90", "90 days"), ("all", "All"))
HEADLINES = (
    "pass_at_first_attempt", "catch_rate", "false_rejection_rate", "false_acceptance_rate", "retry_success",
    "override_rate",
)  # fmt: skip
LINKS = {
    "pass_at_first_attempt": "outcome=pass&attempt=1", "catch_rate": "reviewed=yes", "false_rejection_rate": "reviewed=yes",
    "false_acceptance_rate": "reviewed=yes", "retry_success": "retries=yes", "override_rate": "reviewed=yes",
}  # fmt: skip
"""Which records stand behind a figure, as the list of records filters them."""
STATES = {"ok": "on target", "below_target": "off target", "alert": "alert", "unknown": "too few to say"}


async def show(visit: Visit) -> Response:
    """The page, or what to do first."""
    store, workspace = visit.site.store, visit.caller.workspace
    if not await browse.any_record(store, workspace):
        return await visit.page("welcome.html", "overview")
    days = visit.asked("days", "30")
    days = days if days in dict(PERIODS) else "30"
    since = None if days == "all" else time.time() - 86_400 * float(days)
    seen = await overview(store, workspace, since)
    more = await _drift(visit)
    first = "" if since is None else f"since={datetime.fromtimestamp(since, UTC):%Y-%m-%d}&"
    linked = context(seen, more) | {"records_at": f"/ui/records?{first}"}
    return await visit.page("overview.html", "overview", days=days, periods=PERIODS, **linked)


async def _drift(visit: Visit) -> tuple[alerting.Alert, ...]:
    """Judges at work that the calibration in force has never measured; there are none where none is in force."""
    store, workspace = visit.site.store, visit.caller.workspace
    if await applied(store, workspace) is None:
        return ()
    return tuple(alert for alert in await alerting.raised(store, workspace, time.time()) if alert.figure is None)


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
        "records_at": "",
        "shown": shown,
        "title_of": title_of,
    }


def shown(figure: Figure, metric: Metric | None) -> str:
    """A figure's value in its unit."""
    if figure.value is None:
        return "–"
    unit = metric.unit if metric is not None else "share"
    if unit == "share":
        return f"{100 * figure.value:.1f} %"
    if unit == "usd":
        return usd(figure.value)
    return f"{figure.value:,.0f}" if unit == "count" else f"{figure.value:.2f}"


def title_of(name: str) -> str:
    """A metric's name as a title."""
    words = name.replace("_", " ")
    return words[:1].upper() + words[1:]


async def changes(visit: Visit) -> Response:
    """One event for every record kept in the caller's workspace."""
    return StreamingResponse(
        visit.site.changes(visit.caller.workspace),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )
