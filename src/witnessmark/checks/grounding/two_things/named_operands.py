"""A figure that follows from others which are told to belong together: so many as the claim or its question says of what one costs, one of so many, one column less another.

Unlike `named_steps`, which reads the step in the claim, and `arithmetic`, which asks whether anything leads to a figure, this goes by
the operands: what is counted stands beside the amount (`two nights`, a rate per night), and all amounts are of one row or thing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from witnessmark.checks.grounding.agreement import agrees, comparable
from witnessmark.checks.grounding.evidence import Passage
from witnessmark.checks.grounding.fields.grid import grids
from witnessmark.checks.grounding.relations.clauses import clauses
from witnessmark.checks.grounding.relations.figure_in_claim import FigureInClaim
from witnessmark.checks.grounding.two_things.owners import columns_alike
from witnessmark.text import words
from witnessmark.text.numbers import Number, figures

MOST_COUNTED = 366
Step = tuple[float, str]
"""What a step leads to, and how."""


def named_operands(this: FigureInClaim) -> str | None:
    """How a figure follows from operands that belong together; None where it does not."""
    one = this.one
    if one.is_range or this.rule == "count":
        return None
    wanted = -one.face if one.negative else one.face
    steps = (*_so_many(this), *_one_of(this), *_between_columns(this))
    return next((how for value, how in steps if abs(value - wanted) <= 1e-6 * max(1.0, one.face)), None)


def is_own_count(this: FigureInClaim) -> bool:
    """Whether a figure is the number that a claim itself brings to a stated amount, for which it gives what that comes to: `3 nights cost 240 euros`, at 80 a night."""
    one = this.one
    asked = [other for other in figures(this.goal, this.language) if comparable(one, other)]
    if not all(agrees(one, other) for other in asked):
        return False  # three nights, where the question is about four
    others = (replace(this, one=other) for other in this.all_of_them if other is not one)
    return any((named_operands(other) or "").startswith(f"{one.face:g} × ") for other in others)


def _so_many(this: FigureInClaim) -> Iterator[Step]:
    """So many nights at what a night costs, with all that the row has by the night; and a share of that."""
    own = ((this.claim, one) for one in this.all_of_them if one is not this.one)
    asked = ((this.goal, one) for one in figures(this.goal, this.language))
    for text, count in (*own, *asked):
        if count.face % 1 or not 1 < count.face <= MOST_COUNTED or count.is_range:
            continue
        thing = words.stem((words.words(text[slice(*count.span)])[1:] or [count.noun])[-1])
        told = [(p, [f for f in this.usable(p) if _is_amount(this, f)]) for p in this.spread if thing in p.stems]
        amounts = [
            (p, found[0]) for p, found in told if len(found) == 1
        ]  # of two, one is for the first and one for each further
        yield from ((count.face * f.face, f"{count.face:g} × {f.face:g}") for _, f in amounts)
        for row in _rows(this, amounts):
            added = " + ".join(f"{f.face:g}" for f in row)
            yield count.face * sum(f.face for f in row), f"{count.face:g} × ({added})"
        shares = [f.face for p in this.near for f in this.usable(p) if f.dimension == "percent"] if amounts else []
        for share in shares:
            yield from (
                (count.face * f.face * share / 100, f"{share:g} % of {count.face:g} × {f.face:g}") for _, f in amounts
            )


def _is_amount(this: FigureInClaim, stated: Number) -> bool:
    kinds = {stated.dimension, this.one.dimension}
    return "time" not in kinds and "percent" not in kinds and (len(kinds) == 1 or "" in kinds)


def _rows(this: FigureInClaim, amounts: Sequence[tuple[Passage, Number]]) -> Iterator[Sequence[Number]]:
    """The amounts of each row of a record, where it has several."""
    found: dict[tuple[str, int], list[Number]] = defaultdict(list)
    rows = [(source, field) for source, field in this.index.fields if field.row]
    for passage, one in amounts if rows else ():
        row = next(
            (
                f.row
                for source, f in rows
                if source == passage.source and passage.span[0] <= f.span[0] < passage.span[1]
            ),
            0,
        )
        if row:
            found[passage.source, row].append(one)
    yield from (row for row in found.values() if len(row) > 1)


def _one_of(this: FigureInClaim) -> Iterator[Step]:
    """What one of so many comes to: ten entries cost 40 euros."""
    known = frozenset(words.content(this.claim))
    for passage in this.searched if this.one.dimension else ():
        for start, end in clauses(passage.text):
            inside = [f for f in passage.figures if start <= f.span[0] < end]
            whole = [f for f in inside if f.dimension == this.one.dimension]
            many = [f for f in inside if f.noun and not f.dimension and f.face > 1 and words.stem(f.noun) in known]
            if len(whole) == len(many) == 1:
                yield whole[0].face / many[0].face, f"{whole[0].face:g} ÷ {many[0].face:g}"


def _between_columns(this: FigureInClaim) -> Iterator[Step]:
    """From one column to a later one alike, in the one row that the claim names: `q1 units` and `q2 units`."""
    for grid in grids(this.index) if this.index.fields else ():
        rows = grid.rows_in(this.claim)
        for columns in columns_alike(grid) if len(rows) == 1 else ():
            values = [value for column in columns if (value := grid.value(rows[0], column)) is not None]
            yield from ((late - early, f"{late:g} − {early:g}") for early, late in combinations(values, 2))
            if not this.one.negative:
                yield from ((early - late, f"{early:g} − {late:g}") for early, late in combinations(values, 2))
