"""How long from one clock time to another: `a ride of 29 minutes` where one source says 10:40 and 11:09.

>>> between("It takes 29 minutes.", ["leaves at 10:40", "arrives at 11:09"])
'11:09 − 10:40'
>>> between("She won by 43 seconds.", ["34:12 and 34:55"])
'34:55 − 34:12'
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations, pairwise

from witnessmark.text.numbers import Number, figures

MOST_TIMES = 24
"""Clock times among which a difference is looked for; with more of them some two always fit."""
MINUTE, HOUR, DAY_MINUTES = 60, 3600, 1440
_CLOCK = re.compile(r"(?<![\d:.,])(\d{1,3}):([0-5]\d)(?![\d:])")
_JOINED = re.compile(r"\s*(?:,|and|und|et|y)?\s*", re.IGNORECASE)


def between(claim: str, sources: Sequence[str], one: Number | None = None) -> str | None:
    """Which two clock times of the sources or the claim lie as far apart as the claim says; None where none do.

    `one` is the figure that is meant, the first duration of the claim where none is given.
    """
    told = [figure for figure in figures(claim) if figure.dimension == "time" and not figure.is_range]
    if one is None:
        one = next(iter(told), None)
    if one is None or one.dimension != "time" or one.low >= DAY_MINUTES * MINUTE:
        return None
    times: dict[str, int] = {}
    for text in (claim, *sources):
        for match in _CLOCK.finditer(text):
            times.setdefault(match.group(), int(match.group(1)) * 60 + int(match.group(2)))
    wanted = {round(total) for total in (one.low, _whole(claim, one, told))}
    row = [(match.group(), int(match.group(1)) * 60 + int(match.group(2))) for match in _CLOCK.finditer(claim)]
    spans = list(zip(row[::2], row[1::2], strict=False)) if len(row) > 2 and len(row) % 2 == 0 else []
    if (
        spans and sum(end - start for (_, start), (_, end) in spans) * MINUTE in wanted
    ):  # from 9:00 to 11:00 and from 14:00 to 15:30
        return " + ".join(f"({end} − {start})" for (start, _), (end, _) in spans)
    for (early, a), (late, b) in combinations(sorted(list(times.items())[:MOST_TIMES], key=lambda time: time[1]), 2):
        apart = b - a
        if {apart * MINUTE, (DAY_MINUTES - apart) * MINUTE} & wanted or (one.scale == 1.0 and apart in wanted):
            return f"{late} − {early}"
    return None


def _whole(claim: str, one: Number, told: Sequence[Number]) -> float:
    """The duration that a figure is a part of: `3 hours and 50 minutes` is one."""
    for first, second in pairwise(told):
        joined = _JOINED.fullmatch(claim, first.span[1], second.span[0]) is not None
        if joined and one.span in (first.span, second.span) and first.scale > second.scale:
            return first.low + second.low
    return one.low


def whole_duration(claim: str, one: Number) -> float:
    """The seconds of the duration that a figure of a claim is, or is a part of."""
    told = [figure for figure in figures(claim) if figure.dimension == "time" and not figure.is_range]
    return _whole(claim, one, told)
