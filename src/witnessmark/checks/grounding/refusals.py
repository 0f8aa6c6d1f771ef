"""A refusal is a claim about the sources: that none of them answers. It is right where that is so.

Without a judge this goes by words alone: how much of the question the nearest passage speaks about, and whether it has the
kind of thing that was asked for. That is weak evidence, and it is weighed as such.
"""

from __future__ import annotations

from dataclasses import replace

from witnessmark.checks.grounding.decision import ClaimDecision
from witnessmark.checks.grounding.evidence import Index
from witnessmark.checks.grounding.statement import Statement
from witnessmark.core.verdict import ClaimStatus
from witnessmark.text import asked, lang, words
from witnessmark.text.names import names
from witnessmark.text.numbers import figures

MOST_MORE = 4
"""Words that carry meaning which a refusal may have beside those of the question: the province that is named instead."""


def read(one: Statement, goal: str) -> Statement:
    """The statement as a claim: a refusal, or a plain claim where it says more than that nothing is said."""
    known = {*words.content(goal), *(words.stem(word) for word in lang.words("refusing"))}
    more = [stem for stem in words.content(one.text) if stem not in known]
    told = {stem for name in names(goal) for stem in name.stems} | known
    named = any(not set(name.stems) <= told for name in names(one.text)[1:])
    says_more = len(more) > MOST_MORE or named or any(str(f.face) not in goal for f in figures(one.text))
    return replace(one, why_not="", kind="text" if says_more else "refusal")


def decide(goal: str, index: Index) -> ClaimDecision:
    """Whether the sources leave the question open, by how much of it the nearest passage speaks about."""
    near = index.best(asked.subject(goal), 1)
    if not near:
        return ClaimDecision("supported", 1.0, "overlap", None, ())
    share, passage = near[0]
    wanted = asked.kind(goal)
    if wanted is not None and not asked.has(wanted, passage.text):
        share /= 2
    status: ClaimStatus = "supported" if share < 0.5 else "unsupported"
    return ClaimDecision(status, round(1 - share, 6), "overlap", None, ((passage.source, passage.span),))
