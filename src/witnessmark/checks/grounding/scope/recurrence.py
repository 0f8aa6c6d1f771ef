"""How often: `twice a week` where a source says twice a month, `every Sunday` where it is the first Sunday of each month.

>>> [(one.times, one.part) for one in rhythms("Take it twice a day, at most 3 times per week.", "en")]
[(2, 'twice a day'), (3, '3 times per week')]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from witnessmark.checks.grounding.evidence import SAYS_ELSE, ClaimInEvidence, Passage
from witnessmark.checks.grounding.finding import RuleFinding
from witnessmark.text import lang, words
from witnessmark.text.clock import day_names
from witnessmark.text.numerals import one_word
from witnessmark.text.sentences import Span
from witnessmark.text.units import units

SAME = 0.02
"""By how much, as a share, two rhythms may differ and be one: twelve times a year is once a month."""
MOST_WORDS = 2
"""Words that say `per`, or `every`."""


@dataclass(frozen=True, slots=True)
class Rhythm:
    """So many times in a period of so many seconds, and how a text says it."""

    times: int
    period: float
    span: Span
    part: str

    def is_as(self, other: Rhythm) -> bool:
        """Whether another one comes as often."""
        mine, theirs = self.times / self.period, other.times / other.period
        return abs(mine - theirs) <= SAME * max(mine, theirs)


def rhythms(text: str, language: str) -> Iterator[Rhythm]:
    """The rhythms that a text says by a number and a period, in order."""
    found = list(words.WORD.finditer(text.lower()))
    row = [one.group() for one in found]
    for at in range(len(row)):
        times, after = _times(row, at, language)
        end = after + _length_of("per", row, after) if times else 0
        unit = units().get(row[end]) if after < end < len(row) else None
        if unit is not None and unit.dimension == "time":
            span = (found[at].start(), found[end].end())
            yield Rhythm(times, unit.factor, span, text[slice(*span)])


def _times(row: Sequence[str], at: int, language: str) -> tuple[int, int]:
    """How many times a word, or two, says, and where the next one stands; 0 where it says no number of times."""
    once = lang.merged("recurrence", "once").get(row[at])
    if once is not None:
        return int(once), at + 1
    counted = at + 1 < len(row) and row[at + 1] in lang.listed("recurrence", "times")
    return (one_word(row[at], language) or 0, at + 2) if counted else (0, at)


def _length_of(name: str, row: Sequence[str], at: int) -> int:
    """How many words at a place say `per`, or `every`; 0 where none does."""
    known = lang.phrases("recurrence", name)
    return next((size for size in range(MOST_WORDS, 0, -1) if " ".join(row[at : at + size]) in known), 0)


def other_rhythm(this: ClaimInEvidence) -> RuleFinding | None:
    """The rhythm of a claim that no source has, where the passage about it has another one with the same number or the same period."""
    told = [one for passage in this.index.passages for one in rhythms(passage.text, this.index.language)]
    for mine in rhythms(this.claim, this.language) if told else ():
        if not any(mine.is_as(one) for one in told):
            rest = f"{this.claim[: mine.span[0]]} {this.claim[mine.span[1] :]}"
            for passage in this.near:
                others = list(rhythms(passage.text, this.index.language))
                if len(others) == 1 and this.like(passage, rest) >= SAYS_ELSE and _is_slip(mine, others[0], passage):
                    place = passage.place(others[0].span)
                    return RuleFinding("rhythm", "contradicted", mine.part, passage, place, others[0].part)
    return None


def _is_slip(mine: Rhythm, stated: Rhythm, passage: Passage) -> bool:
    """Whether only the period is another one, or only the number of times, which no word bounds."""
    bounds = lang.phrases("numbers", "over") | lang.phrases("numbers", "under")
    bounded = any(phrase in passage.text.lower() for phrase in bounds)
    return mine.times == stated.times or (mine.period == stated.period and not bounded)


def every_one_of_some(this: ClaimInEvidence) -> RuleFinding | None:
    """A day that a claim says of every week and the passages about it only of one in a month: `every Sunday` for the first Sunday."""
    row = words.words(this.claim)
    for at in range(len(row) - 1):
        size = _length_of("every", row, at)
        day = day_names().get(row[at + size]) if 0 < size < len(row) - at else None
        if day is None:
            continue
        stated = [(passage, which) for passage in this.near for which in _which(day, passage.text)]
        if stated and all(which for _, which in stated) and this.like(stated[0][0]) >= SAYS_ELSE:
            passage, which = stated[0]
            return RuleFinding(
                "rhythm", "contradicted", " ".join(row[at : at + size + 1]), passage, passage.span, which
            )
    return None


def _which(day: int, text: str) -> Iterator[str]:
    """Each mention of a day in a text: which of its kind it is, with the day; empty where the text does not say."""
    row = words.words(text)
    for before, word in pairwise(("", *row)):
        if day_names().get(word) == day:
            yield f"{before} {word}" if before in lang.listed("recurrence", "which") else ""
