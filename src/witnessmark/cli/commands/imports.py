"""`witnessmark import`: another tool's file in, cases out, and everything that has no equivalent here said aloud."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
import typer

from witnessmark.cli import exits
from witnessmark.cli import options as opt
from witnessmark.core.errors import InputError
from witnessmark.core.verdict import counted
from witnessmark.core.wrong_words import harmless
from witnessmark.importers import FORMATS, files, reader
from witnessmark.importers.import_result import ImportResult


def import_cases(
    format: Annotated[str, typer.Argument(metavar="FORMAT", help=f"{', '.join(FORMATS)}.")],
    file: Annotated[str, typer.Argument(metavar="FILE", help="The other tool's file; - is standard input.")],
    output: Annotated[
        str, typer.Option("-o", "--output", metavar="CASES", help="Where to write the cases, one per line.")
    ] = "-",
    outputs: Annotated[
        str | None,
        typer.Option(
            "--outputs", metavar="FILE", help="Outputs in a file of their own: promptfoo results, or Evals items."
        ),
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="Report what was left out as one JSON object, on standard error.")
    ] = False,
) -> None:
    """Turn another tool's cases into cases. What has no equivalent here is listed, never dropped silently.

    Exit codes: 0 everything was taken over, 3 something was left out and is listed, 2 wrong usage or no case found.
    """
    opt.in_a_folder("--output", output)
    read = reader(format)
    try:
        found = read(files.read(file), files.read(outputs) if outputs else None)
    except InputError as exc:
        said = str(exc)
        raise InputError(said if said.startswith((file, str(outputs))) else f"{file}: {said}") from None
    opt.save(output, b"".join(case.json() + b"\n" for case in found.cases))
    _say(found, json, output)
    if not found.cases:
        raise typer.Exit(exits.USAGE)
    raise typer.Exit(exits.PARTIAL if found.left_out else exits.PASS)


def _say(found: ImportResult, json: bool, output: str) -> None:
    if json:
        told: dict[str, Any] = {"cases": len(found.cases), "without_output": found.without_output}
        told |= {"left_out": found.left_out, "near": found.near}
        typer.echo(msgspec.json.encode(told).decode(), err=True)
        return
    place = "" if output == "-" else f" in {output}"
    typer.echo(f"{counted(len(found.cases), 'case')}{place}", err=True)
    for title, notes in (("imported as the nearest equivalent", found.near), ("left out", found.left_out)):
        for note in notes:
            often = f" ({note.count} times, first at {note.first})" if note.count > 1 else f" (at {note.first})"
            typer.echo(harmless(f"{title}: {note.what}: {note.why}{often}"), err=True)
