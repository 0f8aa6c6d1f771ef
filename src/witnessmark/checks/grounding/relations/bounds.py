"""At least and at most: the same figure, bounded from the other side."""

from __future__ import annotations

from collections.abc import Sequence

from witnessmark.checks.grounding import wording
from witnessmark.checks.grounding.evidence import SAYS_IT, Index, Passage, likeness
from witnessmark.text import words
from witnessmark.text.numbers import Number

_OTHER = {"over": "under", "under": "over"}


def other_bound(
    claim: str, one: Number, near: Sequence[tuple[float, Passage]], index: Index
) -> tuple[Passage, Number] | None:
    """The figure that a passage, which says the same otherwise, bounds from the other side; None where any has it as the claim does."""
    mine = _bound(claim, one)
    if not mine:
        return None
    alike = [
        (passage, figure)
        for _, passage in near
        for figure in passage.figures
        if (figure.low, figure.high, figure.dimension) == (one.low, one.high, one.dimension)
    ]
    if not alike or any(_bound(passage.text, figure) != _OTHER[mine] for passage, figure in alike):
        return None
    return next(((p, figure) for p, figure in alike if likeness(claim, p, index) >= SAYS_IT), None)


def _bound(text: str, one: Number) -> str:
    """`over` or `under`, turned by a denial right before it (`no more than`); empty where something else is denied, or nothing bounds it."""
    before = words.words(text[: one.span[0]])
    if one.bound in _OTHER and set(before[-3:-2]) & wording.negations():
        return _OTHER[one.bound]
    return one.bound if one.bound in _OTHER and not wording.denies(text) else ""
