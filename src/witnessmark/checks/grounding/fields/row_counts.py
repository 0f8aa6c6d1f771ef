"""How many rows of a table there are, or have a value, as a claim says that says nothing else: `There are five plans`, `Two tickets are open`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from witnessmark.checks.grounding.fields.row_extremes import Outcome
from witnessmark.checks.grounding.fields.rows import Column, RowIndex
from witnessmark.checks.grounding.reading import questions
from witnessmark.text import lang, numerals, words
from witnessmark.text.records import Field

MOST_WORDS = 4
"""Words that carry meaning of a claim that counts rows and says nothing else."""
Flags = Sequence[tuple[tuple[str, ...], Sequence[Field]]]
"""The stems of each yes/no key, and its fields."""


def counts(claim: str, goal: str, index: RowIndex, flags: Flags) -> Iterator[Outcome]:
    """Whether there are as many rows, so many with a yes, or so many with a text, as a claim says or answers to `how many`."""
    row = words.words(_as_answer(claim, goal))
    told = next(((word, count) for word in row if (count := _count(word)) is not None), None)
    tables = {column.source for column in index.columns.values() if len(column.cells) > 1}
    if told is None or len(tables) != 1:
        return
    word, many = told
    known = [stem for stem in dict.fromkeys(words.content(" ".join(row))) if stem not in (words.stem(word), word)]
    if not 0 < len(known) < MOST_WORDS:
        return
    behind = words.stem(row[row.index(word) + 1]) if row[-1] != word else ""
    for noun, cells in (one for one in _nouns(index) if one[0] in known and behind in known):  # no room 3
        said = set(known) - {noun}
        with_it = _having(said, cells, index, flags) if behind and said else None  # up and down are words of every text
        if set(known) == {noun} == {behind} and "there" in (row[0], row[-1]):
            yield word, many == len(cells), next(iter(tables)), cells[0]
        elif with_it and lang.words("negations").isdisjoint(set(row) - {"no"}):
            wanted = len(cells) if word == "all" else many
            yield word, len(with_it[1]) == wanted, next(iter(tables)), (*with_it[1], with_it[0])[0]
        else:
            continue
        return


def _as_answer(claim: str, goal: str) -> str:
    """A claim that is a number, as the statement that it makes to a question that asks how many: `Three` as `three tickets are open`."""
    answer = words.words(questions.phrase(goal, claim))[:1]
    asked = questions.counted(goal) if answer else ""
    return f"{answer[0]} {asked}" if asked and _count(answer[0]) is not None else claim


def _having(
    said: set[str], cells: Sequence[Field], index: RowIndex, flags: Flags
) -> tuple[Field, Sequence[Field]] | None:
    """(a field, those that have what is said) of the one yes/no key, or the one column of texts, that it can be of; None where there is none."""
    flag = next((found for own, found in flags if said == set(own)), None)
    if flag is not None:
        return (flag[0], [one for one in flag if one.kind == "yes"]) if len(flag) == len(cells) else None
    found = []
    for column in index.columns.values():
        key = set(words.content(column.path[-1]))
        having = [c for c in column.cells if c.kind == "text" and said in _told_with(c, key)]
        if having and len(column.cells) == len(cells) and column.cells[0].path[:-1] == cells[0].path[:-1]:
            found.append((column.cells[0], having))
    return found[0] if len(found) == 1 else None


def _told_with(cell: Field, key: set[str]) -> tuple[set[str], set[str]]:
    value = set(words.content(cell.value))
    return value, value | key


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
