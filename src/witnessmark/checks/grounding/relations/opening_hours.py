"""The opening hours of a claim against those of a record, day by day, and place by place where the sources tell of several."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from witnessmark.checks.grounding.evidence import Index, once
from witnessmark.checks.grounding.finding import RuleFinding, at_field
from witnessmark.checks.grounding.relations.claimed_hours import ClaimedHours, beside_days, claimed_hours
from witnessmark.checks.grounding.relations.open_hours import within
from witnessmark.text import clock, lang, words
from witnessmark.text.dates import dates
from witnessmark.text.names import names
from witnessmark.text.patterns import compiled
from witnessmark.text.records import Field
from witnessmark.text.sentences import Span

_Hours = dict[int, tuple[str, Field, clock.ClockRange | None]]
_LINE = compiled(r"\s*([^:\n]{3,40}?)\s*:\s*(\S[^\n]{0,40}?)\s*\.?\s*")
_PART = compiled(r"[,;.](?:\s|$)")


@dataclass(frozen=True, slots=True)
class PlaceHours:
    """The hours of each day in one place of the sources, None for a day that is closed, and the stems of what names that place."""

    hours: _Hours
    home: frozenset[str]
    is_record: bool


def _read(days: frozenset[int], value: str) -> list[clock.ClockRange | None]:
    """The hours that a value gives for its days: none where it gives several stretches, or says something else."""
    times: list[clock.ClockRange | None] = [*clock.ranges(value)] if days else []
    closed = days and value.lower() in lang.listed("dates", "closed")
    return [None] if closed else times if len(times) == 1 else []


@once
def _places(index: Index) -> Sequence[PlaceHours]:
    """The hours of each record of the sources, and of each source that gives them line by line or sentence by sentence."""
    found: dict[tuple[object, ...], _Hours] = {}
    for source, field in index.fields:
        days = clock.day_range(field.path[-1]) if field.path else frozenset()
        if days:
            hours = found.setdefault((source, field.path[:-1], field.row), {})
            hours |= {day: (source, field, one) for one in _read(days, field.value) for day in days}
    records = {key[0] for key in found}
    for passage in index.passages:
        line = _LINE.fullmatch(passage.text) if passage.source not in records and not passage.is_flattened else None
        days = clock.day_range(line[1].lower()) if line else frozenset()
        if line and days:
            field = Field((line[1].lower(),), line[2], "text", passage.place(line.span(2)))
            hours = found.setdefault((passage.source,), {})
            hours |= {day: (passage.source, field, one) for one in _read(days, line[2]) for day in days}
    homes = _homes(index, list(found.items()))
    return tuple(PlaceHours(hours, home, len(key) > 1) for (key, hours), home in zip(found.items(), homes, strict=True))


def _homes(index: Index, found: Sequence[tuple[tuple[object, ...], _Hours]]) -> Iterator[frozenset[str]]:
    """What names each place: all of its source, or what stands above it where its source tells of several."""
    texts = {source.id: source.text for source in index.sources}
    ends: dict[object, int] = {}
    for key, hours in found:
        text = texts[str(key[0])]
        if sum(other[0] == key[0] for other, _ in found) > 1:
            spans = [field.span for _, field, _ in hours.values()]
            start = min((span[0] for span in spans), default=0)
            above, ends[key[0]] = ends.get(key[0], 0), max((span[1] for span in spans), default=0)
            text = text[above:start]
        yield frozenset(words.stems(text))


def _told_of(claim: str, index: Index) -> _Hours:
    """The hours of the one place that a claim is about, by the names it has; of the one record where it names none.

    The hours of one place say nothing of another.
    """
    places = _places(index)
    named = {stem for name in names(claim, index.language) for stem in name.stems if index.has(stem)}
    fits = [place for place in places if named <= place.home]
    several = len(places) > 1
    if several and len(fits) != 1:
        fits = [place for place in fits if place.is_record]
    groups = [place for place in fits if place.hours or place.is_record]
    return groups[0].hours if len(groups) == 1 and len(groups[0].hours) > 1 else {}


def record_hours(claim: str, index: Index) -> Iterator[RuleFinding]:
    """What the opening hours of a record say of the days and times of a claim.

    What a claim says of some months or a season only, no weekly hours contradict.
    """
    told = _told_of(claim, index)
    if not told:
        return
    opening = lang.listed("dates", "opening")
    if opening.isdisjoint(words.words(claim)):
        return  # a happy hour has times too
    hours = claimed_hours(claim)
    told_all = all(map(index.has, beside_days(claim))) and all(said.opening.days for said in hours)
    rule = "days" if told_all else "hours"  # it says nothing but days and hours
    for number, said in enumerate(hours):
        one, rest = said.opening, [other.opening for other in hours[number + 1 :]]
        later = frozenset(day for other in rest if other.timed and other.days < one.days for day in other.days)
        days = one.days - later or frozenset(told)
        if not one.timed:
            days &= frozenset(told)  # a day that the record leaves out is not said to be closed
        right = [_agrees(said, told.get(day)) for day in sorted(days)]
        good = all(right) if one.days else any(right)
        if not good and _for_a_time(claim, one.span):
            continue
        day = next((d for d, ok in zip(sorted(days), right, strict=True) if not ok and d in told), next(iter(told)))
        source, field, _ = told[day]
        part = claim[slice(*one.span)]
        yield at_field(rule if good else "hours", "same" if good else "contradicted", part, source, field, index)


@lang.derived
def _season() -> re.Pattern[str]:
    during, season = lang.either(lang.listed("dates", "during")), lang.either(lang.listed("dates", "seasons"))
    return compiled(rf"\b(?:{during})\s+(?:[^\W\d_]+\s+){{0,2}}(?:{season})\b", re.IGNORECASE)


def _for_a_time(claim: str, opening: Span) -> bool:
    """Whether a claim says something of a part of the year only: `closed on Saturdays from 1 July to 31 August`, `In summer …`."""
    end = _PART.search(claim, opening[1])
    return any(limit[0] < (end.start() if end else len(claim)) for limit in parts_of_the_year(claim))


def parts_of_the_year(text: str) -> list[Span]:
    """Where a text names months, days of months or a season to which it limits what it says."""
    return [date.span for date in dates(text) if date.month] + [one.span() for one in _season().finditer(text)]


def _agrees(said: ClaimedHours, told: tuple[str, Field, clock.ClockRange | None] | None) -> bool:
    one, stated = said.opening, told[2] if told else None
    if stated is None:
        return one.closed
    if stated.start == stated.end:
        return True  # 0:00 to 0:00 may be closed, open all day or not known
    if said.at:
        return any(within(reading, stated) for reading in said.at) != one.closed
    if one.closed:
        return False
    pairs = ((one.start, stated.start), (one.end, stated.end))
    return all(mine is None or theirs is None or _same_time(mine, theirs, one.spoken) for mine, theirs in pairs)


def _same_time(mine: int, theirs: int, spoken: bool) -> bool:
    return mine == theirs or (spoken and mine % 720 == theirs % 720)
