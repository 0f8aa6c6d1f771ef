"""The service and its keys: serve, keys create, keys list, keys revoke."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Annotated, Any, TypeVar

import msgspec
import typer

from witnessmark.cli import options as opt
from witnessmark.cli.listing import CommandList
from witnessmark.cli.output import screen
from witnessmark.core.errors import ConfigError

T = TypeVar("T")
keys_app = typer.Typer(help="Create, list and revoke the service's API keys.", cls=CommandList, rich_markup_mode=None)


def serve(
    host: Annotated[
        str, typer.Option(help="Address to listen on; anything but loopback needs API keys.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 picks a free one.")] = 8000,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Number of processes.")] = 1,
    store: opt.StoreOption = None,
    config: opt.ConfigOption = None,
    workspace: opt.WorkspaceOption = None,
    judge: opt.JudgeOption = None,
    allow_same_family: opt.AllowSameFamilyOption = False,
    policy: opt.PolicyOption = None,
    deadline: opt.DeadlineOption = None,
    budget_usd: opt.BudgetUsdOption = None,
    budget_tokens: opt.BudgetTokensOption = None,
) -> None:
    """Serve the HTTP API and the dashboard, over the same store that `witnessmark verify` writes to."""
    _installed()
    from witnessmark.server.uvicorn_server import serve as run

    limits = opt.limits(deadline, budget_usd, budget_tokens)
    found = opt.settings(config, store, workspace, **limits, judges=judge, allow_same_family=allow_same_family)
    found = opt.with_policy_file(found, policy)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    run(found, host=host, port=port, workers=workers, say=typer.echo)


def _installed() -> None:
    try:
        import fastapi  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError:
        raise ConfigError("the service needs the extra: pip install 'witnessmark[service]'") from None


async def _with_store(store: str | None, config: str | None, work: Callable[[Any], Awaitable[T]]) -> T:
    from witnessmark.stores.service_store import open_service_store

    kept = open_service_store(str(opt.settings(config, store).store))
    try:
        return await work(kept)
    finally:
        await kept.close()


@keys_app.command("create")
def create(
    name: Annotated[str, typer.Argument(help="What the key is for; shown in the audit log.")],
    role: Annotated[
        str, typer.Option(help="verify: send and read · review: also overrides and outcomes · admin: everything.")
    ] = "verify",
    workspace: opt.WorkspaceOption = None,
    rate_per_minute: Annotated[
        int | None, typer.Option(min=0, help="Maximum requests per minute; 0 for no limit.")
    ] = None,
    store: opt.StoreOption = None,
    config: opt.ConfigOption = None,
    json: opt.JsonOption = False,
) -> None:
    """Create a key for a workspace. It is shown only once; the store keeps a digest."""
    from witnessmark.server.auth import keys

    space = workspace or str(opt.settings(config, store).workspace)
    secret, key = asyncio.run(
        _with_store(
            store,
            config,
            lambda kept: keys.create(kept, workspace=space, role=role, name=name, rate_per_minute=rate_per_minute),
        )
    )
    if json:
        told = {"key": secret, "id": key.id, "workspace": key.workspace, "role": key.role, "name": key.name}
        typer.echo(msgspec.json.encode(told).decode())
        return
    typer.echo(secret)
    typer.echo(f"key {key.id} for workspace {space}, role {role}; it is not shown again", err=True)


@keys_app.command("list")
def list_keys(
    workspace: opt.WorkspaceOption = None,
    store: opt.StoreOption = None,
    config: opt.ConfigOption = None,
    json: opt.JsonOption = False,
) -> None:
    """List keys, without their secrets."""
    from witnessmark.server.auth import keys

    found = asyncio.run(_with_store(store, config, lambda kept: keys.listed(kept, workspace)))
    if json:
        for key in found:
            typer.echo(msgspec.json.encode(key).decode())
        return
    if not found:
        typer.echo("no keys yet; `witnessmark keys create NAME` makes one")
        return
    rows = [(k.id, k.name, k.workspace, k.role, _when(k.created_at), _when(k.revoked_at)) for k in found]
    screen.table(("key", "name", "workspace", "role", "made", "revoked"), rows)


def _when(at: float | None) -> str:
    return "" if at is None else datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%SZ")


@keys_app.command("revoke")
def revoke(
    key_id: Annotated[str, typer.Argument(metavar="ID", help="The key's id, from `keys list`.")],
    store: opt.StoreOption = None,
    config: opt.ConfigOption = None,
) -> None:
    """Revoke a key: within a few seconds neither it nor a session of it works."""
    from witnessmark.server.auth import keys

    key = asyncio.run(_with_store(store, config, lambda kept: keys.revoke(kept, key_id)))
    typer.echo(f"key {key.id} ({key.name}) is revoked")
