"""uvicorn around the application: a socket, one process or several, and an orderly end.

Off loopback it does not start without keys. Logs hold no content, no key and no query.
"""

from __future__ import annotations

import asyncio
import functools
import gc
import ipaddress
import logging
import socket
import sys
from collections.abc import Callable
from types import FrameType

import uvicorn

from witnessmark.core.errors import ConfigError, UsageError
from witnessmark.server.app import create_app
from witnessmark.server.auth import keys
from witnessmark.server.http.protocol import DeadlineProtocol
from witnessmark.server.supervisor import supervise
from witnessmark.settings import Settings
from witnessmark.stores.service_store import open_service_store

GRACE_S = 20
BACKLOG = 2048
YOUNG = 20_000
"""How many new objects the collector waits for: more than the requests of a moment hold, which free themselves."""
SWITCH_S = 0.001
"""How long a thread beside the event loop may hold the interpreter once the loop wants it."""


class Server(uvicorn.Server):
    """Tells the application at once that the end has come, so that open streams do not hold it up."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start; what is loaded by then stays, so the collector need not look through it again and again."""
        await super().startup(sockets)
        hub = getattr(getattr(self.config.loaded_app, "state", None), "hub", None)
        if hub is not None and hub.workers is not None:
            hub.workers.start()
        gc.collect()
        gc.freeze()
        gc.set_threshold(YOUNG)
        sys.setswitchinterval(SWITCH_S)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """The signal came."""
        app = self.config.loaded_app if self.config.loaded else None
        hub = getattr(getattr(app, "state", None), "hub", None)
        if hub is not None:
            hub.ready = False
            hub.news.close()
        super().handle_exit(sig, frame)


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach it."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def bound(host: str, port: int) -> socket.socket:
    """A socket that listens there; port 0 takes a free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
    except OSError as exc:
        made.close()
        raise UsageError(
            f"--host {host} --port {port}: cannot listen there ({exc.strerror}); take another port"
        ) from None
    made.listen(BACKLOG)
    made.setblocking(False)
    made.set_inheritable(True)
    return made


def serve(
    settings: Settings,
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    workers: int = 1,
    say: Callable[[str], None] = print,
) -> None:
    """Serve until told to stop."""
    keyless = is_loopback(host) and not settings.service.require_key
    asyncio.run(_ready(settings, host, keyless))
    listening = bound(host, port)
    shown = f"[{host}]" if ":" in host else host
    say(
        f"serving http://{shown}:{listening.getsockname()[1]} · {'no key needed here' if keyless else 'a key is needed'}"
    )
    if workers == 1:
        run(settings, listening, keyless, 1)
    else:
        supervise(workers, functools.partial(run, settings, listening, keyless, workers))


def run(settings: Settings, listening: socket.socket, keyless: bool, workers: int) -> None:
    """One process: the application under uvicorn, until the signal comes and what is under way is done."""
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
    config = uvicorn.Config(
        functools.partial(create_app, settings, keyless=keyless, workers=workers),
        factory=True,
        log_config=None,
        access_log=False,
        http=_protocol(settings),
        proxy_headers=False,
        server_header=False,
        lifespan="on",
        timeout_graceful_shutdown=GRACE_S,
        timeout_keep_alive=30,
    )
    Server(config).run(sockets=[listening])


def _protocol(settings: Settings) -> type[DeadlineProtocol]:
    return type("_Protocol", (DeadlineProtocol,), {
        "head_s": settings.service.head_s, "connections_at_once": settings.service.connections,
    })  # fmt: skip


async def _ready(settings: Settings, host: str, keyless: bool) -> None:
    """The store opens, its tables are there, and somebody may come in."""
    store = open_service_store(str(settings.store))
    try:
        if not await keys.any_key(store) and not keyless:
            raise ConfigError(
                f"--host {host}: a key is needed here and there is none; make one with "
                "`witnessmark keys create --role admin NAME`, or serve on 127.0.0.1"
            )
    finally:
        await store.close()
