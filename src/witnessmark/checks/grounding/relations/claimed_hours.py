"""What a claim says of the days and times at which something is open, part by part: a denied `open` is closed, and `open at 3 pm` no beginning."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from witnessmark.checks.grounding import wording
from witnessmark.checks.grounding.relations.clauses import clauses
from witnessmark.checks.grounding.relations.clock_times import sure_times
from witnessmark.text import clock, lang, words
from witnessmark.text.sentences import Span


@dataclass(frozen=True, slots=True)
class ClaimedHours:
    """Days with their hours, or with whether something is open then: all day, or `at` one time of day."""

    opening: clock.Opening
    at: frozenset[int] = frozenset()


def claimed_hours(claim: str) -> list[ClaimedHours]:
    """What a claim says of days, in order; what only denies hours (`not open until 5 pm`) says none.

    >>> [(sorted(one.opening.days), one.opening.closed) for one in claimed_hours("It is closed on Monday, but not on Sunday, and on Friday it isn't open.")]
    [([0], True), ([6], False), ([4], True)]
    """
    found: list[ClaimedHours] = []
    shut = False
    for start, end in _parts(claim):
        part = claim[start:end]
        row = set(words.words(part))
        shut = bool(row & lang.listed("dates", "closed")) or (shut and row.isdisjoint(lang.listed("dates", "opening")))
        found += [replace(one, opening=_moved(one.opening, start)) for one in _of(part, shut)]
    return found


def _parts(claim: str) -> list[Span]:
    """The claim in parts that say or deny once that something is open; a clause that does not belongs to the one before, or leads up to the next."""
    states = lang.listed("dates", "opening") | lang.listed("dates", "closed") | wording.negations()
    found: list[Span] = []
    stated = False
    for start, end in clauses(claim):
        states_it = not states.isdisjoint(words.words(wording.uncontracted(claim[start:end])))
        if not found or (stated and states_it):
            found.append((start, end))
            stated = states_it
        else:
            found[-1] = (found[-1][0], end)
            stated = stated or states_it
    return found


def _of(part: str, shut: bool) -> Iterator[ClaimedHours]:
    denied = wording.denies(part)
    closed = shut != denied
    openings = clock.openings(part)
    time = _moment(part)
    if time is not None:
        days = frozenset(day for one in openings for day in one.days)
        spans = [time.span, *(one.span for one in openings if one.days)]
        whole = (min(start for start, _ in spans), max(end for _, end in spans))
        yield ClaimedHours(clock.Opening(days, None, None, whole, closed=closed), time.readings)
        return
    for one in openings:
        if not one.timed:
            yield ClaimedHours(replace(one, closed=closed))
        elif not denied and not shut:
            yield ClaimedHours(one)


def _moment(part: str) -> clock.ClockTime | None:
    """The one time of day at which a part says that something is open or closed: `open at 3 pm`, `at 3 pm it is closed`."""
    found = sure_times(part, named=True)
    if len(found) != 1 or _state().search(part) is None:
        return None
    return found[0] if _at().search(part[: found[0].span[0]]) is not None else None


@lang.derived
def _state() -> re.Pattern[str]:
    being = lang.either(lang.words("being"))
    state = lang.either(lang.listed("dates", "opening") | lang.listed("dates", "closed"))
    return re.compile(rf"\b(?:{being})(?:n['’]t)?\s+(?:\w+\s+)?(?:{state})\b", re.IGNORECASE)


@lang.derived
def _at() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{lang.either(lang.listed('dates', 'moment'))})\s+$", re.IGNORECASE)


def beside_days(text: str) -> frozenset[str]:
    """The stems of what a text speaks of beside days, hours and whether something is open then."""
    said = frozenset(stem for stem in words.content(text) if not stem[0].isdigit())
    return said - _small() - frozenset(map(words.stem, wording.negations()))


@lang.derived
def _small() -> frozenset[str]:
    """The stems of words that only say when and whether something is open."""
    rows = (
        "opening",
        "closed",
        "every_day",
        "weekdays",
        "weekends",
        "morning",
        "afternoon",
        "open_until",
        "clock_after",
    )
    lines = [row if isinstance(row, str) else " ".join(row) for name in rows for row in lang.section("dates", name)]
    more = lang.words("yes") | lang.words("no") | lang.words("only") | {"auch", "also", "too"}
    listed = [*clock.day_names(), *more, *(word for line in lines for word in line.split())]
    return frozenset(words.stem(word) for word in listed)


def _moved(one: clock.Opening, start: int) -> clock.Opening:
    return replace(one, span=(one.span[0] + start, one.span[1] + start))
