"""Judges: which there are, whether they are qualified, and whether they can be reached."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from witnessmark.cli import exits
from witnessmark.cli import options as opt
from witnessmark.cli.listing import CommandList
from witnessmark.cli.output import screen
from witnessmark.core.errors import ConfigError, InputError, UsageError, WitnessmarkError
from witnessmark.core.protocols import Judge
from witnessmark.core.record import Store
from witnessmark.core.tallies import TallyStore
from witnessmark.judges import examples, pool
from witnessmark.judges.qualification import (
    MIN_COMPLIANCE,
    MIN_KAPPA,
    Qualification,
    QualificationItem,
    override_items,
    qualification_of,
    qualify,
)
from witnessmark.judges.specs import vendors
from witnessmark.settings import Settings
from witnessmark.stores import open_store

COLUMNS = ("judge", "model", "family", "endpoint", "price", "qualified")
app = typer.Typer(
    help="List judges, or qualify one.", cls=CommandList, invoke_without_command=True, rich_markup_mode=None
)


@app.callback()
def judges(
    context: typer.Context, json: opt.JsonOption = False, store: opt.StoreOption = None, config: opt.ConfigOption = None
) -> None:
    """List the judges of the configuration, with their families, prices and whether they are qualified."""
    if context.invoked_subcommand is not None:
        return
    found = opt.settings(config, store)
    rows = asyncio.run(_rows(found))
    if json:
        for row in rows:
            typer.echo(msgspec.json.encode(dict(zip(COLUMNS, row, strict=True))).decode())
    elif rows:
        screen.table(COLUMNS, rows)
    else:
        ready = ", ".join(f"{vendor}/MODEL" for vendor in vendors())
        typer.echo(
            f"no judge is configured; --judge takes {ready} or URL#MODEL, [judges.NAME] in witnessmark.toml names one"
        )


async def _rows(found: Settings) -> list[tuple[str, ...]]:
    kept = open_store(str(found.store))
    try:
        return [_row(judge, await _qualification(judge, kept)) for judge in pool.maker(found, kept).all()]
    finally:
        await kept.close()


async def _qualification(judge: Judge, kept: Store) -> Qualification | None:
    return await qualification_of(judge, pool.notes_of(kept))


def _row(judge: Judge, made: Qualification | None) -> tuple[str, ...]:
    inner: Any = getattr(judge, "judge", judge)
    price = f"${inner.price.input:g} in, ${inner.price.output:g} out" if inner.price else "unknown"
    said = "not yet" if made is None else f"{'yes' if made.qualified else 'no'}, kappa {made.kappa:.2f}"
    return judge.id, inner.model, judge.family or "unknown", inner.endpoint.url, price, said


@app.command("qualify")
def qualify_one(
    name: Annotated[
        str, typer.Argument(help="A judge of the configuration, openai/MODEL, anthropic/MODEL, URL#MODEL.")
    ],
    overrides: Annotated[
        bool, typer.Option("--overrides", help="Ask about work that people decided on, instead of the shipped set.")
    ] = False,
    store: opt.StoreOption = None,
    config: opt.ConfigOption = None,
    workspace: opt.WorkspaceOption = None,
) -> None:
    """Run the qualification set through a judge and keep the result; exit code 1 if it does not qualify.

    With --overrides the questions are those that people answered by overriding a verdict or recording an outcome: whether a judge, or a
    prompt that was changed, agrees with them. That result is shown and not kept.
    """
    made = asyncio.run(_qualified(opt.settings(config, store, workspace), name, overrides))
    verdict = "qualified" if made.qualified else "not qualified"
    cost = "unknown cost" if made.usage.cost_usd is None else f"${made.usage.cost_usd:.4f}"
    typer.echo(
        f"{name}: {verdict}\n"
        f"  replies that fit the schema at once  {made.compliance:.3f}  (at least {MIN_COMPLIANCE})\n"
        f"  agreement beyond chance, kappa       {made.kappa:.3f}  (at least {MIN_KAPPA})\n"
        f"  right answers                        {made.accuracy:.3f}  of {made.answered} answered, {made.items} asked\n"
        f"  spent                                {made.usage.tokens} tokens, {cost}"
    )
    raise typer.Exit(exits.PASS if made.qualified else exits.FAIL)


@app.command("lint-examples")
def lint_examples(
    file: Annotated[
        Path, typer.Argument(help="Worked examples for a judge's prompt: TOML with [[example]] tables.", metavar="FILE")
    ],
) -> None:
    """Report what a set of worked examples would teach wrongly; exit code 1 if anything."""
    try:
        found = examples.load(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as exc:
        raise InputError(f"{file}: cannot be read ({exc})") from None
    except ConfigError as exc:
        raise InputError(f"{file}: {exc}") from None
    wrong = examples.lint(found)
    for line in wrong:
        typer.echo(f"{file.name}: {line}")
    if not wrong:
        shown = ", ".join(f"{one.quality} {one.value:.2f} ({one.complexity})" for one in examples.select(found))
        typer.echo(f"{file.name}: {len(found)} examples, no problems found; a prompt would show {shown}")
    raise typer.Exit(exits.FAIL if wrong else exits.PASS)


async def _qualified(found: Settings, name: str, overrides: bool = False) -> Qualification:
    kept = open_store(str(found.store))
    made = pool.maker(msgspec.structs.replace(found, judging=msgspec.structs.replace(found.judging, cache=False)))
    (judge,) = made.named([name])
    step = _progress()
    try:
        if overrides:
            items = await _overridden(kept, found.workspace)
            return await qualify(judge, items, told=lambda item, answer: step())
        return await qualify(judge, notes=pool.notes_of(kept), told=lambda item, answer: step())
    except WitnessmarkError as exc:
        raise UsageError(f"judge {name} cannot be qualified: {exc}") from None
    finally:
        await judge.close()  # type: ignore[attr-defined] # the maker makes judges that close
        await kept.close()


async def _overridden(kept: Store, workspace: str) -> tuple[QualificationItem, ...]:
    if not isinstance(kept, TallyStore):
        raise UsageError("--overrides: this store does not know whose work people decided on")
    items = await override_items(kept, kept, workspace)
    if not items:
        raise UsageError("--overrides: nobody has decided on judged work that was kept; `witnessmark override ID` does")
    return items


def _progress() -> Any:
    count = 0

    def step() -> None:
        nonlocal count
        count += 1
        if sys.stderr.isatty():
            sys.stderr.write(f"\r{count} asked ")
            sys.stderr.flush()

    return step


def say_reachable(found: Settings) -> int:
    """One line for each configured judge; says how many cannot be reached."""
    if not found.judges:
        typer.echo("ok       no judge is configured: deterministic checks run, criteria in words stay unverified")
        return 0
    return asyncio.run(_reached(found))


async def _reached(found: Settings) -> int:
    missing = 0
    made = pool.maker(msgspec.structs.replace(found, judging=msgspec.structs.replace(found.judging, cache=False)))
    for judge in made.all():
        inner: Any = judge
        try:
            await inner.reach()
            typer.echo(f"ok       judge {judge.id}: {inner.endpoint.url} answers")
        except WitnessmarkError as exc:
            missing += 1
            typer.echo(f"missing  judge {judge.id}: {exc}")
        finally:
            await inner.close()
    return missing
