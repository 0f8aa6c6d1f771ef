"""A figure that a claim works out before the reader's eyes: `24,000 + 2 × 4,500 = 33,000`. Recomputed, and its parts must be stated.

>>> from witnessmark.text.numbers import figures
>>> claim = "The limit is 24,000 + 2 × 4,500 = 33,000."
>>> shown(claim, figures(claim)[-1], figures("24,000, and 4,500 for each further person"))
'24000 + 2 × 4500'
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
_DIGITS = re.compile(r"\d[\d,.]*")
_WORD = re.compile(r"[^\W\d_]{2,}$")
_TIMES, _OVER, _LESS = "×x*·", "/÷", "-−–"


def shown(claim: str, one: Number, stated: Sequence[Number]) -> str | None:
    """How the claim itself works the figure out, where that is right and every number in it is stated or a small factor; None otherwise."""
    result = one.face / 100 if one.dimension == "percent" else one.face
    for found in _SUM.finditer(claim):
        if found.start("right") <= one.span[0] < found.end("right"):
            parts = _parts(found["left"])
            used = _used(parts, result, stated)
            kinds = {figure.dimension for figure in used}
            if used and (one.dimension in kinds | {"", "percent"} or kinds == {""}):  # no kilometres out of euros
                return "".join(f" {sign} {value:g}" if sign else f"{value:g}" for sign, value in parts)
    return None


def is_factor(claim: str, one: Number, stated: Sequence[Number]) -> bool:
    """Whether a figure is a small factor of something that the claim works out rightly: the 2 of `2 × 4,500 = 9,000`."""
    return one.face in range(SMALL + 1) and any(
        found.start("left") <= one.span[0] < found.end("left")
        and bool(_used(_parts(found["left"]), _value(found["right"]), stated))
        for found in _SUM.finditer(claim)
    )


def _parts(left: str) -> list[tuple[str, float]]:
    return [(part["sign"], _value(part["term"])) for part in _PART.finditer(left)]


def _used(parts: Sequence[tuple[str, float]], result: float, stated: Sequence[Number]) -> list[Number]:
    """The stated figures that lead to a result; none where it is another, or where a part is neither stated nor a small factor."""
    made = _result(parts)
    if made is None or not abs(made - result) <= 1e-6 * max(1.0, abs(made)):
        return []
    used: list[Number] = []
    for (sign, value), (after, _) in zip(parts, [*parts[1:], ("", 0.0)], strict=True):
        same = [figure for figure in stated if _is(figure, value)]
        factor = any(mark and mark in _TIMES + _OVER for mark in (sign, after))
        if not same and not (factor and value in range(SMALL + 1)):
            return []
        used += same
    return used


def _value(term: str) -> float:
    """The number of a term with its million, a comma before three digits taken for a thousands separator."""
    found = _DIGITS.search(term)
    digits = re.sub(r",(?=\d{3}(?!\d))", "", found.group().rstrip(".,")) if found else "0"
    try:
        value = float(digits.replace(",", "."))
    except ValueError:
        return float("nan")
    word = _WORD.search(term)
    return value / 100 if "%" in term else value * (magnitudes().get(word.group(), 1.0) if word else 1.0)


def _is(figure: Number, value: float) -> bool:
    """Whether a stated figure is this number, as such or in per cent."""
    near = 1e-9 * max(1.0, value)
    return any(abs(figure.face / scale - value) <= near for scale in (1, 100))


def _result(parts: Sequence[tuple[str, float]]) -> float | None:
    """The sum of the terms, products before sums; None where it divides by nothing."""
    terms: list[float] = []
    for sign, value in parts:
        if sign and sign in _TIMES:
            terms[-1] *= value
        elif sign and sign in _OVER:
            if not value:
                return None
            terms[-1] /= value
        else:
            terms.append(-value if sign and sign in _LESS else value)
    return sum(terms)
