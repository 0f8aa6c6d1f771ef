"""Claims on the terminal: marked in the response, and where those of a synthesis come from. Judged text is shown harmless."""

from __future__ import annotations

import typer

from witnessmark.cli.output import screen
from witnessmark.core.case import Case
from witnessmark.core.errors import UsageError
from witnessmark.core.record import Entry, Record
from witnessmark.core.wrong_words import claim_sentence, harmless
from witnessmark.insight import lineage
from witnessmark.server.pages.marks import Piece, view


def show_origins(entry: Entry, record: Record) -> None:
    """The claim graph of a synthesis, where its content was kept."""
    if record.checkpoint != "synthesis" or entry.case is None or not record.claims:
        return
    typer.echo("\nwhere it comes from:")
    for line in lineage.drawn(Case.from_json(entry.case), record):
        typer.echo(f"  {harmless(line)}")


def who(entry: Entry, record: Record, words: str) -> None:
    """Which agents brought in what holds these words."""
    if entry.case is None:
        raise UsageError(
            f"the content of record {record.id[:12]} was not kept, so it cannot be told who contributed it"
        )
    found = lineage.brought_in(Case.from_json(entry.case), record, words)
    typer.echo(", ".join(map(harmless, found)) if found else "no agent output contains these words")


COLOURS = {"supported": "green", "partial": "yellow", "unsupported": "magenta", "contradicted": "red"}


def show_claims(entry: Entry, record: Record) -> None:
    """Print the response coloured by what became of its claims, then each claim with its evidence."""
    case = Case.from_json(entry.case) if entry.case is not None and not entry.redacted else None
    seen = view(record, case)
    if seen is None:
        return
    typer.echo("\n" + "".join(_styled(piece) for piece in seen.response))
    texts = {source.id: source.as_text() for source in case.evidence} if case else {}
    shown = [claim for claim in record.claims if claim.span is not None and claim.status != "unverifiable"]
    for number, claim in enumerate(shown, 1):
        typer.echo(f"  [{number}] {_coloured(claim.status, claim.status)}: {claim_sentence(claim)}")
        for ref in claim.evidence:
            if ref.span is not None:
                quote = harmless(texts.get(ref.id, "")[slice(*ref.span)])
                typer.echo(f"      {harmless(ref.id)} {ref.span[0]}–{ref.span[1]}: “{quote}”")


def _styled(piece: Piece) -> str:
    lines = "\n".join(harmless(line) for line in piece.text.split("\n"))
    if not piece.numbers:
        return lines
    before, after = screen.marks() if piece.wrong else ("", "")
    end = f"[{','.join(map(str, piece.last))}]" if piece.last else ""
    return f"{before}{_coloured(lines, piece.status)}{after}{end}"


def _coloured(text: str, status: str) -> str:
    return typer.style(text, fg=COLOURS.get(status)) if screen.colour_helps() else text
