"""One request and its answer, as plain values: what a handler is given, and what it hands back.

A handler does no input and output of its own: what is to last stands in the Reply, and is committed before it is sent.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

import msgspec

from witnessmark.core.errors import InputError
from witnessmark.core.record import Entry, Record
from witnessmark.core.values import V, is_json, not_json, parse, refuse_twice
from witnessmark.server.http.errors import RefusedError
from witnessmark.server.pages.site import Caller, Role
from witnessmark.server.writer import NoteWrite, TableRow

if TYPE_CHECKING:
    from witnessmark.server.state import ServiceState

JSON = "application/json"
NO_QUERY = "this operation takes nothing in its query; leave it out, and send what it may take in the body"


@dataclass(slots=True)
class ApiRequest:
    """A request by somebody who may make it."""

    state: ServiceState
    caller: Caller
    body: bytes
    path: Mapping[str, str]
    query_string: bytes
    headers: Mapping[bytes, bytes]

    def query(self, *known: str) -> dict[str, str]:
        """The query, each name once; one that is not known is refused."""
        try:
            pairs = parse_qsl(self.query_string.decode("ascii"), keep_blank_values=True, errors="strict")
        except UnicodeDecodeError:
            raise RefusedError(422, "the query is not percent-encoded UTF-8") from None
        for name, _ in pairs:
            if name not in known:
                what = f"is not one of {', '.join(known)}" if known else f"is unknown: {NO_QUERY}"
                raise RefusedError(422, f"{name[:80]!r} {what}".replace("\\", "/"), field="query")
        found = dict(pairs)
        if len(found) < len(pairs):
            raise RefusedError(422, "a name appears twice in the query", field="query")
        if any("\x00" in value for value in found.values()):
            raise RefusedError(422, "a value holds NUL", field="query")
        return found

    async def read(self, kind: type[V]) -> V:
        """The body as a value, read in a worker process where it is long; what is wrong names its field."""
        return await self.state.parsed(self.caller.workspace, self.body, read_value, kind)


@dataclass(slots=True)
class Response:
    """What is answered, and what of it lasts: records, rows, notes and one line of the audit log."""

    body: bytes = b""
    status: int = 200
    media: str = JSON
    headers: tuple[tuple[bytes, bytes], ...] = ()
    entries: tuple[Entry, ...] = ()
    rows: tuple[TableRow, ...] = ()
    notes: tuple[NoteWrite, ...] = ()
    audit: tuple[str, str] | None = None
    """What was done, and to what."""
    after: Callable[[], None] | None = None
    """What happens once all of it is committed."""
    ended: Callable[[], None] | None = None
    """What happens once it is committed or could not be: whoever waits for this request may go on."""
    stream: AsyncIterator[bytes] | None = None
    record: Record | None = None
    """Where the body is this record, whole."""


Handler = Callable[[ApiRequest], Awaitable[Response]]
Responses = dict[int, tuple[str, Any]]
"""Status → what it means, and a struct type, a JSON Schema, or None."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One operation of the API: how it is reached, who may, what goes in and what comes out."""

    method: str
    path: str
    call: Handler
    summary: str
    need: Role | None = "verify"
    body: Any = None
    answers: Responses = field(default_factory=dict)
    query: Mapping[str, tuple[Any, str]] = field(default_factory=dict)
    media: str = JSON
    timed: bool = True
    once: bool = True
    """Whether the answer may be kept under an Idempotency-Key; a new key's may not."""
    quick: bool = False
    """Whether, without a judge to be paid, doing it again takes less than looking its Idempotency-Key up first."""
    key_header: bytes = b""
    """A header that a key may come in where there is no Authorization."""
    open_query: bool = False
    """Whether a name in the query that is not known is let be, as where the contract is another project's."""

    @property
    def writes(self) -> bool:
        """Whether an Idempotency-Key means something here."""
        return self.method == "POST" and self.need is not None and self.once


def json_reply(value: Any, status: int = 200, **more: Any) -> Response:
    """A reply with this as JSON."""
    return Response(msgspec.json.encode(value), status, **more)


def read_value(body: bytes, kind: type[V]) -> V:
    """The body as a value; InputError names what is wrong, a name that is given twice included."""
    refuse_twice(body)
    return parse(body, kind)


def read_object(body: bytes) -> dict[str, Any]:
    """A JSON object of any kind; NaN, bad UTF-8 and what is nested too deeply are refused in words."""
    refuse_twice(body)
    try:
        made = msgspec.json.decode(body, type=dict[str, Any])
    except msgspec.ValidationError:
        raise InputError("the body should be a JSON object") from None
    except UnicodeDecodeError:
        raise InputError("not UTF-8: send the body as UTF-8") from None
    except msgspec.DecodeError as exc:
        raise InputError(not_json(exc, body)) from None
    except RecursionError:
        raise InputError("JSON nested too deeply: flatten the data") from None
    if not is_json(made, -1):
        raise InputError("the body is nested too deeply, or holds a number that is not finite")
    return made
