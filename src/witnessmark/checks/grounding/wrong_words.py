"""Which words of a claim are wrong, where they stand in the response, and what the source says in their place.

Reads what a rule found about a claim or, where no rule did, which words a model found wrong. Decides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from witnessmark.checks.grounding.agreement import comparable
from witnessmark.checks.grounding.evidence import Passage
from witnessmark.checks.grounding.finding import RULES, RuleFinding
from witnessmark.checks.grounding.statement import Statement
from witnessmark.core.verdict import SourceWords, WrongWords
from witnessmark.text import lang, words
from witnessmark.text.clock import times
from witnessmark.text.dates import dates
from witnessmark.text.numbers import figures
from witnessmark.text.sentences import Span

_DIGITS, _MARKS = re.compile(r"\S*\d\S*"), ".,;:!?()[]{}<>|\"'`“”‘’«»*"
LONGEST_SENTENCE = 300
"""Characters of a source's sentence that stand beside wrong words where no single word of the source is the right one."""
WORD_FOR_WORD = ("figure", "date", "name", "quote", "address", "phone")
"""Rules that look for a part as it is written: where it is missing, no source has it."""
SHARED = 2
"""Words of a claim that a sentence must have to be shown beside it, or half of them."""


def wrong_words(
    one: Statement, point: RuleFinding | None, model: Span | None = None, nearest: Passage | None = None
) -> tuple[WrongWords, ...]:
    """The words a rule settled a claim by, or else those that a model found wrong; none where they cannot be found in the claim.

    Beside them stand the source's: those that a rule found in their place, or else the `nearest` sentence where it is about the same.
    """
    ruled = point is not None and point.finding in ("contradicted", "missing")
    place = _place(one.text, point.part) if point is not None and ruled else model
    if place is None:
        return ()
    start, end = _whole(one.text, place)
    start, end = (start, end) if ruled else _without_ends(one.text, (start, end))
    exact = len(one.text) == one.span[1] - one.span[0]
    span = (one.span[0] + start, one.span[0] + end) if exact else None
    said = one.text[start:end]
    closest = _closest(point, said) if point is not None and ruled else None
    absent = point is not None and point.finding == "missing" and point.rule in WORD_FOR_WORD
    return (WrongWords(text=said, span=span, closest=closest or _sentence(one.text, nearest), absent=absent),)


def _whole(text: str, part: Span) -> Span:
    """A part of a text widened to the tokens that it cuts: a word, what is written with digits, a date, a time of day."""
    for start, end in _tokens(text):
        if start < part[1] and part[0] < end:
            part = (min(start, part[0]), max(end, part[1]))
    return part


def _tokens(text: str) -> Iterator[Span]:
    yield from (word.span() for word in words.WORD.finditer(text))
    for run in _DIGITS.finditer(text):
        bare = run[0].strip(_MARKS)
        start = run.start() + run[0].index(bare)
        yield start, start + len(bare)
    yield from (date.span for date in dates(text) if date.day or date.month is None)
    yield from (time.span for time in times(text) if time.sure)


def _without_ends(text: str, part: Span) -> Span:
    """A part of a text without the small words at its ends, as `of` in `of 25`; as it is where it has no others, or denies."""
    row = [word for word in words.WORD.finditer(text) if part[0] <= word.start() and word.end() <= part[1]]
    small = words.stop_words() - lang.words("negations")
    told = [word for word in row if word.group().lower() not in small]
    if not told or told == row:
        return part
    start = part[0] if told[0] is row[0] else told[0].start()
    return start, part[1] if told[-1] is row[-1] else told[-1].end()


def _place(text: str, part: str) -> Span | None:
    """Where a part stands in a text: as it is written, in whole words, or by its stem, since some rules compare stems."""
    found = [word for word in words.WORD.finditer(text) if words.stem(word.group().lower()) == part]
    at = text.find(part)
    if part and at >= 0 and not (found and part.isalpha()):
        return at, at + len(part)
    return found[0].span() if found else None


def _sentence(claim: str, passage: Passage | None) -> SourceWords | None:
    """A passage that is about what a claim says, as far as its words show."""
    told = set(words.content(claim))
    if passage is None or len(told & passage.stems) < min(SHARED, (len(told) + 1) // 2) or not told & passage.stems:
        return None
    return SourceWords(id=passage.source, text=passage.text[:LONGEST_SENTENCE], span=passage.span)


def _closest(point: RuleFinding, wrong: str) -> SourceWords | None:
    passage, part = point.passage, RULES[point.rule].part
    if passage is None or (part == "denial" and not point.stated):
        return _sentence(passage.text, passage) if passage is not None else None
    if point.finding == "contradicted" and point.stated and part == "record":
        return SourceWords(id=passage.source, text=point.stated, span=point.place or passage.span)
    if point.finding == "contradicted" and point.stated:
        place = _place(passage.text, point.stated)
        if place is not None:
            return _in(passage, _whole(passage.text, place))
    near = _near_figure(passage, wrong) if part == "figure" else None
    if part == "date":
        near = next((date.span for date in passage.dates), None)
    return _in(passage, _whole(passage.text, near)) if near is not None else None


def _near_figure(passage: Passage, wrong: str) -> Span | None:
    """The figure of the same kind in the passage that was looked at, nearest in value."""
    time = next((time for time in times(wrong) if time.sure), None)
    if time is not None:
        stated = [other for other in times(passage.text) if other.sure]
        return min(stated, key=lambda other: abs(min(other.readings) - min(time.readings))).span if stated else None
    mine = next(iter(figures(wrong)), None)
    if mine is None or dates(wrong):
        return None
    rivals = [f for f in passage.figures if comparable(mine, f) or (not mine.dimension and not f.dimension)]
    return min(rivals, key=lambda f: abs(f.low - mine.low)).span if rivals else None


def _in(passage: Passage, part: Span) -> SourceWords:
    return SourceWords(id=passage.source, text=passage.text[slice(*part)], span=passage.place(part))
