"""Two values exchanged in a sentence that is otherwise the source's: `On Monday 34 came and on Tuesday 23`, where it is the other way round.

Sure, since each half of the claim is what a clause of the source says as soon as the two are put back. Figures and names only: of
other words, two that share a clause prove nothing. Silent over denials, and wherever most words differ.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product

from witnessmark.checks.grounding.evidence import ClaimInEvidence, Passage
from witnessmark.checks.grounding.finding import RuleFinding
from witnessmark.checks.grounding.relations.clauses import clauses
from witnessmark.text import lang, words
from witnessmark.text.dates import dates
from witnessmark.text.patterns import compiled

_TOKEN = compiled(r"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['’-][^\W_]+)*")
_LED = compiled(r"[A-ZÀ-ÖØ-Þ][\w'’-]*(?: [A-ZÀ-ÖØ-Þ\d][\w'’-]*){0,2}(?=: )")
MOST_CLAUSES = 8
MOST_WORDS = 60
MOST_UNKNOWN = 1
"""Words of a clause that no passage has; none where names are exchanged."""


@dataclass(frozen=True, slots=True)
class ClauseWords:
    """The values and words of one clause, each as it is compared and as it is written."""

    words: dict[str, str]
    passage: Passage | None = None
    is_led: bool = False
    """Whether it says it of the thing that its sentence opens with: `Halle: 5.10 euros, 4 km to the motorway`."""

    @property
    def bag(self) -> frozenset[str]:
        """What it says, in no order."""
        return frozenset(self.words)

    def says(self, half: frozenset[str], whole: frozenset[str], taken: str, put: str) -> bool:
        """Whether it has half of a claim with one value put for another; of the thing that it is led by, all of that clause of the claim."""
        wanted = (whole if self.is_led else half) - {taken} | {put}
        return wanted <= self.bag and taken not in self.bag


def exchanged_values(this: ClaimInEvidence) -> RuleFinding | None:
    """What a claim has exchanged between two clauses, or between two places of one; None where nothing is."""
    if not this.near or not (lang.words("negations") | lang.words("denying")).isdisjoint(words.words(this.claim)):
        return None
    return _within(this) or _between(this)


def _between(this: ClaimInEvidence) -> RuleFinding | None:
    mine = [clause for clause in map(ClauseWords, _clause_tokens(this.claim)) if _values(clause, clause.bag)]
    if len(mine) < 2:
        return None
    theirs = [clause for p in this.near if not p.is_flattened for clause in _told(p)]
    known = frozenset(token for clause in theirs for token in clause.bag)
    mine = [clause for clause in mine if len(clause.bag - known) <= MOST_UNKNOWN < len(clause.bag & known)]
    for one, two in combinations(mine, 2) if 2 <= len(mine) <= MOST_CLAUSES else ():
        first, second = (one.bag - two.bag) & known, (two.bag - one.bag) & known
        if any(half <= clause.bag for half in (first, second) for clause in theirs):
            continue
        for x, y in product(sorted(_values(one, first)), sorted(_values(two, second))):
            here = [clause for clause in theirs if clause.says(first, one.bag & known, x, y)]
            there = [clause for clause in theirs if clause.says(second, two.bag & known, y, x)]
            figures = x[0].isdigit() + y[0].isdigit()
            alike = figures == 2 or (not figures and one.bag | two.bag <= known)
            if (
                alike
                and here
                and there
                and {y} <= _values(here[0], here[0].bag)
                and {x} <= _values(there[0], there[0].bag)
            ):
                return _found(one.words[x], here[0], y)
    return None


def _told(passage: Passage) -> list[ClauseWords]:
    """The clauses of a passage, each with the one name that it opens with and says them all of."""
    led = _LED.match(passage.text)
    lead = _tokens(led[0]) if led else {}
    return [ClauseWords(lead | row, passage, is_led=bool(lead)) for row in _clause_tokens(passage.text)]


def _values(clause: ClauseWords, half: frozenset[str]) -> set[str]:
    """What of a clause may have been exchanged: figures and names, where something else is left."""
    return {token for token in half if len(half) > 1 and (token[0].isdigit() or clause.words[token][0].isupper())}


def _found(part: str, clause: ClauseWords, other: str) -> RuleFinding:
    stated, passage = clause.words[other], clause.passage
    assert passage is not None
    at = passage.text.find(stated)
    rule = "figure" if other[0].isdigit() else "name"
    return RuleFinding(rule, "contradicted", part, passage, passage.place((at, at + len(stated))), stated)


@lang.kept(4096)
def _clause_tokens(text: str) -> tuple[dict[str, str], ...]:
    """What each clause of a text says; a passage is read once for all claims about it."""
    return tuple(_tokens(text[a:b]) for a, b in clauses(text))


def _tokens(text: str) -> dict[str, str]:
    """The words that carry meaning and the figures of a text; capitalised words in a row are one, and so is `plant B`."""
    found: list[tuple[str, str]] = []
    end, capital = -1, False
    for match in _TOKEN.finditer(text):
        word = match.group()
        beside = bool(found) and text[end : match.start()] == " "
        letter = len(word) == 1 and word.isupper()
        if beside and word[0].isupper() and (capital or letter):
            key, before = found.pop()
            found.append((f"{key} {word.lower()}", f"{before} {word}"))
        elif word.lower() in words.stop_words():
            continue
        else:
            found.append((words.stem(word.lower()), word))
        end, capital = match.end(), word[0].isupper() and not letter
    return dict(found)


def _within(this: ClaimInEvidence) -> RuleFinding | None:
    """Two figures of a sentence exchanged, with every other word the same: `Derby beat Leeds 1-3` for 3-1."""
    mine = words.words(this.claim)
    if not 4 <= len(mine) <= MOST_WORDS or sum(word[0].isdigit() for word in mine) < 2 or dates(this.claim):
        return None
    for passage in this.near:
        theirs = words.words(passage.text)
        for start in range(len(theirs) - len(mine) + 1):
            other = theirs[start : start + len(mine)]
            unlike = [n for n, (a, b) in enumerate(zip(mine, other, strict=True)) if a != b]
            if len(unlike) != 2 or not all(mine[n][0].isdigit() for n in unlike):
                continue
            i, j = unlike
            if (mine[i], mine[j]) == (other[j], other[i]) and not _symmetric(this.claim, mine, i, j):
                place = re.search(rf"(?<!\w){re.escape(other[i])}(?!\w)", passage.text)
                assert place is not None
                return RuleFinding("figure", "contradicted", mine[i], passage, passage.place(place.span()), other[i])
    return None


def _symmetric(claim: str, row: Sequence[str], i: int, j: int) -> bool:
    """Whether two figures stand beside each other in a way in which their order says nothing: `5 and 7`, `4 x 6`."""
    between = lang.listed("numbers", "symmetric")
    beside = row[i + 1 : j]
    sign = re.search(rf"{re.escape(row[i])}\s*[+×*x/,]\s*{re.escape(row[j])}", claim) is not None
    return sign or (len(beside) == 1 and beside[0] in between)
