"""Times of day that the evidence has in other words, and how long it is from one to another.

>>> between("It takes 29 minutes.", ["leaves at 10:40", "arrives at 11:09"])
'11:09 − 10:40'
>>> between("She won by 43 seconds.", ["34:12 and 34:55"])
'34:55 − 34:12'
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, pairwise

from witnessmark.checks.grounding.evidence import Index, Passage, once
from witnessmark.checks.grounding.fields.rows import RowIndex
from witnessmark.text import words
from witnessmark.text.clock import DAY, ClockTime, by_whole_day, times
from witnessmark.text.dates import dates
from witnessmark.text.numbers import Number, figures

MOST_TIMES = 24
"""Times among which a difference is looked for; with more of them some two always fit."""
FEW_TIMES = 6
"""Times of day up to which a span may be between any of them, where one is what the claim speaks of."""
MOST_SPANS = 4
"""Passages with two times of day from which on some two lie as far apart as any figure says."""
MINUTE, YEAR = 60, 4
_RUN = re.compile(r"(?<![\d:.,])(\d{2,3}):([0-5]\d)(?![\d:])")
_JOINED = re.compile(r"\s*(?:,|and|und|et|y)?\s*", re.IGNORECASE)


def restated(claim: str, one: Number, index: Index) -> Passage | None:
    """The passage that has the time of day which a figure is a part of, said in whatever words: `19:30` for half past seven."""
    if one.dimension:
        return None
    mine = [time for time in times(claim) if time.span[0] < one.span[1] and one.span[0] < time.span[1]]
    known = all_times(index) if mine else []
    found = [next((passage for passage, other in known if time.follows(other)), None) for time in mine]
    return found[0] if found and None not in found else None


def sure_times(text: str, *, named: bool = False) -> list[ClockTime]:
    """The times of day of a text that can mean nothing else, noon among them if `named`; 1958 is a year, whatever stands before it."""
    found = [time for time in times(text) if time.sure or (named and len(time.readings) == 1)]
    days = [date.span for date in dates(text)] if found else []
    return [
        time for time in found if not any(a <= time.span[0] and time.span[1] <= b for a, b in days if b - a == YEAR)
    ]


@once
def all_times(index: Index) -> list[tuple[Passage, ClockTime]]:
    """The times of day of the evidence, each with its passage."""
    return times_of(index.passages)


def times_of(passages: Sequence[Passage]) -> list[tuple[Passage, ClockTime]]:
    """The times of day of some passages, each with its passage; those of a whole day's clock if one of them is."""
    read = [(passage, time) for passage in passages for time in passage.times]
    clear = by_whole_day([time for _, time in read])
    return [(passage, time) for (passage, _), time in zip(read, clear, strict=True)]


def is_of_a_clock(one: Number, stated: Number, passage: Passage) -> bool:
    """Whether a bare number is the hour or the minutes of a time of day: no span of time has it, 9 minutes are not 09:51."""
    if one.dimension != "time" or stated.dimension:
        return False
    return any(time.span[0] <= stated.span[0] < time.span[1] for _, time in times_of([passage]))


def between(claim: str, sources: Sequence[str], one: Number | None = None) -> str | None:
    """Which two times of the sources or the claim lie as far apart as the claim says; None where none do.

    `one` is the figure that is meant, the first duration of the claim where none is given.
    """
    if one is not None and one.dimension != "time":
        return None
    told = [figure for figure in figures(claim) if figure.dimension == "time" and not figure.is_range]
    one = one or next(iter(told), None)
    if one is None or not 0 < one.low < DAY * MINUTE:
        return None
    wanted = {one.low, _whole(claim, one, told)}
    found: dict[str, frozenset[tuple[int, int]]] = {}
    for text in (claim, *sources):
        found |= {
            text[slice(*time.span)]: frozenset((minute, time.seconds or 0) for minute in time.readings)
            for time in times(text)
        }
        found |= {run[0]: frozenset({(int(run[1]) * 60 + int(run[2]), 0)}) for run in _RUN.finditer(text)}
    for (early, first), (late, second) in combinations(list(found.items())[:MOST_TIMES], 2):
        apart = {abs(a - b) for a, _ in first for b, _ in second}
        over_midnight = (early in claim) == (late in claim)
        lasting = {MINUTE * (b - a) + t - s for a, s in first for b, t in second}
        lasting |= {MINUTE * (b - a) for a, _ in first for b, _ in second} if one.scale > 1.0 else set()
        seconds = {abs(long) for long in lasting}
        seconds |= {DAY * MINUTE + long for long in lasting if long < 0 and over_midnight}
        if not wanted.isdisjoint(seconds) or (one.scale == 1.0 and not wanted.isdisjoint(apart)):
            return f"{late} − {early}"
    return None


def named_between(claim: str, one: Number, index: Index) -> str | None:
    """The two times that lie as far apart as a figure says: those of passages which have a word of the claim, or the two that one passage gives from … to …"""
    if one.dimension != "time":
        return None
    cells = _named_cells(claim, index)
    if cells:
        return between(claim, cells, one)
    mine = set(words.content(claim))  # single times of which the claim has no word are not what it speaks of
    told = Counter(passage.number for passage, _ in all_times(index))
    timed = [passage for passage in index.passages if passage.number in told]
    about = [passage for passage in timed if mine & passage.stems]
    about = timed if about and told.total() <= FEW_TIMES else about
    spans = [index.passages[number].text for number, count in told.items() if count == 2]
    ways = (
        [passage.text for passage in about],
        *([text] for text in (spans if len(spans) <= MOST_SPANS else ())),
    )
    return next((how for way in ways if (how := between(claim, way, one)) is not None), None)


def _named_cells(claim: str, index: Index) -> list[str]:
    """The times in those columns of a table, not all, that a claim names: of `train A` none of train B; of rows that it names too, theirs alone."""
    timed = [(source, field) for source, field in index.fields if field.row and times(field.value)]
    names = {field.path[-1] for _, field in timed}
    low = claim.lower()
    called = {name for name in names if re.search(rf"(?<!\w){re.escape(name.lower())}(?!\w)", low)}
    if not called or called == names:
        return []
    rows = RowIndex.of(index.fields).named(claim)
    found = [(s, f) for s, f in timed if f.path[-1] in called]
    return [f.value for s, f in found if (s, f.row) in rows] or [f.value for _, f in found]


def _whole(claim: str, one: Number, told: Sequence[Number]) -> float:
    """The seconds of the duration that a figure is a part of: `3 hours and 50 minutes` is one."""
    for first, second in pairwise(told):
        joined = _JOINED.fullmatch(claim, first.span[1], second.span[0]) is not None
        if joined and one.span in (first.span, second.span) and first.scale > second.scale:
            return first.low + second.low
    return one.low
