"""`witnessmark check`: one answer held against its sources, without a case file."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from witnessmark.cli import exits
from witnessmark.cli import options as opt
from witnessmark.cli.output import screen
from witnessmark.core.case import Case
from witnessmark.core.errors import UsageError
from witnessmark.core.record import Record
from witnessmark.core.wrong_words import harmless, support
from witnessmark.integrations.answers import answer_case
from witnessmark.verifier import Verifier

VERDICTS = {
    "pass": "The answer holds.",
    "fail": "The answer is wrong.",
    "unverified": "The answer could not be verified.",
}


def check(
    files: opt.FilesArgument = None,
    question: opt.QuestionOption = "",
    answer: opt.AnswerOption = None,
    source: opt.SourceOption = None,
    text: opt.TextOption = None,
    reference: Annotated[
        str | None, typer.Option("--reference", metavar="TEXT", help="The answer that was expected.")
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
    """Check one answer against its sources: which words are wrong, what the source says, and what to do.

    Exit codes: 0 pass, 1 fail, 2 wrong usage, 3 partial, 4 unverified.
    """
    said, given = opt.answer_text(answer), opt.sources(source, files, text)
    if not given and reference is None:
        raise UsageError("--source: give at least one file, or --text with a source as text, or --reference")
    case = answer_case(question, said, given, reference=reference, model=model)
    limits = opt.limits(deadline, budget_usd, budget_tokens)
    settings = opt.settings(config, store, workspace, **limits, judges=judge, allow_same_family=allow_same_family)
    with screen.at_work("checking the answer", quiet=json):
        record = asyncio.run(_verify(opt.verifier(settings, policy), case))
    if json:
        typer.echo(record.full_json().decode())
    else:
        _print(record, said, kept=opt.keeps(settings))
    raise typer.Exit(exits.OF_OUTCOME[record.outcome])


def verdict(record: Record, answer: str) -> str:
    """What came out for an answer, in one sentence."""
    if record.outcome == "partial":
        return f"The answer is {support(record.claims, record.coverage)}."
    if record.outcome == "fail" and not answer.strip():
        return "There is no answer."
    return VERDICTS[record.outcome]


async def _verify(verifier: Verifier, case: Case) -> Record:
    async with verifier:
        return await verifier.verify(case)


def _print(record: Record, answer: str, *, kept: bool) -> None:
    counts = [claim.status for claim in record.claims]
    open_ = sum(status == "unverifiable" for status in counts)
    settled = len(counts) - open_
    said = f"{counts.count('supported')} of {settled} claims supported" if settled else harmless(record.reason)
    left = f", {open_} not checkable" if open_ else ""
    sure = "" if record.confidence is None else f", confidence {screen.number(record.confidence)}"
    typer.echo(f"{screen.coloured(record.outcome)}: {verdict(record, answer)} ({said}{left}{sure})")
    for finding in record.findings:
        screen.finding(finding)
    screen.judge_notes([record])
    where = f" · `witnessmark show {record.id[:12]}` explains it" if kept else ""
    typer.echo(f"next: {screen.coloured(record.action)}{where}")
