"""`witnessmark correct`: one answer put right by what its sources say, where it is not supported by them."""

from __future__ import annotations

import asyncio
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
from witnessmark.core.verdict import amount
from witnessmark.core.wrong_words import harmless
from witnessmark.integrations.answers import answer_case
from witnessmark.retrieval.folder import FolderRetriever
from witnessmark.verifier import Verifier

WHY = {
    "nothing to write": "no sentence of the sources could be put in its place",
    "nothing new": "nothing could be corrected",
}
"""Why nothing was put right, in words."""


def correct(
    files: opt.FilesArgument = None,
    question: opt.QuestionOption = "",
    answer: opt.AnswerOption = None,
    source: opt.SourceOption = None,
    text: opt.TextOption = None,
    search: Annotated[
        str | None, typer.Option("--search", metavar="DIR", help="A folder to search for what the claims lack.")
    ] = None,
    attempts: Annotated[
        int | None,
        typer.Option("--attempts", min=0, max=10, help="Maximum number of attempts; the setting's (2) by default."),
    ] = None,
    model: opt.AnsweringModelOption = None,
    store: opt.StoreOption = None,
    config: opt.ConfigOption = None,
    workspace: opt.WorkspaceOption = None,
    judge: opt.JudgeOption = None,
    allow_same_family: opt.AllowSameFamilyOption = False,
    json: opt.JsonOption = False,
) -> None:
    """Correct an answer by its sources: prints the best version that was verified, and what it is worth.

    An answer that its sources support comes back as it is. Exit codes: those of the version printed, as of `check`.
    """
    said, given = opt.answer_text(answer), opt.sources(source, files, text)
    if not given and search is None:
        raise UsageError("--source: give at least one file, --text with a source as text, or --search with a folder")
    case = answer_case(question, said, given, model=model)
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
    sure = "not verified" if told["confidence"] is None else f"confidence {screen.number(told['confidence'])}"
    stopped = told["stop_reason"] if told["stop_reason"] != "nothing new" or not told["changed"] else ""
    why = f" ({WHY.get(stopped, stopped)})" if stopped else ""
    attempts = amount(done.crag_attempts, "attempt")
    typer.echo(f"{screen.coloured(told['outcome'])}: {how}, {sure}, {attempts}{why}", err=True)
