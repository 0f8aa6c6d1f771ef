"""Tables and lists of records as grids: what each row and each column is called, and which of them a claim names.

Works for either way round: a row a plan and a column its price, or a row the revenue and a column the quarter.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from witnessmark.checks.grounding.evidence import Index, once
from witnessmark.checks.grounding.fields.rows import plain_number
from witnessmark.text import lang, words
from witnessmark.text.numbers import figures
from witnessmark.text.records import Field
from witnessmark.text.units import currencies, magnitudes, unit_of_key

_K = TypeVar("_K")
MOST_ROWS = 200
LONGEST_LABEL = 8
MOST_OF_A_KIND = 2
"""Kinds of value in a column that says one thing of each row: amounts, and `free`."""
_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")


@dataclass(frozen=True)
class Grid:
    """The numbers of one table by the label of their row and the name of their column."""

    source: str
    labels: Mapping[int, str]
    """What each row is called, by its number: its first value."""
    columns: tuple[str, ...]
    cells: Mapping[tuple[int, str], Field]
    full_labels: tuple[str, ...]
    """The same as they are written, with what stands in brackets."""
    noun: str
    """What the rows are, by the name of the list or of the first column; empty where nothing says so."""
    groups: tuple[Mapping[frozenset[str], frozenset[int]], ...] = ()
    """The rows that share a text, column by column, where several do: those of March."""
    is_turned: bool = False
    """Whether each column is a thing with values of several kinds, and each row what is told of it."""

    def value(self, row: int, column: str) -> float | None:
        """The number of a cell; None where there is none."""
        field = self.cells.get((row, column))
        return plain_number(field) if field is not None else None

    @cached_property
    def scale(self) -> float:
        """The million or thousand that the heads or the labels put beside their numbers, as `(EUR m)`; 1 where they have none, or several."""
        told = " ".join(field.path[-1] for field in self.cells.values()) + " " + " ".join(self.full_labels)
        inside = (word for part in _BRACKETS.findall(told.lower()) for word in re.findall(r"[^\W\d_]+", part))
        known = lang.merged("numbers", "short_magnitudes") | magnitudes()
        found = {float(known[word]) for word in inside if word in known}
        return found.pop() if len(found) == 1 else 1.0

    @cached_property
    def _telling(self) -> tuple[dict[int, frozenset[str]], dict[str, frozenset[str]]]:
        """The words by which a row and a column are told from the others."""
        rows = {row: _stems(label) for row, label in self.labels.items()}
        columns = {column: _stems(_without_unit(column)) for column in self.columns}
        return _told_apart(rows), _told_apart(columns)

    def meant(self, claim: str) -> list[int]:
        """All rows, or those of the one group of each column that a claim names: `in March`."""
        known = frozenset(words.stems(claim))
        rows = frozenset(self.labels)
        for groups in self.groups:
            named = [of for stems, of in groups.items() if stems <= known]
            rows = rows & named[0] if len(named) == 1 else rows
        return [row for row in self.labels if row in rows]

    def rows_in(self, claim: str) -> list[int]:
        """The rows that a claim names, in the order it names them."""
        return _named(self._telling[0], claim)

    def rows_called(self, text: str) -> list[int]:
        """The rows that a text names in full or, where it names none so, by a word that stands in one label only: Dora for Dora Levi."""
        known = frozenset(words.stems(text))
        often = Counter(stem for stems in self._telling[0].values() for stem in stems)
        short = (row for row, stems in self._telling[0].items() if any(often[one] == 1 for one in stems & known))
        return self.rows_in(text) or list(short)

    def columns_in(self, claim: str) -> list[str]:
        """The columns that a claim names, in the order it names them."""
        return _named(self._telling[1], claim)

    @property
    def is_series(self) -> bool:
        """Whether the columns are one thing at several times: every name has a digit."""
        return len(self.columns) > 1 and all(re.search(r"\d", column) for column in self.columns)


@once
def grids(index: Index) -> Sequence[Grid]:
    """The tables of the evidence."""
    tables: dict[tuple[str, tuple[str, ...]], dict[int, list[Field]]] = defaultdict(lambda: defaultdict(list))
    for source, field in index.fields:
        if field.row and field.path:
            tables[source, field.path[:-1]][field.row].append(field)
    found = [_grid(source, path, rows) for (source, path), rows in tables.items() if 1 <= len(rows) <= MOST_ROWS]
    return [one for one in found if one.cells]


def _grid(source: str, path: tuple[str, ...], rows: Mapping[int, Sequence[Field]]) -> Grid:
    labels = {row: _BRACKETS.sub("", fields[0].value).strip() for row, fields in rows.items()}
    numbers = {
        (row, f.path[-1]): f for row, fields in rows.items() for f in fields[1:] if f.kind == "number" and f.path[-1]
    }
    first = next(iter(rows.values()))[0].path[-1].split()
    named = [word for word in first if word not in lang.words("label_words")] or (path[-1].split() if path else [])
    columns = tuple(dict.fromkeys(column for _, column in numbers))
    written = tuple(fields[0].value for fields in rows.values())
    noun = words.stem(named[-1]) if named else ""
    return Grid(source, labels, columns, numbers, written, noun, _groups(rows), _is_turned(rows))


def _is_turned(rows: Mapping[int, Sequence[Field]]) -> bool:
    """Whether every column but the first has values of more than one kind."""
    kinds: dict[str, set[str]] = defaultdict(set)
    for field in (field for fields in rows.values() for field in fields[1:]):
        told = figures(field.value) if field.kind == "number" else []
        kinds[field.path[-1]].add(f"{field.kind} {told[0].dimension if told else ''}")
    return len(kinds) > 1 and all(len(found) > MOST_OF_A_KIND for found in kinds.values())


def _groups(rows: Mapping[int, Sequence[Field]]) -> tuple[Mapping[frozenset[str], frozenset[int]], ...]:
    """The rows by each text that several of them share, for every column but the first."""
    found: dict[tuple[str, ...], dict[frozenset[str], set[int]]] = defaultdict(lambda: defaultdict(set))
    for row, fields in rows.items():
        for field in (field for field in fields[1:] if field.kind == "text"):
            found[field.path][_stems(field.value)].add(row)
    shared = (groups for groups in found.values() if frozenset() not in groups and min(map(len, groups.values())) > 1)
    return tuple({stems: frozenset(of) for stems, of in groups.items()} for groups in shared)


def _stems(label: str) -> frozenset[str]:
    return frozenset(words.content(_BRACKETS.sub("", label))[:LONGEST_LABEL])


def _without_unit(column: str) -> str:
    """The name of a column without the unit at its end: `raised` of `raised gbp`."""
    name, _, last = column.rpartition(" ")
    return name if name and (unit_of_key(last) or last in currencies()) else column


def _told_apart(names: Mapping[_K, frozenset[str]]) -> dict[_K, frozenset[str]]:
    common = frozenset.intersection(*names.values()) if len(names) > 1 else frozenset()
    return {key: stems - common or stems for key, stems in names.items()}


def _named(names: Mapping[_K, frozenset[str]], claim: str) -> list[_K]:
    """The keys all of whose words a claim has; not one whose words are only some of those of another that is named."""
    row = words.stems(claim)
    known = frozenset(row)
    known |= {other for stem in known for other in alike(stem)}
    found = [key for key, stems in names.items() if stems and stems <= known]
    clear = [key for key in found if not any(names[key] < names[other] for other in found)]
    place = {stem: n for n, stem in reversed(list(enumerate(row)))}
    return sorted(clear, key=lambda key: min((place[stem] for stem in names[key] if stem in place), default=len(row)))


def alike(stem: str) -> frozenset[str]:
    """The stems that name the same column as this one."""
    return words.stem_groups("records", "same_column").get(stem, frozenset())
