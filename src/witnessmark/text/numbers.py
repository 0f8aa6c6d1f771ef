"""Figures in a text: numbers in digits and words, percentages, money, measures, ranges; each with its precision and span.

Separators are read as the language has them; where they could mean two numbers, both are kept. Whether two agree is in
`agreement`, dates are in `dates`.

    >>> [(f.low, f.dimension) for f in figures("It rose 14 % to €1.5 billion, about three hours after 1,200 people left.")]
    [(14.0, 'percent'), (1500000000.0, 'money:EUR'), (10800.0, 'time'), (1200.0, '')]
    >>> figures("knapp 1,2 Mio. Euro", "de")[0].low
    1200000.0
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from witnessmark.text import lang, number_parts, numerals
from witnessmark.text.digits import POWERED, WRITTEN, digits, word_step
from witnessmark.text.number_parts import NumberReading, NumberToken
from witnessmark.text.patterns import compiled
from witnessmark.text.sentences import Span
from witnessmark.text.units import ONLY_WITH_MONEY, Unit, currencies, magnitudes, percent, units
from witnessmark.text.words import words as all_words


@dataclass(frozen=True, slots=True)
class Number:
    """One figure in its base unit. `other` is the second reading where separators allow two."""

    low: float
    high: float
    half: float
    dimension: str
    span: Span
    face: float
    bound: str = ""
    noun: str = ""
    other: float | None = None
    scale: float = 1.0
    worded: bool = False
    negative: bool = False

    @property
    def is_range(self) -> bool:
        """Whether it is stated as from … to …"""
        return self.high != self.low


_TOKEN = compiled(
    rf"us\$|[{number_parts.FRACTIONS}]|[^\W\d_]+[²³]?|{POWERED}|{WRITTEN}(?:(?:st|nd|rd|th|er|e|º|ª)(?![^\W\d_]))?|°[cf]|\S",
    re.IGNORECASE,
)
_DIGIT = compiled(r"\d")
_TYPED_DASH = frozenset({"-", "–", "—"})
_TEN = 10
HEAT = frozenset({"temperature", "degrees"})
_WHOLES = frozenset({*map(float, range(2, 11)), 12.0, 20.0, 50.0, 100.0, 1000.0, 10_000.0})
_ROUGH = 5.0
"""What shares are told as parts of, and how many per cent `one in three` may be off."""
_ARTICLES = ("a", "an")
"""What opens `an hour and a half`."""


@lang.derived
def _bounds() -> dict[tuple[str, ...], str]:
    """What stands before a figure and bounds it, by its one or two words."""
    kinds = ((kind, phrase) for kind in ("about", "under", "over") for phrase in lang.phrases("numbers", kind))
    return {tuple(phrase.split()): kind for kind, phrase in kinds} | {("~",): "about", ("≈",): "about"}


@lang.derived
def _range_words() -> frozenset[str]:
    return _TYPED_DASH | lang.listed("numbers", "range")


@lang.derived
def _joining() -> frozenset[str]:
    """Words between two figures that make a range only after an opener: between 3 and 5."""
    return lang.words("joining") | {"a"}


def tokens(text: str) -> list[NumberToken]:
    """Words, numbers and signs with their spans."""
    return [NumberToken(m.group().lower(), *m.span()) for m in _TOKEN.finditer(text)]


@lang.derived
def _number_words(language: str) -> frozenset[str]:
    """The words that are a number, a scale or a part of one: without one of them and without a digit there is no figure."""
    known = numerals.number_words(language)
    return frozenset((*known.small, *known.scales, *number_parts.parts(), *number_parts.FRACTIONS))


def figures(text: str, language: str = "en") -> list[Number]:
    """Every figure of a text in order. Years and the parts of dates are figures too; `dates` takes them out."""
    return list(figures_of(text, language))


@lang.kept(1024)
def figures_of(text: str, language: str) -> tuple[Number, ...]:
    """Every figure of a text in order, read once: each rule asks for those of the same few texts."""
    opening = _number_words(language)
    if _DIGIT.search(text) is None and opening.isdisjoint(all_words(text)):
        return ()
    row = tokens(_REPEATED.sub(lambda found: _unbracketed(found, opening), text) if "(" in text else text)
    found: list[Number] = []
    at = 0
    while at < len(row):
        word = row[at].text
        if word not in opening and not word[0].isdigit() and word not in _ARTICLES:
            at += 1  # most words: nothing is called for them
            continue
        read = _number(row, at, language)
        if read is None:
            at += 1
            continue
        value, other, half, after = read
        made, at_next = _dressed(row, at, after, (value, other, half), language)
        if (
            found
            and found[-1].dimension in ("", made.dimension)
            and _is_range(row, found[-1], at - (1 if made.span[0] < row[at].start else 0))
        ):
            found[-1] = _joined(found[-1], made)
        else:
            found.append(made)
        at = at_next
    return tuple(found)


_REPEATED = compiled(r"\b([^\W\d_]+) \((\d{1,4})\)(?= [^\W\d_])")


def _unbracketed(found: re.Match[str], opening: Collection[str]) -> str:
    """A number in digits after the same in words, as contracts have it, without its brackets: `thirty-six (36) months` are 36 months."""
    return f"{found[1]}  {found[2]} " if found[1].lower() in opening else found[0]


# --- reading one number ------------------------------------------------------------------------------------------


def _number(row: Sequence[NumberToken], at: int, language: str) -> NumberReading | None:
    word = row[at].text
    if word[0].isdigit():
        read = None if _in_a_name(row, at) else digits(word, language)
        return None if read is None else _with_part(row, (*read, at + 1))
    if word in number_parts.FRACTIONS:
        return number_parts.fraction(word), None, number_parts.EXACT, at + 1
    part = number_parts.part_of_unit(row, at) or number_parts.unit_and_part(row, at)
    if part is not None:
        return part
    if not numerals.is_number(word, language):
        return None
    end = at + 1
    small = numerals.number_words(language).small
    last = min(len(row), at + numerals.MOST_WORDS)
    while end < last and (numerals.is_number(row[end].text, language) or _goes_on(row, end, language)):
        if small.get(row[end - 1].text, _TEN) < _TEN and row[end].text in small:
            break  # the old one two years before
        end += 1
    parts = [token.text for token in row[at:end] if token.text != "-"]
    if len(parts) == 1 and not numerals.stands_alone(parts[0]) and not _one_with_unit(row, at):
        return None
    number = numerals.value(parts, language)
    if number is None:
        return None
    share = number_parts.part_of_unit(row, end)  # three quarters of an hour
    if share is not None:
        return number * share[0], None, share[2], share[3]
    return _with_part(row, (float(number), None, 0.5 * word_step(number), end))


def _with_part(row: Sequence[NumberToken], read: NumberReading) -> NumberReading:
    """`four and a half` is 4.5, `one and three quarters` 1.75, `1½` 1.5, `two dozen` 24."""
    value, other, half, end = read
    sign = number_parts.with_sign(row, read)
    if sign is not None:
        return sign
    part = number_parts.and_a_part(row, end)
    of = magnitudes().get(row[end - 1].text, 1.0)  # a million and a half
    return read if part is None else (value + part[0] * of, other, min(half, number_parts.PRECISE * of), part[1])


def _in_a_name(row: Sequence[NumberToken], at: int) -> bool:
    """`COVID-19`, `Q3`, `U-30`, `4.2.x`: a number grown onto letters is part of a name."""
    before = row[at - 1] if at else None
    after = [token.text for token in row[at + 1 : at + 3]]
    if after == [".", "x"] and row[at].end + 1 == row[at + 2].start:
        return True  # 4.2.x
    if before is None or before.end != row[at].start:
        return False
    if before.text.isalpha():
        return True
    hyphen = before.text == "-" and at >= 2 and row[at - 2].end == before.start
    return hyphen and row[at - 2].text.isalpha() and not numerals.is_number(row[at - 2].text)


def _goes_on(row: Sequence[NumberToken], at: int, language: str) -> bool:
    """`two hundred and six`, `treinta y cinco`, `twenty-five`: what joins the parts of one number."""
    if at + 1 >= len(row) or not numerals.is_number(row[at + 1].text, language):
        return False
    hyphen = row[at].text == "-" and row[at].start == row[at - 1].end
    return hyphen or numerals.joins(row[at].text, row[at - 1].text, language)


def _one_with_unit(row: Sequence[NumberToken], at: int) -> bool:
    """`one hour` and `one million` are figures; `one of them` is not."""
    joined = at + 2 < len(row) and row[at + 1].text == "-"  # a one-day course
    following = row[at + 1 + joined].text if at + 1 < len(row) else ""
    if at and not joined and row[at - 1].text in ("a", "eine", "un"):
        return row[at].text in magnitudes()
    return row[at].text == "one" and (
        number_parts.and_a_part(row, at + 1) is not None
        or _ratio(row, at, 1.0, at + 1, "en") is not None
        or following in magnitudes()
        or (following in units() and len(following) > 2)
        or following in percent()
    )


# --- what stands around it ---------------------------------------------------------------------------------------


def _dressed(
    row: Sequence[NumberToken], at: int, after: int, read: tuple[float, float | None, float], language: str
) -> tuple[Number, int]:
    """The figure with its magnitude, sign, unit or currency, bound and the noun after it."""
    value, other, half = read
    money = currencies().get(row[at - 1].text) if at and row[at - 1].end + 1 >= row[at].start else None
    start = row[at - 1].start if money else row[at].start
    scale, after = _magnitude(row, after, money is not None)
    face = value * scale
    dimension, unit, after = _dimension(row, after, money) if not _before_ordinal(row, at) else ("", Unit(""), after)
    keyed = number_parts.unit_before(row, at) if not dimension else None
    if keyed is not None:
        dimension, unit = keyed
    part = number_parts.part_of_last_unit(row, after, language) if unit.dimension else None
    if part is not None:
        face, after, half = face + part[0] * scale, part[1], min(half, number_parts.PRECISE)
    end = number_parts.below_zero(row, after) if dimension in HEAT else after
    negative = end > after or (at > 0 and number_parts.is_minus(row, at))
    ratio = _ratio(row, at, face, end, language) if not dimension else None
    if ratio is not None:
        face, half, end, dimension = *ratio, "percent"
    after = end
    taken = row[at - 1].text == "minus" and dimension not in HEAT  # income minus 300 of costs
    base = (-face if negative and not taken else face) + unit.offset
    made = Number(
        low=base * unit.factor,
        high=base * unit.factor,
        half=half * scale * unit.factor,
        dimension=dimension,
        span=(start, row[after - 1].end),
        face=face,
        bound=_bound(row, at - (1 if money else 0), after),
        noun=row[after].text if after < len(row) and row[after].text.isalpha() else "",
        other=None if other is None else (other * scale + unit.offset) * unit.factor,
        scale=scale * unit.factor,
        worded=row[at].text[0].isalpha(),
        negative=negative,
    )
    return made, after


def _before_ordinal(row: Sequence[NumberToken], at: int) -> bool:
    """Whether a time of day stands before what is the second of its kind: `06:10 second drop`."""
    clock = at > 1 and row[at - 1].text == ":" and row[at - 2].text.isdigit() and row[at - 2].end == row[at - 1].start
    return clock and at + 1 < len(row) and row[at + 1].text in lang.listed("numbers", "ordinals")


def _ratio(
    row: Sequence[NumberToken], at: int, face: float, after: int, language: str
) -> tuple[float, float, int] | None:
    """`3 in 10` in per cent, how far it may be off and where it ends; not `5 in 10 years`."""
    if row[at].text == "one" and after + 1 < len(row) and row[after + 1].text in lang.listed("numbers", "ratio"):
        after += 1  # one beech in six
    if after + 1 >= len(row) or row[after].text not in lang.listed("numbers", "ratio"):
        return None
    whole = _number(row, after + 1, language)
    if whole is None or whole[0] not in _WHOLES or not 0 < face < whole[0]:
        return None
    measured = _dimension(row, whole[3], None)[0] or _magnitude(row, whole[3], False)[1] > whole[3]
    return None if measured else (100 * face / whole[0], min(50 / whole[0], _ROUGH), whole[3])


def _magnitude(row: Sequence[NumberToken], after: int, money: bool) -> tuple[float, int]:
    word = row[after].text if after < len(row) else ""
    grown_on = row[after].start == row[after - 1].end if word in ONLY_WITH_MONEY else False
    if grown_on and word not in ("k", "bn"):
        grown_on = bool(number_parts.currency(row, after + 1)[0])  # 340m Swiss francs
    if word not in magnitudes() or (word in ONLY_WITH_MONEY and not money and not grown_on):
        return 1.0, after
    skip = (
        2 if after + 1 < len(row) and row[after + 1].text == "." and word in lang.listed("numbers", "shortened") else 1
    )
    if word == "mil" and after + 1 < len(row) and row[after + 1].text == "millones":
        return 1e9, after + 2
    return magnitudes()[word], after + skip


def _dimension(row: Sequence[NumberToken], after: int, money: str | None) -> tuple[str, Unit, int]:
    plain = Unit("")
    if money:
        return f"money:{money}", plain, after
    skip = after + 1 if after < len(row) and row[after].text in ("-", "de", "d", "of") else after
    word = row[skip].text if skip < len(row) else ""
    pair = f"{word} {row[skip + 1].text}" if skip + 1 < len(row) else ""
    if word in percent() or pair in percent():
        return "percent", plain, skip + (1 if word in percent() else 2)
    before_another = skip + 1 < len(row) and row[skip].end == row[skip + 1].start and row[skip + 1].text[0].isdigit()
    code, end = number_parts.currency(row, skip)
    if code and not before_another:
        return f"money:{code}", plain, end
    if pair in units() and skip == after:
        return units()[pair].dimension, units()[pair], skip + 2
    if word in units() and (skip == after or row[after].text == "-"):
        return units()[word].dimension, units()[word], skip + 1
    return "", plain, after


def _bound(row: Sequence[NumberToken], at: int, after: int) -> str:
    one = row[at - 1].text if at >= 1 else ""
    two = (row[at - 2].text, one) if at >= 2 else ("", one)
    if after < len(row) and row[after].text == "+":
        return "over"
    if at >= 3 and row[at - 3].text in lang.words("adding"):
        return ""  # what adds up to 15 is 15
    bounds = _bounds()
    return bounds.get(two) or bounds.get((one,), "")


def _is_range(row: Sequence[NumberToken], last: Number, at: int) -> bool:
    """Whether the number at `at` is the upper end of the one before it."""
    between = row[at - 1]
    if (
        not last.dimension
        and last.span[1] - last.span[0] == 4
        and 1000 <= last.face <= 2100
        and between.text not in _TYPED_DASH
    ):
        return False  # in 2021 to £54 million: a year is no lower end
    if at < 2 or between.text not in _range_words() or last.is_range or last.span[1] != row[at - 2].end:
        return False
    before = next((row[place].text for place in range(at - 2, -1, -1) if row[place].end <= last.span[0]), "")
    if before in lang.words("by_so_much"):
        return False  # raised by £6 to £54
    if between.text in _joining():
        return before in lang.listed("numbers", "range_open") or (between.text == "a" and before == "de")
    return between.text not in _TYPED_DASH or last.face < 3000


def _joined(low: Number, high: Number) -> Number:
    """Two ends of a range as one figure; the unit of the upper end holds for both where the lower has none."""
    bare = not low.dimension or low.dimension.startswith("money:")  # $5 to $10 million; 10 seconds to 24 hours has both
    start = low.face * high.scale if bare and low.scale == 1.0 and low.dimension in ("", high.dimension) else low.low
    first, last = min(start, high.high), max(start, high.high)
    span = (low.span[0], high.span[1])
    return Number(first, last, high.half, high.dimension, span, low.face, low.bound, high.noun)
