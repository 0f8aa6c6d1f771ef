"""Where the sentences of a synthesis come from, on the terminal. Judged text is shown harmless."""

from __future__ import annotations

import typer

from witnessmark.core.case import Case
from witnessmark.core.errors import UsageError
from witnessmark.core.record import Entry, Record
from witnessmark.core.wrong_words import harmless
from witnessmark.insight import lineage


def show(entry: Entry, record: Record) -> None:
    """The claim graph of a synthesis, where its content was kept."""
    if record.checkpoint != "synthesis" or entry.case is None or not record.claims:
        return
    typer.echo("\nwhere it comes from:")
    for line in lineage.drawn(Case.from_json(entry.case), record):
        typer.echo(f"  {harmless(line)}")


def who(entry: Entry, record: Record, words: str) -> None:
    """Which agents brought in what holds these words."""
    if entry.case is None:
        raise UsageError(f"the content of record {record.id[:12]} was not kept, so nobody can say who brought it in")
    found = lineage.brought_in(Case.from_json(entry.case), record, words)
    typer.echo(", ".join(map(harmless, found)) if found else "no agent output contains these words")
