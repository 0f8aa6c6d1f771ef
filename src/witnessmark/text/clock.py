"""Times of day and days of the week: which days, from when to when.

>>> [(sorted(o.days), o.start, o.end) for o in openings("Open Monday to Wednesday from 9 am to 5:30 pm, weekends until 14:00")]
[([0, 1, 2], 540, 1050), ([5, 6], None, 840)]
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from witnessmark.text import lang

DAY = 24 * 60
REACH = 25
"""Characters that may stand between days and the hours that belong to them."""
_WEEK = frozenset(range(7))


@dataclass(frozen=True, slots=True)
class ClockRange:
    """From when to when, in minutes since midnight; None where one end is not said. `spoken` has no am, pm or 24 hours."""

    start: int | None
    end: int | None
    span: tuple[int, int]
    spoken: bool = False


@dataclass(frozen=True, slots=True)
class Opening:
    """Days, and the hours they are said to have; no days where only hours are said, no hours where only days are."""

    days: frozenset[int]
    start: int | None
    end: int | None
    span: tuple[int, int]
    spoken: bool = False
    timed: bool = False
    closed: bool = False


@lang.derived
def day_names() -> dict[str, int]:
    """The day of the week by name, Monday first."""
    rows = [(number, names) for days in lang.section("dates", "days") for number, names in enumerate(days)]
    return {name: number for number, names in rows for name in names.split()}


def _phrases(name: str) -> str:
    return lang.either(phrase for row in lang.section("dates", name) for phrase in row)


def _words(name: str) -> str:
    return lang.either(word for line in lang.section("dates", name) for word in line.split())


@lang.derived
def _days() -> re.Pattern[str]:
    day, to = lang.either(day_names()), _words("day_range")
    return re.compile(
        rf"\b(?P<from>{day})\b\s*(?:{to})\s*\b(?P<to>{day})\b|\b(?P<all>{_phrases('every_day')})\b|\b(?P<weekdays>{_phrases('weekdays')})\b"
        rf"|\b(?P<weekends>{_phrases('weekends')})\b|\b(?P<one>{day})\b",
        re.IGNORECASE,
    )


@lang.derived
def _times() -> re.Pattern[str]:
    half = rf"(?:\s?(?:{_words('morning')}|{_words('afternoon')})(?![a-z]))"
    time = rf"(?:[01]?\d|2[0-4])(?::[0-5]?\d)?{half}?"
    to = _words("open_until")
    return re.compile(
        rf"(?<![\d.,:$€£])(?P<start>{time})\s*(?:{to})\s*(?P<end>{time})(?![\d:%])|\b(?:{to})\s+(?P<until>{time})(?![\d:%])",
        re.IGNORECASE,
    )


def ranges(text: str) -> list[ClockRange]:
    """The times of day a text gives from … to …; figures without a colon, am or pm are no times."""
    found = []
    for match in _times().finditer(text):
        start, end = match.group("start"), match.group("end") or match.group("until")
        parts = [part for part in (start, end) if part]
        if not any(":" in part or not part[-1].isdigit() for part in parts):
            continue
        if re.match(r"\s+or\s+\d", text[match.end() :]):
            continue
        spoken = not any(part[-1:] in "mM." for part in parts) and all(int(part.split(":")[0]) <= 12 for part in parts)
        late = _half(end) if end else ""
        found.append(
            ClockRange(_minutes(start, late) if start else None, _minutes(end) if end else None, match.span(), spoken)
        )
    return found


def _half(time: str) -> str:
    word = re.sub(r"[\d:\s]", "", time).lower()
    afternoon = {word for line in lang.section("dates", "afternoon") for word in line.split()}
    morning = {word for line in lang.section("dates", "morning") for word in line.split()}
    return "pm" if word in afternoon else "am" if word in morning else ""


def _minutes(time: str, other: str = "") -> int:
    """Minutes since midnight; `9 to 5 pm` and `11 to 2 pm` take the half of the day that comes first."""
    digits = re.sub(r"[^\d:]", "", time)
    hour, _, minute = digits.partition(":")
    hours, half = int(hour), _half(time)
    if half:
        hours = hours % 12 + (12 if half == "pm" else 0)
    elif other == "am":
        hours %= 12
    return (hours * 60 + int(minute or 0)) % DAY


def _days_of(match: re.Match[str]) -> frozenset[int]:
    names = day_names()
    if match.group("from"):
        first, last = names[match.group("from").lower()], names[match.group("to").lower()]
        return frozenset((first + n) % 7 for n in range((last - first) % 7 + 1))
    if match.group("all"):
        return _WEEK
    if match.group("weekdays"):
        return frozenset(range(5))
    return frozenset({5, 6}) if match.group("weekends") else frozenset({names[match.group("one").lower()]})


def openings(text: str) -> list[Opening]:
    """Days with the hours that belong to them: what stands side by side, in the order the text has them."""
    found: list[Opening] = []
    marks: list[_Mark] = []
    for start, what, span in _joined(_marks(text), text):
        if isinstance(what, frozenset) and _closed().search(text[max(0, start - 16) : start]):
            found.append(Opening(what, None, None, span, closed=True))
        else:
            marks.append((start, what, span))
    return sorted([*found, *_paired(marks)], key=lambda one: one.span)


@lang.derived
def _closed() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{_words('closed')})\W+(?:\w+\W+)?$", re.IGNORECASE)


def _marks(text: str) -> list[_Mark]:
    found: list[_Mark] = [(m.start(), _days_of(m), m.span()) for m in _days().finditer(text)]
    found += [(one.span[0], one, one.span) for one in ranges(text)]
    return sorted(found, key=lambda mark: mark[0])


_Mark = tuple[int, "frozenset[int] | ClockRange", tuple[int, int]]


def _joined(marks: list[_Mark], text: str) -> list[_Mark]:
    """Days that are only listed (Saturday and Sunday) count together."""
    made: list[_Mark] = []
    for place, what, span in marks:
        before = made[-1] if made else None
        if (
            before
            and isinstance(what, frozenset)
            and isinstance(before[1], frozenset)
            and re.fullmatch(
                r"[\s,&/]*(?:and|und|et|y|or)?[\s,]*(?:on\s+)?", text[before[2][1] : span[0]], re.IGNORECASE
            )
        ):
            made[-1] = (before[0], before[1] | what, (before[2][0], span[1]))
        else:
            made.append((place, what, span))
    return made


def _paired(marks: list[_Mark]) -> Iterator[Opening]:
    """Each stretch of days with its hours: those after it where days come first, those before it where hours do."""
    days_first = not marks or isinstance(marks[0][1], frozenset)
    at = 0
    while at < len(marks):
        _, one, span = marks[at]
        after = marks[at + 1] if at + 1 < len(marks) else None
        fits = (
            after is not None
            and after[2][0] - span[1] <= REACH
            and isinstance(one, frozenset) == days_first
            and isinstance(after[1], frozenset) != days_first
        )
        if after is not None and fits:
            days, clock = (one, after[1]) if days_first else (after[1], one)
            assert isinstance(days, frozenset)
            assert isinstance(clock, ClockRange)
            yield Opening(days, clock.start, clock.end, (span[0], after[2][1]), clock.spoken, True)
            at += 2
            continue
        if isinstance(one, frozenset):
            yield Opening(one, None, None, span)
        else:
            yield Opening(frozenset(), one.start, one.end, span, one.spoken, True)
        at += 1
