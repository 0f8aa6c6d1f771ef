"""A figure that a claim says is worked out, held to the figures that it is worked out from: a total, a difference, a rate, a share, a span.

Unlike `arithmetic`, which asks whether anything leads to a figure, this asks what the step that is named leads to: all that is listed
for a total, the two that are set against each other for a difference. Says nothing where the operands are not plain.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from witnessmark.checks.grounding.agreement import ABOUT
from witnessmark.checks.grounding.evidence import Index, Passage
from witnessmark.checks.grounding.fields.grid import Grid, alike, grids
from witnessmark.checks.grounding.relations import clock_times, own_figures
from witnessmark.checks.grounding.relations.clauses import clauses
from witnessmark.checks.grounding.steps import arithmetic
from witnessmark.checks.grounding.wording import denies
from witnessmark.text import lang, words
from witnessmark.text.clock import times
from witnessmark.text.dates import dates, month_names, without_dates
from witnessmark.text.digits import ungrouped
from witnessmark.text.numbers import Number, figures
from witnessmark.text.units import Unit, magnitudes, units

MOST = 12
"""Figures of one kind that are added up; a sentence has hardly more."""
MOST_WORDS = 6
"""Words that a claim may have beside those of a step: with more it says something else as well, which a step does not bear out."""
SMALL_FACTOR = 12
DAY = 86_400
_RATE = re.compile(r"\s*(?:per|an?|each|every|/|pro|im|par|por)\s*([^\W\d_]+)", re.IGNORECASE)
_OF = re.compile(
    r"(?<![\d.,])(\d[\d,]*)\s+(?:out\s+)?of\s+(?:the\s+|all\s+|its\s+)?(\d[\d,]*)(?![\d.]|\s*%)", re.IGNORECASE
)


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
    for grid in tables:
        yield from _moved(claim, one, grid, index)
    yield from _rhythm(claim, one, passages, tables)
    yield from _each(claim, one, passages, tables)
    if one.dimension == "percent":
        yield from _share(claim, one, passages)
        yield from _change(claim, index)
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
    known = lang.listed("numbers", "worked_out", "compared", "adding", "ones", "tens") | lang.words("by_how_much")
    known |= lang.words("working") | lang.words("rising") | lang.words("falling")
    return words.stemmed(known.union(magnitudes(), units(), lang.merged("numbers", "rhythms"), month_names()))


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


def _moved(claim: str, one: Number, grid: Grid, index: Index) -> Iterator[NamedStep]:
    """By how much the one row that a claim names went up or down, from the earlier of two columns to the later: `Services added 14 million`."""
    said = frozenset(words.words(claim))
    up, down = (not said.isdisjoint(known) for known in (_going_up(), lang.words("falling")))
    before = words.words(claim[: one.span[0]])[-1:]
    by = not (_going_up() | lang.words("falling") | lang.listed("numbers", "difference_before")).isdisjoint(before)
    rows, columns = grid.rows_in(claim), _in_time(grid.columns_in(claim) or grid.columns)
    scaled = one.scale in (1.0, grid.scale) or any(index.has(words.stem(word)) for word in _named_magnitude(one))
    if up == down or not by or len(rows) != 1 or len(columns) != 2 or not scaled or one.dimension == "percent":
        return
    early, late = (grid.value(rows[0], column) for column in columns)
    if early is not None and late is not None:
        change = late - early if up else early - late
        yield NamedStep(round(change * one.scale, 9), _joined((late, early) if up else (early, late), " − "), sure=True)


@lang.derived
def _going_up() -> frozenset[str]:
    return lang.words("rising") | lang.listed("numbers", "adding")


def _named_magnitude(one: Number) -> list[str]:
    return [word for word, value in magnitudes().items() if value == one.scale]


def _in_time(columns: Sequence[str]) -> list[str]:
    """Columns that are one thing at several times, the earliest first; none where their names do not tell which that is."""
    dated = {column: [int(number) for number in re.findall(r"\d+", column)][::-1] for column in columns}
    told = all(dated.values()) and len(set(map(tuple, dated.values()))) == len(dated)
    return sorted(dated, key=lambda column: dated[column]) if told else []


# --- rates ---------------------------------------------------------------------------------------------------------


def _rhythm(claim: str, one: Number, passages: Sequence[Passage], tables: Sequence[Grid]) -> Iterator[NamedStep]:
    """So much a month makes so much a year: the one amount with a rhythm that is stated, or that of the row which is named."""
    mine = _period(claim, one.span[1]) or (_named_period(claim) if arithmetic.says_so(claim) else None)
    if mine is None:
        return
    stated = [
        (f.face, rate)
        for p in passages
        for f in p.figures
        if f.dimension == one.dimension and (rate := _period(p.text, f.span[1]))
    ]
    for grid in tables:
        for row in grid.rows_in(claim)[:1] if len(grid.rows_in(claim)) == 1 else ():
            timed = ((column, _named_period(column)) for column in grid.columns)
            stated += [
                (value, rate) for column, rate in timed if rate and (value := grid.value(row, column)) is not None
            ]
    if len({(value, rate.factor) for value, rate in stated}) == 1:
        value, rate = stated[0]
        times_over = mine.factor / rate.factor
        for many in (round(times_over), int(times_over)) if times_over > 1 else ():
            yield NamedStep(value * many, f"{_joined([value], '')} × {many}", sure=True)


def _period(text: str, after: int) -> Unit | None:
    """The unit of time that an amount is for: a month, per year."""
    found = _RATE.match(text, after)
    unit = units().get(found[1].lower()) if found else None
    return unit if unit is not None and unit.dimension == "time" else None


def _named_period(text: str) -> Unit | None:
    row = words.words(text)
    found = [units()[lang.merged("numbers", "rhythms").get(word, word)] for word in row if _is_period(word, row)]
    return found[-1] if len({one.factor for one in found}) == 1 else None


def _is_period(word: str, row: Sequence[str]) -> bool:
    unit = units().get(word)
    spoken = unit is not None and unit.dimension == "time" and row[row.index(word) - 1] in ("a", "per", "each", "every")
    return spoken or word in lang.merged("numbers", "rhythms")


def _each(claim: str, one: Number, passages: Sequence[Passage], tables: Sequence[Grid]) -> Iterator[NamedStep]:
    """So much for each of so many: `$5.96 per seat` of $149 for 25 seats."""
    found = _RATE.match(claim, one.span[1]) or re.match(
        r"\s+[^\W\d_]+\s+(?:per|pro|par|por)\s+([^\W\d_]+)", claim[one.span[1] :]
    )
    if found is None:
        return
    thing = words.stem(found[1].lower())
    for grid in tables:
        rows = grid.rows_in(claim)
        counted = [c for c in grid.columns if thing in words.content(c)[-1:] or thing in words.content(c)[:1]]
        if len(rows) == 1 and len(counted) == 1:
            yield from _divided(grid, rows[0], counted[0])
    for passage in passages:
        many = [f for f in passage.figures if f.noun and not f.dimension and words.stem(f.noun) == thing]
        whole = [f for f in passage.figures if f.dimension == one.dimension != "" and not f.is_range]
        if len(many) == len(whole) == 1 and many[0].low:
            value = whole[0].low / many[0].low / _in_one(one)
            yield NamedStep(value, f"{whole[0].face:g} ÷ {many[0].face:g}")


def _divided(grid: Grid, row: int, counted: str) -> Iterator[NamedStep]:
    many = grid.value(row, counted)
    for column in grid.columns:
        value = grid.value(row, column) if column != counted else None
        if many and value is not None:
            yield NamedStep(value / many, f"{value:g} ÷ {many:g}")


# --- shares, changes, spans ----------------------------------------------------------------------------------------


def _share(claim: str, one: Number, passages: Sequence[Passage]) -> Iterator[NamedStep]:
    """`18 of the 24` in per cent, where a source or the claim has both numbers and a source has them in one passage."""
    whole = re.match(r"\s+of\s+(?:the\s+|all\s+|its\s+)?(\d[\d,]*)", claim[one.span[1] :], re.IGNORECASE)
    told = [_counts(found) for found in _OF.finditer(claim)]
    for passage in passages:
        stated = [_counts(found) for found in _OF.finditer(passage.text)]
        faces = {f.face for f in passage.figures}
        stated += [pair for pair in told if faces.issuperset(pair)]
        for part, of in stated:
            meant = whole is None or float(ungrouped(whole[1])) == of
            if of and part <= of and meant and (whole is not None or (part, of) in told):
                yield NamedStep(100 * part / of, f"{part:g} of {of:g}")


def _counts(found: re.Match[str]) -> tuple[float, float]:
    part, whole = (float(ungrouped(number)) for number in found.groups())
    return part, whole


def _change(claim: str, index: Index) -> Iterator[NamedStep]:
    """The change in per cent from one stated figure to another, both of which the claim has."""
    ends = own_figures.ends(claim)
    if ends is None or not ends[0]:
        return
    stated = [f for passage in index.passages for f in arithmetic.ends_of(passage.figures)]
    if all(any(end in (f.face, f.low) for f in stated) for end in ends):
        yield NamedStep(
            100 * abs(ends[1] - ends[0]) / ends[0],
            f"from {_joined(ends[:1], '')} to {_joined(ends[1:], '')} in per cent",
        )


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
