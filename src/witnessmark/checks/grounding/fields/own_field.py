"""A value of one field of a record said of another: `It is due on 12 February`, the day on which it was issued.

Which field is meant must be sure: its key stands beside the value, or the question names it and the claim says nothing else. Both
values are of one kind, and only that of the other field fits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from witnessmark.checks.grounding.fields.rows import RowIndex, RowKey, sets_apart
from witnessmark.text import lang, words
from witnessmark.text.dates import Date, dates, follows, without_dates
from witnessmark.text.numbers import Number, figures
from witnessmark.text.patterns import compiled
from witnessmark.text.records import Field
from witnessmark.text.sentences import Span
from witnessmark.text.units import head_dimensions, units

AROUND = 4
"""Words between a key and its value."""
_WORD = compiled(r"[^\W_]+(?:['’][^\W_]+)?|[.;,:()]")
Agrees = Callable[[Number, Field], bool]
Wrong = tuple[str, Field]
"""What the claim has, and the field that says otherwise."""


@dataclass(frozen=True, slots=True)
class ClaimValue:
    """A figure or a date of a claim, where it stands, and whether it is that of a field."""

    span: Span
    of: Callable[[Field], bool]
    dimension: str = ""
    noun: str = ""


@dataclass(frozen=True, slots=True)
class OneRecord:
    """The record that a claim is about: its source, its fields, and what the claim names it by."""

    source: str
    fields: Sequence[Field]
    label: Field | None = None


def record(fields: Sequence[tuple[str, Field]], rows: RowIndex, named: Mapping[RowKey, Field]) -> OneRecord | None:
    """The row that a claim names or, where it names none, the one record that is no row; None where there are several."""
    if len(named) == 1:
        ((source, row), label) = next(iter(named.items()))
        return OneRecord(source, rows.rows[source, row], label)
    alone = {source for source, field in fields if not field.row and field.path}
    if named or len(alone) != 1:
        return None
    return OneRecord(alone.pop(), [field for _, field in fields if not field.row and field.path])


def wrong_fields(
    claim: str, goal: str, about: OneRecord, agrees: Agrees, language: str = "en"
) -> Iterator[tuple[str, str, Field]]:
    """(what the claim has, source, the field that says otherwise) for values that are those of another field than the one that is meant."""
    if sets_apart(claim):
        return
    fields, label = about.fields, about.label
    days = dates(claim)
    called = set(words.content(label.value)) if label is not None else set()
    numbers = [one for one in without_dates(figures(claim, language), days) if claim[slice(*one.span)] not in called]
    dated = [field for field in fields if field.kind == "text" and len(dates(field.value)) == 1]
    counted = [field for field in fields if field.kind == "number" and field is not label]
    said = [ClaimValue(day.span, _on(day)) for day in days]
    of = [ClaimValue(one.span, _is(one, agrees), one.dimension, one.noun) for one in numbers if not one.is_range]
    wrong = (*_misplaced(claim, goal, said, dated, called), *_misplaced(claim, goal, of, counted, called))
    yield from ((part, about.source, field) for part, field in (*wrong, *_named_otherwise(claim, fields)))


def _named_otherwise(claim: str, fields: Sequence[Field]) -> Iterator[Wrong]:
    """A name that another field has, said to be this one: `The sales rep is Nils Holm`, who is the customer."""
    being = lang.either(lang.words("being"))
    texts = [field for field in fields if field.kind == "text" and field.value[:1].isupper() and not dates(field.value)]
    low = claim.lower()
    for own in (field for field in texts if field.value.lower() not in low):
        key = re.escape(own.path[-1])
        for other in (field for field in texts if field.value != own.value and field.value.lower() in low):
            value = re.escape(other.value.lower())
            told = rf"\b{key}\s*(?::|\s(?:{being}))\s+{value}\b|\b{value}\s+(?:{being})\s+(?:\w+\s+)?{key}\b"
            if re.search(told, low) and other.path != own.path:
                yield other.value, own


def _on(day: Date) -> Callable[[Field], bool]:
    return lambda field: follows(day, dates(field.value)[0])


def _is(one: Number, agrees: Agrees) -> Callable[[Field], bool]:
    return lambda field: agrees(one, field)


def _misplaced(
    claim: str, goal: str, said: Sequence[ClaimValue], fields: Sequence[Field], called: set[str]
) -> Iterator[Wrong]:
    if len(said) == 1:
        one = said[0]
        meant = [field for field in fields if _beside(claim, one.span, field)]
        if not meant and not any(_named(claim, field) for field in fields):
            meant = [field for field in fields if _named(goal, field) and _answers(claim, goal, one, field, called)]
        others = [field for field in fields if field not in meant and one.of(field)]
        fits = len({field.path for field in meant}) == 1 and not any(map(one.of, meant)) and _of_one_kind(one, meant[0])
        if fits and others and not any(_beside(claim, one.span, field) for field in others):
            yield claim[slice(*one.span)], meant[0]
    for first, second in combinations(said, 2):
        a, b = ([field for field in fields if _beside(claim, one.span, field)] for one in (first, second))
        if len(a) == len(b) == 1 and first.of(b[0]) and second.of(a[0]) and not first.of(a[0]) and not second.of(b[0]):
            yield claim[slice(*first.span)], a[0]


def _of_one_kind(one: ClaimValue, field: Field) -> bool:
    """Whether a figure may be the value of a field: no `2 items` of a total, no days of a price."""
    kinds = head_dimensions(field.words) | {figure.dimension for figure in figures(field.value) if figure.dimension}
    unlike = bool(one.dimension and kinds) and one.dimension not in kinds
    noun = words.stem(one.noun) if one.noun and not one.dimension and one.noun not in words.stop_words() else ""
    return not unlike and (not noun or noun in _stems(field))


def _stems(field: Field) -> tuple[str, ...]:
    """The words that name a field, without those of every key and of its unit."""
    generic = lang.listed("records", "generic")
    row = (word for word in field.path[-1].split() if word.isalpha() and word not in generic and word not in units())
    return tuple(words.stem(word) for word in row if word not in lang.words("prepositions"))


def _places(text: str, field: Field) -> list[tuple[int, int]]:
    """The first and the last word with which a text names a field: all of its key beside each other, or grown together (log in)."""
    wanted = _stems(field)
    row = _WORD.findall(text.lower())
    stems = [words.stem(word) for word in row]
    found = [
        (at, at + len(wanted) - 1)
        for at in range(len(row) - len(wanted) + 1)
        if wanted and all(map(_alike, stems[at : at + len(wanted)], wanted))
    ]
    grown = "".join(field.path[-1].split())
    runs = ((at, size) for size in range(len(wanted) + 1, len(wanted) + 3) for at in range(len(row)))
    found += [(at, at + size - 1) for at, size in runs if wanted and "".join(row[at : at + size]) == grown]
    return [place for place in found if not place[0] or row[place[0] - 1] not in lang.words("prepositions")]


def _alike(one: str, other: str) -> bool:
    """Whether two words are one, as far as their beginnings tell: `use` and `used`."""
    return one == other or (min(len(one), len(other)) > 2 and one.rstrip("d") == other.rstrip("d"))


def _named(text: str, field: Field) -> bool:
    return bool(_places(text, field))


def _beside(claim: str, span: Span, field: Field) -> bool:
    """Whether a key stands a few words before a value, or right behind it, with no comma between them."""
    before, after = _WORD.findall(claim[: span[0]].lower()), _WORD.findall(claim[span[1] :].lower())
    close = [last for _, last in _places(claim[: span[0]], field)]
    if close:
        between = before[close[-1] + 1 :]
        if (
            len(between) <= AROUND
            and not {",", ";", ".", "(", ")"}.intersection(between)
            and not _DIGIT.search(" ".join(between))
        ):
            return True
    first = [place[0] for place in _places(" ".join(after), field)]
    return bool(first) and first[0] == 0


_DIGIT = re.compile(r"\d")


def _answers(claim: str, goal: str, one: ClaimValue, field: Field, called: set[str]) -> bool:
    """Whether a claim does nothing but answer the question, or its unit is that of the field."""
    rest = claim[: one.span[0]] + " " + claim[one.span[1] :]
    known = {*words.content(goal), *called}
    return known.issuperset(words.content(rest)) or (
        bool(one.dimension) and one.dimension in head_dimensions(field.words)
    )
