"""What every request passes before anything else, pages included: not too many at once, not too long, not forged.

And what every answer carries: headers that keep a browser from doing what no page of ours wants. Pure ASGI.
"""

from __future__ import annotations

import functools
import logging
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from witnessmark.core.errors import WitnessmarkError
from witnessmark.server.http.admission import Ticket
from witnessmark.server.http.body import BodyReader, too_long
from witnessmark.server.http.dispatch import problem, send_reply
from witnessmark.server.http.errors import RefusedError, refusal
from witnessmark.server.state import COOKIE, TICKET, ServiceState

log = logging.getLogger("witnessmark.server")
CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS: tuple[tuple[bytes, bytes], ...] = (
    (b"content-security-policy", CSP.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
)
_ADDED = (*HEADERS, (b"cache-control", b"no-store"))
_OURS = frozenset(name for name, _ in _ADDED)
_FORMS = {"/login": 8_192, "/logout": 8_192}
"""Bytes that are read of a form that anybody may send."""
BROKEN = RefusedError(500, "the service failed while serving this; its log says why")
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


class Middleware:
    """Wraps the application."""

    def __init__(
        self, app: ASGIApp, state: ServiceState, direct: Mapping[tuple[str, str], ASGIApp] | None = None
    ) -> None:
        """`direct`: operations by method and path that need no look at the table of routes."""
        self.app, self.state, self._direct = app, state, direct or {}
        self._most_bytes, self._body_s = state.settings.max_case_bytes, state.settings.service.body_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let through, or say why not."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        state, ticket, begun = self.state, Ticket(), False
        admission = state.admission
        scope[TICKET] = ticket

        async def with_headers(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                headers, streams = _guarded(message["headers"])
                if streams:
                    admission.streams_from_now(ticket)
                begun = True
                message["headers"] = headers
                if message["status"] >= 400 and scope["method"] not in _SAFE and body.unread:
                    headers.append((b"connection", b"close"))  # what is left of the body is not wanted
            await send(message)

        most = _FORMS.get(scope["path"], self._most_bytes)
        body = BodyReader(receive, most, self._body_s, state.clock, functools.partial(admission.read, ticket))
        try:
            refused = self._refused(scope, most)
            if refused is not None:
                raise refused
            if scope["path"] in _FORMS:
                admission.login(ticket)
            await self._direct.get((scope["method"], scope["path"]), self.app)(scope, body, with_headers)
        except Exception as exc:  # noqa: BLE001 - the edge: whatever broke, the caller is told so in the usual form
            found = _told(scope, exc)
            state.counted("(refused)", found.status, 0.0)
            if not begun:
                await send_reply(with_headers, problem(found))
        finally:
            admission.leave(ticket)

    def _refused(self, scope: Scope, most: int) -> RefusedError | None:
        if scope["method"] in _SAFE:
            return None
        headers: dict[bytes, bytes] = dict(scope["headers"])
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or len(length) > 18 or int(length) > most:
            return too_long(most)
        return None if b"authorization" in headers else forged(headers)


def forged(headers: dict[bytes, bytes]) -> RefusedError | None:
    """A change asked for by a page of somebody else: a browser says where it comes from, and a key is not in its cookies."""
    site = headers.get(b"sec-fetch-site")
    if site is not None and site not in (b"same-origin", b"none"):
        return RefusedError(403, "this comes from another site's page", field="Sec-Fetch-Site")
    origin = headers.get(b"origin")
    if origin is not None:
        here = headers.get(b"host", b"").decode("latin-1").lower()
        return (
            None
            if _netloc(origin) == here
            else RefusedError(403, "this comes from another site's page", field="Origin")
        )
    if site is None and COOKIE.encode() in headers.get(b"cookie", b""):
        return RefusedError(403, "a change by cookie needs an Origin header; scripts use a key", field="Origin")
    return None


def _netloc(origin: bytes) -> str:
    try:
        return urlsplit(origin.decode("latin-1")).netloc.lower()
    except ValueError:
        return ""


def _told(scope: Scope, exc: Exception) -> RefusedError:
    """What the caller is told of whatever went wrong; what is our own fault stands in the log."""
    if isinstance(exc, WitnessmarkError):
        return refusal(exc)
    if isinstance(exc, ClientDisconnect):
        return RefusedError(499, "the client has disconnected")
    log.error("%s %s broke", scope["method"], scope["path"][:200], exc_info=exc)
    return BROKEN


def _guarded(headers: Any) -> tuple[list[tuple[bytes, bytes]], bool]:
    """The headers of an answer with ours added where it has none of its own, and whether it is a stream of events."""
    made, streams, own = list(headers), False, set()
    for name, value in made:
        lower = name.lower()
        if lower in _OURS:
            own.add(lower)
        elif lower == b"content-type" and value.startswith(b"text/event-stream"):
            streams = True
    made += [pair for pair in _ADDED if pair[0] not in own] if own else _ADDED
    return made, streams
