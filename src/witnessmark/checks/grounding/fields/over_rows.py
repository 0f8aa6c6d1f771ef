"""What a claim says over all rows of a table: which is the most or the least of them, and how many there are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from witnessmark.checks.grounding.fields.rows import Column, RowIndex, RowKey, plain_number, sets_apart
from witnessmark.text import lang, numerals, words
from witnessmark.text.records import Field

Outcome = tuple[str, bool, str, Field]
"""The word that says it, whether the rows bear it out, and a field that shows which is right, with its source."""
NEAR = 3
"""Words after `the most` within which the column stands that is meant."""


def extremes(claim: str, index: RowIndex, named: Mapping[RowKey, Field]) -> Iterator[Outcome]:
    """Whether the row that a claim names has the most or the least, as `the cheapest` and `the most goals` say."""
    if len(named) != 1 or sets_apart(claim):
        return
    row = words.words(claim)
    ((source, number), label) = next(iter(named.items()))
    known = frozenset(words.content(claim))
    for at in range(1, len(row)):
        for least, field in _meant(row, at, index.rows[source, number]) if row[at - 1] == "the" else ():
            rows = _alike(index, source, number, known, label)
            keys = (f.path[-1] for f in index.rows[source, number] if f is not field and f.path != label.path)
            told = known.difference(words.content(field.path[-1]))
            if any(told.intersection(words.content(key)) for key in keys):
                continue  # the cheapest that has a stove
            values = {
                f.row: v
                for f in index.column(source, field).cells
                if f.row in rows and (v := plain_number(f)) is not None
            }
            if len(values) < 2 or number not in values:
                continue
            best = min(values, key=values.__getitem__) if least else max(values, key=values.__getitem__)
            right = values[best] == values[number]
            shown = next(f for f in index.column(source, field).cells if f.row == best)
            yield row[at], right, source, shown


def _meant(row: Sequence[str], at: int, fields: Sequence[Field]) -> list[tuple[bool, Field]]:
    """(whether the least is meant, the number of the row that it is about) of a superlative at a place; nothing where it is unclear which."""
    after = [words.stem(word) for word in row[at + 1 : at + 1 + NEAR]]
    for name, least in (("most", False), ("least", True)):
        told = lang.listed("records", name)
        if row[at] in told:
            numbers = [f for f in fields if f.kind == "number"]
            found = _longest([f for f in numbers if words.stem(f.path[-1].split()[0]) in after], after)
            found = found or [f for f in numbers if set(f.path[-1].split()) <= set(row)]  # the most of all in Q4
            if len(found) == 1:
                return [(least, found[0])]
    phrase = row[at + 1] if row[at] == "most" and at + 1 < len(row) else row[at]
    for table in lang.tables("extremes"):
        side, *keys = table.get(phrase, "-").split()
        found = [f for f in fields if f.kind == "number" and not set(keys).isdisjoint(f.path[-1].split())]
        if len(found) == 1:
            return [(side == "least", found[0])]
    return []


def _longest(found: list[Field], said: Sequence[str]) -> list[Field]:
    """The one column whose name is said whole and holds those of the others: `yield per tree`, not `trees`; all of them where none is."""
    stems = {id(f): [words.stem(word) for word in words.words(f.path[-1].partition("(")[0])] for f in found}
    whole = [f for f in found if all(stem in said for stem in stems[id(f)])]
    most = max((len(stems[id(f)]) for f in whole), default=0)
    longest = [f for f in whole if len(stems[id(f)]) == most]
    return (
        longest if len(longest) == 1 and all(set(stems[id(f)]) <= set(stems[id(longest[0])]) for f in whole) else found
    )


def _alike(index: RowIndex, source: str, number: int, known: frozenset[str], label: Field) -> frozenset[int]:
    """The rows that a claim compares: those that share each text of the row that it mentions beside the name, `the cheapest in Bonn`."""
    rows = frozenset(row for of, row in index.rows if of == source)
    for field in index.rows[source, number]:
        stems = frozenset(words.content(field.value)) if field.kind == "text" and field is not label else frozenset()
        if stems and stems <= known:
            cells = index.column(source, field).cells
            rows &= frozenset(cell.row for cell in cells if cell.value.lower() == field.value.lower())
    return rows


def counts(claim: str, index: RowIndex, flags: Sequence[tuple[tuple[str, ...], Sequence[Field]]]) -> Iterator[Outcome]:
    """Whether there are as many rows, or so many with a yes, as a claim says that says nothing else: `There are five plans`, `All rooms are free`."""
    known = list(dict.fromkeys(words.content(claim)))
    row = words.words(claim)
    told = next(((word, count) for word in row if (count := _count(word)) is not None), None)
    tables = {column.source for column in index.columns.values() if len(column.cells) > 1}
    if told is None or len(tables) != 1 or not 1 < len(known) + (told[0] in ("all", "no")) <= 4:
        return
    source = next(iter(tables))
    rest = {stem for stem in known if stem not in (words.stem(told[0]), told[0])}
    following = words.stem(row[row.index(told[0]) + 1]) if row[-1] != told[0] else ""
    for noun, cells in (one for one in _nouns(index) if one[0] == following):  # three rooms, not room 3
        flag = next((found for own, found in flags if rest == {noun, *own}), None)
        if rest == {noun} and row[:2] in (("there", "are"), ("there", "is")):
            yield told[0], told[1] == len(cells), source, cells[0]
        elif flag is not None and len(flag) == len(cells) and lang.words("negations").isdisjoint(set(row) - {"no"}):
            wanted = len(cells) if told[0] == "all" else told[1]
            yield told[0], sum(field.kind == "yes" for field in flag) == wanted, source, flag[0]
        else:
            continue
        return


def _count(word: str) -> int | None:
    if word in ("all", "no"):
        return 0
    return int(word) if word.isdigit() else numerals.one_word(word)


def _nouns(index: RowIndex) -> Iterator[tuple[str, Sequence[Field]]]:
    """What the rows are: the name of the list they stand in or of their first column."""
    first: Column | None = next(iter(index.columns.values()), None)
    if first is not None:
        names = {words.stem(word) for key in first.path[-2:] for word in key.split()[-1:]}
        yield from ((name, first.cells) for name in sorted(names))
