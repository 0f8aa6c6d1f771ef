"""A trace from a file, a transcript or the evidence of a case."""

from __future__ import annotations

import io
import posixpath
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from witnessmark.actions.trace.calls import (
    CallEvent,
    ReturnEvent,
    ToolCall,
    Trace,
    TurnEvent,
    UnknownItem,
    folder_given,
)
from witnessmark.actions.trace.formats import events_of, session_folder
from witnessmark.core.case import Case, Evidence
from witnessmark.core.errors import InputError
from witnessmark.core.explain import clipped
from witnessmark.core.values import Value, is_json
from witnessmark.text.patterns import compiled

MAX_SHOWN = 200
MAX_VALUE = 32_000_000
"""A longer line or document is not read: JSON of brackets takes twenty times its size in memory."""
MAX_CALLS = 250_000
MAX_UNREADABLE = 1_000
_HALF_PAIR = compiled(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2}"
)


class UnreadableTrace(Value, frozen=True):
    """A part of a trace that could not be read: where, why, and how it begins."""

    where: str
    why: str
    text: str = ""


class TraceReading(Value, frozen=True):
    """A trace and everything in its source that could not be taken into it."""

    trace: Trace
    unreadable: tuple[UnreadableTrace, ...] = ()


def read_trace(data: bytes, trace_id: str = "") -> TraceReading:
    """A trace from bytes in any of the known forms; its id is the one given, or the source's own."""
    builder = _Builder()
    for where, item in _items(data, builder):
        builder.take(where, item)
    return builder.finished(trace_id)


def trace_of(evidence: Iterable[Evidence], trace_id: str = "") -> TraceReading:
    """A trace from a case's evidence of the kinds tool_call and trace, in the order they stand."""
    builder = _Builder()
    for source in evidence:
        if source.kind == "tool_call":
            builder.add(_from_evidence(source))
        elif source.kind == "trace" and source.text is not None:
            for where, item in _items(source.text.encode("utf-8", "surrogatepass"), builder, f"{source.id}, "):
                builder.take(where, item)
        elif source.kind == "trace" and isinstance(source.data, (list, tuple)):
            for number, item in enumerate(source.data, 1):
                builder.take(f"{source.id}, item {number}", item)
        elif source.kind == "trace":
            builder.take(source.id, source.data)
    return builder.finished(trace_id)


def _from_evidence(source: Evidence) -> ToolCall:
    ok = None if source.exit_code is None else source.exit_code == 0
    return ToolCall(source.id, source.name or "", source.input, source.output, source.exit_code, ok)


def _items(data: bytes, builder: _Builder, source: str = "") -> Iterator[tuple[str, Any]]:
    """The JSON values of a source: one document, or one a line."""
    if len(data) > MAX_VALUE:
        yield from _lines(data, builder, source)
        return
    try:
        whole = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        yield from _lines(data, builder, source)
        return
    if isinstance(whole, list):
        yield from ((f"{source}item {number}", item) for number, item in enumerate(whole, 1))
    else:
        yield f"{source}the document", whole


def _lines(data: bytes, builder: _Builder, source: str) -> Iterator[tuple[str, Any]]:
    # Line by line from the same bytes: a long transcript is not held twice.
    for number, line in enumerate(io.BytesIO(data), 1):
        if not line.strip():
            continue
        if len(builder.calls) >= MAX_CALLS or len(builder.unreadable) >= MAX_UNREADABLE:
            builder.unreadable.append(
                UnreadableTrace(f"{source}line {number}", "too many lines; the rest is not read", "")
            )
            return
        if len(line) > MAX_VALUE:
            builder.unreadable.append(
                UnreadableTrace(f"{source}line {number}", f"longer than {MAX_VALUE // 1_000_000} MB; not read", "")
            )
            continue
        try:
            yield f"{source}line {number}", _decoded(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as exc:
            builder.unreadable.append(
                UnreadableTrace(
                    f"{source}line {number}", f"not JSON: {exc}"[:MAX_SHOWN], _shown(line.decode("utf-8", "replace"))
                )
            )


def _decoded(line: bytes) -> Any:
    """One line of JSON. Bytes that are no UTF-8 and halves of surrogate pairs, which tools print, do not make it unreadable."""
    try:
        return msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        mended = _HALF_PAIR.sub(r"\\ufffd", line.decode("utf-8", "replace"))
        return msgspec.json.decode(mended)


class _Builder:
    """Puts calls and what they returned together, in the order of the calls."""

    def __init__(self) -> None:
        self.calls: list[ToolCall] = []
        self.at: dict[str, int] = {}
        self.unreadable: list[UnreadableTrace] = []
        self.own_id, self.whole = "", True
        self.turn = self.items = 0
        self.asked: list[str] = []
        self.strange: dict[str, str] = {}
        self.files: dict[str, str] | None = None
        self.began = self.folder = ""

    def take(self, where: str, item: Any) -> None:
        """Take the calls of one item; say where one cannot be read."""
        if isinstance(item, dict) and isinstance(item.get("id"), str) and isinstance(item.get("calls"), list):
            self.own_id = self.own_id or item["id"]
            self.whole = self.whole and item.get("whole") is not False
            if isinstance(item.get("tree"), str):
                self.files = _digests(item.get("files"))
        self.items += 1
        own = session_folder(item)
        self.began = self.began or own
        self.folder = own or self.folder
        for event in events_of(item):
            if isinstance(event, str):
                self.unreadable.append(UnreadableTrace(where, event, _shown(item)))
            elif isinstance(event, CallEvent):
                self._called(where, event)
            elif isinstance(event, UnknownItem):
                self.strange.setdefault(event.kind, where)
            elif isinstance(event, TurnEvent):
                self.turn += 1
                self.asked.append(event.text)
                self.whole = self.whole and not (event.continued and not self.calls)
            else:
                self._returned(where, event)

    def add(self, call: ToolCall) -> None:
        """A whole call."""
        self.items += 1
        if call.id:
            self.at[call.id] = len(self.calls)
        self.calls.append(call)

    def _called(self, where: str, event: CallEvent) -> None:
        if not is_json(event.input) or not is_json(event.output):
            self.unreadable.append(
                UnreadableTrace(
                    where, "contains values that cannot be kept as JSON (nested too deeply)", _shown(event.name)
                )
            )
            return
        if event.id and event.id in self.at and self._repeats(event):
            return  # transcripts repeat a message while it is streamed
        number = len(self.calls) + 1
        try:
            self.add(
                ToolCall(
                    event.id or f"call-{number}",
                    event.name,
                    event.input,
                    event.output,
                    event.exit_code,
                    event.ok,
                    event.at,
                    self.turn,
                    event.by,
                    folder=self._from_begin(folder_given(event.input)),
                )
            )
        except InputError as exc:
            self.unreadable.append(UnreadableTrace(where, str(exc), _shown(event.name)))

    def _from_begin(self, given: str) -> str:
        """The folder that a tool was given, or else the one of the session now, from the one that the session began in."""
        folder = posixpath.normpath(posixpath.join(self.folder, given))
        begin = posixpath.normpath(self.began).rstrip("/")
        return "" if folder in (".", begin) else folder.removeprefix(f"{begin}/") if self.began else folder

    def _repeats(self, event: CallEvent) -> bool:
        known = self.calls[self.at[event.id]]
        return (known.name, known.input) == (event.name, event.input) and event.output in (None, known.output)

    def _returned(self, where: str, event: ReturnEvent) -> None:
        at = self.at.get(event.id)
        if at is None:
            self.unreadable.append(UnreadableTrace(where, "a result whose call is not in the trace", _shown(event.id)))
            return
        if not is_json(event.output):
            self.unreadable.append(UnreadableTrace(where, "a result that cannot be kept as JSON", _shown(event.id)))
            return
        self.calls[at] = msgspec.structs.replace(
            self.calls[at], output=event.output, exit_code=event.exit_code, ok=event.ok, background=event.background
        )

    def finished(self, trace_id: str) -> TraceReading:
        """What was read. A source that gives no call and holds items of unknown kinds, or nothing at all, was not read."""
        if not self.calls and (self.strange or not self.items):
            kinds = ", ".join(self.strange)[:MAX_SHOWN]
            why = f"contains only items of unknown kinds ({kinds})" if kinds else "is empty"
            self.unreadable.append(UnreadableTrace(next(iter(self.strange.values()), "the document"), why))
        made = Trace(
            trace_id or self.own_id or "trace",
            tuple(self.calls),
            whole=self.whole and not self.unreadable,
            turns=self.turn,
            asked=self.asked[-1] if self.asked else "",
            said="\n".join(self.asked),
            files=self.files,
        )
        return TraceReading(made, tuple(self.unreadable))


def _digests(given: Any) -> dict[str, str]:
    """The digests of files that a result is bound to; none where it does not list them."""
    told = given if isinstance(given, dict) else {}
    return {name: digest for name, digest in told.items() if isinstance(name, str) and isinstance(digest, str)}


def _shown(item: Any) -> str:
    return clipped(item if isinstance(item, str) else repr(item), MAX_SHOWN)


PREFIX = "trace:"
UNREADABLE = "the given trace cannot be read"


def resolved(case: Case, ref: Any, kept: Mapping[str, Trace]) -> tuple[Trace | None, str]:
    """The trace that the reference stands for and where it came from, or None and why there is none."""
    name = ref.removeprefix(PREFIX) if isinstance(ref, str) and ref.startswith(PREFIX) else None
    traces = [source for source in case.evidence if source.kind == "trace"]
    for source in traces:
        if name is None or name in (source.id, source.id.removeprefix(PREFIX)):
            return _read(source)
    if name is not None and name in kept:
        return kept[name], name
    if name is None and len(kept) == 1 and not traces:
        only = next(iter(kept))
        return kept[only], only
    calls = [source for source in case.evidence if source.kind == "tool_call"]
    if calls and not traces:
        return trace_of(calls, name or "").trace, calls[0].id
    if name is not None and (traces or kept):
        return None, "the traceRef names a trace that was not given"
    return None, "no trace was given"


def _read(source: Evidence) -> tuple[Trace | None, str]:
    """The trace in whichever form it was handed in; one of which nothing can be read is none."""
    if source.data is None and source.text is None:
        return None, UNREADABLE
    read = trace_of([source], source.id)
    if read.unreadable and not read.trace.calls:
        return None, f"{UNREADABLE}: {read.unreadable[0].where}: {read.unreadable[0].why}"
    return read.trace, source.id
