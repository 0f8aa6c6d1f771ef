"""A claim with its values as the sources write them: `1.5 kg` as `1,500 g`, `2024-05-01` as `1 May 2024`, `16:30` as `4:30 pm`.

Only where the two are equal, so that words are compared and a model reads on equal terms. What users are shown stays the claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from witnessmark.checks.grounding.agreement import same_by_1024
from witnessmark.checks.grounding.evidence import Index, Passage
from witnessmark.checks.grounding.relations.clock_times import sure_times, times_of
from witnessmark.checks.grounding.relations.other_forms import as_share
from witnessmark.core.protocols import Reading
from witnessmark.text import words
from witnessmark.text.clock import ClockTime
from witnessmark.text.dates import Date, dates, without_dates
from witnessmark.text.numbers import Number, figures
from witnessmark.text.sentences import Span

FEW = 12
"""Passages of which all are looked through; of more, those that speak about the claim."""
SMALL = 12
"""Up to here a bare number may count anything, and only the same noun says that two are of one thing."""
_ZONE = re.compile(r"\s?(?:UTC|GMT|Z)\b")
"""What says of a time what its timestamp says too."""
_SECONDS = re.compile(r"(?<=:\d\d):\d\d(?:[.,]\d+)?")
_STAMPED = re.compile(r"(?<=\d)T\d.*")


@dataclass(frozen=True, slots=True)
class SourceNotation:
    """A claim in the notation of its sources, with (place in the claim, place in this text) of each value that was rewritten."""

    text: str
    edits: tuple[tuple[Span, Span], ...] = ()

    def in_claim(self, said: Reading) -> Reading:
        """What a model made of this text, with the place of its wrong words in the claim itself."""
        if said.wrong is None or not self.edits:
            return said
        start, end = said.wrong
        return said._replace(wrong=(self._back(start, 0), self._back(end, 1)))

    def without_heads(self, claim: str, heads: tuple[str, str]) -> SourceNotation:
        """The same of a row of two columns, without their names: `14:00: six left` of `Time: 14:00; Places: six left`.

        A writer's own heads stand in no source, and a model takes them for something that is claimed.
        """
        first, second = f"{heads[0]}: ", f"; {heads[1]}: "
        at, there = claim.find(second), self.text.find(second)
        if not self.text.startswith(first) or min(at, there) < 0:
            return self

        def moved(place: Span) -> Span:
            less = len(first) + (len(second) - len(": ")) * (place[0] > there)
            return place[0] - less, place[1] - less

        cut = ((0, len(first)), (0, 0)), ((at, at + len(second)), (there - len(first), there - len(first) + len(": ")))
        edits = sorted((*cut, *((mine, moved(place)) for mine, place in self.edits)))
        return SourceNotation(f"{self.text[len(first) : there]}: {self.text[there + len(second) :]}", tuple(edits))

    def has(self, claim: str, part: str) -> bool:
        """Whether a part of the claim is all in one value that was rewritten."""
        return any(part in claim[slice(*mine)] for mine, _ in self.edits)

    def _back(self, at: int, side: int) -> int:
        """A place in the claim for one in this text: the beginning or the end of a value for any place inside it."""
        moved = 0
        for mine, there in self.edits:
            if there[0] < at < there[1] or (at == there[side] and there[0] < there[1]):
                return mine[side]
            if there[1] <= at:
                moved = mine[1] - there[1]
        return at + moved


def in_source_notation(claim: str, index: Index, near: Sequence[Passage], language: str = "en") -> SourceNotation:
    """The claim with each value that a passage near to it has in another notation; as it is where none is."""
    passages = [*near]
    if len(index.passages) <= FEW:
        passages += [passage for passage in index.passages if passage not in passages]
    found = [(span, other) for span, other in _values(claim, index, passages, language) if other is not None]
    text, edits, last = "", list[tuple[Span, Span]](), 0
    for span, other in sorted(found):
        if span[0] >= last:
            text += claim[last : span[0]]
            edits.append((span, (len(text), len(text) + len(other))))
            text, last = text + other, span[1]
    return SourceNotation(text + claim[last:], tuple(edits))


def _values(claim: str, index: Index, passages: Sequence[Passage], language: str) -> Iterator[tuple[Span, str | None]]:
    """Where each value of a claim stands, and how the sources write it where they write it otherwise."""
    days, hours = dates(claim), sure_times(claim, named=True)
    for day in days:
        told = (
            _STAMPED.sub("", p.text[slice(*other.span)]) for p in passages for other in p.dates if _same(day, other)
        )
        yield day.span, _otherwise(claim, day.span, [text for text in told if dates(text)], passages)
    for time in hours:
        stated = [(p, other) for p, other in times_of(passages) if _same_time(time, other)]
        written = [_written(time, p, other, alone=not days) for p, other in stated]
        zone = _ZONE.match(claim, time.span[1]) if written and "T" in written[0] else None
        yield (time.span[0], zone.end() if zone else time.span[1]), _otherwise(claim, time.span, written, passages)
    for one in without_dates(figures(claim, language), days):
        if not one.is_range and not any(time.span[0] < one.span[1] and one.span[0] < time.span[1] for time in hours):
            equal = [(other, p) for p in passages for other in p.figures if _equal(one, other, p)]
            spelled = [p.text[slice(*other.span)] for other, p in equal if _named(other, p, language)]
            alike = spelled and _spelled_alike(one, equal[0][0], claim[slice(*one.span)], spelled[0])
            yield one.span, _otherwise(claim, one.span, [] if alike else spelled, passages)


def _otherwise(claim: str, span: Span, stated: Sequence[str], passages: Sequence[Passage]) -> str | None:
    """The first of the equal values as they are written; None where there is none, or a passage has the claim's own words for it."""
    mine = claim[slice(*span)]
    if not stated or words.stems(mine) == words.stems(stated[0]):
        return None
    own = re.compile(rf"(?<![\w:.,]){re.escape(mine)}(?![\w:]|[.,]\d)", re.IGNORECASE)
    return None if any(own.search(passage.text) for passage in passages) else stated[0]


def _same(one: Date, other: Date) -> bool:
    """Whether two dates say the same, and no less."""
    sure = one.swapped is None and other.swapped is None
    return sure and (one.first, one.last, one.month, one.day) == (other.first, other.last, other.month, other.day)


def _spelled_alike(one: Number, other: Number, mine: str, theirs: str) -> bool:
    """Whether two figures differ in the name of their unit alone (`41 m` and `41 metres`), or as `six` and `6` do: no reader is fooled."""
    ours, others = (re.sub(r"[^\d.,]", "", text).strip(".,") for text in (mine, theirs))
    if ours and others:
        return ours == others and not one.dimension.startswith("money:") and one.scale == other.scale
    return one.scale == other.scale and one.face <= SMALL and (one.worded or other.worded)


def _named(one: Number, passage: Passage, language: str) -> bool:
    """Whether a figure has its unit beside it; `21` under a key for days has not, and says less by itself."""
    alone = figures(passage.text[slice(*one.span)], language) if one.dimension else ()
    return not one.dimension or any(figure.dimension == one.dimension for figure in alone)


def _same_time(one: ClockTime, other: ClockTime) -> bool:
    """Whether two times are the same, of which the claim's can be no other: 9:00 may be 21:00, and is not called so."""
    return one.follows(other) and (len(one.readings) == 1 or one.readings == other.readings)


def _written(one: ClockTime, passage: Passage, other: ClockTime, *, alone: bool) -> str:
    """A time as a passage has it, to the second only where the claim is: `alone`, with its date where it is part of a timestamp."""
    start, end = other.span
    if one.seconds is None and other.seconds is not None:
        return _SECONDS.sub("", passage.text[start:end])
    whole = (day.span for day in passage.dates if alone and day.span[0] < start and end <= day.span[1])
    return passage.text[slice(*next(whole, other.span))]


def _equal(one: Number, other: Number, passage: Passage) -> bool:
    """Whether two figures are one value, not merely near each other."""
    if as_share(one, other, passage):
        return True
    if one.dimension != other.dimension or one.negative != other.negative or other.is_range:
        return False
    same = abs(one.low - other.low) <= 1e-9 * max(abs(one.low), abs(other.low))
    if one.dimension:
        return same or same_by_1024(one, other)
    nouns = {words.stem(one.noun), words.stem(other.noun)}
    return same and (len(nouns) == 1 or (abs(one.low) > SMALL and "" in nouns))
