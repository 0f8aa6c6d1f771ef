"""Values that follow from a stated one and a stated distance: two years before X, X three years later, the day after, twice as much.

A step says of what the value is that it leads to, and of what the stated one is: in `planted in 1911, two years before the glasshouse
was built` the planting has 1911 and the glasshouse 1913. Where it cannot be told which is whose, or which way it goes, the step is not
`sure`: what it leads to may be right, and nothing is held against it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from witnessmark.checks.grounding.evidence import Index, Passage
from witnessmark.checks.grounding.relations.clauses import clauses, masked, stems_of
from witnessmark.checks.grounding.relations.distances import Distance, Value, distances, moved
from witnessmark.text import clock, words
from witnessmark.text.clock import ClockTime
from witnessmark.text.dates import Date, dates, without_dates
from witnessmark.text.numbers import Number, figures
from witnessmark.text.sentences import Span

Whose = Literal["of", "base", ""]
MOSTLY = 0.6
"""The share of the words of what a step leads to that a claim must have for another value to contradict it; a name is enough too."""
HALF = 0.5
"""How much less a clause may share with the one thing than with the other for its value to be of the other."""
_Place = tuple[Passage, Value, Span]


@dataclass(frozen=True, slots=True)
class Step:
    """From a stated value (at `place`) to others; `of` and `base` are the words of what the two are of, `distance` what lies between them."""

    passage: Passage
    place: _Place
    results: tuple[Value, ...]
    of: frozenset[str]
    base: frozenset[str]
    sure: bool
    distance: Distance

    @property
    def how(self) -> str:
        """What the value was worked out from, in the words of the sources."""
        anchor, _, span = self.place
        return f"{anchor.text[slice(*span)]}, {self.said}"

    @property
    def said(self) -> str:
        """The distance as the passage says it."""
        return self.passage.text[self.distance.span[0] : self.distance.end]

    def whose(self, mine: frozenset[str], close: frozenset[str]) -> Whose:
        """Whether a claim with these words is about what the step leads to, about what it starts from, or neither for sure.

        `close` are those of the clause with the claim's value, which tells of `the mill, opened in 1874, burned down`. A year or a day
        of a month tells more than a word.
        """
        theirs, other = self.of - self.base, self.base - self.of
        if not theirs:
            return ""
        reached, started = _share(mine, theirs), _share(mine, other)
        if _dated(mine & theirs) and not _dated(mine & other):
            reached = 1.0
        known = mine <= self.of | self.base or reached >= MOSTLY or self._named(mine & theirs)
        if close & theirs and known and (started < reached or started == reached == 1):
            return "of"
        return "base" if reached < started == 1 or (self.sure and started > reached) else ""

    def names(self, mine: frozenset[str]) -> bool:
        """Whether a claim with these words surely means what the step leads to: most of its words or its name, and no words beside."""
        theirs = self.of - self.base
        enough = _share(mine, theirs) >= MOSTLY or self._named(mine & theirs) or _dated(mine & theirs)
        return mine <= self.of | self.base and enough

    def _named(self, stems: frozenset[str]) -> bool:
        return any(
            word[0].isupper() and words.stem(word.lower()) in stems for word in words.WORD.findall(self.passage.text)
        )


def _dated(stems: frozenset[str]) -> bool:
    return any(stem[0].isdigit() for stem in stems)


def _share(mine: frozenset[str], theirs: frozenset[str]) -> float:
    return len(mine & theirs) / len(theirs) if theirs else 0.0


def all_times(index: Index) -> list[tuple[Passage, ClockTime]]:
    """The times of day of the evidence, each with its passage; worked out once."""
    kept = index.kept.get("times")
    if isinstance(kept, list):
        return kept
    read = [(passage, time) for passage in index.passages for time in clock.times(passage.text)]
    clear = clock.by_whole_day([time for _, time in read])
    found = index.kept["times"] = [(passage, time) for (passage, _), time in zip(read, clear, strict=True)]
    return found


# --- reading the steps of a passage ----------------------------------------------------------------------------------


def steps(passage: Passage, index: Index, kind: type[Value]) -> list[Step]:
    """The steps to values of a kind that a passage tells of; worked out once."""
    key = f"steps {kind.__name__} {passage.number}"
    kept = index.kept.get(key)
    if isinstance(kept, list):
        return kept
    made = [step for one in _distances(passage, index) for step in _from_each(one, passage, index, kind)]
    index.kept[key] = made
    return made


def _distances(passage: Passage, index: Index) -> list[Distance]:
    key = f"distances {passage.number}"
    if key not in index.kept:
        index.kept[key] = distances(passage.text, passage.figures)
    found = index.kept[key]
    assert isinstance(found, list)
    return found


def values_of(passage: Passage, index: Index, kind: type[Value]) -> list[_Place]:
    """The values of a kind that a passage states."""
    if kind is Date:
        return [(passage, date, date.span) for date in passage.dates]
    if kind is ClockTime:
        return [(passage, time, time.span) for place, time in all_times(index) if place is passage]
    if kind is int:
        return [(passage, day, span) for day, span in clock.weekdays(passage.text)]
    amounts = [one for one in passage.figures if not one.is_range and one.dimension != "percent"]
    return [(passage, one, one.span) for one in amounts]


def _from_each(one: Distance, passage: Passage, index: Index, kind: type[Value]) -> Iterator[Step]:
    """The steps that a distance makes from the values of its own sentence, or else from those of the one before or after it."""
    near = [index.passages[n] for n in (passage.number - 1, passage.number + 1) if 0 <= n < len(index.passages)]
    for place in (passage, *(other for other in near if other.source == passage.source)):
        found = [
            value for value in values_of(place, index, kind) if not _meet(value[2], one.span) or place is not passage
        ]
        found = [value for value in found if moved(value[1], one, 1)]
        if kind is Number:
            found = [value for value in found if getattr(value[1], "dimension", "")] or found
        if found:
            break
    else:
        return
    sides = _Sides(passage, one, index, kind)
    placed = [(value, sides.of(value)) for value in sides.nearest(found)]
    for value, (of, base, back, sure) in placed:
        ways = (1, -1) if not one.way or not of else (-one.way if back else one.way,)
        if one.kind == "times":
            ways = (-1 if back else 1,)
        results = tuple(result for way in ways for result in moved(value[1], one, way))
        alone = len({_key(other[1]) for other, (_, _, side, _) in placed if side == back}) == 1
        yield Step(passage, value, results, of, base, sure and alone and bool(one.way) and one.exact, one)


def _key(value: Value) -> object:
    """What equal values have in common, wherever they stand."""
    if isinstance(value, Date):
        return value.first, value.month, value.day
    return value.readings if isinstance(value, ClockTime) else value.low if isinstance(value, Number) else value


def _meet(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def taken(text: str, kind: type[Value], found: Sequence[Distance] = ()) -> list[Span]:
    """What of a text is a value of a kind, a figure or a distance, and no word of what it is about; the date of an amount is one."""
    told = dates(text)
    values = [one.span for one in without_dates(figures(text), told)]
    values += [one.span for one in found if one.way and not one.telling]
    if kind is int:
        values += [span for _, span in clock.weekdays(text)]
    values += [one.span for one in told if kind is Date]
    return values + [one.span for one in (clock.times(text) if kind is ClockTime else ())]


class _Sides:
    """The two things between which a sentence states a distance: what stands before it, and what it is counted from."""

    def __init__(self, passage: Passage, one: Distance, index: Index, kind: type[Value]) -> None:
        self.passage, self.index, self.kind = passage, index, kind
        known = _distances(passage, index)
        masks = taken(passage.text, kind, known)
        self.plain = masked(passage.text, masks)
        self.parts = clauses(passage.text, masks, [other.span for other in known if other.way])
        self.at = next(n for n, (_, end) in enumerate(self.parts) if one.span[0] < end or n == len(self.parts) - 1)
        start, end = self.parts[self.at]
        before, after = (start, one.span[0]), (one.end, end)
        self.there = after if one.linked and (stems_of(self.plain, *after) or self._values_in(after)) else None
        self.here = [(start, end) if self.there is None else before]
        if self.there is not None and not stems_of(self.plain, *before) and len(self.parts) > 1:
            self.here.append(self.parts[self.at - 1 if self.at else 1])

    def _values_in(self, span: Span) -> bool:
        return any(_meet(value[2], span) for value in values_of(self.passage, self.index, self.kind))

    def nearest(self, found: list[_Place]) -> list[_Place]:
        """Of the values of the same sentence, the last one before a distance that names nothing else to count from."""
        before = [one for one in found if one[0] is self.passage and one[2][1] <= self.here[0][0]]
        return before[-1:] if self.there is None and before else found

    def of(self, value: _Place) -> tuple[frozenset[str], frozenset[str], bool, bool]:
        """The words of what the value is not of, those of what it is of, whether it stands before the distance, and whether that is sure."""
        place, _, span = value
        own = place is self.passage
        here = frozenset[str]().union(*(stems_of(self.plain, *part) for part in self.here))
        beside = self._beside(place, span)
        if self.there is None:
            before = place.number < self.passage.number or (own and span[1] <= self.here[0][0])
            return (here, beside, False, before) if beside else (frozenset(), here, False, False)
        there = stems_of(self.plain, *self.there)
        if own and _meet(span, self.there):
            return here, there, False, True
        if own and any(_meet(span, part) for part in self.here):
            return there, here, True, True
        mine, theirs = _share(beside, here - there), _share(beside, there - here)
        if theirs > mine:
            return here, there | beside, False, mine <= HALF * theirs
        if mine > theirs:
            return there, here | beside, True, theirs <= HALF * mine
        return frozenset(), frozenset(), False, False

    def _beside(self, place: Passage, span: Span) -> frozenset[str]:
        """The words of the clause that a value stands in, other than that of the distance; of another sentence all of them."""
        if place is not self.passage:
            return stems_of(masked(place.text, taken(place.text, self.kind, _distances(place, self.index))))
        part = next((part for part in self.parts if _meet(span, part)), (0, 0))
        return stems_of(self.plain, *part) if part != self.parts[self.at] else frozenset()
