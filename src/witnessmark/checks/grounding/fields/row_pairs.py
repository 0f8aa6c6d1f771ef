"""Several rows of a table or a record in one sentence, each with its values: `Business has 25 seats and Team has 100`.

Each value goes with the name in its own clause. Silent where a clause has two names, or a name has no value: `Team and Business
have 25 and 100 seats` tells nobody which goes with which.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from witnessmark.checks.grounding.fields.rows import RowIndex, RowKey
from witnessmark.checks.grounding.relations.clauses import clauses
from witnessmark.text import lang, words
from witnessmark.text.clock import times
from witnessmark.text.dates import Date, dates, follows
from witnessmark.text.numbers import Number, figures
from witnessmark.text.records import Field

Pair = tuple[str, RowKey, Field]
"""A part of a claim, the row that it is about, and what names that row."""


def pairs(claim: str, index: RowIndex) -> list[Pair]:
    """The claim in parts of one row each, in order; empty where it is about one row, or where it is unclear which part is about which."""
    found = [(claim[a:b], index.named(claim[a:b])) for a, b in clauses(claim)]
    if not found:
        return []
    forward = bool(
        found[0][1]
    )  # what names no row goes on about the one before, or leads up to the next: `25 seats and chat for Team`
    parts: list[tuple[str, Mapping[RowKey, Field]]] = []
    for text, named in found if forward else reversed(found):
        if not named and parts:
            parts[-1] = (f"{parts[-1][0]}, {text}", parts[-1][1])
        else:
            parts.append((text, named))
    rows = {row for _, named in parts for row in named}
    if len(rows) < 2 or len({source for source, _ in rows}) > 1 or any(len(named) != 1 for _, named in parts):
        return []
    return [(text, *next(iter(named.items()))) for text, named in parts]


Agrees = Callable[[Number, Field], bool]


def swapped_values(claim: str, index: RowIndex, agrees: Agrees, language: str) -> Iterator[tuple[str, str, Field]]:
    """(what the claim has, source, the field that says otherwise) for each value that a part gives its row and another named row has.

    `agrees` says whether a figure is that of a field.
    """
    unlike = lang.words("negations") | lang.words("denying") | {"than", "unlike"}
    found = pairs(claim, index) if unlike.isdisjoint(words.words(claim)) else []
    said = [PartValues(text, label, agrees, language) for text, _, label in found]
    fields = [field for _, row, label in found for field in index.rows[row] if field.path != label.path]
    if not all(any(map(one.has, fields)) for one in said):
        return
    for (_, row, label), one in zip(found, said, strict=True):
        mine = [field for field in index.rows[row] if field.path != label.path]
        for other in dict.fromkeys(other for _, other, _ in found if other != row):
            theirs = {field.path: field for field in index.rows[other]}
            for own in (field for field in mine if field.path in theirs and not one.has(field)):
                part = one.has(theirs[own.path])
                if part and not any(
                    one.has(field) == part for field in mine
                ):  # 25 may be seats of one and guests of the other
                    yield part, row[0], own


class PartValues:
    """The figures, dates and words of a part of a claim, without what names its row."""

    def __init__(self, text: str, label: Field, agrees: Agrees, language: str) -> None:
        """`label` is what names the row."""
        self.text, self.agrees = text, agrees
        called = set(words.content(label.value))
        self.days = dates(text)
        clock = [one.span for one in times(text)]
        self.numbers = [
            one
            for one in figures(text, language)
            if text[slice(*one.span)] not in called and not any(a <= one.span[0] < b for a, b in clock)
        ]
        self.stems = frozenset(words.content(text)) - called

    def has(self, field: Field) -> str:
        """The words with which it gives a field's value; empty where it does not."""
        stated = dates(field.value)
        if len(stated) == 1 and field.kind != "number":
            day = next((day for day in self.days if _same_day(day, stated[0])), None)
            return self.text[slice(*day.span)] if day else ""
        if field.kind == "number":
            number = next((one for one in self.numbers if self.agrees(one, field) and self._may_be(one, field)), None)
            return self.text[slice(*number.span)] if number else ""
        stems = words.content(field.value) if field.kind == "text" else ()
        return field.value if stems and self.stems.issuperset(stems) else ""

    def _may_be(self, one: Number, field: Field) -> bool:
        """Whether a figure may be a field's: `1 minute ahead` is no rank of 1, where neither the value nor its name has the unit."""
        unit = [stem for stem in words.stems(self.text[slice(*one.span)]) if stem.isalpha()]
        return one.dimension != "time" or not set(unit).isdisjoint(words.stems(f"{field.path[-1]} {field.value}"))


def _same_day(one: Date, stated: Date) -> bool:
    return bool(one.month) and follows(one, stated)
