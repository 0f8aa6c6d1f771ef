"""What a passage that says nearly the same says the other way round: a denial, an opposite, what something has or lacks, a superlative of the claim's own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from witnessmark.checks.grounding import wording
from witnessmark.checks.grounding.evidence import ClaimInEvidence, Passage
from witnessmark.checks.grounding.finding import Finding, RuleFinding
from witnessmark.checks.grounding.reading.compound import states
from witnessmark.checks.grounding.relations.clauses import clauses
from witnessmark.text import lang, words
from witnessmark.text.numbers import figures
from witnessmark.text.patterns import compiled
from witnessmark.text.records import no_words, yes_words

NEARLY_THE_SAME = 0.75
"""The share of a claim's words a passage must have to contradict it by one negation, opposite or name."""
_SETS = compiled(r"\w\s*[:=]\s*\W?\w+\W*$")
_ASKS = compiled(r"[?？][\s*_\"'”»)]*$")
LEAST_TURNED, LEAST_ENDED, LEAST_DEFINITE = 4, 3, 2
"""Words that carry meaning of a clause that denies what another one says in the same words; of one that says it is so no longer; and
where the other one is a whole sentence that opens with an article: `The foundations are finished.`"""
MOST_TURNED = 2
"""Words that a claim may have in the place of their opposites."""


def contrary_findings(this: ClaimInEvidence) -> Iterator[RuleFinding]:
    """Negation and opposites against the one passage that says nearly the same."""
    if not this.near:
        return
    claim, index, passage = this.claim, this.index, this.near[0]
    if _ASKS.search(passage.text) is not None:
        return  # a question among others says nothing: `Can I freeze it?`
    if {*words.words(passage.text)[-1:]} & (no_words() | yes_words()) and _SETS.search(passage.text) is not None:
        return  # a record says it by its value, which the rules on records read
    mine = words.content(claim)
    alike = this.like(passage)
    all_but = not lang.words("excepting").isdisjoint(words.words(passage.text))  # open daily except Monday
    ours, theirs = wording.negated(claim), wording.negated(passage.text)
    for one, other in wording.opposites(words.stems(claim), frozenset(words.stems(passage.text))):
        if (one in ours) != (other in theirs):
            continue  # what is forbidden is not allowed
        clear = alike >= NEARLY_THE_SAME - 0.1 and len(mine) >= 4 and not wording.loose(one) and not all_but
        finding: Finding = "contradicted" if clear else "missing"
        yield RuleFinding("opposite", finding, one, passage, passage.span, other)
    yield from _turned(claim, this.near)
    yield from _had_or_lacked(claim, passage, index.language)
    implied = any(map(wording.denies_otherwise, (claim, passage.text)))
    one_sided = wording.denies(claim) != wording.denies(passage.text)
    bounds = [{one.bound for one in found} for found in (figures(claim, index.language), passage.figures)]
    bounded = bounds[0] != bounds[1]  # not more than 300 is no denial of at most 300
    if (
        one_sided
        and wording.meaningful_words(claim) == wording.meaningful_words(passage.text)
        and not implied
        and not bounded
    ):
        yield RuleFinding("denial", "contradicted", min(ours | theirs, default=""), passage, passage.span)
    else:
        yield from _denied_beside(claim, this.near)
    denied = (ours - theirs) & passage.stems | (theirs - ours) & set(mine)
    enough = bool(denied) and alike >= NEARLY_THE_SAME - 0.15 and len(mine) >= 3
    if enough and bool(ours) != bool(theirs) and not implied:
        finding = "contradicted" if alike >= NEARLY_THE_SAME and one_sided else "missing"
        yield RuleFinding("negation", finding, min(denied), passage, passage.span)
    for extra in sorted(wording.superlatives(claim) - wording.superlatives(passage.text)):
        if words.stem(extra) not in passage.stems and extra not in index.text:
            yield RuleFinding("superlative", "missing", extra, passage, passage.span)


def _denied_beside(claim: str, near: Sequence[Passage]) -> Iterator[RuleFinding]:
    """A clause of a claim that has the words of a statement of a source and denies it, or the other way round, whatever stands beside it."""
    mine = _stated_clauses(claim)
    for passage in near if len(mine) > 1 or _ended().search(claim) else ():
        for said, told in ((a, b) for a in mine for b in _stated_clauses(passage.text)):
            definite = told == passage.text and told.split()[0].lower() in lang.words("articles")
            least = LEAST_DEFINITE if definite else LEAST_TURNED
            if _turns(said, told, least) and not any(_repeats(said, other.text) for other in near):
                yield RuleFinding("denial", "contradicted", said, passage, passage.span)
                return


def _stated_clauses(text: str) -> list[str]:
    """The clauses of a text that say something by themselves: none of a sentence that makes a condition."""
    if lang.speech("condition").search(text):
        return []
    parts = [text[start:end] for start, end in clauses(text)]
    parts = [text, *parts] if len(parts) > 1 else parts
    return [part for part in parts if part.split()[0].lower() not in lang.words("opens_a_clause")]


def _turns(said: str, told: str, least: int) -> bool:
    """Whether two statements have the same words, `no longer` aside, and one denies them; what was may have ended."""
    ended = _ended().search(said) is not None
    whole = (ended or states(said)) and states(told)
    said = _ended().sub("", said)
    same = wording.meaningful_words(said) == wording.meaningful_words(told)
    otherwise = any(map(wording.denies_otherwise, (said, told)))
    turned = bool(ended or wording.negated(said)) != bool(wording.negated(told))  # not more than 300 is no denial
    enough = same and turned and len(wording.meaningful_words(said)) >= (min(least, LEAST_ENDED) if ended else least)
    was = ended and not lang.listed("missions", "earlier").isdisjoint(words.words(told))
    return enough and whole and not was and not otherwise


@lang.derived
def _ended() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{lang.alternatives('scope', 'ended')})\b", re.IGNORECASE)


def _repeats(said: str, text: str) -> bool:
    """Whether a text has a clause of the same words that denies what the other one denies."""
    mine = wording.meaningful_words(said), _denies(said)
    return any((wording.meaningful_words(part), _denies(part)) == mine for part in (text, *_stated_clauses(text)))


def _denies(text: str) -> bool:
    return wording.denies(text) or _ended().search(text) is not None


def _had_or_lacked(claim: str, passage: Passage, language: str) -> Iterator[RuleFinding]:
    """What a claim says that something has and a passage that it lacks, or the other way round, where the rest is the same."""
    had, lacked = wording.had_and_lacked(claim, language)
    theirs, lacking = wording.had_and_lacked(passage.text, language)
    turned = (had & lacking) - theirs - lacked | (lacked & theirs) - had - lacking
    small = words.stemmed(lang.words("having", language) | lang.words("lacking", language))
    if (
        turned
        and wording.meaningful_words(claim) - small <= wording.meaningful_words(passage.text)
        and not wording.hedged(passage.text)
    ):
        yield RuleFinding("denial", "contradicted", min(turned), passage, passage.span)


def _turned(claim: str, near: Sequence[Passage]) -> Iterator[RuleFinding]:
    """One word turned into its opposite in a passage that has all others: `used items` where it says `unused items`, `better sleep` for `worse sleep`."""
    claim, passage = wording.joined(claim), near[0]
    theirs = wording.joined(passage.text)
    told, there = frozenset(words.content(claim)), frozenset(words.content(theirs))
    few = 0 < len(told - there) <= MOST_TURNED
    turned = dict((*wording.swapped_opposites(claim, theirs), *wording.prefixed(claim, theirs))) if few else {}
    turned = {
        one: other
        for one, other in turned.items()
        if (one in wording.negated(claim)) == (other in wording.negated(theirs))
    }  # not affected is unaffected
    denied = [wording.denies_otherwise(text) for text in (claim, theirs)]
    cancels = wording.denies(claim) and not wording.denies(theirs)  # none is allowed where they are banned
    if turned and told - there <= turned.keys() and denied[0] == denied[1] and not cancels:
        if not any(told.issubset(words.content(wording.joined(other.text))) for other in near):
            one = min(turned)
            yield RuleFinding("denial", "contradicted", one, passage, passage.span, turned[one])
