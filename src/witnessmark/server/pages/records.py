"""The list of what was verified: filters, search, and paging that stays put while new records arrive."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode

from starlette.responses import Response

from witnessmark.core.errors import InputError
from witnessmark.core.verdict import ACTIONS, OUTCOMES
from witnessmark.server.pages import charts
from witnessmark.server.pages.access import Visit
from witnessmark.server.pages.render import words as words_of
from witnessmark.stores import browse, record_sets
from witnessmark.stores.purges import last_purge

PAGE = 40
FILTERS = (
    "outcome", "action", "checkpoint", "q", "since", "until", "ran", "counted", "category", "retried_after", "score_from",
    "score_below", "attempt", "next", "complexity", "agent", "judge",
)  # fmt: skip
CHIPS = (
    ("counted", ""), ("ran", "verified since"), ("category", "with a finding"), ("retried_after", "attempts after a finding"),
    ("score_from", "with a score from"), ("score_below", "with a score below"), ("attempt", "attempt"),
    ("next", "what was done next"), ("complexity", "complexity"), ("agent", "agent"), ("judge", "judge"),
)  # fmt: skip
"""What a link of the overview may narrow the list by, and how the list says so."""
NEXT: dict[str, tuple[str, ...]] = {
    word: tuple(action for action in ACTIONS if charts.SPLIT.get(action, "given_up") == word)
    for word in charts.SPLIT_WORDS
}


async def show(visit: Visit) -> Response:
    """One page of the list; what the form says is in the address, so that a view can be sent to somebody."""
    chosen = {name: visit.asked(name).strip() for name in FILTERS}
    store, workspace = visit.site.store, visit.caller.workspace
    asked = browse.Filter(
        workspace,
        outcome=known(chosen["outcome"], "outcome", OUTCOMES),
        action=known(chosen["action"], "action", ACTIONS),
        checkpoint=chosen["checkpoint"],
        text=chosen["q"],
        since=day(chosen["since"], "since"),
        until=day(chosen["until"], "until", after=True),
        ran=day(chosen["ran"], "ran"),
        counted=chosen["counted"],
        category=chosen["category"],
        retried_after=chosen["retried_after"],
        score_from=number(chosen["score_from"], "score_from"),
        score_below=number(chosen["score_below"], "score_below"),
        attempt=attempt(chosen["attempt"]),
        actions=NEXT.get(known(chosen["next"], "next", tuple(NEXT)), ()),
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
        chips=[(name, _chip(name, words, chosen[name])) for name, words in CHIPS if chosen[name]],
        checkpoints=await browse.checkpoints(store, workspace),
        some=bool(lines) or await browse.any_record(store, workspace),
        purge=None if lines else await last_purge(store, workspace),
    )


def _chip(name: str, words: str, value: str) -> str:
    """What the list is narrowed by, in words."""
    if name == "counted":
        found = record_sets.SETS.get(value)
        return f"a set that does not exist: {value}" if found is None else found.words
    return f"{words}: {words_of(value) if name in ('category', 'retried_after', 'next') else value}"


def known(word: str, field: str, words: Sequence[str]) -> str:
    """A word of the address, which is one of these or empty."""
    if word and word not in words:
        raise InputError(f"{field}: {word[:40]!r} is not one of {', '.join(words)}")
    return word


def attempt(text: str) -> int:
    """The number of an attempt; 0 where none is given."""
    if text and not (text.isascii() and text.isdecimal() and len(text) < 5):
        raise InputError(f"attempt: {text[:40]!r} is not a number; write it as 2")
    return int(text or 0)


def number(text: str, field: str) -> float | None:
    """A number of the address; None where none is given."""
    if not text:
        return None
    try:
        return float(text)
    except ValueError:
        raise InputError(f"{field}: {text!r} is not a number; write it as 0.7") from None


def day(text: str, field: str, *, after: bool = False) -> float | None:
    """The beginning of a day in UTC, or of the one after it; None where none is given."""
    if not text:
        return None
    try:
        found = datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
        return (found + timedelta(days=1 if after else 0)).timestamp()
    except (ValueError, OverflowError):
        raise InputError(f"{field}: {text!r} is not a day; write it as 2026-01-31") from None
