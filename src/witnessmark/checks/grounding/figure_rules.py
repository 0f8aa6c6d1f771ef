"""What the rules say of the figures and the times of day of a claim.

A small number in words with nothing measured (`two friends`) is a `count`: it may sum up what a source lists, so its
absence alone settles nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from witnessmark.checks.grounding import arithmetic
from witnessmark.checks.grounding.agreement import agrees, comparable
from witnessmark.checks.grounding.evidence import ABOUT_THE_SAME, Index, Passage, likeness
from witnessmark.checks.grounding.finding import RuleFinding, looked
from witnessmark.checks.grounding.relations import clock_times, durations, equations
from witnessmark.checks.grounding.relations.distances import Value
from witnessmark.checks.grounding.relations.figure_index import stated_in
from witnessmark.checks.grounding.relations.other_forms import forms_of, grown_on, in_another_form
from witnessmark.checks.grounding.relations.reached import step_finding
from witnessmark.text import lang, words
from witnessmark.text.clock import times, weekdays
from witnessmark.text.numbers import Number, figures
from witnessmark.text.sentences import Span
from witnessmark.text.units import Unit, units

_SETTING = re.compile(r"[\w.\"'-]+\s*[=:]\s*[\w.\"'-]+,?")
"""A line that sets a value: it may be an example of one's own, so another value in the documentation is not against it."""


def figure(
    claim: str,
    one: Number,
    all_of_them: Sequence[Number],
    index: Index,
    near: Sequence[tuple[float, Passage]],
    goal: str = "",
    beside: Sequence[Number] = (),
) -> RuleFinding:
    """What the evidence says of one figure of a claim; `all_of_them` are the claim's figures, this one among them.

    `beside` are figures of other claims of the same text that the evidence bears out.
    """
    part = claim[slice(*one.span)]
    small = one.face <= 12 if one.worded else part == "1"
    rule = "count" if small and not one.dimension else "figure"
    other = _of_another(claim, one, near) or _other_rate(claim, one, near)
    if other is not None:
        return _against(part, other)
    led = step_finding(claim, one, one.span, index, near, goal) or _time_of(claim, one, index, near, goal)
    if led is not None and led.finding != "elsewhere":
        return led
    for _, passage in near:
        same = next((f for f in passage.figures if agrees(one, f)), None)
        if same is not None:
            return RuleFinding(rule, "same", part, passage, passage.place(same.span))
    unit = _other_unit(one, near)
    if unit is not None and not arithmetic.counted_time(one, [f for p in _searched(index, near) for f in p.figures]):
        return _against(part, unit)
    own = _borne(claim, [other for other in all_of_them if other is not one], index, near)
    worked = _follows(claim, one, rule, index, near, goal, own)
    if worked is not None and (led is None or worked.finding == "same"):
        return worked
    if led is not None:
        return led
    against = _in_its_place(claim, one, rule, all_of_them, index, near, beside)
    return against or _mentioned(claim, one, rule, own, index, near, goal, beside) or looked(rule, part, near)


def _against(part: str, other: tuple[Passage, Number]) -> RuleFinding:
    passage, stated = other
    place = passage.place(stated.span)
    return RuleFinding("figure", "contradicted", part, passage, place, passage.text[slice(*stated.span)])


def _in_its_place(
    claim: str,
    one: Number,
    rule: str,
    all_of_them: Sequence[Number],
    index: Index,
    near: Sequence[tuple[float, Passage]],
    beside: Sequence[Number],
) -> RuleFinding | None:
    """What another figure in the place of this one says of it; None where there is none, or where both may be right."""
    against = None if _SETTING.fullmatch(claim.strip()) else _other_figure(claim, one, all_of_them, index, near)
    if against is None:
        return None
    passage, stated = against
    if stated.is_range and stated.low <= one.low <= one.high <= stated.high:  # one of `6 to 11 years`
        return RuleFinding(rule, "elsewhere", claim[slice(*one.span)], passage, passage.place(stated.span))
    told = (*all_of_them, *beside) if arithmetic.compares(claim) else all_of_them  # of many figures, some always add up
    return None if _may_be_right(one, stated, told, near) else _against(claim[slice(*one.span)], against)


def _mentioned(
    claim: str,
    one: Number,
    rule: str,
    own: Sequence[Number],
    index: Index,
    near: Sequence[tuple[float, Passage]],
    goal: str,
    beside: Sequence[Number],
) -> RuleFinding | None:
    """That a figure stands elsewhere, in the question, in another form, or one step away; None where it does not."""
    part = claim[slice(*one.span)]
    elsewhere = stated_in(one, index)
    if elsewhere is not None:
        return RuleFinding(rule, "elsewhere", part, elsewhere, elsewhere.span)
    if index.has(_ordinals().get(part.lower(), "")) or any(agrees(one, asked) for asked in figures(goal)):
        return RuleFinding(rule, "elsewhere", part)  # what the question says is not the answer's to show
    other_form = in_another_form(claim, one, index)
    if other_form is not None:
        return RuleFinding(rule, "elsewhere", part, other_form, other_form.span)
    if _one_step_away(claim, one, own, figures(goal), index, near, beside) or grown_on(claim, one.span, index):
        return RuleFinding(rule, "elsewhere", part)
    return None


def _follows(
    claim: str,
    one: Number,
    rule: str,
    index: Index,
    near: Sequence[tuple[float, Passage]],
    goal: str,
    own: Sequence[Number],
) -> RuleFinding | None:
    """A figure that the evidence has by another name of a time, or that is worked out from it; or that is said to be a sum and is none."""
    part, about = claim[slice(*one.span)], _searched(index, near)
    found = clock_times.restated(claim, one, index, about)
    worked = None
    if found is None:
        worked = _shown(claim, one, index, near, goal) or _worked_out(claim, one, index, near, goal, own)
        if worked is None or worked.finding == "contradicted":
            found = clock_times.apart(claim, one, index, about)
    return worked if found is None else RuleFinding(rule, "elsewhere", part, found, found.span)


def unstated_times(
    claim: str, told: Sequence[RuleFinding], index: Index, near: Sequence[tuple[float, Passage]], goal: str
) -> list[RuleFinding]:
    """Times of day that no source has, where each of their numbers stands somewhere; `told` is what was found already."""
    said = [point.part for point in told if point.finding in ("missing", "contradicted") or point.rule == "hours"]
    parts = [claim[slice(*span)] for span in clock_times.unstated(claim, index, _searched(index, near), goal)]
    found = [looked("figure", part, near) for part in parts if not any(one in part or part in one for one in said)]
    values: list[tuple[Value, Span]] = [(time, time.span) for time in times(claim) if time.sure]
    values += weekdays(claim)
    led = [step_finding(claim, one, span, index, near, goal) for one, span in values]
    return [*found, *(one for one in led if one is not None and one.finding in ("contradicted", "missing"))]


def _time_of(
    claim: str, one: Number, index: Index, near: Sequence[tuple[float, Passage]], goal: str
) -> RuleFinding | None:
    """That the time of day which a figure is a part of follows from another one."""
    if one.dimension:
        return None
    mine = next((time for time in times(claim) if time.span[0] <= one.span[0] < time.span[1]), None)
    led = step_finding(claim, mine, mine.span, index, near, goal) if mine is not None else None
    return led if led is not None and led.finding == "same" else None


def _borne(claim: str, own: Sequence[Number], index: Index, near: Sequence[tuple[float, Passage]]) -> list[Number]:
    """Those figures of a claim that a source has or that follow from the sources alone.

    The others must not prove each other: 40 and 60 make 100, and 100 less 40 makes 60.
    """
    everything = _all_figures(index, near) if own else []
    return [f for f in own if stated_in(f, index) is not None or arithmetic.by_one_step(claim, f, everything)]


def _one_step_away(
    claim: str,
    one: Number,
    own: Sequence[Number],
    asked: Sequence[Number],
    index: Index,
    near: Sequence[tuple[float, Passage]],
    beside: Sequence[Number],
) -> bool:
    """Whether a figure is one step from those of the evidence, of the passages about the claim, or of the claims beside it."""
    told = frozenset(word for passage in _searched(index, near) for word in words.words(passage.text))
    close = [f for _, passage in near for f in passage.figures]
    known = [*own, *asked]
    everything = _all_figures(index, near)
    if arithmetic.counted_up(one, everything, _counts(claim)) or arithmetic.sum_of_four(claim, one, everything):
        return True
    ways = ([*everything, *known], [*close, *known], [*known, *beside] if beside else ())
    return any(arithmetic.by_one_step(claim, one, known, told) for known in ways)


def _shown(
    claim: str, one: Number, index: Index, near: Sequence[tuple[float, Passage]], goal: str
) -> RuleFinding | None:
    """A figure that the claim itself works out from stated ones."""
    if "=" not in claim or not near:
        return None
    part, stated = claim[slice(*one.span)], [*_all_figures(index, near), *figures(goal)]
    how = equations.shown(claim, one, stated)
    if how is not None:
        return RuleFinding("derived", "same", part, near[0][1], near[0][1].span, how)
    return RuleFinding("count", "elsewhere", part) if equations.is_factor(claim, one, stated) else None


def _may_be_right(one: Number, stated: Number, beside: Sequence[Number], near: Sequence[tuple[float, Passage]]) -> bool:
    """Whether a figure that differs from the stated one could be worked out from what is there, or lies within a stated bound."""
    known = [*(f for _, passage in near for f in passage.figures), *(f for f in beside if f is not one)]
    within = (stated.bound == "over" and one.low > stated.low) or (stated.bound == "under" and one.low < stated.low)
    return within or arithmetic.may_follow(one, known)


def _other_unit(one: Number, near: Sequence[tuple[float, Passage]]) -> tuple[Passage, Number] | None:
    """The same number in another unit of the same kind, in the passage nearest to the claim: 110 minutes for 110 hours."""
    if not one.dimension or one.face == 1:
        return None
    for _, passage in near[:2]:
        for stated in passage.figures:
            other = stated.dimension == one.dimension and stated.scale != one.scale
            if other and stated.face == one.face and not one.is_range and not stated.is_range:
                return passage, stated
    return None


_WHAT = re.compile(r"\s+(?:of\s+)?([^\W\d_]{3,})\b")
_RATE = re.compile(r"\s*(?:per|an?|each|for\s+(?:each|every|an?)|/)\s*([^\W\d_]+)", re.IGNORECASE)


def _what(text: str, one: Number) -> str:
    """What a measure is of: the stem of the noun right after it; empty where there is none."""
    found = _WHAT.match(text, one.span[1]) if one.dimension else None
    word = found.group(1).lower() if found else ""
    return "" if word in words.stop_words() or word in units() else words.stem(word)


def _of_another(claim: str, one: Number, near: Sequence[tuple[float, Passage]]) -> tuple[Passage, Number] | None:
    """Another amount of the very thing: `15 g of fibre` where the passage says 9 g fibre and 15 g protein."""
    what = _what(claim, one)
    more = words.words(claim[: one.span[0]])[-1:]
    if not what or one.is_range or (more and more[0] in lang.words("in_addition")):
        return None
    told = [(p, f) for _, p in near for f in p.figures if f.dimension == one.dimension and _what(p.text, f)]
    mine = [(p, f) for p, f in told if _what(p.text, f) == what]
    others = any(agrees(one, f) and _what(p.text, f) != what for p, f in told)
    return mine[0] if len(mine) == 1 and others and not agrees(one, mine[0][1]) else None


def _other_rate(claim: str, one: Number, near: Sequence[tuple[float, Passage]]) -> tuple[Passage, Number] | None:
    """The same amount for another measure of the same kind: 2.85 dollars a kilogram for 2.85 dollars a pound."""
    mine = _rate(claim, one)
    if mine is None:
        return None
    told = [
        (p, f, rate) for _, p in near for f in p.figures if agrees(one, f) and (rate := _rate(p.text, f)) is not None
    ]
    other = [(p, f) for p, f, rate in told if rate.dimension == mine.dimension and rate.factor != mine.factor]
    return other[0] if other and len(other) == len(told) else None


def _rate(text: str, one: Number) -> Unit | None:
    """What an amount is for: per pound, a day."""
    found = _RATE.match(text, one.span[1]) if one.dimension else None
    return units().get(found.group(1).lower()) if found else None


def _searched(index: Index, near: Sequence[tuple[float, Passage]]) -> Sequence[Passage]:
    """The passages whose figures something may be worked out from: all of a short text, of a longer one those about the claim."""
    if len(index.passages) <= arithmetic.MOST_PASSAGES:
        return index.passages
    return sorted({id(passage): passage for _, passage in near}.values(), key=lambda passage: passage.number)


def _all_figures(index: Index, near: Sequence[tuple[float, Passage]]) -> list[Number]:
    """Every figure of the evidence where there are few, as in a record; otherwise those of the passages about the claim."""
    found = forms_of(index).figures
    return list(found) if len(found) <= arithmetic.MOST else [f for p in _searched(index, near) for f in p.figures]


def _worked_out(
    claim: str,
    one: Number,
    index: Index,
    near: Sequence[tuple[float, Passage]],
    goal: str,
    beside: Sequence[Number],
) -> RuleFinding | None:
    """A figure that follows from those of the passages about the claim, or that says it is a sum and is not one."""
    if one.is_range or not near or (one.worded and one.face < arithmetic.LEAST and not one.dimension):
        return None
    part = claim[slice(*one.span)]
    passages = _searched(index, near)
    stated = [figure for passage in passages for figure in passage.figures]
    told = [date for passage in passages for date in passage.dates]
    mine = set(words.content(claim))  # times of which the claim has no word are not what it speaks of
    how = durations.between(claim, [passage.text for passage in passages if mine & passage.stems], one)
    if how is None and (len(stated) + len(told) > 1 or one.dimension == "percent"):
        how = arithmetic.way(claim, _as_told(claim, one), stated, told, goal)
    if how is None and beside and stated:
        large = [other for other in beside if other.face >= arithmetic.LEAST_BARE]
        how = arithmetic.way(claim, one, [*large, *stated], told) if large else None
    if how is not None:
        return RuleFinding("derived", "same", part, near[0][1], near[0][1].span, how)
    alike = [figure for figure in stated if figure.dimension == one.dimension and figure.face != one.face]
    known = any(agrees(one, figure) for figure in (*stated, *figures(goal)))
    if (
        arithmetic.says_so(claim)
        and len(alike) > 1
        and not known
        and not arithmetic.several_times(one, alike)
        and not arithmetic.counted_up(one, alike, _counts(claim))
        and not arithmetic.sum_of_four(claim, one, stated)
        and likeness(claim, near[0][1], index) >= ABOUT_THE_SAME
    ):
        return RuleFinding("derived", "contradicted", part, near[0][1], near[0][1].span)
    return None


def _counts(claim: str) -> list[float]:
    """How many of something a claim names, up to a dozen."""
    return [f.face for f in figures(claim) if not f.dimension and f.face in range(2, 13)]


def _as_told(claim: str, one: Number) -> Number:
    """A figure with the rest of its duration: the 3 and the 50 of `3 hours and 50 minutes` are 230 minutes."""
    seconds = durations.whole_duration(claim, one) if one.dimension == "time" else one.low
    if seconds == one.low:
        return one
    return replace(one, low=seconds, high=seconds, face=seconds / durations.MINUTE, scale=float(durations.MINUTE))


@lang.derived
def _ordinals() -> dict[str, str]:
    digits = ["1st", "2nd", "3rd", *(f"{n}th" for n in range(4, 13))]
    rows = (line.split() for line in lang.section("numbers", "ordinals"))
    return {digit: words.stem(word) for row in rows for digit, word in zip(digits, row, strict=False)}


def _other_figure(
    claim: str, one: Number, all_of_them: Sequence[Number], index: Index, near: Sequence[tuple[float, Passage]]
) -> tuple[Passage, Number] | None:
    """The figure that stands in the place of this one: same kind, in a passage about the same, used by no other figure of the claim."""
    for _, passage in near:
        if likeness(claim, passage, index) < ABOUT_THE_SAME:
            continue
        rivals = [
            f
            for f in passage.figures
            if (comparable(one, f) or _same_place(claim, one, passage.text, f))
            and not any(agrees(other, f) for other in all_of_them)
        ]
        if len(rivals) == 1 and not _nearer(one, rivals[0]):
            return passage, rivals[0]
    return None


def _same_place(claim: str, one: Number, text: str, stated: Number) -> bool:
    """Whether two bare figures follow the same word after a word of the same stem: `opens at 10` beside `opened at 9`."""
    if one.dimension or stated.dimension or one.noun or stated.noun:
        return False
    mine, theirs = (words.words(part)[-2:] for part in (claim[: one.span[0]], text[: stated.span[0]]))
    return len(mine) == 2 and [words.stem(w) for w in mine] == [words.stem(w) for w in theirs]


def _nearer(one: Number, stated: Number) -> bool:
    """Whether the claim is only finer than what is stated, such as 12.4 for 12: not borne out, but not against it."""
    return abs(one.low - stated.low) <= stated.half and one.half < stated.half
