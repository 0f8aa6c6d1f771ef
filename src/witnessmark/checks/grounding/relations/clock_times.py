"""Times of day and spans of time that the evidence has in other words, or that follow from two of its own.

`19:30` for half past seven, `one hour` for an hour, 10:35 for a departure at 09:45 and a crossing of 50 minutes, half an hour
sooner for 5.30 instead of 6.00. Says only where it stands; whether it is said of the right thing is for the rest of the claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations

from witnessmark.checks.grounding.evidence import Index, Passage
from witnessmark.checks.grounding.relations.durations import MINUTE, whole_duration
from witnessmark.checks.grounding.relations.other_forms import forms_of
from witnessmark.checks.grounding.relations.reached import held
from witnessmark.checks.grounding.relations.steps import all_times
from witnessmark.text import lang, words
from witnessmark.text.clock import DAY, ClockTime, times
from witnessmark.text.numbers import Number
from witnessmark.text.sentences import Span
from witnessmark.text.units import Unit, units

MOST = 8
"""Times of the passages about a claim among which two may make a third; with more of them some two always do."""
_COUNTS = re.compile(r"\s*(?:([^\W\d_]+)\s+)?")
_ARTICLE = re.compile(r"(?<!once )(?<!twice )(?<!times )\ban? ([^\W\d_]{3,})\b", re.IGNORECASE)
_SURE = re.compile(r"\d[:.]\d\d|\d\s?[ap]\.?m\b|\bpast\b|quarter to|o['’]clock", re.IGNORECASE)
"""What a claim must have to have a time of day that is nothing else."""


def restated(claim: str, one: Number, index: Index, about: Sequence[Passage]) -> Passage | None:
    """The passage that has the time of day or the span of time which a figure is (a part of), said otherwise or worked out.

    `about` are the passages from which something may be worked out.
    """
    if one.dimension:
        return _one_of(claim, one, index)
    mine = [time for time in times(claim) if time.span[0] < one.span[1] and one.span[0] < time.span[1]]
    found = [_stated(time, index) or _follows(claim, time, index, about) for time in mine]
    return found[0] if found and None not in found else None


def apart(claim: str, one: Number, index: Index, about: Sequence[Passage]) -> Passage | None:
    """The passage with one of two times of day that lie as far apart as a span of time of the claim says."""
    if one.dimension != "time" or one.is_range or one.low >= DAY // 2 * MINUTE:
        return None
    wanted = whole_duration(claim, one) / MINUTE
    for (passage, first), (other, second) in combinations(_times_of(index, about), 2):
        beside = passage.source == other.source and abs(passage.number - other.number) <= 1
        if beside and wanted == min(_distance(a, b) for a in first.readings for b in second.readings):
            return passage
    return None


def _distance(a: int, b: int) -> int:
    return min((a - b) % DAY, (b - a) % DAY)


def unstated(claim: str, index: Index, about: Sequence[Passage], goal: str) -> Iterator[Span]:
    """Where a claim has a time of day that is neither stated nor follows, though the evidence has such times: 23:40 beside 23:10 and 40 minutes."""
    if index.fields or not _SURE.search(claim):  # records have their own rule
        return
    mine = [time for time in times(claim) if time.sure]
    asked = [time.readings for time in times(goal)] if mine else []
    for time in mine if mine and all_times(index) else ():
        full = [reading // 60 for reading in time.readings if reading % 60 == 0]
        hours = {float(hour) for one in full for hour in (one, one % 12)}
        known = any(time.readings & other for other in asked) or not hours.isdisjoint(forms_of(index).bare)
        if not known and _stated(time, index) is None and _follows(claim, time, index, about) is None:
            yield time.span


def _stated(time: ClockTime, index: Index) -> Passage | None:
    return next((passage for passage, other in all_times(index) if other.readings & time.readings), None)


def _times_of(index: Index, about: Sequence[Passage]) -> list[tuple[Passage, ClockTime]]:
    """The times of some passages; none where there are many."""
    places = {passage.number for passage in about}
    found = [(passage, time) for passage, time in all_times(index) if passage.number in places]
    return found if len({time.readings for _, time in found}) <= MOST else []


def _follows(claim: str, time: ClockTime, index: Index, about: Sequence[Passage]) -> Passage | None:
    """The passage from which this time follows: an hour earlier than 17:00, 50 minutes after 09:45; among many times some two always fit."""
    found = held(claim, time, time.span, index, about)
    sure, may = found is not None and found[0] == "same", found is not None and found[0] == "elsewhere"
    return found[1].passage if found is not None and (sure or (may and _times_of(index, about))) else None


def _ones(index: Index) -> list[tuple[Passage, int, Unit]]:
    """The units with an article before them, which is one of each (`for a minute`), with passage and end; worked out once."""
    kept = index.kept.get("ones")
    if isinstance(kept, list):
        return kept
    found = [(passage, match) for passage in index.passages for match in _ARTICLE.finditer(passage.text)]
    made = [(p, m.end(), units()[m[1].lower()]) for p, m in found if m[1].lower() in units() and not _counted(p, m)]
    index.kept["ones"] = made
    return made


def _counted(passage: Passage, match: re.Match[str]) -> bool:
    """Whether a figure takes an article in or is counted by its unit: half an hour, ten pages a day; not `2 eggs for a minute`."""
    start, end = match.span()
    for one in passage.figures:
        between = _COUNTS.fullmatch(passage.text, one.span[1], start)
        if between is not None and (between[1] or "").lower() not in lang.words("prepositions"):
            return True
        if one.span[0] < end and start < one.span[1]:
            return True
    return False


def _one_of(claim: str, one: Number, index: Index) -> Passage | None:
    """A passage on the same that has one of a unit by its article: `an hour` for one hour and for 60 minutes."""
    told = [p for p, _, unit in _ones(index) if unit.dimension == one.dimension and abs(unit.factor - one.low) < 1e-9]
    mine = {stem for stem in words.content(claim) if stem.isalpha() and stem not in units()} if told else set()
    return next((passage for passage in told if mine & passage.stems and not one.is_range), None)
