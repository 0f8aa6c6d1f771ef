"""What a claim says of two cells of a table that it names: which is more, and by how much.

Only where the claim names both: one column of two rows. Silent where it denies anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from witnessmark.checks.grounding.evidence import ClaimInEvidence
from witnessmark.checks.grounding.fields.grid import Grid, alike, grids
from witnessmark.checks.grounding.finding import RuleFinding, at_field
from witnessmark.checks.grounding.wording import denies
from witnessmark.text import lang, words
from witnessmark.text.numbers import Number
from witnessmark.text.records import Field


class CellPair(NamedTuple):
    """Two cells in the order in which a claim names them, with their numbers."""

    source: str
    one: float
    other: float
    field: Field


def two_cells(this: ClaimInEvidence) -> list[RuleFinding]:
    """What the two cells that a claim names say of its comparison and its difference."""
    tables = grids(this.index) if this.index.fields else ()
    if not tables or denies(this.claim):
        return []
    found = [one for grid in tables for one in _compared(this, grid)]
    if any(right for _, _, right, _ in found):
        found = [one for one in found if one[2]]  # of two tables, the one that bears it out is meant
    return [
        at_field(rule, "same" if right else "contradicted", part, pair.source, pair.field, this.index)
        for rule, part, right, pair in found
    ]


_Told = tuple[str, str, bool, CellPair]
"""The rule, the words that say it, whether the cells bear them out, and the cells."""


def _pair(grid: Grid, places: Sequence[tuple[int, str]]) -> CellPair | None:
    values = [grid.value(*place) for place in places]
    if len(places) != 2 or places[0] == places[1] or values[0] is None or values[1] is None:
        return None
    return CellPair(grid.source, values[0], values[1], grid.cells[places[1]])


def _compared(this: ClaimInEvidence, grid: Grid) -> Iterator[_Told]:
    """`Riga has more inhabitants than Tallinn`, with or without how many more; `is cheaper than`."""
    if words.words(this.claim).count("than") != 1:
        return
    left, _, right = this.claim.lower().partition(" than ")
    before = words.words(left)
    at, side, column = _comparative(before, grid)
    names = [grid.rows_in(part) for part in (left, right)]
    if not side or column is None or any(len(named) != 1 for named in names):
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
