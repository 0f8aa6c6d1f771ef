"""`witnessmark mcp`: the MCP server on standard input and output, or over HTTP. Knows no tool of it."""

from __future__ import annotations

import asyncio
import importlib.util
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from witnessmark.actions.tree.tree_options import TreeOptions
from witnessmark.cli import is_closed, world
from witnessmark.cli import options as opt
from witnessmark.core.errors import UsageError


class Transport(StrEnum):
    """How clients reach the server."""

    STDIO = "stdio"
    HTTP = "http"


def mcp(
    transport: Annotated[Transport, typer.Option(help="stdio, or http (streamable HTTP at /mcp).")] = Transport.STDIO,
    host: Annotated[str, typer.Option("--host", help="Address to serve at; for http.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=1, max=65535, help="Port to serve at; for http.")] = 8331,
    key_file: Annotated[
        str | None,
        typer.Option("--key-file", metavar="FILE", help="File with the accepted keys, one per line; for http."),
    ] = None,
    anyone: Annotated[
        bool, typer.Option("--anyone", help="Serve other machines without a key; for http behind a gateway.")
    ] = False,
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
) -> None:
    """Serve verification to agents over the Model Context Protocol."""
    if importlib.util.find_spec("mcp") is None:
        raise UsageError("the MCP server needs its extra: pip install 'witnessmark[mcp]'")
    if transport is Transport.STDIO and is_closed(sys.stdin):
        raise UsageError("standard input is closed, and requests come from there; open it, or use --transport http")
    from witnessmark.integrations.mcp import http, server

    keys = http.read_keys(_read(key_file)) if key_file else ()
    if transport is Transport.HTTP:
        http.refuse_strangers(host, keys, anyone)
    limits = opt.limits(deadline, budget_usd, budget_tokens)
    found = opt.settings(config, store, workspace, **limits, judges=judge, allow_same_family=allow_same_family)
    verifier = opt.verifier(found, policy, TreeOptions(root, before).services(found.probes))
    served = server.server(verifier)

    async def work() -> None:
        async with verifier:
            if transport is Transport.HTTP:
                typer.echo(f"witnessmark: MCP at http://{host}:{port}{http.PATH}", err=True)
                await http.serve(served, host, port, keys, found.max_case_bytes)
            else:
                await served.run_stdio_async()

    asyncio.run(work())


def _read(file: str) -> str:
    try:
        return Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as exc:
        raise UsageError(f"--key-file {file}: cannot be read ({exc})") from None
