"""The opening hours of a claim against those of a record, day by day."""

from __future__ import annotations

from collections.abc import Iterator

from witnessmark.checks.grounding.evidence import Index
from witnessmark.checks.grounding.finding import RuleFinding, at_field
from witnessmark.text import clock, lang, words
from witnessmark.text.records import Field

_Hours = dict[int, tuple[str, Field, clock.ClockRange | None]]


def _opening_hours(index: Index) -> _Hours:
    """The hours of each day where the records give one set of them; None for a day that is closed."""
    kept = index.kept.get("hours")
    if isinstance(kept, dict):
        return kept
    found: _Hours = {}
    closed = lang.listed("dates", "closed")
    groups = set()
    for source, field in index.fields:
        days = clock.day_range(field.path[-1]) if field.path else frozenset()
        if not days:
            continue
        times = clock.ranges(field.value)
        if len(times) == 1:
            found |= dict.fromkeys(days, (source, field, times[0]))
        elif field.value.lower() in closed:
            found |= dict.fromkeys(days, (source, field, None))
        groups.add((source, field.path[:-1], field.row))
    found = found if len(groups) == 1 and len(found) > 1 else {}
    index.kept["hours"] = found
    return found


def record_hours(claim: str, index: Index) -> Iterator[RuleFinding]:
    """What the opening hours of a record say of the days and times of a claim."""
    told = _opening_hours(index)
    if not told:
        return
    opening = lang.listed("dates", "opening")
    if opening.isdisjoint(words.words(claim)):
        return  # a happy hour has times too
    openings = clock.openings(claim)
    for number, one in enumerate(openings):
        later = frozenset(
            day for other in openings[number + 1 :] if other.timed and other.days < one.days for day in other.days
        )
        days = one.days - later or frozenset(told)
        if not one.timed:
            days &= frozenset(told)  # a day that the record leaves out is not said to be closed
        right = [_agrees(one, told.get(day)) for day in sorted(days)]
        good = all(right) if one.days else any(right)
        day = next((d for d, ok in zip(sorted(days), right, strict=True) if not ok and d in told), next(iter(told)))
        source, field, _ = told[day]
        yield at_field("hours", "same" if good else "contradicted", claim[slice(*one.span)], source, field, index)


def _agrees(one: clock.Opening, told: tuple[str, Field, clock.ClockRange | None] | None) -> bool:
    stated = told[2] if told else None
    if stated is None:
        return one.closed
    if stated.start == stated.end:
        return True  # 0:00 to 0:00 may be closed, open all day or not known
    if one.closed:
        return False
    pairs = ((one.start, stated.start), (one.end, stated.end))
    return all(mine is None or theirs is None or _same_time(mine, theirs, one.spoken) for mine, theirs in pairs)


def _same_time(mine: int, theirs: int, spoken: bool) -> bool:
    return mine == theirs or (spoken and mine % 720 == theirs % 720)
