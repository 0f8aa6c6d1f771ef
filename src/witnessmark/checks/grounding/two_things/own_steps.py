"""A figure that one step makes of two others of the same claim, both of which a source has: `41 of 46 (about 89%)`, `10.1; 11.2; +1.1`.

>>> from witnessmark.text.numbers import figures
>>> done, all_of_them, share, wrong = figures("Of 46 bakers 41 stayed, that is 89% or 71%.")
>>> own_step(share, [done, all_of_them]), own_step(wrong, [done, all_of_them])
('41 of 46', None)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

from witnessmark.checks.grounding.arithmetic import ends_of
from witnessmark.text.numbers import HEAT, Number

MOST = 6
"""Figures of a claim from which on some two of them make any other by chance."""
ABOUT = 0.02
MONTHS = 12


def own_step(wanted: Number, others: Sequence[Number]) -> str | None:
    """How a figure follows from two others in one step: a difference, a sum, a share, a change in per cent, a year of months; None where it does not."""
    known = ends_of([one for one in others if not one.worded or one.dimension])
    if wanted.is_range or wanted.worded or len(known) > MOST:
        return None
    slack = max(wanted.half / (wanted.scale or 1.0), ABOUT * wanted.face if wanted.bound == "about" else 0.0)
    slack = min(slack, ABOUT * wanted.face) + 1e-9
    return next((how for how, value in _steps(wanted, known) if abs(value - wanted.face) <= slack), None)


def _steps(wanted: Number, known: Sequence[Number]) -> Iterator[tuple[str, float]]:
    for one, other in permutations(known, 2):
        if not _alike(one, other) or one.face == other.face:
            continue
        a, b = one.face, other.face
        if wanted.dimension == "percent" and a:
            yield f"{b:g} of {a:g}", 100 * b / a
            yield f"{a:g} to {b:g}", 100 * abs(b - a) / a
        if _alike(wanted, one) and a > b:
            yield f"{a:g} − {b:g}", a - b
            yield f"{a:g} + {b:g}", a + b
    yield from ((f"{MONTHS} × {one.face:g}", MONTHS * one.face) for one in known if _is_money(one, wanted))


def _alike(one: Number, other: Number) -> bool:
    """Whether two figures are of one kind: degrees are of every scale, and in a row of a table a unit may stand in its head."""
    heat = {one.dimension, other.dimension} <= HEAT
    return one.scale == other.scale and (
        heat or one.dimension == other.dimension or "" in (one.dimension, other.dimension)
    )


def _is_money(one: Number, wanted: Number) -> bool:
    return one.dimension.startswith("money") and one.dimension == wanted.dimension
