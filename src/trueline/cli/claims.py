"""A response with its claims marked, beside the evidence they were held against: for the terminal and for the HTML page.

Cuts texts at the spans of a record; colours and links are all it adds. Judged text stays hostile: the terminal gets it
harmless, the page gets it escaped by its template.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import typer

from trueline.case import Case
from trueline.checks.grounding import evidence_text
from trueline.cli.screen import harmless
from trueline.record import Entry, Record
from trueline.values import Span
from trueline.verdict import Claim

COLOURS = {"supported": "green", "partial": "yellow", "unsupported": "magenta", "contradicted": "red"}
AROUND = 160
"""How much of a source is shown around a place in it."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text; `numbers` are the claims it belongs to or bears on, `status` that of the first."""

    text: str
    numbers: tuple[int, ...] = ()
    status: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class View:
    """A response cut at its claims, and its sources cut at the places the claims rest on."""

    response: tuple[Piece, ...]
    sources: tuple[tuple[str, tuple[Piece, ...]], ...]
    confidence: float | None
    level: str


def view(record: Record, case: Case | None) -> View | None:
    """What there is to see of a record with claims in a text; None where there is none or the text was not kept."""
    shown = [claim for claim in record.claims if claim.span is not None and claim.status != "unverifiable"]
    if case is None or not shown:
        return None
    details = next((said.details for said in record.results if "level" in said.details), {})
    marks = [(claim.span, number, claim) for number, claim in enumerate(shown, 1) if claim.span is not None]
    sources = [(source.id, _cut(evidence_text(source), _places(source.id, marks))) for source in case.evidence]
    return View(
        _cut(case.text, marks),
        tuple((name, _near(pieces)) for name, pieces in sources if any(piece.numbers for piece in pieces)),
        details.get("confidence"),
        str(details.get("level", "")),
    )


_Mark = tuple[Span, int, Claim]


def _places(source: str, marks: Sequence[_Mark]) -> list[_Mark]:
    found = [
        (ref.span, number, claim)
        for _, number, claim in marks
        for ref in claim.evidence
        if ref.id == source and ref.span
    ]
    return sorted(found, key=lambda mark: (mark[0], mark[1]))


def _cut(text: str, marks: Sequence[_Mark]) -> tuple[Piece, ...]:
    """The text in stretches; of places that overlap the first is marked, and carries the numbers of both."""
    edges = sorted({0, len(text)} | {min(edge, len(text)) for span, _, _ in marks for edge in span})
    pieces = []
    for start, end in pairwise(edges):
        over = [(number, claim) for span, number, claim in marks if span[0] <= start and end <= span[1]]
        first = over[0][1] if over else None
        numbers = tuple(dict.fromkeys(number for number, _ in over))
        pieces.append(Piece(text[start:end], numbers, first.status if first else "", first.reason if first else ""))
    return tuple(piece for piece in pieces if piece.text)


def _near(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """Long stretches that no claim rests on are shortened in the middle."""
    return tuple(
        Piece(f"{piece.text[:AROUND]} […] {piece.text[-AROUND:]}")
        if not piece.numbers and len(piece.text) > 3 * AROUND
        else piece
        for piece in pieces
    )


# --- the terminal ----------------------------------------------------------------------------------------------------


def show(entry: Entry, record: Record) -> None:
    """Print the response coloured by what became of its claims, then each claim with its evidence."""
    case = Case.from_json(entry.case) if entry.case is not None and not entry.blotted else None
    seen = view(record, case)
    if seen is None:
        return
    typer.echo("\n" + "".join(_styled(piece) for piece in seen.response))
    texts = {source.id: evidence_text(source) for source in case.evidence} if case else {}
    shown = [claim for claim in record.claims if claim.span is not None and claim.status != "unverifiable"]
    for number, claim in enumerate(shown, 1):
        typer.echo(f"  [{number}] {_coloured(claim.status, claim.status)}: {claim.reason}")
        for ref in claim.evidence:
            if ref.span is not None:
                quote = harmless(texts.get(ref.id, "")[slice(*ref.span)])
                typer.echo(f"      {harmless(ref.id)} {ref.span[0]}–{ref.span[1]}: “{quote}”")


def _styled(piece: Piece) -> str:
    lines = "\n".join(harmless(line) for line in piece.text.split("\n"))
    if not piece.numbers:
        return lines
    return f"{_coloured(lines, piece.status)}[{','.join(map(str, piece.numbers))}]"


def _coloured(text: str, status: str) -> str:
    return typer.style(text, fg=COLOURS.get(status)) if sys.stdout.isatty() else text
