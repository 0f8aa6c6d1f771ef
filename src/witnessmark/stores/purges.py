"""Content that goes, and comes back only where the same work is verified anew. Called inside the caller's transaction."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from typing import Any

from msgspec.structs import replace

from witnessmark.core.protocols import Notes
from witnessmark.core.record import Entry, Run, Store
from witnessmark.core.values import Value, canonical, parse
from witnessmark.stores import rows
from witnessmark.stores.rollups import update
from witnessmark.stores.rollups.update import Key, RollupConnection

PAGE = 500
NAMESPACE = "purges"
_EMPTIED = (
    "case_id", "case_digest", "checkpoint", "kind", "outcome", "action", "score", "confidence", "coverage", "attempt",
    "reason", "body",
)  # fmt: skip
_LATEST = "(SELECT max(at) FROM runs u WHERE u.workspace = {0}.workspace AND u.record_id = {0}.id)"


class Purge(Value, frozen=True):
    """That content was removed: when, by whom, and of how many records."""

    at: float
    by: str
    records: int


async def purge_by(store: Store, by: str, *, before: float | None = None, workspace: str | None = None) -> int:
    """Purge, and keep who did: an empty page would otherwise look as if nothing had ever been there."""
    count = await store.purge(before=before, workspace=workspace)
    if count and isinstance(store, Notes):
        await store.remember(NAMESPACE, workspace or "", canonical(Purge(time.time(), by, count)))
    return count


async def last_purge(notes: Notes, workspace: str) -> Purge | None:
    """The newest purge that concerned a workspace, its own or one of all; None where nothing was ever removed."""
    found = [await notes.recall(NAMESPACE, key) for key in (workspace, "")]
    return max((parse(body, Purge) for body in found if body), key=lambda purge: purge.at, default=None)


def revive(db: RollupConnection, entries: Sequence[Entry], gone: set[Key]) -> set[Key]:
    """Fill the tombstones among these whose record was made anew, and say which: one comes with a run nobody had seen.

    What only repeats a run of before the purge, as an older export does, stays purged.
    """
    known = update.run_ids(db, gone)
    again = {
        (entry.workspace, entry.id): entry
        for entry in entries
        if (entry.workspace, entry.id) in gone and made_anew(entry, known.get((entry.workspace, entry.id), ()))
    }
    names = (*_EMPTIED, "first_at")
    sets = ", ".join(f"{name} = ?" for name in names)
    at = [rows.RECORD_COLUMNS.index(name) for name in names]
    made = {key: replace(one, runs=_unseen(one, known.get(key, ()))) for key, one in again.items()}
    filled = [([rows.record_row(made[key])[i] for i in at], key) for key in sorted(made)]
    db.many(f"UPDATE records SET {sets} WHERE workspace = ? AND id = ?", [(*cells, *key) for cells, key in filled])
    return set(again)


def made_anew(entry: Entry, known: Collection[str]) -> bool:
    """Whether this is more than a copy of what was purged: it has its record, and a run that is none of the known."""
    return entry.record is not None and bool(_unseen(entry, known))


def _unseen(entry: Entry, known: Collection[str]) -> tuple[Run, ...]:
    return tuple(run for run in entry.counted_runs if run.id not in known)


def purge(db: RollupConnection, before: float | None, workspace: str | None) -> int:
    """Leave tombstones of what is old, or of a whole workspace; says of how many records.

    What was said of a verification goes no earlier than the verification: of work that is verified again and again, an old decision holds.
    """
    where, values = ["body IS NOT NULL"], list[Any]()
    if before is not None:
        stays = f"p.workspace = records.workspace AND p.id = records.parent AND p.body IS NOT NULL AND {_LATEST.format('p')} >= ?"
        where.append(f"{_LATEST.format('records')} < ?")
        where.append(f"(kind = 'verification' OR NOT EXISTS (SELECT 1 FROM records p WHERE {stays}))")
        values += [before, before]
    if workspace is not None:
        where.append("workspace = ?")
        values.append(workspace)
    condition = " AND ".join(where)
    ids = [one for (one,) in db.execute(f"SELECT id FROM records WHERE {condition} ORDER BY id", tuple(values))]
    if before is None:
        _entomb(db, condition, tuple(values))
        update.forget(db, workspace)
    for start in range(0, len(ids) if before is not None else 0, PAGE):
        page = ids[start : start + PAGE]
        apart = update.around(db, page)
        counted = update.stored_counts(db, apart)
        _entomb(db, f"{condition} AND id IN ({', '.join('?' * len(page))})", (*values, *page))
        update.write(db, update.stored_counts(db, apart).less(counted))
    _sweep(db, before, workspace)
    return len(ids)


def _entomb(db: RollupConnection, condition: str, values: tuple[Any, ...]) -> None:
    db.execute(f"UPDATE records SET {', '.join(f'{c} = NULL' for c in _EMPTIED)} WHERE {condition}", values)


def _sweep(db: RollupConnection, before: float | None, workspace: str | None) -> None:
    """What hangs on records that are gone now."""
    db.execute(
        "UPDATE runs SET detail = NULL, complexity = '', agent = NULL, work_usd = NULL WHERE (detail IS NOT NULL OR "
        "coalesce(complexity, 'MEDIUM') <> '' OR agent IS NOT NULL OR work_usd IS NOT NULL) AND EXISTS (SELECT 1 FROM records r WHERE "
        "r.workspace = runs.workspace AND r.id = runs.record_id AND r.body IS NULL)"
    )
    db.execute(
        "DELETE FROM cases WHERE NOT EXISTS (SELECT 1 FROM records r WHERE r.workspace = cases.workspace "
        "AND r.case_digest = cases.digest AND r.body IS NOT NULL)"
    )
    # An answer may repeat what was judged: it goes with the rest, and can be asked again. Those of the first versions
    # do not say for which workspace they were given.
    theirs, bound = ("shelf LIKE 'answers/%'", ()) if workspace is None else ("shelf = ?", (f"answers/{workspace}",))
    old = () if before is None else (before,)
    db.execute(f"DELETE FROM notes WHERE (shelf = 'answers' OR {theirs}){' AND at < ?' if old else ''}", (*bound, *old))
    _forget_remarks(db)
    _forget_runs(db, before, workspace)


def _forget_runs(db: RollupConnection, before: float | None, workspace: str | None) -> None:
    """Orchestrated runs hold what was planned and said: they go by their age, and with their workspace."""
    for key, at in db.execute("SELECT key, at FROM notes WHERE shelf = 'orchestrations'"):
        if run_goes(key, at, before, workspace):
            db.execute("DELETE FROM notes WHERE shelf = 'orchestrations' AND key = ?", (key,))


def run_goes(key: str, at: float, before: float | None, workspace: str | None) -> bool:
    """Whether an orchestrated run goes in a purge, by its key (workspace/id) and when it last went on."""
    return workspace in (None, key.rpartition("/")[0]) and (before is None or at < before)


def _forget_remarks(db: RollupConnection) -> None:
    """What people remarked on a record goes with it."""
    there = "SELECT 1 FROM records WHERE workspace = ? AND id = ? AND body IS NOT NULL"
    for (key,) in db.execute("SELECT key FROM notes WHERE shelf = 'comments'"):
        workspace, _, record_id = key.rpartition("/")
        if not db.execute(there, (workspace, record_id)):
            db.execute("DELETE FROM notes WHERE shelf = 'comments' AND key = ?", (key,))
