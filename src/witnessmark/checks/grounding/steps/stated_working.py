"""Whether every count that a working takes is told: by a source, by the question or by a calendar."""

from __future__ import annotations

import math

from witnessmark.checks.grounding.agreement import agrees
from witnessmark.checks.grounding.evidence import ClaimInEvidence
from witnessmark.checks.grounding.relations import clock_times
from witnessmark.checks.grounding.steps import arithmetic
from witnessmark.text.dates import dates, without_dates
from witnessmark.text.numbers import Number, figures

OF_A_CALENDAR = (
    12 * arithmetic.MONTH,
    7 * arithmetic.DAY,
    52 * 7 * arithmetic.DAY,
    arithmetic.DAY,
    365 * arithmetic.DAY,
)
"""Spans of time that a working may take without a source: the months of a year, the days of a week."""
COUNTS = ("", "time")
"""What a figure may be of that says how many of another there are."""


def is_of_a_calendar(one: Number) -> bool:
    """Whether a figure is what anybody knows of a calendar or a clock: 12 months, 7 days, 52 weeks, 24 hours."""
    return one.dimension == "time" and any(math.isclose(one.low, span) for span in OF_A_CALENDAR)


def counts_told(working: str, this: ClaimInEvidence) -> bool:
    """Whether a source, the question or a calendar tells of every count of a working: three further hours that nobody tells of are assumed."""
    clock = [time.span for time in clock_times.sure_times(working)]
    told = without_dates(figures(working, this.language), dates(working))
    plain = [one for one in told if not any(a <= one.span[0] < b for a, b in clock)]
    asked = figures(this.goal, this.language)
    known = [*asked, *(figure for passage in this.index.passages for figure in passage.figures)]
    return all(
        one.dimension not in COUNTS
        or one.face == 1.0
        or is_of_a_calendar(one)
        or any(other.dimension in COUNTS and (agrees(one, other) or one.face == other.face) for other in known)
        for one in plain
    )


__all__ = ["counts_told", "is_of_a_calendar"]
