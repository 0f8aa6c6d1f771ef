"""Which way a difference goes: who took 3 weeks longer, where the first took 2 weeks and the second 5.

>>> from witnessmark.checks.grounding.evidence import ClaimInEvidence, EvidenceSource, Index
>>> index = Index([EvidenceSource("d", "The first run took 2 weeks. The second run took 5 weeks.")])
>>> told = [(passage, passage.figures[0]) for passage in index.passages]
>>> said = ("The second took 3 weeks longer.", "The first took 3 weeks longer.", "It took 3 weeks longer.", "It differs by 3 weeks.")
>>> [goes_that_way(ClaimInEvidence(claim, index), told) for claim in said]
[True, False, None, True]
"""

from __future__ import annotations

from collections.abc import Sequence

from witnessmark.checks.grounding.evidence import ClaimInEvidence, Passage
from witnessmark.checks.grounding.relations.clauses import clauses
from witnessmark.text import lang, words
from witnessmark.text.numbers import Number

Told = tuple[Passage, Number]


def goes_that_way(this: ClaimInEvidence, told: Sequence[Told]) -> bool | None:
    """Whether a claim says of the one of two figures that is more that it is; None where it names neither, True where it says of none."""
    row = frozenset(words.words(this.claim))
    more, less = (not lang.words(name).isdisjoint(row) for name in ("exceeds", "falls_short"))
    if not more and not less:
        return True
    named = [_named(this, one, other) for one, other in (told, told[::-1])]
    if more == less or named[0] == named[1]:
        return None
    mine, theirs = told if named[0] > named[1] else told[::-1]
    return more == (mine[1].low > theirs[1].low)


def tells_rise(claim: str) -> bool | None:
    """Whether a claim says of one thing that it rose (True) or fell (False); None where it tells neither, or compares two.

    >>> [tells_rise(claim) for claim in ("North gained 35.", "South lost 54.", "North gained 35 more than South.", "It has 35.")]
    [True, False, None, None]
    """
    row = frozenset(words.words(claim))
    up = not (lang.words("rising") | lang.words("moved_up")).isdisjoint(row)
    down = not (lang.words("falling") | lang.words("moved_down")).isdisjoint(row)
    compared = not (lang.words("comparing") | lang.words("larger") | lang.words("smaller")).isdisjoint(row)
    return None if up == down or compared else up


def moves_that_way(this: ClaimInEvidence, told: Sequence[Told]) -> bool:
    """Whether of two figures the one of the later year is more where a claim tells a rise, and less where it tells a fall; True where that is unclear."""
    rise = tells_rise(this.claim)
    years = [{day.first for day in passage.dates if day.first == day.last and day.first} for passage, _ in told]
    if rise is None or len(told) != 2 or any(len(found) != 1 for found in years) or years[0] == years[1]:
        return True
    (early, late) = told if min(years[0]) < min(years[1]) else told[::-1]
    return early[1].low == late[1].low or rise == (late[1].low > early[1].low)


def _named(this: ClaimInEvidence, one: Told, other: Told) -> int:
    """How many words of a claim only the clause of one of two figures has."""
    mine, theirs = _clause(*one), _clause(*other)
    return len((mine - theirs).intersection(words.content(this.claim)))


def _clause(passage: Passage, one: Number) -> frozenset[str]:
    spans = ((0, len(passage.text)),) if passage.is_flattened else clauses(passage.text)
    start, end = next((span for span in spans if span[0] <= one.span[0] < span[1]), (0, len(passage.text)))
    return frozenset(words.content(passage.text[start:end]))


__all__ = ["goes_that_way", "moves_that_way", "tells_rise"]
