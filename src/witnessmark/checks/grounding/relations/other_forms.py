"""A figure that the sources have in another form: in millions under a table's head, as a day of a date.

Says only that it stands there; whether it is said of the right thing is for the rest of the claim.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from witnessmark.checks.grounding.evidence import Index, Passage
from witnessmark.text import lang, words
from witnessmark.text.numbers import Number
from witnessmark.text.units import currencies, magnitudes

_ORDINAL = re.compile(r"\d{1,2}(?:st|nd|rd|th|\.)?$")


@dataclass(frozen=True, slots=True)
class StatedForms:
    """What the evidence states, by value, each with a passage that does: looked through once for all figures of a text."""

    figures: tuple[Number, ...]
    bare: Mapping[float, Passage]
    days: Mapping[int, Passage]
    months: frozenset[int | None]
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
            {date.day: passage for date, passage in dated if date.day},
            frozenset(date.month for date, _ in dated),
            frozenset(date.first for date, _ in dated),
        )
    return known


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
        told = any(map(index.has, names)) or scale in _marked(index)
        found = [known.bare.get(_key(end / scale)) for end in ends] if told else [None]
        if None not in found:
            return found[0]
    return None


@lang.derived
def _mark() -> re.Pattern[str]:
    money = lang.either(sorted(currencies(), key=len, reverse=True))
    short = lang.either(sorted(magnitudes(), key=len, reverse=True))
    return re.compile(rf"(?<![^\W\d_])(?:{money})\s?(?P<scale>{short}|['’]?000)(?![^\W_])", re.IGNORECASE)


def _marked(index: Index) -> frozenset[float]:
    """What the heads of the evidence say its amounts are counted in, beside a currency: `(EUR m)`, `$bn`, `€ '000`."""
    kept = index.kept.get("marked scales")
    if not isinstance(kept, frozenset):
        found = (one["scale"].lower() for passage in index.passages for one in _mark().finditer(passage.text))
        kept = index.kept["marked scales"] = frozenset(magnitudes().get(word, 1e3) for word in found)
    return kept


def _share(one: Number, known: StatedForms) -> Passage | None:
    """`20 %` where the sources have a rate of 0.2."""
    passage = known.bare.get(_key(one.low / HUNDRED)) if one.dimension == "percent" else None
    return passage if passage is not None and _of_shares(passage) else None


def as_share(one: Number, stated: Number, passage: Passage) -> bool:
    """Whether a percentage is the share that a passage gives as a part of one: 20 % and a `tax_rate` of 0.2."""
    part = one.dimension == "percent" and not stated.dimension and 0 < stated.low <= 1 and not one.is_range
    return part and _key(one.low / HUNDRED) == _key(stated.low) and _of_shares(passage)


def _of_shares(passage: Passage) -> bool:
    return not _share_words().isdisjoint(words.words(passage.text.replace("_", " ")))


HUNDRED = 100.0
_share_words = lang.derived(lambda: lang.words("shares"))


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
