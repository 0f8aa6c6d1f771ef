"""Worker processes: one that is killed is replaced and its chunk done again; a row that kills becomes an error row."""

from __future__ import annotations

import json
import os
import signal
import sys

import pytest

from witnessmark.batch import pool
from witnessmark.batch.pool import WorkerPool
from witnessmark.batch.values import Chunk, ChunkWork, Row
from witnessmark.core.errors import WitnessmarkError
from witnessmark.settings import Settings

KILLER = """
import os, signal
from witnessmark.core.registry import check
from witnessmark.core.verdict import passed

@check("killer", version="1", cost="instant")
def killer(value=None):
    def look(case, prior):
        if "die" in case.text:
            os.kill(os.getpid(), signal.SIGKILL)
        print("a check that prints")
        return passed("it lives")
    return look
"""


def chunk_of(number, *texts):
    rows = []
    for place, text in enumerate(texts):
        case = {
            "id": f"{number}-{place}",
            "subject": {"kind": "task_output", "text": text},
            "criteria": [{"check": "killer"}],
        }
        rows.append(Row(number * 100 + place + 1, f"row {place}", json.dumps(case).encode()))
    return Chunk(number, tuple(rows))


@pytest.fixture
def with_killer(tmp_path, monkeypatch, warm_path):
    """A check that a worker process knows and this one does not: it ends the process that calls it.

    Each row that kills takes several processes with it, so those here start warm.
    """
    monkeypatch.setattr(sys, "executable", f"{warm_path}/python")
    (tmp_path / "deadly.py").write_text(KILLER)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(
        pool, "SERVE", f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import deadly; {pool.SERVE}"
    )


def told(done):
    return [
        (one.get("case_id"), one.get("outcome"), "died twice" in one.get("error", ""))
        for one in map(json.loads, done.lines.splitlines())
    ]


def test_a_row_that_kills_its_worker_is_one_error_row_and_the_others_are_verified(with_killer):
    chunks = [
        chunk_of(0, "a", "b"),
        chunk_of(1, "c", "die", "d", "e", "die", "f"),
        chunk_of(2, "g"),
        chunk_of(3, "die"),
    ]
    made = list(WorkerPool(ChunkWork(Settings()), 2).results(iter(chunks)))
    assert [done.number for done in made] == [0, 1, 2, 3]
    assert [done.rows for done in made] == [2, 6, 1, 1]
    assert told(made[1]) == [
        ("1-0", "pass", False), (None, None, True), ("1-2", "pass", False), ("1-3", "pass", False), (None, None, True),
        ("1-5", "pass", False),
    ]  # fmt: skip
    assert told(made[3]) == [(None, None, True)]
    assert (made[1].tally.cases, made[1].tally.errors) == (4, 2)
    assert [json.loads(line)["row"] for line in made[1].lines.splitlines() if b'"error"' in line] == [102, 105]


def test_a_worker_killed_in_the_middle_changes_nothing(case):
    rows = [Row(n, "", json.dumps(case(n)).encode()) for n in range(1, 601)]
    chunks = [Chunk(n, tuple(rows[n * 20 : n * 20 + 20])) for n in range(30)]
    undisturbed = b"".join(done.lines for done in WorkerPool(ChunkWork(Settings()), 2).results(iter(chunks)))
    workers = WorkerPool(ChunkWork(Settings()), 2)
    made = []
    for done in workers.results(iter(chunks)):
        made.append(done.lines)
        if done.number in (3, 11, 12):
            os.kill(workers.workers[0].process.pid, signal.SIGKILL)
    assert b"".join(made) == undisturbed
    assert undisturbed.count(b"\n") == 600


def test_workers_that_cannot_begin_are_reported_and_not_started_for_ever(monkeypatch):
    monkeypatch.setattr(pool, "SERVE", "raise SystemExit(3)")
    with pytest.raises(WitnessmarkError, match="exit before they start"):
        list(WorkerPool(ChunkWork(Settings()), 2).results(iter([chunk_of(0, "a")])))


def test_no_worker_is_left_behind_when_the_one_who_asked_stops_listening(case):
    workers = WorkerPool(ChunkWork(Settings()), 2)
    rows = tuple(Row(n, "", json.dumps(case(n)).encode()) for n in range(20))
    results = workers.results(iter([Chunk(n, rows) for n in range(50)]))
    next(results)
    processes = [hand.process for hand in workers.workers]
    results.close()
    assert all(process.poll() is not None for process in processes)
