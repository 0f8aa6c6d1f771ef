"""The service in this process over ASGI, and as a process of its own over real HTTP on loopback."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from witnessmark.core.work.offload import WorkSettings
from witnessmark.core.work.pool import TaskPool
from witnessmark.server.app import create_app
from witnessmark.server.auth import keys
from witnessmark.settings import Settings

CASE = {
    "id": "order-1",
    "goal": "Write the order",
    "subject": {"kind": "task_output", "text": "An order of three apples."},
    "criteria": [{"check": "min_length", "value": 5}, {"check": "contains_keywords", "value": ["apples"]}],
}
BAD = CASE | {"id": "order-2", "subject": {"kind": "task_output", "text": "Something else was made."}}


@pytest.fixture
def good() -> dict[str, Any]:
    """A case that passes."""
    return dict(CASE)


@pytest.fixture
def bad() -> dict[str, Any]:
    """A case that fails."""
    return dict(BAD)


class Within:
    """The application in this process; requests and the store's own calls share one loop."""

    def __init__(self, settings: Settings, **how: Any) -> None:
        self.app = create_app(settings, **how)
        self.state = self.app.state.service
        self.loop = asyncio.new_event_loop()
        self._stack = contextlib.AsyncExitStack()
        self._thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self._thread.start()
        self.do(self._stack.enter_async_context(self.app.router.lifespan_context(self.app)))
        transport = httpx.ASGITransport(self.app, raise_app_exceptions=False)
        self.client = httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1")

    def do(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result()

    def ask(self, method: str, path: str, body: Any = None, key: str | None = None, **more: Any) -> httpx.Response:
        headers = dict(more.pop("headers", {}))
        if key is not None:
            headers["Authorization"] = f"Bearer {key}"
        content = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        return self.do(self.client.request(method, path, content=content, headers=headers, **more))

    def key(self, workspace: str = "default", role: str = "verify", **more: Any) -> str:
        made, _ = self.do(
            keys.create(self.state.store, workspace=workspace, role=role, name=f"{role}-of-{workspace}", **more)
        )
        return str(made)

    def finished(self, job: str, key: str | None = None) -> dict[str, Any]:
        while (found := self.ask("GET", f"/jobs/{job}", key=key).json())["state"] == "open":
            time.sleep(0.02)
        return found

    def stop(self) -> None:
        self.do(self._stack.aclose())

    def close(self) -> None:
        self.do(self.client.aclose())
        self.stop()
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()
        self.loop.close()


@pytest.fixture
def within(tmp_path: Path, pool: TaskPool) -> Iterator[Callable[..., Within]]:
    """Makes applications on a store in a folder of the test's."""
    made: list[Within] = []

    def make(service: dict[str, Any] | None = None, **more: Any) -> Within:
        how = {name: more.pop(name) for name in ("keyless", "workers", "run_jobs") if name in more}
        settings = Settings(**({"store": f"sqlite:///{tmp_path}/service.db"} | more), service=service or {})
        made.append(Within(settings, **how, pool=pool if settings.work == WorkSettings() else None))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture
def here(within: Callable[..., Within]) -> Within:
    """The application as it is on loopback: no key needed."""
    return within()


class Live:
    """`witnessmark serve` in a process of its own."""

    def __init__(self, python: list[str], store: str, folder: Path, *more: str, **environment: str) -> None:
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("WITNESSMARK_")}
        self.log = folder / f"serve-{uuid.uuid4().hex}.log"
        usual = folder / "witnessmark.toml"
        if not usual.exists():
            usual.write_text("[work]\nprocesses = 1\n")  # each takes a second or two to start
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [*python, "-m", "witnessmark", "serve", "--port", "0", "--store", store, *more],
                cwd=folder,
                env=inherited | environment,
                stdout=log,
                stderr=log,
            )
        self.url = self._said()
        self.http = httpx.Client(base_url=self.url, timeout=60)
        while self.http.get("/readyz").status_code != 200:
            time.sleep(0.02)

    def _said(self) -> str:
        while b"http://" not in self.log.read_bytes():
            if self.process.poll() is not None:
                raise AssertionError(self.log.read_text())
            time.sleep(0.02)
        return "http://" + self.log.read_text().split("http://")[1].split()[0]

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        self.http.close()
        return self.process.wait()


@pytest.fixture
def serve(tmp_path: Path, warm: list[str]) -> Iterator[Callable[..., Live]]:
    """Starts services; whatever still runs at the end is stopped."""
    started: list[Live] = []

    def start(*more: str, store: str | None = None, **environment: str) -> Live:
        # Several processes are started by one that is no fork.
        python = [sys.executable] if "--workers" in more else warm
        started.append(Live(python, store or f"sqlite:///{tmp_path}/live.db", tmp_path, *more, **environment))
        return started[-1]

    yield start
    for one in started:
        if one.process.poll() is None:
            one.stop()
        one.http.close()


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory, warm: list[str]) -> Iterator[Live]:
    """A service that waits for the head of a request for a moment only. Whole requests of a busy test may come too late for it."""
    folder = tmp_path_factory.mktemp("hasty")
    path = folder / "hasty.toml"
    path.write_text("[service]\nhead_s = 0.5\n")
    live = Live(warm, f"sqlite:///{folder}/hasty.db", folder, "--config", str(path))
    yield live
    live.stop()


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory, warm: list[str]) -> Iterator[str]:
    """The address of one service for many requests."""
    folder = tmp_path_factory.mktemp("fuzzed")
    state = {"XDG_STATE_HOME": str(folder / "state")}
    live = Live(warm, f"sqlite:///{folder}/fuzzed.db", folder, **state)
    yield live.url
    live.stop()
    log = live.log.read_text()
    assert "Traceback" not in log, log
