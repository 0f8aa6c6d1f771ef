"""What was decided, and a second look at it: GET /records, /records/{id}; POST override, outcome, reverify."""

from __future__ import annotations

import contextlib
import math
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

import msgspec

from witnessmark.core.case import Case
from witnessmark.core.errors import InputError, SeveralRecordsError
from witnessmark.core.record import Entry, Record, Summary
from witnessmark.core.values import Value
from witnessmark.core.verdict import ACTIONS, OUTCOMES
from witnessmark.insight import review
from witnessmark.server.http.endpoints import ApiRequest, Endpoint, Response, json_reply
from witnessmark.server.http.errors import RefusedError
from witnessmark.server.state import RequestStore
from witnessmark.stores import browse

MOST = browse.MOST
FILTERS = ("checkpoint", "outcome", "action", "case_id", "kind", "parent")
_DIGITS_OF_A_DATE = re.compile(r"\d{4}(\d\d){0,2}")
"""A year, month and day written together: read as seconds they would all lie in the first months of 1970."""
_ID = re.compile(r"[0-9a-f]{8,64}")


@dataclass(frozen=True, slots=True)
class RecordLine(Summary):
    """One line about a record."""


class RecordPage(Value, frozen=True):
    """Some records, newest first; `next` goes into `after` for the following ones."""

    records: tuple[RecordLine, ...]
    next: str | None


class Override(Value, frozen=True):
    """A person's word on a verdict."""

    outcome: Literal["pass", "partial", "fail", "unverified"]
    reason: str
    by: str = ""


class RealOutcome(Value, frozen=True):
    """What really happened later."""

    outcome: Literal["pass", "partial", "fail"]
    reason: str = ""
    facts: dict[str, Any] = {}


class ReverifyRequest(Value, frozen=True):
    """Verify again; the case itself is needed where its content was not kept."""

    case: Case | None = None


async def records(ask: ApiRequest) -> Response:
    """A page of records."""
    query = ask.query(*_QUERY)
    named: dict[str, Any] = {"kind": ""} | {name: _known(name, query[name]) for name in FILTERS if name in query}
    asked = browse.Filter(ask.caller.workspace, **named, since=_time(query, "since"), until=_time(query, "until"))
    rows, more = await browse.lines(ask.state.store, asked, cursor_of(query, "after"), limit_of(query))
    listed = msgspec.convert(rows, tuple[RecordLine, ...], from_attributes=True)
    return json_reply(RecordPage(listed, rows[-1].cursor if more else None))


def _known(name: str, word: str) -> str:
    """The word of a filter, where it is one that we promise to know."""
    if not word:
        raise InputError(f"{name}: is empty")
    words = _QUERY[name][0].get("enum")
    if words is not None and word not in words:
        raise InputError(f"{name}: {word[:40]!r} is not one of {', '.join(words)}")
    return word


def limit_of(query: dict[str, str]) -> int:
    """How many at most."""
    text = query.get("limit", "50")
    if not (text.isascii() and text.isdigit() and len(text) < 10 and 1 <= int(text) <= MOST):
        raise InputError(f"limit: a whole number from 1 to {MOST}")
    return int(text)


def cursor_of(query: dict[str, str], name: str) -> str:
    """Where a list goes on; empty where the query names no place, InputError where it names an empty one."""
    if query.get(name) == "":
        raise InputError(browse.NO_CURSOR.format(name))
    return query.get(name, "")


def _time(query: dict[str, str], name: str) -> float | None:
    text = query.get(name)
    if text is None:
        return None
    try:
        at = _seconds(text)
    except (ValueError, OverflowError):
        at = math.nan
    if not math.isfinite(at):
        raise InputError(f"{name}: seconds since 1970, or a date such as 2026-01-31 or 2026-01-31T12:00:00Z")
    return at


def _seconds(text: str) -> float:
    """Seconds since 1970, given as such or as a date; ValueError where it is neither."""
    if not _DIGITS_OF_A_DATE.fullmatch(text):
        with contextlib.suppress(ValueError):
            return float(text)
    found = datetime.fromisoformat(text)
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()


async def record(ask: ApiRequest) -> Response:
    """One record, whole."""
    entry = await entry_of(ask)
    assert entry.record is not None
    return Response(entry.record.full_json())


async def entry_of(ask: ApiRequest) -> Entry:
    """The record the path names, by its id or a beginning of it that no other has, in the caller's workspace only."""
    record_id = ask.path["id"]
    if not _ID.fullmatch(record_id):
        raise RefusedError(
            404,
            "there is no such record in this workspace; an id has 64 hexadecimal digits, of which at least the first 8 are needed",
            field="id",
        )
    try:
        entry = await ask.state.store.get(record_id, ask.caller.workspace)
    except SeveralRecordsError as exc:
        raise RefusedError(409, str(exc), field="id") from None
    if entry.record is None:
        raise RefusedError(410, "this record was purged; its place in the chain is kept", field="id")
    return entry


async def override(ask: ApiRequest) -> Response:
    """From now on this holds; the verdict itself stays as it was."""
    said = await ask.read(Override)
    about, store = await entry_of(ask), RequestStore(ask.state.store, ask.state.writer)
    made = await review.override(
        store,
        about.id,
        outcome=said.outcome,
        reason=said.reason,
        by=said.by or ask.caller.name,
        workspace=about.workspace,
    )
    return _said(made, store, "override")


async def outcome(ask: ApiRequest) -> Response:
    """What really happened later."""
    said = await ask.read(RealOutcome)
    about, store = await entry_of(ask), RequestStore(ask.state.store, ask.state.writer)
    made = await review.outcome(
        store, about.id, outcome=said.outcome, reason=said.reason, facts=said.facts, workspace=about.workspace
    )
    return _said(made, store, "outcome")


async def reverify(ask: ApiRequest) -> Response:
    """Verify the same case again, with the judges and the policy in force now."""
    said = await ask.read(ReverifyRequest) if ask.body.strip() else ReverifyRequest()
    about = await entry_of(ask)
    verifier, store = await ask.state.request_verifier(about.workspace)
    made = await review.reverify(verifier, about.id, case=said.case)
    return _said(made, store, "reverify")


def _said(made: Record, store: RequestStore, what: str) -> Response:
    audit = (what, made.parent or made.id)
    return Response(made.full_json(), 201, record=made, entries=store.entries, audit=audit, after=store.committed)


_GONE = (410, ("The record was purged.", None))
_MISSING = (404, ("There is no such record in this workspace.", None))
_SEVERAL = (409, ("Several ids begin so.", None))
_QUERY: dict[str, tuple[Any, str]] = {
    "checkpoint": ({"type": "string"}, "Of this checkpoint."),
    "outcome": ({"type": "string", "enum": list(OUTCOMES)}, "With this outcome."),
    "action": ({"type": "string", "enum": list(ACTIONS)}, "With this action."),
    "case_id": ({"type": "string"}, "Of this case."),
    "kind": ({"type": "string", "enum": ["verification", "override", "outcome", "audit", "ending"]}, "Of this kind."),
    "parent": ({"type": "string"}, "That follow this record: overrides, outcomes, second opinions, later attempts."),
    "since": ({"type": "string"}, "First made at or after: seconds since 1970, or an ISO date."),
    "until": ({"type": "string"}, "First made before."),
    "limit": ({"type": "integer", "minimum": 1, "maximum": MOST, "default": 50}, "Maximum number to return."),
    "after": ({"type": "string"}, "The `next` of the previous page."),
}
ENDPOINTS = (
    Endpoint("GET", "/records", records, "Records, newest first.", answers={200: ("A page of records.", RecordPage)}, query=_QUERY),
    Endpoint(
        "GET", "/records/{id}", record, "One record.", answers={200: ("The record.", Record), **dict([_MISSING, _SEVERAL, _GONE])}
    ),
    Endpoint(
        "POST",
        "/records/{id}/override",
        override,
        "Override a verdict with a person's decision, which holds from then on.",
        "review",
        Override,
        {201: ("The record of the override.", Record), 409: ("It cannot be done with this record, or several ids begin so.", None), **dict([_MISSING, _GONE])},
    ),
    Endpoint(
        "POST",
        "/records/{id}/outcome",
        outcome,
        "What really happened later.",
        "review",
        RealOutcome,
        {201: ("The record of the outcome.", Record), 409: ("It cannot be done with this record, or several ids begin so.", None), **dict([_MISSING, _GONE])},
    ),
    Endpoint(
        "POST",
        "/records/{id}/reverify",
        reverify,
        "Verify the same case again.",
        "review",
        ReverifyRequest,
        {201: ("The new record.", Record), 409: ("The content was not kept, send the case; or several ids begin so.", None), **dict([_MISSING, _GONE])},
    ),
)  # fmt: skip
