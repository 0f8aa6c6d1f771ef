"""A figure with another measure than a source has it with: `25 metres deep`, where the pool is 25 metres long and 4.5 metres deep.

>>> from witnessmark.checks.grounding.evidence import ClaimInEvidence, EvidenceSource, Index
>>> index = Index([EvidenceSource("d", "The pool is 25 metres long and 4.5 metres deep.")])
>>> said = (f"The pool is {size} metres deep." for size in ("25", "4.5"))
>>> [bool(other_measure(ClaimInEvidence(claim, index, index.passages))) for claim in said]
[True, False]
"""

from __future__ import annotations

from witnessmark.checks.grounding.agreement import agrees
from witnessmark.checks.grounding.evidence import ClaimInEvidence
from witnessmark.checks.grounding.finding import RuleFinding
from witnessmark.checks.grounding.reading import questions
from witnessmark.checks.grounding.wording import denies
from witnessmark.text import lang, words
from witnessmark.text.numbers import Number, figures

BEFORE = 2
"""Words before a figure among which its measure stands: `a depth of 25 metres`."""


def other_measure(this: ClaimInEvidence) -> RuleFinding | None:
    """That a passage has a figure of a claim with another measure, and the measure of the claim with another figure; None where one has both together."""
    said = [
        (one, measure)
        for one in figures(this.claim)
        if (measure := _measure(this.claim, one) or _asked(this.claim, this.goal))
    ]
    if len(said) != 1 or denies(this.claim):
        return None
    ((mine, measure),) = said
    told = [(passage, [(one, _measure(passage.text, one)) for one in passage.figures]) for passage in this.near]
    if any(agrees(mine, one) and of in ("", measure) for _, pairs in told for one, of in pairs):
        return None
    for passage, pairs in told:
        own = [one for one, of in pairs if of == measure and one.dimension == mine.dimension]
        if len(own) == 1 and any(agrees(mine, one) for one, _ in pairs):
            place, stated = passage.place(own[0].span), passage.text[slice(*own[0].span)]
            return RuleFinding("figure", "contradicted", this.claim[slice(*mine.span)], passage, place, stated)
    return None


@lang.derived
def _measures() -> dict[str, str]:
    """The words of a measure, each with the first of its group."""
    groups = (line.split() for line in lang.rows("numbers", "measures"))
    return {word: group[0] for group in groups for word in group}


def _measure(text: str, one: Number) -> str:
    """The measure that a figure is said to be: by the word behind it, behind `in`, or right before it."""
    if not one.dimension:
        return ""
    after = words.words(text[one.span[1] :])[:2]
    before = words.words(text[: one.span[0]])[-BEFORE:]
    beside = after[1:] if after[:1] and after[0] in lang.words("prepositions") else after[:1]
    return next((_measures()[word] for word in (*beside, *before) if word in _measures()), "")


def _asked(claim: str, goal: str) -> str:
    """The one measure that a question asks for, where a claim is nothing but the answer."""
    asked = {_measures()[word] for word in words.words(questions.last_question(goal)) if word in _measures()}
    return asked.pop() if len(asked) == 1 and questions.phrase(goal, claim) else ""
