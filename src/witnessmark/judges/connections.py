"""Connections to the endpoints of judges: a pool for each event loop, and one call over one of them.

Knows nothing about what is asked, and turns no error into ours.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import weakref
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from witnessmark.core.concurrency.background_loop import close_at_exit

if TYPE_CHECKING:
    import aiohttp
    from yarl import URL

MAX_REPLY_BYTES = 4 * 1024 * 1024


class HttpReply(NamedTuple):
    """What an endpoint answered."""

    status: int
    content: bytes
    retry_after: str | None


class LoopConnections(NamedTuple):
    """What one event loop holds: the session, and by URL what its pool looks for a connection by."""

    session: aiohttp.ClientSession
    requests: dict[URL, aiohttp.ClientRequest]


class Connections:
    """One session for each event loop, opened when it is first needed; judges may share it.

    A call is written to a connection of the session's pool and read from it there, below the session itself: a task for each body,
    cookies, redirects and the like, none of which a judge needs, take as long as half a verification.
    """

    def __init__(self) -> None:
        self._by_loop: weakref.WeakKeyDictionary[Any, LoopConnections] = weakref.WeakKeyDictionary()

    def here(self) -> LoopConnections:
        """What the running loop holds."""
        loop = asyncio.get_running_loop()
        held = self._by_loop.get(loop)
        if held is None or held.session.closed:
            import aiohttp

            connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=30)
            session = aiohttp.ClientSession(
                connector=connector, timeout=aiohttp.ClientTimeout(total=None), cookie_jar=aiohttp.DummyCookieJar()
            )
            held = self._by_loop[loop] = LoopConnections(session, {})
            close_at_exit(self)
            weakref.finalize(self, _abandon, session, loop, os.getpid())
        return held

    async def post(self, url: URL, proxy: str | None, headers: Mapping[str, str], body: bytes) -> HttpReply:
        """What an endpoint answers to JSON; a redirect is an answer like any other.

        Raises aiohttp.ClientError or OSError where it cannot be reached, or what comes back is not HTTP.
        """
        import aiohttp

        session, requests = self.here()
        request = requests.get(url)
        if request is None:
            request = requests[url] = _request(session, url, proxy)
        assert session.connector is not None  # it is open
        connection = await session.connector.connect(request, [], session.timeout)
        over = False
        try:
            handler, transport = connection.protocol, connection.transport
            if handler is None or transport is None:  # it went away while others had their turn
                raise aiohttp.ServerDisconnectedError
            handler.set_response_params(read_until_eof=True)
            transport.write(_head(request, {**headers, "Content-Length": str(len(body))}) + body)
            message, content = await handler.read()
            while 100 <= message.code < 200 and message.code != 101:  # word that the answer is on its way
                message, content = await handler.read()
            data = await _read_all(content, MAX_REPLY_BYTES)
            over = content.at_eof()  # or longer than any reply: the rest is not waited for
        except aiohttp.http.HttpProcessingError as exc:
            raise aiohttp.ClientResponseError(request.request_info, (), status=exc.code) from exc
        finally:
            if over:
                connection.release()
            else:
                connection.close()
        return HttpReply(message.code, data, message.headers.get("Retry-After"))

    async def close(self) -> None:
        """Let go of the connections of the running loop."""
        held = self._by_loop.pop(asyncio.get_running_loop(), None)
        if held is not None:
            await held.session.close()


def _request(session: aiohttp.ClientSession, url: URL, proxy: str | None) -> aiohttp.ClientRequest:
    """What the pool looks for a connection by, with the headers that are the same for every call."""
    import aiohttp

    return aiohttp.ClientRequest(
        "POST",
        url,
        headers={"Content-Type": "application/json"},
        proxy=None if proxy is None else type(url)(proxy),
        loop=asyncio.get_running_loop(),
        session=session,
    )


def _head(request: aiohttp.ClientRequest, headers: Mapping[str, str]) -> bytes:
    """What stands before the body of a call, with these headers of its own (no line breaks in them: `JudgeKey` sees to that).

    Called once there is a connection, which adds a header where a proxy asks for one.
    """
    through_proxy = request.proxy is not None and not request.is_ssl()
    path = str(request.url.with_user(None)) if through_proxy else request.url.raw_path_qs
    lines = [f"POST {path} HTTP/1.1"]
    lines += [f"{name}: {value}" for name, value in request.headers.items() if name not in headers]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode()


async def _read_all(content: aiohttp.StreamReader, room: int) -> bytes:
    """A body, up to the room there is."""
    parts: list[bytes] = []
    while room > 0 and not content.at_eof():
        parts.append(await content.read(room))
        room -= len(parts[-1])
    return b"".join(parts)


def _abandon(session: aiohttp.ClientSession, loop: asyncio.AbstractEventLoop, opened_by: int) -> None:
    """Close a session whose owner is gone, so that a script which did not close ends without a word about it."""
    if session.closed or opened_by != os.getpid():  # a forked child leaves its parent's connections alone
        return
    if loop.is_running() and loop is not asyncio._get_running_loop():  # noqa: SLF001 - the public one raises where none runs
        with contextlib.suppress(RuntimeError):  # the loop ended in between
            loop.call_soon_threadsafe(_close_now, session)
        return
    _close_now(session)


def _close_now(session: aiohttp.ClientSession) -> None:
    """Let go of the sockets without waiting for the other side: nobody is left to wait."""
    closing = session.close()
    with contextlib.suppress(StopIteration, RuntimeError):
        closing.send(None)
    closing.close()
