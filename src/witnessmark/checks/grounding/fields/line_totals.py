"""The total of an order whose lines have a quantity and a price of one: the sum of quantity times price, never of the prices alone."""

from __future__ import annotations

from collections.abc import Iterator

from witnessmark.checks.grounding.evidence import ClaimInEvidence
from witnessmark.checks.grounding.fields.grid import Grid, grids
from witnessmark.checks.grounding.finding import RuleFinding
from witnessmark.checks.grounding.steps import arithmetic
from witnessmark.checks.grounding.wording import denies
from witnessmark.text import lang

CENT = 0.005


def line_totals(this: ClaimInEvidence) -> Iterator[RuleFinding]:
    """What the lines of an order say of the one figure of a claim that is its total.

    Contradicted is only the sum of the prices alone, and only where no other number of the record (a tax, a discount) could come in.
    """
    claim, index, told = this.claim, this.index, this.figures
    tables = grids(index) if len(told) == 1 and arithmetic.says_so(claim) and not denies(claim) else ()
    if len(tables) != 1 or tables[0].rows_in(claim):
        return
    grid, one = tables[0], told[0]
    lines = _lines(grid)
    if not lines or any(field.kind == "number" for _, field in index.fields if not field.row):
        return
    total, alone = sum(many * price for many, price in lines), sum(price for _, price in lines)
    part, field = claim[slice(*one.span)], next(iter(grid.cells.values()))
    how = " + ".join(f"{many:g} × {price:g}" for many, price in lines)
    for rule, finding, value in (("worked", "same", total), ("cell", "contradicted", alone)):
        if abs(one.face - value) < CENT:
            place = index.passage_at(grid.source, field.span)
            yield RuleFinding(rule, finding, part, place, field.span, how)  # type: ignore[arg-type] # one of the two
            return


def _lines(grid: Grid) -> list[tuple[float, float]]:
    """(quantity, price of one) of every line; nothing where a column for either is missing or not the only one, or a cell is empty."""
    many = [column for column in grid.columns if column in lang.listed("records", "quantity")]
    of_one = lang.phrases("records", "price_of_one")
    price = [column for column in grid.columns if column in of_one]
    if len(many) != 1 or len(price) != 1 or len(grid.columns) != 2:
        return []
    pairs = [(grid.value(row, many[0]), grid.value(row, price[0])) for row in grid.labels]
    known = [(count, cost) for count, cost in pairs if count is not None and cost is not None]
    return known if len(known) == len(pairs) > 1 else []
