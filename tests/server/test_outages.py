"""The database goes away under a running job, and comes back: every case is done, and done once."""

from __future__ import annotations

import sqlite3
import threading

from bench.bench_service import stopped


def test_a_database_that_is_stopped_twice_loses_and_doubles_nothing(tmp_path):
    found = stopped(tmp_path, (1.0, 1.0), 60, delay_s=0.0, held=10)
    assert (found["one_record"], found["one_run"], found["others"]) == (60, 60, 0)
    assert found["met_work"] == 2


def test_a_locked_file_is_waited_for_and_read_meanwhile(here, good, tmp_path):
    lock = sqlite3.connect(tmp_path / "service.db", isolation_level=None, check_same_thread=False)
    job = here.ask("POST", "/verify-batch", {"cases": [good | {"id": f"c{n}"} for n in range(40)]}).json()["id"]
    lock.execute("BEGIN IMMEDIATE")
    assert here.ask("GET", "/records").status_code == 200, "who reads does not wait for who writes"
    threading.Timer(0.5, lambda: lock.execute("ROLLBACK")).start()
    assert here.finished(job)["counts"]["done"] == 40
    rows = here.do(here.state.store.read(lambda db: db.execute("SELECT count(*) FROM runs")))
    assert rows == [(40,)]
    lock.close()
