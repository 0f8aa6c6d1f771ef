"""`witnessmark run`: a suite of questions put to several models and prompts, verified and kept by name."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from witnessmark.batch import suites
from witnessmark.batch.compare import compare_files
from witnessmark.cli import options as opt
from witnessmark.cli.output import comparison
from witnessmark.cli.output.reports import save
from witnessmark.judges import metering
from witnessmark.judges.specs import JudgeMaker

RUNS = Path("runs")


def run(
    suite: Annotated[
        str, typer.Argument(metavar="SUITE", help="YAML, TOML or JSON file with models, prompts and cases.")
    ],
    name: Annotated[str | None, typer.Option("--name", help="Name of the run; the suite's name by default.")] = None,
    out: Annotated[
        str | None, typer.Option("--out", metavar="FOLDER", help="Where to write the runs; runs/NAME by default.")
    ] = None,
    html: Annotated[
        str | None, typer.Option("--html", metavar="FILE", help="Write the runs side by side as one HTML file.")
    ] = None,
    judge: opt.JudgeOption = None,
    allow_same_family: opt.AllowSameFamilyOption = False,
    policy: opt.PolicyOption = None,
    deadline: opt.DeadlineOption = None,
    budget_usd: opt.BudgetUsdOption = None,
    budget_tokens: opt.BudgetTokensOption = None,
    store: opt.StoreOption = None,
    config: opt.ConfigOption = None,
    workspace: opt.WorkspaceOption = None,
) -> None:
    """Ask every model with every prompt, verify the answers, and keep them as one file per run for `witnessmark compare`.

    Models: openai/MODEL, anthropic/MODEL, URL#MODEL, a name from the settings, python:module:function, command:LINE.
    """
    opt.in_a_folder("--html", html)
    found, questions = suites.read_suite(Path(suite))
    limits = opt.limits(deadline, budget_usd, budget_tokens)
    settings = opt.settings(config, store, workspace, **limits, judges=judge, allow_same_family=allow_same_family)
    maker = JudgeMaker(settings.judges, prices=metering.load(settings.judging.prices), cache=False)
    folder = Path(out) if out else RUNS / (name or found.name)

    async def work() -> dict[str, Path]:
        async with opt.verifier(settings, policy) as verifier:
            try:
                return await suites.run_suite(found, questions, verifier, maker, folder, typer.echo)
            finally:
                await maker.close()

    written = asyncio.run(work())
    typer.echo(f"written to {folder}/")
    labels = list(written)
    if len(labels) > 1:
        typer.echo(f"next: witnessmark compare {written[labels[0]]} {written[labels[1]]} --html compare.html")
        if html:
            first = str(written[labels[0]])
            save(
                html,
                comparison.page(
                    [(label, compare_files(first, str(written[label]))) for label in labels[1:]], labels[0]
                ),
            )
