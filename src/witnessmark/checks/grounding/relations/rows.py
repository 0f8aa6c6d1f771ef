"""Which value belongs to which row of a record: what a claim says of one thing and the record of another.

Silent where a claim sets things against each other (unlike, but, than): then both values may rightly stand in it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from witnessmark.text import lang, words
from witnessmark.text.records import Field

Rows = Mapping[tuple[str, int], Sequence[Field]]
"""The fields of each row by its source and number."""
MOST_ROWS = 200
"""Rows among which one that is named is looked for."""


def by_row(fields: Sequence[tuple[str, Field]]) -> Rows:
    """The fields that stand in rows; grouped once for all claims."""
    rows: dict[tuple[str, int], list[Field]] = defaultdict(list)
    for source, field in fields:
        if field.row:
            rows[source, field.row].append(field)
    return rows


def misplaced(claim: str, rows: Rows) -> Iterator[tuple[str, str, Field]]:
    """(what the claim has, source, the field that says otherwise) for each value of another row."""
    row = words.words(claim)
    apart = lang.words("contrast") | lang.words("negations") | lang.words("denying") | {"than", "unlike"}
    if apart.isdisjoint(row):
        yield from _of_another_row(claim.lower(), frozenset(words.content(claim)), rows)


def _of_another_row(claim: str, known: frozenset[str], rows: Rows) -> Iterator[tuple[str, str, Field]]:
    if not 2 <= len(rows) <= MOST_ROWS:
        return
    labels = {key: label for key, found in rows.items() if (label := _label(found)) is not None}
    numbered = {key for key, found in rows.items() if any(_numbered(claim, field) for field in found)}
    called = [key for key, label in labels.items() if key in numbered or _in(label.value, known)]
    # `Orion S` and `Orion X` differ by what is no word: the row that is named letter by letter is meant
    meant = [key for key in called if labels[key].value.lower() in claim] or called
    for key in meant if len(meant) == 1 else ():  # of two that are named, each may have its own value there
        for own in rows[key]:
            if own.kind not in ("text", "unknown") or own is labels[key] or _in(own.value, known):
                continue
            others = [f for other, found in rows.items() if other != key for f in found if f.path == own.path]
            said = {f.value for f in others if f.kind == "text" and _in(f.value, known)}
            if len(said) == 1:
                yield said.pop(), key[0], own


def _numbered(claim: str, field: Field) -> bool:
    """Whether a claim names a row by its number: `room 12`."""
    return field.kind == "number" and f"{field.path[-1].split()[-1]} {field.value}" in claim


def _label(row: Sequence[Field]) -> Field | None:
    """What a row is called: its first text of capitalised words."""
    return next((f for f in row if f.kind == "text" and f.value[:1].isupper()), None)


def _in(value: str, known: frozenset[str]) -> bool:
    """Whether a claim has all words of a value; of `A. Osei, wife` those before the comma."""
    stems = frozenset(words.content(value.partition(",")[0]))
    return bool(stems) and stems <= known
