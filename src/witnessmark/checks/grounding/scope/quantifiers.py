"""Of how many a claim speaks: `Both vendors are certified` is wrong where one is not, `Neither is` where one is."""

from __future__ import annotations

from witnessmark.checks.grounding import wording
from witnessmark.checks.grounding.evidence import ClaimInEvidence
from witnessmark.checks.grounding.finding import RuleFinding
from witnessmark.text import lang, words

FIRST = 2
"""Among how many first words of a claim stands the one that says of how many it speaks."""


def quantifier_finding(this: ClaimInEvidence) -> RuleFinding | None:
    """A passage that says of one what a claim denies of all, or denies of one what it says of all; None where none does."""
    row = words.words(this.claim)[:FIRST]
    word = next((one for one in row if one in lang.listed("scope", "every_one", "no_one")), None)
    if word is None:
        return None
    none = word in lang.listed("scope", "no_one")
    denied = wording.denies(" ".join(other for other in words.words(this.claim) if other != word))
    said = [stem for stem in words.content(this.claim) if stem != words.stem(word)]
    plain = [passage for passage in this.near if not passage.is_flattened]
    if denied or len(said) < 2 or any(_counts(passage.text) for passage in plain):
        return None
    told = frozenset(said[1:])  # without what it is said of: vendors
    for passage in plain:
        against = wording.negated(passage.text)
        other = told <= passage.stems and not wording.denies(passage.text) if none else bool(told & against)
        if other and not (set(said) - told) & passage.stems:
            return RuleFinding("quantified", "contradicted", word, passage, passage.span)
    return None


def _counts(text: str) -> bool:
    """Whether a passage itself speaks of all or of none."""
    return not lang.listed("scope", "every_one", "no_one", "everything").isdisjoint(words.words(text))
