"""How far it is said to be from one value to another: two years before, the following day, twice as much, 10 % more, three years younger.

>>> from witnessmark.text.numbers import figures
>>> text = "It costs twice as much as the hall, which was built two years later."
>>> [(one.kind, one.size, one.way, one.linked) for one in distances(text, figures(text))]
[('time', (63115200.0,), 1, False), ('times', (2.0,), 1, True)]
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from witnessmark.checks.grounding.relations.durations import MINUTE, whole_duration
from witnessmark.text import clock, lang, numerals
from witnessmark.text.clock import ClockTime
from witnessmark.text.dates import Date
from witnessmark.text.numbers import Number
from witnessmark.text.sentences import Span
from witnessmark.text.units import units

DAY, MONTH, YEAR = 86_400, 2_629_800, 31_557_600
Value = Date | ClockTime | Number | int
"""What a distance is counted from: a date, a time of day, an amount, a day of the week."""
_NEXT = re.compile(r"\s+([^\W_]+)")
_BEFORE = re.compile(r"([^\W_]+)\s+$")


@dataclass(frozen=True, slots=True)
class Distance:
    """A distance as a text says it: in seconds (`time`), as factors (`times`) or as an amount of a `dimension` (`more`).

    `way` is 1 for later or more, -1 for earlier or less, 0 where it is not said. `linked` says that what it is counted from is
    named right after it, `exact` that it is neither bound nor share, `telling` that it also names what it leads to (its centenary).
    `tail` is where what belongs to it ends, if later than its own words: `as long as` after `twice`.
    """

    kind: str
    span: Span
    size: tuple[float, ...]
    way: int
    unit: float = 1.0
    linked: bool = False
    exact: bool = True
    dimension: str = ""
    telling: bool = False
    tail: int = 0

    @property
    def end(self) -> int:
        """Where the distance ends, with all that belongs to it."""
        return max(self.span[1], self.tail)


@lang.derived
def _known() -> dict[str, frozenset[str]]:
    """The words of each list under [steps], of all languages."""
    found: dict[str, frozenset[str]] = {}
    for table in lang.tables("steps"):
        for name, line in table.items():
            found[name] = found.get(name, frozenset()) | {word.replace("_", " ") for word in line.split()}
    return found


def _tail(text: str, at: int) -> list[tuple[str, int]]:
    """The words that follow a place up to the next mark, five at most, each with its end."""
    row: list[tuple[str, int]] = []
    while len(row) < 5 and (match := _NEXT.match(text, at)) is not None:
        at = match.end()
        row.append((match[1].lower(), at))
    return row


def _led_by(text: str, at: int) -> str:
    found = _BEFORE.search(text, max(0, at - 24), at)
    return found[1].lower() if found else ""


def distances(text: str, figures: Sequence[Number]) -> list[Distance]:
    """The distances of a text; `figures` are those it has, parts of dates apart."""
    told = [one for one in figures if not one.is_range]
    spans = [(one.span, whole_duration(text, one), one.scale) for one in told if one.dimension == "time"]
    spans += [
        ((one.span[0], text.lower().index(one.noun, one.span[1]) + len(one.noun)), one.face * _spans()[one.noun], YEAR)
        for one in told
        if one.noun in _spans() and (one.worded or text[one.span[1] - 1].isdigit())
    ]
    found = [_in_time(text, span, seconds, unit) for span, seconds, unit in spans]
    found += [one for one in _units(text) if not any(a < one.span[1] and one.span[0] < b for (a, b), _, _ in spans)]
    found += [more for one in told if one.dimension and (more := _more(text, one)) is not None]
    return [*found, *_jubilees(text), *_times(text, figures)]


def _in_time(text: str, span: Span, seconds: float, unit: float) -> Distance:
    known, row = _known(), _tail(text, span[1])
    exact = _led_by(text, span[0]) not in known["bounding"]
    for size in (2, 1):
        word = " ".join(part for part, _ in row[:size])
        way = 1 if word in known["after"] else -1 if word in known["before"] else 0
        if way and len(row) > size:
            return Distance("time", (span[0], row[size - 1][1]), (seconds,), way, unit, True, exact)
        way = 1 if word in known["later"] else -1 if word in known["earlier"] else 0
        if way and len(row) >= size:
            linked = len(row) > size + 1 and row[size][0] in known["than"]
            return Distance(
                "time", (span[0], row[size if linked else size - 1][1]), (seconds,), way, unit, linked, exact
            )
    return Distance("time", span, (seconds,), 0, unit)


@lang.derived
def _spans() -> dict[str, float]:
    """The seconds of a unit of time by its name, of those that can be counted but are no units of figures."""
    return {name: float(years * YEAR) for table in lang.tables("centuries") for name, years in table.items()}


@lang.derived
def _unit() -> re.Pattern[str]:
    """One of a unit: `a decade`, `the day`, `the following year`, `l'année suivante`."""
    named = [name for name, one in units().items() if one.dimension == "time" and len(name) > 2]
    unit = lang.either([*named, *_spans()])
    which = lang.either(_known()["next"] | _known()["previous"])
    article = rf"(?:{lang.either(lang.words('articles'))}|am|im|al)"
    return re.compile(
        rf"\b{article}['’\s]\s*(?:(?P<first>{which})\s+)?(?P<unit>{unit})\b(?:\s+(?P<last>{which})\b)?", re.IGNORECASE
    )


def _units(text: str) -> Iterator[Distance]:
    for match in _unit().finditer(text):
        name, which = match["unit"].lower(), (match["first"] or match["last"] or "").lower()
        unit = _spans().get(name) or units()[name].factor
        if which:
            yield Distance("time", match.span(), (unit,), 1 if which in _known()["next"] else -1, unit)
        else:
            one = _in_time(text, match.span(), unit, unit)
            if one.way or match.group().split()[0].lower() in _known()["one"]:
                yield one


@lang.derived
def _jubilee() -> re.Pattern[str]:
    """`its centenary`, `the 50th anniversary`, `their tenth birthday`."""
    words = lang.either(word for table in lang.tables("anniversaries") for word in table)
    return re.compile(
        rf"\b(?:(?P<named>{words})|(?:(?P<digits>\d+)(?:st|nd|rd|th)|(?P<word>{lang.either(_ordinals())}))\s+(?:{lang.either(_known()['jubilee'])}))\b",
        re.IGNORECASE,
    )


@lang.derived
def _ordinals() -> dict[str, int]:
    rows = (line.split() for line in lang.section("numbers", "ordinals"))
    return {word: number for row in rows for number, word in enumerate(row, 1)}


def _jubilees(text: str) -> Iterator[Distance]:
    for match in _jubilee().finditer(text):
        named = {word: many for table in lang.tables("anniversaries") for word, many in table.items()}
        word = (match["word"] or match["named"] or "").lower()
        years = int(match["digits"]) if match["digits"] else _ordinals().get(word) or named[word]
        yield Distance("time", match.span(), (float(years * YEAR),), 1, YEAR, telling=True)


def _sign(text: str, span: Span) -> tuple[int, Span, bool]:
    """Which way an amount goes by the word after it (`3 euros more`) or before it (`reduced by 3 euros`), with all that says so."""
    known, row = _known(), _tail(text, span[1])
    way = (1 if row[0][0] in known["up"] else -1 if row[0][0] in known["down"] else 0) if row else 0
    if way:
        than = next((at for at, (word, _) in enumerate(row[1:3], 1) if word in known["than"]), 0)
        return way, (span[0], row[than][1]), than > 0
    by = _led_by(text, span[0])
    start = len(text[: span[0]].rstrip()) - len(by)
    verb = _led_by(text, start) if by in known["by"] else ""
    way = 1 if verb in known["up"] else -1 if verb in known["down"] else 0
    return way, (text.rindex(verb, 0, start) if way else span[0], span[1]), False


def _more(text: str, one: Number) -> Distance | None:
    way, span, linked = _sign(text, one.span)
    if one.dimension == "percent":
        share = one.face / 100
        size = (1 + way * share,) if way else (share, 1 - share, 1 + share)
        return Distance("times", span, size, 1, linked=linked, exact=bool(way)) if 0 < share < 1 or way > 0 else None
    return Distance("more", span, (one.low,), way, one.scale, linked, one.bound == "", one.dimension) if way else None


@lang.derived
def _multiple() -> re.Pattern[str]:
    """`twice`, `three times`, `half`, `two thirds`."""
    multiples = lang.either(word for table in lang.tables("multiples") for word in table)
    parts = "|".join(rf"{re.escape(word)}s?" for word in _parts())
    count = rf"\d+|{lang.either({*numerals.number_words('en').small, *_known()['one']})}"
    return re.compile(
        rf"(?<![\w-])(?:(?P<word>{multiples})|(?P<count>{count})\s+(?:(?P<times>{lang.either(_known()['times'])})|(?P<part>{parts})))(?![\w-])",
        re.IGNORECASE,
    )


@lang.derived
def _parts() -> dict[str, float]:
    """The words for a third and the like; those in [shares] are rounded to whole per cents."""
    return {word: 1 / round(100 / float(value)) for table in lang.tables("shares") for word, value in table.items()}


@lang.derived
def _factors() -> dict[str, float]:
    return {word: float(value) for table in lang.tables("multiples") for word, value in table.items()}


def _times(text: str, figures: Sequence[Number]) -> Iterator[Distance]:
    known, matches = _known(), list(_multiple().finditer(text))
    taken = [one.span for one in (*(f for f in figures if f.dimension), *(clock.times(text) if matches else ()))]
    for match in matches:
        if any(start < match.end() and match.start() < end for start, end in taken):
            continue  # half an hour, half past seven
        counts = [one.face for one in figures if match["count"] and one.span[0] == match.start()]
        part = _parts().get((match["part"] or "").lower().removesuffix("s"), 0.0)
        if match["word"]:
            size = _factors()[match["word"].lower()]
        else:
            size = (counts or [1.0 if match["count"].lower() in known["one"] else 0.0])[0] * (part or 1.0)
        if size <= 0 or _led_by(text, match.start()) in known["bounding"] | lang.words("articles"):
            continue  # the second half
        yield _compared(text, match.span(), size, exact=not part)


def _compared(text: str, span: Span, size: float, *, exact: bool) -> Distance:
    """A factor with what it is of: `twice as much as the hall`, `half the price of`, `half as high again`. Twice as fast is half as long."""
    known, row = _known(), _tail(text, span[1])
    plain = [word for word, _ in row]
    if plain[:1] and plain[0] in known["than"] and len(plain) > 1:
        end = next((at for at in (2, 3) if len(plain) > at and plain[at] in known["than"] | known["again"]), 1)
        again, linked = plain[end] in known["again"], plain[end] in known["than"]
        sizes = (size, 1 / size) if plain[1] in known["inverse"] else (size + again,)
        own = (span[0], row[end][1]) if plain[1] in known["amount"] else span
        return Distance("times", own, sizes, 1, linked=linked, exact=exact and len(sizes) == 1, tail=row[end][1])
    linked = plain[:1] != [] and plain[0] in known["whole"]
    return Distance("times", span, (size,), 1, linked=linked, exact=exact, tail=row[0][1] if linked else 0)


def moved(value: Value, by: Distance, way: int) -> list[Value]:
    """Where a distance leads from a value, forward or (`way` -1) back; nothing where it cannot be counted from that."""
    if isinstance(value, Number):
        return [made for size in by.size if (made := _more_of(value, by, size, way)) is not None]
    if by.kind != "time":
        return []
    seconds = by.size[0] * way
    if isinstance(value, ClockTime):
        minutes = round(seconds / MINUTE)
        small = by.unit < DAY and 0 < abs(minutes) < clock.DAY // 2
        return (
            [replace(value, readings=frozenset((one + minutes) % clock.DAY for one in value.readings))] if small else []
        )
    if isinstance(value, int):
        return [(value + round(seconds / DAY)) % 7] if DAY <= by.unit < MONTH else []
    return _date_from(value, seconds, by.unit)


def _more_of(value: Number, by: Distance, size: float, way: int) -> Number | None:
    if by.kind == "times":
        factor = size if way > 0 else 1 / size
        return replace(value, low=value.low * factor, high=value.high * factor, face=value.face * factor)
    years = by.dimension == "time" and by.unit == YEAR and not value.dimension  # Maria is 34, Paul three years younger
    if by.kind != "more" or not (years or value.dimension == by.dimension):
        return None
    low = value.low + way * (size / YEAR if years else size)
    return replace(value, low=low, high=low, face=low / (value.scale or 1.0)) if low > 0 else None


def _date_from(date: Date, seconds: float, unit: float) -> list[Value]:
    if date.first != date.last:
        return []
    if unit >= YEAR:
        year = date.first + round(seconds / YEAR) if date.first is not None else None
        exactly = replace(date, first=year, last=year)
        return [replace(exactly, month=None, day=None, swapped=None), exactly] if year is not None else []
    if unit >= MONTH:
        months = (date.first or 0) * 12 + (date.month or 0) - 1 + round(seconds / MONTH)
        year = months // 12 if date.first is not None else None
        moved_to = replace(date, first=year, last=year, month=months % 12 + 1, day=None, swapped=None)
        return [moved_to] if date.month else []
    if unit < DAY or not date.month or not date.day:
        return []
    return [_day_from(date, year, seconds) for year in ((date.first,) if date.first else (2000, 2001))]


def _day_from(date: Date, year: int, seconds: float) -> Value:
    day = datetime.date(year, date.month or 1, min(date.day or 1, 28)) + datetime.timedelta(
        days=round(seconds / DAY) + max(0, (date.day or 1) - 28)
    )
    known = day.year if date.first else None
    return replace(date, first=known, last=known, month=day.month, day=day.day, swapped=None)
