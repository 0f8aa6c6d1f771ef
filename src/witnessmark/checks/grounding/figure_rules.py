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
from witnessmark.checks.grounding.evidence import (
    ABOUT_THE_SAME,
    SAYS_IT,
    Index,
    Passage,
    in_place,
    likeness,
    of_another,
)
from witnessmark.checks.grounding.finding import RuleFinding, looked
from witnessmark.checks.grounding.relations import clock_times, equations
from witnessmark.checks.grounding.relations.bounds import other_bound
from witnessmark.checks.grounding.relations.figure_index import stated_in
from witnessmark.checks.grounding.relations.named_steps import named_step, of_named_cells, rows_counted
from witnessmark.checks.grounding.relations.open_hours import open_at
from witnessmark.checks.grounding.relations.other_forms import forms_of, in_another_form
from witnessmark.checks.grounding.relations.other_units import (
    RATE,
    other_end,
    other_money,
    other_rate,
    other_unit,
    with_rate,
)
from witnessmark.text import lang, words
from witnessmark.text.dates import dates, follows
from witnessmark.text.numbers import Number, figures

FEW = 3
"""Years, weeks or days of which two are no rare pair."""
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
    small = one.face <= SMALL if one.worded else part == "1"
    rule = "count" if small and not one.dimension else "figure"
    hours = open_at(claim, one, index) if not one.dimension else None
    settled = hours or _counting_rows(claim, one, rule, index)
    if settled is not None:
        return settled
    other = other_rate(claim, one, near)
    if other is not None:
        passage, stated = other
        ours, theirs = with_rate(claim, one), with_rate(passage.text, stated)
        place = passage.place((stated.span[0], stated.span[0] + len(theirs)))
        return RuleFinding("figure", "contradicted", ours, passage, place, theirs)
    turned = other_bound(claim, one, near, index)
    if turned is not None:
        return _against(part, turned)
    known = _stated(claim, one, rule, all_of_them, index, near)
    if known is not None:
        return known
    # two years of one thing and two weeks of another are no rare pair
    common = one.dimension == "time" and one.face <= FEW
    unit = other_unit(one, [p for _, p in near[:2] if not common or likeness(claim, p, index) >= ABOUT_THE_SAME])
    unit = unit or other_money(one, [p for _, p in near[:2] if likeness(claim, p, index) >= ABOUT_THE_SAME])
    unit = unit or other_end(one, [p for _, p in near[:1]])
    if unit is not None:
        return _against(part, unit)
    restated = clock_times.restated(claim, one, index)
    if restated is not None:
        return RuleFinding(rule, "elsewhere", part, restated, restated.span)
    return (
        _by_step(claim, one, rule, index, near)
        or _shown(claim, one, index, near, goal)
        or _so_many(claim, one, rule, all_of_them, near)
        or _in_the_same_words(claim, one, all_of_them, index, near)
        or _worked_out(claim, one, index, near)
        or _in_its_place(claim, one, rule, all_of_them, index, near, goal, beside)
        or _mentioned(claim, one, rule, all_of_them, index, near, goal, beside)
        or looked(rule, part, near)
    )


def _stated(
    claim: str,
    one: Number,
    rule: str,
    all_of_them: Sequence[Number],
    index: Index,
    near: Sequence[tuple[float, Passage]],
) -> RuleFinding | None:
    """That a passage near to the claim has this figure, unless another that says the same has another in its place; None where none has it."""
    part = claim[slice(*one.span)]
    for _, passage in near:
        same = next((f for f in passage.figures if agrees(one, f)), None)
        if same is not None:
            best = of_another(claim, passage, index, near) if rule == "figure" and len(all_of_them) == 1 else None
            against = None if best is None else _other_figure(claim, one, all_of_them, index, [(1.0, best)])
            if (
                against is not None
                and not against[1].is_range
                and in_place(claim, one.span, against[0], against[1].span)
            ):
                if all(any(follows(day, told) for told in against[0].dates) for day in dates(claim)):
                    return _against(part, against)
            return RuleFinding(rule, "same", part, passage, passage.place(same.span))
    return None


def _counting_rows(claim: str, one: Number, rule: str, index: Index) -> RuleFinding | None:
    """That a figure counts the rows of a table: `the three cities`, and `There are three orders`, which says nothing else."""
    found = rows_counted(claim, one, index)
    if found is None:
        return None
    alone, how = found
    return RuleFinding("worked" if alone else rule, "same", claim[slice(*one.span)], stated=how if alone else "")


def _by_step(
    claim: str, one: Number, rule: str, index: Index, near: Sequence[tuple[float, Passage]]
) -> RuleFinding | None:
    """What the step that a claim names says of its figure; None where it names none with plain operands."""
    step = named_step(claim, one, index, _searched(index, near)) if index.passages else None
    if step is None:
        return None
    part, passage = claim[slice(*one.span)], near[0][1] if near else index.passages[0]
    fits, how = step
    return RuleFinding("worked", "same", part, passage, passage.span, how) if fits else looked(rule, part, near)


def _against(part: str, other: tuple[Passage, Number]) -> RuleFinding:
    passage, stated = other
    place = passage.place(stated.span)
    return RuleFinding("figure", "contradicted", part, passage, place, passage.text[slice(*stated.span)])


def _in_the_same_words(
    claim: str, one: Number, all_of_them: Sequence[Number], index: Index, near: Sequence[tuple[float, Passage]]
) -> RuleFinding | None:
    """Another figure after the same words in a passage that says the same: what it could be worked out from is chance, unless the claim compares."""
    free = arithmetic.compares(claim) or _SETTING.fullmatch(claim.strip())
    other = None if free else _other_figure(claim, one, all_of_them, index, near[:1])
    if other is None or other[1].is_range or one.is_range or likeness(claim, other[0], index) < SAYS_IT:
        return None
    return _against(claim[slice(*one.span)], other) if in_place(claim, one.span, other[0], other[1].span) else None


def _in_its_place(
    claim: str,
    one: Number,
    rule: str,
    all_of_them: Sequence[Number],
    index: Index,
    near: Sequence[tuple[float, Passage]],
    goal: str,
    beside: Sequence[Number],
) -> RuleFinding | None:
    """What another figure in the place of this one says of it; None where there is none, or where both may be right."""
    against = None if _SETTING.fullmatch(claim.strip()) else _other_figure(claim, one, all_of_them, index, near)
    if against is None:
        return None
    passage, stated = against
    if one.dimension == "time" and clock_times.between(claim, [p.text for p in index.passages], one) is not None:
        return None  # from 09:42 to 10:31 it is 49 minutes, whatever those times are of
    if stated.is_range and stated.low <= one.low <= one.high <= stated.high:  # one of `6 to 11 years`
        return RuleFinding(rule, "elsewhere", claim[slice(*one.span)], passage, passage.place(stated.span))
    told = (*all_of_them, *beside) if arithmetic.compares(claim) else all_of_them  # of many figures, some always add up
    multiple = max(len(all_of_them), len(passage.figures)) > 1 or arithmetic.multiplies(claim) or bool(figures(goal))
    close = [f for _, passage in near for f in _usable(claim, passage)]
    return (
        None
        if _may_be_right(one, stated, [*close, *told], multiple=multiple)
        else _against(claim[slice(*one.span)], against)
    )


def _mentioned(
    claim: str,
    one: Number,
    rule: str,
    all_of_them: Sequence[Number],
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
    asked = figures(goal)
    if index.has(_ordinals().get(part.lower(), "")) or any(agrees(one, other) for other in asked):
        return RuleFinding(rule, "elsewhere", part)  # what the question says is not the answer's to show
    other_form = in_another_form(claim, one, index)
    if other_form is not None:
        return RuleFinding(rule, "elsewhere", part, other_form, other_form.span)
    own = [other for other in all_of_them if other is not one and stated_in(other, index) is not None]
    if _one_step_away(claim, one, [*own, *asked], index, near, beside):
        return RuleFinding(rule, "elsewhere", part)
    return None


def _one_step_away(
    claim: str,
    one: Number,
    known: Sequence[Number],
    index: Index,
    near: Sequence[tuple[float, Passage]],
    beside: Sequence[Number],
) -> bool:
    """Whether a figure is one step from those of the evidence, of the passages about the claim, or of the claims beside it.

    `known` are those of the question, and of the claim those that a source has: the others must not prove each other.
    """
    told = frozenset(word for passage in _searched(index, near) for word in words.words(passage.text))
    close = [f for _, passage in near for f in _usable(claim, passage)]
    ways = ([*_all_figures(index, near, claim), *known], [*close, *known], [*known, *beside] if beside else ())
    return any(arithmetic.by_one_step(claim, one, way, told) for way in ways)


def _shown(
    claim: str, one: Number, index: Index, near: Sequence[tuple[float, Passage]], goal: str
) -> RuleFinding | None:
    """A figure that the claim itself works out from stated ones."""
    if not near:
        return None
    part, stated = claim[slice(*one.span)], [*_all_figures(index, near), *figures(goal)]
    how = equations.shown(claim, one, stated)
    made = claim[: one.span[0]].rstrip().endswith("=") or equations.is_bracketed(claim, one)
    if how is None or not made:
        return None if how is None else RuleFinding("count", "elsewhere", part)  # a small factor of it
    name = "worked" if of_named_cells(claim, how, index) else "derived"
    return RuleFinding(name, "same", part, near[0][1], near[0][1].span, how)


def _so_many(
    claim: str, one: Number, rule: str, all_of_them: Sequence[Number], near: Sequence[tuple[float, Passage]]
) -> RuleFinding | None:
    """A figure of a claim that brings a number of its own to a stated rate: `a five-day rental covers 900 km` at 180 km a day."""
    for _, passage in near:
        for rate in passage.figures:
            for other in all_of_them:
                many, made = (one, other) if rate.dimension == other.dimension else (other, one)
                fits = made is not many and rate.dimension == made.dimension != many.dimension and many.face % 1 == 0
                if fits and RATE.match(passage.text, rate.span[1]) and agrees(made, _times(rate, many.face)):
                    return RuleFinding(rule, "elsewhere", claim[slice(*one.span)], passage, passage.place(rate.span))
    return None


def _times(rate: Number, many: float) -> Number:
    return replace(rate, low=rate.low * many, high=rate.high * many, face=rate.face * many)


def _may_be_right(one: Number, stated: Number, known: Sequence[Number], *, multiple: bool) -> bool:
    """Whether a figure that differs from the stated one could be worked out from what is there, or lies within a stated bound."""
    known = [f for f in known if f is not one]
    within = (stated.bound == "over" and one.low > stated.low) or (stated.bound == "under" and one.low < stated.low)
    return within or arithmetic.may_follow(one, stated, known, multiple=multiple)


def _searched(index: Index, near: Sequence[tuple[float, Passage]]) -> Sequence[Passage]:
    """The passages whose figures something may be worked out from: all of a short text, of a longer one those about the claim."""
    if len(index.passages) <= arithmetic.MOST_PASSAGES:
        return index.passages
    return sorted({id(passage): passage for _, passage in near}.values(), key=lambda passage: passage.number)


def _all_figures(index: Index, near: Sequence[tuple[float, Passage]], claim: str = "") -> list[Number]:
    """Every figure of the evidence where there are few, as in a record; otherwise those of the passages about the claim.

    Where a claim is given, only those that it may be worked out from.
    """
    few = len(forms_of(index).figures) <= arithmetic.MOST
    searched = index.passages if few else _searched(index, near)
    return [f for passage in searched for f in (_usable(claim, passage) if claim else passage.figures)]


def _usable(claim: str, passage: Passage) -> list[Number]:
    """The figures of a passage that one of the claim may be worked out from.

    No small bare number (`four ports`) of a sentence that has no word of the claim: of such, some always fit.
    """
    shared = passage.stems.intersection(words.content(claim))
    about = passage.is_flattened or any(not stem[0].isdigit() for stem in shared)
    return [f for f in passage.figures if about or f.dimension or f.face > SMALL]


SMALL = 12
"""The largest number that counts things in words."""


def _worked_out(
    claim: str,
    one: Number,
    index: Index,
    near: Sequence[tuple[float, Passage]],
) -> RuleFinding | None:
    """A figure that follows from those of the passages about the claim."""
    if one.is_range or not near or (one.worded and one.face < arithmetic.LEAST and not one.dimension):
        return None
    part = claim[slice(*one.span)]
    passages = _searched(index, near)
    stated = [figure for passage in passages for figure in passage.figures]
    told = [date for passage in passages for date in passage.dates]
    mine = set(words.content(claim))  # times of which the claim has no word are not what it speaks of
    how = clock_times.between(claim, [passage.text for passage in passages if mine & passage.stems], one)
    if how is None and (len(stated) + len(told) > 1 or one.dimension == "percent"):
        how = arithmetic.way(claim, one, stated, told)
    return None if how is None else RuleFinding("derived", "same", part, near[0][1], near[0][1].span, how)


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
        if len(rivals) == 1:
            return passage, rivals[0]
    return None


def _same_place(claim: str, one: Number, text: str, stated: Number) -> bool:
    """Whether two bare figures follow the same word after a word of the same stem: `opens at 10` beside `opened at 9`."""
    if one.dimension or stated.dimension or one.noun or stated.noun:
        return False
    mine, theirs = (words.words(part)[-2:] for part in (claim[: one.span[0]], text[: stated.span[0]]))
    return len(mine) == 2 and [words.stem(w) for w in mine] == [words.stem(w) for w in theirs]
