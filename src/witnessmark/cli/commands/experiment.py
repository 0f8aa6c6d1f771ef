"""Two set-ups side by side on the same cases: `witnessmark experiment A B cases.jsonl`."""

from __future__ import annotations

import asyncio
import functools
from typing import Annotated, Any

import msgspec
import typer

from witnessmark.actions.tree.tree_options import TreeOptions
from witnessmark.cli import experiment_setups, files, world
from witnessmark.cli import options as opt
from witnessmark.cli.experiment_setups import Setup
from witnessmark.cli.output import screen
from witnessmark.core.case import Case
from witnessmark.core.errors import InputError, UsageError
from witnessmark.core.verdict import amount
from witnessmark.core.wrong_words import harmless
from witnessmark.insight import experiments
from witnessmark.insight.experiments import Experiment, Side
from witnessmark.settings import Settings
from witnessmark.stores import open_store

SideArgument = typer.Argument(help="A policy or settings file, a judge, a checkpoint, or records as .jsonl.")


def experiment(
    a: Annotated[str, SideArgument],
    b: Annotated[str, SideArgument],
    cases: Annotated[
        list[str] | None,
        typer.Argument(metavar="CASE…", help="Case files; not needed where both sides are records."),
    ] = None,
    labels: Annotated[
        str | None,
        typer.Option("--labels", metavar="FILE", help='JSON lines {"case": …, "outcome": "pass" or "fail"}.'),
    ] = None,
    keep: Annotated[bool, typer.Option("--keep/--no-keep", help="Keep it in the store, for the page.")] = True,
    store: opt.StoreOption = None,
    config: opt.ConfigOption = None,
    workspace: opt.WorkspaceOption = None,
    policy: opt.PolicyOption = None,
    judge: opt.JudgeOption = None,
    allow_same_family: opt.AllowSameFamilyOption = False,
    deadline: opt.DeadlineOption = None,
    budget_usd: opt.BudgetUsdOption = None,
    budget_tokens: opt.BudgetTokensOption = None,
    root: world.RootOption = None,
    before: world.BeforeOption = None,
    after: world.AfterOption = None,
    json: opt.JsonOption = False,
) -> None:
    """Compare two set-ups: agreement, McNemar's test, cost, latency, and what each catches where labels exist.

    Labels come from `context.expected` (pass or fail) of the cases, or from --labels. Live sides keep no records.
    What options say holds for both sides, but for what a side itself is: a judge, a policy.
    """
    options = opt.limits(deadline, budget_usd, budget_tokens) | {
        "judges": judge,
        "allow_same_family": allow_same_family,
    }
    found = opt.with_policy_file(opt.settings(config, store, workspace, **options), policy)
    services = TreeOptions(root, before, after).services(found.probes)
    base = experiment_setups.Base(found, functools.partial(_over, policy, options), services)
    left, right = experiment_setups.setup(a, base), experiment_setups.setup(b, base)
    given = _cases(cases or [], found.max_case_bytes)
    if not given and (left.recorded is None or right.recorded is None):
        raise UsageError("cases: give the case files that both sides verify; only records need none")
    told = experiment_setups.labels_of(given) | (_labels(labels) if labels else {})

    made = asyncio.run(_compared(left, right, given, told, found, keep=keep))
    if json:
        screen.echo_json(made)
    else:
        _shown(made)


async def _compared(
    left: Setup, right: Setup, cases: list[Case], labels: dict[str, str], found: Settings, *, keep: bool
) -> Experiment:
    """Both sides over the cases, kept in the store of the settings where that is wanted."""
    sides = (
        await experiment_setups.setup_verdicts(left, cases),
        await experiment_setups.setup_verdicts(right, cases),
    )
    names = (left.name, right.name if right.name != left.name else f"{right.name} (2)")
    made = experiments.compare(*sides, labels, names=names, workspace=found.workspace)
    if keep:
        store: Any = open_store(str(found.store))
        try:
            await experiments.keep(store, made)
        finally:
            await store.close()
    return made


def _over(policy: str | None, options: dict[str, Any], found: Settings) -> Settings:
    """What the options say over the settings of a side's file."""
    return opt.with_policy_file(opt.over(found, **options), policy)


def _cases(names: list[str], limit: int) -> list[Case]:
    found: list[Case] = []
    ids: set[str | None] = set()
    for one in files.cases(names, limit):
        if isinstance(one, files.FileProblem):
            raise InputError(str(one))
        if one.case.id is not None and one.case.id in ids:
            raise InputError(
                f"{one.where}: id: {one.case.id!r} is that of a case before it; the sides are compared by id, so give each its own"
            )
        ids.add(one.case.id)
        found.append(one.case)
    return found


def _labels(file: str) -> dict[str, str]:
    lines = opt.read_bytes(file).splitlines()
    try:
        rows = [msgspec.json.decode(line, type=dict[str, Any]) for line in lines if line.strip()]
        told = {str(row["case"]): str(row["outcome"]) for row in rows}
    except (msgspec.MsgspecError, UnicodeDecodeError, KeyError) as exc:
        raise InputError(f'{file}: a line reads {{"case": "id", "outcome": "pass"}} ({exc})') from None
    for case, outcome in told.items():
        if outcome not in ("pass", "fail"):
            raise InputError(f"{file}: outcome: {outcome!r} of case {case!r} is neither pass nor fail")
    return told


def _shown(made: Experiment) -> None:
    rows: list[tuple[str, str, str]] = [
        (name, _cell(made.a, key), _cell(made.b, key))
        for name, key in (
            ("outcomes", "outcomes"), ("cost", "cost_usd"), ("judge calls", "judge_calls"), ("seconds, median", "seconds_p50"),
            ("seconds, p95", "seconds_p95"), ("catch rate", "catch_rate"), ("good work rejected", "false_rejection"),
        )
    ]  # fmt: skip
    screen.table(("", made.a.name, made.b.name), rows)
    kappa = "–" if made.kappa is None else f"{made.kappa:.2f}"
    typer.echo(
        f"\n{amount(made.cases, 'case')}, {made.labelled} of them labelled; the same outcome in {made.agreed}, kappa {kappa}"
    )
    p = "–" if made.mcnemar_p is None else f"{made.mcnemar_p:.4f}"
    word = "right" if made.labelled else "passed"
    typer.echo(f"{word} by one only: {made.only_a} and {made.only_b}; McNemar p {p}: {made.says}")
    for one in made.disagreements[:10]:
        truth = f" (it is {one['truth']})" if one["truth"] else ""
        typer.echo(f"  {harmless(str(one['case']))[:40]}: {one['a']} and {one['b']}{truth}")


def _cell(side: Side, key: str) -> str:
    value = getattr(side, key)
    if isinstance(value, dict):
        return ", ".join(f"{n} {word}" for word, n in sorted(value.items()))
    if value is None:
        return "unknown" if key == "cost_usd" else "–"
    return f"${value:.4f}" if key == "cost_usd" else f"{value:.4f}" if isinstance(value, float) else str(value)
