"""What a claim says over all rows of a table: which is the most or the least of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from witnessmark.checks.grounding.fields.grid import alike
from witnessmark.checks.grounding.fields.row_questions import row_in
from witnessmark.checks.grounding.fields.rows import RowIndex, RowKey, plain_number, sets_apart
from witnessmark.checks.grounding.reading import questions
from witnessmark.text import lang, words
from witnessmark.text.records import Field

Outcome = tuple[str, bool, str, Field]
"""The word that says it, whether the rows bear it out, and a field that shows which is right, with its source."""
NEAR = 3
"""Words after `the most` within which the column stands that is meant."""
_GROWN = re.compile(r"(?<=[^\W\d_])[-‐](?=[^\W\d_])")


def _as_in_keys(text: str) -> str:
    """A text as keys have it: `ebikes` for `e-bikes`, which are no bikes, and `q2` for the second quarter."""
    text = _GROWN.sub("", text).lower()
    for phrase, key in lang.merged("records", "in_keys").items():
        text = text.replace(phrase, key)
    return text


class ExtremeRow(NamedTuple):
    """The row that is said to be the most or the least of all, in which words, and what of the claim names it."""

    row: RowKey
    label: Field
    text: str
    part: str


def extremes(claim: str, goal: str, index: RowIndex, named: Mapping[RowKey, Field]) -> Iterator[Outcome]:
    """Whether the row that a claim names has the most or the least, as `the cheapest` and `the most goals` say in it or in its question."""
    asked = None if sets_apart(claim) else _asked(claim, goal, index, named)
    if asked is None:
        return
    text = _as_in_keys(asked.text)
    row, known = words.words(text), frozenset(words.content(text))
    source, number = asked.row
    for at in _superlatives(row):
        for least, field in _meant(row, at, index.rows[source, number]):
            if _limits(index, asked, field, known):
                continue  # the cheapest that has a stove
            cells = index.column(source, field).cells
            rows = _alike(index, asked, known)
            values = {f.row: v for f in cells if f.row in rows and (v := plain_number(f)) is not None}
            if len(values) < 2 or number not in values:
                continue
            best = min(values, key=values.__getitem__) if least else max(values, key=values.__getitem__)
            shown = next(f for f in cells if f.row == best)
            yield asked.part or row[at], values[best] == values[number], source, shown


def _superlatives(row: Sequence[str]) -> Iterator[int]:
    """Where one of all is spoken of: `the most`, `was the reading lowest`; not `one of the most`."""
    ends = {word for table in lang.tables("extremes") for word in table if word.endswith("est")}
    for at in range(1, len(row)):
        if row[max(0, at - 3) : at - 1] != ("one", "of") and (row[at - 1] == "the" or (row[at] in ends and at == len(row) - 1)):  # fmt: skip
            yield at


def _asked(claim: str, goal: str, index: RowIndex, named: Mapping[RowKey, Field]) -> ExtremeRow | None:
    """The one row that a claim names, or with which it answers its question without a verb."""
    answer = questions.phrase(goal, claim)
    if not answer or " the " not in goal or _extreme_words(answer):
        return ExtremeRow(*next(iter(named.items())), claim, "") if len(named) == 1 else None
    question = questions.last_question(goal)
    if len(_extreme_words(question)) > 1:
        return None  # which is the lightest, and which lasts longest: the answer is to one of them
    found = row_in(answer, index) if not index.named(question) else None
    return ExtremeRow(*found, question, found[1].value) if found is not None else None


def asks_for_one(claim: str, goal: str) -> bool:
    """Whether a question asks which is the most or the least, and a claim answers it without saying so: its values alone do not tell."""
    return bool(_extreme_words(questions.last_question(goal))) and not _extreme_words(
        questions.phrase(goal, claim) or claim
    )


def _extreme_words(text: str) -> list[str]:
    """The words of a text that say the most or the least of anything, each once: lightest, `most expensive`."""
    called, how = {word for table in lang.tables("extremes") for word in table}, lang.listed("records", "most", "least")
    row = words.words(text)
    pairs = pairwise([*row, ""])
    return [word for word, after in pairs if (word in how and after not in called) or word in called - how]


def _limits(index: RowIndex, asked: ExtremeRow, field: Field, known: frozenset[str]) -> bool:
    """Whether a text has a word of another column than the one that counts and those that name the rows."""
    told = known.difference(words.content(field.path[-1]))
    others = [f for f in index.rows[asked.row] if f.path not in (field.path, asked.label.path)]
    naming = [f for f in others if f.kind == "text" and index.column(asked.row[0], f).is_naming]
    return any(told.intersection(words.content(f.path[-1])) for f in others if f not in naming)


def _meant(row: Sequence[str], at: int, fields: Sequence[Field]) -> list[tuple[bool, Field]]:
    """(whether the least is meant, the number of the row that it is about) of a superlative at a place; nothing where it is unclear which."""
    after = [words.stem(word) for word in row[at + 1 : at + 1 + NEAR]]
    for name, least in (("most", False), ("least", True)):
        told = lang.listed("records", name)
        if row[at] in told:
            numbers = [f for f in fields if f.kind == "number"]
            found = _longest([f for f in numbers if words.stem(f.path[-1].split()[0]) in after], after)
            found = found or [f for f in numbers if _is_said(f, row)]  # the most of all in Q4
            if len(found) == 1:
                return [(least, found[0])]
    phrase = row[at + 1] if row[at] == "most" and at + 1 < len(row) else row[at]
    for table in lang.tables("extremes"):
        side, *keys = table.get(phrase, "-").split()
        numbers = [f for f in fields if f.kind == "number"]
        found = [f for f in numbers if not set(keys).isdisjoint(f.path[-1].split())]
        found = found or (numbers if side != "-" and row[at] in lang.listed("records", "of_any") else [])
        if len(found) == 1:
            return [(side == "least", found[0])]
    return []


def _is_said(field: Field, row: Sequence[str]) -> bool:
    """Whether words have all those of a key, or others that name the same column."""
    known = {words.stem(word) for word in row}
    return all(not known.isdisjoint((stem, *alike(stem))) for stem in words.stems(field.path[-1]))


def _longest(found: list[Field], said: Sequence[str]) -> list[Field]:
    """The one column whose name is said whole and holds those of the others: `yield per tree`, not `trees`; all of them where none is."""
    stems = {id(f): [words.stem(word) for word in words.words(f.path[-1].partition("(")[0])] for f in found}
    whole = [f for f in found if all(stem in said for stem in stems[id(f)])]
    most = max((len(stems[id(f)]) for f in whole), default=0)
    longest = [f for f in whole if len(stems[id(f)]) == most]
    return (
        longest if len(longest) == 1 and all(set(stems[id(f)]) <= set(stems[id(longest[0])]) for f in whole) else found
    )


def _alike(index: RowIndex, asked: ExtremeRow, known: frozenset[str]) -> frozenset[int]:
    """The rows that are compared: those that share each text of the row that is mentioned and is no name of it, `the cheapest in Bonn`."""
    source = asked.row[0]
    rows = frozenset(row for of, row in index.rows if of == source)
    texts = (f for f in index.rows[asked.row] if f.kind == "text" and f is not asked.label)
    for field in (f for f in texts if not index.column(source, f).is_naming):
        stems = frozenset(words.content(field.value))
        if stems and stems <= known:
            cells = index.column(source, field).cells
            rows &= frozenset(cell.row for cell in cells if cell.value.lower() == field.value.lower())
    return rows
