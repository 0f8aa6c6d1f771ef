"""A value of a claim beside what follows from a stated one and a stated distance: the same, perhaps the same, or another."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence

from witnessmark.checks.grounding import arithmetic, wording
from witnessmark.checks.grounding.evidence import Index, Passage
from witnessmark.checks.grounding.finding import Finding, RuleFinding
from witnessmark.checks.grounding.relations.clauses import clauses, masked, stems_of
from witnessmark.checks.grounding.relations.distances import Value
from witnessmark.checks.grounding.relations.steps import Step, steps, taken, values_of
from witnessmark.text import clock, lang, words
from witnessmark.text.clock import ClockTime
from witnessmark.text.dates import Date, dates, follows, without_dates
from witnessmark.text.numbers import Number, figures
from witnessmark.text.sentences import Span

KINDS: Mapping[str, type[Value]] = {kind.__name__: kind for kind in (Date, ClockTime, Number, int)}


def step_finding(
    claim: str, one: Value, span: Span, index: Index, near: Sequence[tuple[float, Passage]], goal: str
) -> RuleFinding | None:
    """What a stated value and a stated distance say of a value of a claim: `1913` for two years after 1911; None where nothing."""
    found = held(claim, one, span, index, [passage for _, passage in near], goal)
    if found is None:
        return None
    finding, step = found
    stated = step.said if finding == "contradicted" else step.how
    place = step.passage.place(step.distance.span)
    return RuleFinding("derived", finding, claim[slice(*span)], step.passage, place, stated)


def held(
    claim: str, value: Value, span: Span, index: Index, passages: Sequence[Passage], goal: str = ""
) -> tuple[Finding, Step] | None:
    """What the steps of some passages say of a value of a claim; None where nothing.

    It follows (`same`), it may follow (`elsewhere`), another one does (`contradicted`), or the sources have it of something else alone
    (`missing`). A short answer without words of its own is read with the question, `goal`.
    """
    kind = type(value)
    found = [step for passage in passages for step in steps(passage, index, kind)]
    if not found:
        return None
    mine = _about(claim, kind.__name__) or _about(goal, kind.__name__)
    close = _close(claim, span, kind) or mine
    may: Step | None = None
    against: Step | None = None
    for step in found:
        whose = step.whose(mine, close)
        if isinstance(value, Number) and not _condition_met(claim, value, step):
            continue
        if whose == "base":
            crossed = step.sure and mine <= step.base and _differs(value, step.place[1])
            against = against or (step if crossed and any(same(value, result) for result in step.results) else None)
            continue
        if any(same(value, result) for result in _led_to(step, claim)):
            if step.sure and whose == "of":
                return "same", step
            may = may or step
        elif (
            whose == "of" and not step.distance.exact and not isinstance(value, Number)
        ):  # `at least two weeks before`: any day up to that one
            may = may or step
        elif step.sure and whose == "of" and all(_differs(value, result) for result in step.results):
            against = against or step
    if may is not None:
        return "elsewhere", may
    if against is None or not _plain(claim, value, span) or _stands(value, against, index):
        return None
    return ("contradicted" if mine <= against.base or against.names(mine) else "missing"), against


def _led_to(step: Step, claim: str) -> Sequence[Value]:
    """What a step leads to; back in time of day only where it says so or the claim does, since a length of time follows its start."""
    if isinstance(step.place[1], ClockTime) and not step.distance.way and not _sooner(claim):
        return step.results[:1]
    return step.results


def _sooner(claim: str) -> bool:
    said = {word for line in lang.section("steps", "earlier") for word in line.split()}
    return not said.isdisjoint(words.words(claim))


@functools.lru_cache(maxsize=256)
def _about(text: str, kind: str) -> frozenset[str]:
    """The words of a claim that say what it is about, its figures and its values of the kind of that name apart."""
    return stems_of(masked(text, taken(text, KINDS[kind])))


def _close(claim: str, span: Span, kind: type[Value]) -> frozenset[str]:
    """The words of the clause of a claim that a value of it stands in."""
    masks = taken(claim, kind)
    part = next((part for part in clauses(claim, masks) if span[0] < part[1] and part[0] < span[1]), (0, 0))
    return stems_of(masked(claim, masks), *part)


def same(value: Value, result: Value) -> bool:
    """Whether a claimed value is the one that follows, at its own precision."""
    if isinstance(value, Date) and isinstance(result, Date):
        return follows(value, result)
    if isinstance(value, ClockTime) and isinstance(result, ClockTime):
        return bool(value.readings & result.readings)
    if isinstance(value, Number) and isinstance(result, Number):
        alike = value.low if value.dimension == result.dimension else value.face if not result.dimension else None
        return alike is not None and abs(alike - result.low) <= value.half + 1e-9 * abs(result.low)
    return value == result


def _differs(value: Value, result: Value) -> bool:
    """Whether a claimed value is another than the one that follows, and of its kind."""
    if isinstance(value, Date) and isinstance(result, Date):
        pairs = ((value.first, result.first), (value.month, result.month), (value.day, result.day))
        return value.first == value.last and any(a is not None and b is not None and a != b for a, b in pairs)
    if isinstance(value, Number) and isinstance(result, Number):
        alike = value.dimension == result.dimension and (value.dimension or value.noun == result.noun)
        return bool(alike) and not value.bound and not value.is_range and not same(value, result)
    return not same(value, result)


def _plain(claim: str, value: Value, span: Span) -> bool:
    """Whether a claim simply says its one value: it denies nothing, sums nothing up, and is no border (`by 1920`)."""
    if isinstance(value, Number):
        alone = not arithmetic.says_so(claim)
    else:
        values = (
            dates(claim)
            if isinstance(value, Date)
            else clock.times(claim)
            if isinstance(value, ClockTime)
            else clock.weekdays(claim)
        )
        alone = len(values) == 1
    border = words.words(claim[: span[0]])[-1:]
    return alone and not wording.negated(claim) and not (border and border[0] in lang.words("borders"))


def _condition_met(claim: str, value: Number, step: Step) -> bool:
    """Whether the other figures of a claim are those of the source or within its bounds: `a child of eight`, `children under ten`."""
    stated = [*step.passage.figures, *step.place[0].figures]
    others = [one for one in without_dates(figures(claim), dates(claim)) if one.span != value.span]
    return all(any(_within(one, bound) for bound in stated) for one in others)


def _within(one: Number, bound: Number) -> bool:
    if bound.bound in ("under", "over") and not one.bound:
        return one.low < bound.low if bound.bound == "under" else one.low > bound.low
    return one.low == bound.low and one.bound == bound.bound


def _stands(value: Value, step: Step, index: Index) -> bool:
    """Whether the sources have the value at another place than the one that the step starts from."""
    start = (step.place[0].number, step.place[2])
    for passage in index.passages:
        for _, other, span in values_of(passage, index, type(value)):
            if (passage.number, span) != start and same(value, other):
                return True
    return False


lang.on_change(_about.cache_clear)
