"""A value that one source bears out and another gives otherwise, in the same words: `The maximum load is 800 kg` beside `… is 630 kg`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from witnessmark.checks.grounding.agreement import agrees, comparable
from witnessmark.checks.grounding.evidence import Index, Passage
from witnessmark.checks.grounding.finding import RuleFinding
from witnessmark.text import words
from witnessmark.text.dates import dates, differs, follows, without_dates
from witnessmark.text.numbers import Number, figures
from witnessmark.text.sentences import Span

LEAST = 2
"""Words with a meaning that must be the same around two values."""


def otherwise(claim: str, index: Index) -> RuleFinding | None:
    """The first value that a source has between the same words, where only a further source has the claim's own."""
    if len(index.sources) < LEAST:
        return None
    for _, passage in index.best(words.content(claim)):
        for mine, theirs in _values(claim, passage, index):
            if _same_words(claim, mine, passage.text, theirs):
                said, other = claim[slice(*mine)], passage.text[slice(*theirs)]
                return RuleFinding("figure", "contradicted", said, passage, passage.place(theirs), other)
    return None


def _values(claim: str, passage: Passage, index: Index) -> Iterator[tuple[Span, Span]]:
    """The figures and dates of a claim that a further source has and this one has not, each with those of a passage that are of its kind."""
    days = dates(claim)
    for day in days:
        if _elsewhere({p.source for p in index.passages if any(follows(day, d) for d in p.dates)}, passage):
            yield from ((day.span, other.span) for other in passage.dates if differs(day, other))
    for one in without_dates(figures(claim, index.language), days):
        if _elsewhere({p.source for p in index.passages if any(agrees(one, f) for f in p.figures)}, passage):
            yield from ((one.span, other.span) for other in passage.figures if _of_one_kind(one, other))


def _elsewhere(sources: Set[str], passage: Passage) -> bool:
    return bool(sources) and passage.source not in sources


def _of_one_kind(one: Number, other: Number) -> bool:
    return comparable(one, other) or (not one.dimension and not other.dimension and one.noun == other.noun)


def _same_words(claim: str, mine: Span, text: str, theirs: Span) -> bool:
    """Whether all that a claim says before and after its value stands right before and after the other one."""
    before, after = words.content(claim[: mine[0]]), words.content(claim[mine[1] :])
    there, behind = words.content(text[: theirs[0]]), words.content(text[theirs[1] :])
    same = _ends(there, before) and behind[: len(after)] == after
    return same and len(before) + len(after) >= LEAST


def _ends(row: Sequence[str], wanted: Sequence[str]) -> bool:
    return not wanted or tuple(row[-len(wanted) :]) == tuple(wanted)
