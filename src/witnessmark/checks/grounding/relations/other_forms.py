"""A figure that the sources have in another form: in millions under a table's head, as a day of a date, an hour of a range, a word.

Says only that it stands there; whether it is said of the right thing is for the rest of the claim.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from witnessmark.checks.grounding.evidence import Index, Passage
from witnessmark.text import lang, words
from witnessmark.text.numbers import Number
from witnessmark.text.sentences import Span

_ORDINAL = re.compile(r"\d{1,2}(?:st|nd|rd|th|\.)?$")
_CLOCK = re.compile(r"\b(?P<hour>[01]?\d|2[0-3])[:.](?P<minutes>[0-5]\d)\b")


@dataclass(frozen=True, slots=True)
class StatedForms:
    """What the evidence states, by value, each with a passage that does: looked through once for all figures of a text."""

    figures: tuple[Number, ...]
    bare: Mapping[float, Passage]
    hours: Mapping[float, Passage]
    """The ends of bare ranges."""
    days: Mapping[int, Passage]
    years: frozenset[int | None]


def forms_of(index: Index) -> StatedForms:
    """The forms of the evidence, worked out when first asked for."""
    known = index.kept.get("forms")
    if not isinstance(known, StatedForms):
        told = [(f, passage) for passage in index.passages for f in passage.figures]
        dated = [(date, passage) for passage in index.passages for date in passage.dates]
        known = index.kept["forms"] = StatedForms(
            tuple(f for f, _ in told),
            {_key(end): passage for f, passage in told if not f.dimension for end in (f.low, f.high)},
            {_key(end): passage for f, passage in told if f.is_range and not f.dimension for end in (f.low, f.high)},
            {date.day: passage for date, passage in dated if date.day},
            frozenset(date.first for date, _ in dated),
        )
    return known


def _key(value: float) -> float:
    """A number without what dividing adds at its end."""
    return float(f"{value:.9g}")


def in_another_form(claim: str, one: Number, index: Index) -> Passage | None:
    """The passage that states the figure in another form; None where none does."""
    known, part = forms_of(index), claim[slice(*one.span)]
    return _scaled(one, known, index) or _day(part, one, known) or _hour(claim, one, known) or _share(one, index)


def _scaled(one: Number, known: StatedForms, index: Index) -> Passage | None:
    """`EUR 84.0 million` where a cell says 84.0 and the sources have the word `million`."""
    ends = (one.low, one.high) if one.is_range else (one.face,)
    for scale, names in _scales().items():
        found = [known.bare.get(_key(end / scale)) for end in ends] if any(map(index.has, names)) else [None]
        if None not in found:
            return found[0]
    return None


@lang.derived
def _scales() -> dict[float, frozenset[str]]:
    """The stems of the words for a thousand, a million and a billion."""
    rows = [(float(value), word) for table in lang.tables("scales") for word, value in table.items()]
    return {
        scale: frozenset(words.stem(word) for value, word in rows if value == scale) for scale in {v for v, _ in rows}
    }


def _day(part: str, one: Number, known: StatedForms) -> Passage | None:
    """`the 27th` where a date is the 27 October."""
    ordinal = _ORDINAL.match(part) is not None and not part.isdigit()
    return known.days.get(int(one.face)) if ordinal else None


def _hour(claim: str, one: Number, known: StatedForms) -> Passage | None:
    """`15:00` where the hours are 15–22."""
    clock = next((m for m in _CLOCK.finditer(claim) if m.start() <= one.span[0] < m.end()), None)
    return known.hours.get(float(clock["hour"])) if clock is not None and not int(clock["minutes"]) else None


def _share(one: Number, index: Index) -> Passage | None:
    """`ten per cent` where the source says a tenth."""
    meant = {word for word, share in _shares().items() if one.dimension == "percent" and abs(one.face - share) < 1}
    if not any(index.has(words.stem(word)) for word in meant):
        return None
    return next((passage for passage in index.passages if not meant.isdisjoint(words.words(passage.text))), None)


@lang.derived
def _shares() -> dict[str, float]:
    return {word: float(value) for table in lang.tables("shares") for word, value in table.items()}


def grown_on(claim: str, span: Span, index: Index) -> bool:
    """Whether the sources have the number grown onto the word before it: `badge 4471` for badge4471."""
    before = words.words(claim[: span[0]])[-1:]
    digits = claim[slice(*span)]
    if not before or not digits.isdigit():
        return False
    return re.search(rf"(?<!\w){re.escape(before[0])}{digits}(?!\w)", index.text) is not None
