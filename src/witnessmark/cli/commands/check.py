"""`witnessmark check`: one answer held against its sources, without a case file."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Annotated

import typer

from witnessmark.cli import exits
from witnessmark.cli import options as opt
from witnessmark.cli.output import screen
from witnessmark.core.case import Case
from witnessmark.core.errors import UsageError
from witnessmark.core.record import Record
from witnessmark.core.wrong_words import harmless
from witnessmark.integrations.answers import Source, answer_case
from witnessmark.verifier import Verifier

VERDICTS = {
    "pass": "The answer holds.",
    "partial": "Not all of the answer is supported.",
    "fail": "The answer is wrong.",
    "unverified": "The answer could not be verified.",
}


def add_to(app: typer.Typer) -> None:
    """Put the command into the application."""
    app.command()(check)


def check(
    files: Annotated[list[str] | None, typer.Argument(metavar="[FILE…]", help="More source files.")] = None,
    question: Annotated[str, typer.Option("--question", "-q", metavar="TEXT", help="What was asked.")] = "",
    answer: Annotated[
        str | None, typer.Option("--answer", "-a", metavar="TEXT", help="What came out; - reads standard input.")
    ] = None,
    source: Annotated[
        list[str] | None,
        typer.Option("--source", "-s", metavar="FILE", help="A file the answer may rest on; may be repeated."),
    ] = None,
    text: Annotated[
        list[str] | None,
        typer.Option("--text", "-t", metavar="TEXT", help="A source as text instead of a file; may be repeated."),
    ] = None,
    reference: Annotated[
        str | None, typer.Option("--reference", metavar="TEXT", help="The answer that was expected.")
    ] = None,
    model: Annotated[str | None, typer.Option("--model", metavar="NAME", help="The model that answered.")] = None,
    store: opt.StoreOption = None,
    config: opt.ConfigOption = None,
    workspace: opt.WorkspaceOption = None,
    judge: opt.JudgeOption = None,
    allow_same_family: opt.AllowSameFamilyOption = False,
    json: opt.JsonOption = False,
) -> None:
    """Check one answer against its sources: which words are wrong, what the source says, and what to do.

    Exit codes: 0 pass, 1 fail, 2 wrong usage, 3 partial, 4 unverified.
    """
    if answer is None:
        raise UsageError("--answer: give the text to check, or - to read it from standard input")
    given: list[Source] = [*(Path(name) for name in [*(source or []), *(files or [])]), *(text or [])]
    if not given:
        raise UsageError("--source: give at least one file, or --text with a source as text")
    said = sys.stdin.read() if answer == "-" else answer
    case = answer_case(question, said, given, reference=reference, model=model)
    settings = opt.settings(config, store, workspace, judges=judge, allow_same_family=allow_same_family)
    record = asyncio.run(_verify(opt.verifier(settings), case))
    if json:
        typer.echo(record.full_json().decode())
    else:
        _print(record)
    raise typer.Exit(exits.OF_OUTCOME[record.outcome])


async def _verify(verifier: Verifier, case: Case) -> Record:
    async with verifier:
        return await verifier.verify(case)


def _print(record: Record) -> None:
    counts = [claim.status for claim in record.claims]
    open_ = sum(status == "unverifiable" for status in counts)
    said = (
        f"{counts.count('supported')} of {len(counts) - open_} claims supported" if counts else harmless(record.reason)
    )
    left = f", {open_} not checkable" if open_ else ""
    typer.echo(f"{screen.coloured(record.outcome)}: {VERDICTS[record.outcome]} ({said}{left})")
    for finding in record.findings:
        screen.finding(finding)
    typer.echo(
        f"next: {screen.coloured(record.action)} · record {record.id[:12]} · `witnessmark show {record.id[:12]}` explains it"
    )
