"""HTTP/1.1 as uvicorn speaks it, with a deadline for the head of a request and problem details for what is no request.

A connection that says nothing, or too slowly, is closed: it takes nothing but a socket until its head is whole.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from witnessmark.server.http.errors import MEDIA, RefusedError
from witnessmark.server.http.middleware import HEADERS


class DeadlineProtocol(HttpToolsProtocol):
    """One connection."""

    head_s = 10.0
    connections_at_once = 2_000
    _late: asyncio.TimerHandle | None = None
    _in_head = False

    def connection_made(self, transport: Any) -> None:
        """Somebody connected: the head of the first request is due."""
        super().connection_made(transport)
        if len(self.connections) > self.connections_at_once:
            transport.abort()
        else:
            self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody is there any more."""
        self._head_is_there()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Bytes came: where the head of a request is not whole with them, the rest of it is due."""
        super().data_received(data)
        if self._in_head and self._late is None and not self.transport.is_closing():
            self._await_head()

    def on_message_begin(self) -> None:
        """The first bytes of a request came."""
        self._in_head = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """The head is whole; from here on the application sees to it."""
        self._in_head = False
        self._head_is_there()
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        """What came is no HTTP."""
        self._refuse(RefusedError(400, msg))

    def _await_head(self) -> None:
        self._late = self.loop.call_later(self.head_s, self._too_late)

    def _head_is_there(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _too_late(self) -> None:
        self._late = None
        if not self.transport.is_closing():
            self._refuse(RefusedError(408, f"the head of the request was not complete after {self.head_s:g} s"))

    def _refuse(self, refused: RefusedError) -> None:
        body = refused.body()
        headers = [*HEADERS, (b"content-type", MEDIA.encode()), (b"content-length", b"%d" % len(body))]
        head = b"".join(name + b": " + value + b"\r\n" for name, value in headers)
        self.transport.write(STATUS_LINE[refused.status] + head + b"connection: close\r\n\r\n" + body)
        self.transport.close()
