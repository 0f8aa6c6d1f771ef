"""A count of another thing than the source has it of: `600 eggs`, where the farm has 600 hens and collects 420 eggs.

>>> from witnessmark.checks.grounding.evidence import ClaimInEvidence, EvidenceSource, Index
>>> index = Index([EvidenceSource("d", "The farm collects 420 eggs a day. It keeps 600 hens.")])
>>> said = (f"It is {count} eggs." for count in ("600", "420"))
>>> [bool(other_count(ClaimInEvidence(claim, index, index.passages))) for claim in said]
[True, False]
"""

from __future__ import annotations

from witnessmark.checks.grounding.agreement import agrees, counts_things
from witnessmark.checks.grounding.evidence import ClaimInEvidence, Passage
from witnessmark.checks.grounding.finding import RuleFinding
from witnessmark.checks.grounding.steps import arithmetic
from witnessmark.checks.grounding.wording import denies
from witnessmark.text import words
from witnessmark.text.numbers import Number

BEHIND = 3
"""Words behind a figure among which what it counts stands: `600 brown eggs`."""


def other_count(this: ClaimInEvidence) -> RuleFinding | None:
    """That the sources have a count of a claim of other things only, and one other count of its thing."""
    if arithmetic.compares(this.claim) or denies(this.claim):
        return None
    said = frozenset(words.content(f"{this.claim} {this.goal}"))
    for one in (one for one in this.figures if counts_things(one) and not one.is_range and not one.worded):
        thing = words.stem(one.noun)
        told = [(passage, figure) for passage in this.index.passages for figure in passage.figures]
        same = [_counted(passage, figure) for passage, figure in told if agrees(one, figure)]
        own = [(passage, figure) for passage, figure in told if thing in _counted(passage, figure)]
        if same and not any(not row or said & row for row in same) and len({figure.low for _, figure in own}) == 1:
            (passage, figure), *_ = own
            part, stated = this.claim[slice(*one.span)], passage.text[slice(*figure.span)]
            return RuleFinding("figure", "contradicted", part, passage, passage.place(figure.span), stated)
    return None


def _counted(passage: Passage, one: Number) -> frozenset[str]:
    """What a figure of a passage may count: the words of meaning behind it; empty where it is of no thing that is named."""
    if not counts_things(one) or passage.is_flattened:
        return frozenset()
    return frozenset(words.content(" ".join(words.words(passage.text[one.span[1] :])[:BEHIND])))


__all__ = ["other_count"]
