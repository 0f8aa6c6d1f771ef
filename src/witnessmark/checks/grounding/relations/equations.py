"""A figure that a claim works out before the reader's eyes: `24,000 + 2 × 4,500 = 33,000`. Recomputed, and its parts must be stated.

>>> from witnessmark.text.numbers import figures
>>> claim = "The limit is 24,000 + 2 × 4,500 = 33,000."
>>> shown(claim, figures(claim)[-1], figures("24,000, and 4,500 for each further person"))
'24,000 + 2 × 4,500'
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from witnessmark.text.numbers import Number
from witnessmark.text.units import magnitudes

SMALL = 12
"""A factor up to this needs no source: it counts persons, months or pieces."""
_TERM = r"(?:[€£$]|[A-Z]{3} )?\d[\d,.]*\d?(?: ?(?:%|[^\W\d_]{1,12}))?"
_SUM = re.compile(rf"(?P<left>{_TERM}(?: ?[-+−–×x*·/÷] ?{_TERM}){{1,6}}) ?= ?(?P<right>{_TERM})")
_PART = re.compile(rf"(?P<sign>[-+−–×x*·/÷]?) ?(?P<term>{_TERM})")
_NUMBER = re.compile(r"(?P<digits>\d[\d,.]*)(?: ?(?:(?P<share>%)|(?P<word>[^\W\d_]{2,})))?")
_TIMES, _OVER, _LESS = "×x*·", "/÷", "-−–"


def shown(claim: str, one: Number, stated: Sequence[Number]) -> str | None:
    """The left side of the equation that a figure stands in, where it comes out and every number in it is stated or a small factor."""
    for found in _SUM.finditer(claim):
        if found.start() <= one.span[0] < found.end():
            parts = [(part["sign"], _value(part["term"])) for part in _PART.finditer(found["left"])]
            made, used = _result(parts), _used(parts, stated)
            right = abs(made - _value(found["right"])) <= 1e-6 * max(1.0, abs(made))
            kinds = {figure.dimension for figure in used}
            if right and used and (one.dimension in kinds | {"", "percent"} or kinds == {""}):  # no miles out of euros
                return found["left"]
    return None


def _used(parts: Sequence[tuple[str, float]], stated: Sequence[Number]) -> list[Number]:
    """The stated figures among some numbers, as such or in per cent; none where one is neither stated nor a small factor."""
    used: list[Number] = []
    for (sign, value), (after, _) in zip(parts, [*parts[1:], ("", 0.0)], strict=True):
        near = 1e-9 * max(1.0, value)
        same = [f for f in stated if any(abs(f.face / scale - value) <= near for scale in (1, 100))]
        factor = any(mark and mark in _TIMES + _OVER for mark in (sign, after))
        if not same and not (factor and value in range(SMALL + 1)):
            return []
        used += same
    return used


def _value(term: str) -> float:
    """The number of a term with its million, a comma before three digits taken for a thousands separator; nan where it is none."""
    found = _NUMBER.search(term)
    digits = re.sub(r",(?=\d{3}(?!\d))", "", found["digits"].rstrip(".,")).replace(",", ".") if found else ""
    if found is None or digits.count(".") > 1:
        return float("nan")
    return float(digits) / 100 if found["share"] else float(digits) * magnitudes().get(found["word"] or "", 1.0)


def _result(parts: Sequence[tuple[str, float]]) -> float:
    """The sum of the terms, products before sums; nan where it divides by nothing."""
    terms: list[float] = []
    for sign, value in parts:
        if sign and sign in _TIMES + _OVER:
            terms[-1] *= value if sign in _TIMES else 1 / value if value else float("nan")
        else:
            terms.append(-value if sign and sign in _LESS else value)
    return sum(terms)
