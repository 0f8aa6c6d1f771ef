"""The application put together: operations, pages, the middleware before them, and what runs beside them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator
from typing import Any

import msgspec
from fastapi import FastAPI, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from witnessmark.core import registry
from witnessmark.core.errors import StoreError, WitnessmarkError
from witnessmark.core.work.pool import TaskPool
from witnessmark.server.auth import login
from witnessmark.server.http import openapi
from witnessmark.server.http.dispatch import EndpointApp
from witnessmark.server.http.endpoints import Endpoint
from witnessmark.server.http.errors import RefusedError, refusal
from witnessmark.server.http.middleware import Middleware
from witnessmark.server.jobs import queue
from witnessmark.server.jobs.runner import Runner
from witnessmark.server.pages import routes as pages
from witnessmark.server.pages.site import Caller
from witnessmark.server.routes import admin, guardrail, hook, jobs, orchestrations, records, verify, watch
from witnessmark.server.state import ServiceState
from witnessmark.settings import Settings
from witnessmark.stores.purges import purge_by
from witnessmark.stores.service_store import IndexedStore
from witnessmark.stores.sql import Database
from witnessmark.stores.workspaces import known_workspaces, workspace_settings

log = logging.getLogger("witnessmark.server")
ENDPOINTS: tuple[Endpoint, ...] = (
    *verify.ENDPOINTS, *records.ENDPOINTS, *jobs.ENDPOINTS, *admin.ENDPOINTS, *watch.ENDPOINTS, *hook.ENDPOINTS,
    *orchestrations.ENDPOINTS, *guardrail.ENDPOINTS,
)  # fmt: skip
SWEEP_S = 3600.0
DAY_S = 86_400.0


class _ServiceApp(FastAPI):
    """Our middleware stands before everything, and leads to the busiest operations by itself."""

    outermost: Middleware

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.outermost(scope, receive, send)

    async def inner(self, scope: Scope, receive: Receive, send: Send) -> None:
        """What lies behind the middleware."""
        await super().__call__(scope, receive, send)


def create_app(
    settings: Settings,
    *,
    keyless: bool | None = None,
    workers: int = 1,
    run_jobs: bool = True,
    pool: TaskPool | None = None,
) -> FastAPI:
    """The service with these settings. `keyless`: who asks on this machine needs no key. `workers`: processes of it.

    `pool`: worker processes that are there already; they are not closed with the service.
    """
    open_door = not settings.service.require_key if keyless is None else keyless
    state = ServiceState(settings, keyless=open_door, workers=workers, pool=pool)

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with _running(state, run_jobs):
            yield

    app = _ServiceApp(title="Witnessmark", docs_url=None, redoc_url=None, openapi_url=None, lifespan=lifespan)
    app.state.service = state
    served = {(endpoint.method, endpoint.path): EndpointApp(state, endpoint) for endpoint in ENDPOINTS}
    for (method, path), operation in served.items():
        # An object, not a function: Starlette then hands it the connection as it is.
        app.router.routes.append(Route(path, operation, methods=[method]))
    app.router.routes += [
        Route("/login", login.login_page, methods=["GET"]),
        Route("/login", login.login, methods=["POST"]),
        Route("/logout", login.logout, methods=["POST"]),
    ]
    pages.mount(app, state)
    _describe(app)
    _refuse(app)
    app.outermost = Middleware(app.inner, state, {key: served[key] for key in served if "{" not in key[1]})
    return app


def _describe(app: FastAPI) -> None:
    """GET /openapi.json, encoded once."""
    document = openapi.document(ENDPOINTS)
    encoded = msgspec.json.encode(document)

    async def serve(request: Request) -> Response:
        return Response(encoded, media_type="application/json")

    app.openapi = lambda: document  # type: ignore[method-assign]
    app.router.routes.append(Route("/openapi.json", serve, methods=["GET"]))


def _refuse(app: FastAPI) -> None:
    """Whatever is raised outside of the operations is problem details too."""

    async def ours(request: Request, exc: Exception) -> Response:
        assert isinstance(exc, WitnessmarkError)
        return login.refused(request, refusal(exc))

    async def http(request: Request, exc: Exception) -> Response:
        assert isinstance(exc, HTTPException)
        path, headers = request.url.path[:200], dict(exc.headers or {})
        detail = str(exc.detail) if exc.status_code != 404 else f"nothing is served at {path}"
        if exc.status_code == 405:
            allowed = _methods(app, request.url.path)
            detail = f"{request.method} is not allowed at {path}; use {' or '.join(m for m in allowed if m != 'HEAD')}"
            headers["Allow"] = ", ".join(allowed)
        return login.refused(request, RefusedError(exc.status_code, detail, headers=headers))

    async def broken(request: Request, exc: Exception) -> Response:
        return login.refused(request, RefusedError(500, "the service failed while serving this; its log says why"))

    app.add_exception_handler(WitnessmarkError, ours)
    app.add_exception_handler(HTTPException, http)
    app.add_exception_handler(Exception, broken)


def _methods(app: FastAPI, path: str) -> list[str]:
    """Every method that something is served with at a path; Starlette itself tells of the first route only."""
    routes = (route for route in app.routes if isinstance(route, Route) and route.path_regex.match(path))
    return sorted({method for route in routes for method in route.methods or ()})


# --- what runs beside the requests ---------------------------------------------------------------------------------


@contextlib.asynccontextmanager
async def _running(state: ServiceState, run_jobs: bool) -> AsyncIterator[None]:
    if isinstance(state.store, IndexedStore):
        await state.store.fill()
    await asyncio.to_thread(registry.checks.all)  # now, and not while the first request keeps all others waiting
    runner = Runner(state) if run_jobs else None
    if runner is not None:
        await runner.start()
        state.work_arrived = runner.wake
    else:
        await state.store.read(lambda db: db.execute("SELECT 1"))
    loop = asyncio.get_running_loop()
    beside = [loop.create_task(_sweep(state)), loop.create_task(state.clock.run())]
    state.ready = True
    try:
        yield
    finally:
        state.ready = False
        state.news.close()
        for task in beside:
            task.cancel()
        await asyncio.wait(beside)
        if runner is not None:
            await runner.stop()
        await state.close()


async def _sweep(state: ServiceState) -> None:
    """Now and every hour: remove what has been kept long enough."""
    while True:
        try:
            await swept(state)
        except StoreError as exc:
            log.warning("old content could not be removed: %s", exc)
        await asyncio.sleep(SWEEP_S)


async def swept(state: ServiceState, now: float | None = None) -> dict[str, int]:
    """Remove content older than each workspace keeps it, kept answers of yesterday, and sessions that are over."""
    at = time.time() if now is None else now
    purged: dict[str, int] = {}
    for workspace in await known_workspaces(state.store):
        days = (await workspace_settings(state.store, workspace)).retention_days
        days = state.settings.service.retention_days if days is None else days
        if days is not None:
            gone = await purge_by(state.store, "the retention period", before=at - days * DAY_S, workspace=workspace)
            if gone:
                await state.note(Caller(workspace, "admin", "retention"), "delete records", f"{gone} records")
            purged[workspace] = gone
            await state.store.transact(_jobs_before(workspace, at - days * DAY_S))

    def old(db: Database) -> None:
        db.execute("DELETE FROM idempotency WHERE at < ?", (at - state.settings.service.idempotency_h * 3600,))
        db.execute("DELETE FROM sessions WHERE until < ?", (at,))
        queue.forget_unfinished(db, at - SWEEP_S)

    await state.store.transact(old)
    return purged


def _jobs_before(workspace: str, before: float) -> Any:
    old = "SELECT id FROM jobs WHERE workspace = ? AND state <> 'open' AND finished_at < ?"

    def work(db: Database) -> None:
        db.execute(f"DELETE FROM job_cases WHERE job_id IN ({old})", (workspace, before))
        db.execute("DELETE FROM jobs WHERE workspace = ? AND state <> 'open' AND finished_at < ?", (workspace, before))

    return work
