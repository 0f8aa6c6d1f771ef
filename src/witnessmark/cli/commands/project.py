"""Starting out and finding out: init, doctor."""

from __future__ import annotations

import asyncio
import platform
import sys
from importlib import resources
from pathlib import Path
from typing import Annotated

import typer

from witnessmark import config as config_files
from witnessmark._version import __version__
from witnessmark.cli import extras, models
from witnessmark.cli import options as opt
from witnessmark.cli.commands import judges
from witnessmark.cli.settings_help import settings_file
from witnessmark.core import registry
from witnessmark.core.errors import UsageError, WitnessmarkError
from witnessmark.core.policy import Policy, layered
from witnessmark.core.record import Query
from witnessmark.settings import Settings
from witnessmark.stores import open_store, without_password


def add_to(app: typer.Typer) -> None:
    """Put the commands into the application."""
    app.command()(init)
    app.command()(doctor)


def init(
    folder: Annotated[str, typer.Argument(help="The folder to write to; it is created where it does not exist.")] = ".",
    force: Annotated[bool, typer.Option("--force", help="Replace files that are already there.")] = False,
) -> None:
    """Write a commented witnessmark.toml and a first case."""
    place = Path(folder)
    case = resources.files("witnessmark.cli").joinpath("templates", "case.json").read_text(encoding="utf-8")
    texts = {"witnessmark.toml": settings_file(), "case.json": case}
    targets = {name: place / name for name in texts}
    there = [path.name for path in targets.values() if path.exists()]
    if there and not force:
        raise UsageError(f"{', '.join(there)} already there; --force replaces, or give another folder")
    try:
        place.mkdir(parents=True, exist_ok=True)
        for name, path in targets.items():
            path.write_text(texts[name], encoding="utf-8")
    except OSError as exc:
        raise UsageError(f"{folder}: cannot be written ({exc.strerror})") from None
    typer.echo(
        f"wrote {', '.join(str(path) for path in targets.values())}\nnext: witnessmark verify {targets['case.json']}"
    )


def doctor(store: opt.StoreOption = None, config: opt.ConfigOption = None) -> None:
    """Say what is installed, which store is used, and what to do about what is missing; exit code 1 where something is."""
    missing = 0
    typer.echo(f"ok       witnessmark {__version__}, Python {platform.python_version()} on {sys.platform}")
    settings = Settings()
    try:
        settings, file = config_files.load(config)
        typer.echo(
            f"ok       settings from {file}" if file else "ok       no settings file; `witnessmark init` writes one"
        )
        _check_policies(settings)
        missing += not asyncio.run(_store_answers(str(opt.settings(config, store).store), settings.workspace))
    except WitnessmarkError as exc:
        missing += 1
        typer.echo(f"missing  {exc}")
    missing += judges.say_reachable(settings)
    missing += models.say_at_hand(settings.verification)
    for extra in extras.EXTRAS:
        there = extra.there()
        hint = "" if there else f"; pip install 'witnessmark[{extra.name}]' for {extra.what}"
        typer.echo(f"{'ok      ' if there else 'optional'} extra {extra.name}{hint}")
    for known in (registry.checks, registry.checkpoints):
        known.all()
        for name, why in known.broken.items():
            missing += 1
            typer.echo(f"missing  {known.what} {name} does not load: {why}; update or remove its package")
    raise typer.Exit(1 if missing else 0)


def _check_policies(settings: Settings) -> None:
    """Raise ConfigError where a policy of the settings could not be used, which otherwise shows with the first case."""
    layered(Policy(), {"workspace": settings.policy})
    for given in settings.users.values():
        layered(Policy(), {"workspace": settings.policy, "user": given})


async def _store_answers(url: str, workspace: str) -> bool:
    kept = open_store(url)
    try:
        found = await kept.find(Query(workspace=workspace, limit=1))
    except WitnessmarkError as exc:
        typer.echo(f"missing  {exc}")
        return False
    finally:
        await kept.close()
    typer.echo(f"ok       store {without_password(url)}" + ("" if found else ", nothing verified yet"))
    return True
