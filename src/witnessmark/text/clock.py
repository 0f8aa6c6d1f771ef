"""Times of day and days of the week: which days, from when to when.

>>> [(sorted(o.days), o.start, o.end) for o in openings("Open Monday to Wednesday from 9 am to 5:30 pm, weekends until 14:00")]
[([0, 1, 2], 540, 1050), ([5, 6], None, 840)]
>>> [sorted(one.readings) for one in times("From half past seven in the evening until 22:00; dep. 0945, then from nine to one")]
[[1170], [1320], [585], [540, 1260], [60, 780]]
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from witnessmark.text import lang
from witnessmark.text.dates import CLOCK_OF_STAMP
from witnessmark.text.patterns import compiled
from witnessmark.text.units import currencies, percent, units

DAY, _HOUR = 24 * 60, 60
REACH = 25
"""Characters that may stand between days and the hours that belong to them, or between two times of which one is sure."""
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


@dataclass(frozen=True, slots=True)
class ClockTime:
    """One time of day in minutes since midnight, with each reading that it allows: 7.30 may be 19:30 too.

    `written` is by digits without am or pm, `whole_day` by a clock of 24 hours; `sure` is what can mean nothing else.
    `seconds` are those after the minute; None where they are not said.
    """

    readings: frozenset[int]
    span: tuple[int, int]
    written: bool = False
    whole_day: bool = False
    sure: bool = True
    seconds: int | None = None

    def follows(self, stated: ClockTime) -> bool:
        """Whether it follows from a stated time: one of its readings is the same, and its seconds are, where it has any."""
        return bool(self.readings & stated.readings) and self.seconds in (None, stated.seconds or 0)

    def other_half(self, stated: ClockTime) -> bool:
        """Whether it is surely the same time in the other half of the day: 3 am for 3 pm."""
        known = len(self.readings) == len(stated.readings) == 1
        return known and {(reading + DAY // 2) % DAY for reading in self.readings} == stated.readings


@lang.derived
def day_names() -> dict[str, int]:
    """The day of the week by name, Monday first."""
    rows = [(number, names) for days in lang.section("dates", "days") for number, names in enumerate(days)]
    return {name: number for number, names in rows for name in names.split()}


def _phrases(name: str) -> str:
    return lang.either(lang.phrases("dates", name))


def _words(name: str) -> str:
    return lang.either(lang.listed("dates", name))


@lang.derived
def _days() -> re.Pattern[str]:
    day, to = lang.either(day_names()), _words("day_range")
    return compiled(
        rf"\b(?P<from>{day})\b\s*(?:{to})\s*\b(?P<to>{day})\b|\b(?P<all>{_phrases('every_day')})\b|\b(?P<weekdays>{_phrases('weekdays')})\b"
        rf"|\b(?P<weekends>{_phrases('weekends')})\b|\b(?P<one>{day})\b",
        re.IGNORECASE,
    )


@lang.derived
def _hours() -> dict[str, int]:
    """The hours of a clock by their words; `noon` and `midnight` are hours too."""
    ones = [line.split() for line in lang.section("numbers", "ones")][:1]
    found = {word: number for row in ones for number, word in enumerate(row) if 1 <= number <= 12}
    return found | lang.merged("dates", "named_hours")


_SHIFTS = {"half": 30, "quarter": 15, "five": 5, "ten": 10, "twenty": 20}


@lang.derived
def _spoken() -> re.Pattern[str]:
    """`half past seven`, `a quarter to four`, `nine o'clock`, with the part of the day where it is said."""
    part = rf"(?:\s+(?P<part>{_phrases('morning_words')}|{_phrases('afternoon_words')}))"
    hour, late = rf"(?P<hour>{lang.either(_hours())}|1?\d)", part.replace("part", "late", 1)
    return compiled(
        rf"(?:(?:a\s+)?(?P<shift>half|quarter|(?:five|ten|twenty)(?=\s+past))\s+(?P<side>past|to)\s+{hour}{part}?"
        rf"|(?P<named>{lang.either(lang.merged('dates', 'named_hours'))})"
        rf"|{hour.replace('hour', 'plain', 1)}(?=\s+o['’]clock|{_unnamed(part)})(?:\s+o['’]clock)?{late}?)",
        re.IGNORECASE,
    )


def _unnamed(pattern: str) -> str:
    return re.sub(r"\(\?P<\w+>", "(?:", pattern)


@lang.derived
def _one_time() -> re.Pattern[str]:
    """A time in words or digits, or both of `from six to ten in the evening`; what stands around digits tells whether they are one."""
    mark = rf"\s?(?:{_words('morning')}|{_words('afternoon')})(?![a-z])"
    half = rf"(?:{mark}|\s(?:{_phrases('morning_words')}|{_phrases('afternoon_words')})\b)"
    hour = rf"(?:{lang.either(_hours())}|1[0-2]|[1-9])\b(?![:.]\d)"
    part = rf"(?:\s+(?P<part>{_phrases('morning_words')}|{_phrases('afternoon_words')}))"
    return compiled(
        rf"(?<![\w:.,/$€£])(?:(?:from|between)\s+(?P<from>{hour})\s+(?:to|until|till|and)\s+(?P<to>{hour})(?!\s*[%€$£]|{mark}|\s+o['’]){part}?"
        rf"(?:\s+(?P<next>[^\W\d_]+))?|(?P<words>{_unnamed(_spoken().pattern)})\b|(?P<digits>(?:[01]?\d|2[0-4])[:.][0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?(?:{half})?"
        rf"|1?\d{half}|(?:[01]?\d|2[0-4])(?=\s?(?:{_words('full_hour')})\b(?!\s+(?:{_words('day_parts')})))|(?:[01]\d|2[0-3])[0-5]\d)(?![\d:/]|[.,]\d)(?P<after>\s?(?:{_words('clock_after')})\b)?)",
        re.IGNORECASE,
    )


@lang.derived
def _led() -> re.Pattern[str]:
    return compiled(rf"\b(?:{_words('clock_before')})\.?\s+$", re.IGNORECASE)


_STAMP = compiled(rf"(?<=\d)(?=T(?P<clock>[\d:]+)){CLOCK_OF_STAMP}")
_SECONDS = compiled(r"(?<=:\d\d):(\d\d)(?:[.,]\d+)?")


def times(text: str) -> list[ClockTime]:
    """The times of day of a text in order."""
    return list(times_said(text))


@lang.kept(1024)
def times_said(text: str) -> tuple[ClockTime, ...]:
    """The times of day of a text in order, read once."""
    found: list[ClockTime] = []
    stamped = {stamp.start("clock") for stamp in _STAMP.finditer(text)}
    text = _STAMP.sub(lambda stamp: f" {stamp['clock']}".ljust(len(stamp[0])), text)
    for match in _one_time().finditer(text):
        if match["words"]:
            sure = match["words"].lower() not in lang.merged("dates", "named_hours")
            found.append(ClockTime(_readings(match["words"]), match.span("words"), sure=sure))
        elif match["digits"] and _is_time(text, match, found):
            found.append(_in_digits(match, stamped=match.start("digits") in stamped))
        elif (
            match["from"]
            and (match["next"] or "and").lower() in lang.words("stop") | lang.words("rates") | day_names().keys()
        ):
            for end in ("from", "to"):
                time = f"{match[end]} o'clock {match['part'] or ''}".strip()
                found.append(ClockTime(_readings(time), match.span(end), sure=False))
    return tuple(by_whole_day(found))


def by_whole_day(found: list[ClockTime]) -> list[ClockTime]:
    """The times; where one is written by a clock of 24 hours, none in digits means the afternoon: `9:00` beside 17:00 is not 21:00."""
    if not any(one.whole_day for one in found):
        return found
    return [replace(one, readings=frozenset({_as_written(one)})) if one.written else one for one in found]


def _as_written(one: ClockTime) -> int:
    """The reading of a time in digits by a clock of 24 hours: 9:00 is no evening, and 12:30 no half past midnight."""
    return min((reading for reading in one.readings if reading >= _HOUR), default=min(one.readings))


def _is_time(text: str, match: re.Match[str], found: list[ClockTime]) -> bool:
    """Whether digits are a time: 7:30 and 9 am by their marks, 7.30 and 0945 by what stands before or after them."""
    digits, start, rest = match["digits"], match.start(), text[match.end() :]
    if ":" in digits or match["after"] or _half(re.sub(r"\.(?=\d)", ":", digits)):
        return True
    led = _led().search(text, max(0, start - 12), start) is not None
    if "." not in digits:
        return (led or digits[0] == "0") and not rest.startswith("-")
    word = re.match(r"\s*([^\W\d_]+|[%€$£])", rest)
    unit = word.group(1).lower() if word else ""
    measured = unit in units() or unit in currencies() or unit in percent()
    return not measured and (led or (bool(found) and start - found[-1].span[1] <= REACH))


def _in_digits(match: re.Match[str], *, stamped: bool) -> ClockTime:
    found = _SECONDS.search(match["digits"])
    digits = _SECONDS.sub("", match["digits"])
    bare = len(digits) == 4 and digits.isdigit()
    digital = bare or stamped or digits.isdigit() or found is not None
    time = f"{digits[:2]}:{digits[2:]}" if bare else re.sub(r"\.(?=\d)", ":", digits)
    marked = bool(_half(time))
    whole_day = not marked and (digital or digits[0] == "0" or int(time.partition(":")[0]) > 12)
    seconds = None if found is None else int(found[1])
    return ClockTime(_readings(time, whole_day), match.span("digits"), not marked, whole_day, seconds=seconds)


def _readings(time: str, whole_day: bool = False) -> frozenset[int]:
    first = _minutes(time)
    return frozenset({first} if whole_day or _half(time) else {first, (first + DAY // 2) % DAY})


@lang.derived
def _times() -> re.Pattern[str]:
    half = rf"(?:\s?(?:{_words('morning')}|{_words('afternoon')})(?![a-z]))"
    time = rf"(?:{_unnamed(_spoken().pattern)}|(?:[01]?\d|2[0-4])(?::[0-5]?\d)?{half}?)"
    to = _words("open_until")
    opens, closes = _words("opens_at"), _words("closes_at")
    state = "".join(rf"(?<!\b{word}\s)" for word in sorted(lang.words("being")))  # `is open at 11` tells no beginning
    return compiled(
        rf"(?:\b(?:{opens})\s+(?:at|from)\s+|(?<![\d.,:$€£])\b)(?P<start>{time})\s*(?:{to})\s*(?P<end>{time})(?![\d:%])|\b(?:{to})\s+(?P<until>{time})(?![\d:%])"
        rf"|(?:{state}\b(?:{opens})\s+at|\b(?:{opens})\s+from)\s+(?P<opens>{time})(?![\d:%])|\b(?:{closes})\s+(?:at|by)\s+(?P<closes>{time})(?![\d:%])",
        re.IGNORECASE,
    )


def ranges(text: str) -> list[ClockRange]:
    """The times of day a text gives from … to …; figures without a colon, am or pm are no times."""
    found = []
    for match in _times().finditer(text):
        start = match.group("start") or match.group("opens")
        end = match.group("end") or match.group("until") or match.group("closes")
        parts = [part for part in (start, end) if part]
        if not any(":" in part or not part[-1].isdigit() for part in parts):
            continue
        if re.match(r"\s+or\s+\d", text[match.end() :]):
            continue
        spoken = not any(map(_half, parts)) and all(_minutes(part) <= DAY // 2 + 59 for part in parts)
        late = _half(end) if end else ""
        found.append(
            ClockRange(_minutes(start, late) if start else None, _minutes(end) if end else None, match.span(), spoken)
        )
    return found


def _half(time: str) -> str:
    """`am` or `pm`, by its mark or by the part of the day that is named; empty where neither is said."""
    named = _spoken().fullmatch(time.strip())
    word = (named.group("part") or named.group("late") or "") if named else re.sub(r"[\d:]", "", time)
    word = " ".join(word.lower().split())
    if named and named.group("named"):
        return "pm" if lang.merged("dates", "named_hours")[time.strip().lower()] == DAY // 120 else "am"
    for half, marks, phrases in (("pm", "afternoon", "afternoon_words"), ("am", "morning", "morning_words")):
        known = lang.listed("dates", marks)
        if word and word in known | lang.phrases("dates", phrases):
            return half
    return ""


def _minutes(time: str, other: str = "") -> int:
    """Minutes since midnight; `9 to 5 pm` and `11 to 2 pm` take the half of the day that comes first."""
    named = _spoken().fullmatch(time.strip())
    hours, minutes = _spoken_time(named) if named else _written_time(time)
    half = _half(time)
    if half:
        hours = hours % 12 + (12 if half == "pm" else 0)
    elif other == "am":
        hours %= 12
    return (hours * 60 + minutes) % DAY


def _written_time(time: str) -> tuple[int, int]:
    hour, _, minute = re.sub(r"[^\d:]", "", time).partition(":")
    return int(hour), int(minute or 0)


def _spoken_time(named: re.Match[str]) -> tuple[int, int]:
    word = (named.group("hour") or named.group("plain") or named.group("named")).lower()
    hours = int(word) if word.isdigit() else _hours()[word]
    if named.group("shift") is None:
        return hours, 0
    shift = _SHIFTS[named.group("shift").lower()]
    return hours, shift if named.group("side").lower() == "past" else -shift


def day_range(name: str) -> frozenset[int]:
    """The days that the key of a record names, as `mon` and `mon fri` do; none where it names none."""
    name = re.sub(r"^(\w+) (\w+)$", r"\1-\2", name)  # a key has lost its dash
    found = _joined([(m.start(), _days_of(m), m.span()) for m in _days().finditer(name)], name)
    whole = len(found) == 1 and isinstance(found[0][1], frozenset) and found[0][2] == (0, len(name))
    return found[0][1] if whole and isinstance(found[0][1], frozenset) else frozenset()


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
    return compiled(rf"\b(?:{_words('closed')})\W+(?:\w+\W+)?$", re.IGNORECASE)


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
