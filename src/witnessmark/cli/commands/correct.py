"""`witnessmark correct`: one answer put right by what its sources say, where it is not supported by them."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from witnessmark.cli import exits
from witnessmark.cli import options as opt
from witnessmark.cli.output import screen
from witnessmark.compat.rag import correct_answer, correction
from witnessmark.compat.rag_values import CheckedResponse
from witnessmark.core.case import Case
from witnessmark.core.errors import UsageError
from witnessmark.core.wrong_words import harmless
from witnessmark.integrations.answers import Source, answer_case
from witnessmark.retrieval.folder import FolderRetriever
from witnessmark.verifier import Verifier


def add_to(app: typer.Typer) -> None:
    """Put the command into the application."""
    app.command()(correct)


def correct(
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
    search: Annotated[
        str | None, typer.Option("--search", metavar="DIR", help="A folder to search for what the claims lack.")
    ] = None,
    attempts: Annotated[
        int | None, typer.Option("--attempts", min=0, max=10, help="Most attempts; as the settings say by default (2).")
    ] = None,
    model: Annotated[str | None, typer.Option("--model", metavar="NAME", help="The model that answered.")] = None,
    store: opt.StoreOption = None,
    config: opt.ConfigOption = None,
    workspace: opt.WorkspaceOption = None,
    judge: opt.JudgeOption = None,
    allow_same_family: opt.AllowSameFamilyOption = False,
    json: opt.JsonOption = False,
) -> None:
    """Put an answer right by its sources: prints the best version that was verified, and what it is worth.

    An answer that its sources support comes back as it is. Exit codes: those of the version printed, as of `check`.
    """
    if answer is None:
        raise UsageError("--answer: give the text to correct, or - to read it from standard input")
    given: list[Source] = [*(Path(name) for name in [*(source or []), *(files or [])]), *(text or [])]
    if not given and search is None:
        raise UsageError("--source: give at least one file, --text with a source as text, or --search with a folder")
    case = answer_case(question, sys.stdin.read() if answer == "-" else answer, given, model=model)
    settings = opt.settings(config, store, workspace, judges=judge, allow_same_family=allow_same_family)
    done = asyncio.run(_correct(opt.verifier(settings), case, search, attempts))
    told = correction(done, settings.verification.show_claims)
    if json:
        typer.echo(msgspec.json.encode(told).decode())
    else:
        _print(done, told)
    raise typer.Exit(exits.OF_OUTCOME[told["outcome"]] if told["outcome"] else 0)


async def _correct(verifier: Verifier, case: Case, search: str | None, attempts: int | None) -> CheckedResponse:
    async with verifier:
        if search is None:
            return await correct_answer(case, verifier=verifier, max_attempts=attempts)
        with FolderRetriever(search) as folder:
            return await correct_answer(case, verifier=verifier, retriever=folder, max_attempts=attempts)


def _print(done: CheckedResponse, told: dict[str, Any]) -> None:
    typer.echo(harmless(done.response))
    if told["outcome"] is None:
        typer.echo("not verified: verification is switched off in the settings", err=True)
        return
    how = "corrected" if told["changed"] else "unchanged"
    sure = "not verified" if done.confidence is None else f"confidence {done.confidence:.2f}"
    why = f" ({told['stop_reason']})" if told["stop_reason"] else ""
    typer.echo(f"{screen.coloured(told['outcome'])}: {how}, {sure}, {done.crag_attempts} attempts{why}", err=True)
