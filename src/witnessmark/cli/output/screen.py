"""What a person sees: tables on a terminal, plain aligned text in a pipe. Judged text is hostile: it is made harmless."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec
import typer

from witnessmark.cli.output import tables
from witnessmark.core import wrong_words
from witnessmark.core.record import Record
from witnessmark.core.values import plain
from witnessmark.core.verdict import Finding
from witnessmark.core.wrong_words import harmless

COLOURS = {
    "pass": "green", "accept": "green", "fail": "red", "abort": "red", "error": "red", "partial": "yellow",
    "retry": "yellow", "warn": "yellow", "switch": "yellow", "correct": "yellow", "unverified": "magenta",
    "escalate": "magenta", "abstain": "magenta", "skipped": "bright_black",
}  # fmt: skip
MANY = 400
NOTHING = " " * 40 + "\r"
"""A short line of progress erased: by spaces, since a terminal may know no code for it."""
Cell = str | float | int | None


def number(value: float | None) -> str:
    """A score or share as people read it."""
    return "–" if value is None else f"{value:.2f}"


def rate(count: int, seconds: float) -> str:
    """How fast things are done: `120/s`, `4.5/s`, and where it is less than one a second `36/min`."""
    each = count / seconds if seconds > 0 else 0.0
    return f"{each:,.0f}/s" if each >= 10 or not each else f"{each:.2g}/s" if each >= 1 else f"{60 * each:.2g}/min"


def echo_json(value: Any) -> None:
    """One line of JSON with every field there, defaults included: what scripts read."""
    typer.echo(msgspec.json.encode(_whole(value)).decode())


def _whole(value: Any) -> Any:
    if isinstance(value, msgspec.Struct):
        return plain(value)
    if isinstance(value, dict):
        return {key: _whole(one) for key, one in value.items()}
    return [_whole(one) for one in value] if isinstance(value, (list, tuple)) else value


def coloured(word: str) -> str:
    """A word of ours in its colour, where colour helps."""
    return typer.style(word, fg=COLOURS.get(word)) if colour_helps() else word


def colour_helps() -> bool:
    """A terminal that knows colours, and a person who has not asked for none (no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def finding(told: Finding, indent: str = "           ") -> None:
    """A finding: what is wrong, the sentence with the wrong words marked, what to do."""
    first, *rest = wrong_words.lines(told, *marks())
    typer.echo(f"  {told.severity.ljust(9)}{first}")
    for line in rest:
        typer.echo(f"{indent}{line}")


def judge_notes(records: Iterable[Record]) -> None:
    """Why no judge was heard where one was at hand: a line for each reason, said once however many records have it."""
    notes = {note: None for record in records for said in record.results if (note := said.details.get("judge_note"))}
    for note in notes:
        typer.echo(f"note: {harmless(str(note))}")


def marks() -> tuple[str, str]:
    """What stands around wrong words: colour where it helps, asterisks elsewhere."""
    return ("\x1b[1;31m", "\x1b[0m") if colour_helps() else ("**", "**")


@contextmanager
def at_work(what: str, *, quiet: bool = False) -> Iterator[None]:
    """What is being done, on a terminal for as long as it takes; nothing in a pipe, or where it should be quiet."""
    moves = sys.stderr.isatty() and not quiet
    if moves:
        sys.stderr.write(f"{what} …")
        sys.stderr.flush()
    try:
        yield
    finally:
        if moves:
            sys.stderr.write(f"\r{NOTHING}")
            sys.stderr.flush()


def table(columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> None:
    """Rows under headings: drawn on a terminal, aligned plain text elsewhere."""
    cells = [[harmless("–" if cell is None else str(cell)) for cell in row] for row in rows]
    if sys.stdout.isatty() and len(cells) <= MANY:
        _drawn(columns, cells)
    else:
        _plain(columns, cells)


def _drawn(columns: Sequence[str], cells: list[list[str]]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console()
    if not tables.fits(columns, cells, console.width):
        for line in tables.in_two_parts(columns, cells, console.width, _padded):
            typer.echo(line)
        return
    drawn = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for name in columns:
        drawn.add_column(name, overflow="fold", no_wrap=name not in tables.TEXTS)
    for row in cells:
        drawn.add_row(*(Text(cell, style=COLOURS.get(cell, "")) for cell in row))
    console.print(drawn)


def _padded(padded: str, cell: str) -> str:
    return typer.style(padded, fg=COLOURS[cell]) if cell in COLOURS and colour_helps() else padded


def _plain(columns: Sequence[str], cells: list[list[str]]) -> None:
    lines = [list(columns), *cells]
    widths = [max(len(line[n]) for line in lines) for n in range(len(columns))]
    widths[-1] = 0
    out = "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )
    typer.echo(out)
