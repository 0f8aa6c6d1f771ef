"""What a claim says of two cells of a table that it names: which is more, by how much, and whether one rose or fell to the other.

Only where the claim names both: one column of two rows, or one row at two times. Silent where it denies anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from witnessmark.checks.grounding.evidence import ClaimInEvidence
from witnessmark.checks.grounding.fields.grid import Grid, alike, grids
from witnessmark.checks.grounding.finding import RuleFinding, at_field
from witnessmark.checks.grounding.wording import denies
from witnessmark.text import lang, words
from witnessmark.text.numbers import Number
from witnessmark.text.patterns import compiled
from witnessmark.text.records import Field

POINT = 1.0
NEAR = 0.02
"""How far a change in per cent may be off, in points or as a share of itself: tables and answers round."""


class CellPair(NamedTuple):
    """Two cells in the order in which a claim names them, with their numbers."""

    source: str
    one: float
    other: float
    field: Field


def two_cells(this: ClaimInEvidence) -> list[RuleFinding]:
    """What the two cells that a claim names say of its direction, its comparison, its difference and its change in per cent."""
    tables = grids(this.index) if this.index.fields else ()
    if not tables or denies(this.claim):
        return []
    found = [one for grid in tables for one in (*_changed(this, grid), *_compared(this, grid))]
    if any(right for _, _, right, _ in found):
        found = [one for one in found if one[2]]  # of two tables, the one that bears it out is meant
    return [
        at_field(rule, "same" if right else "contradicted", part, pair.source, pair.field, this.index)
        for rule, part, right, pair in found
    ]


_Told = tuple[str, str, bool, CellPair]
"""The rule, the words that say it, whether the cells bear them out, and the cells."""


# --- from one time to another --------------------------------------------------------------------------------------


def _changed(this: ClaimInEvidence, grid: Grid) -> Iterator[_Told]:
    """`rose from Q1 to Q4`, with or without by how many per cent."""
    claim, row = this.claim, words.words(this.claim)
    ups, downs = ([word for word in row if word in lang.words(name)] for name in ("moved_up", "moved_down"))
    between = _between().search(claim)
    if between is None or len(ups) + len(downs) != 1:
        return
    pair = _ends(claim, claim[slice(*between.span("one"))], claim[slice(*between.span("other"))], grid)
    if pair is None:
        return
    rise = pair.other - pair.one
    if rise == 0 or (rise > 0) != bool(ups):
        yield "cell", (ups or downs)[0], False, pair
        return
    shares = [one for one in this.figures if one.dimension == "percent" and not one.is_range]
    if len(shares) == 1 and pair.one and not shares[0].bound and "%" not in pair.field.value:
        right = 100 * abs(rise) / pair.one
        fits = abs(shares[0].face - right) <= max(POINT, NEAR * right)
        yield "worked" if fits else "cell", claim[slice(*shares[0].span)], fits, pair
    elif not this.figures:
        yield "cell", (ups or downs)[0], True, pair


@lang.derived
def _between() -> re.Pattern[str]:
    start, end, both = (lang.either(lang.words(name)) for name in ("change_from", "change_to", "between_two"))
    joint = lang.either(lang.words("joining") | {"and"})
    return compiled(
        rf"\b(?:{start}|(?P<both>{both}))\s+(?P<one>[^,;:]{{1,40}}?)\s+(?(both)(?:{joint})|(?:{end}))\s+(?P<other>[^,;:.]{{1,30}})",
        re.IGNORECASE,
    )


def _ends(claim: str, one: str, other: str, grid: Grid) -> CellPair | None:
    """The cells at two times, named by these parts of a claim, of the one thing that the rest of it names."""
    columns = [grid.columns_in(part)[:1] for part in (one, other)]
    if all(columns):
        rows = grid.rows_in(claim) or (list(grid.labels) if len(grid.labels) == 1 else [])
        return _pair(grid, [(row, column) for (column,) in columns for row in rows]) if len(rows) == 1 else None
    rows_of = [grid.rows_in(part)[:1] for part in (one, other)]
    if all(rows_of):
        named = grid.columns_in(claim) or (list(grid.columns) if len(grid.columns) == 1 else [])
        return _pair(grid, [(row, named[0]) for (row,) in rows_of]) if len(named) == 1 else None
    return None


def _pair(grid: Grid, places: Sequence[tuple[int, str]]) -> CellPair | None:
    values = [grid.value(*place) for place in places]
    if len(places) != 2 or places[0] == places[1] or values[0] is None or values[1] is None:
        return None
    return CellPair(grid.source, values[0], values[1], grid.cells[places[1]])


# --- one beside another --------------------------------------------------------------------------------------------


def _compared(this: ClaimInEvidence, grid: Grid) -> Iterator[_Told]:
    """`Riga has more inhabitants than Tallinn`, with or without how many more; `is cheaper than`."""
    if words.words(this.claim).count("than") != 1:
        return
    left, _, right = this.claim.lower().partition(" than ")
    before = words.words(left)
    at, side, column = _comparative(before, grid)
    names = [grid.rows_called(part) for part in (left, right)]
    if not side or any(len(named) != 1 for named in names):
        return
    column = column or _so_far_apart(this, grid, [named[0] for named in names])
    if column is None:
        return
    pair = _pair(grid, [(named[0], column) for named in names])
    word = before[at]
    values = (pair.one, pair.other) if pair is not None else ()
    told = [one for one in this.figures if one.face not in values]
    if pair is None or len(told) > 1 or (told and not _is_difference(told[0], this.claim, word)):
        return  # less than four day tickets
    more = pair.one - pair.other
    if more == 0 or (more > 0) != (side == "more"):
        yield "cell", word, False, pair
    elif told:
        fits = abs(told[0].face - abs(more)) <= 1e-6 * abs(more) + (
            told[0].half / (told[0].scale or 1.0) if told[0].bound else 0
        )
        yield "worked" if fits else "cell", this.claim[slice(*told[0].span)], fits, pair
    else:
        yield "cell", word, True, pair


def _so_far_apart(this: ClaimInEvidence, grid: Grid, rows: Sequence[int]) -> str | None:
    """The one column in which two rows lie as far apart as the one figure of a claim says: `earns 17,000 more`."""
    told = {one.face for one in this.figures}
    pairs = {column: _pair(grid, [(row, column) for row in rows]) for column in grid.columns}
    apart = [column for column, pair in pairs.items() if pair is not None and {abs(pair.one - pair.other)} == told]
    return apart[0] if len(apart) == 1 else None


def _is_difference(one: Number, claim: str, word: str) -> bool:
    return one.dimension != "percent" and words.words(claim[one.span[1] :])[:1] == (word,)


def _comparative(before: Sequence[str], grid: Grid) -> tuple[int, str, str | None]:
    """Where the word stands that compares, whether it says more or less, and the column it is about."""
    for at in range(len(before) - 1, max(-1, len(before) - 5), -1):
        side, *keys = _called().get(before[at], "").split() or [""]
        if side:
            turned = {"more": "less", "less": "more"}[side] if before[at - 1 : at] == ("less",) else side
            found = [column for column in grid.columns if not set(keys).isdisjoint(column.split())]
            return at, turned, found[0] if len(found) == 1 else None
        side = next(
            (
                name
                for name, kind in (("more", "more_of"), ("less", "less_of"))
                if before[at] in lang.listed("numbers", kind)
            ),
            "",
        )
        if side:
            said = before[at + 1 :] or before[:at]  # more units than; costs more than
            stems = {other for word in said for other in (words.stem(word), *alike(words.stem(word)))}
            found = [column for column in grid.columns if stems.intersection(words.content(column))]
            exact = [column for column in found if column in grid.columns_in(" ".join(before))]
            found = exact if len(exact) == 1 else found
            return at, side, found[0] if len(found) == 1 else None
    return 0, "", None


@lang.derived
def _called() -> dict[str, str]:
    return {word: keys for table in reversed(lang.tables("comparatives")) for word, keys in table.items()}
