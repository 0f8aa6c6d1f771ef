"""Every value of a claim that records have in another place: of another row, another field, another list, or for something else."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from witnessmark.checks.grounding.evidence import Index
from witnessmark.checks.grounding.fields import field_rates, listed_values, own_field, row_pairs, rows
from witnessmark.checks.grounding.fields.rows import RowIndex, RowKey
from witnessmark.text.numbers import Number
from witnessmark.text.records import Field


def wrong_values(
    claim: str,
    goal: str,
    index: Index,
    table: RowIndex,
    named: Mapping[RowKey, Field],
    agrees: Callable[[Number, Field], bool],
) -> Iterator[tuple[str, str, Field]]:
    """(what the claim has, source, the field that says otherwise); `named` are the rows that it names, `agrees` says whether a figure is a field's."""
    yield from rows.misplaced(claim, table, named, index.language)
    yield from rows.year_of_another(claim, table, named)
    yield from row_pairs.swapped_values(claim, table, agrees, index.language)
    yield from listed_values.not_listed(claim, index, named)
    yield from listed_values.not_the_only(claim, index, named)
    about = own_field.record(index.fields, table, named)
    if about is not None:
        yield from own_field.wrong_fields(claim, goal, about, agrees, index.language)
        yield from field_rates.other_rates(claim, about, index, agrees)
