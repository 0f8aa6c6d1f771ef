"""Whether a claimed figure follows from a stated one: rounding within the precision stated, bounds, ranges, units."""

from __future__ import annotations

import math

from witnessmark.text import lang, words
from witnessmark.text.numbers import HEAT, Number
from witnessmark.text.units import units

SMALL = 12
"""Up to here a whole number may name one of several: zone 2, line 4."""
ABOUT = 0.05
"""How far `about` may be off."""


def comparable(claimed: Number, stated: Number) -> bool:
    """Whether two figures measure the same kind of thing, so that they can contradict each other."""
    levels = lang.words("levels")
    if (claimed.noun in levels) != (stated.noun in levels):
        return False  # how sure an interval is says nothing of how large anything is
    if claimed.dimension or stated.dimension:
        return claimed.dimension == stated.dimension or {claimed.dimension, stated.dimension} == HEAT
    if not counts_things(claimed) and claimed.face % 1 and stated.face <= SMALL and not stated.face % 1:
        return False  # `0.90 until` is no other than the 2 of `zone 2 until`
    return bool(claimed.noun) and claimed.noun.rstrip("s") == stated.noun.rstrip("s")


def agrees(claimed: Number, stated: Number) -> bool:
    """Whether what was claimed follows from what is stated, at the precision of the claim."""
    if claimed.dimension != stated.dimension:
        if claimed.dimension and stated.dimension and {claimed.dimension, stated.dimension} != HEAT:
            both = ((claimed, stated), (stated, claimed))
            return any(_same_in_millions(*pair) or _same_in_pounds(*pair) for pair in both)
        if claimed.negative != stated.negative and not HEAT.isdisjoint((claimed.dimension, stated.dimension)):
            return False  # of other things, a fall of 3 may be stated as -3
        if stated.dimension == "percent" and counts_things(claimed):
            return False  # 40 members are not 40 per cent of them
        if claimed.dimension and not stated.dimension and counts_things(stated):
            return False  # 10 MB are not 10 files; a bare number may be a cell without its unit
        return any(abs(a - b) <= 1e-9 * max(1.0, abs(a)) for a in _faces(claimed) for b in _faces(stated))
    if claimed.is_range or stated.is_range:
        return _ranges_agree(claimed, stated)
    return _same(claimed, stated, claimed.low, stated.low) or _read_otherwise(claimed, stated)


def counts_things(one: Number) -> bool:
    """Whether a bare number counts what the noun after it names."""
    function = words.stop_words() | lang.words("prepositions")
    return not one.dimension and one.noun.isalpha() and one.noun not in function


def same_by_1024(claimed: Number, stated: Number) -> bool:
    """Whether two sizes of data are the same where a thousand may be 1,024: 2 GB and 2,048 MB."""
    if claimed.dimension != "data" or stated.dimension != "data" or not claimed.scale or not stated.scale:
        return False
    apart = round(abs(math.log10(claimed.scale / stated.scale)) / 3)
    low, high = sorted((claimed.low, stated.low))
    return apart in (1, 2) and abs(low * 1.024**apart - high) <= 1e-6 * high


def _faces(figure: Number) -> tuple[float, ...]:
    """What is written: the number, and for `132m` also 132 million, since an m may be either."""
    return (figure.face, 1e6 * figure.face) if figure.dimension == "length" and figure.scale == 1 else (figure.face,)


def _same_in_millions(one: Number, money: Number) -> bool:
    """Whether `132m` is the amount of money that the other is: an m may be either."""
    millions = one.dimension == "length" and one.scale == 1 and money.dimension.startswith("money:")
    return millions and abs(1e6 * one.face - money.low) <= 1e-9 * abs(money.low)


def _same_in_pounds(one: Number, money: Number) -> bool:
    """Whether `75 pounds`, read as a weight, is the amount that `£75` is: pounds may be either."""
    pounds = one.dimension == "mass" and one.scale == units()["pounds"].factor and not one.is_range
    return pounds and money.dimension == "money:GBP" and abs(one.face - money.low) <= 1e-9 * abs(money.low)


def _read_otherwise(claimed: Number, stated: Number) -> bool:
    """Whether the second reading of one is exactly the first of the other: 1.234 in a German source, 1,234 in the claim."""
    return (claimed.other is not None and claimed.other == stated.low) or stated.other == claimed.low


def _ranges_agree(claimed: Number, stated: Number) -> bool:
    slack = claimed.half + 1e-9 * abs(claimed.high)
    if claimed.is_range and not stated.is_range:
        return claimed.low - slack <= stated.low <= claimed.high + slack
    if stated.is_range and not claimed.is_range:
        ends = (stated.low, stated.high)
        near = any(abs(claimed.low - end) <= slack for end in ends)
        return near or (claimed.bound == "about" and stated.low <= claimed.low <= stated.high)
    return abs(claimed.low - stated.low) <= slack and abs(claimed.high - stated.high) <= slack


def _same(claimed: Number, stated: Number, mine: float, theirs: float) -> bool:
    tiny = 1e-9 * max(abs(mine), abs(theirs))
    if abs(mine - theirs) <= tiny or same_by_1024(claimed, stated):
        return True
    if claimed.bound == stated.bound and claimed.bound in ("over", "under"):  # up to 25 is another limit than up to 15
        return abs(mine - theirs) <= max(claimed.half, ABOUT * abs(mine)) + tiny and claimed.half >= stated.half
    if claimed.bound == "over" and stated.bound != "under":
        return mine <= theirs <= mine * 1.5
    if claimed.bound == "under" and stated.bound != "over":
        return mine * 0.5 <= theirs <= mine
    if claimed.worded and not claimed.dimension and not claimed.bound and not stated.bound:
        return False  # what is counted in words is not rounded: two is not 2.5
    slack = max(claimed.half, ABOUT * abs(mine)) if "about" in (claimed.bound, stated.bound) else claimed.half
    # A claim must not be more precise than its source: 12.4 does not follow from 12.
    return abs(mine - theirs) <= slack + tiny and stated.half <= claimed.half + tiny
