"""Jobs in the store: many cases, each verified exactly once, whoever dies meanwhile.

A case waits, is leased by a worker for a while, and is done in the same transaction as its record. A lease is renewed for as
long as the worker works on the case; one that ran out is taken over under a higher number, and whoever comes with an older one
keeps nothing. Work is taken in turn over the workspaces. Only SQL here.
"""

from __future__ import annotations

import os
import secrets
import socket
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from witnessmark.core.errors import InputError
from witnessmark.core.record import Record
from witnessmark.core.values import Value
from witnessmark.server.http.errors import later
from witnessmark.server.writer import IdempotencyClaim, TableRow
from witnessmark.settings import WorkspaceQuota
from witnessmark.stores.browse import NO_CURSOR, place_of
from witnessmark.stores.sql import Database, SqlStore

ALIVE_S = 10.0
"""How long a process counts as alive after it last said so; clocks of several machines should agree to a second or two."""
LEASE_S = 15.0
SUSPECT = 2
"""A case that was lost so often with others beside it is tried alone from then on, so that it is lost with nobody."""
JOB_COLUMNS = ("id", "workspace", "state", "total", "who", "created_at", "finished_at")
CASE_COLUMNS = ("job_id", "number", "state", "case_id", "body", "problem")
RESULT_COLUMNS = ("number", "state", "case_id", "record_id", "outcome", "action", "problem")


class JobProgress(Value, frozen=True):
    """A job: open, done or cancelled, and how many of its cases are where."""

    id: str
    workspace: str
    state: str
    total: int
    who: str
    created_at: float
    finished_at: float | None
    counts: dict[str, int]
    outcomes: dict[str, int]


@dataclass(frozen=True, slots=True)
class LeasedCase:
    """A case of a job in the hands of a worker."""

    job_id: str
    number: int
    workspace: str
    who: str
    body: bytes
    fence: int
    tries: int
    """How often it was taken before and never came back."""

    @property
    def key(self) -> tuple[str, int, int]:
        """What only this lease has: job, number and fence."""
        return self.job_id, self.number, self.fence


def new_job(
    workspace: str, who: str, cases: Sequence[tuple[str | None, str | None, str | None]]
) -> tuple[str, list[TableRow]]:
    """The rows of a new job, the job itself first; each case is its id, its JSON, and what is wrong with it where it cannot be verified."""
    at = time.time()
    job_id = f"{int(at * 1e6):x}{secrets.token_hex(8)}"
    over = all(problem is not None for _, _, problem in cases)
    job = (job_id, workspace, "done" if over else "open", len(cases), who, at, at if over else None)
    size = sum(len(body) for _, body, _ in cases if body is not None)
    rows: list[TableRow] = [("jobs", (*JOB_COLUMNS, "bytes"), (*job, size))]
    rows += [
        ("job_cases", CASE_COLUMNS, (job_id, number, "refused" if problem else "waiting", case_id, body, problem))
        for number, (case_id, body, problem) in enumerate(cases)
    ]
    return job_id, rows


async def within_quota(store: SqlStore, workspace: str, quota: WorkspaceQuota, size: int) -> None:
    """Raise 429 where the open jobs of the workspace are too many, or too long, for one more of this size."""
    sql = "SELECT count(*), coalesce(sum(bytes), 0) FROM jobs WHERE state = 'open' AND workspace = ?"
    ((count, held),) = await store.read(lambda db: db.execute(sql, (workspace,)))
    if quota.open_jobs and count >= quota.open_jobs:
        raise later(429, f"{count} jobs of this workspace are open; wait for some (service.quota.open_jobs)", 10)
    if quota.job_bytes and held and held + size > quota.job_bytes:
        raise later(
            429,
            f"open jobs of this workspace hold {held:,} bytes (service.quota.job_bytes); wait for some to finish",
            10,
        )


def take(
    db: Database, worker: str, most: int, turn: int = 0, held: Mapping[str, int] | None = None, each: int | None = None
) -> list[LeasedCase]:
    """Lease some cases: of each workspace in turn, whoever has how many jobs; none gets more than `each` with what it holds."""
    spaces = [row[0] for row in db.execute("SELECT DISTINCT workspace FROM jobs WHERE state = 'open' ORDER BY 1")]
    taken: list[LeasedCase] = []
    for at in range(len(spaces)):
        workspace = spaces[(turn + at) % len(spaces)]
        share = max(1, (most - len(taken)) // (len(spaces) - at))
        if each is not None:
            share = min(share, each - (held or {}).get(workspace, 0))
        if share > 0:
            taken += _leased(db, worker, workspace, share, turn)
        if len(taken) >= most:
            break
    if len(taken) < most:
        _finish(db)
    return taken


def take_suspect(db: Database, worker: str) -> LeasedCase | None:
    """One case that was lost again and again, to be tried alone."""
    spaces = [row[0] for row in db.execute("SELECT DISTINCT workspace FROM jobs WHERE state = 'open' ORDER BY 1")]
    found = (_leased(db, worker, workspace, 1, suspect=True) for workspace in spaces)
    return next((taken[0] for taken in found if taken), None)


def _leased(
    db: Database, worker: str, workspace: str, most: int, turn: int = 0, *, suspect: bool = False
) -> list[LeasedCase]:
    """Cases of the workspace's jobs, of each in turn: those that wait, then those whose lease ran out."""
    sql = "SELECT id, who FROM jobs WHERE state = 'open' AND workspace = ? ORDER BY created_at, id"
    jobs = db.execute(sql, (workspace,))
    taken: list[LeasedCase] = []
    for at in range(len(jobs)):
        job_id, who = jobs[(turn + at) % len(jobs)]
        share = max(1, (most - len(taken)) // (len(jobs) - at))
        for number, body, fence, tries in _free(db, job_id, share, suspect):
            taken.append(
                LeasedCase(job_id, int(number), workspace, who, str(body).encode(), int(fence) + 1, int(tries))
            )
        if len(taken) >= most:
            break
    db.many(
        "UPDATE job_cases SET state = 'taken', worker = ?, lease_until = ?, fence = ?, tries = tries + 1 "
        "WHERE job_id = ? AND number = ?",
        [(worker, time.time() + LEASE_S, one.fence, one.job_id, one.number) for one in taken],
    )
    return taken


def _free(db: Database, job_id: str, most: int, suspect: bool) -> list[tuple[Any, ...]]:
    select = f"SELECT number, body, fence, tries FROM job_cases WHERE job_id = ? AND tries {'>=' if suspect else '<'} ?"
    rest = " ORDER BY number LIMIT ?" + db.skip_locked
    found = db.execute(f"{select} AND state = 'waiting'{rest}", (job_id, SUSPECT, most))
    if len(found) < most:
        lost = f"{select} AND state = 'taken' AND lease_until < ?{rest}"
        found += db.execute(lost, (job_id, SUSPECT, time.time(), most - len(found)))
    return found


def renew(db: Database, leases: Sequence[LeasedCase]) -> None:
    """These are being worked on."""
    until = time.time() + LEASE_S
    sql = "UPDATE job_cases SET lease_until = ? WHERE job_id = ? AND number = ? AND fence = ? AND state = 'taken'"
    if leases:
        db.many(sql, [(until, *lease.key) for lease in leases])


def forget_unfinished(db: Database, before: float) -> None:
    """Cases of jobs that never came to be: whoever sent them was cut off while they were written."""
    sql = "DELETE FROM job_cases WHERE job_id < ? AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.id = job_cases.job_id)"
    db.execute(sql, (f"{int(before * 1e6):x}",))


def _finish(db: Database) -> None:
    db.execute(
        "UPDATE jobs SET state = 'done', finished_at = ? WHERE state = 'open' AND NOT EXISTS "
        "(SELECT 1 FROM job_cases c WHERE c.job_id = jobs.id AND c.state IN ('waiting', 'taken'))",
        (time.time(),),
    )


def settle(taken: LeasedCase, record: Record | None, problem: str | None = None) -> IdempotencyClaim:
    """A claim for the writer: the case is done under this lease, or somebody else has it by now and nothing is kept."""

    def claim(db: Database) -> Any:
        said = (record.id, record.outcome, record.action) if record is not None else (None, None, None)
        state = "done" if problem is None else "refused"
        made = db.execute(
            "UPDATE job_cases SET state = ?, record_id = ?, outcome = ?, action = ?, problem = ?, body = NULL, "
            "lease_until = NULL WHERE job_id = ? AND number = ? AND fence = ? AND state = 'taken' RETURNING number",
            (state, *said, problem, *taken.key),
        )
        return None if made else "too late"

    return IdempotencyClaim(claim)


async def hand_back(store: SqlStore, worker: str) -> None:
    """All that the worker has waits again, as if it had not been taken, and the worker is gone."""

    def work(db: Database) -> None:
        waits = "state = 'waiting', worker = NULL, lease_until = NULL, tries = tries - 1"
        db.execute(f"UPDATE job_cases SET {waits} WHERE worker = ? AND state = 'taken'", (worker,))
        db.execute("DELETE FROM job_workers WHERE id = ?", (worker,))

    await store.transact(work)


async def cancel(store: SqlStore, job_id: str, workspace: str) -> bool:
    """What has not begun is not begun any more; whether there was such a job."""

    def work(db: Database) -> bool:
        found = db.execute("SELECT state FROM jobs WHERE id = ? AND workspace = ?", (job_id, workspace))
        if found and found[0][0] == "open":
            db.execute(
                "UPDATE jobs SET state = 'cancelled', finished_at = ? WHERE id = ? AND state = 'open'",
                (time.time(), job_id),
            )
            db.execute(
                "UPDATE job_cases SET state = 'cancelled', body = NULL, worker = NULL WHERE job_id = ? AND state IN "
                "('waiting', 'taken')",
                (job_id,),
            )
        return bool(found)

    return await store.transact(work)


async def jobs_of(store: SqlStore, workspace: str, limit: int, after: str = "") -> tuple[list[JobProgress], str | None]:
    """A page of the workspace's jobs, newest first, and the cursor of the next one; InputError where `after` is no cursor of ours."""
    place = place_of(after)
    if after and place is None:
        raise InputError(NO_CURSOR.format("after"))
    also = "" if place is None else " AND (created_at, id) < (?, ?)"
    rest = f"workspace = ?{also} ORDER BY created_at DESC, id DESC LIMIT ?"
    found = await store.read(lambda db: _progress(db, rest, (workspace, *(place or ()), limit + 1)))
    last = found[limit - 1] if len(found) > limit else None
    return found[:limit], None if last is None else f"{last.created_at!r}_{last.id}"


async def job_of(store: SqlStore, workspace: str, job_id: str) -> JobProgress | None:
    """One job of the workspace, where there is one with this id."""
    if "\x00" in job_id:
        return None
    found = await store.read(lambda db: _progress(db, "workspace = ? AND id = ?", (workspace, job_id)))
    return found[0] if found else None


def _progress(db: Database, rest: str, values: tuple[Any, ...]) -> list[JobProgress]:
    return [_counted(db, row) for row in db.execute(f"SELECT {', '.join(JOB_COLUMNS)} FROM jobs WHERE {rest}", values)]


def _counted(db: Database, row: tuple[Any, ...]) -> JobProgress:
    counts = dict.fromkeys(("waiting", "taken", "done", "refused", "cancelled"), 0)
    outcomes: dict[str, int] = {}
    sql = "SELECT state, outcome, count(*) FROM job_cases WHERE job_id = ? GROUP BY state, outcome"
    for state, outcome, number in db.execute(sql, (row[0],)):
        counts[state] += int(number)
        if outcome is not None:
            outcomes[outcome] = int(number)
    job_id, workspace, state, total, who, created_at, finished_at = row
    return JobProgress(job_id, workspace, state, total, who, created_at, finished_at, counts, outcomes)


async def results_of(store: SqlStore, job_id: str, after: int, limit: int) -> list[dict[str, Any]]:
    """What came of the cases of a job, in their order."""
    sql = f"SELECT {', '.join(RESULT_COLUMNS)} FROM job_cases WHERE job_id = ? AND number > ? ORDER BY number LIMIT ?"
    rows = await store.read(lambda db: db.execute(sql, (job_id, after, limit)))
    return [dict(zip(RESULT_COLUMNS, row, strict=True)) for row in rows]


# --- who is alive -------------------------------------------------------------------------------------------------


def worker_name() -> str:
    """A name for this process, told apart from every other one: machine, process, when it began, and chance."""
    return f"{socket.gethostname()}/{os.getpid()}/{_began(os.getpid())}/{secrets.token_hex(4)}"


def say_alive(db: Database, worker: str) -> int:
    """Still here; says how many processes of this store are."""
    now = time.time()
    db.execute(
        "INSERT INTO job_workers (id, seen_at) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at",
        (worker, now),
    )
    ((count,),) = db.execute("SELECT count(*) FROM job_workers WHERE seen_at > ?", (now - ALIVE_S,))
    return int(count)


def bury(db: Database) -> None:
    """Forget processes that are silent for long, and those of this machine that are gone: their leases end now."""
    for (name,) in db.execute("SELECT id FROM job_workers"):
        host, pid, began, _ = str(name).rsplit("/", 3)
        if host == socket.gethostname() and _began(int(pid)) != began:
            db.execute("UPDATE job_cases SET lease_until = 0 WHERE worker = ? AND state = 'taken'", (name,))
            db.execute("DELETE FROM job_workers WHERE id = ?", (name,))
    db.execute("DELETE FROM job_workers WHERE seen_at < ?", (time.time() - 60 * ALIVE_S,))


def _began(pid: int) -> str:
    """When a process began, in the machine's own count; empty where it is gone or nobody can say."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123 - one small file of the kernel's
            return file.read().rpartition(b")")[2].split()[19].decode()
    except (OSError, IndexError):
        pass
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return ""
    except OSError:
        return "0"
    return "0"
