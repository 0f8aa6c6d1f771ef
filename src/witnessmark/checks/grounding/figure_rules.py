"""What the rules say of the figures and dates of a claim.

A small number in words with nothing measured (`two friends`) is a `count`: it may sum up what a source lists, so its
absence alone settles nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from witnessmark.checks.grounding import arithmetic
from witnessmark.checks.grounding.agreement import agrees, comparable
from witnessmark.checks.grounding.evidence import Index, Passage, likeness
from witnessmark.checks.grounding.finding import RuleFinding, looked
from witnessmark.checks.grounding.relations import clock_times, durations, equations
from witnessmark.checks.grounding.relations.figure_index import stated_in
from witnessmark.checks.grounding.relations.other_forms import forms_of, in_another_form
from witnessmark.text import lang, words
from witnessmark.text.dates import Date, dates, differs, follows
from witnessmark.text.numbers import Number, figures
from witnessmark.text.sentences import Span
from witnessmark.text.units import Unit, units

ABOUT_THE_SAME = 0.5
"""The share of a claim's words (by weight, figures left out) a passage must have to be able to contradict its figures."""

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
        passage, stated = other
        place = passage.place(stated.span)
        return RuleFinding("figure", "contradicted", part, passage, place, passage.text[slice(*stated.span)])
    for _, passage in near:
        same = next((f for f in passage.figures if agrees(one, f)), None)
        if same is not None:
            return RuleFinding(rule, "same", part, passage, passage.place(same.span))
    unit = _other_unit(one, near)
    if unit is not None and not arithmetic.counted_time(one, [f for p in _searched(index, near) for f in p.figures]):
        passage, stated = unit
        return RuleFinding(
            "figure", "contradicted", part, passage, passage.place(stated.span), passage.text[slice(*stated.span)]
        )
    own = _borne(claim, [other for other in all_of_them if other is not one], index, near)
    worked = _follows(claim, one, rule, index, near, goal, own)
    if worked is not None:
        return worked
    chosen = _SETTING.fullmatch(claim.strip()) is not None
    against = None if chosen else _other_figure(claim, one, all_of_them, index, near)
    told = (*all_of_them, *beside) if arithmetic.compares(claim) else all_of_them  # of many figures, some always add up
    if against is not None and against[1].is_range and against[1].low <= one.low <= one.high <= against[1].high:
        return RuleFinding(
            rule, "elsewhere", part, against[0], against[0].place(against[1].span)
        )  # one of `6 to 11 years`
    if against is not None and not _may_be_right(one, against[1], told, near):
        passage, stated = against
        return RuleFinding(
            "figure", "contradicted", part, passage, passage.place(stated.span), passage.text[slice(*stated.span)]
        )
    elsewhere = stated_in(one, index)
    if elsewhere is not None:
        return RuleFinding(rule, "elsewhere", part, elsewhere, elsewhere.span)
    if index.has(_ordinals().get(part.lower(), "")) or any(agrees(one, asked) for asked in figures(goal)):
        return RuleFinding(rule, "elsewhere", part)  # what the question says is not the answer's to show
    other_form = in_another_form(claim, one, index)
    if other_form is not None:
        return RuleFinding(rule, "elsewhere", part, other_form, other_form.span)
    if _one_step_away(claim, one, own, figures(goal), index, near, beside) or _grown_on(claim, one.span, index):
        return RuleFinding(rule, "elsewhere", part)
    return looked(rule, part, near)


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
    return [looked("figure", part, near) for part in parts if not any(one in part or part in one for one in said)]


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


def _grown_on(claim: str, span: Span, index: Index) -> bool:
    """Whether the sources have the number grown onto the word before it: `badge 4471` for badge4471."""
    before = words.words(claim[: span[0]])[-1:]
    digits = claim[slice(*span)]
    if not before or not digits.isdigit():
        return False
    return re.search(rf"(?<!\w){re.escape(before[0])}{digits}(?!\w)", index.text) is not None


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
    if how is None and len(stated) + len(told) > 1:
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


def date(claim: str, one: Date, index: Index, near: Sequence[tuple[float, Passage]], goal: str = "") -> RuleFinding:
    """What the evidence says of one date of a claim."""
    part = claim[slice(*one.span)]
    for _, passage in near:
        same = next((d for d in passage.dates if follows(one, d)), None)
        if same is not None:
            return RuleFinding("date", "same", part, passage, passage.place(same.span))
    for _, passage in near:
        if likeness(claim, passage, index) >= ABOUT_THE_SAME:
            other = [d for d in passage.dates if differs(one, d)]
            if len(other) == 1 and len(dates(claim)) == 1 and not _aside(claim, one, passage, other[0]):
                place = passage.place(other[0].span)
                return RuleFinding("date", "contradicted", part, passage, place, passage.text[slice(*other[0].span)])
    for passage in index.passages:
        if any(follows(one, d) for d in passage.dates):
            return RuleFinding("date", "elsewhere", part, passage, passage.span)
    stated = [figure for _, passage in near for figure in passage.figures]
    how = arithmetic.year_way(one, stated, [date for _, passage in near for date in passage.dates])
    if how is not None:
        return RuleFinding("derived", "same", part, near[0][1], near[0][1].span, how)
    asked_for = any(follows(one, asked) for asked in dates(goal))
    if asked_for or _in_parts(one, index) or _grown_on(claim, one.span, index):
        return RuleFinding("date", "elsewhere", part)
    return looked("date", part, near)


def _in_parts(one: Date, index: Index) -> bool:
    """Whether everything a date says stands in the evidence, if apart: `Inflation (Oct)` in a table's head, the day of each row below its month."""
    if one.month is None or one.first != one.last:
        return False
    names = (name for months in lang.section("dates", "months") for name in months[one.month - 1].split())
    named = any(index.has(words.stem(name)) for name in names)
    known = forms_of(index)
    day = not one.day or one.day in known.days or one.day in known.bare
    return named and day and (not one.first or one.first in known.years)


@lang.derived
def _border() -> re.Pattern[str]:
    borders, articles = lang.either(lang.words("borders")), lang.either(lang.words("articles"))
    return re.compile(rf"(?:\b(?:{borders})(?:\s+(?:the|de))?|^\W*(?:{articles}))\s+$", re.IGNORECASE)


def _aside(claim: str, one: Date, passage: Passage, other: Date) -> bool:
    """Whether a date is a border (before 2010) or only names what is spoken of (The 1959 novel …): not what is claimed.

    Where the passage has the same word before its date, the two are about the same thing after all.
    """
    found = _border().search(claim[max(0, one.span[0] - 24) : one.span[0]])
    return found is not None and not passage.text[: other.span[0]].lower().endswith(found.group().lower())
