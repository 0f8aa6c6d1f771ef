"""What a claim lists under a key that a record lists too: `the roles admin and billing`, where they are editor and billing."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from witnessmark.checks.grounding.evidence import Index
from witnessmark.checks.grounding.fields.rows import RowKey
from witnessmark.text import lang, words
from witnessmark.text.records import Field

LONGEST = 3
"""Words of one value of a list."""


def not_listed(claim: str, index: Index, named: Mapping[RowKey, Field]) -> Iterator[tuple[str, str, Field]]:
    """(what the claim lists, source, a field of the list) for each that no source has, right behind the key and beside one that is there."""
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
            yield from ((part, source, fields[0]) for part in _others(claim, path[-1], fields, index))


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
