"""Calibration against people's labels: fit, show, what-if, apply. What is applied is a choice, never an effect of fitting."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
import typer

from witnessmark.cli import options as opt
from witnessmark.cli.commands.metrics import with_counts
from witnessmark.cli.listing import CommandList
from witnessmark.cli.output import screen
from witnessmark.core.errors import UsageError
from witnessmark.core.verdict import amount
from witnessmark.insight import artifacts
from witnessmark.insight import calibration as cal
from witnessmark.insight import samples as read_samples
from witnessmark.insight.calibrated_results import covering
from witnessmark.insight.samples import Sample
from witnessmark.insight.thresholds import moved
from witnessmark.insight.values import Calibration, Fit
from witnessmark.insight.weights import WeightFit, fit_weights

app = typer.Typer(
    help="Calibrate confidence from overrides and outcomes.",
    cls=CommandList,
    no_args_is_help=True,
    rich_markup_mode=None,
)
DataOption = Annotated[
    str | None, typer.Option("--data", metavar="FILE", help="Labelled results as JSON lines, in place of the store's.")
]
RefArgument = Annotated[str, typer.Argument(metavar="NAME", help="name@version, or a name for its newest version.")]


@app.command()
def fit(
    data: DataOption = None,
    name: Annotated[str, typer.Option(help="What to call it; each fit is a new version.")] = "calibration",
    risk: Annotated[
        float, typer.Option(min=0.001, max=0.5, help="How often accepted verdicts may be wrong, as a share.")
    ] = 0.05,
    confidence: Annotated[float, typer.Option(min=0.5, max=0.999, help="At this confidence.")] = 0.90,
    store: opt.StoreOption = None,
    config: opt.ConfigOption = None,
    workspace: opt.WorkspaceOption = None,
    json: opt.JsonOption = False,
) -> None:
    """Fit a calibration to overrides and outcomes, or to a file of labels, and keep it; nothing is applied yet."""

    async def work(kept: Any, space: str) -> Calibration:
        samples = await _samples(kept, space, data)
        made = cal.fit(samples, name=name, workspace=space, risk=risk, confidence=confidence)
        return await artifacts.keep(kept, made)

    made = with_counts(config, store, workspace, work)
    _told(made, json)
    if not json and covering(made):
        typer.echo(
            f"\nkept as {made.ref}; `witnessmark calibrate what-if {made.ref}`, then `witnessmark calibrate apply {made.ref}`"
        )
    elif not json:
        typer.echo(f"\nkept as {made.ref}; nothing could be fitted, so applying it would change nothing")


@app.command()
def show(
    ref: Annotated[str | None, typer.Argument(metavar="NAME", help="name@version; left out: list all.")] = None,
    store: opt.StoreOption = None,
    config: opt.ConfigOption = None,
    workspace: opt.WorkspaceOption = None,
    json: opt.JsonOption = False,
) -> None:
    """List the calibrations of a workspace, or show one with its figures."""

    async def work(kept: Any, space: str) -> tuple[tuple[Calibration, ...], Calibration | None]:
        found = (
            (await artifacts.calibration_named(kept, space, ref),)
            if ref
            else await artifacts.stored_calibrations(kept, space)
        )
        return found, await artifacts.calibration_in_force(kept, space)

    found, now = with_counts(config, store, workspace, work)
    if ref or json:
        for made in found:
            _told(made, json)
        return
    rows = [(m.ref, m.samples, len(m.fits), "yes" if now and now.ref == m.ref else "") for m in found]
    if rows:
        screen.table(("calibration", "samples", "sources", "applied"), rows)
    else:
        typer.echo(
            "no calibration yet; `witnessmark calibrate fit --data examples/calibration.jsonl` makes one to look at"
        )


@app.command("what-if")
def what_if(
    ref: Annotated[str | None, typer.Argument(metavar="NAME", help="name@version.")] = None,
    pass_threshold: Annotated[
        float | None, typer.Option(min=0.0, max=1.0, help="What another pass threshold would have changed.")
    ] = None,
    data: DataOption = None,
    store: opt.StoreOption = None,
    config: opt.ConfigOption = None,
    workspace: opt.WorkspaceOption = None,
    json: opt.JsonOption = False,
) -> None:
    """Show what a calibration, or another pass threshold, would have changed for work with a known outcome."""
    if (ref is None) == (pass_threshold is None):
        raise UsageError("what-if: name a calibration, or give --pass-threshold; one of the two")

    async def work(kept: Any, space: str) -> Any:
        if pass_threshold is not None:
            return moved(await kept.labelled(space), pass_threshold)
        return cal.what_if(await artifacts.calibration_named(kept, space, str(ref)), await _samples(kept, space, data))

    found = with_counts(config, store, workspace, work)
    if json:
        screen.echo_json(found)
        return
    for key, value in msgspec.to_builtins(found).items():
        typer.echo(f"{key.replace('_', ' '):<22}{_in_words(value)}")


@app.command()
def apply(
    ref: RefArgument,
    store: opt.StoreOption = None,
    config: opt.ConfigOption = None,
    workspace: opt.WorkspaceOption = None,
) -> None:
    """Apply a calibration in a workspace from now on; `none` removes it. Records name the one that was applied."""
    chosen = None if ref == "none" else ref

    async def work(kept: Any, space: str) -> Calibration | None:
        await artifacts.apply(kept, space, chosen)
        return await artifacts.calibration_in_force(kept, space)

    made = with_counts(config, store, workspace, work)
    empty = made is not None and not covering(made)
    holds = f"{ref} is in force from now on" + (
        ", and changes nothing: none of its sources could be fitted" if empty else ""
    )
    typer.echo("no calibration is in force" if chosen is None else holds)


@app.command()
def weights(
    checkpoint: Annotated[str, typer.Argument(help="Whose checks to weigh, such as decomposition.")],
    store: opt.StoreOption = None,
    config: opt.ConfigOption = None,
    workspace: opt.WorkspaceOption = None,
    json: opt.JsonOption = False,
) -> None:
    """Suggest weights for a checkpoint's checks from work with a known outcome; put them into the policy yourself."""

    async def work(kept: Any, space: str) -> WeightFit:
        return fit_weights(checkpoint, await kept.labelled(space))

    made = with_counts(config, store, workspace, work)
    if json:
        screen.echo_json(made)
        return
    rows = [(name, screen.number(made.in_force[name]), screen.number(made.weights[name])) for name in made.weights]
    screen.table(("check", "weight now", "suggested"), rows)
    now, new = screen.number(made.auroc_in_force), screen.number(made.auroc)
    typer.echo(
        f"\n{amount(made.samples, 'labelled verification')}; AUROC {now} with today's weights, {new} out of fold with these"
    )
    if made.better:
        typer.echo("to use them, put this into witnessmark.toml:\n\n[policy.weights]")
        for name, weight in made.weights.items():
            typer.echo(f"{name} = {weight:g}")
    else:
        typer.echo("not better by more than a point: keep the weights you have")


def _in_words(value: Any) -> str:
    """A value of a result as people read it: a table as its parts, nothing as nothing."""
    if isinstance(value, dict):
        return ", ".join(f"{name}: {_in_words(part)}" for name, part in value.items()) or "none"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(_in_words, value)) or "none"
    return "none" if value is None else screen.number(value) if isinstance(value, float) else str(value)


async def _samples(kept: Any, space: str, data: str | None) -> tuple[Sample, ...]:
    if data is not None:
        with opt.naming(data):
            return read_samples.read(opt.read_bytes(data).splitlines())
    found = await read_samples.labelled(kept, space)
    if not found:
        raise UsageError(
            "no outcome is known yet: record some with `witnessmark override ID` or `witnessmark outcome ID`, or give --data FILE"
        )
    return found


def _told(made: Calibration, json: bool) -> None:
    if json:
        screen.echo_json(made)
        return
    typer.echo(f"{made.ref}: {amount(made.samples, 'labelled result')} of {amount(len(made.fits), 'source')}")
    columns = ("source", "n", "method", "correlation", "AUROC", "kappa", "Brier", "ECE", "ECE after")
    screen.table(columns, [_row(one) for one in made.fits])
    for one in made.fits:
        if one.certificate is not None:
            typer.echo(f"\n{one.source.name}\n  {one.certificate.says}\n  advice: {one.advice}")
    for one in made.fits:
        if one.method == "none":
            typer.echo(f"{one.source.name}: not fitted: {cal.why_none(one.before)}")


def _row(made: Fit) -> tuple[str, ...]:
    found, number = made.before, screen.number
    between = "" if found.auroc_low is None else f" ({number(found.auroc_low)} to {number(found.auroc_high)})"
    after = None if made.after is None else made.after.ece
    return (
        made.source.name, str(found.n), made.method, number(found.point_biserial), f"{number(found.auroc)}{between}",
        number(found.kappa), number(found.brier), number(found.ece), number(after),
    )  # fmt: skip
