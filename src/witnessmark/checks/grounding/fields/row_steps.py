"""What of a claim is in no number of the row that it names and is still so: a step from its values, or a count in one of its texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from witnessmark.checks.grounding.evidence import Index, Passage, once
from witnessmark.checks.grounding.fields.rows import RowIndex, RowKey, plain_number
from witnessmark.checks.grounding.relations.clauses import clauses
from witnessmark.checks.grounding.steps import arithmetic
from witnessmark.text import words
from witnessmark.text.numbers import Number, figures
from witnessmark.text.records import Field

Cell = tuple[str, Field]
"""A field with its source."""


def counted_in_text(one: Number, table: RowIndex, named: Mapping[RowKey, Field], language: str) -> list[Cell]:
    """The texts of the rows that are named which count so many of the same: `yes, 10 beds, open` beside a column of beds."""
    texts = ((row[0], field) for row in named for field in table.rows.get(row, ()) if field.kind == "text")
    told = ((cell, figure) for cell in texts for figure in figures(cell[1].value, language))
    noun = words.stem(one.noun)
    return [cell for cell, figure in told if figure.face == one.face and words.stem(figure.noun) == noun]


def from_row(
    claim: str,
    one: Number,
    mine: Sequence[Cell],
    *,
    numbers: Mapping[RowKey, Sequence[Cell]],
    table: RowIndex,
    index: Index,
) -> bool:
    """Whether a figure is one step from the values of the row that is meant, or so many of one as the claim names.

    `14.5 kg above her best` is 412.5 less 398.0, `70.00 for two weeks` is 35.00 a week, and ten seats cost 61 where eight cost 49 and
    each further one 6.
    """
    if arithmetic.compared_by(claim, one) and _from_another_row(one, mine, table):
        return True
    meant = [field for row in {(s, f.row) for s, f in mine} for _, field in numbers.get(row, ())]
    values = [figure for field in meant for figure in figures(field.value, index.language)]
    others = [figure for figure in figures(claim, index.language) if figure.span != one.span]
    times = [figure.face for figure in others if figure.face in range(2, 13)]
    multiple = any(abs(value.face * many - one.face) < 1e-6 for value in values for many in times)
    rates = [rate for source, field in mine[:1] if field.row for rate in _rates(table, (source, field.row), index)]
    further = any(abs(made - one.face) < 1e-6 for made in _with_further(others, values, rates))
    return multiple or further or arithmetic.by_one_step(claim, one, values)


def by_further(claim: str, one: Number, index: Index) -> bool:
    """Whether a figure is what so many as a claim names come to: the value of the one row that it names, and the rate of each further one."""
    table = RowIndex.of(index.fields)
    named = list(table.named(claim))
    if len(named) != 1:
        return False
    held = [f for field in table.rows[named[0]] if field.kind == "number" for f in figures(field.value, index.language)]
    others = [figure for figure in figures(claim, index.language) if figure.span != one.span]
    made = _with_further(others, held, list(_rates(table, named[0], index)))
    return any(abs(value - one.face) < 1e-6 for value in made)


def _from_another_row(one: Number, mine: Sequence[Cell], table: RowIndex) -> bool:
    """Whether a figure is how far the cell that is meant lies from that of another row: `$8 more`."""
    columns = ((plain_number(field), table.column(source, field)) for source, field in mine if field.row)
    return any(abs(abs(own - other) - one.face) < 1e-6 for own, column in columns if own for other in column.numbers)


@once
def _texts(index: Index) -> Sequence[Passage]:
    """The sentences with figures that are no rows of a table."""
    return [passage for passage in index.passages if not passage.is_flattened and passage.figures]


def _rates(table: RowIndex, row: RowKey, index: Index) -> Iterator[float]:
    """The figures that the texts beside a table give for one row: in a clause that names it, or in a sentence that names none."""
    beside = _texts(index)
    if not beside:
        return
    names = {number: frozenset(words.content(fields[0].value)) for number, fields in table.rows.items()}
    mine, others = names[row], [name for number, name in names.items() if number != row and name]
    for passage in beside:
        alone = not any(name <= passage.stems for name in others)
        for text in [passage.text] if alone else (passage.text[slice(*span)] for span in clauses(passage.text)):
            if alone or mine <= frozenset(words.content(text)):
                yield from (figure.face for figure in figures(text, index.language))


def _with_further(said: Sequence[Number], values: Sequence[Number], rates: Sequence[float]) -> Iterator[float]:
    """What so many as a claim names come to where a row has fewer of them at one value, and each further one has a rate."""
    for many in said:
        for held in (value.face for value in values if 0 < value.face < many.face):
            yield from (value.face + (many.face - held) * rate for value in values for rate in rates)
