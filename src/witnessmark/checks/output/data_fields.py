"""The data of an agent's output against records among its evidence, field by field. Knows nothing about prose.

A row of the data is about the record that it shares an identifying value with: one that no other record of that source has under the same
key. What the row says under any key of that record must be the record's value, or that of a later source about the same thing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from witnessmark.core.values import canonical
from witnessmark.core.verdict import Claim, ClaimStatus, EvidenceRef, SourceWords, WrongWords
from witnessmark.text import names as naming
from witnessmark.text import words
from witnessmark.text.dates import dates, follows
from witnessmark.text.numbers import figures
from witnessmark.text.records import Field, fields

MOST_ROWS = 200
"""Rows of the data that are looked at."""
Row = Mapping[tuple[str, ...], Field]


@dataclass(frozen=True, slots=True)
class SourceRow:
    """One record of a source, with the number of that source among all."""

    source: str
    number: int
    values: Row


def wrong_fields(data: Any, sources: Sequence[tuple[str, str]], told: str) -> Iterator[Claim]:
    """The fields of the data that records of the sources (id, text) contradict, and names in them that nobody has said.

    `told` is all that was said otherwise: the summary, the goal.
    """
    if not isinstance(data, (dict, list)):
        return
    known = [row for number, (name, text) in enumerate(sources) for row in _source_rows(name, number, text)]
    said = set(words.stems(" ".join([told, *(text for _, text in sources)])))
    for values in _rows(canonical(data).decode())[:MOST_ROWS] if known else ():
        meant = _meant(values, known)
        for key, field in values.items() if meant else ():
            there = [row for row in meant if key in row.values]
            later = [text for _, text in sources[max(row.number for row in meant) + 1 :]]
            if there and not any(_same(field, row.values[key]) for row in there) and not _mentioned(field.value, later):
                yield _claim(key, field, "contradicted", "the record gives another value for this", there[-1])
            elif not there and _invented(field, said):
                yield _claim(key, field, "unsupported", "no source has this name")


def _source_rows(name: str, number: int, text: str) -> Iterator[SourceRow]:
    return (SourceRow(name, number, values) for values in _rows(text))


def _rows(text: str) -> list[Row]:
    """The records of a text: what a key has once in a row; lists are no values of it."""
    made: list[Row] = []
    for _, row in groupby(fields(text), key=lambda field: field.row):
        cells = list(row)
        often = Counter(field.path for field in cells)
        made.append({field.path: field for field in cells if often[field.path] == 1 and field.kind != "unknown"})
    return made


def _meant(values: Row, known: Sequence[SourceRow]) -> list[SourceRow]:
    """The records that a row of the data is about: those that share the first of its values which tells records apart."""
    for key, field in values.items():
        agreeing = [row for row in known if key in row.values and _same(field, row.values[key])]
        alone = Counter(row.source for row in agreeing)
        if field.kind in ("number", "text") and agreeing and max(alone.values()) == 1:
            return agreeing
    return []


def _same(one: Field, other: Field) -> bool:
    """Whether two values say the same: yes and true, 45 and 45.00 EUR, 4 March and 2025-03-04, in_transit and In transit."""
    if one.kind in ("yes", "no") or other.kind in ("yes", "no"):
        return one.kind == other.kind
    mine, theirs = _plain(one.value), _plain(other.value)
    if mine in theirs or theirs in mine:
        return True
    days, others = dates(one.value), dates(other.value)
    if days and others:
        return follows(days[0], others[0]) or follows(others[0], days[0])
    number, rival = (next(iter(figures(text)), None) for text in (one.value, other.value))
    if number is None or rival is None:
        return False
    places = len(one.value.partition(".")[2])
    return any(
        round(value, places) == round(number.face, places) for value in (rival.face, rival.face * 100, rival.face / 100)
    )


def _plain(value: str) -> str:
    return " ".join(value.casefold().replace("_", " ").replace("-", " ").split())


def _mentioned(value: str, texts: Sequence[str]) -> bool:
    """Whether one of the texts has a value: what a later call changed."""
    return any(_plain(value) in _plain(text) for text in texts)


def _invented(field: Field, said: set[str]) -> bool:
    """Whether a value is a name of which nobody has said a word."""
    found = naming.names(f"It is {field.value}") if field.kind == "text" else ()
    return any(name.text == field.value.strip() and said.isdisjoint(name.stems) for name in found)


def _claim(key: tuple[str, ...], field: Field, status: ClaimStatus, reason: str, row: SourceRow | None = None) -> Claim:
    there = row.values[key] if row is not None else None
    closest = SourceWords(id=row.source, text=there.value, span=there.span) if row and there else None
    return Claim(
        text=f"{' '.join(key)}: {field.value}",
        kind="data",
        status=status,
        reason=reason,
        evidence=(EvidenceRef(id=closest.id, span=closest.span),) if closest else (),
        details={"by": "rule"},
        words=(WrongWords(text=field.value, closest=closest),),
    )
