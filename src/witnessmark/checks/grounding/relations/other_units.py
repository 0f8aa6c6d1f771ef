"""The same number in another unit, currency or range, or for another measure: 110 minutes for 110 hours, 149 euros for 149 dollars."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from witnessmark.checks.grounding.agreement import agrees, comparable
from witnessmark.checks.grounding.evidence import ClaimInEvidence, Passage
from witnessmark.text import lang, words
from witnessmark.text.numbers import Number, figures
from witnessmark.text.units import Unit, units

TEN, THOUSAND = 10.0, 1000.0
_NUMBER = re.compile(r"\d[\d.,]*")


def other_unit(one: Number, near: Sequence[Passage]) -> tuple[Passage, Number] | None:
    """The same number in another unit of the same kind, in a passage near to the claim: 110 minutes for 110 hours, 48.6 million for 48.6 billion."""
    for passage in near:
        for stated in passage.figures:
            large = min(one.scale, stated.scale) >= THOUSAND or bool(one.dimension)
            other = large and comparable(one, stated) and not agrees(one, stated) and stated.scale != one.scale
            other = other and not (one.bound == "over" and stated.low > one.low)  # over 1.6 thousand, if 1.6 million
            if other and _as_said(stated) == _as_said(one) != 1 and not one.is_range and not stated.is_range:
                return passage, stated
    return None


def end_in_other_unit(part: str, near: Sequence[Passage], language: str) -> tuple[Passage, Number] | None:
    """The same for one end of a range or a change: from 256 MB to 512 GB, if it is 512 MB."""
    last = max((found.start() for found in _NUMBER.finditer(part)), default=0)
    told = [one for text in (part[:last], part[last:]) for one in figures(text, language)]
    stated = [f for passage in near for f in passage.figures]
    new = (one for one in told if one.dimension and not any(agrees(one, f) for f in stated))
    return next((other for one in new if (other := other_unit(one, near)) is not None), None)


def other_money(one: Number, passages: Sequence[Passage]) -> tuple[Passage, Number] | None:
    """The same amount in another currency: 149 euros for 149 dollars."""
    if not one.dimension.startswith("money:"):
        return None
    stated = ((p, f) for p in passages for f in p.figures if f.dimension.startswith("money:"))
    return next(((p, f) for p, f in stated if (f.low, f.high) == (one.low, one.high)), None)


def other_end(one: Number, passages: Sequence[Passage]) -> tuple[Passage, Number] | None:
    """A range of which one end is the same and the other is not: from 310 µs to 6.8 s for from 310 ms to 6.8 s."""
    ranges = ((p, f) for p in passages for f in p.figures if one.is_range and f.is_range and comparable(one, f))
    return next(((p, f) for p, f in ranges if (one.low == f.low) != (one.high == f.high)), None)


def _as_said(one: Number) -> float:
    """The number that stands before the unit and the million."""
    return round(one.face if one.dimension == "temperature" else one.low / (one.scale or 1.0), 6)


RATE = re.compile(
    r"\s*(?:per|an?|each|for\s+(?:each|every|an?)|/)\s*(?:(?P<several>\d+)\s+)?(?P<unit>[^\W\d_]+)", re.IGNORECASE
)


def is_basis(claim: str, one: Number) -> bool:
    """Whether a figure only says for how many another one is: the 100 of `6.25 litres per 100 km`."""
    before = words.words(claim[: one.span[0]])[-1:]
    return not lang.words("rates").isdisjoint(before) and one.face >= TEN and math.log10(one.face) % 1 == 0


def is_on_own_basis(this: ClaimInEvidence, one: Number) -> bool:
    """Whether a figure is the basis of a rate, or told for one that no source has: litres per 100 km, where those of the trip are stated."""
    own = [other for other in this.figures if is_basis(this.claim, other)]
    new = (other for other in own if f"{other.face:g}" not in this.index.text)
    return one in own or any(len(this.claim[one.span[1] : other.span[0]].split()) == 1 for other in new)


def is_rated_otherwise(claim: str, one: Number, text: str, stated: Number) -> bool:
    """Whether a figure is a whole multiple of a stated rate for something that the claim does not name: a shift pays 128 euros at 16 an hour."""
    rate = RATE.match(text, stated.span[1])
    times = one.low / stated.low if rate and stated.low else 0.0
    return (
        rate is not None and times > 1 and times % 1 == 0 and words.stem(rate["unit"].lower()) not in words.stems(claim)
    )


def other_rate(this: ClaimInEvidence, one: Number) -> tuple[Passage, Number] | None:
    """The same amount for another measure of the same kind: 2.85 dollars a kilogram for 2.85 dollars a pound."""
    mine = _rate(this.claim, one)
    if mine is None:
        return None
    told = [
        (p, f, rate) for p in this.near for f in p.figures if agrees(one, f) and (rate := _rate(p.text, f)) is not None
    ]
    other = [(p, f) for p, f, rate in told if rate.dimension == mine.dimension and rate.factor != mine.factor]
    return other[0] if other and len(other) == len(told) else None


def _rate(text: str, one: Number) -> Unit | None:
    """What an amount is for: per pound, a day, per 100 MB."""
    found = RATE.match(text, one.span[1]) if one.dimension else None
    unit = units().get(found["unit"].lower()) if found is not None else None
    several = found["several"] if found is not None else None
    return unit._replace(factor=unit.factor * float(several)) if unit is not None and several else unit


def with_rate(text: str, one: Number) -> str:
    """An amount with what it is for, as it is written: `19 euros a year`."""
    found = RATE.match(text, one.span[1])
    return text[one.span[0] : found.end() if found else one.span[1]]
