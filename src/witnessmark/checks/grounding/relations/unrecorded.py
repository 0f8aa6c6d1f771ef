"""Figures of a claim that a record does not hold and that are right all the same: worked out from its row, or stated in prose beside it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from witnessmark.checks.grounding import arithmetic
from witnessmark.checks.grounding.evidence import Index, Passage
from witnessmark.text.numbers import Number, figures
from witnessmark.text.records import Field
from witnessmark.text.units import units

PARTICULAR = 100
"""A figure from this on is hardly met by chance: where prose has it, the record's own figure is not against it."""


def from_row(claim: str, one: Number, mine: Sequence[tuple[str, Field]], index: Index, language: str) -> bool:
    """Whether a figure is one step from the values of the row that is meant: `14.5 kg above her best`, 412.5 and 398.0.

    So is what a value comes to for as many as the claim names: `70.00 for two weeks`, 35.00 a week.
    """
    rows_meant = {(source, field.row) for source, field in mine}
    values = [
        figure
        for source, field in index.fields
        if field.kind == "number" and (source, field.row) in rows_meant
        for figure in figures(field.value, language)
    ]
    times = [figure.face for figure in figures(claim, language) if figure.face in range(2, 13)]
    multiple = any(abs(value.face * many - one.face) < 1e-6 for value in values for many in times)
    return multiple or arithmetic.by_one_step(claim, one, values)


def in_prose(stems: Iterable[str], one: Number, told: Sequence[Number], index: Index) -> bool:
    """Whether prose beside the record states this figure of something that the claim speaks of: the 2.0 kW of the circuit.

    `stems` are the words of the claim, `told` all of its figures: a passage with two of them speaks of the same.
    """
    records = {source for source, _ in index.fields}
    known = {stem for stem in stems if stem.isalpha() and stem not in units()}  # its unit alone says nothing
    for passage in index.passages:
        if passage.source in records or not _states(one, passage):
            continue
        shared = sum(_states(other, passage) for other in told)
        particular = one.face >= PARTICULAR and not one.worded
        if particular or shared > 1 or len(known & passage.stems) >= (1 if one.dimension else 2):
            return True
    return False


def _states(one: Number, passage: Passage) -> bool:
    return any(figure.dimension == one.dimension and figure.low == one.low for figure in passage.figures)
