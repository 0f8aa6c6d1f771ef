"""Which value belongs to which row and which list of a record: what a claim says of one thing and the record of another.

Silent where a claim sets things against each other (unlike, but, than): then both values may rightly stand in it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from witnessmark.text import lang, words
from witnessmark.text.records import Field

Told = Sequence[tuple[str, Field]]
MOST_ROWS = 200
"""Rows among which one that is named is looked for."""


@dataclass(frozen=True, slots=True)
class FieldGroups:
    """The fields of the records by the row and by the list of texts that they stand in."""

    rows: Mapping[tuple[str, int], Sequence[Field]]
    lists: Mapping[tuple[str, tuple[str, ...], int], Sequence[Field]]

    @staticmethod
    def of(fields: Told) -> FieldGroups:
        """Group the fields; once for all claims."""
        rows: dict[tuple[str, int], list[Field]] = defaultdict(list)
        lists: dict[tuple[str, tuple[str, ...], int], list[Field]] = defaultdict(list)
        for source, field in fields:
            if field.row:
                rows[source, field.row].append(field)
            if field.path:
                lists[source, field.path, field.row].append(field)
        several = {key: row for key, row in lists.items() if len(row) > 1 and all(f.kind == "text" for f in row)}
        return FieldGroups(rows, several)


def misplaced(claim: str, groups: FieldGroups) -> Iterator[tuple[str, str, Field]]:
    """(what the claim has, source, the field that says otherwise) for each value of another row or another list."""
    row = words.words(claim)
    apart = lang.words("contrast") | lang.words("negations") | lang.words("denying") | {"than", "unlike"}
    if not apart.isdisjoint(row):
        return
    known = frozenset(words.content(claim))
    yield from _of_another_row(claim.lower(), known, groups.rows)
    yield from _of_another_list(claim, groups.lists)


def _of_another_row(
    claim: str, known: frozenset[str], rows: Mapping[tuple[str, int], Sequence[Field]]
) -> Iterator[tuple[str, str, Field]]:
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


def _of_another_list(
    claim: str, lists: Mapping[tuple[str, tuple[str, ...], int], Sequence[Field]]
) -> Iterator[tuple[str, str, Field]]:
    for (source, path, _), own in lists.items():
        listed = _listed(claim, path[-1])
        mine = {words.content(field.value) for field in own}
        for item in listed:
            stems = words.content(item)
            elsewhere = any(
                stems == words.content(f.value) for found in lists.values() if found is not own for f in found
            )
            if elsewhere and not any(set(stems) <= set(value) for value in mine):
                yield item, source, own[0]


def _listed(claim: str, key: str) -> list[str]:
    """What a claim lists under a key: `the allergens are wheat, rye and sesame`."""
    stem = words.stem(key.rsplit(maxsplit=1)[-1])
    said = [word.lower() for word in claim.replace(",", " , ").rstrip(".").split()]
    at = next((n for n, word in enumerate(said) if words.stem(word.strip(":")) == stem), None)
    verb = lang.words("being") | lang.words("listing")
    if at is None or at + 1 >= len(said) or not (said[at + 1] in verb or said[at].endswith(":")):
        return []
    rest = " ".join(said[at + 2 :] if said[at + 1] in verb else said[at + 1 :])
    return [item.strip() for part in rest.split(",") for item in part.split(" and ") if item.strip()]
