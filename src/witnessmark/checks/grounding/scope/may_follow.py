"""What a figure could be worked out from: then another in its place does not contradict it.

Looser than `arithmetic`, which bears a figure out: any step from two or three stated figures, whatever they are of, and what one of
so many, or so many of one, come to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, combinations

from witnessmark.checks.grounding.agreement import ABOUT, agrees
from witnessmark.checks.grounding.evidence import Passage
from witnessmark.checks.grounding.finding import RuleFinding
from witnessmark.checks.grounding.relations.figure_in_claim import FigureInClaim
from witnessmark.checks.grounding.relations.other_units import RATE, is_rated_otherwise
from witnessmark.checks.grounding.scope.figure_bounds import FAR, off_by
from witnessmark.checks.grounding.steps import arithmetic
from witnessmark.text import lang, words
from witnessmark.text.dates import Date, without_dates
from witnessmark.text.numbers import Number

CONVERTED = (12, 1000, 1 / 1000)
"""Months of a year, milliseconds for seconds: the stated figure is not against such a multiple of it."""
MULTIPLES = (2, 3, 4, 5, 6, 10, 1 / 2, 1 / 3, 1 / 4, 1 / 10)
"""A double portion, half of it: … nor against these, where claim, question or passage has more than the one figure."""


def years_apart(told: Sequence[Date]) -> list[int]:
    """How many years lie between any two years that are told."""
    known = sorted({date.first for date in told if date.first is not None and date.first == date.last})
    return [late - early for early, late in combinations(known[: arithmetic.MOST], 2)]


def comes_to_so_many(this: FigureInClaim, passage: Passage, stated: Number) -> bool:
    """Whether a claim speaks of another number of things than a passage, or of all that it counts in parts, and gives the figure that it comes to for so many."""
    others = (other for other in this.all_of_them if other is not this.one)
    own = [other for other in others if not any(agrees(other, figure) for figure in passage.figures)]
    rated = is_rated_otherwise(this.claim, this.one, passage.text, stated)
    return rated or _of_so_many(this.one, stated, own) or _is_of_all(this, passage)


def _is_of_all(this: FigureInClaim, passage: Passage) -> bool:
    """Whether a claim tells something new of all that a passage counts in parts: 412 finished and 37 did not, so that 449 started."""
    parts = [f.low for f in without_dates(passage.figures, passage.dates) if f.dimension == this.one.dimension]
    new = any(not stem[0].isdigit() and stem not in passage.stems for stem in words.content(this.claim))
    return new and len(parts) > 1 and abs(sum(parts) - this.one.low) <= 1e-9 * abs(this.one.low)


def so_many_at_a_rate(this: FigureInClaim) -> RuleFinding | None:
    """A figure of a claim that brings a number of its own to a stated rate: `a five-day rental covers 900 km` at 180 km a day."""
    one = this.one
    for passage in this.near:
        for rate in passage.figures:
            for other in this.all_of_them:
                many, made = (one, other) if rate.dimension == other.dimension else (other, one)
                fits = made is not many and rate.dimension == made.dimension != many.dimension and many.face % 1 == 0
                if fits and RATE.match(passage.text, rate.span[1]) and agrees(made, _times(rate, many.face)):
                    return RuleFinding(this.rule, "elsewhere", this.part, passage, passage.place(rate.span))
    return None


def _times(rate: Number, many: float) -> Number:
    return replace(rate, low=rate.low * many, high=rate.high * many, face=rate.face * many)


def may_be_right(one: Number, stated: Number, known: Sequence[Number], *, multiple: bool, years: Sequence[int]) -> bool:
    """Whether a figure that differs from the stated one could be worked out from what is there, or lies within a stated bound."""
    known = [f for f in known if f is not one]
    within = (stated.bound == "over" and one.low > stated.low) or (stated.bound == "under" and one.low < stated.low)
    nearly = one.bound == "about" and off_by(one, stated) < FAR
    return within or nearly or _may_follow(one, stated, known, multiple=multiple, years=years)


def _may_follow(
    wanted: Number, rival: Number, stated: Sequence[Number], *, multiple: bool, years: Sequence[int] = ()
) -> bool:
    """Whether a figure could be worked out from two or three stated ones, whatever they are of: then another, the rival, does not contradict it.

    `multiple` says that a simple multiple of the rival may be what was asked for, `years` how far stated years lie apart.
    """
    small = lang.words("hundredths")
    known = arithmetic.ends_of(stated)
    faces = sorted({abs(f.low) / (100 if f.noun in small else 1) for f in known if f.low})[: arithmetic.MOST_THREE]
    share = ABOUT if wanted.bound == "about" else 0.001
    slack = share * abs(wanted.low)
    factors = (*CONVERTED, *MULTIPLES) if multiple else CONVERTED
    if any(
        abs(abs(end.low) * times - abs(wanted.low)) <= slack for end in arithmetic.ends_of([rival]) for times in factors
    ):
        return True
    if wanted.dimension == "percent" and any(abs(100 - face - wanted.low) < 1e-6 for face in faces):
        return True  # what is left of the whole
    two = ({a + b, abs(a - b), a * b} for a, b in combinations(faces, 2))
    three = ({a + b + c, abs(c - a - b)} for a, b, c in combinations(faces, 3))
    for_one = (
        _for_one(faces, years)
        if arithmetic.is_fine(wanted) or wanted.dimension or wanted.face >= arithmetic.LEAST
        else ()
    )
    if any(abs(value - abs(wanted.low)) <= slack for values in chain(two, three, for_one) for value in values):
        return True
    # 1,940,000 cubic metres were fed in and 1,610,000 billed: the second has the unit of the first
    measured = [f.face for f in known if f.dimension and f.dimension == wanted.dimension and f.scale == wanted.scale]
    bare = [f.face for f in known if not f.dimension and f.face > arithmetic.LEAST_BARE]
    pairs = ((a, b) for a in measured for b in bare if wanted.face > arithmetic.LEAST_BARE)
    return any(abs(value - wanted.face) <= share * wanted.face for a, b in pairs for value in (a + b, abs(a - b)))


def _for_one(faces: Sequence[float], years: Sequence[int]) -> Iterator[Sequence[float]]:
    """What figures come to for one of another: the price of a bottle, where a crate of 20 costs 30 and 6 more to send; so many a year."""
    yield from ((a / b, b / a) for a, b in combinations(faces, 2))
    yield from ([a / apart for apart in years if apart] for a in faces)
    for one in faces if len(faces) <= arithmetic.MOST_OWN else ():
        for a, b in combinations([other for other in faces if other != one], 2):
            yield (a + b) / one, abs(a - b) / one, a * b / one


def _of_so_many(wanted: Number, rival: Number, own: Sequence[Number]) -> bool:
    """Whether a figure is so many times another, or such a part of it, as a number of its own claim says: two crates hold 40, where one holds 20."""
    times = (one.face for one in own if one.face)
    return any(
        abs(value - wanted.low) <= 1e-6 * abs(wanted.low) for n in times for value in (rival.low * n, rival.low / n)
    )
