"""`witnessmark correct`: one answer put right by what its sources say, where it is not supported by them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from witnessmark.cli import exits
from witnessmark.cli import options as opt
from witnessmark.cli.output import screen
from witnessmark.core.case import Case
from witnessmark.core.errors import UsageError
from witnessmark.core.verdict import amount
from witnessmark.core.wrong_words import harmless
from witnessmark.integrations.answers import answer_case, correct_answer
from witnessmark.retrieval.answer import Correction
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
    policy: opt.PolicyOption = None,
    deadline: opt.DeadlineOption = None,
    budget_usd: opt.BudgetUsdOption = None,
    budget_tokens: opt.BudgetTokensOption = None,
    json: opt.JsonOption = False,
) -> None:
    """Correct an answer by its sources: prints the best version that was verified, and what it is worth.

    An answer that its sources support comes back as it is. Exit codes: those of the version printed, as of `check`.
    """
    said, given = opt.answer_text(answer), opt.sources(source, files, text)
    if search is not None and not Path(search).is_dir():
        raise UsageError(f"--search {search}: there is no such folder; check the path")
    if not given and search is None:
        raise UsageError("--source: give at least one file, --text with a source as text, or --search with a folder")
    case = answer_case(question, said, given, model=model)
    limits = opt.limits(deadline, budget_usd, budget_tokens)
    settings = opt.settings(config, store, workspace, **limits, judges=judge, allow_same_family=allow_same_family)
    with screen.at_work("checking the answer", quiet=json):
        done = asyncio.run(_correct(opt.verifier(settings, policy), case, search, attempts))
    if json:
        typer.echo(msgspec.json.encode(done.as_json(settings.verification.show_claims)).decode())
    else:
        _print(done)
    raise typer.Exit(exits.OF_OUTCOME[done.outcome] if done.outcome else 0)


async def _correct(verifier: Verifier, case: Case, search: str | None, attempts: int | None) -> Correction:
    async with verifier:
        if search is None:
            return await correct_answer(case, verifier, max_attempts=attempts)
        with FolderRetriever(search) as folder:
            if not (case.evidence or folder.holds_passages):
                raise UsageError(f"--search {search}: holds no text, Markdown, HTML or PDF file that can be read")
            return await correct_answer(case, verifier, retriever=folder, max_attempts=attempts)


def _print(done: Correction) -> None:
    typer.echo(harmless(done.response))
    if done.record is None or done.outcome is None:
        typer.echo("not verified: verification is switched off in the settings", err=True)
        return
    how = "corrected" if done.changed else "unchanged"
    confidence = done.record.confidence
    sure = "not verified" if confidence is None else f"confidence {screen.number(confidence)}"
    stopped = done.stop if done.stop != "nothing new" or not done.changed else None
    why = f" ({WHY.get(stopped, stopped)})" if stopped else ""
    attempts = amount(len(done.attempts), "attempt")
    typer.echo(f"{screen.coloured(done.outcome)}: {how}, {sure}, {attempts}{why}", err=True)
