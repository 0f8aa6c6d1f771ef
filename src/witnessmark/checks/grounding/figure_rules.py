"""What the rules say of the figures and the times of day of a claim.

A small number in words with nothing measured (`two friends`) is a `count`: it may sum up what a source lists, so its
absence alone settles nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from witnessmark.checks.grounding.agreement import agrees, comparable
from witnessmark.checks.grounding.evidence import ABOUT_THE_SAME, SAYS_IT, Passage
from witnessmark.checks.grounding.fields import row_steps
from witnessmark.checks.grounding.finding import RuleFinding, looked
from witnessmark.checks.grounding.reading.questions import counted, is_polar, phrase
from witnessmark.checks.grounding.relations import clock_times
from witnessmark.checks.grounding.relations.figure_in_claim import FigureInClaim
from witnessmark.checks.grounding.relations.figure_index import stated_in
from witnessmark.checks.grounding.relations.open_hours import open_at
from witnessmark.checks.grounding.relations.other_forms import in_another_form, in_words_of_unit, stated_in_head_unit
from witnessmark.checks.grounding.relations.other_units import (
    end_in_other_unit,
    is_basis,
    other_end,
    other_money,
    other_rate,
    other_unit,
    with_rate,
)
from witnessmark.checks.grounding.scope.exceptions import exception_in
from witnessmark.checks.grounding.scope.figure_bounds import (
    bears_out,
    holds,
    is_beyond,
    is_within,
    other_bound,
)
from witnessmark.checks.grounding.scope.may_follow import comes_to_so_many, may_be_right, so_many_at_a_rate, years_apart
from witnessmark.checks.grounding.scope.value_denials import is_denied, is_set_aside, permits
from witnessmark.checks.grounding.steps import arithmetic
from witnessmark.checks.grounding.steps.figure_steps import by_own, by_step, from_operands, shown, worked_out
from witnessmark.checks.grounding.steps.named_steps import rows_counted
from witnessmark.checks.grounding.steps.question_steps import asks_difference, from_question
from witnessmark.checks.grounding.steps.word_fractions import of_fraction
from witnessmark.text import lang, words
from witnessmark.text.dates import dates, follows
from witnessmark.text.numbers import Number, figures

MUCH = 30
"""How many times as long a span of time is of something else, where it is told in another unit."""
FEW = 3
"""Years, weeks or days of which two are no rare pair."""


def figure(this: FigureInClaim) -> RuleFinding:
    """What the evidence says of one figure of a claim."""
    claim, one = this.claim, this.one
    hours = open_at(this, one) if not one.dimension else None
    settled = hours or _counting_rows(this) or of_fraction(this)
    if settled is not None:
        return settled
    bounded = _by_bound(this) or _other_count(this)
    if bounded is not None:
        return bounded
    other = other_rate(this, one)
    if other is not None:
        passage, stated = other
        ours, theirs = with_rate(claim, one), with_rate(passage.text, stated)
        place = passage.place((stated.span[0], stated.span[0] + len(theirs)))
        return RuleFinding("figure", "contradicted", ours, passage, place, theirs)
    turned = other_bound(this, one)
    if turned is not None:
        return _against(this.part, turned)
    end = end_in_other_unit(this.part, this.near[:2], this.language) if one.is_range else None
    if end is not None:
        return _against(this.part, end)
    known = _stated(this)
    if known is not None:
        return known
    if not is_polar(this.goal) and any(agrees(this.one, asked) for asked in figures(this.goal)):
        return RuleFinding(this.rule, "elsewhere", this.part)  # what the question takes as given
    headed = stated_in_head_unit(this.one, this.index)
    unit = _in_another_unit(this) if headed is None else None
    bare = in_words_of_unit(this.one, this.index) if unit is not None else None
    if unit is not None and bare is not None and this.words_in(bare) > this.words_in(unit[0]):
        headed = bare  # 300, of which another sentence says that they are seconds
    if headed is not None:
        return RuleFinding(this.rule, "elsewhere", this.part, headed, headed.span)
    if unit is not None:
        return _against(this.part, unit)
    restated = clock_times.restated(claim, one, this.index)
    if restated is not None:
        return RuleFinding(this.rule, "elsewhere", this.part, restated, restated.span)
    return (
        by_step(this)
        or shown(this)
        or from_question(this)
        or _of_another_thing(this)
        or from_operands(this)
        or by_own(this)
        or so_many_at_a_rate(this)
        or _in_the_same_words(this)
        or worked_out(this)
        or _in_its_place(this)
        or _mentioned(this)
        or _not_found(this)
    )


def _by_bound(this: FigureInClaim) -> RuleFinding | None:
    """What a figure that the claim bounds, denies or allows says beside the one that a passage has in its place: `not 3 euros`, if it is 2."""
    denied, permitted = is_denied(this.claim, this.one.span), permits(this.claim)
    if not denied and ((not permitted and not this.one.bound) or _is_near(this)):
        return None
    other = _other_figure(this, this.near, beside_agreeing=True)
    if other is None or (denied and is_denied(other[0].text, other[1].span)):
        return None  # two limits, which must be the same
    right = holds(this.one, other[1], denied=denied, permitted=permitted)
    asked = any(agrees(this.one, figure) for figure in figures(this.goal)) and this.one.low < other[1].low
    if right is None and (this.one.bound or agrees(this.one, other[1]) or not (denied or asked)):
        return None
    sure = right or (denied and not other[1].bound and _after_the_same_word(this, other))
    limited = right is not None and right != denied and not is_within(this.one, *other)  # the other limit may say why
    if limited or (right is None and not sure):  # no, it does not have 3; four can sleep where there is room for six
        told = other[0].text[slice(*other[1].span)]
        return RuleFinding(this.rule, "elsewhere", this.part, other[0], other[0].place(other[1].span), told)
    return bears_out(this.claim, this.one.span, *other) if sure else _against(this.part, other)


def _is_near(this: FigureInClaim) -> bool:
    """Whether a passage about the claim has this very figure."""
    return any(agrees(this.one, figure) for passage in this.near for figure in passage.figures)


def _after_the_same_word(this: FigureInClaim, other: tuple[Passage, Number]) -> bool:
    mine, theirs = words.stems(this.claim[: this.one.span[0]]), words.stems(other[0].text[: other[1].span[0]])
    helping = lang.words("being") | lang.words("having") | lang.words("inverted")
    return bool(mine) and (mine[-1:] == theirs[-1:] or {*mine[-1:], *theirs[-1:]} <= helping)


def _other_count(this: FigureInClaim) -> RuleFinding | None:
    """How many of the things that are asked for a source has, where a bare number answers with another: 25, if it has eight lanes."""
    asked, _, answer = this.claim.rpartition("? ")
    row = words.words(counted(f"{asked}?"))
    if not row or answer.strip(". ") != this.part or this.one.dimension:
        return None
    thing = [words.stem(row[0])]
    told = [(p, f) for p in this.index.passages for f in p.figures if [words.stem(f.noun)] == thing]
    worked_out = arithmetic.says_so(asked) or arithmetic.compares(asked) or not lang.words("remaining").isdisjoint(row)
    sure = len(told) == 1 and not worked_out and not agrees(this.one, told[0][1]) and not told[0][1].bound
    return _against(this.part, told[0]) if sure else None


def _not_found(this: FigureInClaim) -> RuleFinding:
    """A figure that no source has; one that the claim denies need have none."""
    if is_set_aside(this.claim, this.one.span) or is_basis(this.claim, this.one):
        return RuleFinding(this.rule, "elsewhere", this.part)
    return looked(this.rule, this.part, this.near)


def _in_another_unit(this: FigureInClaim) -> tuple[Passage, Number] | None:
    """The same number in another unit or money, or a range with one other end, where a passage says the same."""
    if arithmetic.compared_by(this.claim, this.one):
        return None  # two weeks longer are no other three days
    best = this.near[:2]
    alike = [passage for passage in best if this.like(passage) >= ABOUT_THE_SAME]
    # two years of one thing and two weeks of another are no rare pair
    common = this.one.dimension == "time" and this.one.face <= FEW
    return (
        other_unit(this.one, alike if common else best) or other_money(this.one, alike) or other_end(this.one, best[:1])
    )


def _stated(this: FigureInClaim) -> RuleFinding | None:
    """That a passage near to the claim has this figure, unless another that says the same has another in its place; None where none has it."""
    for passage in this.near:
        same = this.same_in(passage)
        if same is not None:
            against = _told_of_another(this, passage)
            if against is not None:
                return _against(this.part, against)
            return RuleFinding(this.rule, "same", this.part, passage, passage.place(same.span))
    return None


def _told_of_another(this: FigureInClaim, passage: Passage) -> tuple[Passage, Number] | None:
    """The figure in the place of the claim's only one, in the passage that the claim is about, where another passage has the claim's."""
    if this.rule != "figure" or len(this.all_of_them) != 1:
        return None
    best = this.of_another(passage)
    against = None if best is None else _other_figure(this, [best])
    if against is None or against[1].is_range or not _stands_in_place(this, against):
        return None
    dated = all(any(follows(day, told) for told in against[0].dates) for day in dates(this.claim))
    return against if dated else None


def _of_another_thing(this: FigureInClaim) -> RuleFinding | None:
    """That the sources have this figure of things only which nobody names, beside one that is named: then no step makes it right."""
    told = this.rule == "figure" and stated_in(this.one, this.index, this) is None
    return looked(this.rule, this.part, this.near) if told and stated_in(this.one, this.index) is not None else None


def _stands_in_place(this: FigureInClaim, other: tuple[Passage, Number]) -> bool:
    return this.in_place(this.one.span, other[0], other[1].span)


def _counting_rows(this: FigureInClaim) -> RuleFinding | None:
    """That a figure counts the rows of a table: `the three cities`, and `There are three orders`, which says nothing else."""
    found = rows_counted(this.claim, this.one, this.index)
    if found is None:
        return None
    alone, how = found
    return RuleFinding("worked" if alone else this.rule, "same", this.part, stated=how if alone else "")


def _against(part: str, other: tuple[Passage, Number]) -> RuleFinding:
    passage, stated = other
    place = passage.place(stated.span)
    return RuleFinding("figure", "contradicted", part, passage, place, passage.text[slice(*stated.span)])


def _in_the_same_words(this: FigureInClaim) -> RuleFinding | None:
    """Another figure after the same words in a passage that says the same: what it could be worked out from is chance, unless the claim compares."""
    free = arithmetic.compares(this.claim) or this.sets_a_value or asks_difference(this.goal)
    other = None if free else _other_figure(this, this.near[:1])
    if other is None or other[1].is_range or this.one.is_range or this.like(other[0]) < SAYS_IT:
        return None
    if (
        comes_to_so_many(this, *other)
        or is_beyond(this, *other)
        or this.adds_one_before(*other)
        or arithmetic.multiplied(other[0].text, this.one, other[1])
        or _of_its_row(this)
    ):
        return None
    return _against(this.part, other) if _stands_in_place(this, other) else None


def _of_its_row(this: FigureInClaim) -> bool:
    """Whether a figure follows from the values of the row that the claim names, and the rate of each further one."""
    return bool(this.index.fields) and row_steps.by_further(this.claim, this.one, this.index)


def _in_its_place(this: FigureInClaim) -> RuleFinding | None:
    """What another figure in the place of this one says of it; None where there is none, or where both may be right."""
    claim, one = this.claim, this.one
    against = None if this.sets_a_value else _other_figure(this, this.near)
    if against is None or is_basis(claim, one):
        return None
    passage, stated = against
    if one.dimension == "time" and clock_times.between(claim, [p.text for p in this.index.passages], one) is not None:
        return None  # from 09:42 to 10:31 it is 49 minutes, whatever those times are of
    one_of = stated.is_range and stated.low <= one.low <= one.high <= stated.high  # one of `6 to 11 years`
    if one_of or is_beyond(this, *against) or comes_to_so_many(this, *against):
        return RuleFinding(this.rule, "elsewhere", this.part, passage, passage.place(stated.span))
    compares = arithmetic.compares(claim)
    told = (*this.all_of_them, *this.beside) if compares else this.all_of_them  # of many figures, some always add up
    multiple = (
        max(len(this.all_of_them), len(passage.figures)) > 1 or arithmetic.multiplies(claim) or bool(figures(this.goal))
    )
    repeated = arithmetic.multiplied(passage.text, one, stated) or _of_its_row(this)
    known, years = [*this.close, *told], years_apart([day for p in this.near for day in p.dates])
    if repeated or may_be_right(one, stated, known, multiple=multiple, years=years):
        return None
    return _against(this.part, against)


def _mentioned(this: FigureInClaim) -> RuleFinding | None:
    """That a figure stands elsewhere, in the question, in another form, or one step away; None where it does not."""
    elsewhere = stated_in(this.one, this.index)
    if elsewhere is not None:
        return RuleFinding(this.rule, "elsewhere", this.part, elsewhere, elsewhere.span)
    asked = figures(this.goal)
    told = [*asked, *(this.beside if phrase(this.goal, this.claim) else ())]  # 5.25. … 1.75 % of 300 comes to 5.25
    if this.index.has(_ordinals().get(this.part.lower(), "")) or any(agrees(this.one, other) for other in told):
        return RuleFinding(this.rule, "elsewhere", this.part)
    other_form = in_another_form(this.claim, this.one, this.index)
    if other_form is not None:
        return RuleFinding(this.rule, "elsewhere", this.part, other_form, other_form.span)
    own = [other for other in this.all_of_them if other is not this.one and stated_in(other, this.index) is not None]
    return RuleFinding(this.rule, "elsewhere", this.part) if _one_step_away(this, [*own, *asked]) else None


def _one_step_away(this: FigureInClaim, known: Sequence[Number]) -> bool:
    """Whether a figure is one step from those of the evidence, of the passages about the claim, or of the claims beside it.

    `known` are those of the question, and of the claim those that a source has: the others must not prove each other.
    """
    told = frozenset(word for passage in this.searched for word in words.words(passage.text))
    all_usable = [figure for passage in this.spread for figure in this.usable(passage)]
    ways = ([*all_usable, *known], [*this.close, *known], [*known, *this.beside] if this.beside else ())
    return any(arithmetic.by_one_step(this.claim, this.one, way, told) for way in ways)


@lang.derived
def _ordinals() -> dict[str, str]:
    digits = ["1st", "2nd", "3rd", *(f"{n}th" for n in range(4, 13))]
    rows = (line.split() for line in lang.section("numbers", "ordinals"))
    return {digit: words.stem(word) for row in rows for digit, word in zip(digits, row, strict=False)}


def _other_figure(
    this: FigureInClaim, near: Sequence[Passage], *, beside_agreeing: bool = False
) -> tuple[Passage, Number] | None:
    """The figure that stands in the place of this one: same kind, in a passage about the same, used by no other figure of the claim.

    One that agrees with this one is none, unless it is asked for.
    """
    used = [other for other in this.all_of_them if not beside_agreeing or other is not this.one]
    differs = arithmetic.tells_change(this.claim, this.one)  # two hours longer, up by two, are no rival of five hours
    for passage in near:
        if this.like(passage) < ABOUT_THE_SAME:
            continue
        out = exception_in(passage.text)  # all lines except line 4 run: of line 7 that says nothing else
        rivals = [
            f
            for f in passage.figures
            if (comparable(this.one, f) or _same_place(this.claim, this.one, passage.text, f))
            and differs == arithmetic.tells_change(passage.text, f)
            and not _far_apart(this.one, f)
            and not any(agrees(other, f) for other in used)
            and not (out is not None and out.span[0] <= f.span[0] < out.span[1])
        ]
        if len(rivals) == 1:
            return passage, rivals[0]
    return None


def _far_apart(one: Number, stated: Number) -> bool:
    """Whether two spans of time in other units are so far apart that they are of two things: 20 minutes of a run, 10 seconds of a step."""
    spans = one.dimension == stated.dimension == "time" and one.scale != stated.scale and one.face != stated.face
    low, high = sorted((abs(one.low), abs(stated.low)))
    return spans and high > MUCH * low


def _same_place(claim: str, one: Number, text: str, stated: Number) -> bool:
    """Whether two bare figures follow the same word after a word of the same stem: `opens at 10` beside `opened at 9`."""
    if one.dimension or stated.dimension or one.noun or stated.noun:
        return False
    mine, theirs = (words.words(part)[-2:] for part in (claim[: one.span[0]], text[: stated.span[0]]))
    return len(mine) == 2 and [words.stem(w) for w in mine] == [words.stem(w) for w in theirs]
