"""What stands around a number: parts in words (half an hour, two and a half), a minus in signs or words, the unit that a key names."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from witnessmark.text import lang, numerals
from witnessmark.text.units import Unit, currencies, magnitudes, percent, unit_of_key, units

NumberReading = tuple[float, float | None, float, int]
"""A number, its second reading where there is one, half of its last stated place, and where it ends."""
PRECISE, EXACT, DOZEN = 0.05, 0.005, 12
FRACTIONS = "¼½¾⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
"""Parts of one that are written as one sign."""
_FAR, _SHORT, _TEN = 4, 2, 10
_OF_A = frozenset({"-", "a", "an", "of"})
"""What may stand between a part in words and its unit: half an hour, a quarter of a mile."""


class NumberToken(NamedTuple):
    """One word, number or sign in lower case, with its span."""

    text: str
    start: int
    end: int


@lang.derived
def parts() -> dict[str, float]:
    """The words for a part of one, and how much each is."""
    return lang.merged("numbers", "and_a_part")


def fraction(sign: str) -> float:
    """How much of one a sign says: ½."""
    return unicodedata.numeric(sign)


def with_sign(row: Sequence[NumberToken], read: NumberReading) -> NumberReading | None:
    """A number with the fraction or the dozen right after it: `1½`, `2 dozen`; None where neither stands there."""
    value, _, half, end = read
    following = row[end].text if end < len(row) else "-"
    if following in lang.listed("numbers", "dozens"):
        return value * DOZEN, None, half, end + 1
    if following in FRACTIONS and value % 1 == 0:
        return value + fraction(following), None, EXACT, end + 1
    return None


def currency(row: Sequence[NumberToken], at: int) -> tuple[str, int]:
    """The currency that one word or two say at a place, and where it ends; an empty code where none stands there."""
    said, known = [token.text for token in row[at : at + 2]], currencies()
    size = next((size for size in (2, 1) if len(said) >= size and " ".join(said[:size]) in known), 0)
    return known.get(" ".join(said[:size]), ""), at + size


def part_of_unit(row: Sequence[NumberToken], at: int) -> NumberReading | None:
    """`half an hour`, `half-year`, `a quarter of a mile`, `half a million`: a part in words of the unit or magnitude that follows."""
    part = parts().get(row[at].text) if at < len(row) else None
    if part is None:
        return None
    end = at + 1
    while end < len(row) and end - at < _FAR and row[end].text in _OF_A:
        end += 1
    unit = row[end].text if end < len(row) else ""
    between = [token.text for token in row[at + 1 : end]]
    whole = part < 0.5 and between[:1] in (["a"], ["an"])  # four quarters a year
    if whole or between[-1:] == ["of"]:
        return None
    if unit in numerals.number_words("en").small and between:  # half a dozen
        return part * numerals.number_words("en").small[unit], None, 0.5, end + 1
    measured = (unit in units() and len(unit) > _SHORT) or unit in magnitudes()
    return (part, None, PRECISE, end) if measured else None


def unit_and_part(row: Sequence[NumberToken], at: int) -> NumberReading | None:
    """`an hour and a half`: the article counts one of the unit; what follows the unit is added to it later."""
    if row[at].text not in ("a", "an") or at + 1 >= len(row) or row[at + 1].text not in units():
        return None
    return None if and_a_part(row, at + 2) is None else (1.0, None, PRECISE, at + 1)


def and_a_part(row: Sequence[NumberToken], at: int) -> tuple[float, int] | None:
    """What `and a half` or `and three quarters` adds, and where that ends; None where something else stands there."""
    said = [token.text for token in row[at : at + _FAR]]
    if len(said) < 3 or said[0] != "and":
        return None
    count = 1 if said[1] == "a" else numerals.number_words("en").small.get(said[1], _TEN)
    place = 3 if said[2] == "-" and len(said) == _FAR else 2
    part = parts().get(said[place])
    return None if part is None or not 0 < count * part < 1 else (count * part, at + place + 1)


def part_of_last_unit(row: Sequence[NumberToken], after: int, language: str) -> tuple[float, int] | None:
    """The part of the unit just read that is added to it: `two hours and a half`, `dos horas y media`.

    Not where the part is of something else: `two hours and a quarter of the day`, `an hour and a half mile`.
    """
    joined = lang.language(language).get("numbers", {}).get("joined_parts", {})
    pair = " ".join(token.text for token in row[after : after + 2])
    found = (float(joined[pair]), after + 2) if pair in joined else and_a_part(row, after)
    following = row[found[1]].text if found is not None and found[1] < len(row) else ""
    return None if following in _OF_A or following in units() or following in magnitudes() else found


_OPENING = frozenset("=:(|;,/")
_SIGNS = frozenset("()[]\"'-−–+")
"""What may stand between the unit of a key, its colon and the value."""


def is_minus(row: Sequence[NumberToken], at: int) -> bool:
    """A sign grown onto its figure and onto no word or figure before it, or the word where nothing stands that it takes from."""
    before, earlier = row[at - 1], row[at - 2] if at > 1 else None
    if before.text == "minus":
        return earlier is None or not (
            earlier.text[0].isdigit() or earlier.text in units() or earlier.text in percent()
        )
    apart = earlier is None or earlier.end < before.start or earlier.text in _OPENING
    return before.text in "-−–" and before.end == row[at].start and apart


def below_zero(row: Sequence[NumberToken], after: int) -> int:
    """Where `below zero` ends after a number of degrees; `after` where it does not stand there."""
    phrases = {tuple(phrase.split()) for phrase in lang.phrases("numbers", "below_zero")}
    ends = (
        at + len(phrase) for phrase in phrases for at in (after, after + 1) if _texts(row, at, len(phrase)) == phrase
    )
    return max(ends, default=after)


def _texts(row: Sequence[NumberToken], at: int, count: int) -> tuple[str, ...]:
    return tuple(token.text for token in row[at : at + count])


def unit_before(row: Sequence[NumberToken], at: int) -> tuple[str, Unit] | None:
    """What the key before a value is measured in: `timeout_minutes: 45`, `Weight (kg): 12`."""
    key = ["", *(token.text for token in row[max(0, at - 6) : at] if token.text not in _SIGNS)]
    rate = key[-3:-2] == ["/"] or key[-3:-2] in ([word] for word in lang.words("rates"))  # yield (t/ha)
    return unit_of_key(key[-2]) if key[-1] == ":" and not rate else None
