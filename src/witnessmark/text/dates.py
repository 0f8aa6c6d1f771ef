"""Dates in a text: day, month and year as far as they are stated, decades and centuries.

>>> [(d.first, d.last, d.month, d.day) for d in dates("On March 3, 2021 and am 4. Mai 1999; in the 1990s; since 2019")]
[(2021, 2021, 3, 3), (1999, 1999, 5, 4), (1990, 1999, None, None), (2019, 2019, None, None)]
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from witnessmark.text import lang, words
from witnessmark.text.numbers import Number
from witnessmark.text.patterns import compiled
from witnessmark.text.sentences import Span
from witnessmark.text.units import unit_of_key, units


@dataclass(frozen=True, slots=True)
class Date:
    """A date as far as it is stated; `first` and `last` are years, and differ for a decade or a span of years."""

    span: Span
    first: int | None = None
    last: int | None = None
    month: int | None = None
    day: int | None = None
    swapped: tuple[int, int] | None = None
    """(month, day) the other way round, where figures alone do not say which is which."""


CLOCK_OF_STAMP = r"T[0-2]\d:[0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?(?:Z|[-+][01]\d:?[0-5]\d)?"
"""The time of day in a timestamp, with its zone: `T14:20:00+01:00`."""
_CENTURY = 99
_YEAR = r"(?P<y{n}>1\d{{3}}|20\d{{2}}|21\d{{2}})"


@lang.derived
def month_names() -> dict[str, int]:
    """The month by name, January as 1."""
    rows = [(number, names) for months in lang.section("dates", "months") for number, names in enumerate(months, 1)]
    return {name: number for number, names in rows for name in names.split()}


@lang.derived
def _verbs() -> frozenset[str]:
    """Month names that are verbs where they are written small, and of no language that writes its months so."""
    return frozenset(lang.section("dates", "verbs")[0].split())


@lang.derived
def _month_range() -> re.Pattern[str]:
    month = lang.either(month_names())
    to = lang.either(lang.listed("dates", "day_range"))
    opened, joint = lang.either(lang.listed("numbers", "range_open")), lang.either(lang.words("joining"))
    between = rf"(?P<open>\b(?:{opened})\s+)?"
    return compiled(
        rf"{between}\b(?P<one>{month})\b\.?\s*(?(open)(?:{joint})|(?:{to}))\s*\b(?P<other>{month})\b", re.IGNORECASE
    )


def month_ranges(text: str) -> list[tuple[Span, frozenset[int]]]:
    """The months that a text gives from … to …, as numbers: `from May to September`, over the turn of the year too."""
    found = []
    for match in _month_range().finditer(text):
        first, last = (month_names()[match[end].lower()] for end in ("one", "other"))
        found.append((match.span(), frozenset((first - 1 + n) % 12 + 1 for n in range((last - first) % 12 + 1))))
    return found


@lang.derived
def _pattern() -> re.Pattern[str]:
    month, year = lang.either(month_names()), _YEAR
    century = lang.either(lang.section("dates", "century"))
    link = rf"(?:(?:{lang.either(lang.listed('dates', 'link'))})\s+)?"
    measures = {name for name in units() if len(name) > 1} | {"m", "g", "l", "t", "h"}  # 1800 m; in 1800 a …
    no_year = lang.either(measures | lang.listed("numbers", "people"))
    return compiled(
        rf"(?P<iso>\b(?P<iy>[12]\d{{3}})-(?P<im>0?[1-9]|1[0-2])-(?P<id>0?[1-9]|[12]\d|3[01])(?:{CLOCK_OF_STAMP})?\b)"
        rf"|(?P<num>\b(?P<na>\d{{1,2}})[./](?P<nb>\d{{1,2}})[./](?P<ny>[12]\d{{3}})\b)"
        rf"|\b(?P<m1>{month})\b\.?\s+(?P<d1>0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?\b(?!\s*(?:%|\d|percent|of\s+(?:the|its|their)\b))(?:,?\s+{year.format(n=1)}\b)?"
        rf"|\b(?P<d2>0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th|er|º)?\.?\s+{link}(?P<m2>{month})\b\.?(?:,?\s+{link}{year.format(n=2)}\b)?"
        rf"|\b(?P<m3>{month})\b\.?,?\s+{link}{year.format(n=3)}\b"
        rf"|\b(?P<dec>1\d\d0|20\d0)(?:'s|s|er)\b"
        rf"|\b(?P<cent>1\d|20|21)(?:st|nd|rd|th|\.|e|ème)?\s+(?:{century})\b"
        rf"|(?<![\d.,$€£#-])\b{year.format(n=4)}(?:\s?[-–]\s?(?P<y5>\d{{4}}|\d{{2}}))?\b(?![.,]\d|\s?[%€$°]|\s+(?:{no_year})\b)"
        rf"|\b(?P<m6>{month})\b(?!\s+\d)",
        re.IGNORECASE,
    )


_DIGIT = compiled(r"\d")
_KEY = compiled(r"(?<!/)\b([^\W\d_]+|%)[)\]]?\"?\s*:\s*$")


def dates(text: str) -> list[Date]:
    """Every date of a text in order."""
    return list(dates_of(text))


@lang.kept(1024)
def dates_of(text: str) -> tuple[Date, ...]:
    """Every date of a text in order, read once: each rule asks for those of the same few texts."""
    if _DIGIT.search(text) is None and month_names().keys().isdisjoint(words.words(text)):
        return ()
    found = (_date(match) for match in _pattern().finditer(text) if not _counts(match, text))
    stated = [one for date in found if date is not None for one in (*_joined_days(date, text), date)]
    later = [
        date for match in _LATER_DAY.finditer(text) if (date := _day_of_the_month_before(match, stated)) is not None
    ]
    return tuple(sorted([*stated, *later], key=lambda date: date.span) if later else stated)


_COUNTED = compiled(r"\s+[a-zß-ÿ]{3,}s\b")
_BEFORE = compiled(r"(\w+)\s+$")


def _counts(match: re.Match[str], text: str) -> bool:
    """Whether four digits count things and are no year: `1240 seats`, `it has 1240 seats`, and not `the 1240 charters`."""
    if match["y4"] is None or match["y5"] or _COUNTED.match(text, match.end()) is None:
        return False
    before = _BEFORE.search(text, max(0, match.start() - 24), match.start())
    if before is None:
        return text[: match.start()].rstrip()[-1:] in ("", *".:;?!")
    return before[1].lower() in lang.listed("numbers", "counting")


_LATER_DAY = compiled(
    r"\bthe (0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)\b(?=\s*(?:[.,;:!?)]|$)|\s+(?:and|or|at|from|with|until|to|but|when|because)\b)"
)
FAR = 120
"""How far back the month of `the 20th` may stand."""


def _day_of_the_month_before(match: re.Match[str], stated: Sequence[Date]) -> Date | None:
    """`from Friday, 18 July, to Sunday the 20th`: the day with the month of the last whole date before it, in the same sentence."""
    before = [date for date in stated if date.day and date.month and 0 < match.start() - date.span[1] < FAR]
    same = before and not compiled(r"[.!?]\s").search(match.string, before[-1].span[1], match.start())
    return replace(before[-1], span=match.span(), day=int(match[1]), swapped=None) if same else None


@lang.derived
def _during() -> re.Pattern[str]:
    """What makes a month of the word after it: `in May`."""
    return compiled(rf"\b(?:{lang.either(lang.listed('dates', 'during'))})\s+$", re.IGNORECASE)


@lang.derived
def _day_before() -> re.Pattern[str]:
    joints = lang.either(lang.phrases("dates", "day_joints"))
    return compiled(
        rf"(?<![\d.,:/$€£#%-])\b(0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th|er|º|\.)?\s*(?:(?:{joints})\s+(?:the\s+)?|[-–]\s*)$",
        re.IGNORECASE,
    )


def _joined_days(date: Date, text: str) -> list[Date]:
    """The days right before a date that share its month and year: `28 rather than 25 September 2023`, `the 3rd or 5th of May`."""
    found: list[Date] = []
    start = date.span[0]
    while date.day is not None and date.month is not None and text[start : start + 1].isdigit():
        match = _day_before().search(text, max(0, start - 24), start)
        if match is None:
            break
        start = match.start()
        found.insert(0, replace(date, span=match.span(1), day=int(match[1])))
    return found


def _date(match: re.Match[str]) -> Date | None:
    span = match.span()
    part = match.groupdict()
    if part["iso"]:
        return Date(span, int(part["iy"]), int(part["iy"]), int(part["im"]), int(part["id"]))
    if part["num"]:
        return _numeric(span, int(part["na"]), int(part["nb"]), int(part["ny"]), "." in match.group())
    for n in (1, 2, 3):
        if part[f"m{n}"]:
            year = int(part[f"y{n}"]) if part[f"y{n}"] else None
            day = int(part[f"d{n}"]) if n < 3 else None
            if n == 2 and year is None and part["m2"] in _verbs():
                return None  # a child aged 8 may join
            return Date(span, year, year, month_names()[part[f"m{n}"].lower()], day)
    if part["dec"]:
        start = int(part["dec"])
        return Date(span, start, start + (99 if start % 100 == 0 else 9))
    if part["cent"]:
        return Date(span, 100 * (int(part["cent"]) - 1), 100 * int(part["cent"]) - 1)
    if part["y4"]:
        key = _KEY.search(match.string, max(0, match.start() - 30), match.start())
        if key is not None and unit_of_key(key[1].lower()) is not None:
            return None  # timeout_ms: 1500
        return _years(span, part["y4"], part["y5"])
    word = part["m6"]
    # Another word, too, or too short to be a month without a day or a year: `may`, `sat`.
    ambiguous = (
        word.lower() in lang.listed("dates", "ambiguous")
        and _during().search(match.string, max(0, span[0] - 24), span[0]) is None
    )
    ambiguous = ambiguous or not word[0].isupper()
    return None if ambiguous else Date(span, month=month_names()[word.lower()])


def _numeric(span: Span, one: int, two: int, year: int, dotted: bool) -> Date | None:
    if one > 31 or two > 31 or (one > 12 and two > 12) or not one or not two:
        return None
    day_first = dotted or one > 12
    day, month = (one, two) if day_first else (two, one)
    if month > 12:
        day, month = month, day
    either = (day, month) if not dotted and day <= 12 else None
    return Date(span, year, year, month, day, either)


def _years(span: Span, first: str, last: str | None) -> Date:
    if last is None:
        return Date(span, int(first), int(first))
    end = int(last) if len(last) == 4 else int(first[:2] + last)
    return Date(span, int(first), end) if end >= int(first) else Date(span, int(first), int(first))


def follows(claimed: Date, stated: Date) -> bool:
    """Whether a claimed date follows from a stated one: it may be coarser, never finer."""
    if claimed.first is not None:
        if stated.first is None or stated.last is None or claimed.last is None:
            return False
        inside = claimed.first <= stated.first and stated.last <= claimed.last
        either_end = claimed.first == claimed.last and claimed.first in (stated.first, stated.last)
        if not inside and not (either_end and stated.last - stated.first != _CENTURY):
            return False
    pairs = [(stated.month, stated.day)] + ([stated.swapped] if stated.swapped else [])
    return any(_within(claimed, month, day) for month, day in pairs)


def _within(claimed: Date, month: int | None, day: int | None) -> bool:
    wanted = [(claimed.month, claimed.day)] + ([claimed.swapped] if claimed.swapped else [])
    return any((m is None or m == month) and (d is None or d == day) for m, d in wanted)


def differs(claimed: Date, stated: Date) -> bool:
    """Whether two dates of the same grain name different times."""
    same_grain = (claimed.month is None) == (stated.month is None) and (claimed.day is None) == (stated.day is None)
    return same_grain and (claimed.first is None) == (stated.first is None) and not follows(claimed, stated)


def without_dates(found: Sequence[Number], taken: Sequence[Date]) -> list[Number]:
    """The figures that are not part of a date."""
    dated = {place for date in taken for place in range(*date.span)}
    return [f for f in found if f.span[0] not in dated and f.span[1] - 1 not in dated]
