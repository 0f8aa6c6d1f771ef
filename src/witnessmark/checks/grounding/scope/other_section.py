"""What only a section about another one of its kind says: of API v3 what stands under `Rate limits (API v2)`, of Saturday what runs `Monday to Friday`.

Two titles that differ in a few words name two of one kind. Where the question or the claim names one of them, what the sources say under the
other alone is not said of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

from witnessmark.checks.grounding.evidence import SAYS_ELSE, ClaimInEvidence, Index, Passage, once
from witnessmark.checks.grounding.finding import RuleFinding
from witnessmark.text import words
from witnessmark.text.markdown import headings
from witnessmark.text.patterns import compiled
from witnessmark.text.sentences import Span

MOST_TITLES = 40
"""Titles up to which each is held beside each other."""
MOST_APART = 4
"""Words in which the titles of two of a kind differ at most."""
LONGEST = 100
"""Characters of a first line that may be a title."""
LESS = 0.6
"""How much of what the other section has of a claim the rest of the evidence may have for the claim to rest on that section alone."""
_LABEL = compiled(r"^[ \t]*(?:[*_]{1,2}|#{1,6} )(?P<title>[^*_\n]{2,80}?)[:.]?[*_]{1,2}:?(?=\s)", re.MULTILINE)
"""What opens a paragraph in italics or bold: `*From frozen:*`."""
_TIME = compiled(r"(?<![\d:.])\d{1,2}:\d{2}(?![\d:])")
RUN = 4
"""Words in a row that are hardly the same by chance."""
LEAST = 2
"""Words that must stand in the other section alone."""
_TITLE = compiled(r"(?![|\[{<])(?!\w+:\s)[^\n]*[^\s.!?,;]\s*$")
"""A first line that may be a title: no row, no data, no `From: Ada` of a letter, no sentence."""
BY_FIRST_LINE, BY_BOLD, BY_LABEL = 0, 6, 7
"""How deep a title is that is a source's first line, one that is a line in bold, and one that opens a paragraph."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a source under its title."""

    source: str
    span: Span
    title: str
    level: int

    def has(self, passage: Passage) -> bool:
        """Whether a passage stands in it."""
        return passage.source == self.source and self.span[0] <= passage.span[0] < self.span[1]


@dataclass(frozen=True, slots=True)
class SectionPair:
    """Two sections about two of one kind, and the words by which their titles tell them apart."""

    one: Section
    other: Section
    of_one: frozenset[str]
    of_other: frozenset[str]


@once
def _pairs(index: Index) -> Sequence[SectionPair]:
    """Every two sections whose titles are alike but for a few words; each pair both ways round."""
    found = [section for source in index.sources for section in sections(source.id, source.text)]
    return [
        pair
        for one, other in permutations(found[:MOST_TITLES], 2)
        if one.level == other.level and (pair := _told_apart(one, other)) is not None
    ]


def sections(source: str, text: str) -> Iterator[Section]:
    r"""The parts of a source under its titles, each up to the next title that is not below it.

    >>> [one.title for one in sections("d", "# Fees\n\n*From frozen:* Thaw it.\n\n*From dried:* Stir it.")]
    ['Fees', 'From frozen', 'From dried']
    """
    first, _, rest = text.partition("\n")
    found = [(one.span[0], one.title, one.level) for one in headings(text)]
    again = [level for start, _, level in found if start and not found[0][0] and level <= found[0][2] < BY_BOLD]
    found += [(one.start(), one["title"], BY_LABEL) for one in _LABEL.finditer(text)]
    if rest.strip() and len(first) <= LONGEST and not again and _TITLE.match(first) is not None:
        found = [one for one in found if one[0] > 0] + [(0, first.strip("#*_ "), BY_FIRST_LINE)]
    rows = sorted({start: (start, title, level) for start, title, level in reversed(found)}.values())
    for at, (start, title, level) in enumerate(rows):
        end = next((after for after, _, other in rows[at + 1 :] if other <= level), len(text))
        yield Section(source, (start, end), title, level)


def _told_apart(one: Section, other: Section) -> SectionPair | None:
    """Two sections as a pair; None where their titles have nothing in common, or one has all that the other has."""
    mine, theirs = (_names(section.title) for section in (one, other))
    ours, others = mine - theirs, theirs - mine
    alike = bool(mine & theirs) or all(title.replace(".", "").isdigit() for title in (one.title, other.title))
    few = 0 < len(ours) <= MOST_APART and 0 < len(others) <= MOST_APART
    return SectionPair(one, other, ours - words.stop_words(), others - words.stop_words()) if alike and few else None


def _names(text: str) -> frozenset[str]:
    """The words of a text that may name one of several, `Saturdays` as `Saturday`."""
    return frozenset(words.stem(word.removesuffix("s")) for word in words.words(text))


def other_section(this: ClaimInEvidence) -> RuleFinding | None:
    """That a claim rests on a section about another one than the claim, or else the question, names; None where it does not."""
    if this.is_code or not this.near or not _pairs(this.index):
        return None
    said, asked = _names(this.claim), _names(this.goal)
    told = said | asked | _names(this.around)
    for pair in _pairs(this.index):
        if not pair.of_one or not pair.of_other or pair.of_other & told:  # both are spoken of
            continue
        if not pair.of_one <= said and not pair.of_one <= asked:
            continue
        found = _rested_on(this, pair)
        if found is not None:
            return RuleFinding("section", "missing", found[1], found[0], found[0].span, pair.other.title)
    return None


def _rested_on(this: ClaimInEvidence, pair: SectionPair) -> tuple[Passage, str] | None:
    """The passage of the other section that alone has what a claim says, and what that is; None where the rest of the evidence has it, too."""
    rest = _outside(this.index, pair.other)
    known = _names(this.goal) | rest.stems
    alone = [stem for stem in words.content(this.claim) if stem not in known]
    found = [*this.near, *(passage for _, passage in this.index.best(alone))]
    for passage in dict.fromkeys(found):
        if pair.other.has(passage) and not pair.of_one & _names(passage.text):  # else it speaks of both
            part = _time_of(this, passage, rest) or _run_of(this, passage, rest) or _most_of(this, passage, rest)
            if part:
                return passage, part
    return None


@dataclass(frozen=True, slots=True)
class RestOfEvidence:
    """What stands outside a section: words, words in a row and times of day."""

    stems: frozenset[str]
    runs: frozenset[tuple[str, ...]]
    times: frozenset[str]


@once
def _kept(_: Index) -> dict[Section, RestOfEvidence]:
    return {}


def _outside(index: Index, section: Section) -> RestOfEvidence:
    """The evidence without a section; made once for each."""
    kept = _kept(index)
    if section not in kept:
        rest = [passage for passage in index.passages if not section.has(passage)]
        kept[section] = RestOfEvidence(
            frozenset(stem for passage in rest for stem in passage.stems),
            frozenset(run for passage in rest for run in _runs(words.stems(passage.text))),
            frozenset(time for passage in rest for time in _TIME.findall(passage.text)),
        )
    return kept[section]


def _runs(row: Sequence[str]) -> list[tuple[str, ...]]:
    return [tuple(row[at : at + RUN]) for at in range(len(row) - RUN + 1)]


def _time_of(this: ClaimInEvidence, passage: Passage, rest: RestOfEvidence) -> str:
    """The first time of day of a claim that a passage has and nothing outside does; empty where there is none."""
    there = set(_TIME.findall(passage.text)) - rest.times - set(_TIME.findall(this.goal))
    return next((one for one in _TIME.findall(this.claim) if one in there), "")


def _run_of(this: ClaimInEvidence, passage: Passage, rest: RestOfEvidence) -> str:
    """Words in a row that a claim has in common with a passage and with nothing outside; empty where it has none."""
    theirs = set(_runs(words.stems(passage.text))) - rest.runs
    known = words.stop_words() | _names(this.goal)
    for at, run in enumerate(_runs(words.stems(this.claim))):
        if run in theirs and len({*run} - known) >= LEAST and not rest.stems.issuperset({*run} - known):
            return " ".join(words.words(this.claim)[at : at + RUN])
    return ""


def _most_of(this: ClaimInEvidence, passage: Passage, rest: RestOfEvidence) -> str:
    """A claim most of which the passage nearest to it has and nearly nothing outside does; empty where it is another one."""
    if passage is not this.near[0]:
        return ""
    known = _names(this.goal)
    wanted = {stem for stem in words.content(this.claim) if stem not in known}
    here = wanted & passage.stems
    alone = here - rest.stems
    sure = len(here) >= SAYS_ELSE * len(wanted) and len(alone) >= LEAST and len(here - alone) <= LESS * len(here)
    return this.claim if sure else ""
