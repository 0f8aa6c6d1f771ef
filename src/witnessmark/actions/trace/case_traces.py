"""The traces a case brings along: which calls `trace:<id>` stands for, or that it stands for nothing.

Evidence of kind `trace` holds a trace in any form that `witnessmark.actions.trace.reader` reads, as text or as data; evidence of kind
`tool_call` is one call each. Knows nothing about claims.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from witnessmark.actions.trace.reader import trace_of
from witnessmark.actions.trace.trace import Trace
from witnessmark.core.case import Case, Evidence

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
