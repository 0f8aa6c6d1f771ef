"""The store's schema: store status, store migrate. What a rolling upgrade asks for."""

from __future__ import annotations

import asyncio

import typer

from witnessmark.cli import options as opt
from witnessmark.core.errors import UsageError
from witnessmark.stores import open_store
from witnessmark.stores.sql import SqlStore

store_app = typer.Typer(help="Look at the store's schema, or bring it up to date.", rich_markup_mode=None)


def add_to(app: typer.Typer) -> None:
    """Put the commands into the application."""
    app.add_typer(store_app, name="store")


@store_app.command()
def status(store: opt.StoreOption = None, config: opt.ConfigOption = None) -> None:
    """Say which steps of the schema were run and which this version would add; changes nothing. Exit code 1 if some are missing."""
    url = str(opt.settings(config, store).store)
    done, missing = asyncio.run(_state(url))
    typer.echo(f"store {opt.without_password(url)}: {len(done)} schema steps done, {len(missing)} to do")
    for name in missing:
        typer.echo(f"  to do: {name}")
    raise typer.Exit(1 if missing else 0)


@store_app.command()
def migrate(store: opt.StoreOption = None, config: opt.ConfigOption = None) -> None:
    """Run the schema steps that are missing, as opening the store would; run it once before a rolling upgrade."""
    url = str(opt.settings(config, store).store)
    ran = asyncio.run(_migrated(url))
    for name in ran:
        typer.echo(f"ran {name}")
    typer.echo(f"store {opt.without_password(url)}: up to date")


async def _state(url: str) -> tuple[list[str], list[str]]:
    kept = _sql(url)
    try:
        return await kept.migration_state()
    finally:
        await kept.close()


async def _migrated(url: str) -> list[str]:
    kept = _sql(url)
    try:
        _, missing = await kept.migration_state()
        await kept.migrate()
        return missing
    finally:
        await kept.close()


def _sql(url: str) -> SqlStore:
    kept = open_store(url)
    if not isinstance(kept, SqlStore):
        raise UsageError(f"store {url!r}: has no schema; name a SQLite or PostgreSQL store")
    return kept
