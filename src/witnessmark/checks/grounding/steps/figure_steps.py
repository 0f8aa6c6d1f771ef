"""Figures of a claim that no source states and that follow from those it does: by the step it names, before the reader's eyes, or by one step."""

from __future__ import annotations

from witnessmark.checks.grounding.finding import RuleFinding, looked
from witnessmark.checks.grounding.relations import clock_times
from witnessmark.checks.grounding.relations.figure_in_claim import FigureInClaim
from witnessmark.checks.grounding.relations.figure_index import stated_in
from witnessmark.checks.grounding.steps import arithmetic, equations
from witnessmark.checks.grounding.steps.named_steps import named_step, of_named_cells
from witnessmark.checks.grounding.steps.question_steps import asks_apart
from witnessmark.checks.grounding.two_things.difference_ways import goes_that_way, moves_that_way
from witnessmark.checks.grounding.two_things.named_operands import is_own_count, named_operands
from witnessmark.text.numbers import figures


def by_step(this: FigureInClaim) -> RuleFinding | None:
    """What the step that a claim names says of its figure; None where it names none with plain operands."""
    step = named_step(this.claim, this.one, this.index, this.searched) if this.index.passages else None
    if step is None:
        return None
    fits, how = step
    if not fits:
        return looked(this.rule, this.part, this.near)
    passage = this.near[0] if this.near else this.index.passages[0]
    return RuleFinding("worked", "same", this.part, passage, passage.span, how)


def from_operands(this: FigureInClaim) -> RuleFinding | None:
    """That a figure follows from others that are told to belong together."""
    how, passage = named_operands(this), next(iter(this.near), None)
    if passage is not None and how is None and is_own_count(this):
        return RuleFinding(this.rule, "elsewhere", this.part, passage, passage.span)
    if how is None or passage is None:
        return None
    return RuleFinding("derived", "same", this.part, passage, passage.span, how)


def shown(this: FigureInClaim) -> RuleFinding | None:
    """A figure that the claim itself works out from stated ones."""
    if not this.near:
        return None
    claim, one = this.claim, this.one
    stated = [figure for passage in this.spread for figure in passage.figures]
    how = equations.shown_working(claim, one, [*stated, *figures(this.goal)])
    made = claim[: one.span[0]].rstrip().endswith("=") or equations.is_bracketed(claim, one)
    if how is None or not made:
        return None if how is None else RuleFinding("count", "elsewhere", this.part)  # a small factor of it
    name = "worked" if of_named_cells(claim, how, this.index) else "derived"
    passage = this.near[0]
    return RuleFinding(name, "same", this.part, passage, passage.span, how)


def by_own(this: FigureInClaim) -> RuleFinding | None:
    """A figure that one step makes of two others of the claim that a source has."""
    part = arithmetic.subtotal(this.one, this.all_of_them)
    if part is not None and this.near and stated_in(part[1], this.index) is not None:
        return RuleFinding("derived", "same", this.part, stated=part[0])
    others = (other for other in this.all_of_them if other is not this.one)
    how = arithmetic.of_its_own(this.one, [other for other in others if stated_in(other, this.index) is not None])
    return RuleFinding("derived", "same", this.part, stated=how) if how is not None and this.near else None


def worked_out(this: FigureInClaim) -> RuleFinding | None:
    """A figure that follows from those of the passages about the claim."""
    claim, one = this.claim, this.one
    if one.is_range or not this.near or (one.worded and one.face < arithmetic.LEAST and not one.dimension):
        return None
    passages = this.searched
    stated = [figure for passage in passages for figure in passage.figures if this.may_be_operand(figure, passage)]
    shared = (
        [p for p in this.index.passages if p not in passages and this.words_in(p)] if one.dimension == "time" else ()
    )
    told = [date for passage in (*passages, *shared) for date in passage.dates]
    how = clock_times.named_between(claim, one, this.index)
    if how is None and (len(stated) + len(told) > 1 or one.dimension == "percent"):
        how = arithmetic.way(claim, one, stated, told)
    if how is None:
        return None
    passage = this.near[0]
    settled = _apart(this, how) or _turned(this, how)
    return settled or RuleFinding("derived", "same", this.part, passage, passage.span, how)


def _turned(this: FigureInClaim, how: str) -> RuleFinding | None:
    """That no source has a change which a claim tells the other way round: a gain of 54, where there were 210 and a year later 156."""
    faces = [one.face for one in figures(how)] if "−" in how else []
    usable = [(passage, f) for passage in this.searched for f in passage.figures if this.may_be_operand(f, passage)]
    told = [next((one for one in usable if one[1].face == face), None) for face in faces]
    ends = [one for one in told if one is not None]
    return None if moves_that_way(this, ends) else looked(this.rule, this.part, this.near)


def _apart(this: FigureInClaim, how: str) -> RuleFinding | None:
    """What a figure that says how far two lie apart comes to, where the sources have no more than those two of its kind."""
    told = [
        (passage, figure)
        for passage in this.searched
        for figure in passage.figures
        if figure.dimension == this.one.dimension and this.may_be_operand(figure, passage)
    ]
    if len(told) != 2 or "−" not in how or not asks_apart(this.goal, this.claim, this.one):
        return None
    passage, right = this.near[0], goes_that_way(this, told)
    if right is None:
        return None
    rule, finding = ("worked", "same") if right else ("compared", "contradicted")
    return RuleFinding(rule, finding, this.part, passage, passage.span, how)  # type: ignore[arg-type] # one of the two
