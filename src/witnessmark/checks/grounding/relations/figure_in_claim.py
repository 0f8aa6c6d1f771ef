"""One figure of a claim with all that it is held against, as the rules on figures pass it on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from witnessmark.checks.grounding.agreement import agrees
from witnessmark.checks.grounding.evidence import ClaimInEvidence, Passage
from witnessmark.checks.grounding.relations.clock_times import is_of_a_clock
from witnessmark.checks.grounding.relations.other_forms import (
    before_its_unit,
    forms_of,
    in_head_unit,
    times_over,
)
from witnessmark.checks.grounding.scope.year_parts import is_of_another_part
from witnessmark.checks.grounding.steps import arithmetic
from witnessmark.checks.grounding.two_things.owners import is_fit
from witnessmark.text import words
from witnessmark.text.numbers import Number
from witnessmark.text.units import magnitudes, units

_SETTING = re.compile(r"[\w.\"'-]+\s*[=:]\s*[\w.\"'-]+,?")
"""A line that sets a value: it may be an example of one's own, so another value in the documentation is not against it."""
SMALL = 12
"""The largest number that counts things in words."""
STRETCH = 40
"""Figures that are held against the evidence beside each other; a sentence with more than three times as many is read in stretches."""


@dataclass(frozen=True, eq=False, kw_only=True)
class FigureInClaim(ClaimInEvidence):
    """One figure of a claim, and all that it is held against."""

    one: Number
    all_of_them: Sequence[Number]
    """The figures of the claim, this one among them."""

    @property
    def part(self) -> str:
        """The figure as it is written."""
        return self.claim[slice(*self.one.span)]

    @property
    def readings(self) -> list[Number]:
        """The figure as it is written and, where another of the claim is in millions and this one is bare, in those: `$153 million (184 − 31)`."""
        bare = not self.one.dimension and self.one.scale == 1.0 and not self.one.noun and not self.one.is_range
        scales = {other.scale for other in self.all_of_them if other.scale in magnitudes().values()} if bare else ()
        return [self.one, *(times_over(self.one, scale) for scale in scales)]

    @property
    def rule(self) -> str:
        """`count` for a small number in words with nothing measured, `figure` for all others."""
        small = self.one.face <= SMALL if self.one.worded else self.part == "1"
        return "count" if small and not self.one.dimension else "figure"

    @property
    def sets_a_value(self) -> bool:
        """Whether the claim is a line that sets a value: it may be an example of one's own."""
        return _SETTING.fullmatch(self.claim.strip()) is not None

    def same_in(self, passage: Passage) -> Number | None:
        """The figure of a passage that bears this one out: as it is written, with a word before its unit, or in the unit of a head; no time of day."""
        told = ((one, f) for one in self.readings for f in passage.figures if agrees(one, f))
        same = next((f for one, f in told if self.may_mean(f, passage)), None)
        headed = in_head_unit(self.one, passage, self.index) if self.words_in(passage) else None
        return same or before_its_unit(self.one, passage) or headed

    def may_mean(self, stated: Number, passage: Passage) -> bool:
        """Whether a figure of a passage may be this one: no part of a time of day, and of no other thing than the one that is named."""
        return not is_of_a_clock(self.one, stated, passage) and (self.rule == "count" or is_fit(self, passage, stated))

    def adds_one_before(self, passage: Passage, stated: Number) -> bool:
        """Whether this is the figure in its place and another that both give: 60 for one car and 200 for two, where the second costs 140."""
        told = (f for f in self.all_of_them if f is not self.one and any(agrees(f, s) for s in passage.figures))
        return any(abs(f.low + stated.low - self.one.low) <= 1e-9 * abs(self.one.low) for f in told)

    def words_in(self, passage: Passage) -> int:
        """How many words of the claim a passage has that are no numbers and no units."""
        shared = passage.stems.intersection(words.content(self.claim))
        return sum(not stem[0].isdigit() and stem not in units() and f"{stem}s" not in units() for stem in shared)

    @property
    def searched(self) -> Sequence[Passage]:
        """The passages whose figures something may be worked out from: all of a short text, of a longer one those about the claim."""
        if len(self.index.passages) <= arithmetic.MOST_PASSAGES:
            return self.index.passages
        return sorted({id(passage): passage for passage in self.near}.values(), key=lambda passage: passage.number)

    @property
    def spread(self) -> Sequence[Passage]:
        """Every passage where the evidence has few figures, as in a record; otherwise those that are searched."""
        few = len(forms_of(self.index).figures) <= arithmetic.MOST
        return self.index.passages if few else self.searched

    @property
    def close(self) -> list[Number]:
        """The figures of the passages about the claim that this one may be worked out from."""
        return [figure for passage in self.near for figure in self.usable(passage)]

    def usable(self, passage: Passage) -> list[Number]:
        """The figures of a passage that this one may be worked out from: of things that are named, and no part of a time of day.

        No small bare number (`four ports`) of a sentence that has no word of the claim: of such, some always fit.
        """
        shared = passage.stems.intersection(words.content(self.claim))
        about = passage.is_flattened or any(not stem[0].isdigit() for stem in shared)
        clock = [time.span for time in passage.times if time.sure]
        return [
            f
            for f in passage.figures
            if (about or f.dimension or f.face > SMALL)
            and (f.dimension or not any(a <= f.span[0] < b for a, b in clock))
            and self.may_be_operand(f, passage)
        ]

    def may_be_operand(self, stated: Number, passage: Passage) -> bool:
        """Whether this one may be worked out from a figure of a passage: of a thing that is named, unless it is how much more or less than another."""
        if is_of_another_part(self, passage, stated):
            return False
        return arithmetic.tells_difference(self.claim, self.one) or is_fit(self, passage, stated, stated=False)


def figures_in_claim(this: ClaimInEvidence, numbers: Sequence[Number]) -> Iterator[FigureInClaim]:
    """Each figure of a claim in what stands around it: the whole claim, or of a row without end the stretch that it stands in and those beside that.

    What is asked about one figure reads all the others and every word: for thousands in one sentence that would grow with their square.
    """
    if len(numbers) <= 3 * STRETCH:
        yield from (_in_claim(this, one, numbers) for one in numbers)
        return
    for start in range(0, len(numbers), STRETCH):
        first, last = max(0, start - STRETCH), start + 2 * STRETCH
        begin = numbers[first].span[0] if first else 0
        end = numbers[last].span[0] if last < len(numbers) else len(this.claim)
        part = this.claim[begin:end]
        around = replace(this, claim=part, code=(part,) if this.is_code else this.code)
        moved = [replace(one, span=(one.span[0] - begin, one.span[1] - begin)) for one in numbers[first:last]]
        yield from (_in_claim(around, one, moved) for one in moved[start - first : start - first + STRETCH])


def _in_claim(this: ClaimInEvidence, one: Number, numbers: Sequence[Number]) -> FigureInClaim:
    about = (this.claim, this.index, this.near, this.language, this.goal, this.code, this.beside, this.around)
    return FigureInClaim(*about, one=one, all_of_them=numbers)
