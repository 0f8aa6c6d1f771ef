"""The MCP server over streamable HTTP: who may reach it. Off this machine, nobody without a key unless that is asked for."""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from witnessmark.core.errors import InputError, UsageError

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

SHORTEST_KEY = 16
PATH = "/mcp"


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach it."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def read_keys(text: str) -> tuple[str, ...]:
    """Keys, one a line; empty lines and lines that begin with # are left out. A short one is refused."""
    lines = (line.strip() for line in text.splitlines())
    keys = tuple(line for line in lines if line and not line.startswith("#"))
    if any(len(key) < SHORTEST_KEY or not key.isascii() for key in keys):
        raise InputError(f"key: a key has at least {SHORTEST_KEY} ASCII characters; `openssl rand -hex 32` makes one")
    return keys


def refuse_strangers(host: str, keys: Sequence[str], anyone: bool) -> None:
    """Serving other machines needs keys, or somebody who says that anyone may."""
    if not is_loopback(host) and not keys and not anyone:
        raise UsageError(
            f"--host {host}: other machines could verify and override without a key; give --key-file FILE, "
            "or --anyone where something else keeps strangers out"
        )


def application(server: MCPServer[Any], host: str, keys: Sequence[str], max_bytes: int) -> Any:
    """The ASGI application at /mcp; with keys, a request without one is answered 401 and goes no further."""
    inner: Any = server.streamable_http_app(streamable_http_path=PATH, max_request_body_size=max_bytes, host=host)
    if not keys:
        return inner
    known = [f"Bearer {key}".encode() for key in keys]

    async def guarded(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http" or _allowed(scope, known):
            await inner(scope, receive, send)
            return
        head = [(b"content-type", b"text/plain; charset=utf-8"), (b"www-authenticate", b"Bearer")]
        await send({"type": "http.response.start", "status": 401, "headers": head})
        await send({"type": "http.response.body", "body": b"send a key: Authorization: Bearer KEY\n"})

    return guarded


def _allowed(scope: Any, known: Sequence[bytes]) -> bool:
    given = next((value for name, value in scope["headers"] if name == b"authorization"), b"")
    same = [hmac.compare_digest(given, key) for key in known]  # all of them are compared, so that time tells nothing
    return any(same)


async def serve(server: MCPServer[Any], host: str, port: int, keys: Sequence[str], max_bytes: int) -> None:
    """Serve until stopped."""
    import uvicorn

    app = application(server, host, keys, max_bytes)
    await uvicorn.Server(uvicorn.Config(app, host=host, port=port, log_level="warning")).serve()
