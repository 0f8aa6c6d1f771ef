"""A total that adds up only some of what one sentence lists: `65 trees in total` beside 40 oaks, 25 birches and 15 maples.

>>> from witnessmark.checks.grounding.evidence import ClaimInEvidence, EvidenceSource, Index
>>> index = Index([EvidenceSource("d", "They planted 40 oaks, 25 birches and 15 maples.")])
>>> said = (f"{many} trees were planted in total." for many in (65, 80))
>>> [bool(total_of_some(ClaimInEvidence(claim, index, index.passages))) for claim in said]
[True, False]
"""

from __future__ import annotations

from itertools import combinations

from witnessmark.checks.grounding.evidence import ClaimInEvidence, Passage
from witnessmark.checks.grounding.finding import RuleFinding
from witnessmark.checks.grounding.relations.clauses import clauses
from witnessmark.checks.grounding.steps import arithmetic
from witnessmark.checks.grounding.wording import denies
from witnessmark.text import lang, words
from witnessmark.text.dates import dates, without_dates
from witnessmark.text.numbers import Number, figures

FEWEST, MOST = 3, 8
"""How many things a sentence lists of which some may be left out of a total."""


def total_of_some(this: ClaimInEvidence) -> RuleFinding | None:
    """That the one figure of a claim, said to be a total, is the sum of some of the things that a sentence lists; None where it names any of them."""
    told = (
        without_dates(figures(this.claim), dates(this.claim))
        if arithmetic.says_so(this.claim) and not denies(this.claim)
        else ()
    )
    if len(told) != 1 or told[0].is_range or told[0].bound or not told[0].noun:
        return None
    one, said = told[0], frozenset(stem for stem in words.content(this.claim) if not stem[0].isdigit())
    said -= {words.stem(one.noun.lower()), *map(words.stem, lang.listed("numbers", "worked_out"))}
    if any(other.low == one.low for passage in this.near for other in passage.figures):
        return None
    for passage in this.near:
        row = _listed(passage) if said and said <= passage.stems else []
        things = {words.stem(other.noun.lower()) for other in row}
        values = [other.low for other in row]
        some = (sum(part) for size in range(2, len(row)) for part in combinations(values, size))
        if row and things.isdisjoint(words.content(this.claim)) and one.low != sum(values) and one.low in some:
            shown = " + ".join(f"{value:g}" for value in values)
            return RuleFinding("figure", "contradicted", this.claim[slice(*one.span)], passage, passage.span, shown)
    return None


def _listed(passage: Passage) -> list[Number]:
    """The counts that a sentence lists, one in each of some clauses that follow each other and each of another thing; nothing where it has other figures."""
    found = [f for f in passage.figures if not f.dimension and f.noun and not f.is_range and not f.bound]
    parts = [sum(a <= f.span[0] < b for f in found) for a, b in clauses(passage.text)]
    row = [count for count in parts if count]
    together = "".join(str(count) for count in parts).strip("0")
    alone = len(found) == len(passage.figures) and len({words.stem(f.noun.lower()) for f in found}) == len(found)
    return found if FEWEST <= len(found) <= MOST and alone and set(row) == {1} and "0" not in together else []
