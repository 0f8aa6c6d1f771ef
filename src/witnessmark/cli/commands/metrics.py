"""How verifying goes: the figures of the dictionary, what they mean, whether it pays, and all of it for other tools."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from witnessmark.cli import options as opt
from witnessmark.cli.listing import CommandList
from witnessmark.cli.output import screen
from witnessmark.core.errors import UsageError
from witnessmark.core.tallies import DAY_S, TallyStore
from witnessmark.core.verdict import amount
from witnessmark.insight import prometheus
from witnessmark.insight.alerting import delivery
from witnessmark.insight.alerts import alerts
from witnessmark.insight.dictionary import BY_NAME, DICTIONARY
from witnessmark.insight.figure import MIN_SAMPLE, Figure
from witnessmark.insight.metrics import breakdowns, figures_of
from witnessmark.insight.period import PeriodData, gather
from witnessmark.insight.roi import FAILURE_USD, RETRY_USD, compute_roi, retry_pays
from witnessmark.stores import scores

T = TypeVar("T")
app = typer.Typer(
    help="Show the figures of what was verified, with their intervals.",
    cls=CommandList,
    invoke_without_command=True,
    rich_markup_mode=None,
)
DaysOption = Annotated[
    float | None, typer.Option("--days", min=1, help="Only the last N days; all of them by default.")
]


@app.callback()
def metrics(
    context: typer.Context,
    store: opt.StoreOption = None,
    config: opt.ConfigOption = None,
    workspace: opt.WorkspaceOption = None,
    days: DaysOption = None,
    json: opt.JsonOption = False,
) -> None:
    """Show every figure of the dictionary: value, interval, sample, target and state; unknown until there is enough."""
    context.obj = {"store": store, "config": config, "workspace": workspace}
    if context.invoked_subcommand is not None:
        return
    found = _gathered(config, store, workspace, days)
    figures = figures_of(found)
    if json:
        screen.echo_json({"figures": figures, "by": breakdowns(found), "alerts": alerts(figures)})
        return
    _shown(figures, found)


def _shown(figures: dict[str, Figure], found: PeriodData) -> None:
    screen.table(("metric", "value", "between", "n", "target", "state"), [figure_row(f) for f in figures.values()])
    for alert in alerts(figures):
        typer.echo(f"\n{alert.severity}: {alert.title}: {alert.message}\n  {alert.advice}")
    if not found.count():
        typer.echo("\nnothing verified yet; start with `witnessmark verify case.json`")
        return
    if any(figure.state == "unknown" and 0 < figure.n < MIN_SAMPLE for figure in figures.values()):
        typer.echo(f"\nunknown: a figure is shown from {MIN_SAMPLE} cases on (n)")
    if figures["catch_rate"].state == "unknown":
        typer.echo(
            "\ncatch and rejection rates need known outcomes;\n`witnessmark outcome ID --outcome pass|fail` records one"
        )


_STATES = {"below_target": "off target"}
"""How a state is told where its name misleads: of a share that is to be low, off target is above it."""


def figure_row(figure: Figure) -> tuple[str, ...]:
    """A figure as a row of the table: value, interval, sample, target and state."""
    metric = BY_NAME[figure.name]
    between = "–" if figure.value is None or figure.low is None else f"{figure.low:.2f} to {figure.high:.2f}"
    target = "–" if metric.target is None else f"{'≥' if metric.better == 'higher' else '≤'} {metric.target:.2f}"
    value = (
        "unknown" if figure.value is None else f"{figure.value:.4f}" if metric.unit == "usd" else f"{figure.value:.2f}"
    )
    return figure.name, value, between, str(figure.n), target, _STATES.get(figure.state, figure.state)


@app.command("dictionary")
def dictionary(json: opt.JsonOption = False) -> None:
    """Explain every figure: its exact numerator and denominator, and what others call it."""
    for metric in DICTIONARY:
        if json:
            screen.echo_json(metric)
            continue
        also = f"\n    elsewhere: {'; '.join(metric.aliases)}" if metric.aliases else ""
        typer.echo(f"{metric.name}: {metric.meaning}\n    {metric.numerator}\n    / {metric.denominator}{also}")


@app.command("by")
def by(
    context: typer.Context,
    store: opt.StoreOption = None,
    config: opt.ConfigOption = None,
    workspace: opt.WorkspaceOption = None,
    days: DaysOption = None,
    json: opt.JsonOption = False,
) -> None:
    """Show the figures by level (checkpoint), agent, and category of finding."""
    found = _gathered(*opt.above(context, store, workspace, config), days)
    broken_down = breakdowns(found)
    if json:
        screen.echo_json(broken_down)
        return
    rows = [
        (what, name, *figure_row(figure)[1:4])
        for what, figures in broken_down.items()
        for name, figure in figures.items()
    ]
    screen.table(("metric", "of", "value", "between", "n"), rows)


@app.command("worth")
def worthwhile(
    context: typer.Context,
    failure_usd: Annotated[float, typer.Option(min=0.0, help="What an uncaught failure costs.")] = FAILURE_USD,
    retry_usd: Annotated[float, typer.Option(min=0.0, help="What one retry costs.")] = RETRY_USD,
    store: opt.StoreOption = None,
    config: opt.ConfigOption = None,
    workspace: opt.WorkspaceOption = None,
    days: DaysOption = None,
    json: opt.JsonOption = False,
) -> None:
    """Show whether verifying pays: what it cost compared with the failures it stopped, and whether a retry is worth its price."""
    found = _gathered(*opt.above(context, store, workspace, config), days)
    report = compute_roi(found, failure_usd=failure_usd, retry_usd=retry_usd)
    success = figures_of(found)["retry_success"].value
    retry = None if success is None else retry_pays(success, retry_usd, failure_usd)
    if json:
        screen.echo_json({"worth": report, "retry": retry})
        return
    typer.echo(f"spent verifying           ${report.spent_usd:.4f}")
    if report.net_usd is None:
        typer.echo("prevented                 unknown: no outcome is known; `witnessmark outcome` records one")
    else:
        typer.echo(f"failures stopped          {report.caught}, worth ${report.prevented_usd:.4f}")
        typer.echo(f"good work sent back       {report.falsely_rejected}, at ${report.wasted_usd:.4f}")
        typer.echo(
            f"net                       ${report.net_usd:.4f}: {'it pays' if report.pays else 'it does not pay'}"
        )
    share = retry_usd / failure_usd if failure_usd else 1.0
    typer.echo(f"a retry pays              from a success rate of {share:.0%} on")


@app.command("prometheus")
def exposition(context: typer.Context, store: opt.StoreOption = None, config: opt.ConfigOption = None) -> None:
    """Print the figures of all workspaces in Prometheus's text format."""
    config, store, _ = opt.above(context, store, config=config)
    chosen = opt.settings(config, store).calibration
    typer.echo(with_counts(config, store, None, lambda kept, _: prometheus.text(kept, None, chosen)), nl=False)


@app.command("export")
def export(
    context: typer.Context,
    out: Annotated[Path, typer.Argument(metavar="FILE", help="A .jsonl or .parquet file; - is standard output.")],
    store: opt.StoreOption = None,
    config: opt.ConfigOption = None,
    workspace: opt.WorkspaceOption = None,
) -> None:
    """Write one row per run with its verifier_score, as JSON lines or Parquet, without any judged text."""
    config, store, workspace = opt.above(context, store, workspace, config)

    async def work(kept: Any, space: str) -> int:
        if out.suffix == ".parquet":
            return await scores.write_parquet(kept, out, space)
        if str(out) == "-":
            return await scores.write_lines(kept, sys.stdout.buffer, space)
        with out.open("wb") as file:
            return await scores.write_lines(kept, file, space)

    opt.in_a_folder("FILE", str(out))
    with opt.writable(str(out)):
        count = with_counts(config, store, workspace, work)
    typer.echo(amount(count, "row"), err=True)


@app.command("alert")
def alert(
    context: typer.Context,
    store: opt.StoreOption = None,
    config: opt.ConfigOption = None,
    workspace: opt.WorkspaceOption = None,
    json: opt.JsonOption = False,
) -> None:
    """Look for alerts; what is newly raised goes to the log and the configured webhook. Exit code 1 while one is raised."""
    config, store, workspace = opt.above(context, store, workspace, config)
    held = opt.settings(config, store)
    how = held.alerting
    given = {"calibration": held.calibration, "secret": os.environ.get(how.secret_env, "")}
    raised = with_counts(config, store, workspace, lambda kept, space: delivery.watch(kept, space, how, **given))
    for one in raised:
        if json:
            screen.echo_json(one)
        else:
            typer.echo(f"{one.severity}: {one.title}: {one.message}\n  {one.advice}")
    if not raised and not json:
        typer.echo("no alert")
    raise typer.Exit(1 if raised else 0)


def _gathered(config: str | None, store: str | None, workspace: str | None, days: float | None) -> PeriodData:
    return with_counts(config, store, workspace, lambda kept, space: gather(kept, space, since(days)))


def since(days: float | None) -> float | None:
    """The second that so many days ago began."""
    return None if days is None else max(0.0, (time.time() // DAY_S - days + 1) * DAY_S)


def with_counts(
    config: str | None, store: str | None, workspace: str | None, work: Callable[[Any, str], Awaitable[T]]
) -> T:
    """Do something with a store that keeps counts, and close it."""
    found = opt.settings(config, store, workspace)

    async def counted(kept: Any) -> T:
        if not isinstance(kept, TallyStore):
            raise UsageError("this store keeps no counts; SQLite, PostgreSQL and memory do")
        return await work(kept, found.workspace)

    return opt.with_store(config, store, counted)
