"""The traces a case brings along: which calls `trace:<id>` stands for, or that it stands for nothing.

Evidence of kind `trace` holds calls as {id, name, input, output, exit_code, ok, at} in its data; evidence of kind `tool_call` is
one call each. Other tools' traces are brought into this form before (`trueline.world.traces`). Knows nothing about claims.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from trueline.case import Case, Evidence
from trueline.world.trace import ToolCall, Trace

PREFIX = "trace:"


def resolved(case: Case, ref: Any, kept: Mapping[str, Trace]) -> tuple[Trace | None, str]:
    """The trace that the reference stands for and where it came from, or None and why there is none."""
    name = ref.removeprefix(PREFIX) if isinstance(ref, str) and ref.startswith(PREFIX) else None
    traces = [source for source in case.evidence if source.kind == "trace"]
    for source in traces:
        if name is None or name in (source.id, source.id.removeprefix(PREFIX)):
            return _read(source)
    if name is not None and name in kept:
        return kept[name], name
    calls = tuple(_call(source) for source in case.evidence if source.kind == "tool_call")
    if calls and not traces:
        return Trace(id=name or "", calls=calls), calls[0].id
    if name is not None and (traces or kept):
        return None, "the traceRef names a trace that was not handed in"
    return None, "no trace was handed in"


def _call(source: Evidence) -> ToolCall:
    return ToolCall(
        id=source.id, name=source.name or "", input=source.input, output=source.output, exit_code=source.exit_code
    )


def _read(source: Evidence) -> tuple[Trace | None, str]:
    data = source.data
    if data is None and source.text is not None:
        try:
            data = _from_text(source.text)
        except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
            return None, "the trace that was handed in cannot be read"
    if isinstance(data, Mapping):
        data = data.get("calls", [data])
    if not isinstance(data, Sequence) or isinstance(data, str):
        return None, "the trace that was handed in cannot be read"
    calls = [_one(item, number) for number, item in enumerate(data)]
    kept = tuple(call for call in calls if call is not None)
    if len(kept) < len(calls):
        return None, "the trace that was handed in cannot be read: an entry is no call with a name"
    return Trace(id=source.id, calls=kept), source.id


def _from_text(text: str) -> Any:
    data = text.encode()
    return msgspec.json.decode(data) if data.lstrip()[:1] == b"[" else msgspec.json.Decoder().decode_lines(data)


def _one(item: Any, number: int) -> ToolCall | None:
    """A call, of which only the name is required; a field of the wrong type is no evidence and left out."""
    if not isinstance(item, Mapping):
        return None
    name = item.get("name", item.get("tool"))
    if not isinstance(name, str):
        return None
    code, ok, at = item.get("exit_code", item.get("exitCode")), item.get("ok"), item.get("at")
    return ToolCall(
        id=str(item.get("id", number)),
        name=name,
        input=item.get("input", item.get("arguments")),
        output=item.get("output", item.get("result")),
        exit_code=code if type(code) is int else None,
        ok=ok if isinstance(ok, bool) else None,
        at=float(at) if isinstance(at, int | float) else None,
    )
