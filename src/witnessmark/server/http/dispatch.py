"""From bytes to bytes: every operation of the API is served the same way, and answered after its commit.

Who may → how much → the body → once → the handler → commit → answer. Written on ASGI itself, since most requests come
through here. Knows no single operation.
"""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING, Any

from starlette.types import Message, Receive, Scope, Send

from witnessmark.core.errors import WitnessmarkError
from witnessmark.server.http import idempotency
from witnessmark.server.http.body import BodyReader
from witnessmark.server.http.endpoints import ApiRequest, Endpoint, Response
from witnessmark.server.http.errors import MEDIA, RefusedError, later, refusal
from witnessmark.server.pages.site import Caller
from witnessmark.server.state import ServiceState, audit_row
from witnessmark.server.writer import Write

if TYPE_CHECKING:
    from witnessmark.server.http.idempotency import IdempotentRequest

log = logging.getLogger("witnessmark.server")
NOBODY = Caller("", "verify", "nobody")


class EndpointApp:
    """An operation as an ASGI application."""

    def __init__(self, state: ServiceState, endpoint: Endpoint) -> None:
        self._state, self._endpoint = state, endpoint
        self._limit_s = state.settings.service.request_s if endpoint.timed else None
        self._writes, self._reads = endpoint.writes, endpoint.method != "GET"
        self._in_progress: dict[tuple[str, str], asyncio.Future[None] | None] = {}
        """Requests under way by workspace and key; what it holds is there once a second one waits for the first."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request; `receive` is the one reader of bodies, or what telemetry put around it."""
        if not isinstance(receive, BodyReader):
            service = self._state.settings.service
            receive = BodyReader(receive, self._state.settings.max_case_bytes, service.body_s, self._state.clock)
        started = time.perf_counter()
        reply = await self._reply(scope, receive)
        if reply.stream is None:
            await send_reply(send, reply)
        elif scope["method"] == "HEAD":
            await _send_head(send, reply)
            await send({"type": "http.response.body", "body": b""})  # the parts would never end, and nobody gets them
        else:
            await _send_stream(send, reply, receive)
        self._state.counted(self._endpoint.path, reply.status, time.perf_counter() - started)

    async def _reply(self, scope: Scope, receive: BodyReader) -> Response:
        clock = self._state.clock
        deadline = clock.start(self._limit_s)
        try:
            return await self._served(scope, receive)
        except asyncio.CancelledError:
            if deadline is None or not deadline.ended:
                raise
            return problem(later(503, f"no answer within {self._limit_s:g} s"))
        except WitnessmarkError as exc:
            found = refusal(exc)
            if found.status >= 500:
                log.warning("%s %s: %s", self._endpoint.method, self._endpoint.path, type(exc).__name__, exc_info=exc)
            return problem(found)
        finally:
            clock.stop(deadline)

    async def _served(self, scope: Scope, receive: BodyReader) -> Response:
        state, endpoint = self._state, self._endpoint
        headers: dict[bytes, bytes] = dict(scope["headers"])
        if endpoint.key_header in headers:
            headers.setdefault(b"authorization", b"Bearer " + headers[endpoint.key_header])
        caller = NOBODY if endpoint.need is None else await state.identify(scope, headers, endpoint.need)
        body = await receive.whole() if self._reads else b""
        ask = ApiRequest(state, caller, body, scope.get("path_params") or {}, scope["query_string"], headers)
        if ask.query_string and endpoint.need is not None and not endpoint.open_query:
            ask.query(*endpoint.query)
        once = None
        if self._writes:
            once = idempotency.idempotent_request(
                headers.get(b"idempotency-key"), caller.workspace, scope["path"], body
            )
        if once is None:
            return await self._kept(ask, await endpoint.call(ask), None)
        return await self._once(ask, once)

    async def _once(self, ask: ApiRequest, once: IdempotentRequest) -> Response:
        """Two at the same time in this process: the second waits, and then finds the first one's answer."""
        state, key = self._state, (once.workspace, once.key)
        waited = False
        while key in self._in_progress:
            waited = True
            first = self._in_progress[key]
            if first is None:
                first = self._in_progress[key] = asyncio.get_running_loop().create_future()
            await asyncio.shield(first)
        self._in_progress[key] = None
        try:
            # Where working is cheaper than asking, the key is looked up at the commit only.
            asks = waited or not self._endpoint.quick or state.verifier(once.workspace).service("judges") is not None
            found = await idempotency.earlier_response(state.store, once) if asks else None
            return await (self._first(ask, once) if found is None else found.reply(once, state.store))
        finally:
            second = self._in_progress.pop(key)
            if second is not None:
                second.set_result(None)

    async def _first(self, ask: ApiRequest, once: IdempotentRequest) -> Response:
        """Serve it; where that is refused, it may be for what the same request did before, which then is the answer."""
        try:
            return await self._kept(ask, await self._endpoint.call(ask), once)
        except WitnessmarkError:
            found = await idempotency.earlier_response(self._state.store, once)
            if found is None:
                raise
        return await found.reply(once, self._state.store)

    async def _kept(self, ask: ApiRequest, reply: Response, once: IdempotentRequest | None) -> Response:
        """Commit what the handler wants to last, in one transaction with the audit log and the idempotent answer."""
        rows = reply.rows
        if reply.audit is not None:
            rows = (*rows, audit_row(ask.caller, *reply.audit))
        if not reply.entries and not rows and not reply.notes and once is None:
            return reply
        claim = None if once is None else once.claim(reply)
        write = Write(reply.entries, rows, claim, ask.caller.workspace, reply.notes, reply.ended)
        earlier = await self._state.writer.keep(write)
        if earlier is not None and once is not None:
            found: Response = await earlier.reply(once, self._state.store)
            return found
        if reply.after is not None:
            reply.after()
        return reply


def problem(found: RefusedError) -> Response:
    """A refusal as a reply."""
    headers = tuple((name.lower().encode(), value.encode()) for name, value in found.headers.items())
    return Response(found.body(), found.status, MEDIA, headers)


async def send_reply(send: Send, reply: Response) -> None:
    """Head and body."""
    headers = [(b"content-type", reply.media.encode()), (b"content-length", b"%d" % len(reply.body)), *reply.headers]
    await send({"type": "http.response.start", "status": reply.status, "headers": headers})
    await send({"type": "http.response.body", "body": reply.body})


async def _send_head(send: Send, reply: Response) -> None:
    """The head of an answer whose length nobody knows."""
    headers = [(b"content-type", reply.media.encode()), *reply.headers]
    await send({"type": "http.response.start", "status": reply.status, "headers": headers})


async def _send_stream(send: Send, reply: Response, receive: Receive) -> None:
    """Parts as they come, until they end or nobody listens any more."""
    assert reply.stream is not None
    await _send_head(send, reply)
    gone = asyncio.ensure_future(_disconnected(receive))
    parts = aiter(reply.stream)
    try:
        while True:
            part: asyncio.Future[Any] = asyncio.ensure_future(anext(parts, None))
            await asyncio.wait([gone, part], return_when=asyncio.FIRST_COMPLETED)
            if gone.done():
                part.cancel()
                await asyncio.wait([part])
                break
            if part.result() is None:
                break
            await send({"type": "http.response.body", "body": part.result(), "more_body": True})
    finally:
        gone.cancel()
    if not gone.done() or gone.cancelled():
        await send({"type": "http.response.body", "body": b""})


async def _disconnected(receive: Receive) -> None:
    while True:
        message: Message = await receive()
        if message["type"] == "http.disconnect":
            return
