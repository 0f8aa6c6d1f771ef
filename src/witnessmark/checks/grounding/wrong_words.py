"""Which words of a claim are wrong, where they stand in the response, and what the source says in their place.

Reads what a rule found about a claim. Decides nothing.
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


def wrong_words(one: Statement, point: RuleFinding | None, language: str = "en") -> tuple[WrongWords, ...]:
    """The words a rule settled a claim by; none where no rule did, or where the words cannot be found in the claim."""
    if point is None or point.finding not in ("contradicted", "missing"):
        return ()
    place = _place(one.text, point.part)
    if place is None:
        return ()
    start, end = place
    exact = len(one.text) == one.span[1] - one.span[0]
    span = (one.span[0] + start, one.span[0] + end) if exact else None
    return (WrongWords(text=one.text[start:end], span=span, closest=_closest(point, one.text[start:end], language)),)


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
