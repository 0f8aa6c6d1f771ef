"""Records from one store to another, as JSON lines that keep everything: record, runs, case, tombstones."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from typing import Any

import msgspec

from witnessmark.core.errors import InputError
from witnessmark.core.explain import explain
from witnessmark.core.record import Entry, Record, Run, Store
from witnessmark.core.values import NotNegative, Value
from witnessmark.core.verdict import Usage
from witnessmark.stores.audit import digest_of
from witnessmark.stores.rows import entombed

FORMAT = 1
CHUNK = 500


class RunLine(Value, frozen=True):
    """A run, as exported."""

    id: str
    at: float
    seconds: float = 0.0
    usage: Usage = Usage()
    timings: dict[str, float] = {}
    tracebacks: dict[str, str] = {}
    complexity: str = "MEDIUM"
    agent: str = ""
    work_usd: NotNegative | None = None


class ExportedEntry(Value, frozen=True):
    """An entry, as exported; without a record it is a tombstone."""

    witnessmark_export: int
    id: str
    workspace: str
    runs: tuple[RunLine, ...]
    record: Record | None = None
    case: Any = None
    redacted: bool = False
    parent: str | None = None


async def export(store: Store, workspace: str | None = None) -> AsyncIterator[bytes]:
    """One JSON line for each record and tombstone, oldest first."""
    async for entry in store.scan(workspace):
        yield msgspec.json.encode(
            {
                "witnessmark_export": FORMAT,
                "id": entry.id,
                "workspace": entry.workspace,
                "parent": entry.parent,
                "redacted": entry.redacted,
                "record": entry.record,
                "case": None if entry.case is None else msgspec.Raw(entry.case),
                "runs": entry.runs,
            }
        )


async def take_in(store: Store, lines: Iterable[bytes]) -> int:
    """Append exported lines; what is there already stays once. A broken line stops before anything of its chunk is kept."""
    count, chunk = 0, list[Entry]()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        chunk.append(_entry(line, number))
        count += 1
        if len(chunk) == CHUNK:
            await store.append(chunk)
            chunk = []
    if chunk:
        await store.append(chunk)
    return count


def _entry(line: bytes, number: int) -> Entry:
    try:
        read = msgspec.json.decode(line, type=ExportedEntry)
    except msgspec.ValidationError as exc:
        raise InputError(f"line {number}: {explain(exc, ExportedEntry)}") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as exc:
        raise InputError(f"line {number}: not a line of `witnessmark records export` ({exc})") from None
    if read.witnessmark_export != FORMAT:
        raise InputError(
            f"line {number}: export format {read.witnessmark_export} is not known; this version reads {FORMAT}"
        )
    if read.record is not None and (read.record.id != read.id or not read.record.holds()):
        raise InputError(f"line {number}: record {read.id[:12]} is not what its id says; export it again")
    if read.record is not None and (read.record.workspace, read.record.parent) != (read.workspace, read.parent):
        raise InputError(f"line {number}: record {read.id[:12]} is of another workspace or parent; export it again")
    runs = tuple(Run(**{name: getattr(line, name) for name in RunLine.__struct_fields__}) for line in read.runs)
    runs = runs if read.record is not None else entombed(runs)
    case = None if read.case is None else msgspec.json.encode(read.case, order="sorted")
    record = None if read.record is None else read.record.normal()
    if record is not None and case is not None and not read.redacted and digest_of(case) != record.case_digest:
        raise InputError(f"line {number}: the case is not the one that was verified; export it again")
    return Entry(read.id, read.workspace, record, runs, case, read.redacted, read.parent)
