"""The list of what was verified: filters, search, and paging that stays put while new records arrive."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode

from starlette.responses import Response

from witnessmark.core.errors import InputError
from witnessmark.core.verdict import ACTIONS, OUTCOMES
from witnessmark.server.pages import charts
from witnessmark.server.pages.access import Visit
from witnessmark.stores import browse

PAGE = 40
FILTERS = (
    "outcome", "action", "checkpoint", "q", "since", "until", "category", "reviewed", "retries", "attempt", "next",
    "complexity", "agent", "judge",
)  # fmt: skip
CHIPS = (
    ("category", "with a finding"), ("reviewed", "with a known outcome"), ("retries", "second and later attempts"),
    ("attempt", "attempt"), ("next", "what was done next"), ("complexity", "complexity"), ("agent", "agent"),
    ("judge", "judge"),
)  # fmt: skip
"""What a link of the overview may narrow the list by, and how the list says so."""
NEXT: dict[str, tuple[str, ...]] = {
    word: tuple(action for action in ACTIONS if charts.SPLIT.get(action, "stopped") == word)
    for word in charts.SPLIT_WORDS
}


async def show(visit: Visit) -> Response:
    """One page of the list; what the form says is in the address, so that a view can be sent to somebody."""
    chosen = {name: visit.asked(name).strip() for name in FILTERS}
    store, workspace = visit.site.store, visit.caller.workspace
    asked = browse.Filter(
        workspace,
        outcome=chosen["outcome"],
        action=chosen["action"],
        checkpoint=chosen["checkpoint"],
        text=chosen["q"],
        since=day(chosen["since"], "since"),
        until=day(chosen["until"], "until", after=True),
        category=chosen["category"],
        reviewed=chosen["reviewed"] == "yes",
        retries=chosen["retries"] == "yes",
        attempt=int(chosen["attempt"]) if chosen["attempt"].isdecimal() and len(chosen["attempt"]) < 5 else 0,
        actions=NEXT.get(chosen["next"], ()),
        complexity=chosen["complexity"],
        agent=chosen["agent"],
        judge=chosen["judge"],
    )
    after = visit.asked("after")
    lines, more = await browse.lines(store, asked, after, PAGE)
    filtered = {name: value for name, value in chosen.items() if value}
    return await visit.page(
        "records.html",
        "records",
        lines=lines,
        chosen=chosen,
        filtered=bool(filtered),
        first="?" + urlencode(filtered) if filtered else "/ui/records",
        older="?" + urlencode(filtered | {"after": lines[-1].cursor}) if more else "",
        paged=bool(after),
        outcomes=OUTCOMES,
        actions=ACTIONS,
        chips=[(name, words) for name, words in CHIPS if chosen[name]],
        checkpoints=await browse.checkpoints(store, workspace),
        some=bool(lines) or await browse.any_record(store, workspace),
    )


def day(text: str, field: str, *, after: bool = False) -> float | None:
    """The beginning of a day in UTC, or of the one after it; None where none is given."""
    if not text:
        return None
    try:
        found = datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
        return (found + timedelta(days=1 if after else 0)).timestamp()
    except (ValueError, OverflowError):
        raise InputError(f"{field}: {text!r} is not a day; write it as 2026-01-31") from None
