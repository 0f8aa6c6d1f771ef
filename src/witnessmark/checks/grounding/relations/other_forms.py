"""A figure that the sources have in another form: in millions under a table's head, as a day of a date, an hour of a range, a word.

Says only that it stands there; whether it is said of the right thing is for the rest of the claim.
"""

from __future__ import annotations

import re

from witnessmark.checks.grounding.evidence import Index, Passage
from witnessmark.text import lang, words
from witnessmark.text.numbers import Number

_ORDINAL = re.compile(r"\d{1,2}(?:st|nd|rd|th|\.)?$")
_CLOCK = re.compile(r"\b(?P<hour>[01]?\d|2[0-3])[:.](?P<minutes>[0-5]\d)\b")


def in_another_form(claim: str, one: Number, index: Index) -> Passage | None:
    """The passage that states the figure in another form; None where none does."""
    part = claim[slice(*one.span)]
    return next((passage for passage in index.passages if _scaled(one, passage, index) or _day(part, one, passage) or _hour(claim, one, passage) or _share(one, passage)), None)  # fmt: skip


def _scaled(one: Number, passage: Passage, index: Index) -> bool:
    """`EUR 84.0 million` where a cell says 84.0 and the sources have the word `million`."""
    bare = {end for f in passage.figures if not f.dimension for end in (f.low, f.high)}
    known = [scale for scale, names in _scales().items() if any(map(index.has, names))]
    ends = {one.low, one.high} if one.is_range else {one.face}
    return any(all(any(abs(face * scale - end) <= 1e-9 * end for face in bare) for end in ends) for scale in known)


@lang.derived
def _scales() -> dict[float, frozenset[str]]:
    """The stems of the words for a thousand, a million and a billion."""
    rows = [(float(value), word) for table in lang.tables("scales") for word, value in table.items()]
    return {
        scale: frozenset(words.stem(word) for value, word in rows if value == scale) for scale in {v for v, _ in rows}
    }


def _day(part: str, one: Number, passage: Passage) -> bool:
    """`the 27th` where a date is the 27 October."""
    ordinal = _ORDINAL.match(part) is not None and not part.isdigit()
    return ordinal and any(date.day == one.face for date in passage.dates)


def _hour(claim: str, one: Number, passage: Passage) -> bool:
    """`15:00` where the hours are 15–22."""
    clock = next((m for m in _CLOCK.finditer(claim) if m.start() <= one.span[0] < m.end()), None)
    if clock is None or int(clock["minutes"]):
        return False
    hours = {end for f in passage.figures if f.is_range and not f.dimension for end in (f.low, f.high)}
    return float(clock["hour"]) in hours


def _share(one: Number, passage: Passage) -> bool:
    """`ten per cent` where the source says a tenth."""
    if one.dimension != "percent":
        return False
    row = set(words.words(passage.text))
    return any(word in row and abs(one.face - share) < 1 for word, share in _shares().items())


@lang.derived
def _shares() -> dict[str, float]:
    return {word: float(value) for table in lang.tables("shares") for word, value in table.items()}
