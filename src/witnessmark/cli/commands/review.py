"""A person's say: override a verdict, record what really happened, have it verified again."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from witnessmark.actions.tree.tree_options import TreeOptions
from witnessmark.cli import exits, world
from witnessmark.cli import options as opt
from witnessmark.cli.commands.records import IdArgument
from witnessmark.cli.output import screen
from witnessmark.core.record import Record, Store
from witnessmark.core.wrong_words import harmless
from witnessmark.insight import review

OutcomeOption = Annotated[str, typer.Option("--outcome", metavar="WORD", help="pass, partial, fail or unverified.")]


def override(
    record_id: IdArgument,
    outcome: OutcomeOption,
    reason: Annotated[str, typer.Option("--reason", help="Why; it is kept with the override.")],
    by: Annotated[str, typer.Option("--by", help="Who decided.")] = "",
    store: opt.StoreOption = None,
    config: opt.ConfigOption = None,
    workspace: opt.WorkspaceOption = None,
    json: opt.JsonOption = False,
) -> None:
    """Override a verdict with a person's decision. The verdict stays in the store; of several overrides the newest holds."""

    async def say(kept: Store) -> Record:
        return await review.override(kept, record_id, outcome=outcome, reason=reason, by=by, workspace=workspace)

    _told(opt.with_store(config, store, say), json, "overridden to")


def what_happened(
    record_id: IdArgument,
    outcome: OutcomeOption,
    reason: Annotated[str, typer.Option("--reason", help="What is known about it.")] = "",
    completed: Annotated[
        bool | None, typer.Option("--completed/--not-completed", help="Whether the agents completed.")
    ] = None,
    accurate: Annotated[
        bool | None, typer.Option("--accurate/--not-accurate", help="Whether the result was accurate.")
    ] = None,
    store: opt.StoreOption = None,
    config: opt.ConfigOption = None,
    workspace: opt.WorkspaceOption = None,
    json: opt.JsonOption = False,
) -> None:
    """Record what really happened later; calibration and the catch rate are computed from it."""
    facts = {name: told for name, told in (("completed", completed), ("accurate", accurate)) if told is not None}

    async def say(kept: Store) -> Record:
        return await review.outcome(kept, record_id, outcome=outcome, reason=reason, facts=facts, workspace=workspace)

    _told(opt.with_store(config, store, say), json, "the actual outcome was")


def reverify(
    record_id: IdArgument,
    case: Annotated[
        str | None, typer.Option(metavar="FILE", help="The case file, if its content was not stored.")
    ] = None,
    store: opt.StoreOption = None,
    config: opt.ConfigOption = None,
    workspace: opt.WorkspaceOption = None,
    judge: opt.JudgeOption = None,
    allow_same_family: opt.AllowSameFamilyOption = False,
    policy: opt.PolicyOption = None,
    deadline: opt.DeadlineOption = None,
    budget_usd: opt.BudgetUsdOption = None,
    budget_tokens: opt.BudgetTokensOption = None,
    root: world.RootOption = None,
    before: world.BeforeOption = None,
    after: world.AfterOption = None,
    json: opt.JsonOption = False,
) -> None:
    """Verify again what a record is about, with the current judges and policy; exit codes as of verify."""
    limits = opt.limits(deadline, budget_usd, budget_tokens)
    found = opt.settings(config, store, workspace, **limits, judges=judge, allow_same_family=allow_same_family)
    verifier = opt.verifier(found, policy, TreeOptions(root, before, after).services(found.probes))
    given = None if case is None else opt.read_case(case)

    async def work() -> Record:
        async with verifier:
            return await review.reverify(verifier, record_id, case=given)

    record = asyncio.run(work())
    _told(record, json, "now")
    raise typer.Exit(exits.OF_OUTCOME[record.outcome])


def _told(record: Record, json: bool, word: str) -> None:
    if json:
        typer.echo(record.full_json().decode())
        return
    because = f": {harmless(record.reason)}" if record.reason != f"{word} {record.outcome}" else ""
    follows = "" if record.kind == "outcome" else f" → {screen.coloured(record.action)}"  # what happened, happened
    typer.echo(f"{word} {screen.coloured(record.outcome)}{follows}{because}")
    typer.echo(f"record {record.id[:12]} about {str(record.parent)[:12]}")
