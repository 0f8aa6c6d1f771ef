"""Counts of what the store holds, changed in the transaction that changes the records, so that they can never disagree.

What a write may change is counted before it and after it, and the difference is written; a plain new verification is counted
as it stands. What a verification counts for says `counting`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol

from witnessmark.core.record import Entry, Record, Run
from witnessmark.core.tallies import RunKey, RunSums
from witnessmark.stores import rows
from witnessmark.stores.rollups.tally import CountedVerification, TallyCounts, count, count_run, counted

Key = tuple[str, str]
"""Workspace and id of a record."""
PAGE = 400
RUN_KEY = ("workspace", *RunKey._fields)
MARK_KEY = ("workspace", "measure", "bucket", "mark")


class RollupConnection(Protocol):
    """What counting needs of a database."""

    dialect: str

    def execute(self, sql: str, parameters: tuple[Any, ...] = (), /) -> list[tuple[Any, ...]]:
        """Run one statement and return its rows."""
        ...

    def many(self, sql: str, values: Sequence[rows.Row], /) -> None:
        """Run one statement for each row of values."""
        ...


# --- what a write may change -----------------------------------------------------------------------------------------


def touched(db: RollupConnection, entries: Sequence[Entry]) -> set[Key]:
    """Whose counts depend on more than a new run: verifications with words about them, and retries on either side."""
    found: set[Key] = set()
    arriving: list[str] = []
    for entry in entries:
        record = entry.record
        if record is None:
            continue
        if record.kind == "verification":
            arriving.append(entry.id)
            if entry.parent is not None:
                found.add((entry.workspace, entry.id))
        elif record.kind in ("override", "outcome") and record.parent is not None:
            found.add((entry.workspace, record.parent))
    for page in _pages(arriving):
        sql = f"SELECT workspace, id, parent, kind FROM records WHERE parent IN ({_marks(page)}) AND kind IS NOT NULL"
        for space, child, parent, kind in db.execute(sql, tuple(page)):
            found.add((space, child) if kind == "verification" else (space, parent))
    return found


def stored_counts(db: RollupConnection, keys: Iterable[Key]) -> TallyCounts:
    """What these records count for as the store holds them now."""
    counts = TallyCounts()
    for one in stored_verifications(db, sorted(keys), lock=True):
        count(counts, one)
    return counts


def fresh(entries: Sequence[Entry], apart: set[Key]) -> TallyCounts:
    """What new runs count for, but for those that were counted otherwise."""
    counts = TallyCounts()
    for entry in entries:
        if entry.record is not None and (entry.workspace, entry.id) not in apart:
            for run in entry.runs:
                count_run(counts, entry.record, run)
    return counts


def tombstones(db: RollupConnection, entries: Sequence[Entry]) -> set[Key]:
    """Which of these were purged before."""
    found: set[Key] = set()
    for where, bound in _spots([(entry.workspace, entry.id) for entry in entries]):
        sql = f"SELECT workspace, id FROM records WHERE {where} AND body IS NULL"
        found |= {(space, record_id) for space, record_id in db.execute(sql, bound)}
    return found


def run_ids(db: RollupConnection, keys: Iterable[Key]) -> dict[Key, set[str]]:
    """The ids of the runs that are known of each of these."""
    found: dict[Key, set[str]] = {}
    for where, bound in _spots(keys, "record_id"):
        for space, record_id, run in db.execute(f"SELECT workspace, record_id, id FROM runs WHERE {where}", bound):
            found.setdefault((space, record_id), set()).add(run)
    return found


def around(db: RollupConnection, ids: Sequence[str]) -> set[Key]:
    """These records, the verifications they are about, and the retries of them: whose counts change when these go."""
    found: set[Key] = set()
    for page in _pages(ids):
        sql = f"SELECT workspace, id, parent FROM records WHERE (id IN ({_marks(page)}) OR parent IN ({_marks(page)})) AND body IS NOT NULL"
        for space, record_id, parent in db.execute(sql, (*page, *page)):
            found.add((space, record_id))
            if parent is not None:
                found.add((space, parent))
    return found


def stored_verifications(
    db: RollupConnection, keys: Sequence[Key], *, lock: bool = False
) -> Iterator[CountedVerification]:
    """These verifications and second readings as the store holds them; `lock` keeps other writers of them waiting."""
    alone = " FOR UPDATE" if lock and db.dialect == "postgresql" else ""
    for where, bound in _spots(keys):
        found = db.execute(
            f"SELECT workspace, id, first_at, body FROM records WHERE {where} AND body IS NOT NULL ORDER BY id{alone}",
            bound,
        )
        if not found:
            continue
        records = {(s, i): (at, Record.from_json(b.encode())) for s, i, at, b in found}
        runs = _runs(db, list(records))
        words = _words(db, [record_id for _, record_id in records])
        tried = [(s, r.parent) for (s, _), (_, r) in records.items() if r.parent is not None and r.attempt > 1]
        parents = _parents(db, tried)
        for key, (at, record) in records.items():
            parent = parents.get((key[0], record.parent or ""))
            yield counted(record, at, tuple(runs.get(key, ())), words.get(key, ()), parent)


def _runs(db: RollupConnection, keys: Sequence[Key]) -> dict[Key, list[Run]]:
    made: dict[Key, list[Run]] = {}
    for where, bound in _spots(keys, "record_id"):
        for space, record_id, *row in db.execute(
            f"SELECT workspace, record_id, {rows.RUN_READ} FROM runs WHERE {where}", bound
        ):
            made.setdefault((space, record_id), []).append(rows.run_from(row))
    return made


def _words(db: RollupConnection, page: Sequence[str]) -> dict[Key, list[Record]]:
    """What people and the world said of each, oldest first."""
    sql = (
        f"SELECT workspace, parent, body FROM records WHERE parent IN ({_marks(page)}) "
        "AND kind IN ('override', 'outcome') AND body IS NOT NULL ORDER BY first_at, id"
    )
    said: dict[Key, list[Record]] = {}
    for space, parent, body in db.execute(sql, tuple(page)):
        said.setdefault((space, parent), []).append(Record.from_json(body.encode()))
    return said


def _parents(db: RollupConnection, keys: Sequence[Key]) -> dict[Key, Record]:
    found: dict[Key, Record] = {}
    for where, bound in _spots(keys):
        sql = f"SELECT workspace, id, body FROM records WHERE {where} AND body IS NOT NULL"
        found |= {(space, i): Record.from_json(body.encode()) for space, i, body in db.execute(sql, bound)}
    return found


def _spots(keys: Iterable[Key], column: str = "id") -> Iterator[tuple[str, tuple[str, ...]]]:
    """Conditions for these keys, a page of one workspace at a time: with the workspace, the index finds them."""
    spaces: dict[str, set[str]] = {}
    for space, record_id in keys:
        spaces.setdefault(space, set()).add(record_id)
    for space in sorted(spaces):
        for page in _pages(sorted(spaces[space])):
            yield f"workspace = ? AND {column} IN ({_marks(page)})", (space, *page)


def _pages(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(ids), PAGE):
        yield ids[start : start + PAGE]


def _marks(page: Sequence[str]) -> str:
    return ", ".join("?" * len(page))


# --- writing ---------------------------------------------------------------------------------------------------------


def _upsert(table: str, keys: Sequence[str], sums: Sequence[str]) -> str:
    columns = (*keys, *sums)
    added = ", ".join(f"{name} = {table}.{name} + excluded.{name}" for name in sums)
    marks = ", ".join("?" * len(columns))
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks}) ON CONFLICT ({', '.join(keys)}) DO UPDATE SET {added}"


_RUNS = _upsert("rollup_runs", RUN_KEY, RunSums._fields)
_MARKS = _upsert("rollup_marks", MARK_KEY, ("n", "total"))


def write(db: RollupConnection, counts: TallyCounts) -> None:
    """Add the counts to what is there, always in the same order, so that two writers never wait on each other."""
    counts = counts.nonzero()
    if counts.runs:
        db.many(_RUNS, [(*key, *map(int, counts.runs[key])) for key in sorted(counts.runs)])
    if counts.marks:
        db.many(_MARKS, [(*key, *counts.marks[key]) for key in sorted(counts.marks)])
    lost_runs = [key for key, sums in counts.runs.items() if sums[0] < 0]
    lost_marks = [key for key, (n, _) in counts.marks.items() if n < 0]
    if lost_runs:
        db.many(f"DELETE FROM rollup_runs WHERE {_at(RUN_KEY)} AND runs = 0", sorted(lost_runs))
    if lost_marks:
        db.many(f"DELETE FROM rollup_marks WHERE {_at(MARK_KEY)} AND n = 0", sorted(lost_marks))


def _at(keys: Sequence[str]) -> str:
    return " AND ".join(f"{name} = ?" for name in keys)


def forget(db: RollupConnection, workspace: str | None) -> None:
    """Nothing is counted any more in this workspace, or in any."""
    where, bound = ("", ()) if workspace is None else (" WHERE workspace = ?", (workspace,))
    db.execute(f"DELETE FROM rollup_runs{where}", bound)
    db.execute(f"DELETE FROM rollup_marks{where}", bound)


def recount(db: RollupConnection) -> None:
    """Count everything anew."""
    forget(db, None)
    after: Key = ("", "")
    while True:
        sql = (
            "SELECT workspace, id FROM records WHERE body IS NOT NULL AND (workspace > ? OR (workspace = ? AND id > ?)) "
            f"ORDER BY workspace, id LIMIT {PAGE}"
        )
        page = [(space, record_id) for space, record_id in db.execute(sql, (after[0], after[0], after[1]))]
        if not page:
            return
        write(db, stored_counts(db, page))
        after = page[-1]
