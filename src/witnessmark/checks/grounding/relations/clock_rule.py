"""What the rules say of the times of day of a claim: one value each, whether by am and pm or by a clock of 24 hours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from witnessmark.checks.grounding.evidence import ABOUT_THE_SAME, ClaimInEvidence, Passage
from witnessmark.checks.grounding.finding import RuleFinding, looked
from witnessmark.checks.grounding.relations.clock_times import MINUTE, all_times, sure_times, times_of
from witnessmark.checks.grounding.relations.date_rules import side_of
from witnessmark.checks.grounding.relations.open_hours import open_at, within
from witnessmark.checks.grounding.scope.value_denials import is_denied
from witnessmark.text.clock import DAY, ClockTime, ranges, times
from witnessmark.text.numbers import Number, figures
from witnessmark.text.sentences import Span


def clock(this: ClaimInEvidence) -> list[tuple[Span, RuleFinding]]:
    """The times of day of a claim that the evidence has, or has in the other half of the day, each with what it says of them.

    One in digits that it has not at all is left to the rules of figures.
    """
    mine = sure_times(this.claim)
    said = [(one.span, _said(this, one, mine)) for one in mine if open_at(this, one) is None]
    return [(span, found) for span, found in said if found is not None]


def _said(this: ClaimInEvidence, one: ClockTime, mine: Sequence[ClockTime]) -> RuleFinding | None:
    part = this.claim[slice(*one.span)]
    close = times_of(this.near)
    for passage, stated in close:
        if one.follows(stated):
            rival = _rival(this, one, passage) if len(mine) == 1 else None
            return rival or RuleFinding("figure", "same", part, passage, passage.place(stated.span))
    elsewhere = next((passage for passage, stated in all_times(this.index) if one.follows(stated)), None)
    if elsewhere is not None or any(one.follows(asked) for asked in times(this.goal)):
        return RuleFinding("figure", "elsewhere", part, elsewhere, elsewhere.span if elsewhere else None)
    if _within_hours(one, this.near):
        return None
    how = _after_a_span(this.claim, one, mine, close) or _from_asked(this, one)
    if how is not None:
        passage = this.near[0]
        return RuleFinding("derived", "same", part, passage, passage.span, how)
    if any(one.other_half(other) for other in mine) or _may_follow(one, close, this.near):
        return RuleFinding("figure", "elsewhere", part)  # `3 pm, not 3 am`, and two hours after three
    turned = [(passage, stated) for passage, stated in close if one.other_half(stated)]
    rest = "".join(
        " " if any(a <= at < b for a, b in (time.span for time in mine)) else c for at, c in enumerate(this.claim)
    )
    for passage, stated in turned:
        if this.like(passage, rest) >= ABOUT_THE_SAME:
            return _against(part, passage, stated)
    # in words it has no figure that the rules of figures could miss: half past seven is no 7
    in_words = not any(map(str.isdigit, part)) and bool(close) and not is_denied(this.claim, one.span)
    return looked("figure", part, this.near) if turned or in_words else None


def _against(part: str, passage: Passage, stated: ClockTime) -> RuleFinding:
    place, other = passage.place(stated.span), passage.text[slice(*stated.span)]
    return RuleFinding("figure", "contradicted", part, passage, place, other)


def _rival(this: ClaimInEvidence, one: ClockTime, passage: Passage) -> RuleFinding | None:
    """The other time that stands in its place in the passage which says the same, where this one is said of something else."""
    best = this.of_another(passage)
    others = times_of([best]) if best is not None else []
    if best is None or len(others) != 1 or not this.in_place(one.span, best, others[0][1].span):
        return None
    return _against(this.claim[slice(*one.span)], best, others[0][1])


def _within_hours(one: ClockTime, near: Sequence[Passage]) -> bool:
    """Whether a time lies within hours that a passage about the claim gives: 6 am is, from 5 am to 6 pm."""
    hours = (hours for passage in near for hours in ranges(passage.text) if None not in (hours.start, hours.end))
    return any(within(reading, stretch) for stretch in hours for reading in one.readings)


def _may_follow(one: ClockTime, close: Sequence[tuple[Passage, ClockTime]], near: Sequence[Passage]) -> bool:
    """Whether a time lies so long before or after a stated time as the sources say: 5 pm, two hours after 3 pm."""
    apart = {gap for passage in near for gap in _durations(passage.figures)}
    return any(
        (start + sign * gap) % DAY in one.readings
        for _, stated in close
        for start in stated.readings
        for gap in apart
        for sign in (1, -1)
    )


def _after_a_span(
    claim: str, one: ClockTime, mine: Sequence[ClockTime], close: Sequence[tuple[Passage, ClockTime]]
) -> str | None:
    """How a time follows from a stated one and a span of time, of which the claim itself has the span or that time; None where it does not."""
    told = [(claim[slice(*time.span)], time.readings) for time in mine if time is not one]
    own = [start for text, start in told if any(start & stated.readings for _, stated in close)]
    spans = [figure for figure in figures(claim) if figure.dimension == "time" and 0 < figure.low < DAY * MINUTE]
    stated = [(passage.text[slice(*time.span)], time.readings) for passage, time in close]
    near = {gap for passage, _ in close for gap in _durations(passage.figures)}
    for text, starts in stated:
        for gap in {*_durations(spans), *(near if starts in own else ())}:
            for sign, side in ((1, "+"), (-1, "−")):
                if any((start + sign * gap) % DAY in one.readings for start in starts):
                    return f"{text} {side} {gap} min"
    return None


def _from_asked(this: ClaimInEvidence, one: ClockTime) -> str | None:
    """How a time follows from the one that the question gives and a span before or after it: 4 am, six hours before an appointment at 10."""
    asked = sure_times(this.goal)
    for passage in this.index.passages if len(asked) == 1 else ():
        for span in passage.figures:
            side = side_of(passage.text[span.span[1] :])
            for gap in _durations([span] if side else ()):
                if any((start + side * gap) % DAY in one.readings for start in asked[0].readings):
                    return f"{this.goal[slice(*asked[0].span)]} {'+' if side > 0 else '−'} {gap} min"
    return None


def _durations(told: Sequence[Number]) -> Iterator[int]:
    for figure in told:
        if figure.dimension == "time" and 0 < figure.low < DAY * MINUTE:
            yield round(figure.low / MINUTE)
