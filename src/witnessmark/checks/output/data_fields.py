"""The data of an agent's output against records among its evidence, field by field. Knows nothing about prose.

Every object of the data is a row, at whatever depth it stands and under whatever key. A row is about the record that it shares an identifying
value with: one that no other record of that source has under the same key. What the row says under any key of that record must be the
record's value, or that of a later source about the same thing. Values of many words are prose, which nobody compares word by word.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, takewhile
from typing import Any, NamedTuple

import msgspec

from witnessmark.core.verdict import Claim, ClaimStatus, EvidenceRef, SourceWords, WrongWords
from witnessmark.text import lang, words
from witnessmark.text import names as naming
from witnessmark.text.dates import Date, dates, follows
from witnessmark.text.numbers import Number, figures
from witnessmark.text.records import Field, fields, kind_of
from witnessmark.text.sentences import Span

MOST_ROWS = 200
"""Rows of the data that are looked at."""
PROSE = 6
"""Words from which a value is a text about something, which two people put differently."""
NAMED, BELOW = ("",), ("", "")
"""Where a row has its own name, `4417` in `{"4417": {"status": "open"}, "4418": …}`, and the key above it, which may be none: `order`, `result`."""
ANOTHER = "the record gives another value for this"
_DECIMALS = re.compile(r"(?<=\d\.)\d+")
_SCALES = (
    *(10.0**power for power in range(-9, 10)),
    *(1024.0**power for power in (-3, -2, -1, 1, 2, 3)),
    60.0,
    1 / 60,
    3600.0,
    1 / 3600,
)
"""What one unit may be of another: cents and euros, bytes and MB, seconds and minutes."""
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
    found: dict[Span, Claim] = {}
    everything = [told, *(text for _, text in sources)]
    said = set(words.stems(" ".join(everything)))
    for values in rows_of(msgspec.json.encode(data).decode())[:MOST_ROWS] if known else ():
        meant = _meant(values, known, everything)
        later = [text for _, text in sources[max((row.number for row in meant), default=0) + 1 :]]
        for key, field in values.items() if meant else ():
            there = [row for row in meant if key in row.values]
            differs = any(key) and bool(there) and _differs(field, [row.values[key] for row in there])
            if differs and not _mentioned(field.value, later):
                found[field.span] = _claim(key, field, "contradicted", ANOTHER, there[-1])
            elif any(key) and not there and _invented(field, said):
                found.setdefault(field.span, _claim(key, field, "unsupported", "no source has this name"))
    yield from found.values()


def _source_rows(name: str, number: int, text: str) -> Iterator[SourceRow]:
    return (SourceRow(name, number, values) for values in rows_of(text))


def rows_of(text: str) -> list[Row]:
    """The records of a text, each object that holds values one: what a key has once in it; lists are no values of it."""
    made: list[Row] = []
    for _, row in groupby(fields(text), key=lambda field: field.row):
        cells = [replace(field, path=NAMED) if field.span[0] == field.span[1] else field for field in row]
        often = Counter(field.path for field in cells)
        single = [field for field in cells if often[field.path] == 1 and field.kind != "unknown"]
        inner = [field.path for field in single if field.path != NAMED]
        above = zip(*(path[:-1] for path in inner), strict=False)
        shared = len([*takewhile(lambda keys: len(set(keys)) == 1, above)])
        prefixes = dict.fromkeys(path[:depth] for path in inner for depth in range(shared, len(path)))
        made += [_below(prefix, single) for prefix in prefixes]
    return made


def _below(prefix: tuple[str, ...], cells: Sequence[Field]) -> Row:
    """The values below some keys, by the keys below those, after the key that they stand under."""
    depth = len(prefix)
    inner = {field.path[depth:]: field for field in cells if field.path[:depth] == prefix}
    if not prefix:
        return inner
    start = next(iter(inner.values())).span[0]
    name = NAMED if any(map(str.isdecimal, prefix[-1])) else BELOW
    own = {field.path: field for field in cells if field.path == NAMED}
    return {name: Field(name, prefix[-1], kind_of(prefix[-1]), (start, start))} | own | inner


def _meant(values: Row, known: Sequence[SourceRow], told: Sequence[str]) -> list[SourceRow]:
    """The records that a row of the data is about: those that share the first of its values which tells records apart.

    A row that begins with something of which no record tells, and somebody else does, is about that.
    """
    for key, field in values.items():
        agreeing = [row for row in known if any(same(field, value) for value in _named_alike(key, row.values))]
        alone = Counter(row.source for row in agreeing)
        if field.kind in ("number", "text") and agreeing and max(alone.values()) == 1:
            return agreeing
        if any(key) and not agreeing and any(key in row.values for row in known) and _mentioned(field.value, told):
            break
    return []


def _named_alike(key: tuple[str, ...], row: Row) -> Iterable[Field]:
    """The values of a record that a key of the data may mean: that under the same key; any, where it is the row's own name."""
    if key == NAMED:
        return row.values()
    return [row[name] for name in [NAMED if key == BELOW else key] if name in row]


def _differs(field: Field, there: Sequence[Field]) -> bool:
    """Whether a value is none of those that the records have, nor their sum; prose is not compared."""
    if any(same(field, other) for other in there) or any(len(one.value.split()) >= PROSE for one in (field, *there)):
        return False
    numbers = [_read(one.value).number for one in (field, *there) if one.kind == "number"]
    faces = [one.face for one in numbers if one is not None]
    return not (len(faces) == len(there) + 1 > 2 and abs(sum(faces[1:]) - faces[0]) < 0.005)


def same(one: Field, other: Field) -> bool:
    """Whether two values say the same: yes and true, 45 and 45.00 EUR, 4 March and 2025-03-04, in_transit and In transit."""
    if one.kind in ("yes", "no") or other.kind in ("yes", "no"):
        return one.kind == other.kind
    mine, theirs = _read(one.value), _read(other.value)
    if f" {mine.plain} " in f" {theirs.plain} " or f" {theirs.plain} " in f" {mine.plain} ":
        return True
    if mine.day and theirs.day:
        return follows(mine.day, theirs.day) or follows(theirs.day, mine.day)
    if mine.number is None or theirs.number is None:
        return False
    face, rival = mine.number.face, theirs.number.face
    scales = _SCALES if mine.number.dimension != theirs.number.dimension else (1.0, 100.0, 0.01)
    return any(round(rival * scale, mine.places) == round(face, mine.places) for scale in scales)


class _ReadValue(NamedTuple):
    """A value as it is compared: its words, the first date and the first figure in it, and the decimals of that."""

    plain: str
    day: Date | None
    number: Number | None
    places: int


@lang.kept(20_000)
def _read(value: str) -> _ReadValue:
    decimals = _DECIMALS.search(value)
    days, numbers = dates(value), figures(value)
    places = len(decimals.group()) if decimals else 0
    return _ReadValue(plain(value), next(iter(days), None), next(iter(numbers), None), places)


def plain(value: str) -> str:
    """A value as it is compared: in small letters, with spaces for what joins its words."""
    return " ".join(value.casefold().replace("_", " ").replace("-", " ").split())


def _mentioned(value: str, texts: Sequence[str]) -> bool:
    """Whether one of the texts has a value: what a later call changed."""
    return any(re.search(rf"(?<!\w){re.escape(plain(value))}(?!\w)", plain(text)) for text in texts)


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
