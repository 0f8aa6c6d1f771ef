"""uvicorn around the application: a socket, one process or several, and an orderly end.

Off loopback it does not start without keys. Logs hold no content, no key and no query.
"""

from __future__ import annotations

import asyncio
import functools
import gc
import ipaddress
import logging
import multiprocessing
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable
from multiprocessing.process import BaseProcess
from types import FrameType

import uvicorn

from witnessmark.core.errors import ConfigError, UsageError
from witnessmark.server.app import create_app
from witnessmark.server.auth import keys
from witnessmark.server.http.protocol import DeadlineProtocol
from witnessmark.settings import Settings
from witnessmark.stores import without_password
from witnessmark.stores.service_store import open_service_store

log = logging.getLogger("witnessmark.server")
LOOK_S = 0.5


def supervise(count: int, work: Callable[[], None]) -> None:
    """Keep so many processes doing the work until a signal comes; then let each finish."""
    context = multiprocessing.get_context("spawn")
    over = threading.Event()

    def stop(sig: int, frame: FrameType | None) -> None:
        over.set()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)

    def start() -> BaseProcess:
        made = context.Process(target=_child, args=(work, os.getpid()))
        made.start()
        return made

    processes = [start() for _ in range(count)]
    while not over.wait(LOOK_S):
        for number, process in enumerate(processes):
            if not process.is_alive() and not over.is_set():
                log.warning("process %s ended with %s and is started again", process.pid, process.exitcode)
                processes[number] = start()
    for process in processes:
        process.terminate()
    for process in processes:
        process.join()


def _child(work: Callable[[], None], parent: int) -> None:
    """Do the work; where the parent is gone, end as if it had said so."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s")

    def watch() -> None:
        gone = threading.Event()
        while not gone.wait(LOOK_S):
            if os.getppid() != parent:
                os.kill(os.getpid(), signal.SIGTERM)
                return

    threading.Thread(target=watch, daemon=True).start()
    work()


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
        state = getattr(getattr(self.config.loaded_app, "state", None), "service", None)
        if state is not None and state.workers is not None:
            state.workers.start()
        gc.collect()
        gc.freeze()
        gc.set_threshold(YOUNG)
        sys.setswitchinterval(SWITCH_S)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """The signal came."""
        app = self.config.loaded_app if self.config.loaded else None
        state = getattr(getattr(app, "state", None), "service", None)
        if state is not None:
            state.ready = False
            state.news.close()
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
    """Serve until told to stop; `say` gets where the records are and where it listens, once neither is refused."""
    keyless = is_loopback(host) and not settings.service.require_key
    asyncio.run(_ready(settings, host, keyless))
    listening = bound(host, port)
    say(f"records in {without_password(str(settings.store))}")
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
