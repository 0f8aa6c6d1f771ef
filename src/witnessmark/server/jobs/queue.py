"""Jobs in the store: many cases, each verified exactly once, whoever dies meanwhile.

A case waits, is taken by a worker, and is done in the same transaction as its record. What a worker has taken is its own for
as long as it says it is alive; then others take it over. Whoever comes too late with a result keeps nothing. Only SQL here.
"""

from __future__ import annotations

import os
import secrets
import socket
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from witnessmark.core.record import Record
from witnessmark.server.writer import IdempotencyClaim, TableRow
from witnessmark.stores.sql import Database, SqlStore

ALIVE_S = 10.0
"""How long a worker counts as alive after it last said so; clocks of several machines should agree to a second or two."""
JOB_COLUMNS = ("id", "workspace", "state", "total", "who", "created_at", "finished_at")
CASE_COLUMNS = ("job_id", "number", "state", "case_id", "body", "problem")
RESULT_COLUMNS = ("number", "state", "case_id", "record_id", "outcome", "action", "problem")
OPEN = ("waiting", "taken")


@dataclass(frozen=True, slots=True)
class ServiceJob:
    """A job and how far it is."""

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


def new_job(
    workspace: str, who: str, cases: Sequence[tuple[str | None, str | None, str | None]]
) -> tuple[str, list[TableRow]]:
    """The rows of a new job; each case is its id, its JSON, and what is wrong with it where it cannot be verified."""
    at = time.time()
    job_id = f"{int(at * 1e6):x}{secrets.token_hex(8)}"
    over = all(problem is not None for _, _, problem in cases)
    job = (job_id, workspace, "done" if over else "open", len(cases), who, at, at if over else None)
    rows: list[TableRow] = [("jobs", JOB_COLUMNS, job)]
    rows += [
        ("job_cases", CASE_COLUMNS, (job_id, number, "refused" if problem else "waiting", case_id, body, problem))
        for number, (case_id, body, problem) in enumerate(cases)
    ]
    return job_id, rows


def take(db: Database, worker: str, most: int, skip: int = 0) -> list[LeasedCase]:
    """Some cases for a worker: of each open job in turn, so that a long one does not keep the others waiting."""
    jobs = db.execute("SELECT id, workspace, who FROM jobs WHERE state = 'open' ORDER BY created_at LIMIT 100")
    taken: list[LeasedCase] = []
    for turn in range(len(jobs)):
        job_id, workspace, who = jobs[(skip + turn) % len(jobs)]
        share = max(1, (most - len(taken)) // (len(jobs) - turn))
        numbers = _free(db, job_id, share)
        for number, body in numbers:
            db.execute(
                "UPDATE job_cases SET state = 'taken', worker = ? WHERE job_id = ? AND number = ?",
                (worker, job_id, number),
            )
            taken.append(LeasedCase(job_id, number, workspace, who, body.encode()))
        if not numbers:
            _finish(db, job_id)
        if len(taken) >= most:
            break
    return taken


def _free(db: Database, job_id: str, most: int) -> list[tuple[int, str]]:
    """Cases that wait, then those whose worker is gone."""
    waiting = "SELECT number, body FROM job_cases WHERE job_id = ? AND state = 'waiting' ORDER BY number LIMIT ?"
    found = db.execute(waiting + db.skip_locked, (job_id, most))
    if len(found) < most:
        orphaned = (
            "SELECT number, body FROM job_cases WHERE job_id = ? AND state = 'taken' AND NOT EXISTS (SELECT 1 FROM "
            "job_workers w WHERE w.id = job_cases.worker AND w.seen_at > ?) ORDER BY number LIMIT ?"
        )
        alive = time.time() - ALIVE_S
        # Only the cases are taken to be changed: whoever says they are alive is not kept waiting.
        lock = db.skip_locked.replace("UPDATE", "UPDATE OF job_cases")
        found += db.execute(orphaned + lock, (job_id, alive, most - len(found)))
    return [(int(number), str(body)) for number, body in found]


def _finish(db: Database, job_id: str) -> None:
    db.execute(
        "UPDATE jobs SET state = 'done', finished_at = ? WHERE id = ? AND state = 'open' AND NOT EXISTS "
        "(SELECT 1 FROM job_cases c WHERE c.job_id = jobs.id AND c.state IN ('waiting', 'taken'))",
        (time.time(), job_id),
    )


def settle(taken: LeasedCase, worker: str, record: Record | None, problem: str | None = None) -> IdempotencyClaim:
    """A claim for the writer: the case is done by this worker, or somebody else has it by now and nothing is kept."""

    def claim(db: Database) -> Any:
        said = (record.id, record.outcome, record.action) if record is not None else (None, None, None)
        state = "done" if record is not None else "refused"
        made = db.execute(
            "UPDATE job_cases SET state = ?, record_id = ?, outcome = ?, action = ?, problem = ?, body = NULL "
            "WHERE job_id = ? AND number = ? AND worker = ? AND state = 'taken' RETURNING number",
            (state, *said, problem, taken.job_id, taken.number, worker),
        )
        return None if made else "too late"

    return IdempotencyClaim(claim)


async def hand_back(store: SqlStore, worker: str, taken: Sequence[LeasedCase] = ()) -> None:
    """These wait again; without any, all that the worker has, and it is gone."""

    def work(db: Database) -> None:
        sql = "UPDATE job_cases SET state = 'waiting', worker = NULL WHERE worker = ? AND state = 'taken'"
        for one in taken:
            db.execute(f"{sql} AND job_id = ? AND number = ?", (worker, one.job_id, one.number))
        if not taken:
            open_jobs = [row[0] for row in db.execute("SELECT id FROM jobs WHERE state = 'open'")]
            for job_id in open_jobs:
                db.execute(f"{sql} AND job_id = ?", (worker, job_id))
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


async def jobs_of(store: SqlStore, workspace: str, limit: int, job_id: str | None = None) -> list[ServiceJob]:
    """The newest jobs of a workspace, or this one."""

    def work(db: Database) -> list[ServiceJob]:
        more, values = (" AND id = ?", (workspace, job_id, limit)) if job_id else ("", (workspace, limit))
        sql = (
            f"SELECT {', '.join(JOB_COLUMNS)} FROM jobs WHERE workspace = ?{more} ORDER BY created_at DESC, id LIMIT ?"
        )
        return [_counted(db, row) for row in db.execute(sql, values)]

    return await store.read(work)


def _counted(db: Database, row: tuple[Any, ...]) -> ServiceJob:
    counts = dict.fromkeys(("waiting", "taken", "done", "refused", "cancelled"), 0)
    outcomes: dict[str, int] = {}
    sql = "SELECT state, outcome, count(*) FROM job_cases WHERE job_id = ? GROUP BY state, outcome"
    for state, outcome, number in db.execute(sql, (row[0],)):
        counts[state] += int(number)
        if outcome is not None:
            outcomes[outcome] = int(number)
    job_id, workspace, state, total, who, created_at, finished_at = row
    return ServiceJob(job_id, workspace, state, total, who, created_at, finished_at, counts, outcomes)


async def results_of(store: SqlStore, job_id: str, after: int, limit: int) -> list[dict[str, Any]]:
    """What came of the cases of a job, in their order."""
    sql = f"SELECT {', '.join(RESULT_COLUMNS)} FROM job_cases WHERE job_id = ? AND number > ? ORDER BY number LIMIT ?"
    rows = await store.read(lambda db: db.execute(sql, (job_id, after, limit)))
    return [dict(zip(RESULT_COLUMNS, row, strict=True)) for row in rows]


# --- who is alive -------------------------------------------------------------------------------------------------


def worker_name() -> str:
    """A name for this process, told apart from every other one: machine, process, when it began, and chance."""
    return f"{socket.gethostname()}/{os.getpid()}/{_began(os.getpid())}/{secrets.token_hex(4)}"


def say_alive(db: Database, worker: str) -> None:
    """Still here."""
    db.execute(
        "INSERT INTO job_workers (id, seen_at) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at",
        (worker, time.time()),
    )


def bury(db: Database) -> None:
    """Forget workers that are silent for long, and those of this machine whose process is gone: nobody waits for them."""
    for (name,) in db.execute("SELECT id FROM job_workers"):
        host, pid, began, _ = str(name).rsplit("/", 3)
        if host == socket.gethostname() and _began(int(pid)) != began:
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
