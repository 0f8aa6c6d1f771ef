"""A figure that follows from one of the question and one of the sources: what three loaves take, where a source tells it of one.

Which steps a question leaves open is told by its words: no sum where it asks how much is left, no difference where it asks for a total.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from witnessmark.checks.grounding.finding import RuleFinding, looked
from witnessmark.checks.grounding.relations import clock_times
from witnessmark.checks.grounding.relations.clauses import clauses
from witnessmark.checks.grounding.relations.figure_in_claim import FigureInClaim
from witnessmark.checks.grounding.steps import arithmetic
from witnessmark.text import lang, words
from witnessmark.text.dates import Date, dates, follows, without_dates
from witnessmark.text.language import detect_short
from witnessmark.text.numbers import Number, figures

MINUS = (" − ", " - ", " – ", " minus ")
"""What says before a figure that it is taken away."""
MOST_ASKED = 3
"""Figures of a question up to which one of them is what a step is taken with."""
Way = tuple[str, float]


@dataclass(frozen=True, slots=True)
class QuestionSteps:
    """Which steps a question and the words of its answer leave open."""

    sum: bool
    difference: bool
    more: bool

    @classmethod
    def of(cls, question: str, answer: str) -> QuestionSteps:
        """The steps; a difference is open where the words compare, a share on top where they tell of no discount."""
        row = frozenset(words.words(question))
        total, apart = arithmetic.says_so(question), asks_difference(question)
        minus = any(sign in answer for sign in MINUS)
        compared = apart or minus or arithmetic.compares(f"{question} {answer}")
        return cls(
            sum=total or not apart,
            difference=compared and (minus or apart or not total),
            more=lang.listed("numbers", "reducing").isdisjoint(row),
        )


def asks_difference(question: str) -> bool:
    """Whether a question asks how much more, less or left, in the words of its own language: `plus` is French for more."""
    return not lang.words("differing", detect_short(question)).isdisjoint(words.words(question))


def asks_apart(question: str, claim: str, one: Number) -> bool:
    """Whether a figure answers how far two things lie apart, by its own words or those of the question."""
    row = words.words(question)
    by_how_much = any(pair in lang.phrases("numbers", "asks_by") for pair in map(" ".join, pairwise(row)))
    apart = (asks_difference(question) or by_how_much) and not arithmetic.says_so(question)
    return apart or arithmetic.tells_difference(claim, one)


def from_question(this: FigureInClaim) -> RuleFinding | None:
    """That one step makes a figure of one of the question and one of the passages about both; None where none does."""
    if this.one.is_range or not this.goal or not this.near:
        return None
    until = _until_named(this)
    if until is not None:
        return until
    how = _apart(this) or next((how for how, value in _ways(this) if _is(this.one, value)), None)
    passage = this.near[0]
    return None if how is None else RuleFinding("worked", "same", this.part, passage, passage.span, how)


def _is(wanted: Number, value: float) -> bool:
    return math.isclose(value, wanted.low, rel_tol=1e-9, abs_tol=wanted.half if wanted.dimension == "percent" else 0.0)


def _until_named(this: FigureInClaim) -> RuleFinding | None:
    """What the days between the one date of the question and the one of the sources that a claim names say of its days; None where it names none."""
    asked = [date for date in dates(this.goal) if date.day]
    named = [date for date in dates(this.claim) if date.day and not any(follows(date, other) for other in asked)]
    told = [(date, passage) for passage in this.index.passages for date in passage.dates if date.day]
    meant = [(stated, passage) for one in named for stated, passage in told if follows(one, stated)]
    days = this.one.low / arithmetic.DAY
    if this.one.dimension != "time" or days % 1 or len(asked) != 1 or len(named) != 1 or not meant:
        return None
    found = list(arithmetic.days_apart(asked[0], meant[0][0]))
    how = next((how for how, apart in found if apart == days), None)
    passage = meant[0][1]
    if how is None:
        return looked("figure", this.part, this.near)
    return RuleFinding("worked", "same", this.part, passage, passage.span, how)


def _apart(this: FigureInClaim) -> str | None:
    """How far a date or a time of the question lies from one of the passages."""
    if this.one.dimension != "time":
        return None
    asked = [date for date in dates(this.goal) if date.day]
    pairs = ((mine, theirs) for mine in asked for theirs in _only_date(this, asked))
    found = (way for pair in pairs for way in arithmetic.days_apart(*pair))
    how = next((how for how, apart in found if apart * arithmetic.DAY == this.one.low), None)
    timed = [passage.text for passage in this.searched if passage.times]
    if how is not None or not timed or not clock_times.sure_times(this.goal):
        return how
    told = clock_times.between(this.goal, timed, this.one)
    return told if told is not None and clock_times.between("", timed, this.one) is None else None


def _only_date(this: FigureInClaim, asked: Sequence[Date]) -> list[Date]:
    """The one date of the sources that a claim names, or the one they have beside those of the question; of several, or in a table, nobody says which is meant."""
    told = [date for passage in this.searched for date in passage.dates if date.day and not passage.is_flattened]
    told = [date for date in told if not any(follows(date, other) for other in asked)]
    named = [date for date in told if any(follows(one, date) for one in dates(this.claim))]
    days = {(date.day, date.month, date.first): date for date in named or told}
    return list(days.values()) if len(days) == 1 else []


def _ways(this: FigureInClaim) -> Iterator[Way]:
    asked = [one for one in without_dates(figures(this.goal, this.language), dates(this.goal)) if not one.is_range]
    clocked = [time.span for time in clock_times.sure_times(this.goal)]
    asked = [one for one in asked if not any(a <= one.span[0] < b for a, b in clocked)]
    steps = QuestionSteps.of(this.goal, this.claim)
    meant = _meant(this) if 0 < len(asked) <= MOST_ASKED else []
    shares = _so_many_shares(this, asked, meant) if meant else ()
    for stated in (*meant, *shares):
        taken_off = _is_taken_off(this, stated)
        ways = (way for one in asked for way in _of_two(this.one, one, stated, steps))
        yield from (way for way in ways if not taken_off or "−" in way[0])


def _so_many_shares(this: FigureInClaim, asked: Sequence[Number], meant: Sequence[Number]) -> list[Number]:
    """The shares that a claim names and that so many of a stated one make: 10 % for ten months at 1 % each."""
    rates = [one.low for one in meant if one.dimension == "percent"]
    own = (one for one in this.all_of_them if one.dimension == "percent" and one is not this.one)
    return [one for one in own if any(math.isclose(one.low, many.face * rate) for many in asked for rate in rates)]


def _is_taken_off(this: FigureInClaim, share: Number) -> bool:
    """Whether a claim says of a share that it is taken off: `10% off, so 630`; what it comes to itself is then another figure."""
    same = (one for one in this.all_of_them if one.dimension == share.dimension == "percent" and one.low == share.low)
    behind = (words.words(this.claim[one.span[1] :])[:1] for one in same)
    return any(not lang.listed("numbers", "reducing").isdisjoint(row) for row in behind)


def _meant(this: FigureInClaim) -> list[Number]:
    """The figures of the passages that the question may mean: those that the claim names, and of several of one kind those whose clause has most of its words."""
    asked = frozenset(words.content(f"{this.goal} {this.claim}"))
    told: list[tuple[Number, int]] = []
    for passage in this.near:
        usable = [one for one in this.usable(passage) if not one.is_range]
        spans = ((0, len(passage.text)),) if passage.is_flattened else clauses(passage.text)
        for start, end in spans:
            shared = len(asked.intersection(words.content(passage.text[start:end])))
            told += [(one, shared) for one in usable if start <= one.span[0] < end]
    most = {kind: max(n for one, n in told if one.dimension == kind) for kind in {one.dimension for one, _ in told}}
    own = {(one.dimension, one.low) for one in this.all_of_them if one is not this.one}
    return [one for one, n in told if n == most[one.dimension] > 0 or (one.dimension, one.low) in own]


def _of_two(wanted: Number, asked: Number, stated: Number, steps: QuestionSteps) -> Iterator[Way]:
    a, b = asked.low, stated.low
    alike = asked.dimension == stated.dimension
    if alike and wanted.dimension == asked.dimension and (wanted.dimension or asked.noun == stated.noun):
        added = steps.sum and not (a == b and asked.noun == stated.noun != "")  # two adults are not two more
        yield from ((f"{asked.face:g} + {stated.face:g}", a + b),) if added else ()
        yield from ((f"{asked.face:g} − {stated.face:g}", abs(a - b)),) if steps.difference else ()
    if stated.dimension == wanted.dimension and asked.dimension in ("", "time") and _is_count(wanted, asked, stated):
        yield f"{asked.face:g} × {stated.face:g}", asked.face * b
    for share, whole in ((asked, stated), (stated, asked)):
        if share.dimension == "percent" and wanted.dimension in (whole.dimension, ""):
            yield f"{share.face:g} % of {whole.face:g}", share.low * whole.low / 100
            yield f"{whole.face:g} − {share.face:g} %", whole.low * (1 - share.low / 100)


def _is_count(wanted: Number, asked: Number, stated: Number) -> bool:
    """Whether a question's figure says how many of what a source has a figure of: `4 tickets`, of which one costs so much."""
    whole = asked.face % 1 == 0 and asked.face > 1
    return whole and (wanted.dimension != "" or asked.dimension == "time" or stated.noun == wanted.noun != "")


__all__ = ["QuestionSteps", "asks_apart", "asks_difference", "from_question"]
