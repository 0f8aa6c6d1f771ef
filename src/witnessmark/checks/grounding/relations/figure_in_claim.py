"""One figure of a claim with all that it is held against, as the rules on figures pass it on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from witnessmark.checks.grounding import arithmetic
from witnessmark.checks.grounding.evidence import Index, Passage, likeness
from witnessmark.checks.grounding.relations.other_forms import forms_of
from witnessmark.text import words
from witnessmark.text.numbers import Number

_SETTING = re.compile(r"[\w.\"'-]+\s*[=:]\s*[\w.\"'-]+,?")
"""A line that sets a value: it may be an example of one's own, so another value in the documentation is not against it."""
SMALL = 12
"""The largest number that counts things in words."""


@dataclass(frozen=True, slots=True)
class FigureInClaim:
    """One figure of a claim, and all that it is held against."""

    claim: str
    one: Number
    all_of_them: Sequence[Number]
    """The figures of the claim, this one among them."""
    index: Index
    near: Sequence[tuple[float, Passage]]
    """The passages that speak about the claim, best first."""
    goal: str = ""
    beside: Sequence[Number] = ()
    """Figures of other claims of the same text that the evidence bears out."""

    @property
    def part(self) -> str:
        """The figure as it is written."""
        return self.claim[slice(*self.one.span)]

    @property
    def rule(self) -> str:
        """`count` for a small number in words with nothing measured, `figure` for all others."""
        small = self.one.face <= SMALL if self.one.worded else self.part == "1"
        return "count" if small and not self.one.dimension else "figure"

    @property
    def sets_a_value(self) -> bool:
        """Whether the claim is a line that sets a value: it may be an example of one's own."""
        return _SETTING.fullmatch(self.claim.strip()) is not None

    def like(self, passage: Passage) -> float:
        """How much of the claim a passage says."""
        return likeness(self.claim, passage, self.index)

    @property
    def searched(self) -> Sequence[Passage]:
        """The passages whose figures something may be worked out from: all of a short text, of a longer one those about the claim."""
        if len(self.index.passages) <= arithmetic.MOST_PASSAGES:
            return self.index.passages
        return sorted({id(passage): passage for _, passage in self.near}.values(), key=lambda passage: passage.number)

    @property
    def spread(self) -> Sequence[Passage]:
        """Every passage where the evidence has few figures, as in a record; otherwise those that are searched."""
        few = len(forms_of(self.index).figures) <= arithmetic.MOST
        return self.index.passages if few else self.searched

    @property
    def close(self) -> list[Number]:
        """The figures of the passages about the claim that this one may be worked out from."""
        return [figure for _, passage in self.near for figure in usable(self.claim, passage)]


def usable(claim: str, passage: Passage) -> list[Number]:
    """The figures of a passage that one of the claim may be worked out from.

    No small bare number (`four ports`) of a sentence that has no word of the claim: of such, some always fit.
    """
    shared = passage.stems.intersection(words.content(claim))
    about = passage.is_flattened or any(not stem[0].isdigit() for stem in shared)
    return [f for f in passage.figures if about or f.dimension or f.face > SMALL]
