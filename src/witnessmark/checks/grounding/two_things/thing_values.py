"""What sentences tell of several things in one row: each thing with its figure, or its year, of one kind.

>>> from witnessmark.checks.grounding.evidence import EvidenceSource, Index
>>> index = Index([EvidenceSource("d", "Anna earns 3,100 euros, Boris 2,800 euros and Carla 4,000 euros a month.")], "")
>>> [[(sorted(one.thing), one.value) for one in row] for row in rows_of_things(index)]
[[(['anna', 'earn'], 3100.0), (['bori'], 2800.0), (['carla'], 4000.0)]]
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from witnessmark.checks.grounding.evidence import Index, Passage, once
from witnessmark.checks.grounding.relations.clauses import clauses
from witnessmark.checks.grounding.steps import arithmetic
from witnessmark.text import lang, words
from witnessmark.text.dates import dates, without_dates
from witnessmark.text.numbers import Number
from witnessmark.text.patterns import compiled
from witnessmark.text.sentences import Span

YEAR = "year"
MONTHS = 12
_NUMBERED = compiled(r"[A-ZÀ-ÖØ-Þ][\w'’-]*\s$")
Kind = tuple[str, str]
"""The dimension of a figure, or `year`, and of a bare number what it counts."""


class ThingValue(NamedTuple):
    """The value of one thing: the stems before it, those of its clause and of the clause it leans on, and where it stands."""

    thing: frozenset[str]
    said: frozenset[str]
    value: float
    kind: Kind
    passage: Passage
    span: Span

    @property
    def shown(self) -> str:
        """The value as it is written."""
        return self.passage.text[slice(*self.span)]


@once
def rows_of_things(index: Index) -> Sequence[Sequence[ThingValue]]:
    """Every row of two or more things with values of one kind, in one sentence or in two that follow each other and say the same of them."""
    found: list[list[ThingValue]] = []
    before: dict[Kind, list[ThingValue]] = {}
    for passage in index.passages:
        here = _by_kind(passage) if not passage.is_flattened else {}
        for kind, row in here.items():
            last = before.get(kind, [])
            joined = last and last[-1].passage.source == passage.source and _alike(last[-1], row[0])
            found.append([*last, *row] if joined else row)
        before = here
    return [row for row in found if len({one.thing for one in row}) == len(row) > 1]


def _alike(one: ThingValue, other: ThingValue) -> bool:
    """Whether two sentences say the same of two things: with the same words behind them, or with none (`, at 142 metres,`)."""
    mine, theirs = one.said - one.thing, other.said - other.thing
    return bool(one.said & other.said - {stem for stem in one.said if stem[0].isdigit()}) or not (mine or theirs)


def _by_kind(passage: Passage) -> dict[Kind, list[ThingValue]]:
    found: dict[Kind, list[ThingValue]] = defaultdict(list)
    for one in _told(passage):
        found[one.kind].append(one)
    return found


def _told(passage: Passage) -> Iterator[ThingValue]:
    """The values of a sentence clause by clause; a clause that opens with a verb, or with `at`, is about the thing before it."""
    text = passage.text
    thing, leaned, last = frozenset[str](), frozenset[str](), None
    for start, end in clauses(text):
        values = [one for one in _values(passage) if start <= one[0][0] < end]
        opens = words.words(text[start:end])[:1]
        carried = bool(opens) and opens[0] in _carrying()
        before = text[start : values[0][0][0] if values else end]
        if not carried:
            thing = frozenset(words.content(before))
        said = frozenset(words.content(text[start:end]))
        if _leans(before):
            said |= leaned
        for span, value, own in values:
            kind = last if own is None else own
            if kind is None or not thing or sum(other in (kind, None) for _, _, other in values) > 1:
                continue  # of two figures of a kind, nobody knows which is the thing's
            last = kind
            yield ThingValue(thing, said, value, kind, passage, span)
        leaned = said


def _leans(before: str) -> bool:
    """Whether what stands before a value is a thing and no verb, so that the verb of the clause before is meant: `Boris 2,800 euros`."""
    row = [word for word in words.WORD.findall(before) if word.lower() not in words.stop_words()]
    return len(row) <= 1 or all(word[0].isupper() or word[0].isdigit() for word in row)


def _values(passage: Passage) -> Iterator[tuple[Span, float, Kind | None]]:
    """The plain figures and years of a sentence with their kind; None for a bare number that has the kind of the one before (`Rovers 11`)."""
    text, days = passage.text, dates(passage.text)
    for one in without_dates(passage.figures, days):
        numbered = not one.dimension and _NUMBERED.search(text[: one.span[0]]) is not None
        counts = bool(one.noun) and one.noun.lower() not in words.stop_words()
        if one.is_range or one.bound or arithmetic.compared_by(text, one) or (numbered and counts):
            continue
        yield one.span, one.low, _kind(one, counts=counts)
    for day in days:
        if day.first is not None and day.first == day.last:
            yield day.span, day.first + ((day.month or 1) - 1) / MONTHS, (YEAR, "" if not day.month else "month")


def _kind(one: Number, *, counts: bool) -> Kind | None:
    if one.dimension:
        return one.dimension, ""
    return ("", words.stem(one.noun.lower())) if counts else None


@lang.derived
def _carrying() -> frozenset[str]:
    """What opens a clause that is about the thing before it: a verb, or what puts a measure beside a thing."""
    return (lang.words("verbs") | lang.words("being") | lang.words("having") | lang.listed("numbers", "beside")) - {""}
