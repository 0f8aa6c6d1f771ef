"""Which words of a claim are wrong, where they stand in the response, and what the source says in their place.

Reads what a rule found about a claim or, where no rule did, which words a model found wrong. Decides nothing.
"""

from __future__ import annotations

from witnessmark.checks.grounding.agreement import comparable
from witnessmark.checks.grounding.evidence import Passage
from witnessmark.checks.grounding.finding import RuleFinding
from witnessmark.checks.grounding.statement import Statement
from witnessmark.core.verdict import SourceWords, WrongWords
from witnessmark.text import words
from witnessmark.text.dates import dates
from witnessmark.text.numbers import figures
from witnessmark.text.sentences import Span

LONGEST_SENTENCE = 300
"""Characters of a source's sentence that stand beside a denial: there, no single word of the source is the right one."""


def wrong_words(
    one: Statement, point: RuleFinding | None, model: Span | None = None, language: str = "en"
) -> tuple[WrongWords, ...]:
    """The words a rule settled a claim by, or else those that a model found wrong; none where they cannot be found in the claim."""
    ruled = point is not None and point.finding in ("contradicted", "missing")
    place = _place(one.text, point.part) if point is not None and ruled else model
    if place is None:
        return ()
    start, end = place
    exact = len(one.text) == one.span[1] - one.span[0]
    span = (one.span[0] + start, one.span[0] + end) if exact else None
    said = one.text[start:end]
    closest = _closest(point, said, language) if point is not None and ruled else None
    return (WrongWords(text=said, span=span, closest=closest),)


def _place(text: str, part: str) -> Span | None:
    """Where a part stands in a text: as it is written, or by its stem, since some rules compare stems."""
    at = text.find(part)
    if part and at >= 0:
        return at, at + len(part)
    for found in words.WORD.finditer(text):
        if words.stem(found.group().lower()) == part:
            return found.span()
    return None


def _closest(point: RuleFinding, wrong: str, language: str) -> SourceWords | None:
    passage = point.passage
    if passage is None:
        return None
    if point.rule in ("negation", "denial"):
        return SourceWords(id=passage.source, text=passage.text[:LONGEST_SENTENCE], span=passage.span)
    if point.finding == "contradicted" and point.stated:
        place = _place(passage.text, point.stated)
        if place is not None:
            return _in(passage, place)
    near = _near_figure(passage, wrong, language) if point.rule in ("figure", "count") else None
    if point.rule == "date":
        near = next((date.span for date in passage.dates), None)
    return _in(passage, near) if near is not None else None


def _near_figure(passage: Passage, wrong: str, language: str) -> Span | None:
    """The figure of the same kind in the passage that was looked at, nearest in value."""
    mine = next(iter(figures(wrong, language)), None)
    if mine is None or dates(wrong):
        return None
    rivals = [f for f in passage.figures if comparable(mine, f) or (not mine.dimension and not f.dimension)]
    return min(rivals, key=lambda f: abs(f.low - mine.low)).span if rivals else None


def _in(passage: Passage, part: Span) -> SourceWords:
    return SourceWords(id=passage.source, text=passage.text[slice(*part)], span=passage.place(part))
