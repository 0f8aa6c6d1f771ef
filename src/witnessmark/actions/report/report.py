"""A report, read once: its lines, sentences, passages and language, for everything that is asked of it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Literal

from witnessmark.actions.claim import ActionClaim
from witnessmark.actions.report.layout import MAX_CHARS, ReportLine, Sentence, lines, part_spans, sentences
from witnessmark.actions.report.lexicon import Language, language_of, own_language_of
from witnessmark.actions.report.passages import ReportPassage, passages
from witnessmark.text.patterns import compiled
from witnessmark.text.sentences import Span

_TITLE_ELSEWHERE = compiled(
    r"(?<=\]\()(?P<place>\w{1,20}:[^()\s]{1,400})(?P<title>\s{1,8}(?:\"[^\"\n\[\]]{1,400}\"|'[^'\n\[\]]{1,400}'))(?=\))"
)
"""A link to a page elsewhere, and the title of that page."""
MAX_PASSAGES = 1_000
"""So many sentences are held against the trace; what follows them is listed as not read."""
End = Literal["stop", "semicolon"]
"""Where a part of a report ends: only at a full stop and the end of a line, or at a semicolon too."""


@dataclass(frozen=True)
class Report:
    """The text of a report, and what is read of it; each reading is made when it is first asked for, and kept.

    Of a text longer than MAX_CHARS the lines, and what is made of them, are those up to there.
    """

    text: str = ""
    quoted: tuple[Span, ...] = ()
    """Where it has the words of documents in quotation marks."""

    @cached_property
    def low(self) -> str:
        """The text in small letters."""
        return self.text.lower()

    @cached_property
    def own(self) -> str:
        """The text with blanks for the words of others (quoted ones, and titles of links to pages elsewhere); every place stays as it is."""
        parts, at = list[str](), 0
        for start, end in self.quoted:
            parts += [self.text[at:start], " " * (end - start)]
            at = end
        text = "".join((*parts, self.text[at:]))
        return _TITLE_ELSEWHERE.sub(lambda match: match["place"] + " " * len(match["title"]), text) if "](" in text else text  # fmt: skip

    @cached_property
    def language(self) -> Language:
        """The language that it is read in."""
        return language_of(self.text)

    def language_of(self, sentence: Sentence) -> Language:
        """The language that a sentence is read in: its own where it has no small word of the report's."""
        return own_language_of(sentence.low, self.language)

    @cached_property
    def lines(self) -> tuple[ReportLine, ...]:
        """Its lines, each with its role."""
        return tuple(lines(self.own, min(len(self.text), MAX_CHARS)))

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """Its sentences, apart from code and quotations."""
        return tuple(sentences(self.own, self.lines))

    @cached_property
    def passages(self) -> tuple[ReportPassage, ...]:
        """Its sentences and rows that tell of something done or there, with what stands over them."""
        return tuple(passages(self.own, self.lines, self.sentences))

    @cached_property
    def in_place(self) -> tuple[ReportPassage, ...]:
        """The passages whose small letters stand where those of the text do: one more than are read at most, and none beyond it is made."""
        made: Iterable[ReportPassage] | None = self.__dict__.get("passages")
        every = made if made is not None else passages(self.own, self.lines, sentences(self.own, self.lines))
        return tuple(
            islice((one for one in every if len(one.sentence.low) == len(one.sentence.text)), MAX_PASSAGES + 1)
        )

    @property
    def first(self) -> tuple[ReportPassage, ...]:
        """The passages that are held against the trace."""
        return self.in_place[:MAX_PASSAGES]

    @property
    def read_until(self) -> int:
        """Where the first passage stands that `first` leaves out; the end of the text where it leaves out none."""
        return self.in_place[MAX_PASSAGES].sentence.start if len(self.in_place) > MAX_PASSAGES else len(self.text)

    def parts(self, to: End = "semicolon") -> list[str]:
        """The text in parts that end so, code and quotations among them."""
        return [self.text[start:end] for start, end in self._spans(to)]

    def _spans(self, to: End) -> Sequence[Span]:
        return part_spans(self.text, semicolons=to == "semicolon")

    def part_of(self, claim: ActionClaim, to: End = "semicolon", *, following: int = 0) -> str:
        """The part of the text that a claim stands in, and so many after it; the claim's own words where it has no place there."""
        if claim.span is None or claim.span[1] > len(self.text):
            return claim.text
        parts = self._spans(to)
        first = max(bisect_right(parts, claim.span[0], key=lambda part: part[0]) - 1, 0)
        last = bisect_left(parts, claim.span[1], lo=first, hi=max(len(parts) - 1, first), key=lambda part: part[1])
        more = (self.text[start:end] for start, end in parts[last + 1 : last + 1 + following])
        return " ".join((self.text[parts[first][0] : parts[last][1]], *more)) if parts else claim.text


NO_REPORT = Report()
"""Of claims that were not made in words."""
