"""The number that a string of digits says, with its separators as the language has them or by a power of ten.

>>> digits("1,234", "en"), digits("1,5", "de"), digits("1.2e6", "en")
((1234.0, 1.234, 0.5), (1.5, None, 0.05), (1200000.0, None, 50000.0))
>>> ungrouped("1,200.50"), ungrouped("1,5"), ungrouped("1.200,5"), ungrouped("12,34,567")
('1200.50', '1.5', '1200.5', '1234567')
"""

from __future__ import annotations

import re
import unicodedata

from witnessmark.text import lang
from witnessmark.text.patterns import compiled

WRITTEN = r"\d{1,3}(?:[\u00a0\u202f ]\d{3})+(?!\d)(?:,\d+)?|\d+(?:[.,'’]\d+)*+"
"""A number in digits with whatever separates them: `1,200.50`, `1.200,50`, `1 200`, `1'200`."""
POWERED = r"\d+(?:[.,]\d+)?(?:e[-+]?\d{1,2}(?!\w|[.,]\d)|\s?[×x·*]\s?10(?:\^[-−+]?\d{1,2}|⁻?[⁰¹²³⁴-⁹]{1,2})(?!\d))"
"""A number by a power of ten: `1.2e6`, `4.5 × 10^-3`, `6.02·10²³`."""
_POWER = re.compile(r"\s?(?:e|[×x·*]\s?10\^?)([-−+⁻]?)([\d⁰¹²³⁴-⁹]+)$", re.IGNORECASE)
_ENDING = compiled(r"[^\W\d_]+$|[ºª]$")


def word_step(number: int) -> float:
    """The last place that a round number states: 100 of 1,200, and 1 of 20."""
    step = 1
    while number and number % (step * 10) == 0 and number >= step * 100:
        step *= 10
    return float(step)


def digits(word: str, language: str) -> tuple[float, float | None, float] | None:
    """The number a digit string says, its second reading where there is one, and half of its last stated place."""
    mantissa, power = powered(word)
    if power is not None:
        read = digits(mantissa, language)
        return None if read is None else (read[0] * power, None, read[2] * power)
    plain = _ENDING.sub("", word)
    plain = re.sub(r"[\u00a0\u202f '’]", "", plain)
    commas, points = plain.count(","), plain.count(".")
    if commas and points:
        decimal = "," if plain.rfind(",") > plain.rfind(".") else "."
        return _as_number(plain, decimal, None)
    if commas + points == 0:
        return _as_number(plain, "", None)
    mark = "," if commas else "."
    if commas + points > 1:
        return _as_number(plain, "", None) if all(len(part) == 3 for part in plain.split(mark)[1:]) else None
    is_decimal = mark == lang.language(language).get("decimal", ".")
    three = len(plain.partition(mark)[2]) == 3 and not plain.startswith("0")
    if not three:
        return _as_number(plain, mark, None)
    first, second = (mark, "") if is_decimal else ("", mark)
    return _as_number(plain, first, second)


def _as_number(plain: str, decimal: str, alternative: str | None) -> tuple[float, float | None, float] | None:
    try:
        value, half = _value(plain, decimal)
        return value, (None if alternative is None else _value(plain, alternative)[0]), half
    except ValueError:
        return None


def _value(plain: str, decimal: str) -> tuple[float, float]:
    whole, _, fraction = plain.partition(decimal) if decimal else (plain, "", "")
    digits = re.sub(r"[.,]", "", whole)
    if len(digits) > 15:
        raise ValueError("more digits than a figure has")
    value = float(f"{digits}.{fraction}" if fraction else digits)
    return value, 0.5 * 10.0 ** -len(fraction) if fraction else 0.5 * word_step(int(digits))


def ungrouped(written: str) -> str:
    """A figure as Python writes it, where nothing tells its language: commas between thousands go, a single comma before other than three digits is the point."""
    if "," not in written:
        return written
    whole, _, rest = written.partition(",")
    if rest.isdigit() and (len(rest) != 3 or "." in whole):
        return f"{whole.replace('.', '')}.{rest}"
    return written.replace(",", "")


def powered(word: str) -> tuple[str, float | None]:
    """The number before its power of ten, and that power; None where none is written."""
    found = _POWER.search(word)
    if found is None:
        return word, None
    power = int(unicodedata.normalize("NFKC", found[2]))
    return word[: found.start()], 10.0 ** (-power if found[1] in ("-", "−", "⁻") else power)
