"""Records in a dictionary: for tests, and for runs that keep nothing."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Sequence

from msgspec.structs import replace

from witnessmark.core.errors import SeveralRecordsError, UnknownNameError
from witnessmark.core.record import Entry, Query, Record, Summary
from witnessmark.core.registry import store
from witnessmark.core.tallies import LabelledVerification, RunKey, RunSums, RunTally, TallyMark
from witnessmark.stores.purges import made_anew, run_goes
from witnessmark.stores.rollups import read, tally
from witnessmark.stores.rows import entombed, first_at, matches, summary


class MemoryStore:
    """Keeps entries for as long as it lives."""

    def __init__(self) -> None:
        self._entries: dict[tuple[str, str], Entry] = {}
        self._notes: dict[tuple[str, str], tuple[float, bytes]] = {}

    async def append(self, entries: Sequence[Entry]) -> None:
        """Keep these records and their runs; one already there is kept once, its runs are added."""
        for entry in entries:
            key = (entry.workspace, entry.id)
            entry = entry if entry.record is not None else _entombed(entry)  # noqa: PLW2901 - as it is kept
            known = self._entries.get(key)
            if known is None:
                self._entries[key] = entry
            else:
                self._entries[key] = _added(known, entry)

    async def get(self, record_id: str, workspace: str | None = None) -> Entry:
        """The record with this id or unique beginning of one."""
        found = [
            entry
            for (space, key), entry in self._entries.items()
            if record_id and key.startswith(record_id) and workspace in (None, space)
        ]
        if len(found) > 1 and len({entry.id for entry in found}) > 1:
            raise SeveralRecordsError(f"several ids begin with {record_id!r}; give more characters")
        if not found:
            raise UnknownNameError("record", record_id, ())
        return found[0]

    async def find(self, query: Query) -> Sequence[Summary]:
        """Summaries, newest first."""
        found = [summary(e) for e in self._entries.values() if matches(e, query)]
        return sorted(found, key=lambda s: (s.at, s.id), reverse=True)[: query.limit]

    async def scan(self, workspace: str | None = None) -> AsyncIterator[Entry]:
        """Every record and tombstone, oldest first."""
        for entry in sorted(self._entries.values(), key=lambda e: (first_at(e), e.id)):
            if workspace in (None, entry.workspace):
                yield entry

    async def purge(self, *, before: float | None = None, workspace: str | None = None) -> int:
        """Leave tombstones of what is old, or of a whole workspace."""
        gone = [
            (key, entry)
            for key, entry in self._entries.items()
            if workspace in (None, entry.workspace) and self._is_old(entry, before)
        ]
        for key, entry in gone:
            self._entries[key] = _entombed(entry)
        self._notes = {
            key: note for key, note in self._notes.items() if not self._goes(key, note[0], before, workspace)
        }
        return len(gone)

    def _is_old(self, entry: Entry, before: float | None) -> bool:
        """Whether a record goes in a purge; what was said of a verification goes no earlier than the verification."""
        if entry.record is None or before is None:
            return entry.record is not None
        if max((run.at for run in entry.runs), default=0.0) >= before:
            return False
        about = self._entries.get((entry.workspace, entry.parent or ""))
        return (
            entry.record.kind == "verification"
            or about is None
            or about.record is None
            or max((run.at for run in about.runs), default=0.0) < before
        )

    def _goes(self, note: tuple[str, str], at: float, before: float | None, workspace: str | None) -> bool:
        """Whether a note goes in a purge: an answer or a run that is old, and a remark on a record that is gone."""
        namespace, key = note
        if namespace == "comments":
            space, _, record_id = key.rpartition("/")
            about = self._entries.get((space, record_id))
            return about is None or about.record is None
        if namespace == "orchestrations":
            return run_goes(key, at, before, workspace)
        theirs = namespace.startswith("answers/") if workspace is None else namespace == f"answers/{workspace}"
        return (theirs or namespace == "answers") and (before is None or at < before)

    async def children(self, record_id: str) -> Sequence[Record]:
        """The records whose parent this one is, oldest first."""
        found = sorted((e for e in self._entries.values() if e.parent == record_id), key=lambda e: (first_at(e), e.id))
        return [entry.record for entry in found if entry.record is not None]

    async def recall(self, namespace: str, key: str) -> bytes | None:
        """What was remembered under the key, or None."""
        note = self._notes.get((namespace, key))
        return None if note is None else note[1]

    async def remember(self, namespace: str, key: str, body: bytes) -> None:
        """Keep this under the key, in place of what was there."""
        self._notes.pop((namespace, key), None)
        self._notes[namespace, key] = (time.time(), body)

    async def amend(self, namespace: str, key: str, change: Callable[[bytes | None], bytes]) -> bytes | None:
        """Keep what `change` makes of the note, and give what was there; of several at once each sees the one before it."""
        was = self._notes.get((namespace, key), (0.0, None))[1]
        body = change(was)  # nothing is awaited in between
        await self.remember(namespace, key, body)
        return was

    async def recall_all(self, namespace: str) -> Sequence[tuple[str, bytes]]:
        """Everything remembered in a namespace, newest first."""
        return [(key, body) for (where, key), (_, body) in reversed(self._notes.items()) if where == namespace]

    async def run_tallies(
        self,
        workspace: str,
        since: float | None = None,
        until: float | None = None,
        *,
        by: Sequence[str] = RunKey._fields[1:],
        sums: Sequence[str] = RunSums._fields,
    ) -> Sequence[RunTally]:
        """The runs of these days, counted by these parts of the key; the other parts, and sums not asked for, are empty."""
        return read.runs_of(self._counts(), workspace, since, until, by, sums)

    async def marks(
        self,
        workspace: str,
        measures: Sequence[str],
        since: float | None = None,
        until: float | None = None,
        *,
        by_bucket: bool = False,
    ) -> Sequence[TallyMark]:
        """These measures over these days, counted; buckets are 0 unless asked for."""
        return read.marks_of(self._counts(), workspace, measures, since, until, by_bucket)

    async def labelled(
        self, workspace: str, since: float | None = None, until: float | None = None
    ) -> Sequence[LabelledVerification]:
        """Every verification that a person or the world said something about, oldest first."""
        return read.labelled_of(self._held(), workspace, since, until)

    async def workspaces(self) -> Sequence[str]:
        """The workspaces that have anything counted."""
        return sorted({held.record.workspace for held in self._held()})

    def _counts(self) -> tally.TallyCounts:
        counts = tally.TallyCounts()
        for held in self._held():
            tally.count(counts, held)
        return counts.nonzero()

    def _held(self) -> list[tally.CountedVerification]:
        """What there is, with its words and its parents: counted when asked, since there is never much."""
        words: dict[tuple[str, str | None], list[Record]] = {}
        for entry in sorted(self._entries.values(), key=lambda e: (first_at(e), e.id)):
            if entry.record is not None:
                words.setdefault((entry.workspace, entry.parent), []).append(entry.record)
        held = []
        for (space, name), entry in self._entries.items():
            if entry.record is not None:
                parent = self._entries.get((space, entry.parent or ""))
                above = parent.record if parent else None
                said = words.get((space, name), ())
                held.append(tally.counted(entry.record, first_at(entry), entry.runs, said, above))
        return held

    async def close(self) -> None:
        """Nothing is open."""


def _added(known: Entry, entry: Entry) -> Entry:
    """What is known of a record with this added; what was purged comes back only where it was made anew."""
    back = known.record is None and made_anew(entry, {run.id for run in known.runs})
    there = entry if back else known
    case = there.case or (entry.case if there.record is not None else None)
    seen = {run.id for run in known.runs}
    runs = {run.id: run for run in entry.runs if run.id not in seen}
    return replace(there, case=case, runs=(*known.runs, *runs.values()))


def _entombed(entry: Entry) -> Entry:
    """What a purge leaves of an entry."""
    return replace(entry, record=None, case=None, runs=entombed(entry.runs))


@store("memory")
def memory_store(url: str) -> MemoryStore:
    """A store of its own, whatever follows `memory:`."""
    return MemoryStore()
