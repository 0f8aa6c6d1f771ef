"""Where in all of the evidence a figure stands: every figure by its size, so that each claim looks at those near its own only."""

from __future__ import annotations

import bisect
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from witnessmark.checks.grounding.agreement import ABOUT, agrees
from witnessmark.checks.grounding.evidence import ClaimInEvidence, Index, Passage, once
from witnessmark.checks.grounding.relations.clock_times import is_of_a_clock
from witnessmark.checks.grounding.two_things.owners import is_fit
from witnessmark.text.numbers import Number

_WIDE = 0.5
"""How far a figure with a bound (`over 300`) may be from the one it follows from; the same share as in `agreement`."""
_Place = tuple[float, int, Number]
"""A figure's size, the number of its passage, and the figure."""


@dataclass(slots=True)
class FigureIndex:
    """The figures of the evidence: in order of their size by dimension, by their faces, and those that have no one size."""

    sizes: dict[str, list[_Place]] = field(default_factory=lambda: defaultdict(list))
    faces: dict[float, list[tuple[int, Number]]] = field(default_factory=lambda: defaultdict(list))
    odd: list[tuple[int, Number]] = field(default_factory=list)
    years: dict[int, int] = field(default_factory=dict)
    """The first passage that names a year."""
    found: dict[Number, Passage | None] = field(default_factory=dict)
    """Where those stand that were asked for: each figure of a claim asks for all others of it."""


@once
def figure_index(index: Index) -> FigureIndex:
    """The figures of an index, in order."""
    made = FigureIndex()
    for passage in index.passages:
        for one in passage.figures:
            if one.is_range or one.other is not None:
                made.odd.append((passage.number, one))
            else:
                made.sizes[one.dimension].append((one.low, passage.number, one))
                made.faces[round(one.face, 6)].append((passage.number, one))
        for date in passage.dates:
            if date.first is not None:
                made.years.setdefault(date.first, passage.number)
    for places in made.sizes.values():
        places.sort(key=lambda place: place[:2])
    return made


def stated_in(one: Number, index: Index, about: ClaimInEvidence | None = None) -> Passage | None:
    """The first passage that has a figure which bears this one out, or names it as a year; None where none does.

    `about` is the claim that has it: figures of another thing than the one it names are none of its own.
    """
    known = figure_index(index)
    if about is not None:
        return _stated_in(one, index, known, about)
    if one not in known.found:
        known.found[one] = _stated_in(one, index, known, None)
    return known.found[one]


def _stated_in(one: Number, index: Index, known: FigureIndex, about: ClaimInEvidence | None) -> Passage | None:
    agreeing = ((index.passages[number], stated) for number, stated in _near(one, known) if agrees(one, stated))
    found = [
        passage.number
        for passage, stated in agreeing
        if not is_of_a_clock(one, stated, passage) and (about is None or is_fit(about, passage, stated))
    ]
    if not one.dimension and one.face in known.years:
        found.append(known.years[int(one.face)])
    return index.passages[min(found)] if found else None


def _near(one: Number, known: FigureIndex) -> Iterator[tuple[int, Number]]:
    """The figures that may agree with one: none but these do."""
    yield from known.odd
    if one.is_range or one.other is not None or one.dimension == "length":
        yield from ((number, stated) for places in known.sizes.values() for _, number, stated in places)
        return
    reach = (
        max(one.half, (_WIDE if one.bound in ("over", "under") else ABOUT) * abs(one.low)) + 1e-6 * abs(one.low) + 1e-9
    )
    places = known.sizes.get(one.dimension, [])
    start = bisect.bisect_left(places, one.low - reach, key=lambda place: place[0])
    end = bisect.bisect_right(places, one.low + reach, key=lambda place: place[0])
    yield from ((number, stated) for _, number, stated in places[start:end])
    yield from (place for face in _as_written(one.face) for place in known.faces.get(face, ()))


def _as_written(face: float) -> set[float]:
    """The faces that a figure of another kind may have and be written alike; 132m is 132 million too."""
    step = max(1e-6, 1e-9 * abs(face))
    return {round(scaled + off, 6) for scaled in (face, face / 1e6) for off in (-step, 0.0, step)}
