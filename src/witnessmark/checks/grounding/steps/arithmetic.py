"""Figures that no source states and that follow from those it does, by one step.

A sum, a difference, a product, a ratio, a share, days between two dates. Pure; says from what it follows and nothing about
whether the words around it are right.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, combinations, pairwise

from witnessmark.checks.grounding.agreement import ABOUT
from witnessmark.text import lang, words
from witnessmark.text.dates import Date
from witnessmark.text.numbers import Number

MOST = 24
"""Figures a result may be sought among; with more of them something always fits by chance."""
LEAST, LEAST_BARE = 5.0, 10.0
"""A smaller whole number is met by chance too often to mean anything, unless it counts days between dates; so is one without a unit."""
NOT_ADDED = frozenset({"temperature", "degrees"})
_YEARS = (2000, 2001)
"""A leap year and another."""


LEAST_PRODUCT = 10.0
"""The smallest product of two figures, whatever they are of, that is not met by chance."""
YEAR, MONTH, DAY = 31_557_600, 2_629_800, 86_400
SAME_YEAR = 0.01
"""Years that two distances may differ by: one of days or months is not exactly so many years."""
MOST_OWN = 6
"""Figures of a sentence from which on some two of them make any other."""
MOST_PASSAGES = 12
"""Sentences up to which all of the evidence is searched for figures that add up; of more, those nearest to the claim."""
MOST_IN_A_ROW = 8
MOST_THREE = 12
"""Figures among which three are put together: only where the claim says that it adds up, since more of them fit by chance."""


def says_so(claim: str) -> bool:
    """Whether a claim says that its figure is worked out: in total, all told, the difference, a daily dose."""
    row = words.words(claim)
    return not _summing().isdisjoint(row) or not _summing().isdisjoint(map(" ".join, pairwise(row)))


def compares(claim: str) -> bool:
    """Whether a claim speaks of a change, a difference or a span, so that its figure may be worked out; a bare number is not."""
    row = words.words(claim)
    bounds = {place for place, pair in enumerate(pairwise(row)) if " ".join(pair) in _bounding()}  # up to 15
    comparing = lang.listed("numbers", "compared")
    return says_so(claim) or any(word in comparing for place, word in enumerate(row) if place not in bounds)


@lang.derived
def _bounding() -> frozenset[str]:
    """The pairs of words that bound a figure and compare nothing: `up to`, unlike `more than`."""
    bounds = lang.phrases("numbers", "under", "over")
    return frozenset(phrase for phrase in bounds if phrase.split()[-1] not in lang.words("comparing"))


def compared_by(claim: str, figure: Number) -> bool:
    """Whether a figure is how much more or less something is: `$8 more`, `3 kg lighter`, `26 minutes late`."""
    after = words.words(claim[figure.span[1] :])[:1]
    return not (lang.words("by_how_much") | lang.listed("numbers", "difference_after")).isdisjoint(after)


def tells_difference(claim: str, figure: Number) -> bool:
    """Whether a figure says how far two things lie apart: `$8 more`, `won by 3 points`."""
    before = words.words(claim[: figure.span[0]])[-1:]
    return compared_by(claim, figure) or not lang.listed("numbers", "difference_before").isdisjoint(before)


def tells_change(claim: str, figure: Number) -> bool:
    """Whether a figure says how much more or less something is or became: `$8 more`, `up by $8`; French `de 4 semaines` alone does not."""
    moves = lang.words("rising") | lang.words("falling")
    return compared_by(claim, figure) or (tells_difference(claim, figure) and not moves.isdisjoint(words.words(claim)))


def multiplies(claim: str) -> bool:
    """Whether a claim says that its figure is a multiple or a sum of others: double, half of, in total."""
    return says_so(claim) or not _multiples().keys().isdisjoint(words.words(claim))


def multiplied(text: str, wanted: Number, stated: Number) -> bool:
    """Whether a text says that a figure of it is to be taken so many times as make another: `48,000 eggs twice a week` are 96,000."""
    times = (value for word, value in _multiples().items() if word in words.words(text))
    return any(abs(stated.low * value - wanted.low) <= 1e-6 * abs(wanted.low) for value in times)


@lang.derived
def _summing() -> frozenset[str]:
    """The words and pairs of words that say it."""
    pairs = lang.phrases("numbers", "worked_out_pairs")
    return lang.listed("numbers", "worked_out").union(pairs)


def way(claim: str, wanted: Number, stated: Sequence[Number], told: Sequence[Date]) -> str | None:
    """How one figure of a claim follows from stated figures and dates; None where it does not."""
    share = wanted.dimension == "percent" and claim[wanted.span[1] :].lstrip().startswith("of ")
    apart = tells_difference(claim, wanted)
    if wanted.dimension in ("", "percent") and not share and not is_fine(wanted) and not compares(claim) and not apart:
        return None
    usable = [_in_unit_of(wanted, figure) for figure in ends_of(stated)[:MOST]]
    days = [date for date in told if date.month and date.day][:MOST]
    found = _way(claim, wanted, usable, days) or _years(wanted, told) or _in_a_row(wanted, stated)
    if found is None and (says_so(claim) or is_fine(wanted)) and wanted.face >= LEAST:
        ways = _of_three(wanted, usable[:MOST_THREE])
        found = next((how for how, value in ways if abs(value - wanted.face) <= _slack(wanted)), None)
    return found


def _in_unit_of(wanted: Number, figure: Number) -> Number:
    """A figure of the same kind as another, in the unit of that one: 3 hours among minutes are 180."""
    alike = figure.dimension == wanted.dimension != "" and figure.dimension not in NOT_ADDED
    return replace(figure, face=abs(figure.low) / wanted.scale) if alike and figure.scale != wanted.scale else figure


def is_fine(wanted: Number) -> bool:
    """Whether a figure has a fraction: two of them are hardly the same by chance."""
    return wanted.face != int(wanted.face) and not wanted.worded


LEAST_IN_A_ROW = 4


def _in_a_row(wanted: Number, stated: Sequence[Number]) -> str | None:
    """Four or more figures of one kind that stand in a row and add up: the steps of a recipe.

    Smaller ones between them may number something, and then all of the others add up: `148 in year 6, 139 in year 7`.
    """
    alike = [figure for figure in stated if figure.dimension == wanted.dimension and not figure.is_range][:MOST]
    for least in sorted({figure.low for figure in alike}):
        rest = [figure for figure in alike if figure.low > least]
        if len(rest) >= LEAST_IN_A_ROW and abs(sum(figure.low for figure in rest) - wanted.low) <= 1e-6 * wanted.low:
            return " + ".join(f"{figure.face:g}" for figure in rest)
    for start in range(len(alike)):
        total = sum(figure.low for figure in alike[start : start + 3])
        for end in range(start + 4, min(len(alike), start + MOST_IN_A_ROW) + 1):
            total += alike[end - 1].low
            if wanted.face >= LEAST_BARE and abs(total - wanted.low) <= 1e-6 * wanted.low:
                return " + ".join(f"{figure.face:g}" for figure in alike[start:end])
    return None


def _years(wanted: Number, told: Sequence[Date]) -> str | None:
    """Years between two dates, and ages: a bare number or one of years; whole months between two days."""
    if wanted.dimension not in ("", "time") or (wanted.dimension == "" and wanted.face < LEAST):
        return None
    mine = wanted.low / YEAR if wanted.dimension == "time" else wanted.face
    dated = [date for date in told if date.first is not None and date.first == date.last][:MOST]
    for one, other in combinations(dated, 2):
        early, late = sorted((one, other), key=lambda date: (date.first or 0, date.month or 0, date.day or 0))
        apart = (late.first or 0) - (early.first or 0)
        short = bool(early.month and late.month) and (late.month or 0, late.day or 0) < (
            early.month or 0,
            early.day or 0,
        )
        if apart and abs(mine - (apart - short)) < SAME_YEAR:
            return f"{late.first} − {early.first}"
        if early.day and early.day == late.day and early.month and late.month and wanted.scale == MONTH:
            months = 12 * apart + late.month - early.month
            if abs(wanted.face - months) < SAME_YEAR:
                return f"{late.day}.{late.month}.{late.first} − {early.day}.{early.month}.{early.first}"
    return None


def year_apart(wanted: Date, distances: Sequence[tuple[Number, int]], told: Sequence[Date]) -> str | None:
    """How a year follows from a stated one and a distance in years, which leads later (1), earlier (-1) or either way (0); None where it does not."""
    if wanted.month or wanted.first is None or wanted.first != wanted.last:
        return None
    for year in sorted({date.first for date in told if date.first is not None and date.first == date.last}):
        for span, side in distances:
            way = 1 if wanted.first > year else -1
            years = span.low / YEAR if span.dimension == "time" and not span.is_range else 0.0
            if years >= 1 and side in (0, way) and abs(year + way * years - wanted.first) < SAME_YEAR:
                return f"{year} {'+' if way > 0 else '−'} {years:g}"
    return None


def _of_three(wanted: Number, stated: Sequence[Number]) -> Iterator[tuple[str, float]]:
    for three in combinations(stated, 3):
        a, b, c = (figure.face for figure in three)
        alike = [figure.dimension == wanted.dimension for figure in three]
        times = [
            figure.dimension in ("", "time") for figure in three
        ]  # how many of what is wanted: 3 nights, 4 persons
        if all(alike):
            yield f"{a:g} + {b:g} + {c:g}", a + b + c
        for n, one in enumerate(three):
            x, y = (figure for m, figure in enumerate(three) if m != n)
            others = [times[m] for m in range(3) if m != n]
            if alike[n] and all(others):
                yield f"{one.face:g} × {x.face:g} × {y.face:g}", a * b * c
            if alike[n] and any(alike[m] and times[3 - n - m] for m in range(3) if m != n):
                yield f"{one.face:g} + {x.face:g} × {y.face:g}", one.face + x.face * y.face
        shares = [figure for figure in three if figure.dimension == "percent"]
        if len(shares) == 1:
            share, (x, y) = shares[0].face, [figure for figure in three if figure.dimension != "percent"]
            counts = {x.dimension, y.dimension} <= {wanted.dimension, "", "time"}  # 8 plots of 14 cm are none
            if counts and wanted.dimension in (x.dimension, y.dimension):
                yield f"{share:g} % of {x.face:g} × {y.face:g}", share * x.face * y.face / 100
                yield f"{x.face:g} × {y.face:g} less {share:g} %", x.face * y.face * (1 - share / 100)


def _slack(wanted: Number) -> float:
    slack = max(wanted.half / (wanted.scale or 1.0), ABOUT * wanted.face if wanted.bound == "about" else 0.0)
    return min(slack, ABOUT * wanted.face) + 1e-9 * max(1.0, wanted.face)


def ends_of(stated: Sequence[Number]) -> list[Number]:
    """The figures, of a range (`from 1.9 to 1.1 tonnes`) both ends."""
    return [
        replace(figure, low=end, high=end, face=end / (figure.scale or 1.0)) if figure.is_range else figure
        for figure in stated
        for end in dict.fromkeys((figure.low, figure.high) if figure.is_range else (figure.low,))
    ]


def by_one_step(claim: str, wanted: Number, known: Sequence[Number], told: frozenset[str] = frozenset()) -> bool:
    """Whether a figure is exactly what one step makes of known ones: a sum, a difference, a product, a ratio, a share, a price with its rate.

    A table names its unit in the head and an answer beside the number, so a figure without a unit may be of any kind; what is added or
    taken away must be of one kind. That makes the figure no finding; whether it is the right one is for the rest of the claim to say. `told` are the words of the evidence: what it halves or doubles is half or double.
    """
    wanted, known = _in_heat(wanted), [_in_heat(one) for one in known]
    if wanted.is_range or wanted.face < (LEAST_COMPARED if compares(claim) else LEAST) or len(known) > MOST:
        return False
    targets = {abs(wanted.face), abs(wanted.low)} | ({wanted.face / 100} if wanted.dimension == "percent" else set())
    operands = {
        (one.dimension, abs(face)): (abs(face), one.dimension)
        for one in ends_of(known)
        for face in (one.face, one.low)
        if face and abs(face) not in targets  # none proves itself
    }
    made = _made(claim, wanted, sorted(operands.values()), told)
    return any(abs(value - target) <= 1e-6 * target for value in made for target in targets)


LEAST_COMPARED = 2.0
"""The smallest difference that a claim may state where it says that it compares: `4 kg more`."""
Operand = tuple[float, str]
"""A number and what it is of."""


def _made(claim: str, wanted: Number, operands: Sequence[Operand], told: frozenset[str]) -> Iterator[float]:
    """Everything that one step leads to: sums of one kind, so many of one, parts of one, and how many times another it is."""
    mine = [a for a, kind in operands if kind in ("", wanted.dimension)]
    row = frozenset(words.words(claim))
    halved = not lang.listed("numbers", "mean").isdisjoint(row)
    times = [value for word, value in _multiples().items() if word in row | told]
    shares = [a / 100 for a, kind in operands if kind == "percent"] + [a for a, kind in operands if a < 1 and not kind]
    for whole in mine if wanted.dimension != "percent" else ():
        yield from (whole * n for n in times)
        yield from (part for s in shares for part in (s * whole, whole / s, whole * (1 + s), whole * (1 - s)))
    for (a, one), (b, other) in combinations(operands, 2):
        alike = one == other or "" in (one, other)
        bare = wanted.dimension in ("", "percent")
        if alike if bare else {one, other} <= {"", wanted.dimension}:
            yield from (a + b, abs(b - a), *(((a + b) / 2,) if halved else ()))
        if not {one, other}.isdisjoint(("", wanted.dimension)) and not {one, other}.isdisjoint(("", "time")):
            yield _product(a, b)
        lasts = wanted.dimension == "time" and one == other  # a tank, at so much an hour
        if alike if bare else lasts or not {one, other}.isdisjoint(("", wanted.dimension)):
            yield from (b / a, a / b)
    if says_so(claim):
        yield from (a + b + c for a, b, c in combinations(mine[-MOST:], 3))


@lang.derived
def _multiples() -> dict[str, float]:
    return {word: float(value) for table in lang.tables("multiples") for word, value in table.items()}


def _product(a: float, b: float) -> float:
    return a * b if min(a, b) > 1 and a * b >= LEAST_PRODUCT else 0.0


def _way(claim: str, wanted: Number, stated: Sequence[Number], days: Sequence[Date]) -> str | None:
    if wanted.dimension == "time":
        found = next((how for how, apart in _between(days) if apart == round(wanted.low / DAY)), None)
        if found is not None:
            return found
    few = len(stated) <= MOST_OWN and tells_difference(claim, wanted)
    least = LEAST_COMPARED if few else LEAST if wanted.dimension else LEAST_BARE
    small = wanted.face < least and not is_fine(wanted)
    if small or wanted.dimension in NOT_ADDED:
        return None
    row = words.words(claim)
    up, down = (not lang.words(name).isdisjoint(row) for name in ("rising", "falling"))
    ways = _steps(wanted, stated, {side for side, other in ((1, down), (-1, up)) if not other} or {1, -1})
    return next((how for how, value in ways if abs(value - wanted.face) <= _slack(wanted)), None)


def of_its_own(wanted: Number, others: Sequence[Number]) -> str | None:
    """How a figure follows from two others of its own sentence in one step, or is a year of months of one; None where it does not.

    So few figures fit by chance more seldom than those of a text, so that a small one counts, too.
    """
    known = [_in_heat(one) for one in ends_of([one for one in others if not one.worded or one.dimension])]
    if wanted.is_range or wanted.worded or len(known) > MOST_OWN:
        return None
    monthly = ((f"12 × {one.face:g}", 12 * one.face) for one in known if _is_money(one, wanted))
    ways = chain(_steps(_in_heat(wanted), known, {1, -1}), monthly)
    return next((how for how, value in ways if abs(value - wanted.face) <= _slack(wanted)), None)


def subtotal(wanted: Number, figures: Sequence[Number]) -> tuple[str, Number] | None:
    """What the two figures right before one come to, and which of them is the price: `two bikes at £38 make £76`; None where they come to another."""
    at = figures.index(wanted)
    if at < 2 or wanted.is_range:
        return None
    count, price = figures[at - 2 : at]
    fits = count.dimension in ("", "time") and price.dimension == wanted.dimension and not price.is_range
    made = count.face * price.low
    return (f"{count.face:g} × {price.face:g}", price) if fits and abs(made - wanted.low) <= 1e-9 * made else None


def _in_heat(one: Number) -> Number:
    """A figure with degrees of whatever scale as one of temperature."""
    return replace(one, dimension="temperature") if one.dimension in NOT_ADDED else one


def _may_multiply(wanted: Number, one: Number, other: Number) -> bool:
    """Whether two figures of unlike kinds may make a third: so many litres at a price, and no hours times a price that are hours."""
    return wanted.dimension.startswith("money") or not any(two.dimension.startswith("money") for two in (one, other))


def _is_money(one: Number, wanted: Number) -> bool:
    return one.dimension.startswith("money") and one.dimension == wanted.dimension


def _between(days: Sequence[Date]) -> Iterator[tuple[str, int]]:
    """The days between any two dates; those without a year are taken to lie in that of the other, or in a leap year or not."""
    return chain.from_iterable(days_apart(one, other) for one, other in combinations(days, 2))


def days_apart(one: Date, other: Date) -> Iterator[tuple[str, int]]:
    """The days between two dates, and how that is told; those of two dates without a year in a leap year and in another."""
    how = f"{one.day}.{one.month}. − {other.day}.{other.month}."
    mine, theirs = one.first or other.first, other.first or one.first
    for year in _YEARS[: 1 if mine else 2]:
        first, second = _day(one, mine or year), _day(other, theirs or year)
        if first is not None and second is not None and first != second:
            yield how, abs((first - second).days)


def _day(date: Date, year: int) -> datetime.date | None:
    try:
        return datetime.date(year, date.month or 1, date.day or 1)
    except ValueError:
        return None


def _steps(wanted: Number, stated: Sequence[Number], sides: set[int]) -> Iterator[tuple[str, float]]:
    """Everything one step leads to that could be of the kind that is wanted; a change in per cent is a rise (1) or a fall (-1)."""
    for one in stated:
        if wanted.dimension == "percent":
            if one.dimension == "percent":
                yield f"100 − {one.face:g}", 100 - one.face
            elif not one.dimension and 0 < one.face < 1:
                yield f"1 − {one.face:g}", 100 * (1 - one.face)
                yield f"{one.face:g} in per cent", 100 * one.face
    for one, other in combinations(stated, 2):
        yield from _of_two(wanted, one, other, sides)


def _of_two(wanted: Number, one: Number, other: Number, sides: set[int]) -> Iterator[tuple[str, float]]:
    low, high = sorted((one, other), key=lambda figure: figure.face)
    a, b = low.face, high.face
    # A million beside `48.2 million dollars` is one of dollars, too.
    alike = one.dimension == other.dimension or (
        "" in (one.dimension, other.dimension) and one.scale == other.scale >= 1e3
    )
    if alike and wanted.dimension == one.dimension:
        yield f"{b:g} − {a:g}", b - a
        yield f"{a:g} + {b:g}", a + b
    if "percent" in (one.dimension, other.dimension) and not alike:
        share, whole = (one, other) if one.dimension == "percent" else (other, one)
        if wanted.dimension == whole.dimension:
            yield f"{share.face:g} % of {whole.face:g}", share.face * whole.face / 100
            yield f"{whole.face:g} less {share.face:g} %", (1 - share.face / 100) * whole.face
    elif not alike and wanted.dimension in (one.dimension, other.dimension) and _may_multiply(wanted, one, other):
        yield f"{a:g} × {b:g}", a * b
    if alike and a:
        if not wanted.dimension or (
            wanted.dimension == "time" and one.dimension
        ):  # how many times, and after how many years
            yield f"{b:g} ÷ {a:g}", b / a
        if wanted.dimension == "percent":
            yield f"{a:g} as a share of {b:g}", 100 * a / b
            if 1 in sides:
                yield f"from {a:g} to {b:g} in per cent", 100 * (b - a) / a
            if -1 in sides:
                yield f"from {b:g} to {a:g} in per cent", 100 * (b - a) / b
