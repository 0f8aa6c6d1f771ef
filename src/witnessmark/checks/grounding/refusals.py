"""A refusal is a claim about the sources: that none of them answers. It is right where that is so.

Without a judge it holds where no source speaks about the question at all. Where one does, words cannot tell whether it answers:
then the refusal stays open, and lowers coverage.
"""

from __future__ import annotations

from dataclasses import replace

from witnessmark.checks.grounding.decision import ClaimDecision
from witnessmark.checks.grounding.evidence import Index
from witnessmark.checks.grounding.statement import Statement
from witnessmark.text import asked, lang, words
from witnessmark.text.names import names
from witnessmark.text.numbers import figures

MOST_MORE = 4
"""Words that carry meaning which a refusal may have beside those of the question: the province that is named instead."""
FOREIGN = 0.2
"""The share of a question's words up to which the nearest passage is about something else."""
LONGEST = 400
"""Characters of a sentence that may say so; a longer one says more, and costs the square of its length."""
SILENT = 0.95
"""How probable it is that the sources leave open what they have no word of: they may still have another word for it."""
OPEN = "only a judge can tell whether a source answers the question"


def read(one: Statement, goal: str) -> Statement:
    """The statement as a claim: a refusal, or a plain claim where it says more than that nothing is said."""
    known = {*words.content(goal), *(words.stem(word) for word in lang.words("refusing"))}
    more = [stem for stem in words.content(one.text) if stem not in known]
    told = {stem for name in names(goal) for stem in name.stems} | known
    named = any(not set(name.stems) <= told for name in names(one.text)[1:])
    says_more = len(more) > MOST_MORE or named or any(str(f.face) not in goal for f in figures(one.text))
    return replace(one, why_not="", kind="text" if says_more else "refusal")


def decide(goal: str, index: Index) -> ClaimDecision | None:
    """That the sources leave the question open, where hardly a word of it stands in any of them; None where a reader must tell."""
    near = index.best(asked.subject(goal), 1)
    share = near[0][0] if near else 0.0
    if share > FOREIGN:
        return None
    return ClaimDecision("supported", round(1 - share, 6), "overlap", None, ())


def unmentioned(statement: Statement, index: Index) -> ClaimDecision | None:
    """That a source leaves something unsaid (`the page says nothing about parking`), where no word of it stands in any.

    None otherwise, and where only a part of the sources was read.
    """
    found = lang.speech("unmentioned").search(statement.text) if len(statement.text) <= LONGEST else None
    topic = words.content(found["topic"]) if found else ()
    if not 0 < len(topic) <= MOST_MORE or index.read < 1 or any(index.has(stem) for stem in topic):
        return None
    return ClaimDecision("supported", SILENT, "overlap", None, ())
