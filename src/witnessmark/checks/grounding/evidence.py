"""The evidence as an index of sentences: which of them speak about a claim, by idf overlap.

Spans are code points of the source's text (of its canonical JSON where the source is data). A long context is read by a
cheap selection first, and `read` says what share of it that was. Knows nothing about what is claimed or decided.
"""

from __future__ import annotations

import bisect
import functools
import heapq
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass, replace
from itertools import groupby, islice, pairwise, takewhile
from typing import Any, TypeVar, cast

from witnessmark.core.case import Evidence
from witnessmark.core.verdict import EvidenceRef
from witnessmark.text import words
from witnessmark.text.clock import ClockTime, times
from witnessmark.text.dates import Date, dates, without_dates
from witnessmark.text.numbers import Number, figures
from witnessmark.text.records import Field, fields, table_head
from witnessmark.text.sentences import Span
from witnessmark.text.tables import flattened

MAX_READ = 400_000
"""Characters of evidence that are indexed; more than that is selected down to it first."""
CHUNK = 4_000
LONGEST_WORD = 60
ABOUT_THE_SAME = 0.5
"""The share of a claim's words (by weight, figures left out) a passage must have to be able to contradict its figures."""
RECORD_SHARE = 0.3
"""Values to a sentence from which evidence counts as a record; long texts inside a record are many sentences."""


@dataclass(frozen=True, slots=True)
class EvidenceSource:
    """One text that claims may rest on."""

    id: str
    text: str
    origin: str = ""


def sources_of(evidence: Iterable[Evidence]) -> list[EvidenceSource]:
    """The texts of the evidence that has any."""
    given = (EvidenceSource(one.id, one.as_text(), one.origin or "") for one in evidence)
    return [source for source in given if source.text.strip()]


@dataclass(eq=False)
class Passage:
    """One sentence of a source, with what the rules look at worked out when they first ask."""

    source: str
    span: Span
    text: str
    number: int
    stems: frozenset[str]
    language: str

    @functools.cached_property
    def figures(self) -> list[Number]:
        """The figures that are no part of a date."""
        return without_dates(figures(self.text, self.language), self.dates)

    @functools.cached_property
    def dates(self) -> list[Date]:
        """The dates."""
        return dates(self.text)

    @functools.cached_property
    def times(self) -> Sequence[ClockTime]:
        """The times of day, sure ones or not."""
        return times(self.text)

    def place(self, part: Span) -> Span:
        """Where a part of this passage is in the source; the whole passage where it was flattened."""
        return self.span if self.is_flattened else (self.span[0] + part[0], self.span[0] + part[1])

    @property
    def is_flattened(self) -> bool:
        """Whether it is a row or a value of a record, put as `name: value`, rather than a stretch of the source as it is."""
        return len(self.text) != self.span[1] - self.span[0]


class _ResultCache:
    """What keeps the results of the functions that are asked about it."""

    @functools.cached_property
    def made(self) -> dict[object, Any]:
        """What each function made of it."""
        return {}

    def __getstate__(self) -> dict[str, Any]:
        """What another process gets of it: there the functions make theirs again, since they are kept by themselves and not by name."""
        return {name: value for name, value in self.__dict__.items() if name != "made"}


K = TypeVar("K", bound=_ResultCache)
T = TypeVar("T")


def once(make: Callable[[K], T]) -> Callable[[K], T]:
    """A function of an index, or of a claim, that is worked out once for each of them."""

    @functools.wraps(make)
    def kept(one: K) -> T:
        if make not in one.made:
            one.made[make] = make(one)
        return cast("T", one.made[make])

    return kept


class Index(_ResultCache):
    """All sentences of the evidence by the words in them. Made once a case, asked once a claim."""

    def __init__(self, sources: Sequence[EvidenceSource], about: str = "", language: str = "en") -> None:
        self.sources, self.language = tuple(sources), language
        self._parts: dict[frozenset[str], Index] = {}
        self.read, self._pieces = _selected(sources, about)
        self.passages: list[Passage] = []
        self._postings: dict[str, list[int]] = defaultdict(list)
        for source, offset, text in self._pieces:
            for one in flattened(text):
                span = (one.span[0] + offset, one.span[1] + offset)
                self._add(source.id, span, one.text, language)
        count = len(self.passages)
        self.idf = {stem: math.log(1 + count / len(places)) for stem, places in self._postings.items()}
        self.unseen = math.log(1 + max(count, 1))

    def _add(self, source: str, span: Span, text: str, language: str) -> None:
        number = len(self.passages)
        found = frozenset(words.content(text))
        for stem in found:
            self._postings[stem].append(number)
        self.passages.append(Passage(source, span, text, number, found, language))

    @functools.cached_property
    def fields(self) -> list[tuple[str, Field]]:
        """The values of the records in what was read, each with the id of its source."""
        found: list[tuple[str, Field]] = []
        for source, offset, text in self._pieces:
            rows = found[-1][1].row if found and offset else 0  # those of the pieces before
            for one in fields(text):
                span = (one.span[0] + offset, one.span[1] + offset)
                moved = replace(one, span=span, row=one.row + rows) if offset else one
                found.append((source.id, moved))
        return found

    def only(self, ids: Iterable[str]) -> Index:
        """The same evidence, some of its sources alone; made once for each choice."""
        wanted = frozenset(ids)
        if wanted not in self._parts:
            self._parts[wanted] = Index([source for source in self.sources if source.id in wanted], "", self.language)
        return self._parts[wanted]

    def cited(self, marks: Iterable[str]) -> list[str | None]:
        """The ids of the sources that marks name, by id or by number; None for one that is not there."""
        numbered = {str(number): source.id for number, source in enumerate(self.sources, 1)}
        ids = {source.id for source in self.sources}
        return [mark if mark in ids else numbered.get(mark) for mark in marks]

    @functools.cached_property
    def is_record(self) -> bool:
        """Whether the evidence is mainly values under keys rather than prose."""
        return bool(self.fields) and len(self.fields) >= RECORD_SHARE * len(self.passages)

    def passage_at(self, source: str, span: Span) -> Passage | None:
        """The passage of a source at a place: one that begins there or reaches into it; a text in quotation marks begins behind them."""
        end = max(span[1], span[0] + 1)
        here = (
            p
            for p in self.passages
            if p.source == source and p.span[0] < end and span[0] < max(p.span[1], p.span[0] + 1)
        )
        return next(here, None)

    def weight(self, stem: str) -> float:
        """How much a word tells: the rarer in the evidence, the more; one that is not there tells most."""
        return self.idf.get(stem, self.unseen)

    def has(self, stem: str) -> bool:
        """Whether a word stands anywhere in the evidence."""
        return stem in self._postings

    def nearly_has(self, stem: str) -> bool:
        """Whether a word with the same first letters stands there: Spain for Spanish, America for Americans."""
        return len(stem) >= 5 and stem[:4] in self._beginnings

    def has_form(self, stem: str) -> bool:
        """Whether a word stands there that may be another form of this one, or a part of it: Hund for Hunden and Hundemarken."""
        shorter = (stem[:size] for size in range(4, len(stem)))
        at = bisect.bisect_left(self._ordered, stem)
        longer = takewhile(lambda other: other.startswith(stem), islice(self._ordered, at, None))
        return any(part in self._postings for part in shorter) or (
            len(stem) >= 4 and any(len(other) <= len(stem) + 4 for other in longer)
        )

    def mentions(self, stem: str) -> bool:
        """Whether a word stands there in any form; what is longer than a word stands nowhere."""
        return len(stem) <= LONGEST_WORD and (self.has(stem) or self.nearly_has(stem) or self.has_form(stem))

    @functools.cached_property
    def _ordered(self) -> list[str]:
        return sorted(self._postings)

    @functools.cached_property
    def _beginnings(self) -> frozenset[str]:
        return frozenset(stem[:4] for stem in self._postings if len(stem) >= 4)

    def best(self, stems: Iterable[str], count: int = 4) -> list[tuple[float, Passage]]:
        """The passages that cover most of these words, best first, chosen so that each adds what the others lack."""
        wanted = dict.fromkeys(stems)
        total = sum([self.idf.get(stem, self.unseen) for stem in wanted])
        if not total:
            return []
        scores: dict[int, float] = {}
        so_far = scores.get
        for stem in wanted:
            weight = self.idf.get(stem, 0.0)
            for number in self._postings.get(stem, ()):
                scores[number] = so_far(number, 0.0) + weight
        return self._greedy(wanted, scores, total, count)

    def _greedy(
        self, wanted: dict[str, None], scores: dict[int, float], total: float, count: int
    ) -> list[tuple[float, Passage]]:
        # Only those at the cut and above it are ranked: most of a long context shares a word or two with any claim.
        cut = min(heapq.nlargest(3 * count, scores.values()), default=0.0)
        top_ones = [(-score, n) for n, score in scores.items() if score >= cut]
        ranked = [n for _, n in sorted(top_ones)[: 3 * count]]
        chosen: list[tuple[float, Passage]] = []
        idf = self.idf
        shared = {n: [stem for stem in wanted if stem in self.passages[n].stems] for n in ranked}
        left = set(wanted)
        while ranked and len(chosen) < count:
            gain = {n: sum([idf[s] for s in shared[n] if s in left]) + 0.3 * scores[n] for n in ranked}
            top = max(ranked, key=lambda n: (gain[n], -n))
            chosen.append((scores[top] / total, self.passages[top]))
            left -= self.passages[top].stems
            ranked.remove(top)
        return sorted(chosen, key=lambda pair: (-pair[0], pair[1].number))

    @functools.cached_property
    def size(self) -> int:
        """How many words were read."""
        return sum(len(passage.text.split()) for passage in self.passages)

    @functools.cached_property
    def lines(self) -> str:
        """Everything that was read, a passage a line and an empty line between two sources."""
        by_source = groupby(self.passages, key=lambda passage: passage.source)
        return "\n\n".join("\n".join(passage.text for passage in source) for _, source in by_source)

    @functools.cached_property
    def text(self) -> str:
        """Everything that was read, letter by letter comparable."""
        return words.normal(" ".join(passage.text for passage in self.passages))

    @functools.cached_property
    def runs(self) -> Set[tuple[str, ...]]:
        """Every pair and triple of neighbouring words in the evidence."""
        found: set[tuple[str, ...]] = set()
        for passage in self.passages:
            row = words.stems(passage.text)
            found.update(pairwise(row))
            found.update(zip(row, row[1:], row[2:], strict=False))
        return found


def _selected(sources: Sequence[EvidenceSource], about: str) -> tuple[float, list[tuple[EvidenceSource, int, str]]]:
    """All sources where they fit; otherwise the chunks that share most words with the response, in their order."""
    size = sum(len(source.text) for source in sources)
    if size <= MAX_READ:
        return 1.0, [(source, 0, source.text) for source in sources]
    wanted = set(words.content(about))
    chunks = [piece for source in sources for piece in _chunks(source)]
    ranked = sorted(range(len(chunks)), key=lambda n: (-len(wanted.intersection(words.content(chunks[n][2]))), n))
    kept: list[int] = []
    read = 0
    for n in ranked:
        if read + len(chunks[n][2]) > MAX_READ:
            break
        kept.append(n)
        read += len(chunks[n][2])
    return read / size, [chunks[n] for n in sorted(kept)]


def _chunks(source: EvidenceSource) -> Iterable[tuple[EvidenceSource, int, str]]:
    """A source in pieces that end at a line or a space; each of a table has its head before it, since no row says what its values are."""
    start, text = 0, source.text
    head = table_head(text[:CHUNK])
    while start < len(text):
        end = min(start + CHUNK, len(text))
        if end < len(text):
            cut = max(text.rfind("\n", start, end), text.rfind(". ", start, end)) + 1
            end = cut if cut > start + CHUNK // 2 else end
        lead = head if start else ""
        yield source, start - len(lead), lead + text[start:end]
        start = end


SAYS_IT, SAYS_ELSE = 0.75, 0.5
"""The share of a claim's words from which a passage says the same, and below which another one speaks of something else."""


@dataclass(frozen=True, eq=False)
class ClaimInEvidence(_ResultCache):
    """A claim with all that the rules hold it against."""

    claim: str
    index: Index
    near: Sequence[Passage] = ()
    """The passages that speak about it, best first."""
    language: str = "en"
    goal: str = ""
    code: Sequence[str] = ()
    """What stands in it as code."""
    beside: Sequence[Number] = ()
    """Figures of other claims of the same text that the evidence bears out."""
    around: str = ""
    """The other claims of the same text, in words."""

    @property
    def is_code(self) -> bool:
        """Whether all of it is a line of code."""
        return tuple(self.code) == (self.claim,)

    def saying(self, claim: str) -> ClaimInEvidence:
        """The same with another wording of the claim."""
        return self if claim == self.claim else replace(self, claim=claim)

    @functools.cached_property
    def dates(self) -> list[Date]:
        """The dates of the claim."""
        return dates(self.claim)

    @functools.cached_property
    def figures(self) -> list[Number]:
        """The figures of the claim that are no part of a date."""
        return without_dates(figures(self.claim, self.language), self.dates)

    def like(self, passage: Passage, said: str = "") -> float:
        """The share of the claim's words, by weight and without its figures, that a passage has; of `said` where only that counts."""
        weight = self.index.weight
        wanted = [stem for stem in dict.fromkeys(words.content(said or self.claim)) if not stem[0].isdigit()]
        total = sum(map(weight, wanted))
        return sum(weight(stem) for stem in wanted if stem in passage.stems) / total if total else 0.0

    def of_another(self, passage: Passage) -> Passage | None:
        """The passage that says the same as the claim, where a value of it stands in one that speaks of something else."""
        best = self.near[0]
        if passage is best or self.like(passage) >= SAYS_ELSE:
            return None
        return best if self.like(best) >= SAYS_IT else None

    def in_place(self, mine: Span, passage: Passage, theirs: Span) -> bool:
        """Whether two values follow the same two words: `kept for 6 years` and `are kept for 8 years`."""
        ours, other = words.stems(self.claim[: mine[0]])[-2:], words.stems(passage.text[: theirs[0]])[-2:]
        return len(ours) == 2 and ours == other


def nearest(text: str, sources: Sequence[Evidence]) -> list[tuple[float, EvidenceRef]]:
    """The sentences of the sources that speak most about a text, with the share of its words they have."""
    index = Index(sources_of(sources), text)
    return [
        (share, EvidenceRef(id=found.source, span=found.span)) for share, found in index.best(words.content(text), 3)
    ]
