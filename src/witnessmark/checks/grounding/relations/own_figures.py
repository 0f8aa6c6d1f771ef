"""What is false by the figures of a statement itself, whatever any source says: a wrong equation, direction, share or weekday.

>>> [found.part for found in wrong("Revenue fell from 12.1 in Q1 to 15.0 in Q4.")]
['fell']
>>> [found.follows for found in wrong("Users grew from 400 to 500, an increase of 20%.")]
['25%']
>>> list(wrong("Churn fell from 5 % to 3 % by Wednesday, 12 March 2025, and 48 of 50 (96%) stayed."))
[]
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from witnessmark.checks.grounding.steps import equations
from witnessmark.text import lang, words
from witnessmark.text.clock import day_names, times
from witnessmark.text.dates import Date, dates, without_dates
from witnessmark.text.digits import ungrouped
from witnessmark.text.numbers import Number, figures
from witnessmark.text.patterns import compiled

OLDEST_DAY = 1920
"""The year from which on a weekday is counted: before it, two calendars were in use."""
NEAR = 0.05
"""How far a share may be off: what it is worked out from may be rounded."""
POINT = 1.0
_SIGNED = re.compile(r"(?:[-−]|\bminus\s+)\d|\d[:/]\d|#\d|\d(?:st|nd|rd|th)\b", re.IGNORECASE)
"""What is no plain amount: below zero, a time of day, a rank."""
_DIGIT = re.compile(r"\d")
_OPENED = re.compile(r"\s*\((?:i\.\s?e\.,?\s*|=\s*|or\s+)?", re.IGNORECASE)
_CONVERTED = ("time", "length", "mass", "data")
DAY, WEEK = 86_400, 604_800
_INTERVAL = re.compile(r"\b(?:ci|confidence|interval)\b", re.IGNORECASE)


class OwnError(NamedTuple):
    """The words that are wrong, and what follows in their place from the others."""

    part: str
    follows: str


def wrong(claim: str, language: str = "en") -> Iterator[OwnError]:
    """Everything in a statement that its own figures speak against."""
    yield from (OwnError(*one) for one in equations.false(claim, language))
    yield from _weekdays(claim)
    if _DIGIT.search(claim) is not None:
        yield from _changes(claim, language)
        yield from _shares(claim, language)
        yield from _compared(claim, language)
        yield from _converted(claim, language)


def _converted(claim: str, language: str) -> Iterator[OwnError]:
    """An amount in brackets that is not the one before it in another unit: `36 months (four years)`.

    Nothing is said of days beside weeks or hours, since those may be of work, nor of what is more than half or twice as much: that is of something else.
    """
    found = without_dates(figures(claim, language), dates(claim))
    for first, second in pairwise(found):
        between, after = claim[first.span[1] : second.span[0]], claim[second.span[1] : second.span[1] + 1]
        alike = first.dimension == second.dimension in _CONVERTED and first.scale != second.scale
        plain = not (first.is_range or second.is_range or first.bound or second.bound)
        if not (alike and plain and after == ")" and _OPENED.fullmatch(between)):
            continue
        if DAY in (first.scale, second.scale) or WEEK in (first.scale, second.scale):
            continue
        apart = abs(first.low - second.low)
        if max(first.half, second.half) < apart and 0.5 < first.low / (second.low or 1.0) < 2:
            yield OwnError(claim[slice(*second.span)], f"{claim[slice(*first.span)]} is {first.low / second.scale:.3g}")


# --- days ----------------------------------------------------------------------------------------------------------


def _weekdays(claim: str) -> Iterator[OwnError]:
    """A weekday beside a date that falls on another: `Tuesday, 12 March 2025`."""
    for one in dates(claim):
        day = day_of(one)
        named = _weekday_before().search(claim, max(0, one.span[0] - 24), one.span[0])
        named = named or _weekday_after().match(claim, one.span[1])
        if (
            day is not None
            and day.year >= OLDEST_DAY
            and named is not None
            and day_names()[named[1].lower()] != day.weekday()
        ):
            rows = (
                names
                for names in lang.section("dates", "days")
                if any(named[1].lower() in one.split() for one in names)
            )
            yield OwnError(named[1], next(rows)[day.weekday()].split()[0].capitalize())


@lang.derived
def _weekday_before() -> re.Pattern[str]:
    return compiled(rf"\b({lang.either(_long_names())})\b,?\s+(?:the\s+|den\s+|dem\s+|le\s+|el\s+)?$", re.IGNORECASE)


@lang.derived
def _weekday_after() -> re.Pattern[str]:
    return compiled(rf"\s*\((?:an?\s+|ein\s+)?({lang.either(_long_names())})\)", re.IGNORECASE)


def _long_names() -> list[str]:
    """The names of days without their short forms, some of which are other words."""
    return [name for name in day_names() if len(name) > 4 and not name.endswith("days")]


def day_of(one: Date) -> datetime.date | None:
    """The day that a date is, where it says all of it in one way."""
    if not (one.first == one.last and one.first and one.month and one.day) or one.swapped:
        return None
    try:
        return datetime.date(one.first, one.month, one.day)
    except ValueError:
        return None


# --- from one to another -------------------------------------------------------------------------------------------


@lang.derived
def _from_to() -> re.Pattern[str]:
    up, down = (lang.either(lang.words(name)) for name in ("went_up", "went_down"))
    start, end = (lang.either(lang.words(name)) for name in ("change_from", "change_to"))
    return compiled(
        rf"\b(?:(?P<up>{up})|(?P<down>{down}))\b(?P<by>[^.;:()]{{0,40}}?)\s(?:{start})\s+(?P<one>[^;:]{{1,60}}?)\s(?:{end})\s+(?P<other>[^;:]{{1,40}})",
        re.IGNORECASE,
    )


def _changes(claim: str, language: str) -> Iterator[OwnError]:
    """A rise to less and a fall to more, and a change in per cent that is not that of its two ends."""
    for found in _from_to().finditer(claim):
        ends = _ends(found, language)
        if ends is None or not lang.words("not_amounts").isdisjoint(words.words(claim)):
            continue
        one, other = ends
        verb = found["up"] or found["down"]
        if one == other or (other > one) != bool(found["up"]):
            yield OwnError(verb, "no change" if one == other else "a rise" if other > one else "a fall")
        else:
            yield from _in_per_cent(claim, found, one, other, language)


def ends(claim: str, language: str = "en") -> tuple[float, float] | None:
    """The two amounts of the one change that a claim tells; None where it tells none, or several."""
    found = list(_from_to().finditer(claim))
    return _ends(found[0], language) if len(found) == 1 else None


def _ends(found: re.Match[str], language: str) -> tuple[float, float] | None:
    """The two amounts that something changes from and to, in one unit; None where they are not plainly that."""
    texts = (found["one"], found["other"])
    if any(map(_SIGNED.search, texts)) or times(f"from {texts[0]} to {texts[1]}") or _from_to().search(found[0], 1):
        return None
    first, second = (_first_amount(text, language) for text in texts)
    if first is None or second is None or (first.dimension and first.dimension != second.dimension):
        return None
    shared = not first.dimension and first.scale == 1  # from 3 to 5 million
    return (first.face, second.low / (second.scale or 1.0)) if shared else (first.low, second.low)


def _first_amount(text: str, language: str) -> Number | None:
    """The figure that a text begins with, after `about` and the like at most; none where that is a date, a range, or the `week 36`."""
    found = figures(text, language)
    if not found or without_dates(found[:1], dates(text)) != found[:1] or found[0].is_range:
        return None
    before = re.findall(r"[^\W\d_]+", text[: found[0].span[0]])
    return found[0] if lang.words("just_about").issuperset(before) or "".join(before).isupper() else None


def _in_per_cent(claim: str, found: re.Match[str], one: float, other: float, language: str) -> Iterator[OwnError]:
    """The one percentage of a statement, where it is said to be the change itself."""
    shares = [f for f in figures(claim, language) if f.dimension == "percent"]
    if len(shares) != 1 or not one or shares[0].is_range or shares[0].bound in ("over", "under"):
        return
    share = shares[0]
    before, after = claim[max(0, share.span[0] - 30) : share.span[0]], claim[share.span[1] : share.span[1] + 20]
    inside = found.start("by") <= share.span[0] < found.end("by")
    named = share.span[0] >= found.start("other") and (_change_before().search(before) or _change_after().match(after))
    between = words.words(claim[found.start("other") : share.span[0]])
    if not inside and not lang.words("contrast").isdisjoint(between):
        return  # it fell from 148 to 131, although revenue grew by 6%
    right = 100 * abs(other - one) / one
    if (inside or named) and abs(share.face - right) > max(POINT, NEAR * right, 2 * share.half):
        yield OwnError(claim[slice(*share.span)], f"{right:.3g}%")


@lang.derived
def _change_before() -> re.Pattern[str]:
    nouns = lang.either(lang.words("rising") | lang.words("falling"))
    return compiled(rf"(?:\b(?:{nouns})\s+(?:of|by|um|von)\s+(?:\w+\s+)?|\(\s*[-+−]?\s*)$", re.IGNORECASE)


@lang.derived
def _change_after() -> re.Pattern[str]:
    nouns = lang.either(lang.words("rising") | lang.words("falling"))
    return compiled(rf"\s+(?:{nouns})\b", re.IGNORECASE)


def turned(claim: str, texts: Sequence[str], language: str = "en") -> tuple[str, int] | None:
    """The verb of a change whose two ends one of the texts has the other way round, and which text; None where one has them so."""
    if not figures(claim, language):
        return None
    mine = [(found, ends) for found in _from_to().finditer(claim) if (ends := _ends(found, language)) is not None]
    told = [
        (place, ends)
        for place, text in enumerate(texts if mine else ())
        for found in _from_to().finditer(text)
        if (ends := _ends(found, language)) is not None
    ]
    for found, (one, other) in mine if len(mine) == 1 else ():
        where = [place for place, ends in told if ends == (other, one)]
        if where and one != other and all(ends != (one, other) for _, ends in told):
            return found["up"] or found["down"], where[0]
    return None


# --- shares --------------------------------------------------------------------------------------------------------

_SHARE = re.compile(
    r"(?<![\d.,])(?P<part>\d[\d,]*)\s+(?:out\s+)?of\s+(?:the\s+|all\s+)?(?P<whole>\d[\d,]*)(?![\d.]|\s*%)(?P<between>[^.;:()%]{0,60})"
    r"\(\s*(?:or\s+|about\s+|~\s*|i\.e\.,?\s+)?(?P<share>\d+(?:\.\d+)?)\s*%\s*\)",
    re.IGNORECASE,
)


def _shares(claim: str, language: str) -> Iterator[OwnError]:
    """A share in brackets that is not that of the two numbers before it: `48 of 50 were in use (69%)`."""
    for found in _SHARE.finditer(claim) if language == "en" else ():
        part, whole = (float(ungrouped(found[name])) for name in ("part", "whole"))
        share, more = float(found["share"]), re.search(r"\d", found["between"])
        if not whole or part > whole or more or _INTERVAL.search(claim):
            continue
        right = 100 * part / whole
        if abs(share - right) > POINT:
            yield OwnError(f"{found['share']}", f"{right:.3g}%")


# --- more and less -------------------------------------------------------------------------------------------------

_OF_SIZE = frozenset({"", "mass", "length", "area", "volume", "percent", "data"})


def _compared(claim: str, language: str) -> Iterator[OwnError]:
    """Two things with their figures in brackets, of which the smaller is called the larger."""
    found = _than().search(claim)
    told = without_dates(figures(claim, language), dates(claim)) if found else []
    if found is None or len(told) != 2 or not _inside(told, found):
        return
    one, other = told
    side, *kinds = lang.merged("numbers", "comparison")[found["word"].lower()].split()
    kind = one.dimension.partition(":")[0]
    fits = not {"any", kind}.isdisjoint(kinds) or ("size" in kinds and kind in _OF_SIZE)
    plain = not one.is_range and not other.is_range and one.dimension == other.dimension and not _SIGNED.search(claim)
    if plain and fits and one.low != other.low and (one.low > other.low) != (side == "more"):
        yield OwnError(found["word"], "the opposite")


@lang.derived
def _than() -> re.Pattern[str]:
    known = lang.either(lang.merged("numbers", "comparison"))
    return compiled(
        rf"\((?P<one>[^()]{{1,30}})\)\s+[^().;:,]{{0,20}}?\b(?P<word>{known})\s+than\s+[^().;:]{{1,50}}?\((?P<other>[^()]{{1,30}})\)",
        re.IGNORECASE,
    )


def _inside(told: Sequence[Number], found: re.Match[str]) -> bool:
    return all(
        found.start(name) <= one.span[0] < found.end(name) for one, name in zip(told, ("one", "other"), strict=True)
    )
