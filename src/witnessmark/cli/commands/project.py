"""Starting out and finding out: init, doctor."""

from __future__ import annotations

import asyncio
import importlib.util
import platform
import sys
from importlib import resources
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from witnessmark import config as config_files
from witnessmark._version import __version__
from witnessmark.checks.grounding.confidence import Verification
from witnessmark.cli import options as opt
from witnessmark.cli.commands import judges
from witnessmark.cli.settings_help import settings_file
from witnessmark.core import registry
from witnessmark.core.errors import ConfigError, UsageError, WitnessmarkError
from witnessmark.core.plans.checkpoints import checkpoints
from witnessmark.core.record import Query
from witnessmark.insight.calibrated_results import in_force
from witnessmark.judges import local
from witnessmark.settings import Settings
from witnessmark.stores import open_store, without_password


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
    """Show what is installed, which store is used, and how to fix what is missing or wrong; exit code 1 if anything is."""
    missing = 0
    typer.echo(f"ok       witnessmark {__version__}, Python {platform.python_version()} on {sys.platform}")
    settings = Settings()
    try:
        settings, file = config_files.load(config)
    except ConfigError as exc:
        missing += 1
        typer.echo(f"wrong    {exc}\n         until this is fixed, what follows describes the default settings")
    else:
        typer.echo(
            f"ok       settings from {file}" if file else "ok       no settings file; `witnessmark init` writes one"
        )
        missing += asyncio.run(_store_lacks(config, store))
    missing += judges.say_reachable(settings)
    missing += say_at_hand(settings.verification)
    for extra in EXTRAS:
        there = extra.there()
        hint = "" if there else f"; pip install 'witnessmark[{extra.name}]' for {extra.what}"
        typer.echo(f"{'ok      ' if there else 'optional'} extra {extra.name}{hint}")
    for known in (registry.checks, checkpoints):
        known.all()
        for name, why in known.broken.items():
            missing += 1
            typer.echo(f"missing  {known.what} {name} does not load: {why}; update or remove its package")
    raise typer.Exit(1 if missing else 0)


async def _store_lacks(config: str | None, store: str | None) -> int:
    """Say whether the store answers and keeps the calibration that the settings name; 1 where it does not."""
    try:
        settings = opt.settings(config, store)
        kept = open_store(str(settings.store))
    except WitnessmarkError as exc:
        typer.echo(f"missing  {exc}")
        return 1
    try:
        found = await kept.find(Query(workspace=settings.workspace, limit=1))
        typer.echo(
            f"ok       store {without_password(str(settings.store))}" + ("" if found else ", nothing verified yet")
        )
        if settings.calibration not in (None, "none"):
            used = await in_force(kept, settings.workspace, settings.calibration)
            typer.echo(f"ok       calibration {used.ref if used else settings.calibration}")
    except WitnessmarkError as exc:
        typer.echo(f"missing  {exc}")
        return 1
    finally:
        await kept.close()
    return 0


class Extra(NamedTuple):
    """An extra: the modules it brings, and what they are for."""

    name: str
    modules: tuple[str, ...]
    what: str

    def there(self) -> bool:
        """Whether all of it can be imported; imports nothing of it."""
        return all(_found(module) for module in self.modules)


def _found(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # the package around it is missing
        return False


EXTRAS = (
    Extra("local", ("witnessmark_local",), "the embedded model"),
    Extra("local-large", ("witnessmark_local_large",), "the larger embedded model"),
    Extra("pdf", ("pypdf",), "evidence in PDF files"),
    Extra("postgres", ("psycopg",), "records in PostgreSQL"),
    Extra("service", ("fastapi", "python_multipart", "uvicorn"), "`witnessmark serve`"),
    Extra("parquet", ("pyarrow",), "Parquet files"),
    Extra("ray", ("pyarrow", "ray"), "batches on a Ray cluster"),
    Extra("mcp", ("mcp",), "`witnessmark mcp`"),
    Extra("otel", ("opentelemetry.sdk",), "OpenTelemetry"),
    Extra("pydantic-ai", ("pydantic_ai",), "agents of Pydantic AI"),
    Extra("openai-agents", ("agents",), "the OpenAI Agents SDK"),
    Extra("langgraph", ("langgraph",), "graphs of LangGraph"),
    Extra("langchain", ("langchain_core",), "retrievers of LangChain"),
    Extra("instructor", ("instructor",), "fields verified with instructor"),
)


def say_at_hand(verification: Verification) -> int:
    """Say it of each model; 1 where one is named in the settings and not there or not whole."""
    wanted = verification.model
    runtime = all(importlib.util.find_spec(module) is not None for module in local.RUNTIME)
    short = 0
    for name in local.PACKAGES:
        why = local.missing(name)
        # The large one is asked beside the small one. Whoever installed the runtime wants the small one.
        needed = wanted in (name, "local-large") or (wanted == "auto" and name == "local" and runtime)
        short += bool(why) and needed
        word = "missing " if why and needed else "optional" if why else "ok      "
        typer.echo(f"{word} model {name}: {why or local.described(name)}")
    used = "local" if wanted == "auto" and not local.missing("local") else "rules" if wanted == "auto" else wanted
    alone = " alone: no embedded model reads them" if used == "rules" else ""
    typer.echo(f"ok       answers are checked by {used}{alone} (verification.model = {wanted!r})")
    return int(short > 0) or _broken(verification, used)


def _broken(verification: Verification, used: str) -> int:
    """Load the model that would be used, so that a damaged file is found here and not at the first answer."""
    try:
        local.choose(used, device=verification.device)
    except WitnessmarkError as exc:
        typer.echo(f"missing  {exc}")
        return 1
    return 0
