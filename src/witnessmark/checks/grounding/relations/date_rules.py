"""What the rules say of the dates of a claim."""

from __future__ import annotations

import calendar
import datetime
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from witnessmark.checks.grounding import wording
from witnessmark.checks.grounding.evidence import ABOUT_THE_SAME, ClaimInEvidence, Index, Passage, once
from witnessmark.checks.grounding.finding import RuleFinding, looked
from witnessmark.checks.grounding.relations.other_forms import forms_of
from witnessmark.checks.grounding.relations.own_figures import day_of
from witnessmark.checks.grounding.scope.figure_bounds import bears_out
from witnessmark.checks.grounding.scope.value_denials import is_denied, is_set_aside
from witnessmark.checks.grounding.scope.year_parts import is_in_a_part, others_in_place
from witnessmark.checks.grounding.steps import arithmetic
from witnessmark.text import lang, words
from witnessmark.text.dates import Date, dates, differs, follows
from witnessmark.text.numbers import Number
from witnessmark.text.patterns import compiled
from witnessmark.text.sentences import Span
from witnessmark.text.units import Unit, units

MOST_DAYS = 5
"""Days of one year among which one with day and month the other way round is no chance."""
OLDEST = 120
MOST_DUE_PASSAGES = 60
MOST_DUE = 6
"""Days and spans of time together from which on some two lead to any month by chance."""
LEAP_OR_NOT = (2000, 2001)
FAR = 4
"""Words before a date among which it is said to be after or before it: `before the fire of 1921`."""
AT_A_WEEKEND = 4
"""Days that the first working day may lie after another, over a long weekend."""
MOST_AFTER = 40
"""Characters after a distance in which the word stands that says which way it leads."""


def date(this: ClaimInEvidence, one: Date) -> RuleFinding:
    """What the evidence says of one date of a claim."""
    claim, index, part = this.claim, this.index, this.claim[slice(*one.span)]
    for passage in this.near:
        same = next((d for d in passage.dates if follows(one, d)), None)
        if same is not None:
            best = this.of_another(passage)
            days = [d for d in best.dates if differs(one, d)] if best is not None and len(this.dates) == 1 else []
            if best is not None and len(days) == len(best.dates) == 1 and this.in_place(one.span, best, days[0].span):
                return _against(part, best, days[0].span)
            return RuleFinding("date", "same", part, passage, passage.place(same.span))
    made = _in_its_own_year(this, one) or _made(this, one)
    if made is not None:
        return made
    for passage in this.near:
        if this.like(passage) >= ABOUT_THE_SAME:
            found, other = others_in_place(one, passage)
            if found or _moved(one, passage):
                return RuleFinding("date", "elsewhere", part, passage, passage.span)
            if len(other) == 1 and len(this.dates) == 1:
                return _byside_of(claim, one, passage, other[0]) or _against(part, passage, other[0])
    for passage in index.passages:
        if any(follows(one, d) for d in passage.dates):
            return RuleFinding("date", "elsewhere", part, passage, passage.span)
    asked_for = any(follows(one, asked) for asked in dates(this.goal)) or is_in_a_part(one, index)
    if asked_for or _in_parts(one, index) or _is_a_value(part, index) or is_set_aside(claim, one.span):
        return RuleFinding("date", "elsewhere", part)
    turned = _turned(one, index)
    return looked("date", part, this.near) if turned is None else _against(part, *turned)


def _byside_of(claim: str, one: Date, passage: Passage, place: Span) -> RuleFinding | None:
    """What a date says that the claim denies, or only bounds: `did not ship in June`, `after March`, where the passage has May; None where it tells nothing."""
    stated = next((told for told in passage.dates if told.span == place), None)
    before = words.words(claim[: one.span[0]])[-FAR:]
    side = next((side for side, name in ((1, "afterwards"), (-1, "beforehand")) if lang.words(name) & {*before}), 0)
    denied = is_denied(claim, one.span)
    if denied and lang.listed("scope", "since") & {*before}:
        side = 1  # has not erupted since 1950, if it last did in 1912
    closed = lang.listed("dates", "closed")
    if stated is None and closed.isdisjoint(words.words(claim)) != closed.isdisjoint(words.words(passage.text)):
        return RuleFinding("date", "elsewhere", claim[slice(*one.span)], passage, passage.span)  # open after it
    if stated is None:  # a season, and the claim denies it of another month
        return bears_out(claim, one.span, passage, replace(one, span=place)) if denied else None
    if _is_applied(claim, one, passage, stated) or _lasts(claim, one, stated):
        return RuleFinding("date", "elsewhere", claim[slice(*one.span)], passage, passage.span)
    there = words.words(passage.text[: place[0]])[-1:]
    if lang.listed("scope", "ends_of_time") & {*there} - {*before}:
        return RuleFinding("date", "elsewhere", claim[slice(*one.span)], passage, passage.span)  # valid until 31 May
    apart = _apart(one, stated)
    right = (apart == side) != denied and apart != 0 if side else denied
    return bears_out(claim, one.span, passage, stated) if right else None


def _is_applied(claim: str, one: Date, passage: Passage, stated: Date) -> bool:
    """Whether a claim holds a day against a stated deadline, and not otherwise than it is: before it, or after it and too late."""
    closing = lang.listed("scope", "closing")
    before = passage.text[: stated.span[0]]
    if closing.isdisjoint(words.words(before)) or not closing.isdisjoint(words.words(claim[: one.span[0]])):
        return False
    late = wording.denies(claim) or not lang.listed("scope", "too").isdisjoint(words.words(claim))
    return _apart(one, stated) == (-1 if late else 1)


def _lasts(claim: str, one: Date, stated: Date) -> bool:
    """Whether a claim says that something still was so later than a source has it: in 2022 it still cost what it did in 2021."""
    return _apart(one, stated) < 0 and not lang.listed("scope", "still").isdisjoint(words.words(claim))


def _apart(one: Date, stated: Date) -> int:
    """1 where a stated date is later than another, -1 where it is earlier, 0 where they do not tell."""
    ours, theirs = ((date.first, date.month, date.day) for date in (one, stated))
    for mine, other in zip(ours, theirs, strict=True):
        if mine is None or other is None or not mine or not other:
            if mine or other:
                return 0
        elif mine != other:
            return 1 if other > mine else -1
    return 0


def _against(part: str, passage: Passage, other: Span) -> RuleFinding:
    return RuleFinding("date", "contradicted", part, passage, passage.place(other), passage.text[slice(*other)])


def _turned(one: Date, index: Index) -> tuple[Passage, Span] | None:
    """A stated date with day and month the other way round: 2026-03-01 for 3 January 2026."""
    days = [(p, d) for p in index.passages for d in p.dates if d.day and d.first == d.last == one.first]
    turned = (day for day in days if (day[1].month, day[1].day) == (one.day, one.month))
    found = next(turned, None) if len(days) <= MOST_DAYS and one.first else None
    return None if found is None else (found[0], found[1].span)


def _worked_out(this: ClaimInEvidence, one: Date) -> str | None:
    """How a year follows from a year and a distance of the evidence, or of the passages about the claim where that is long."""
    searched = _few_passages(this)
    distances = [
        (figure, side_of(passage.text[figure.span[1] :])) for passage in searched for figure in passage.figures
    ]
    distances += [year for passage in searched for year in _next_years(passage.text)]
    if not lang.words("born").isdisjoint(words.words(this.claim)):
        distances += [age for passage in searched for age in _ages(passage)]
    told = [date for passage in searched for date in passage.dates]
    return arithmetic.year_apart(one, distances, told) if this.near else None


def _made(this: ClaimInEvidence, one: Date) -> RuleFinding | None:
    """That a date follows from a stated one: a deadline from its days, a year from its distance; None where it does not."""
    part, passage = this.claim[slice(*one.span)], next(iter(this.near or this.index.passages), None)
    few = _few_passages(this)
    if any(told.day and this.in_place(one.span, near, told.span) for near in this.near for told in near.dates):
        return None  # starts on, as the source says of another day: nothing leads there
    due, how = _deadline(one, few), _worked_out(this, one) or _due(this, one)
    if passage is None:
        return None
    if due is not None or how is not None:
        rule = "derived" if due is None else "worked"
        return RuleFinding(rule, "same", part, passage, passage.span, due or how or "")
    told = _told_from_a_day(one, this.index)
    if told is not None:
        return RuleFinding("derived", "same", part, told[0], told[0].span, told[1])
    if _may_be_due(one, few) or _may_be_counted(one, few):
        return RuleFinding("date", "elsewhere", part, passage, passage.span)
    return None


def _in_its_own_year(this: ClaimInEvidence, one: Date) -> RuleFinding | None:
    """That a source has a day without its year, and the claim the year that the source itself is of: minutes of 6 May 2025 say `by 27 May`."""
    if one.month is None or one.first is None or one.first != one.last:
        return None
    for passage in this.index.passages:
        for told in passage.dates:
            if told.month and told.first is None and one.first == _year_of(this.index)[passage.source]:
                whole = replace(told, first=one.first, last=one.first)
                if follows(one, whole):
                    part = this.claim[slice(*one.span)]
                    return RuleFinding("date", "same", part, passage, passage.place(told.span))
    return None


@once
def _year_of(index: Index) -> dict[str, int | None]:
    """The one year in which all dates of each source lie that have a month and a year; None where there are several."""
    years: dict[str, set[int]] = {passage.source: set() for passage in index.passages}
    for passage in index.passages:
        dated = (date for date in passage.dates if date.month)
        years[passage.source].update(year for date in dated for year in (date.first, date.last) if year)
    return {source: min(found) if len(found) == 1 else None for source, found in years.items()}


@lang.derived
def _next_to_a_day() -> re.Pattern[str]:
    return compiled(rf"\b(?:{lang.either(lang.merged('dates', 'relative_days'))})\b", re.IGNORECASE)


def _told_from_a_day(one: Date, index: Index) -> tuple[Passage, str] | None:
    """Where a source tells a day by its distance from the last date before it: `yesterday`, under the dateline of 9 August."""
    for passage, start, away in _distances(index) if one.day and one.month else ():
        if _is_away(one, start, away):
            return passage, f"{start.day}.{start.month}. {'+' if away > 0 else '−'} {abs(away)}"
    return None


@once
def _distances(index: Index) -> list[tuple[Passage, Date, int]]:
    """The days that the sources tell by their distance from another: where, which other, and how many days away."""
    found: list[tuple[Passage, Date, int]] = []
    last: dict[str, list[Date]] = {}
    known = lang.merged("dates", "relative_days")
    for passage in index.passages:
        marks = list(_next_to_a_day().finditer(passage.text))
        days = [date for date in passage.dates if date.day and date.month]
        for mark in marks:
            before = [date for date in days if date.span[0] < mark.start()] or last.get(passage.source) or days
            found += [(passage, date, known[mark[0].lower()]) for date in before[-1:] if known[mark[0].lower()]]
        last[passage.source] = days or last.get(passage.source, [])
    return found


def _is_away(one: Date, start: Date, days: int) -> bool:
    """Whether a date lies so many days from another; a year that either leaves out is that of the other."""
    years = [year for year in (start.first, one.first) if year] or [*LEAP_OR_NOT]
    for year in years:
        known = day_of(replace(start, first=start.first or year, last=start.first or year))
        made = known + datetime.timedelta(days) if known else None
        if made and (made.month, made.day) == (one.month, one.day) and one.first in (None, made.year):
            return True
    return False


def _few_passages(this: ClaimInEvidence) -> Sequence[Passage]:
    """All passages of a short text, of a longer one those about the claim."""
    return this.index.passages if len(this.index.passages) <= arithmetic.MOST_PASSAGES else this.near


def _deadline(one: Date, searched: Sequence[Passage]) -> str | None:
    """How a day follows from the only day and the only number of days, weeks or months that the passages have; None where it does not."""
    days, spans = _days_and_spans(searched, one)
    if not (one.month and one.day) or len(days) != 1 or len({(span.low, side) for span, side in spans}) != 1:
        return None
    starts, (span, side) = days.pop(), spans[0]
    sign = -1 if side < 0 else 1
    if not all(_is_day(one, _led_to(start, span, sign)) for start in starts):
        return None  # in a leap year only, or in no year
    return f"{starts[0].day}.{starts[0].month}. {'+' if sign > 0 else '−'} {span.face:g}"


def _due(this: ClaimInEvidence, one: Date) -> str | None:
    """How a day follows from a stated day and a span that is told of the same: received on 24 February, and due 14 days after it is received."""
    if not (one.month and one.day) or len(this.index.passages) > MOST_DUE_PASSAGES:
        return None
    spans = [
        (frozenset(words.content(p.text[span.span[1] :])[:FAR]), span, side)
        for p in this.index.passages
        for span, side in _days_and_spans([p], one)[1]
        if side
    ]
    for passage in this.index.passages if len(spans) <= MOST_DUE else ():
        for told in passage.dates:
            starts = _possible_days(told, one)
            for event, span, side in spans if starts else ():
                if event & passage.stems and all(_is_day(one, _led_to(start, span, side)) for start in starts):
                    return f"{told.day}.{told.month}. {'+' if side > 0 else '−'} {span.face:g}"
    return None


def _may_be_due(one: Date, searched: Sequence[Passage]) -> bool:
    """Whether a day, or a month, is what one of a few stated days and one of a few stated spans lead to, or ends the day before."""
    days, spans = _days_and_spans(searched, one)
    whole = one.month and (one.day if one.first is None else one.first == one.last)
    if not whole or len(days) * len(spans) > MOST_DUE:
        return False
    made = (_led_to(start, span, -1 if side < 0 else 1) for day in days for start in day for span, side in spans)
    ends = [end for due in made if due is not None for end in (due, due - datetime.timedelta(1))]
    return any(_is_day(one if one.day else replace(one, day=end.day), end) for end in ends)


def _may_be_counted(one: Date, searched: Sequence[Passage]) -> bool:
    """Whether a day lies about as far after a stated one as a number of working days that no calendar here can count: at least so many, at most twice."""
    told = ((f, p.text[f.span[1] :]) for p in searched for f in p.figures if f.noun in lang.words("measuring"))
    a_day = Unit("time", arithmetic.DAY)
    many = [f.face for f, after in told if a_day in map(units().get, words.words(after)[1:2])]
    starts = [day for passage in searched for day in passage.dates if many and day.month and day.day]
    return bool(one.month and one.day) and any(
        face <= apart <= 2 * face + AT_A_WEEKEND
        for told in starts
        for apart in _days_between(told, one)
        for face in many
    )


def _possible_days(told: Date, one: Date) -> tuple[datetime.date, ...]:
    """The day that a stated date is; of one without a year that of a leap year and of another, where the claim's has no year either."""
    years = (told.first,) if told.first or one.first else LEAP_OR_NOT
    days = (day_of(replace(told, first=year, last=year) if told.first is None else told) for year in years)
    return tuple(day for day in days if day is not None)


def _is_day(one: Date, made: datetime.date | None) -> bool:
    """Whether a date is a day of the calendar, as far as it says."""
    return made is not None and (made.month, made.day) == (one.month, one.day) and one.first in (None, made.year)


def _days_and_spans(
    searched: Sequence[Passage], one: Date
) -> tuple[set[tuple[datetime.date, ...]], list[tuple[Number, int]]]:
    """The days that passages have, as a date of a claim may follow from them, and the numbers of days, weeks or months, each with the way it leads."""
    days = {day for passage in searched for told in passage.dates if (day := _possible_days(told, one))}
    spans = [
        (figure, side_of(passage.text[figure.span[1] :]))
        for passage in searched
        for figure in passage.figures
        if figure.dimension == "time" and figure.low >= arithmetic.DAY and not figure.is_range and figure.face % 1 == 0
    ]
    return days, spans


def _led_to(start: datetime.date, span: Number, sign: int) -> datetime.date | None:
    """The day that lies a span of time from another; None where no calendar has it."""
    try:
        if span.scale in (arithmetic.DAY, 7 * arithmetic.DAY):
            return start + datetime.timedelta(sign * round(span.low / arithmetic.DAY))
        months = start.month - 1 + sign * round(span.low / arithmetic.YEAR * 12)
        year, month = start.year + months // 12, months % 12 + 1
        return datetime.date(year, month, min(start.day, calendar.monthrange(year, month)[1]))
    except (ValueError, OverflowError):
        return None


def _moved(one: Date, passage: Passage) -> bool:
    """Whether a day is so many days or weeks from another as one passage says beside it: `on 5 August; an extension of two weeks can be granted`."""
    days = [
        day.face * day.scale / arithmetic.DAY for day in passage.figures if day.dimension == "time" and not day.is_range
    ]
    told = [date for date in passage.dates if date.month and date.day]
    return bool(one.month and one.day) and any(
        abs(apart) == many
        for date in told
        if one.first is None or date.first in (one.first, None)
        for apart in _days_between(date, one)
        for many in days
    )


def _days_between(one: Date, other: Date) -> Iterator[int]:
    """How many days lie between two days of one year, in a leap year or not."""
    for year in LEAP_OR_NOT:
        first, second = (day_of(replace(date, first=year, last=year)) for date in (one, other))
        if first is not None and second is not None:
            yield (second - first).days


def _next_years(text: str) -> Iterator[tuple[Number, int]]:
    """The year that `the year before` and `a year later` lead to."""
    low = text.lower()
    for name, side in (("year_before", -1), ("year_after", 1)):
        if any(phrase in low for phrase in lang.phrases("dates", name)):
            year = float(arithmetic.YEAR)
            yield Number(year, year, 0.0, "time", (0, 0), 1.0, scale=year), side


def _ages(passage: Passage) -> Iterator[tuple[Number, int]]:
    """How many years ago somebody was born who `was nine in 1880`: so many, or one more before the birthday."""
    for figure in passage.figures:
        before = words.words(passage.text[: figure.span[0]])[-1:]
        bare = not figure.dimension and (not figure.noun or figure.noun in words.stop_words())
        if bare and lang.words("ages").intersection(before) and 1 <= figure.face <= OLDEST:
            for years in (figure.face, figure.face + 1):
                yield replace(figure, low=years * arithmetic.YEAR, high=years * arithmetic.YEAR, dimension="time"), -1


def side_of(after: str) -> int:
    """Whether what follows a distance says that it leads later (1), earlier (-1) or neither (0): `two years before the war`."""
    row = words.words(after[:MOST_AFTER])[:2]
    found = (side for word in row for side, name in ((1, "afterwards"), (-1, "beforehand")) if word in lang.words(name))
    return next(found, 0)


def _is_a_value(part: str, index: Index) -> bool:
    """Whether what reads as a year is all that a field says: `timeout_ms: 2000`."""
    return part.isdigit() and any(field.value.strip() == part for _, field in index.fields)


def _in_parts(one: Date, index: Index) -> bool:
    """Whether everything a date says stands in the evidence, if apart: `Inflation (Oct)` in a table's head, the day of each row below its month."""
    if one.month is None or one.first != one.last:
        return False
    names = (name for months in lang.section("dates", "months") for name in months[one.month - 1].split())
    known = forms_of(index)
    named = one.month in known.months or any(index.has(words.stem(name)) for name in names)
    day = not one.day or one.day in known.days or one.day in known.bare
    return named and day and (not one.first or one.first in known.years)
