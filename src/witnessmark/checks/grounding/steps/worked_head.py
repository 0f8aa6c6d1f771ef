"""An answer that opens with a figure and shows how it comes about: `€43.90: €34.90 for the book and €9.00 for delivery.`

The figure is one claim, its working another. What is worked out of every figure of the working needs no source beside theirs.

>>> cut("€43.90: €34.90 for the book and €9.00 for delivery.")
('€43.90', '€34.90 for the book and €9.00 for delivery.')
>>> step("€43.90", "€34.90 for the book and €9.00 for delivery.", "What does the book cost with delivery?")
WorkedStep(how='34.9 + 9', asked=True)
>>> step("€25.90", "€34.90 for the book and €9.00 for delivery.", "What does the book cost with delivery in all?")
WorkedStep(how='34.9 − 9', asked=False)
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, takewhile

from witnessmark.checks.grounding.reading.markup import cleaned
from witnessmark.checks.grounding.relations import clock_times
from witnessmark.checks.grounding.statement import Statement
from witnessmark.checks.grounding.steps.question_steps import MINUS, QuestionSteps
from witnessmark.text import lang, words
from witnessmark.text.language import detect_short
from witnessmark.text.numbers import Number, figures
from witnessmark.text.sentences import Span, sentences

MOST_IN_HEAD = 8
"""Words up to which what stands before the mark is a figure with what it is of."""
MOST_IN_WORKING = 8
"""Figures of a working from which on it is a list, and what follows of all of them is no one step."""
LONGEST_WORKING = 300
"""Characters behind an answer among which its working stands."""
ASKS = ("?", "？")
TIMES = ("", "time")
"""What a figure may be of that says how many of another there are: 2 adults, 12 months."""


@dataclass(frozen=True, slots=True)
class WorkedStep:
    """The step that leads from all figures of a working to its head, and whether it is the kind of step that the question asks for."""

    how: str
    asked: bool


@lang.derived
def _mark() -> re.Pattern[str]:
    """What stands between a figure and its working: a colon, a dash, `since`, a bracket that ends the sentence."""
    since = lang.either(lang.listed("numbers", "worked_out_since") | set(lang.phrases("numbers", "worked_out_by")))
    return re.compile(rf":\s+|\s[–—-]{{1,2}}\s|—|,?\s+(?:{since})\s+|,?\s+\((?=[^()]+\)[.!]?$)")


def cut(sentence: str) -> tuple[str, str] | None:
    """The figure that a sentence opens with and the working behind it, as they are written; None where it does not read so."""
    found = _mark().search(sentence, 0, 80)
    if found is None or sentence.rstrip().endswith(ASKS):
        return None
    head, working = sentence[: found.start()], sentence[found.end() :]
    if found[0].endswith("("):
        working = working.rstrip(".!").removesuffix(")")
    return (head, working) if _is_head(head) and sum(char.isdigit() for char in working) > 1 else None


def parts(text: str, sentence: Span, question: str) -> tuple[Span, Span] | None:
    """The places of a figure and of its working in a sentence of a text, where one step leads from all of that to it or it is stated there."""
    found = cut(text[slice(*sentence)])
    if found is None:
        return None
    head, working = found
    said, told, language = cleaned(head), cleaned(working), detect_short(question)
    if step(said, told, question, language) is None and not _is_in(said, told, language):
        return None
    start = text.index(working, sentence[0] + len(head))
    return (sentence[0], sentence[0] + len(head)), (start, start + len(working))


def with_rest(text: str, one: Statement) -> Statement:
    """A first statement that is hardly more than a figure, with what its paragraph goes on with as its working."""
    opens = one.kind == "short" and not one.working and _is_head(cleaned(text[slice(*one.span)]).rstrip("."))
    if not opens:
        return one
    start = one.span[1]
    end = start + len(text[start : start + LONGEST_WORKING].partition("\n\n")[0])
    told = (text[slice(*sentence)] for sentence in sentences(text, start, end))
    stated = takewhile(lambda sentence: not sentence.rstrip().endswith(ASKS), told)  # what is asked bears nothing out
    return replace(one, working=cleaned(" ".join(stated).lstrip(" .,;:")))


def _is_in(head: str, working: str, language: str) -> bool:
    """Whether a working states the figure that it leads to."""
    wanted = _one_figure(figures(head, language))
    told = [] if wanted is None else [one for one in figures(working, language) if one.dimension == wanted.dimension]
    return wanted is not None and any(_is(wanted, one.low) for one in told)


def _is_head(head: str) -> bool:
    """Whether words are one figure with what it is of, in digits, or a sentence that ends with it: `€43.90`, `By 25 %`, `The total is €304`."""
    row = head.split()
    told = [n for n, word in enumerate(row) if any(char.isdigit() for char in word)]
    verbs = (lang.words("inverted") | lang.words("verbs")) - lang.words("articles")
    opens = bool(told) and told[0] <= 2 and verbs.isdisjoint(word.lower() for word in row)
    return len(row) <= MOST_IN_HEAD and (opens or told[-2:] == [len(row) - 1])


def step(head: str, working: str, question: str, language: str = "en") -> WorkedStep | None:
    """How the figure of a head comes of all figures of its working; None where no one step leads there."""
    wanted = _one_figure(figures(head, language))
    if wanted is None:
        return None
    apart = clock_times.between(working, (), wanted) if wanted.dimension == "time" else None
    if apart is not None:
        return WorkedStep(apart, asked=True)
    stated = [one for one in figures(working, language) if not one.is_range]
    if not 2 <= len(stated) <= MOST_IN_WORKING:
        return None
    asks = QuestionSteps.of(question, f"{head} {working}")
    ways = (
        *((how, value, _is_open(how, asks)) for how, value in _added(wanted, stated, working)),
        *((how, value, asks.difference) for how, value in _taken_away(wanted, stated)),
        *((how, value, True) for how, value in _shared(wanted, stated)),
        *((how, value, asks.more) for how, value in _with_share(wanted, stated, 1)),
        *((how, value, True) for how, value in _with_share(wanted, stated, -1)),
    )
    found = [WorkedStep(how, asked) for how, value, asked in ways if _is(wanted, value)]
    return next((one for one in found if one.asked), next(iter(found), None))


def _is_open(how: str, asks: QuestionSteps) -> bool:
    """Whether a question leaves a sum open: with something taken away always, with a share on top where no discount is asked for."""
    return "−" in how or (asks.more if "%" in how else asks.sum)


def _is(wanted: Number, value: float) -> bool:
    rounded = wanted.dimension == "percent" or wanted.bound == "about"
    return math.isclose(value, wanted.low, rel_tol=1e-9, abs_tol=wanted.half if rounded else 0.0)


def _one_figure(found: Sequence[Number]) -> Number | None:
    """The only figure of a head; hours and the minutes behind them are one."""
    if len(found) == 1 and not found[0].is_range:
        return found[0]
    spans = len(found) == 2 and all(one.dimension == "time" for one in found) and found[0].scale > found[1].scale
    if not spans:
        return None
    low = found[0].low + found[1].low
    return Number(low, low, found[1].half, "time", (found[0].span[0], found[1].span[1]), low, scale=1.0)


def _added(wanted: Number, stated: Sequence[Number], working: str) -> Iterator[tuple[str, float]]:
    """Sums of prices, each as often as the count before it says, and products of a price with the counts behind it."""
    terms = _terms(wanted, stated, working)
    if len(terms) > 1 or any("×" in how for how, _ in terms):
        yield " + ".join(how for how, _ in terms).replace("+ −", "− "), _sum(terms)
    first, *rest = stated
    if first.dimension == wanted.dimension and all(other.dimension in TIMES for other in rest):
        yield " × ".join(f"{one.face:g}" for one in stated), first.low * math.prod(other.face for other in rest)


def _terms(wanted: Number, stated: Sequence[Number], working: str) -> list[tuple[str, float]]:
    """What is added up or taken away: each figure of the kind that is wanted, times the count right before it, and per cents of all before.

    What the terms come to in between is none.
    """
    terms: list[tuple[str, float]] = []
    count: Number | None = None
    end = 0
    for one in stated:
        sign, mark = (-1, "−") if _takes_away(working[end : one.span[0]]) else (1, "")
        end = one.span[1]
        if one.dimension == "percent" != wanted.dimension and terms:
            terms.append((f"{mark}{one.face:g} %", sign * _sum(terms) * one.low / 100))
        elif one.dimension != wanted.dimension or (not wanted.dimension and one.worded):
            count = one if one.dimension in TIMES else count
            continue
        elif count is not None or not _is_subtotal(one, terms):
            times = "" if count is None else f"{count.face:g} × "
            terms.append((f"{mark}{times}{one.face:g}", sign * one.low * (1.0 if count is None else count.face)))
        count = None
    return terms


def _sum(terms: Sequence[tuple[str, float]]) -> float:
    return math.fsum(value for _, value in terms)


def _takes_away(between: str) -> bool:
    """Whether the words before a figure take it away from what stands before."""
    minus = any(sign.strip() in between.split() for sign in MINUS)
    return minus or not lang.listed("numbers", "taken_away").isdisjoint(words.words(between))


def _is_subtotal(one: Number, terms: Sequence[tuple[str, float]]) -> bool:
    """Whether a figure is what the last product, or all terms before it, come to."""
    products = [abs(value) for how, value in terms[-1:] if "×" in how or "%" in how]
    sums = [_sum(terms)] if len(terms) > 1 else []
    return any(math.isclose(one.low, value, rel_tol=1e-9) for value in (*products, *sums))


def _taken_away(wanted: Number, stated: Sequence[Number]) -> Iterator[tuple[str, float]]:
    """What is left of the first figure without the others, and how far two lie apart."""
    if all(one.dimension == wanted.dimension for one in stated):
        first, *rest = (one.low for one in stated)
        how = " − ".join(f"{one.face:g}" for one in stated)
        yield how, first - math.fsum(rest)
        if len(rest) == 1:
            yield how, rest[0] - first


def _shared(wanted: Number, stated: Sequence[Number]) -> Iterator[tuple[str, float]]:
    """What share one of two figures is of the other, and so many per cent of a figure."""
    for a, b in permutations(stated) if len(stated) == 2 else ():
        if wanted.dimension == "percent" and a.dimension == b.dimension and b.low:
            yield f"{a.face:g} of {b.face:g}", 100 * a.low / b.low
        if a.dimension == "percent" and b.dimension == wanted.dimension:
            yield f"{a.face:g} % of {b.face:g}", a.low * b.low / 100


def _with_share(wanted: Number, stated: Sequence[Number], sign: int) -> Iterator[tuple[str, float]]:
    """A figure with so many per cent on top (1) or off (-1)."""
    for share, whole in permutations(stated) if len(stated) == 2 else ():
        if share.dimension == "percent" and whole.dimension == wanted.dimension:
            how = f"{whole.face:g} {'+' if sign > 0 else '−'} {share.face:g} %"
            yield how, whole.low * (1 + sign * share.low / 100)


__all__ = ["WorkedStep", "cut", "parts", "step", "with_rest"]
