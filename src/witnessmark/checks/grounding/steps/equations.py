"""A figure that a claim works out before the reader's eyes: `24,000 + 2 × 4,500 = 33,000`. Recomputed, and its parts must be stated.

>>> from witnessmark.text.numbers import figures
>>> claim = "The limit is 24,000 + 2 × 4,500 = 33,000."
>>> shown_working(claim, figures(claim)[-1], figures("24,000, and 4,500 for each further person"))
'24,000 + 2 × 4,500'
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import combinations

from witnessmark.text.digits import ungrouped
from witnessmark.text.numbers import Number, figures
from witnessmark.text.units import magnitudes, units

SMALL = 12
"""A factor up to this needs no source: it counts persons, months or pieces."""
_TERM = r"(?:[€£$]|[A-Z]{3} )?(?<!\d)(?<!\d[,.])\d[\d,.]*+(?: ?(?:%|[^\W\d_]{1,12}))?"
"""A figure from its first digit to its last one: in a row of digits it is sought once, and not from each of them to each."""
_SUM = re.compile(rf"(?P<left>{_TERM}(?: ?[-+−–×x*·/÷] ?{_TERM}){{1,6}}) ?= ?(?P<right>{_TERM})")
_BRACKETED = re.compile(
    rf"(?P<right>{_TERM}(?: million| billion)?) ?\((?P<left>{_TERM}(?: ?[-+−–×x*·/÷] ?{_TERM}){{1,6}})\)"
)
"""The same with the working in brackets behind: `3.1 million (15.0 − 11.9)`."""
_PART = re.compile(rf"(?P<sign>[-+−–×x*·/÷]?) ?(?P<term>{_TERM})")
_NUMBER = re.compile(r"(?P<digits>\d[\d,.]*)(?: ?(?:(?P<share>%)|(?P<word>[^\W\d_]{2,})))?")
_TIMES, _OVER, _LESS = "×x*·", "/÷", "-−–"


def shown_working(claim: str, one: Number, stated: Sequence[Number]) -> str | None:
    """The left side of the equation that a figure stands in, where it comes out and every number in it is stated or a small factor."""
    for found in (*_SUM.finditer(claim), *_BRACKETED.finditer(claim)):
        if found.start() <= one.span[0] < found.end():
            parts = [(part["sign"], _value(part["term"])) for part in _PART.finditer(found["left"])]
            million = _value(found["right"]) / (_value(re.sub(r"[^\d,.]", "", found["right"])) or 1.0) or 1.0
            made, used = _result(parts), _used(parts, stated, million)
            written = re.sub(r"[^\d,.%]", "", found["right"])  # without its million, which a table has in its head
            right = any(abs(made - _value(side)) <= 1e-6 * max(1.0, abs(made)) for side in (found["right"], written))
            kinds = {figure.dimension for figure in (*used, *(figures(found["left"]) if used else ()))}
            if right and used and (one.dimension in kinds | {"", "percent"} or kinds == {""}):  # no miles out of euros
                return found["left"]
    return None


def is_bracketed(claim: str, one: Number) -> bool:
    """Whether a figure has its working in brackets behind it."""
    return any(found.start("right") <= one.span[0] < found.end("right") for found in _BRACKETED.finditer(claim))


def false(claim: str, language: str = "en") -> Iterator[tuple[str, str]]:
    """The right side of each equation that does not come out, at the precision it is written with, and what does.

    >>> list(false("$149 × 12 = $1,688, 10 / 3 = 3.33 and 3 × 20 minutes = 1 hour"))
    [('$1,688', '$149 × 12 is 1788')]
    """
    for found in _SUM.finditer(claim):
        around = claim[: found.start()].rstrip()[-1:], claim[found.end() :].lstrip()[:1]
        grown = claim[max(0, found.start() - 1) : found.start()]
        pointed = language != "en" and _THOUSANDS.search(found[0])
        if grown.isalnum() or any(one and one in _OPERATORS for one in around) or pointed or _mixed(found[0]):
            continue
        made = _result([(part["sign"], _value(part["term"])) for part in _PART.finditer(found["left"])])
        if math.isnan(made):
            continue
        told, slack = _value(found["right"]), _last_place(found["right"])
        if not any(abs(made * scale - told) <= slack + 1e-9 * abs(told) for scale in (1, 100, 0.01)):
            yield _WRITTEN.match(found["right"])[0], f"{found['left']} is {made:.10g}"  # type: ignore[index] # a term begins so


_WRITTEN = re.compile(r"(?:[€£$]|[A-Z]{3} )?\d(?:[\d,.]*\d)?(?: ?%)?")
_OPERATORS = "-+−–×x*·/÷=)^"
_THOUSANDS = re.compile(r"\d\.\d{3}(?!\d)")


def _mixed(equation: str) -> bool:
    """Whether an equation has two units of one kind, hours and minutes: then numbers alone do not tell."""
    found = [units()[word] for word in re.findall(r"[^\W\d_]+", equation.lower()) if word in units()]
    return any(one.dimension == other.dimension and one.factor != other.factor for one, other in combinations(found, 2))


def _last_place(term: str) -> float:
    """Half of the last place that a number is written with; noughts at the end of a whole one may be rounded."""
    found = _NUMBER.search(term)
    digits = ungrouped(found["digits"].rstrip(".,")) if found else "0"
    whole, _, fraction = digits.partition(".")
    place = 10.0 ** (-len(fraction) if fraction else len(whole) - len(whole.rstrip("0")))
    value = abs(_value(term) / float(digits)) if found and float(digits) else 1.0
    return 0.5 * place * value


def _used(parts: Sequence[tuple[str, float]], stated: Sequence[Number], million: float = 1.0) -> list[Number]:
    """The stated figures among some numbers, as such, in per cent, or in millions as what they make; none where one is neither stated nor a small factor."""
    used: list[Number] = []
    for (sign, value), (after, _) in zip(parts, [*parts[1:], ("", 0.0)], strict=True):
        near = 1e-9 * max(1.0, value)
        same = [f for f in stated if any(abs(f.face / scale - value) <= near for scale in (1, 100, million))]
        factor = any(mark and mark in _TIMES + _OVER for mark in (sign, after))
        if not same and not (factor and value in range(SMALL + 1)):
            return []
        used += same
    return used


def _value(term: str) -> float:
    """The number of a term with its million, a comma before three digits taken for a thousands separator; nan where it is none."""
    found = _NUMBER.search(term)
    digits = ungrouped(found["digits"].rstrip(".,")) if found else ""
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
