"""Values that hold for a part of the year only: the price from April to October is that of July, and no other is.

Only where a source gives two or more such parts, each with values: in its row of a table, in its clause, or by the name that the part has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from witnessmark.checks.grounding.agreement import agrees
from witnessmark.checks.grounding.evidence import ClaimInEvidence, Index, Passage, once
from witnessmark.checks.grounding.finding import Finding, RuleFinding
from witnessmark.checks.grounding.relations.clauses import clauses
from witnessmark.checks.grounding.scope.year_spans import YearSpan, year_spans
from witnessmark.checks.grounding.steps import arithmetic
from witnessmark.checks.grounding.wording import denies
from witnessmark.text import lang, words
from witnessmark.text.dates import Date, dates, differs
from witnessmark.text.numbers import Number, figures
from witnessmark.text.patterns import compiled
from witnessmark.text.sentences import Span

LONGEST_NAME = 3
"""Words of what a part of the year is called: low season."""
_MARK = compiled(r"[;:.,(|]")
Value = tuple[Passage, Number]


@dataclass(frozen=True, slots=True)
class YearPart:
    """A part of the year in one source, the passages that give it, each with where, and the stems of what it is called: those that no other part has."""

    stretch: YearSpan
    places: tuple[tuple[Passage, Span], ...]
    name: frozenset[str]

    @property
    def source(self) -> str:
        """The id of the source."""
        return self.places[0][0].source


@once
def year_parts(index: Index) -> Sequence[YearPart]:
    """The parts of the year that the sources give."""
    found: dict[tuple[object, ...], list[tuple[Passage, YearSpan]]] = {}
    for passage in index.passages:
        for one in year_spans(passage.text):
            found.setdefault((passage.source, one.first, one.last), []).append((passage, one))
    names = {key: frozenset().union(*(_called(p.text, one.span[0]) for p, one in told)) for key, told in found.items()}
    return [
        YearPart(
            told[0][1],
            tuple((passage, one.span) for passage, one in told),
            names[key] - frozenset().union(*(name for other, name in names.items() if other != key)),
        )
        for key, told in found.items()
    ]


def _called(text: str, start: int) -> frozenset[str]:
    """What stands right before a part of the year and names it: `Summer (April …`, `Low season: 1 November …`."""
    before = _opened().sub("", text[:start]).rstrip(" (:")
    name = _MARK.split(before)[-1]
    stems = frozenset(words.content(name))
    return stems if len(stems) <= LONGEST_NAME and not any(map(str.isdigit, name)) else frozenset()


@lang.derived
def _opened() -> re.Pattern[str]:
    openers = lang.either(lang.listed("numbers", "range_open") | lang.words("change_from") | lang.words("being"))
    return compiled(rf"(?:\b(?:{openers})\s+)+$", re.IGNORECASE)


def is_in_a_part(one: Date, index: Index) -> bool:
    """Whether a date lies in a part of the year that a source gives."""
    return any(part.stretch.holds(one) for part in year_parts(index))


def is_at_another_time(this: ClaimInEvidence) -> bool:
    """Whether the dates of a claim lie outside of the stretches of the year of which the nearest passage tells: what is closed in August is open in May."""
    stretches = year_spans(this.near[0].text) if this.near and this.dates else []
    return bool(stretches) and all(s.holds(day) is False for s in stretches for day in this.dates)


def others_in_place(one: Date, passage: Passage) -> tuple[bool, list[Span]]:
    """Whether a date lies within a span of time that a passage gives, and where the passage has another in its place; a span is one."""
    stretches = year_spans(passage.text) if one.month else []
    apart = [d for d in passage.dates if not any(s.span[0] <= d.span[0] < s.span[1] for s in stretches)]
    others = [d for d in apart if differs(one, d)]
    years = [range(d.first + 1, d.last) for d in others if d.first and d.last]
    inside = any(stretch.holds(one) is not False for stretch in stretches) or (
        one.first == one.last and any(one.first in span for span in years)
    )
    return inside, [*(stretch.span for stretch in stretches), *(d.span for d in others)]


def values_of(part: YearPart, index: Index) -> list[Value]:
    """The figures that a source gives for a part of the year."""
    found: list[Value] = []
    for passage, place in part.places:
        alone = sum(other is passage for one in year_parts(index) for other, _ in one.places) == 1
        around = next((c for c in clauses(passage.text) if c[0] <= place[0] < c[1]), place)
        found += [(passage, f) for f in passage.figures if alone or around[0] <= f.span[0] < around[1]]
    known = [passage for passage, _ in part.places]
    for other in index.passages if part.name else ():
        if other not in known and other.source == part.source and part.name <= other.stems:
            found += [(other, one) for one in _named(other, part.name)]
    return found


def _named(passage: Passage, name: frozenset[str]) -> Iterator[Number]:
    for start, end in clauses(passage.text):
        if name <= frozenset(words.content(passage.text[start:end])):
            yield from (one for one in passage.figures if start <= one.span[0] < end)


def meant(said: str, goal: str, index: Index) -> tuple[YearPart, list[YearPart]] | None:
    """The part of the year that the one date of a text lies in, or that of its question, and the other parts of that source; None where it is unclear."""
    told = [one for one in dates(said) if one.month] or [one for one in dates(goal) if one.month]
    if len({(one.month, one.day) for one in told}) != 1:
        return None
    parts = year_parts(index)
    inside = [one for one in parts if one.stretch.holds(told[0]) is not False]
    if len(inside) != 1 or not inside[0].stretch.holds(told[0]):
        return None
    others = [one for one in parts if one is not inside[0] and one.source == inside[0].source]
    stems = frozenset(words.content(said))
    named = any(one.name and one.name <= stems for one in others)
    return (inside[0], others) if others and not named else None


def is_of_another_part(this: ClaimInEvidence, passage: Passage, one: Number) -> bool:
    """Whether a figure of a source holds for another part of the year than the one that a claim, or its question, names."""
    if len(year_parts(this.index)) < 2:
        return False
    found = meant(this.claim, this.goal, this.index)
    if found is None:
        return False
    mine = any(p is passage and figure is one for p, figure in values_of(found[0], this.index))
    return not mine and any(
        p is passage and figure is one for part in found[1] for p, figure in values_of(part, this.index)
    )


def part_findings(this: ClaimInEvidence) -> Iterator[RuleFinding]:
    """What the sources say of the figures of a claim that are told of a day or a month: those of the part of the year that it lies in, or of another."""
    yield from _open_then(this)
    if len(year_parts(this.index)) < 2 or denies(this.claim):
        return
    dated = [one.span for one in this.dates if one.month]
    for start, end in clauses(this.claim) if dated else [(0, len(this.claim))]:
        said = this.claim[start:end]
        if not dated or any(start <= place[0] < end for place in dated):
            found = meant(said, this.goal, this.index)
            yield from _held(this, (start, end), *found) if found is not None else ()


def _held(this: ClaimInEvidence, within: Span, part: YearPart, others: Sequence[YearPart]) -> Iterator[RuleFinding]:
    right = _of_columns(values_of(part, this.index), this)
    wrong = _of_columns([value for other in others for value in values_of(other, this.index)], this)
    asked = figures(this.goal, this.language)
    for one in this.figures:
        apart = arithmetic.tells_difference(this.claim, one) or any(agrees(one, other) for other in asked)
        if apart or not within[0] <= one.span[0] < within[1]:
            continue
        said = this.claim[slice(*one.span)]
        same = next((value for value in right if agrees(one, value[1])), None)
        rivals = [value for value in right if value[1].dimension == one.dimension and not value[1].is_range]
        if same is not None and all(agrees(one, value[1]) for value in rivals):  # of several, another may be meant
            passage, stated = same
            told, place = part.places[0]
            how = f"{passage.text[slice(*stated.span)]}, {told.text[slice(*place)].rstrip('.')}"
            yield RuleFinding("worked", "same", said, passage, passage.place(stated.span), how)
        elif same is None and rivals and any(agrees(one, value[1]) for value in wrong):
            passage, stated = rivals[0]
            theirs = passage.text[slice(*stated.span)]
            yield RuleFinding("figure", "contradicted", said, passage, passage.place(stated.span), theirs)


def _of_columns(values: Sequence[Value], this: ClaimInEvidence) -> list[Value]:
    """Of the figures of a table's rows those in the columns that a claim, or its question, names; all of them where it names none."""
    known = frozenset(words.content(f"{this.claim} {this.goal}"))
    keys = [passage.text[: one.span[0]].rpartition(";")[2].partition(":")[0] for passage, one in values]
    named = [
        value
        for value, key in zip(values, keys, strict=True)
        if value[0].is_flattened and words.content(key) and known.issuperset(words.content(key))
    ]
    return named or list(values)


def _open_then(this: ClaimInEvidence) -> Iterator[RuleFinding]:
    """What a part of the year in which something is closed says of a claim that it is open, or closed, on a day of it."""
    told = [one for one in this.dates if one.month]
    row = frozenset(words.words(this.claim))
    shut = not row.isdisjoint(lang.listed("dates", "closed"))
    if len(told) != 1 or not (shut or not row.isdisjoint(lang.listed("dates", "opening"))):
        return
    for part in year_parts(this.index):
        for passage, (start, end) in part.places if part.stretch.holds(told[0]) else ():
            clause = next((c for c in clauses(passage.text) if c[0] <= start < c[1]), (start, end))
            closed = lang.listed("dates", "closed").intersection(words.words(passage.text[slice(*clause)]))
            if closed and passage in this.near:
                finding: Finding = "same" if shut != denies(this.claim) else "contradicted"
                part_of_claim = this.claim[slice(*told[0].span)]
                yield RuleFinding("days", finding, part_of_claim, passage, passage.place((start, end)))
                return
