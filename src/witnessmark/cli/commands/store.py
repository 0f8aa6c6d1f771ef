"""The store's schema: store status, store migrate. What a rolling upgrade asks for."""

from __future__ import annotations

import typer

from witnessmark.cli import options as opt
from witnessmark.cli.listing import CommandList
from witnessmark.core.errors import UsageError
from witnessmark.core.record import Store
from witnessmark.stores import without_password
from witnessmark.stores.sql import SqlStore

store_app = typer.Typer(
    help="Show the store's schema version, or bring it up to date.", cls=CommandList, rich_markup_mode=None
)


@store_app.command()
def status(store: opt.StoreOption = None, config: opt.ConfigOption = None) -> None:
    """Show which schema steps have run and which this version would add; changes nothing. Exit code 1 if some are missing."""
    url = str(opt.settings(config, store).store)
    done, missing = opt.with_store(config, store, lambda kept: _sql(kept).migration_state())
    typer.echo(f"store {without_password(url)}: {len(done)} schema steps done, {len(missing)} to do")
    for name in missing:
        typer.echo(f"  to do: {name}")
    raise typer.Exit(1 if missing else 0)


@store_app.command()
def migrate(store: opt.StoreOption = None, config: opt.ConfigOption = None) -> None:
    """Run the schema steps that are missing, as opening the store would; run it once before a rolling upgrade."""
    url = str(opt.settings(config, store).store)
    ran = opt.with_store(config, store, _migrated)
    for name in ran:
        typer.echo(f"ran {name}")
    typer.echo(f"store {without_password(url)}: up to date")


async def _migrated(kept: Store) -> list[str]:
    _, missing = await _sql(kept).migration_state()
    await _sql(kept).migrate()
    return missing


def _sql(kept: Store) -> SqlStore:
    if not isinstance(kept, SqlStore):
        raise UsageError("store: has no schema; name a SQLite or PostgreSQL store")
    return kept
