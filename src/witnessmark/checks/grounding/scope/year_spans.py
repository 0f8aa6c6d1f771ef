"""Stretches of a year that a text gives from … to …, whatever the year, and whether a date lies in one.

>>> [(one.first, one.last) for one in year_spans("April to October; closed 12-25 August; from 1 November to 31 March")]
[((4, 1), (10, 31)), ((8, 12), (8, 25)), ((11, 1), (3, 31))]
"""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass
from itertools import pairwise

from witnessmark.text import lang
from witnessmark.text.dates import Date, dates, month_ranges
from witnessmark.text.patterns import compiled
from witnessmark.text.sentences import Span

LEAP = 2000
"""A year in which every day of a month exists."""
MonthDay = tuple[int, int]


@dataclass(frozen=True, slots=True)
class YearSpan:
    """From which day to which, over the turn of the year too, and where that stands."""

    span: Span
    first: MonthDay
    last: MonthDay

    def holds(self, date: Date) -> bool | None:
        """Whether all of a month or a day lies in it; None of what names no month, and of what lies in it in part."""
        if date.month is None:
            return None
        ends = ((date.month, date.day or 1), (date.month, date.day or _days_in(date.month)))
        inside = [self._has(end) for end in ends]
        if any(inside):
            return True if all(inside) else None
        return None if ends[0] < self.first < ends[1] else False

    def _has(self, day: MonthDay) -> bool:
        if self.first <= self.last:
            return self.first <= day <= self.last
        return day >= self.first or day <= self.last


def year_spans(text: str) -> list[YearSpan]:
    """The stretches of a year in a text, in order; those that name a year are none."""
    found = [
        YearSpan((one.span[0], other.span[1]), (one.month, one.day), (other.month, other.day or _days_in(other.month)))
        for one, other in pairwise(dates(text))
        if one.month and one.day and other.month and one.first is None and other.first is None
        if _to().fullmatch(text[one.span[1] : other.span[0]])
    ]
    for span, months in month_ranges(text):
        if not any(a < span[1] and span[0] < b for a, b in (one.span for one in found)) and len(months) < 12:
            first = next(month for month in months if (month - 2) % 12 + 1 not in months)
            last = next(month for month in months if month % 12 + 1 not in months)
            found.append(YearSpan(span, (first, 1), (last, _days_in(last))))
    return sorted(found, key=lambda one: one.span)


def _days_in(month: int) -> int:
    return calendar.monthrange(LEAP, month)[1]


@lang.derived
def _to() -> re.Pattern[str]:
    return compiled(
        rf"\s*(?:{lang.either(lang.listed('dates', 'day_range'))})\s*(?:{lang.either(lang.words('articles'))})?\s*",
        re.IGNORECASE,
    )
