"""Whose a figure is: a value that the sources give of one of several things alike, with the words that tell it from the others.

>>> from witnessmark.checks.grounding.evidence import ClaimInEvidence, EvidenceSource, Index
>>> index = Index([EvidenceSource("d", "Annual contract: 34 a month; monthly contract: 46 a month.")], "")
>>> said = ClaimInEvidence("The annual contract costs 46.", index)
>>> [is_fit(said, index.passages[0], one) for one in index.passages[0].figures]
[True, False]
"""

from __future__ import annotations

import functools
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from witnessmark.checks.grounding.evidence import ClaimInEvidence, Index, Passage, once
from witnessmark.checks.grounding.fields.grid import Grid, grids
from witnessmark.checks.grounding.fields.rows import RowIndex, sets_apart
from witnessmark.checks.grounding.relations.clauses import clauses
from witnessmark.checks.grounding.two_things.difference_ways import tells_rise
from witnessmark.text import lang, words
from witnessmark.text.numbers import Number, figures
from witnessmark.text.records import Field
from witnessmark.text.units import units

_DIGITS = re.compile(r"\d+")
MOST = 60
"""Things in one row; of more, hardly one is meant against the others."""
LONGEST_OWNER = 5
"""Words after a figure, with the one that leads to it, that name whose it is and tell nothing more."""


class OwnedValue(NamedTuple):
    """A number as it stands in a passage, and the names of its thing as sets of words."""

    passage: int
    at: int
    face: float
    names: tuple[frozenset[str], ...]
    common: frozenset[str] = frozenset()
    """The words that the names of all things beside it have, too."""

    def is_named(self, known: frozenset[str]) -> bool:
        """Whether a text has what tells a name of the thing from the others, of a number the whole name."""
        told = ((name - self.common, name) for name in self.names if name - self.common)
        return any((name if all(word[0].isdigit() for word in telling) else telling) <= known for telling, name in told)

    @property
    def words(self) -> frozenset[str]:
        """The words of its names that not all have."""
        return frozenset().union(*self.names) - self.common


Group = Sequence[OwnedValue]


def is_fit(this: ClaimInEvidence, passage: Passage, one: Number, *, stated: bool = True) -> bool:
    """Whether a figure of a passage may be what a claim speaks of: not that of a thing which nobody names, where one beside it is named.

    What a claim states is of the thing that it names itself, and so is what a change follows from that it tells of it; what another
    figure follows from may be of any that its text names.
    """
    cells = _held(this.index).get((passage.number, one.face))
    own = stated or tells_rise(this.claim) is not None
    texts = (*((this.claim,) if own else ()), f"{this.claim} {this.goal} {this.around}")
    return not cells or any(all(_is_meant(this, texts, *held) for held in cell) for cell in cells.values())


def _is_meant(this: ClaimInEvidence, texts: Sequence[str], value: OwnedValue, group: Group) -> bool:
    for text in texts:
        known = _known(text)
        named = [other for other in group if other.names != value.names and other.is_named(known)]
        theirs = frozenset(word for other in named for word in other.words)
        beside = any(other.face == one.face for other in named for one in this.figures)  # 2.1 kg against 2.9 kg
        apart = beside or (text is this.claim and named and sets_apart(text))
        if value.is_named(known) or value.words & known - theirs or apart:
            return True
        if named:
            return False
    return True


def _known(text: str) -> frozenset[str]:
    return frozenset((*words.content(text), *words.words(text), *_DIGITS.findall(text)))


def _telling(text: str) -> frozenset[str]:
    """The words that may tell a thing: `monthly` as it is written, since any amount is by the month."""
    row = ((word, stem) for word in words.words(text) for stem in words.content(word))
    return frozenset(word if {word, stem} & units().keys() else stem for word, stem in row)


@once
def _held(index: Index) -> Mapping[tuple[int, float], Mapping[int, Sequence[tuple[OwnedValue, Group]]]]:
    """The values of things alike by passage and number, each place with the groups that it stands in."""
    found: dict[tuple[int, float], dict[int, list[tuple[OwnedValue, Group]]]] = defaultdict(lambda: defaultdict(list))
    for group in (*_of_tables(index), *_of_clauses(index), *_of_owners(index)):
        called = [one for one in group if one.words]
        if 1 < len(called) <= MOST and len({one.words for one in called}) == len(called):
            for value in called:
                found[value.passage, value.face][value.at].append((value, called))
    return found


def _apart(group: Sequence[OwnedValue]) -> Group:
    """The values with the words of their names that not all of them have."""
    common = functools.reduce(frozenset.intersection, (one.words for one in group)) if group else frozenset[str]()
    return [one._replace(common=common) for one in group]


# --- tables --------------------------------------------------------------------------------------------------------


def _of_tables(index: Index) -> Iterator[Group]:
    """The numbers of each column by what names their rows, and of each row where the columns are things alike."""
    if not index.fields:
        return
    table = RowIndex.of(index.fields)
    names: dict[tuple[str, int], list[frozenset[str]]] = defaultdict(list)
    for naming in table.naming:
        for cell in (
            naming.cells
            if naming.cells[0].kind == "text" or naming.source not in {source for source, _ in names}
            else ()
        ):
            names[naming.source, cell.row].append(_telling(cell.value))
    for column in table.columns.values():
        named = [(cell, tuple(names.get((column.source, cell.row), ()))) for cell in column.cells]
        yield _apart([one for cell, called in named if called for one in _values(index, column.source, cell, called)])
    for grid in grids(index):
        for columns in columns_alike(grid):
            for row in grid.labels:
                cells = [(column, grid.cells.get((row, column))) for column in columns]
                yield _apart(
                    [
                        one
                        for name, cell in cells
                        if cell
                        for one in _values(index, grid.source, cell, (_telling(name),))
                    ]
                )


def _values(index: Index, source: str, cell: Field, names: tuple[frozenset[str], ...]) -> Iterator[OwnedValue]:
    """The number of a cell, where it is one."""
    told = figures(cell.value, index.language) if cell.kind == "number" else []
    passage = index.passage_at(source, cell.span) if len(told) == 1 else None
    if passage is not None:
        yield OwnedValue(passage.number, cell.span[0], told[0].face, names)


def columns_alike(grid: Grid) -> Iterator[Sequence[str]]:
    """The columns of a table that have one name but for a number in it (`default in 5.2`), and all where every column is a thing."""
    if grid.is_turned:
        yield grid.columns
        return
    found: dict[str, list[str]] = defaultdict(list)
    for column in grid.columns:
        found[_DIGITS.sub("", column)].append(column)
    yield from found.values()


# --- sentences -----------------------------------------------------------------------------------------------------


def _of_clauses(index: Index) -> Iterator[Group]:
    """The figures of the clauses of a sentence, one each, that are told of things by name, or of things with a word in common."""
    for passage in index.passages:
        if passage.is_flattened or len(passage.figures) < 2:
            continue
        found: list[tuple[OwnedValue, bool]] = []
        kinds = set[str]()
        for start, end in clauses(passage.text):
            inside = [one for one in passage.figures if start <= one.span[0] < end and not one.worded]
            if len(inside) == 1 and not inside[0].is_range:
                thing, named = _thing(passage.text[start : inside[0].span[0]], opens=start == 0)
                value = OwnedValue(passage.number, inside[0].span[0], inside[0].face, (_telling(thing),))
                found.append((value, named))
                kinds |= {inside[0].dimension} - {""}
        group = [value for value, _ in found]
        apart = _apart(group)
        if len(kinds) < 2 and all(one.words for one in apart) and (apart != group or all(named for _, named in found)):
            yield apart


def _of_owners(index: Index) -> Iterator[Group]:
    """The figures of the clauses of a sentence that are told for one each: `28 euros for adults and 15 euros for students`."""
    for passage in index.passages:
        group, kinds = list[OwnedValue](), set[str]()
        for start, end in clauses(passage.text) if not passage.is_flattened else ():
            inside = [one for one in passage.figures if start <= one.span[0] < end]
            after = passage.text[inside[0].span[1] : end].split() if len(inside) == 1 else []
            if 1 < len(after) <= LONGEST_OWNER and after[0].lower() in lang.words("owner_after"):
                names = (_telling(" ".join(after[1:])),)
                group.append(OwnedValue(passage.number, inside[0].span[0], inside[0].face, names))
                kinds.add(inside[0].dimension)
        if len(kinds) == 1 and _apart(group) == group:  # for the first day and for each further day are no two things
            yield group


def _thing(before: str, *, opens: bool) -> tuple[str, bool]:
    """What stands before a figure, and whether it is a name: `Playwell` of `Three quotes were received: Playwell 7,900`."""
    lead, _, rest = before.rpartition(": ")
    text = rest if rest.strip() else lead or before
    named = [word for word in text.split()[opens and text is not rest :] if word[:1].isupper()]
    return (" ".join(named), True) if named else (text, False)
