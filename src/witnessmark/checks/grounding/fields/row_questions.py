"""The row that a question asks for, and the one that an answer names: `Line 10` to `Which line goes to the airport?`, where that is line 24."""

from __future__ import annotations

import re
from collections.abc import Iterator

from witnessmark.checks.grounding.fields.rows import RowIndex, RowKey
from witnessmark.checks.grounding.reading import questions
from witnessmark.checks.grounding.wording import denies
from witnessmark.text import lang, words
from witnessmark.text.records import Field

MOST_BESIDE = 1
"""Words of a question, beside what it asks for and the value it asks by, that carry meaning: what the thing does."""


def row_in(answer: str, index: RowIndex) -> tuple[RowKey, Field] | None:
    """The one row that an answer names, by any of its texts or by its number, and what it is named by; None where it names none, or several."""
    low, known = answer.lower(), frozenset(words.content(answer))
    first = {column.source: column for column in reversed(list(index.columns.values()))}
    told = [
        (column.source, called)
        for column in index.columns.values()
        if (column.cells[0].kind == "text" or first[column.source] is column) and (called := column.named(low, known))
    ]
    if not told:
        return None
    one = frozenset.intersection(*(frozenset((source, cell.row) for cell in called) for source, called in told))
    if len(one) != 1:
        return None
    row = next(iter(one))
    return row, next(cell for cell in told[0][1] if cell.row == row[1])


def asked_rows(claim: str, goal: str, index: RowIndex) -> Iterator[tuple[str, bool, str, Field]]:
    """(what the claim names, whether it is right, source, the value that the question asks by) of an answer to which row has a value."""
    meant = _meant(questions.last_question(goal), index) if index.rows else None
    if meant is None or denies(claim):
        return
    (source, row), value = meant
    answer = questions.phrase(goal, claim) or (
        claim if set(words.content(value.value)) <= set(words.content(claim)) else ""
    )
    found = row_in(re.sub(re.escape(value.value), "", answer, flags=re.IGNORECASE), index) or row_in(answer, index)
    if found is not None and found[1].path != value.path and found[0][0] == source:
        yield found[1].value, found[0] == (source, row), source, value


def _meant(question: str, index: RowIndex) -> tuple[RowKey, Field] | None:
    """The one row that has the one text which a question asks by, and that text: `airport` in `Which line goes to the airport?`."""
    row = words.words(question)
    if len(row) < 3 or row[0] not in lang.listed("questions", "which") or not _apart().isdisjoint(row):
        return None
    noun, known = words.stem(row[1]), frozenset(words.content(" ".join(row[1:])))
    found = [
        (column.source, cell, stems)
        for column in index.columns.values()
        if noun not in words.stems(column.path[-1])
        for stems, cell in column.in_words(known)
    ]
    keys = {words.stem(key.split()[-1]) for _, path in index.columns for key in path[-1:]}
    if len(found) != 1 or noun not in keys or len(known - found[0][2] - {noun}) > MOST_BESIDE:
        return None
    source, cell, _ = found[0]
    return (source, cell.row), cell


@lang.derived
def _apart() -> frozenset[str]:
    """Words of a question that asks for another row than the one which has a value: than, before, not."""
    names = (
        "comparing",
        "comes_before",
        "comes_after",
        "negations",
        "denying",
        "superlatives",
        "afterwards",
        "beforehand",
    )
    return frozenset(word for name in names for word in lang.words(name)) | lang.listed("numbers", "compared")
