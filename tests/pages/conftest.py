"""A real browser against the real service, on a store of its own. The browser is closed with each file of tests."""

from __future__ import annotations

import asyncio
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
import uvicorn
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from witnessmark.core.work.pool import TaskPool
from witnessmark.server.app import create_app
from witnessmark.server.uvicorn_server import bound
from witnessmark.settings import Settings
from witnessmark.stores import open_store

FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
PATIENCE_MS = 120_000  # a busy machine, and the embedded model being loaded by the first answer
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def chromium() -> str:
    """The browser of this machine; a machine without one fails, since `make test` installs one."""
    found = os.environ.get("WITNESSMARK_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.fail("no Chromium here: `make test` installs one, or WITNESSMARK_CHROMIUM names it")
    return found


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield opened
        opened.close()


def elsewhere(work: Callable[[], Any]) -> Any:
    """Run async work in a thread of its own: playwright has this one's loop."""
    box: list[Any] = []
    thread = threading.Thread(target=lambda: box.append(asyncio.run(work())))
    thread.start()
    thread.join()
    return box[0]


@contextmanager
def serving(settings: Settings, pool: TaskPool) -> Iterator[str]:
    """The service on a free port, with worker processes that are there already."""
    app = create_app(settings, pool=pool)
    socket = bound("127.0.0.1", 0)
    config = uvicorn.Config(app, log_level="warning", ws="none", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    loops: list[asyncio.AbstractEventLoop] = []

    async def run() -> None:
        loops.append(asyncio.get_running_loop())
        await server.serve(sockets=[socket])
        for connection in list(server.server_state.connections):  # a browser on a busy machine may not have let go yet
            connection.transport.abort()
        await asyncio.sleep(0)

    thread = threading.Thread(target=lambda: asyncio.run(run()))
    thread.start()
    base = f"http://127.0.0.1:{socket.getsockname()[1]}"
    while thread.is_alive():
        try:
            if httpx.get(f"{base}/readyz", timeout=120).status_code == 200:
                break
        except httpx.TransportError:
            time.sleep(0.05)
    try:
        yield base
    finally:
        loops[0].call_soon_threadsafe(app.state.service.news.close)
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="module")
def store_url(tmp_path_factory) -> str:
    return f"sqlite:///{tmp_path_factory.mktemp('web')}/web.db"


@pytest.fixture(scope="module")
def filled(store_url) -> str:
    """A store with a few days of work in it."""
    from tools.demo_store import experiment, fill

    from witnessmark.insight import experiments

    async def work() -> None:
        store = open_store(store_url)
        await fill(store, days=5)
        await experiments.keep(store, experiment())
        await store.close()

    elsewhere(work)
    return store_url


@pytest.fixture(scope="module")
def demo(filled, pool) -> Iterator[str]:
    with serving(Settings(store=filled), pool) as base:
        yield base


def patient_context(browser: Browser, **options: Any) -> BrowserContext:
    """A context of the browser that waits as long as a busy machine needs."""
    made = browser.new_context(**options)
    made.set_default_timeout(PATIENCE_MS)
    return made


@pytest.fixture
def context(browser) -> Iterator[BrowserContext]:
    made = patient_context(browser, viewport={"width": 1280, "height": 900})
    yield made
    made.close()


@pytest.fixture
def page(context) -> Iterator[Page]:
    """A page whose errors fail the test."""
    opened = context.new_page()
    wrong: list[str] = []
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    opened.on(
        "console",
        lambda told: (
            wrong.append(told.text) if told.type == "error" and "Failed to load resource" not in told.text else None
        ),
    )
    yield opened
    assert wrong == []


def first_record(base: str, query: str = "") -> str:
    """The address of the newest record that the list shows."""
    import re

    found = re.search(r"/ui/records/[0-9a-f]{64}", httpx.get(f"{base}/ui/records?{query}", timeout=120).text)
    assert found is not None
    return found.group()
