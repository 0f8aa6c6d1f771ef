"""A figure that a claim says is worked out, held to the figures that it is worked out from: a total, a difference, a span of time.

Unlike `arithmetic`, which asks whether anything leads to a figure, this asks what the step that is named leads to: all that is listed
for a total, the two that are set against each other for a difference. Says nothing where the operands are not plain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from witnessmark.checks.grounding import arithmetic
from witnessmark.checks.grounding.agreement import ABOUT
from witnessmark.checks.grounding.evidence import Index, Passage
from witnessmark.checks.grounding.fields.grid import Grid, alike, grids
from witnessmark.checks.grounding.relations import clock_times, own_figures
from witnessmark.checks.grounding.relations.clauses import clauses
from witnessmark.checks.grounding.wording import denies
from witnessmark.text import lang, words
from witnessmark.text.clock import times
from witnessmark.text.dates import dates, without_dates
from witnessmark.text.numbers import Number, figures
from witnessmark.text.units import magnitudes, units

MOST = 12
"""Figures of one kind that are added up; a sentence has hardly more."""
MOST_WORDS = 6
"""Words that a claim may have beside those of a step: with more it says something else as well, which a step does not bear out."""
SMALL_FACTOR = 12
DAY = 86_400


class NamedStep(NamedTuple):
    """What a named step leads to and from what; `sure` where it can be from nothing else, so that another figure is wrong."""

    value: float
    how: str
    sure: bool = False


def named_step(claim: str, one: Number, index: Index, passages: Sequence[Passage]) -> tuple[bool, str] | None:
    """Whether a figure is what the step that the claim names leads to, and from what; None where no step with plain operands is named."""
    if one.is_range:
        return None
    found = list(_steps(claim, one, index, passages))
    fitting = next((step for step in found if _fits(one, step.value)), None)
    if fitting is not None:
        return True, fitting.how
    sure = next((step for step in found if step.sure), None)
    return None if sure is None else (False, sure.how)


def _fits(one: Number, value: float) -> bool:
    half = one.half / _in_one(one)
    slack = ABOUT * value if one.bound == "about" else half if half < 0.5 * one.face else 0.0
    fine = 1e-6 * max(1.0, abs(value))
    exact = value == int(value) and one.face != value and half >= 0.5 and one.bound != "about"
    return abs(one.face - value) <= fine if exact else abs(one.face - value) <= slack + fine


def _in_one(one: Number) -> float:
    """How many of the base unit one of what a figure is written in is: 60 seconds for a minute, and 1 for a million people."""
    return one.low / one.face if one.face and one.low else 1.0


def rows_counted(claim: str, one: Number, index: Index) -> tuple[bool, str] | None:
    """Whether a figure counts the rows of a table, and how; whether that is all the claim says. None where it does not.

    `the three cities` over three rows of cities; in `There are three orders` it is all.
    """
    noun = words.stem(one.noun.lower()) if one.noun and not one.dimension else ""
    for grid in grids(index) if noun and index.fields else ():
        if noun == grid.noun and one.face in (len(grid.labels), len(set(grid.labels.values()))):
            rest = {stem for stem in words.content(claim) if not stem[0].isdigit()} - _working() - {noun}
            return not rest, f"{one.face:g} rows"
    return None


def _steps(claim: str, one: Number, index: Index, passages: Sequence[Passage]) -> Iterator[NamedStep]:
    tables = grids(index) if index.fields else ()
    if arithmetic.says_so(claim):
        told = [figure for figure in without_dates(figures(claim), dates(claim)) if not figure.worded]
        for grid in tables:
            yield from _total_of_table(claim, grid, alone=len(told) == 1)
        yield from _total(one, passages)
    if arithmetic.compared_by(claim, one):
        for grid in tables:
            yield from _between_rows(claim, grid)
        yield from _difference(claim, one, passages)
    if one.dimension == "time":
        yield from _span(claim, one, passages)


def all_told(claim: str, index: Index, goal: str = "") -> bool:
    """Whether every word of a claim stands in the sources or the question, or is one of working out: then a figure that follows bears it out."""
    asked = frozenset(words.content(goal))
    return not denies(claim) and all(
        index.has(stem)
        or stem in asked
        or stem in _working()
        or index.nearly_has(stem)
        or any(map(index.has, alike(stem)))
        for stem in words.content(claim)
        if not stem[0].isdigit()
    )


def says_little_else(claim: str, steps: Sequence[tuple[str, str]]) -> bool:
    """Whether a claim has few words beside those of working out, and no figures but those of its steps: (what is worked out, from what)."""
    said = {stem for stem in words.content(claim) if not stem[0].isdigit()} - _working()
    used = {number for _, how in steps for one in figures(how) for number in (one.low, one.high)}
    parts = {part for part, _ in steps}
    clocks = [time.span for time in times(claim)]
    others = [
        one
        for one in without_dates(figures(claim), dates(claim))
        if claim[slice(*one.span)] not in parts
        and not one.worded
        and not {one.face, one.low, one.high} & used
        and not any(a <= one.span[0] < b for a, b in clocks)
    ]
    return len(said) <= MOST_WORDS and not others


def of_named_cells(claim: str, how: str, index: Index) -> bool:
    """Whether what a claim works with before the reader's eyes stands in the rows and columns that it names, small factors aside."""
    tables = grids(index) if index.fields else ()
    values = {one.face for one in figures(how)} - set(range(SMALL_FACTOR + 1))
    return not tables or any(values <= _cells_in(claim, grid) for grid in tables)


def _cells_in(claim: str, grid: Grid) -> set[float]:
    rows, columns = grid.rows_in(claim) or grid.labels, grid.columns_in(claim) or grid.columns
    return {value for row in rows for column in columns if (value := grid.value(row, column)) is not None}


@lang.derived
def _working() -> frozenset[str]:
    """The words of working something out, and those of units and numbers, as stems."""
    names = ("worked_out", "compared", "by_how_much", "ones", "tens")
    known = set(lang.listed("numbers", *names))
    known |= {
        *lang.words("working"),
        *magnitudes(),
        *lang.words("rising"),
        *lang.words("falling"),
        *units(),
        *lang.merged("numbers", "rhythms"),
    }
    known |= {name for months in lang.section("dates", "months") for names in months for name in names.split()}
    return frozenset(map(words.stem, known))


# --- totals --------------------------------------------------------------------------------------------------------


def _total_of_table(claim: str, grid: Grid, *, alone: bool) -> Iterator[NamedStep]:
    """The sum of a column over the rows that are named, or over all where none is; of one row that is named, over its times."""
    rows, columns = grid.rows_in(claim), grid.columns_in(claim)
    if len(rows) == 1 and grid.is_series:
        yield from _added([grid.value(rows[0], column) for column in columns or grid.columns], grid.scale, sure=False)
    if len(rows) == 1 or len(grid.labels) < 2:
        return
    meant = rows or grid.meant(claim)
    for column in columns or grid.columns:
        yield from _added(
            [grid.value(row, column) for row in meant], grid.scale, sure=alone and (len(columns) == 1 or bool(rows))
        )


def _added(values: Sequence[float | None], scale: float, *, sure: bool) -> Iterator[NamedStep]:
    known = [value for value in values if value is not None]
    for times_over in dict.fromkeys((1.0, scale)) if len(known) == len(values) > 1 else ():
        yield NamedStep(round(times_over * sum(known), 9), _joined(known, " + "), sure)


def _joined(values: Sequence[float], sign: str) -> str:
    shown = [f"{value:g}" if abs(value) < 1e6 else f"{value:,.0f}" for value in values]
    return sign.join(shown) if len(shown) <= MOST else f"{sign.join(shown[:3])}{sign}…{sign}{shown[-1]}"


def _total(one: Number, passages: Sequence[Passage]) -> Iterator[NamedStep]:
    """The sum of all figures of the same things, and of all of one kind that one sentence lists."""
    everything = [f for passage in passages if not passage.is_flattened for f in passage.figures if not f.is_range]
    same = [f for f in everything if one.noun and f.noun == one.noun and f.dimension == one.dimension]
    for group in (same, *([f for f in passage.figures if f.dimension == one.dimension] for passage in passages)):
        faces = [f.low / _in_one(one) if one.dimension else f.low for f in group if not f.is_range]
        if 2 <= len(faces) <= MOST:
            yield NamedStep(round(sum(faces), 9), _joined(faces, " + "))


# --- differences ---------------------------------------------------------------------------------------------------


def _between_rows(claim: str, grid: Grid) -> Iterator[NamedStep]:
    """How far the two rows that a claim names lie apart, column by column."""
    rows = grid.rows_in(claim)
    for column in grid.columns if len(rows) == 2 else ():
        one, other = (grid.value(row, column) for row in rows)
        if one is not None and other is not None:
            yield NamedStep(round(abs(one - other), 9), _joined((max(one, other), min(one, other)), " − "), sure=True)


def _difference(claim: str, one: Number, passages: Sequence[Passage]) -> Iterator[NamedStep]:
    """How far two figures lie apart that stand in one sentence, each with one of the two things that are compared."""
    left, than, right = claim.partition(" than ")
    more = not lang.words("less_words").intersection(words.words(claim[one.span[1] :])[:1])
    for passage in passages if than else ():
        parts = [passage.text[slice(*span)] for span in clauses(passage.text)]
        amounts = [(part, [f for f in passage.figures if passage.text[slice(*f.span)] in part]) for part in parts]
        known = [(frozenset(words.content(part)), found[0]) for part, found in amounts if len(found) == 1]
        if len(known) != 2 or {known[0][1].dimension, known[1][1].dimension} != {one.dimension}:
            continue
        (first, a), (second, b) = known
        mine, theirs = frozenset(words.content(left)), frozenset(words.content(right))
        forward = bool(mine & first - second) and bool(theirs & second - first)
        backward = bool(mine & second - first) and bool(theirs & first - second)
        if forward != backward:
            high, low = (a, b) if forward == more else (b, a)
            yield NamedStep((high.low - low.low) / _in_one(one), _joined((high.face, low.face), " − "), sure=True)


# --- spans of time ---------------------------------------------------------------------------------------------------------


def _span(claim: str, one: Number, passages: Sequence[Passage]) -> Iterator[NamedStep]:
    """How long it is between the only two days, or the only two times of day, of the passages about a claim."""
    mine = {stem for stem in words.content(claim) if not stem[0].isdigit()}
    about = [passage for passage in passages if mine & passage.stems]
    days = {day for passage in about for date in passage.dates if (day := own_figures.day_of(date)) is not None}
    if len(days) == 2:
        early, late = sorted(days)
        yield NamedStep((late - early).days * DAY / _in_one(one), f"{late.isoformat()} − {early.isoformat()}")
    for texts in ([passage.text for passage in about], [claim]):
        clocks = {time.readings for text in texts for time in times(text)}
        how = clock_times.between(claim, texts, one) if len(clocks) == 2 else None
        if how is not None:
            yield NamedStep(one.face, how)
