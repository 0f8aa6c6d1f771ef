"""What goes wrong, as problem details (RFC 9457) that name the field. Knows our errors and HTTP's numbers, no route."""

from __future__ import annotations

import re
from collections.abc import Mapping
from http import HTTPStatus

import msgspec

from witnessmark.core.errors import (
    InputError,
    PolicyError,
    StoreError,
    TransientError,
    UnfitError,
    UnknownNameError,
    UsageError,
    WitnessmarkError,
)

MEDIA = "application/problem+json"
_FIELD = re.compile(r"([A-Za-z_][\w.\-]*(?:\[\d*\.*\])*(?:\.[\w\-]+(?:\[\d*\.*\])*)*): ")
_MISSING = re.compile(r"missing field `(\w+)`(?:;|$)")
_NOT_FIELDS = frozenset({"not JSON", "not UTF-8", "the value"})


class ProblemDetails(msgspec.Struct, frozen=True, omit_defaults=True):
    """The body of every answer that is not a good one."""

    title: str
    status: int
    detail: str = ""
    field: str | None = None
    type: str = "about:blank"


class RefusedError(WitnessmarkError):
    """A request that is not served, with the status that says why."""

    def __init__(
        self, status: int, detail: str, *, field: str | None = None, headers: Mapping[str, str] | None = None
    ) -> None:
        self.status, self.detail, self.field, self.headers = status, detail, field, dict(headers or {})
        super().__init__(detail)

    def body(self) -> bytes:
        """The problem as JSON."""
        return msgspec.json.encode(ProblemDetails(title(self.status), self.status, self.detail, self.field))


def title(status: int) -> str:
    """HTTP's own words for a status."""
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Error"


def later(status: int, detail: str, after_s: float = 1.0) -> RefusedError:
    """Not now: 429 or 503, and when to come back."""
    return RefusedError(status, detail, headers={"Retry-After": str(max(1, round(after_s)))})


def refusal(exc: WitnessmarkError) -> RefusedError:
    """What an error of ours is over HTTP."""
    if isinstance(exc, RefusedError):
        return exc
    if isinstance(exc, UnfitError):
        return RefusedError(422, "a number or a text in this is beyond what the store can keep; make it smaller")
    if isinstance(exc, (StoreError, TransientError)):
        # The message may name a server; whoever runs the service finds it in the log.
        return later(503, "what is asked for cannot be reached at the moment; try again")
    said = str(exc).encode("utf-8", "replace").decode()  # input may be quoted in it, half characters included
    if said.startswith("the value: must"):
        said = said.replace("the value: must", "the body must", 1)
    if isinstance(exc, UnknownNameError) and said.startswith("unknown record"):
        return RefusedError(404, "there is no such record in this workspace")
    if isinstance(exc, UnknownNameError) and said.startswith("unknown checkpoint"):
        return RefusedError(422, said, field="checkpoint")
    if isinstance(exc, PolicyError):
        return refusal(exc.given_as("policy"))
    if isinstance(exc, UsageError):
        return RefusedError(422 if isinstance(exc, InputError) else 409, said, field=field_of(said))
    return RefusedError(500, "the service failed while serving this; its log says why")


def field_of(message: str) -> str | None:
    """The field an InputError names at its beginning."""
    missing = _MISSING.search(message)
    found = _FIELD.match(message)
    name = None if found is None or found.group(1) in _NOT_FIELDS else found.group(1)
    if missing is not None:
        return f"{name}.{missing.group(1)}" if name else missing.group(1)
    return name
