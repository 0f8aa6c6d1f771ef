"""A figure that is the part in words which a source tells of another: 30 of `a third of the 90 seats`, and what is left of them.

>>> [round(value, 2) for value in fractions("Two thirds are sold, a quarter is reserved, half of them are new.")]
[0.67, 0.25, 0.5]
"""

from __future__ import annotations

import math
import re

from witnessmark.checks.grounding.agreement import comparable
from witnessmark.checks.grounding.evidence import Passage
from witnessmark.checks.grounding.finding import RuleFinding, looked
from witnessmark.checks.grounding.relations.clauses import clauses
from witnessmark.checks.grounding.relations.figure_in_claim import FigureInClaim
from witnessmark.text import lang, numerals, words
from witnessmark.text.numbers import Number


@lang.derived
def _fraction() -> re.Pattern[str]:
    parts = lang.merged("numbers", "shares")
    several = lang.either(numerals.number_words("en").small)
    half = lang.either(word for word, share in parts.items() if round(1 / float(share)) == 2)
    return re.compile(
        rf"\b(?:(?P<many>{several}|an?)[\s-]+(?P<part>{lang.either(parts)})|(?P<half>{half}))\b", re.IGNORECASE
    )


def fractions(text: str) -> list[float]:
    """The parts of one in a text, in words."""
    return [value for value, _ in _placed(text)]


def _placed(text: str) -> list[tuple[float, int]]:
    """The parts of one, each with where it stands."""
    parts = lang.merged("numbers", "shares")
    found = []
    for match in _fraction().finditer(text):
        whole = round(1 / float(parts[(match["part"] or match["half"]).lower()]))
        many = numerals.number_words("en").small.get((match["many"] or "").lower(), 1)
        found.append((many / whole, match.start()))
    return [(value, start) for value, start in found if 0 < value < 1]


def of_fraction(this: FigureInClaim) -> RuleFinding | None:
    """That a figure is the one part in words that a passage about the claim tells of a figure of its own, or what is left of that.

    Which of the two is told by the words that only the clause of the part has, or only one about the rest; it is no finding where neither is.
    """
    if this.one.is_range or any(this.same_in(passage) is not None for passage in this.near):
        return None
    for passage in this.near:
        told = _placed(passage.text)
        for stated in passage.figures if len(told) == 1 else ():
            alike = comparable(this.one, stated) or stated.noun == this.one.noun or not this.one.dimension
            if not alike or stated.worded or stated.is_range:
                continue
            value, start = told[0]
            part, rest = (_is(this.one, share * stated.low) for share in (value, 1 - value))
            if part or rest:
                side = _side(this, passage, start)
                if part != rest and part == (side < 0):
                    return looked(this.rule, this.part, this.near)  # the part, of what gets the rest
                rule, finding = ("derived", "same") if side else (this.rule, "elsewhere")
                how = f"{value:.3g} × {passage.text[slice(*stated.span)]}"
                return RuleFinding(rule, finding, this.part, passage, passage.place(stated.span), how)  # type: ignore[arg-type] # one of the two
    return None


def _is(one: Number, value: float) -> bool:
    return math.isclose(value, one.low, rel_tol=1e-6)


def _side(this: FigureInClaim, passage: Passage, start: int) -> int:
    """Above 0 where a claim is about the clause with the part, below where it is about the rest: its words count double, since the verb is often the same."""
    mine = next(
        (passage.text[slice(*span)] for span in clauses(passage.text) if span[0] <= start < span[1]), passage.text
    )
    left = lang.words("remaining")
    rests = [
        p.text[slice(*span)]
        for p in this.near
        for span in clauses(p.text)
        if left & {*words.words(p.text[slice(*span)])}
    ]
    part, rest = frozenset(words.content(mine)), frozenset(words.content(" ".join(rests)))
    said = frozenset(stem for stem in words.content(this.claim) if not stem[0].isdigit())
    asked = bool(left & {*words.words(f"{this.claim} {this.goal}")})
    return -1 if asked else len(said & part - rest) - 2 * len(said & rest - part)
