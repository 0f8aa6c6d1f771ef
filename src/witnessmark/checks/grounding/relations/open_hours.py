"""Whether something is open at the time of day that a claim names: within the one stretch of hours that the sources give."""

from __future__ import annotations

import re

from witnessmark.checks.grounding.evidence import ClaimInEvidence, Index, Passage, once
from witnessmark.checks.grounding.finding import RuleFinding
from witnessmark.text import lang, words
from witnessmark.text.clock import ClockRange, ClockTime, day_names, ranges, times
from witnessmark.text.numbers import Number


@lang.derived
def _open_at() -> re.Pattern[str]:
    being, no = lang.either(lang.words("being")), lang.either(lang.words("negations"))
    state = lang.either(lang.listed("dates", "opens_at"))
    return re.compile(rf"\b(?:{being})\s+(?:(?P<no>{no})\s+|\w+\s+)?(?:{state})\s+(?:\w+\s+)?at\s+$", re.IGNORECASE)


def open_at(this: ClaimInEvidence, one: Number | ClockTime) -> RuleFinding | None:
    """What the hours of the sources say of `is open at 11 am`, of which a figure is the hour; None where they give several or none."""
    if not day_names().keys().isdisjoint(words.words(this.claim)):
        return None
    time = next((time for time in times(this.claim) if time.span[0] <= one.span[0] < time.span[1]), None)
    state = _open_at().search(this.claim[: time.span[0]]) if time is not None else None
    told = _hours(this.index) if time is not None and state is not None else None
    if time is None or state is None or told is None:
        return None
    passage, hours = told
    right = any(within(reading, hours) for reading in time.readings) != bool(state["no"])
    place, part = passage.place(hours.span), this.claim[slice(*time.span)]
    return RuleFinding(
        "hours", "same" if right else "contradicted", part, passage, place, passage.text[slice(*hours.span)]
    )


@once
def _hours(index: Index) -> tuple[Passage, ClockRange] | None:
    """The hours from … to … of the sources, where they give one stretch only and say of it that something is open."""
    opening = lang.listed("dates", "opening")
    found = [(p, r) for p in index.passages for r in ranges(p.text) if r.start is not None and r.end is not None]
    alike = {(r.start, r.end) for _, r in found}
    said = [(p, r) for p, r in found if not opening.isdisjoint(words.words(p.text))]
    return said[0] if len(alike) == 1 and said else None


def within(time: int, hours: ClockRange) -> bool:
    """Whether a time of day lies within hours, over midnight too."""
    start, end = hours.start or 0, hours.end or 0
    return start <= time <= end if start < end else time >= start or time <= end
