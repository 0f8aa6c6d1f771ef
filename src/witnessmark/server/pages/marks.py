"""A text with its claims marked, beside the evidence they were held against: for the page, the report and the terminal.

Cuts texts at the spans of a record, no more. Judged text stays hostile here; whoever shows it makes it harmless.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from witnessmark.core.case import Case, Evidence
from witnessmark.core.record import Record
from witnessmark.core.values import Span
from witnessmark.core.verdict import Claim, WrongWords
from witnessmark.core.wrong_words import claim_sentence

AROUND = 160
"""How much of a source is shown around a place in it."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text; `numbers` are the claims it belongs to or bears on, `status` that of the first.

    `first` are those of the claims whose first stretch this is: what a link to the claim leads to; `last` those whose
    last it is. `wrong` are the words it is, where they are wrong.
    """

    text: str
    numbers: tuple[int, ...] = ()
    status: str = ""
    hint: str = ""
    first: tuple[int, ...] = ()
    last: tuple[int, ...] = ()
    wrong: WrongWords | None = None


@dataclass(frozen=True, slots=True)
class MarkedSource:
    """One source: its name, and its text cut at the places claims rest on."""

    name: str
    pieces: tuple[Piece, ...]
    kind: str = "passage"
    origin: str | None = None

    @property
    def cited(self) -> bool:
        """Whether a claim rests on a place in it."""
        return any(piece.numbers for piece in self.pieces)


@dataclass(frozen=True, slots=True)
class View:
    """A response cut at its claims, and its sources cut at the places the claims rest on."""

    response: tuple[Piece, ...]
    sources: tuple[tuple[str, tuple[Piece, ...]], ...]
    confidence: float | None
    level: str
    claims: tuple[Claim, ...] = ()
    beside: tuple[MarkedSource, ...] = ()
    numbers: tuple[int, ...] = ()
    """What each of the claims is in the record, from 1: those that cannot be verified are not shown, and count there."""

    @property
    def linked(self) -> frozenset[int]:
        """The claims that some place in a source is marked for."""
        return frozenset(n for source in self.beside for piece in source.pieces for n in piece.numbers)


_Mark = tuple[Span, int, Claim]


def view(record: Record, case: Case | None) -> View | None:
    """What there is to see of a record with claims in a text; None where there is none or the text was not kept."""
    held = [
        (number, claim)
        for number, claim in enumerate(record.claims, 1)
        if claim.span is not None and claim.status != "unverifiable"
    ]
    if case is None or not held:
        return None
    numbers, shown = zip(*held, strict=True)
    details = next((said.details for said in record.results if "level" in said.details), {})
    marks = [(claim.span, number, claim) for number, claim in enumerate(shown, 1) if claim.span is not None]
    beside = tuple(_marked(source, marks) for source in case.evidence)
    return View(
        _cut(case.text, marks, in_output=True),
        tuple((source.name, source.pieces) for source in beside if source.cited),
        details.get("confidence"),
        str(details.get("level", "")),
        shown,
        beside,
        numbers,
    )


def _marked(source: Evidence, marks: Sequence[_Mark]) -> MarkedSource:
    pieces = _near(_cut(source.as_text(), _places(source.id, marks)))
    return MarkedSource(source.id, pieces, source.kind, source.origin)


def _places(source: str, marks: Sequence[_Mark]) -> list[_Mark]:
    found = [
        (ref.span, number, claim)
        for _, number, claim in marks
        for ref in claim.evidence
        if ref.id == source and ref.span
    ]
    return sorted(found, key=lambda mark: (mark[0], mark[1]))


def _wrong_words(text: str, marks: Sequence[_Mark]) -> dict[Span, WrongWords]:
    """The wrong words of all claims by their place in the text; those that are not there as they are written are left out."""
    known = (one for _, _, claim in marks for one in claim.words)
    return {one.span: one for one in known if one.span and text[slice(*one.span)] == one.text}


def _cut(text: str, marks: Sequence[_Mark], *, in_output: bool = False) -> tuple[Piece, ...]:
    """The text in stretches; of places that overlap the first is marked, and carries the numbers of both."""
    wrong = _wrong_words(text, marks) if in_output else {}
    spans = [*(span for span, _, _ in marks), *wrong]
    edges = sorted({0, len(text)} | {min(edge, len(text)) for span in spans for edge in span})
    pieces: list[Piece] = []
    met: set[int] = set()
    for start, end in pairwise(edges):
        over = [(number, claim) for span, number, claim in marks if span[0] <= start and end <= span[1]]
        first = over[0][1] if over else None
        numbers = tuple(dict.fromkeys(number for number, _ in over))
        new = tuple(number for number in numbers if number not in met)
        met.update(numbers)
        status, hint = (first.status, claim_sentence(first)) if first else ("", "")
        ends = tuple(dict.fromkeys(number for span, number, _ in marks if number in numbers and span[1] == end))
        is_wrong = next((one for span, one in wrong.items() if span[0] <= start and end <= span[1]), None)
        pieces.append(Piece(text[start:end], numbers, status, hint, new, ends, is_wrong))
    return tuple(piece for piece in pieces if piece.text)


def _near(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """Long stretches that no claim rests on are shortened in the middle."""
    return tuple(
        Piece(f"{piece.text[:AROUND]} […] {piece.text[-AROUND:]}")
        if not piece.numbers and len(piece.text) > 3 * AROUND
        else piece
        for piece in pieces
    )
