"""A figure that the sources have in another form: in millions under a table's head, as a day of a date.

Says only that it stands there; whether it is said of the right thing is for the rest of the claim.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace

from witnessmark.checks.grounding.agreement import agrees
from witnessmark.checks.grounding.evidence import Index, Passage, once
from witnessmark.text import lang, words
from witnessmark.text.numbers import Number
from witnessmark.text.units import currencies, magnitudes, units

LEAST_SCALED = 1000.0
SMALL = 12
"""Up to here a bare number may count anything."""
_ORDINAL = re.compile(r"\d{1,2}(?:st|nd|rd|th|\.)?$")


@dataclass(frozen=True, slots=True)
class StatedForms:
    """What the evidence states, by value, each with a passage that does: looked through once for all figures of a text."""

    figures: tuple[Number, ...]
    bare: Mapping[float, Passage]
    days: Mapping[int, Passage]
    months: frozenset[int | None]
    years: frozenset[int | None]


@once
def forms_of(index: Index) -> StatedForms:
    """The forms of the evidence."""
    told = [(f, passage) for passage in index.passages for f in passage.figures]
    dated = [(date, passage) for passage in index.passages for date in passage.dates]
    return StatedForms(
        tuple(f for f, _ in told),
        {_key(end): passage for f, passage in told if not f.dimension for end in (f.low, f.high)},
        {date.day: passage for date, passage in dated if date.day},
        frozenset(date.month for date, _ in dated),
        frozenset(date.first for date, _ in dated),
    )


def _key(value: float) -> float:
    """A number without what dividing adds at its end."""
    return float(f"{value:.9g}")


def in_another_form(claim: str, one: Number, index: Index) -> Passage | None:
    """The passage that states the figure in another form; None where none does."""
    known, part = forms_of(index), claim[slice(*one.span)]
    return _scaled(one, known, index) or _day(part, one, known) or _share(one, known)


def _scaled(one: Number, known: StatedForms, index: Index) -> Passage | None:
    """`EUR 84.0 million` where a cell says 84.0 and the sources have the word `million`."""
    ends = (one.low, one.high) if one.is_range else (one.face,)
    for scale, names in _scales().items():
        told = any(map(index.has, names)) or any(scale in scales for scales in _marked(index).values())
        found = [known.bare.get(_key(end / scale)) for end in ends] if told else [None]
        if None not in found:
            return found[0]
    return None


@lang.derived
def _mark() -> re.Pattern[str]:
    money = lang.either(sorted(currencies(), key=len, reverse=True))
    short = lang.either(sorted(magnitudes(), key=len, reverse=True))
    whole = lang.either({word for table in lang.tables("scales") for word in table})
    code = rf"(?-i:[A-Z]{{3}})\s(?P<coded>{whole})"  # NOK million
    counted = rf"(?:{lang.either(lang.words('counted_in'))})\s(?P<word>{whole})"  # in thousands
    return re.compile(
        rf"(?<![^\W\d_])(?:(?:{money})\s?(?P<scale>{short}|['’]?000)|{code}|{counted})(?![^\W_])", re.IGNORECASE
    )


@once
def _marked(index: Index) -> Mapping[str, frozenset[float]]:
    """What the heads of each source say its amounts are counted in: `(EUR m)`, `$bn`, `€ '000`, `NOK million`, `in thousands`."""
    known = magnitudes() | {word: float(value) for table in lang.tables("scales") for word, value in table.items()}
    found: dict[str, set[float]] = defaultdict(set)
    for passage in index.passages:
        for one in _mark().finditer(passage.text):
            found[passage.source].add(known.get((one["scale"] or one["coded"] or one["word"]).lower(), 1e3))
    return {source: frozenset(scales) for source, scales in found.items()}


def in_head_unit(one: Number, passage: Passage, index: Index) -> Number | None:
    """The figure of a passage that is this one with the million which stands in a head: 4,830 under `NOK million` is 4,830 million."""
    scales = _marked(index).get(passage.source, frozenset()) if abs(one.low) >= LEAST_SCALED else ()
    bare = [f for f in passage.figures if f.dimension in ("", one.dimension) and f.scale == 1.0] if scales else []
    plain = replace(one, other=None)  # 4,200 billion is no 4.2 billion
    return next((f for f in bare for scale in scales if agrees(plain, times_over(f, scale, one.dimension))), None)


def times_over(one: Number, scale: float, dimension: str = "") -> Number:
    """A figure so many times over: in millions."""
    low, high, half, face = (scale * value for value in (one.low, one.high, one.half, one.face))
    return replace(one, low=low, high=high, half=half, face=face, dimension=dimension, scale=scale, other=None)


def stated_in_head_unit(one: Number, index: Index) -> Passage | None:
    """The passage that has exactly this figure with the million of its head."""
    scales = {scale for scales in _marked(index).values() for scale in scales} if one.low >= LEAST_SCALED else ()
    return next((p for scale in scales if (p := forms_of(index).bare.get(_key(one.low / scale)))), None)


def before_its_unit(one: Number, passage: Passage) -> Number | None:
    """The figure of a passage that has a word between itself and the unit of this one: 5 days of `up to 5 unused days`."""
    for stated in passage.figures if one.dimension and not one.is_range else ():
        between, *after = words.words(passage.text[stated.span[1] :])[:2] or ("",)
        unit = units().get(after[0]) if after else None
        same = unit is not None and (unit.dimension, unit.factor) == (one.dimension, one.scale)
        plain = stated.noun == between and not lang.words("measuring") & {between} and between not in words.stop_words()
        if same and plain and not stated.dimension and stated.face == one.face:
            return stated
    return None


def in_words_of_unit(one: Number, index: Index) -> Passage | None:
    """The passage with a bare number that is this figure in a unit which the sources name apart from it: 300 for five minutes, where `interval is given in seconds`."""
    if not one.dimension or one.is_range or one.dimension.startswith("money:"):
        return None
    alike = ((name, unit) for name, unit in units().items() if unit.dimension == one.dimension and len(name) > 2)
    sizes = {unit.factor for name, unit in alike if unit.factor != one.scale and index.has(words.stem(name))}
    values = (one.low / size for size in sizes)
    return next((known for value in values if value > SMALL and (known := forms_of(index).bare.get(_key(value)))), None)


def _share(one: Number, known: StatedForms) -> Passage | None:
    """`20 %` where the sources have a rate of 0.2."""
    passage = known.bare.get(_key(one.low / HUNDRED)) if one.dimension == "percent" else None
    return passage if passage is not None and _of_shares(passage) else None


def as_share(one: Number, stated: Number, passage: Passage) -> bool:
    """Whether a percentage is the share that a passage gives as a part of one: 20 % and a `tax_rate` of 0.2."""
    part = one.dimension == "percent" and not stated.dimension and 0 < stated.low <= 1 and not one.is_range
    return part and _key(one.low / HUNDRED) == _key(stated.low) and _of_shares(passage)


def _of_shares(passage: Passage) -> bool:
    return not lang.words("shares").isdisjoint(words.words(passage.text.replace("_", " ")))


HUNDRED = 100.0


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
