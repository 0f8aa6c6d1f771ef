"""What a claim says of a list in a record: `the roles admin and billing`, where they are editor and billing; `only silva`, where there are two."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from witnessmark.checks.grounding.evidence import Index
from witnessmark.checks.grounding.fields.rows import RowKey
from witnessmark.checks.grounding.wording import denies
from witnessmark.text import lang, words
from witnessmark.text.records import Field

LONGEST = 3
"""Words of one value of a list."""


def not_listed(claim: str, index: Index, named: Mapping[RowKey, Field]) -> Iterator[tuple[str, str, Field]]:
    """(what the claim lists, source, a field of the list) for each that no source has, right behind the key and beside one that is there."""
    for source, path, fields in _lists(index, named):
        yield from ((part, source, fields[0]) for part in _others(claim, path[-1], fields, index))


def not_the_only(claim: str, index: Index, named: Mapping[RowKey, Field]) -> Iterator[tuple[str, str, Field]]:
    """(what the claim has, source, another of the list) where a claim says that one value of a list is its only one: `Only silva has write access`."""
    row, only = words.stems(claim), words.stemmed(lang.words("only"))
    places = [n for n, stem in enumerate(row[:-1]) if stem in only]
    lists = [(source, path, fields) for source, path, fields in _lists(index, named) if _names(path, row)]
    if len(places) != 1 or len(lists) != 1 or denies(claim):
        return
    ((source, path, fields),) = lists
    said = [field for field in fields if set(words.content(field.value)) <= set(row)]
    alike = {(of, field.row) for of, field in index.fields if field.path[-1:] == path[-1:]}
    if len(said) != 1 or (len(alike) > 1 and not named):  # of several lists under one key, nobody says which
        return
    value, key = set(words.content(said[0].value)), words.stem(path[-1].split()[-1])
    beside = row[row.index(key) + 1 :][:1]  # write access
    known = {*only, *value, *beside, *(stem for part in path for stem in words.stems(part))}
    before, after = row[max(0, places[0] - 1) : places[0]], row[places[0] + 1]
    told = after in value or (after == key and not lang.words("articles").isdisjoint(before))  # the only owner
    if told and known.issuperset(words.content(claim)):
        yield said[0].value, source, next(field for field in fields if field is not said[0])


def _names(path: tuple[str, ...], row: Sequence[str]) -> bool:
    return all(words.stem(word) in row for word in path[-1].split())


def _lists(index: Index, named: Mapping[RowKey, Field]) -> Iterator[tuple[str, tuple[str, ...], Sequence[Field]]]:
    """The lists of texts in records, of the rows that are named where any is: source, keys and values."""
    lists: dict[tuple[str, int, tuple[str, ...]], list[Field]] = defaultdict(list)
    for source, field in index.fields:
        if (
            field.path
            and field.kind == "text"
            and not field.table
            and (not field.row or not named or (source, field.row) in named)
        ):
            lists[source, field.row, field.path].append(field)
    for (source, _, path), fields in lists.items():
        if len(fields) > 1:
            yield source, path, fields


def _others(claim: str, key: str, fields: Sequence[Field], index: Index) -> Iterator[str]:
    being, joining = lang.either(lang.words("being")), lang.either(lang.words("joining"))
    found = re.search(rf"\b{re.escape(key)}\b(?:\s+(?:{being})\b|:)?\s+([^.;:!?()]+)", claim, re.IGNORECASE)
    items = [one.strip() for one in re.split(rf",|\b(?:{joining})\b", found[1], flags=re.IGNORECASE)] if found else []
    items = [item for item in items if item]
    known = [frozenset(words.content(field.value)) for field in fields]
    told = [frozenset(words.content(item)) for item in items]
    if (
        len(items) < 2
        or not any(stems in known for stems in told)
        or max(len(item.split()) for item in items) > LONGEST
    ):
        return
    for item, stems in zip(items, told, strict=True):
        if stems and not any(map(index.has, stems)):
            yield item
