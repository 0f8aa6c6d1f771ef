"""The one reader of bodies: every route, page and endpoint of others reads through it, so many bytes and so long at most.

It stands in the place of ASGI's `receive`, which is why nothing behind it can read without bounds. Knows no route.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from starlette.types import Message, Receive

from witnessmark.server.http.errors import RefusedError
from witnessmark.server.http.limits import Clock


class BodyReader:
    """ASGI's `receive` with a bound on bytes and time; what is too long is 413, what comes too slowly 408."""

    __slots__ = ("_bytes", "_clock", "_held", "_most", "_receive", "_seconds", "_until", "_whole")

    def __init__(
        self,
        receive: Receive,
        most: int,
        seconds: float,
        clock: Clock,
        held: Callable[[int], None] = lambda count: None,
    ) -> None:
        """`held` is told of the bytes that came, and raises where they are too many for the time being."""
        self._receive, self._most, self._seconds, self._clock, self._held = receive, most, seconds, clock, held
        self._bytes, self._until, self._whole = 0, 0.0, False

    async def __call__(self) -> Message:
        """The next part; once the body is whole, whatever comes after it, for as long as it takes."""
        if self._whole:
            return await self._receive()
        left = self._until - time.monotonic() if self._until else self._seconds
        deadline = self._clock.start(left)
        if not self._until and deadline is not None:
            self._until = deadline.until
        try:
            message = await self._receive()
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or deadline is None or not deadline.ended:
                raise
            task.uncancel()
            raise RefusedError(408, f"the body was not complete after {self._seconds:g} s") from None
        finally:
            self._clock.stop(deadline)
        count = len(message.get("body", b""))
        if count:
            self._bytes += count
            if self._bytes > self._most:
                raise too_long(self._most)
            self._held(count)
        self._whole = not message.get("more_body", False)
        return message

    @property
    def unread(self) -> bool:
        """Whether more of the body may be on its way."""
        return not self._whole

    async def whole(self) -> bytes:
        """The whole body."""
        message = await self()
        if self._whole and message["type"] == "http.request":
            found: bytes = message.get("body", b"")
            return found
        parts = []
        while message["type"] == "http.request":
            parts.append(message.get("body", b""))
            if self._whole:
                return b"".join(parts)
            message = await self()
        raise RefusedError(400, "the body ended before it was complete")


def too_long(most: int) -> RefusedError:
    """More than is read."""
    return RefusedError(413, f"the body is longer than the {most:,} bytes that are read")
