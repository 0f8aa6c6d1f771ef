"""Jobs: many cases, each with exactly one record, whatever happens to the processes that work on them."""

from __future__ import annotations

import re
import sqlite3
import time
from collections import Counter

import httpx
import pytest
from bench.bench_service import SlowJudge, killed

from witnessmark import check
from witnessmark.core import registry
from witnessmark.core.verdict import Usage, passed
from witnessmark.server.jobs import queue


def _cases(good, count, name="j"):
    return [good | {"id": f"{name}-{number}"} for number in range(count)]


def test_a_batch_is_a_job_whose_progress_and_results_can_be_read(here, good, bad):
    answer = here.ask("POST", "/verify-batch", {"cases": [*_cases(good, 3), bad, {"subject": 1}]})
    assert (answer.status_code, answer.json()["total"]) == (202, 5)
    job = answer.json()["id"]
    assert answer.headers["location"] == f"/jobs/{job}"
    found = here.finished(job)
    assert found["counts"] == {"waiting": 0, "taken": 0, "done": 4, "refused": 1, "cancelled": 0}
    assert found["outcomes"] == {"pass": 3, "fail": 1}
    told = here.ask("GET", f"/jobs/{job}/results?limit=2").json()
    assert [one["case_id"] for one in told["results"]] == ["j-0", "j-1"]
    first = here.ask("GET", f"/jobs/{job}/results?limit=1").json()
    assert first["next"], "clients go on while there is a next"
    assert (
        here.ask("GET", f"/jobs/{job}/results?limit=1&after={first['next']}").json()["results"][0]["case_id"] == "j-1"
    )
    rest = here.ask("GET", f"/jobs/{job}/results?after={told['next']}").json()
    assert rest["next"] is None
    assert rest["results"][-1]["problem"].startswith("subject")
    record = here.ask("GET", f"/records/{rest['results'][1]['record_id']}").json()
    assert record["case_id"] == "order-2"
    assert here.ask("GET", "/jobs").json()["jobs"][0]["id"] == job


def test_all_jobs_can_be_listed_page_by_page(within):
    app = within(keyless=False)
    ours, theirs = app.key("ours"), app.key("theirs")

    def made(key):
        return app.ask("POST", "/verify-batch", {"cases": [{"subject": 1}]}, key).json()["id"]

    def page(query, key=ours):
        return app.ask("GET", f"/jobs?{query}", key=key)

    ids = [made(ours) for _ in range(51)][::-1]
    made(theirs)
    seen, cursor = [], ""
    while cursor is not None:
        told = page(f"limit=20{cursor and f'&after={cursor}'}").json()
        seen, cursor = [*seen, *(job["id"] for job in told["jobs"])], told["next"]
        made(ours)  # what is made meanwhile shifts nothing
    assert seen == ids
    assert page("limit=51").json()["next"] is not None
    assert page("limit=54").json()["next"] is None
    wrong = [page(f"after={word}") for word in ("", "x", ids[0], "nan_x")]
    assert [(one.status_code, one.json()["field"]) for one in wrong] == [(422, "after")] * 4
    following = page("limit=1").json()["next"]
    assert page(f"after={following}", theirs).json()["jobs"][0]["workspace"] == "theirs"


def test_the_page_of_jobs_leads_to_older_ones(here):
    ids = [here.ask("POST", "/verify-batch", {"cases": [{"subject": 1}]}).json()["id"] for _ in range(51)]
    newest = here.ask("GET", "/ui/jobs").text
    (older,) = re.findall(r'href="(\?after=[^"]+)"', newest)
    further = here.ask("GET", f"/ui/jobs{older}").text
    assert [f"/ui/jobs/{ids[0]}" in shown for shown in (newest, further)] == [False, True]
    assert "Older" not in further
    assert "Newest" in further


def test_only_a_job_of_ones_own_is_cancelled_on_the_page_and_logged(within, good):
    app = within(keyless=False, run_jobs=False)
    ours, theirs = app.key("ours", "admin"), app.key("theirs", "admin")
    job = app.ask("POST", "/verify-batch", {"cases": [good]}, ours).json()["id"]
    form = {"content-type": "application/x-www-form-urlencoded"}

    def cancelled(job_id, key):
        answer = app.ask("POST", f"/ui/jobs/{job_id}/cancel", b"sure=yes", key, headers=form)
        lines = app.ask("GET", "/audit", key=key).json()["lines"]
        return answer.status_code, [line["target"] for line in lines if line["what"] == "cancel job"]

    assert cancelled(job, theirs) == (404, [])
    assert cancelled("nobody-made-this", ours) == cancelled("%00", ours) == (404, [])
    assert app.ask("GET", f"/jobs/{job}", key=ours).json()["state"] == "open"
    assert cancelled(job, ours) == (303, [job])


def test_a_case_a_line_is_read_too(here, good):
    import json

    body = b"\n".join(json.dumps(case).encode() for case in _cases(good, 2)) + b"\n"
    answer = here.ask("POST", "/verify-batch", body, headers={"Content-Type": "application/x-ndjson"})
    assert here.finished(answer.json()["id"])["counts"]["done"] == 2


def test_a_broken_line_is_told_by_its_number(here, good):
    import json

    lines = [json.dumps(case).encode() for case in _cases(good, 2)]
    body = b"\n".join([lines[0], b"", b"{broken", lines[1], b"[]"])
    answer = here.ask("POST", "/verify-batch", body, headers={"Content-Type": "application/x-ndjson"})
    here.finished(answer.json()["id"])
    told = [one["problem"] for one in here.ask("GET", f"/jobs/{answer.json()['id']}/results").json()["results"]]
    assert [said and said.partition(":")[0] for said in told] == [None, "line 3", None, "line 5"]
    assert "line 1" not in told[1]


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{}", b'{"cases": []}', b'{"cases": 3}', b'{"cases": [{}], "x": []}', b"\xff"]
)
def test_a_batch_that_is_none_is_refused(here, body):
    answer = here.ask("POST", "/verify-batch", body)
    assert answer.status_code == 422
    assert here.ask("GET", "/jobs").json()["jobs"] == []


def test_more_cases_than_a_job_takes_are_refused(within, good):
    app = within(service={"max_job_cases": 2})
    assert app.ask("POST", "/verify-batch", {"cases": _cases(good, 3)}).json()["field"] == "cases"


def test_a_batch_sent_twice_with_one_key_is_one_job(here, good):
    made = [
        here.ask("POST", "/verify-batch", {"cases": _cases(good, 2)}, headers={"Idempotency-Key": "b"}).json()
        for _ in range(2)
    ]
    assert made[0] == made[1]
    assert len(here.ask("GET", "/jobs").json()["jobs"]) == 1


def test_a_batch_sent_again_with_its_key_is_answered_where_a_new_one_would_be_too_much(within, good):
    app = within(service={"quota": {"open_jobs": 1}}, run_jobs=False)
    body, key = {"cases": _cases(good, 600)}, {"Idempotency-Key": "b"}
    first, again = (app.ask("POST", "/verify-batch", body, headers=key) for _ in range(2))
    assert (first.status_code, again.status_code, again.content) == (202, 202, first.content)
    assert app.ask("POST", "/verify-batch", body).status_code == 429
    assert app.do(app.state.store.read(lambda db: db.execute("SELECT count(*) FROM job_cases"))) == [(600,)]


def test_a_cancelled_job_goes_no_further(within, good):
    app = within(run_jobs=False)
    job = app.ask("POST", "/verify-batch", {"cases": _cases(good, 5)}).json()["id"]
    found = app.ask("DELETE", f"/jobs/{job}").json()
    assert (found["state"], found["counts"]["cancelled"]) == ("cancelled", 5)
    worker = within()
    assert worker.finished(worker.ask("POST", "/verify-batch", {"cases": _cases(good, 1, "other")}).json()["id"])
    assert len(worker.ask("GET", "/records").json()["records"]) == 1
    assert app.ask("DELETE", "/jobs/none").status_code == 404


def test_the_content_of_a_case_goes_once_it_is_done(here, good):
    job = here.ask("POST", "/verify-batch", {"cases": _cases(good, 2)}).json()["id"]
    here.finished(job)
    assert here.do(here.state.store.read(lambda db: db.execute("SELECT DISTINCT body FROM job_cases"))) == [(None,)]


def test_who_comes_too_late_with_a_result_keeps_nothing(within, good):
    app = within(run_jobs=False)
    app.ask("POST", "/verify-batch", {"cases": _cases(good, 1)})
    (first,) = _lease(app, "slow/1/1/a")
    assert _lease(app, "other/1/1/b") == [], "for as long as the lease holds, nobody else takes it"
    _run_out(app)
    (second,) = _lease(app, "other/1/1/b")
    assert (second.number, second.fence) == (first.number, first.fence + 1)
    from witnessmark import Case
    from witnessmark.server.writer import Write

    entry = app.do(app.state.verifier("default").evaluate(Case.from_json(second.body)))

    def settled(lease):
        return app.do(app.state.writer.keep(Write((entry,), (), queue.settle(lease, entry.record))))

    assert settled(first) == "too late"
    assert app.ask("GET", "/records").json()["records"] == []
    assert settled(second) is None
    assert settled(second) == "too late"
    assert app.ask("GET", "/records").json()["records"][0]["runs"] == 1


def _lease(app, worker, most=8, **how):
    return app.do(app.state.writing.transact(lambda db: queue.take(db, worker, most, **how)))


def _run_out(app, where="state = 'taken'"):
    app.do(app.state.writing.transact(lambda db: db.execute(f"UPDATE job_cases SET lease_until = 1.0 WHERE {where}")))


def test_a_living_worker_keeps_what_it_works_on_and_loses_what_it_does_not(within, good):
    app = within(run_jobs=False)
    app.ask("POST", "/verify-batch", {"cases": _cases(good, 3)})
    leases = _lease(app, "alive/1/1/a")
    _run_out(app)
    app.do(app.state.writing.transact(lambda db: queue.renew(db, leases[:2])))
    assert [one.number for one in _lease(app, "other/1/1/b")] == [2]


def test_one_workspace_with_many_jobs_does_not_keep_another_waiting(within, good):
    app = within(run_jobs=False, keyless=False)
    many, one = app.key("many"), app.key("one")
    for number in range(150):
        app.ask("POST", "/verify-batch", {"cases": _cases(good, 2, f"m{number}-")}, key=many)
    app.ask("POST", "/verify-batch", {"cases": _cases(good, 1)}, key=one)
    assert Counter(case.workspace for case in _lease(app, "w/1/1/a", 8)) == {"many": 4, "one": 1}
    assert Counter(case.workspace for case in _lease(app, "w/1/1/a", 8, held={"many": 4}, each=6)) == {"many": 2}


def test_a_case_that_is_lost_again_and_again_is_tried_alone_and_then_refused_with_a_record(within, good):
    app = within(run_jobs=False)
    job = app.ask("POST", "/verify-batch", {"cases": _cases(good, 2)}).json()["id"]
    for _ in range(2):
        assert len(_lease(app, "dies/1/1/a")) == 2
        _run_out(app)
    app.do(app.state.writing.transact(lambda db: db.execute("UPDATE job_cases SET tries = 0 WHERE number = 1")))
    assert [one.number for one in _lease(app, "dies/1/1/a")] == [1], "the one that is suspected is not among others"
    for tries in range(2, 5):
        lost = app.do(app.state.writing.transact(lambda db: queue.take_suspect(db, "dies/1/1/a")))
        assert (lost.number, lost.tries) == (0, tries)
        _run_out(app)
    goes_on = within()
    assert goes_on.finished(job)["counts"] | {"waiting": 0} == {
        "waiting": 0, "taken": 0, "done": 1, "refused": 1, "cancelled": 0,
    }  # fmt: skip
    refused = goes_on.ask("GET", f"/jobs/{job}/results").json()["results"][0]
    assert "died or timed out 5 times" in refused["problem"]
    record = goes_on.ask("GET", f"/records/{refused['record_id']}").json()
    assert (record["outcome"], record["unverified_because"]) == ("unverified", "skipped")
    assert "5 times" in record["results"][0]["reason"]


def test_a_case_whose_record_cannot_be_kept_is_refused_and_the_others_go_on(within, good):
    @check("dear_beyond_words", version="1", cost="paid", register=False)
    def dear():
        return lambda case, prior: passed("fine", usage=Usage(judge_calls=1, tokens=2**63))

    registry.checks.add("dear_beyond_words", dear)
    try:
        app = within(work={"processes": 0})
        dear_case = good | {"id": "dear", "criteria": [{"check": "dear_beyond_words"}]}
        job = app.ask("POST", "/verify-batch", {"cases": [dear_case, *_cases(good, 2)]}).json()["id"]
        assert app.finished(job)["outcomes"] == {"pass": 2}
        alone = app.ask("POST", "/verify", dear_case)
    finally:
        registry.checks.remove("dear_beyond_words")
    refused = app.ask("GET", f"/jobs/{job}/results").json()["results"][0]
    assert (refused["state"], refused["record_id"]) == ("refused", None)
    assert "beyond what the store can keep" in refused["problem"]
    assert (alone.status_code, alone.json()["detail"]) == (422, refused["problem"])


def test_what_a_living_worker_has_taken_nobody_else_takes(within, good):
    app = within(run_jobs=False)
    app.ask("POST", "/verify-batch", {"cases": _cases(good, 3)})
    store, me = app.state.store, queue.worker_name()
    assert len(app.do(store.transact(lambda db: queue.take(db, me, 8)))) == 3
    assert app.do(store.transact(lambda db: queue.take(db, "other/1/1/b", 8))) == []
    app.do(queue.hand_back(store, me))
    assert len(app.do(store.transact(lambda db: queue.take(db, "other/1/1/b", 8)))) == 3


def test_a_long_job_does_not_keep_a_short_one_waiting(within, good):
    app = within(run_jobs=False)
    long = app.ask("POST", "/verify-batch", {"cases": _cases(good, 100, "long")}).json()["id"]
    short = app.ask("POST", "/verify-batch", {"cases": _cases(good, 4, "short")}).json()["id"]
    taken = app.do(app.state.store.transact(lambda db: queue.take(db, "w/1/1/a", 8)))
    assert Counter(one.job_id for one in taken) == {long: 4, short: 4}


def test_a_dead_process_of_this_machine_is_not_waited_for(within, good):
    import socket

    app = within(run_jobs=False)
    app.ask("POST", "/verify-batch", {"cases": _cases(good, 2)})
    dead = f"{socket.gethostname()}/999999999/1/a"
    store = app.state.store

    def work(db):
        queue.say_alive(db, dead)
        queue.take(db, dead, 8)

    app.do(store.transact(work))
    app.do(store.transact(queue.bury))
    assert len(app.do(store.transact(lambda db: queue.take(db, "w/1/1/b", 8)))) == 2


def test_three_kills_in_the_middle_and_every_case_has_exactly_one_record_and_one_run(tmp_path):
    found = killed(tmp_path, kills=3, cases=150, delay_s=0.0, held=30)
    assert (found["one_record"], found["one_run"], found["others"]) == (150, 150, 0)
    assert found["met_work"] == 3


def test_told_to_stop_it_finishes_or_hands_back_what_is_under_way(serve, good, tmp_path):
    first = serve()
    first.http.post("/verify-batch", json={"cases": _cases(good, 400)})
    first.stop()
    db = sqlite3.connect(tmp_path / "live.db")
    assert db.execute("SELECT count(*) FROM job_cases WHERE state = 'taken'").fetchall() == [(0,)]
    done = db.execute("SELECT count(*) FROM job_cases WHERE state = 'done'").fetchall()
    assert db.execute("SELECT count(*) FROM records").fetchall() == done
    second = serve()
    while second.http.get("/jobs").json()["jobs"][0]["state"] == "open":
        time.sleep(0.05)
    assert db.execute("SELECT count(*), count(DISTINCT case_id) FROM records").fetchall() == [(400, 400)]
    assert db.execute("SELECT count(*) FROM runs").fetchall() == [(400,)]
    db.close()


def test_two_processes_on_one_postgresql_share_the_load(serve, good, postgres_url, tmp_path):
    """The judge holds what one process has taken until the other has taken some too."""
    import psycopg

    judge = SlowJudge(0.0)
    judge.config(tmp_path).rename(tmp_path / "witnessmark.toml")
    judge.hold()
    judged = good | {"criteria": [*good["criteria"], "Is kind."]}
    one, two = serve(store=postgres_url), serve(store=postgres_url)
    ids = [
        process.http.post("/verify-batch", json={"cases": _cases(judged, 150, name)}).json()["id"]
        for process, name in ((one, "a"), (two, "b"))
    ]
    answers = [p.http.post("/verify", json=good, headers={"Idempotency-Key": "k"}) for p in (one, two)]
    assert answers[0].content == answers[1].content
    with psycopg.connect(postgres_url, autocommit=True) as db:
        while db.execute("SELECT count(DISTINCT worker) FROM job_cases WHERE state = 'taken'").fetchone() != (2,):
            time.sleep(0.05)
    judge.release()
    for job in ids:
        while httpx.get(f"{one.url}/jobs/{job}", timeout=120).json()["state"] == "open":
            time.sleep(0.05)
    with psycopg.connect(postgres_url) as db:
        assert db.execute("SELECT count(*), count(DISTINCT case_id) FROM records").fetchone() == (301, 301)
        assert db.execute("SELECT count(*) FROM runs").fetchone() == (301,)
        workers = db.execute("SELECT count(DISTINCT worker) FROM job_cases").fetchone()
    assert workers == (2,)
    judge.close()
