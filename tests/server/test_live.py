"""`witnessmark serve` as people start it: over real HTTP, off loopback only with keys, with a log that tells no secrets."""

from __future__ import annotations

import subprocess
import sys
import threading
import time

import httpx
import pytest


@pytest.fixture
def witnessmark(warm, tmp_path):
    """Run one command beside the service."""

    def run(*arguments):
        command = [*warm, "-m", "witnessmark", *arguments]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    return run


def test_off_loopback_it_does_not_start_without_keys(witnessmark, tmp_path):
    store = f"sqlite:///{tmp_path}/k.db"
    done = witnessmark("serve", "--host", "0.0.0.0", "--port", "0", "--store", store)
    assert done.returncode == 2
    assert "keys create" in done.stderr


def test_with_a_key_it_serves_off_loopback_and_nobody_without_one(witnessmark, tmp_path, serve, good):
    store = f"sqlite:///{tmp_path}/k.db"
    made = witnessmark("keys", "create", "ci", "--role", "review", "--workspace", "team", "--store", store)
    key = made.stdout.strip()
    live = serve("--host", "0.0.0.0", store=store)
    http = httpx.Client(base_url=live.url.replace("0.0.0.0", "127.0.0.1"), timeout=120)
    assert http.post("/verify", json=good).status_code == 401
    told = http.post("/verify", json=good, headers={"Authorization": f"Bearer {key}"})
    assert (told.status_code, told.json()["workspace"]) == (200, "team")
    listed = witnessmark("keys", "list", "--store", store).stdout
    assert "ci" in listed
    assert key not in listed
    key_id = witnessmark("keys", "list", "--json", "--store", store).stdout.split('"id":"')[1].split('"')[0]
    assert witnessmark("keys", "revoke", key_id, "--store", store).returncode == 0
    assert witnessmark("keys", "revoke", "nope", "--store", store).returncode == 2
    http.close()


def test_it_says_where_records_are_and_keeps_them_where_verify_does(tmp_path, good):
    import os

    environment = {name: value for name, value in os.environ.items() if not name.startswith("WITNESSMARK_")}
    environment["XDG_DATA_HOME"] = str(tmp_path / "data")
    log = tmp_path / "log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "witnessmark", "serve", "--port", "0"],
            cwd=tmp_path,
            env=environment,
            stdout=out,
            stderr=out,
        )
    while b"http://" not in log.read_bytes():
        assert process.poll() is None, log.read_text()
        time.sleep(0.02)
    process.terminate()
    process.wait()
    # the same file that `witnessmark verify` writes to
    kept = tmp_path / "data" / "witnessmark" / "witnessmark.db"
    assert f"records in sqlite:///{kept}" in log.read_text()
    assert kept.exists()


def test_logs_tell_neither_keys_nor_content(witnessmark, tmp_path, serve, good):
    store = f"sqlite:///{tmp_path}/k.db"
    key = witnessmark("keys", "create", "ci", "--role", "admin", "--store", store).stdout.strip()
    live = serve(store=store)
    said = good | {"id": "CANARY-id", "goal": "CANARY goal", "subject": {"kind": "task_output", "text": "CANARY text"}}
    bearer = {"Authorization": f"Bearer {key}"}
    live.http.post("/verify", json=said, headers=bearer)
    live.http.post("/verify", content=b'{"CANARY": 1}', headers=bearer)
    live.http.post("/login", content=f"key={key}".encode())
    live.http.get("/records?case_id=CANARY", headers={"Authorization": "Bearer CANARY-wrong-key"})
    live.http.post("/verify-batch", json={"cases": [said, {"CANARY": 1}]}, headers=bearer)
    live.stop()
    log = live.log.read_text()
    assert "CANARY" not in log  # req: C68
    assert key not in log


def test_events_come_over_the_wire_and_do_not_hold_up_the_end(serve, good):
    live = serve()
    heard: list[str] = []
    ready = threading.Event()

    def listen():
        with httpx.stream("GET", f"{live.url}/events", timeout=60) as stream:
            assert stream.headers["content-type"] == "text/event-stream"
            for line in stream.iter_lines():
                heard.append(line)
                ready.set()

    listener = threading.Thread(target=listen)
    listener.start()
    ready.wait()
    made = live.http.post("/verify", json=good).json()
    while not any(made["id"] in line for line in heard):
        time.sleep(0.01)
    live.stop()
    listener.join()
    assert "event: record" in heard


def test_whoever_asks_for_the_head_of_a_stream_waits_for_no_event(serve):
    live = serve()
    for path in ("/events", "/ui/changes"):
        answer = live.http.head(path)
        assert (answer.status_code, answer.headers["content-type"].partition(";")[0]) == (200, "text/event-stream")
        assert live.http.get("/healthz").status_code == 200, "on the same connection"


def test_whoever_listens_with_a_key_hears_no_more_once_it_is_revoked(serve, good):
    live = serve()
    key = live.http.post("/keys", json={"name": "watcher"}).json()
    with httpx.stream("GET", f"{live.url}/events", headers={"Authorization": f"Bearer {key['key']}"}) as stream:
        lines = stream.iter_lines()
        while next(lines) != ": listening":
            pass
        assert live.http.delete(f"/keys/{key['id']}").status_code == 204
        live.http.post("/verify", json=good)
        assert not any(lines)


def test_several_processes_serve_one_socket_and_end_together(serve, good, tmp_path):
    live = serve("--workers", "2")
    made = [httpx.post(f"{live.url}/verify", json=good | {"id": f"w{n}"}, timeout=120).json() for n in range(8)]
    assert {record["outcome"] for record in made} == {"pass"}
    assert len(live.http.get("/records").json()["records"]) == 8
    job = live.http.post("/verify-batch", json={"cases": [good | {"id": f"x{n}"} for n in range(20)]}).json()
    while live.http.get(f"/jobs/{job['id']}").json()["state"] == "open":
        time.sleep(0.02)
    assert live.stop() == 0


def test_a_port_that_is_taken_is_said(witnessmark, serve, tmp_path):
    live = serve()
    done = witnessmark("serve", "--port", live.url.rpartition(":")[2], "--store", f"sqlite:///{tmp_path}/x.db")
    assert done.returncode == 2
    assert "cannot listen" in done.stderr
    assert done.stdout == "", "nothing is kept there, so nothing says so"


def test_a_store_that_forgets_is_refused_before_anything_is_said_of_it(witnessmark):
    done = witnessmark("serve", "--store", "memory:")
    assert (done.returncode, done.stdout) == (2, "")
    assert "the service needs a persistent store" in done.stderr


def test_judges_limits_and_policy_may_be_named_on_the_command_line(serve, tmp_path):
    (tmp_path / "warn.toml").write_text('on_unverified = "warn"\n')
    live = serve(
        "--judge", "http://127.0.0.1:9/v1#model", "--budget-tokens", "1", "--policy", str(tmp_path / "warn.toml")
    )  # fmt: skip
    case = {"subject": {"kind": "task_output", "text": "Hello there, dear friend."}, "criteria": ["Greets a friend."]}
    record = live.http.post("/verify", json=case).json()
    assert (record["unverified_because"], record["action"]) == ("budget", "warn")
