"""The rows of tables and of lists of records: which one a claim names, and what it says of one thing and the record of another.

Silent where a claim sets things against each other (unlike, but, than): then values of both may rightly stand in it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from witnessmark.text import lang, words
from witnessmark.text.dates import dates, follows
from witnessmark.text.digits import ungrouped
from witnessmark.text.numbers import Number, figures
from witnessmark.text.records import Field

RowKey = tuple[str, int]
"""The source and the number of a row."""
MOST_NAMING = 3
"""Columns by which a row may be named: those that come first and have another value in every row."""
LONGEST_NAME = 8
"""Words of a value that may name its row."""


_NUMBER_SIGN = re.compile(r"\bno\.\s*(?=\d)|#\s*(?=\d)")
_SIZE = re.compile(r"\s+\d[\d.,]*\s*[^\W\d]{0,3}$")
_FIGURE = re.compile(r"\d(?:[\d.,:]*\d)?")
_DIGITS = re.compile(r"[-−]?\d[\d,]*(?:\.\d+)?")


def plain_number(field: Field) -> float | None:
    """The number of a cell, in the smallest unit of its kind where it has one (900 KB are less than 2 MB); None where it is none."""
    measured = figures(field.value) if field.kind == "number" else []
    if len(measured) == 1 and measured[0].dimension and not measured[0].is_range:
        return measured[0].low
    found = _DIGITS.search(field.value) if field.kind == "number" else None
    return float(ungrouped(found[0].replace("−", "-"))) if found else None


@dataclass(frozen=True)
class Column:
    """The values of all rows under one key."""

    source: str
    path: tuple[str, ...]
    cells: Sequence[Field]

    @cached_property
    def is_naming(self) -> bool:
        """Whether every row has a value of its own here."""
        short = all(len(cell.value.split()) <= LONGEST_NAME for cell in self.cells)
        one_kind = {cell.kind for cell in self.cells} < {"text", "number"}
        return len(self._by_value) == len(self.cells) > 1 and short and one_kind

    @cached_property
    def _by_stem(self) -> Mapping[str, Sequence[tuple[frozenset[str], Field]]]:
        """The texts by the first word of each."""
        found: dict[str, list[tuple[frozenset[str], Field]]] = defaultdict(list)
        for cell in self.cells:
            stems = words.content(cell.value.partition(",")[0]) if cell.kind == "text" else ()
            if stems:
                found[stems[0]].append((frozenset(stems), cell))
        for cell, stems in self._without_sizes:
            found[stems[0]].append((frozenset(stems), cell))
        return found

    @cached_property
    def _without_sizes(self) -> Sequence[tuple[Field, tuple[str, ...]]]:
        """The texts that end with a size, without it, where no other begins so: `Expansion tank` for `Expansion tank 25 L`."""
        bare = [(cell, _SIZE.sub("", cell.value)) for cell in self.cells if cell.kind == "text"]
        known = [(cell, words.content(name)) for cell, name in bare]
        names = [frozenset(stems) for _, stems in known]
        return [
            (cell, stems)
            for (cell, stems), (_, name) in zip(known, bare, strict=True)
            if name != cell.value and len(stems) > 1 and sum(frozenset(stems) <= other for other in names) == 1
        ]

    @cached_property
    def numbers(self) -> Mapping[float, Field]:
        """The numbers, each with a cell that has it."""
        return {number: cell for cell in self.cells if (number := plain_number(cell)) is not None}

    @cached_property
    def _by_value(self) -> Mapping[str, Field]:
        return {cell.value.lower(): cell for cell in self.cells}

    def in_words(self, known: frozenset[str]) -> list[tuple[frozenset[str], Field]]:
        """The texts all of whose words a claim has, in the order of the rows; of `A. Osei, wife` those before the comma."""
        found = (one for stem in known for one in self._by_stem.get(stem, ()) if one[0] <= known)
        return sorted(found, key=lambda one: one[1].row)  # a set has no order that two runs share

    def named(self, claim: str, known: frozenset[str]) -> list[Field]:
        """The values with which a claim names rows: by name, by number after the key (`room 12`), or by date."""
        found = self.in_words(known)
        # `Orion S` and `Orion X` differ by what is no word: the row that is named letter by letter is meant …
        literal = {stems for stems, cell in found if cell.value.lower() in claim}
        found = [one for one in found if one[0] not in literal or one[1].value.lower() in claim]
        # … and `Orion S Plus` is not `Orion S`
        called = [cell for stems, cell in found if not any(stems < other for other, _ in found)]
        key = re.escape(self.path[-1].split()[-1])
        numbered = re.findall(rf"\b{key}s?\s+(?:number\s+)?(\w+)\b", claim)
        if not called and not self._by_value.keys().isdisjoint(numbered):
            listed = (*numbered, *re.findall(r"\b\d{3,}\b", claim))  # invoices 2313, 2315 and 2312
            called = [self._by_value[value] for value in dict.fromkeys(listed) if value in self._by_value]
        return called or ([cell for cell in self.cells if self._on(cell, claim)] if self._dated else [])

    @cached_property
    def _dated(self) -> bool:
        return all(len(dates(cell.value)) == 1 for cell in self.cells[:2])

    def _on(self, cell: Field, claim: str) -> bool:
        return any(day.day and follows(day, stated) for day in dates(claim) for stated in dates(cell.value))


@dataclass(frozen=True)
class RowIndex:
    """The rows of the evidence by their columns; made once for all claims."""

    rows: Mapping[RowKey, Sequence[Field]]
    columns: Mapping[tuple[str, tuple[str, ...]], Column]

    @staticmethod
    def of(fields: Sequence[tuple[str, Field]]) -> RowIndex:
        """The rows of these fields, each with the id of its source."""
        rows: dict[RowKey, list[Field]] = defaultdict(list)
        cells: dict[tuple[str, tuple[str, ...]], list[Field]] = defaultdict(list)
        for source, field in fields:
            if field.row and field.path and field.path[-1]:
                rows[source, field.row].append(field)
                cells[source, field.path].append(field)
        return RowIndex(rows, {key: Column(*key, tuple(found)) for key, found in cells.items()})

    @cached_property
    def naming(self) -> Sequence[Column]:
        """Of each source the columns that name rows, up to the first that does not; where none has names, its first text."""
        found: dict[str, list[Column]] = defaultdict(list)
        ended = set[str]()
        for column in self.columns.values():
            named = found[column.source]
            texts = column.cells[0].kind == "text" and not any(one.cells[0].kind == "text" for one in named)
            if (column.is_naming and column.source not in ended and len(named) < MOST_NAMING) or (
                texts and len(column.cells) > 1
            ):
                named.append(column)
            ended |= {column.source} if not column.is_naming else set()
        return [column for columns in found.values() for column in columns]

    @cached_property
    def numbering(self) -> frozenset[str]:
        """What a number that names rows is called: no `two orders come to 65.5` is about the number of an order."""
        first = {column.source: column for column in reversed(list(self.columns.values()))}
        return frozenset(c.path[-1] for c in first.values() if c.is_naming and c.cells[0].kind == "number")

    def named(self, claim: str) -> dict[RowKey, Field]:
        """The rows that a claim names, each with what it is named by; none where it names all or nothing.

        The first column by which it names any is meant: what stands further on in a row may be said of another.
        """
        low, known = _NUMBER_SIGN.sub("number ", claim.lower()), frozenset(words.content(claim))
        for column in self.naming:
            called = column.named(low, known)
            if called:
                return {(column.source, cell.row): cell for cell in called} if len(called) < len(column.cells) else {}
        return {}

    def texts_in(self, claim: str, named: Mapping[RowKey, Field]) -> Iterator[tuple[int, int]]:
        """Where a claim has a text of a row that it names, whose figures are no values: the 3 of `Chair Ergo 3`."""
        low = claim.lower()
        for field in (field for row in named for field in self.rows.get(row, ()) if field.kind == "text"):
            at = low.find(field.value.lower()) if len(field.value) > 2 else -1
            if at >= 0:
                yield at, at + len(field.value)

    def column(self, source: str, field: Field) -> Column:
        """The column that a field of a row stands in."""
        return self.columns[source, field.path]


def sets_apart(claim: str) -> bool:
    """Whether a claim sets things against each other."""
    apart = lang.words("contrast") - lang.words("prepositions") | lang.words("negations") | lang.words("denying")
    return not (apart | {"than", "unlike"}).isdisjoint(words.words(claim))


def misplaced(
    claim: str, index: RowIndex, named: Mapping[RowKey, Field], language: str = "en"
) -> Iterator[tuple[str, str, Field]]:
    """(what the claim has, source, the field that says otherwise) for each text of another row than the one that is named."""
    if len(named) != 1 or sets_apart(claim):  # of two that are named, each may have its own value there
        return
    ((source, row), label) = next(iter(named.items()))
    claim = _said_of(label, claim)
    known = frozenset(words.content(claim))
    own_row = index.rows[source, row]
    mine = {frozenset(words.content(field.value.partition(",")[0])) for field in own_row}
    for own in own_row:
        stems = frozenset(words.content(own.value.partition(",")[0]))
        if own.kind not in ("text", "unknown") or own is label:
            continue
        after = re.search(rf"\b{re.escape(own.path[-1])}\s+(.{{1,60}})", claim.lower())
        texts = (field for field in own_row if field.kind == "text" and field is not own)
        beside = next((field for field in texts if after and after[1].startswith(field.value.lower())), None)
        if beside is not None:  # `from Berlin`, where Berlin is where it goes to
            yield beside.value, source, own
        if beside is not None or (stems and stems <= known):
            continue
        others = index.column(source, own).in_words(known)
        cells = [cell for stems, cell in others if _of_one_kind(own, cell) and not any(stems <= m for m in mine)]
        cells = [cell for cell in cells if _is_written(cell, claim, language)]
        if len({cell.value for cell in cells}) == 1 and not _is_hinted(index, (source, cells[0].row), known, label):
            yield cells[0].value, source, own


def _said_of(label: Field, claim: str) -> str:
    """What a claim says of the row that it names: nothing that leads up to its name with a colon, `Your order was shipped in part: lamp: …`."""
    lead, mark, rest = claim.partition(": ")
    called = set(words.content(label.value))
    return rest if mark and called.isdisjoint(words.content(lead)) and called & set(words.content(rest)) else claim


def _is_written(cell: Field, claim: str, language: str) -> bool:
    """Whether a claim has a value as such: its figures with their unit, a word in lower case in this very form.

    `Expected to ship` is not `shipped`, and `two weeks begun` no `2 weeks`.
    """
    if _is_digits(cell):
        return _written(cell) <= set(_FIGURE.findall(claim))
    row = words.words(claim)
    measured = [one for one in figures(cell.value, language) if one.dimension]
    told = {(one.dimension, one.low) for one in figures(claim, language)}
    plain = cell.value.isalpha() and cell.value.islower()
    return all((one.dimension, one.low) in told for one in measured) and (not plain or cell.value in row)


def _written(field: Field) -> set[str]:
    """The figures of a value as they are written: 08:10 is in no text with 08:32 and 10:00."""
    return set(_FIGURE.findall(field.value))


def _is_digits(field: Field) -> bool:
    return any(char.isdigit() for char in field.value) and not any(char.isalpha() for char in field.value)


def _of_one_kind(own: Field, other: Field) -> bool:
    """Whether two texts may stand for each other: `cancelled` is no other time than 15:15."""
    return not _is_digits(own) or any(char.isdigit() for char in other.value)


def _is_hinted(index: RowIndex, row: RowKey, known: frozenset[str], label: Field) -> bool:
    """Whether a claim has a word of the name of another row than the one it names in full: `Tarn T2 … and the T3 Pro`."""
    names = (field for field in index.rows[row] if field.path == label.path)
    return any(not known.isdisjoint(set(words.content(f.value)) - set(words.content(label.value))) for f in names)


def number_of_another(claim: str, one: Number, index: RowIndex, row: RowKey, label: Field) -> Field | None:
    """The number of a row, or that it has none, in the one column where only another row has this figure; None where there is none, or several."""
    known = frozenset(words.content(claim))
    found = [
        field
        for field in index.rows[row]
        if field.kind in ("number", "unknown")
        and one.face in index.column(row[0], field).numbers
        and plain_number(field) != one.face
    ]
    if len(found) != 1 or sets_apart(claim):
        return None
    other = index.column(row[0], found[0]).numbers[one.face]
    theirs = index.rows[row[0], other.row]
    own = {field.path: field.value for field in index.rows[row]}
    after = claim[one.span[1] :].lstrip()
    units = (field for field in theirs if field.kind == "text" and own.get(field.path) != field.value)
    measured = any(re.match(rf"{re.escape(field.value)}(?!\w)", after) for field in units)  # 500 mA, of a row in mA
    return None if measured or _is_hinted(index, (row[0], other.row), known, label) else found[0]


def year_of_another(claim: str, index: RowIndex, named: Mapping[RowKey, Field]) -> Iterator[tuple[str, str, Field]]:
    """(the year, source, the field that says otherwise) where a claim gives the row that it names a year which only another row has in that column."""
    years = [day for day in dates(claim) if day.first == day.last and day.first and not day.month]
    if len(named) != 1 or len(years) != 1 or sets_apart(claim):
        return
    ((row, label),) = named.items()
    part, year = claim[slice(*years[0].span)], float(years[0].first or 0)
    own = [field for field in index.rows[row] if field.kind == "number"]
    found = [field for field in own if year in index.column(row[0], field).numbers]
    if len(found) == 1 and plain_number(found[0]) not in (year, None) and part == f"{year:.0f}":
        other = index.column(row[0], found[0]).numbers[year]
        if not _is_hinted(index, (row[0], other.row), frozenset(words.content(claim)), label):
            yield part, row[0], found[0]
