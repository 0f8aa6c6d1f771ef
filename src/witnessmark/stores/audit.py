"""Does the store hold what it says? Every record is recomputed from its content, every link followed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

from witnessmark.core.case import Case
from witnessmark.core.errors import InputError, UnknownNameError
from witnessmark.core.record import Entry, Store


@dataclass(frozen=True, slots=True)
class AuditFault:
    """What is wrong with one record."""

    record_id: str
    what: str


@dataclass(slots=True)
class StoreAudit:
    """What an audit looked at, and what it found."""

    records: int = 0
    tombstones: int = 0
    faults: list[AuditFault] = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        self.faults = []


async def audit(store: Store, workspace: str | None = None) -> StoreAudit:
    """Recompute every id, follow every parent, compare every kept case with its digest."""
    seen = StoreAudit()
    async for entry in store.scan(workspace):
        if entry.record is None:
            seen.tombstones += 1
        else:
            seen.records += 1
        async for fault in _faults(store, entry):
            seen.faults.append(fault)
    return seen


async def _faults(store: Store, entry: Entry) -> AsyncIterator[AuditFault]:
    record = entry.record
    if not entry.runs:
        yield AuditFault(entry.id, "has no run: it says nothing about when it was made")
    if entry.parent is not None and not await _exists(store, entry.parent, entry.workspace):
        yield AuditFault(entry.id, f"its parent {entry.parent[:12]} is neither there nor a tombstone")
    if record is None:
        return
    if record.id != entry.id or record.workspace != entry.workspace or record.parent != entry.parent:
        yield AuditFault(entry.id, "the row and the record in it disagree about id, workspace or parent")
    if not record.holds():
        yield AuditFault(
            entry.id, f"its content gives the id {record.identity()[:12]}: it was changed after it was made"
        )
    if entry.case is not None and not entry.redacted and digest_of(entry.case) != record.case_digest:
        yield AuditFault(entry.id, "the case kept with it is not the case that was verified")


async def _exists(store: Store, record_id: str, workspace: str) -> bool:
    try:
        await store.get(record_id, workspace)
    except UnknownNameError:
        return False
    return True


def digest_of(body: bytes) -> str:
    """The digest of a kept case; empty where it is none."""
    try:
        return Case.from_json(body).digest()
    except InputError:
        return ""
