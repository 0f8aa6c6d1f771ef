"""What stopped the service once, sent again: each is refused or ended, in the usual form, and everybody else is served."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from witnessmark.server import state

SECURED = ("content-security-policy", "x-content-type-options", "x-frame-options", "referrer-policy")


def case_with(*criteria: dict, text: str = '{"a": 1}') -> dict:
    return {"subject": {"kind": "task_output", "text": text}, "criteria": list(criteria)}


def nested_schema(levels: int) -> dict:
    parts = {f"l{n}": {"allOf": [{"$ref": f"#/$defs/l{n + 1}"}] * 2} for n in range(levels)}
    return {"$defs": {**parts, f"l{levels}": {"type": "object"}}, "$ref": "#/$defs/l0"}


TOO_MUCH = {
    "schema_steps": case_with({"check": "json_schema", "value": nested_schema(60)}),
    "keywords": case_with({"check": "contains_keywords", "value": [f"w{n}" for n in range(20_000)]}, text="x " * 400_000),
    "text_chars": {"subject": {"kind": "answer", "text": "word " * 2_000_000}, "evidence": [{"id": "d", "text": "word"}]},
}  # fmt: skip


@pytest.mark.parametrize("limit", TOO_MUCH)
def test_a_case_that_would_take_for_ever_is_refused_by_the_name_of_its_limit(here, limit):
    answer = here.ask("POST", "/verify", TOO_MUCH[limit])
    assert (answer.status_code, answer.headers["content-type"]) == (422, "application/problem+json")
    assert f"inputs.{limit}" in answer.json()["detail"]


@pytest.mark.parametrize("limit", TOO_MUCH)
def test_as_a_job_it_is_refused_and_the_cases_beside_it_are_done(here, good, limit):
    job = here.ask("POST", "/verify-batch", {"cases": [TOO_MUCH[limit], good]}).json()["id"]
    assert here.finished(job)["counts"] | {"waiting": 0} == {
        "waiting": 0, "taken": 0, "done": 1, "refused": 1, "cancelled": 0,
    }  # fmt: skip
    first = here.ask("GET", f"/jobs/{job}/results").json()["results"][0]
    assert f"inputs.{limit}" in first["problem"]


def test_a_weight_that_overflows_is_refused_over_http(here):
    answer = here.ask("POST", "/verify", case_with({"check": "not_empty", "weight": 1e308}))
    assert (answer.status_code, answer.json()["field"]) == (422, "criteria[0].weight")


def test_whatever_breaks_inside_is_told_as_a_problem_with_every_header(here, good, monkeypatch):
    async def breaks(*asked):
        raise ZeroDivisionError("secret words")

    monkeypatch.setattr(here.state, "identify", breaks)
    answer = here.ask("POST", "/verify", good)
    assert (answer.status_code, answer.headers["content-type"]) == (500, "application/problem+json")
    assert all(name in answer.headers for name in SECURED)
    assert "secret" not in answer.text


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/nope", 404), ("DELETE", "/verify", 405), ("GET", "/records/zz", 404), ("POST", "/verify", 422),
     ("POST", "/guardrail/litellm", 422), ("GET", "/ui/static/none.css", 404), ("POST", "/nope", 404)],
)  # fmt: skip
def test_every_refusal_is_a_problem_with_the_security_headers(here, method, path, status):
    answer = here.ask(method, path, b"{" if method == "POST" else None)
    found = answer.status_code
    if path.startswith("/guardrail") and found == 404:
        path = "/beta/litellm_basic_guardrail_api"
        found = (answer := here.ask(method, path, b"{")).status_code
    assert (found, answer.headers["content-type"]) == (status, "application/problem+json")
    assert all(name in answer.headers for name in SECURED)


LONG_STEPS = {
    "criteria to compile": case_with(*[{"check": "format_regex", "value": f"(a|b|c)*{n}"} for n in range(100)]),
    "a record to make": case_with({"check": "min_length", "value": 5}, text="word " * 10_000),
}


@pytest.mark.parametrize("step", LONG_STEPS)
def test_a_long_step_of_one_tenant_does_not_hold_up_another(within, good, step):
    """The thread of long steps is busy: whoever needs it waits, and whoever does not is answered."""
    app = within(keyless=False)
    hostile, other = app.key("hostile"), app.key("other")
    gate = threading.Event()

    async def together():
        busy = asyncio.ensure_future(app.state.workers.turns.call("hostile", gate.wait))
        post, body = app.client.post, json.dumps(LONG_STEPS[step]).encode()
        long = asyncio.ensure_future(
            post("/verify", content=body, headers={"Authorization": f"Bearer {hostile}"}, timeout=120)
        )
        short = [
            await post("/verify", content=json.dumps(good).encode(), headers={"Authorization": f"Bearer {other}"})
            for _ in range(3)
        ]
        waits = not long.done()
        gate.set()
        await busy
        return waits, [answer.status_code for answer in short], (await long).status_code

    assert app.do(together()) == (True, [200, 200, 200], 200)


# --- bodies ---------------------------------------------------------------------------------------------------------


async def endless(read: list[int]):
    """600 MB, a part at a time; says how much of it was taken."""
    for _ in range(600):
        read[0] += 1
        yield b"x" * 1_000_000


@pytest.mark.parametrize(
    "path", ["/verify", "/beta/litellm_basic_guardrail_api", "/verify-batch", "/login", "/ui/verify"]
)
def test_no_route_reads_a_body_without_end(within, path):
    app, read = within(max_case_bytes=3_000_000), [0]
    answer = app.do(
        app.client.post(path, content=endless(read), headers={"content-type": "application/x-www-form-urlencoded"})
    )
    assert (answer.status_code, answer.headers["content-type"]) == (413, "application/problem+json")


@pytest.mark.parametrize("path", ["/verify", "/beta/litellm_basic_guardrail_api", "/login", "/ui/verify"])
def test_a_body_that_does_not_come_is_ended_on_every_route(within, path):
    app = within(service={"body_s": 0.1})

    async def slow():
        yield b"{"
        await asyncio.Event().wait()
        yield b"}"

    answer = app.do(
        app.client.post(path, content=slow(), headers={"content-type": "application/x-www-form-urlencoded"})
    )
    assert (answer.status_code, answer.json()["status"]) == (408, 408)


# --- files ----------------------------------------------------------------------------------------------------------


def hooked(app, key=None, **payload) -> dict:
    answer = app.ask("POST", "/hook/claude-code", {"session_id": "s", "hook_event_name": "Stop"} | payload, key=key)
    return answer.json()


@pytest.fixture
def rooted(within, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    made = within(service={"hook_roots": [str(tmp_path), "/dev"]})
    made.do(made.state.workers.call("warm", len, b""))
    return made


def test_the_hook_reads_no_device_no_pipe_and_nothing_outside_its_roots(rooted, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("/etc/hostname")
    for path in ("/dev/zero", str(tmp_path / "pipe")):
        assert "not a regular file" in hooked(rooted, transcript_path=path, cwd=str(tmp_path))["systemMessage"]
    for path in ("/etc/hostname", str(tmp_path / "link"), str(tmp_path / ".." / ".." / "x")):
        assert "is outside" in hooked(rooted, transcript_path=path, cwd=str(tmp_path))["systemMessage"]
    assert "is outside" in hooked(rooted, cwd="/etc")["systemMessage"]


def test_the_hook_is_for_whoever_runs_the_service(rooted, within, tmp_path):
    theirs, ours = rooted.key("tenant", "admin"), rooted.key("default", "admin")
    assert hooked(rooted, theirs, cwd=str(tmp_path))["status"] == 403
    assert "status" not in hooked(rooted, ours, cwd=str(tmp_path))
    unset = within()
    assert hooked(unset, ours, cwd=str(tmp_path))["status"] == 403


# --- who, what and where --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host", ["[::1].evil.com", "[::1]evil.com", "127.0.0.1.evil.com", "localhost@evil.com", "[::1", "[]", ""]
)
def test_a_name_that_only_looks_like_loopback_is_none(here, host):
    assert here.ask("GET", "/records", headers={"Host": host}).status_code == 403


@pytest.mark.parametrize("host", ["[::1]", "[::1]:8000", "localhost:8000", "127.0.0.1"])
def test_loopback_by_any_of_its_names_is_served(here, host):
    assert here.ask("GET", "/records", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "header", ["X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "Forwarded", "Via", "X-Real-IP", "CF-Connecting-IP",
               "True-Client-IP", "X-Envoy-External-Address", "X-Amzn-Trace-Id"],
)  # fmt: skip
def test_any_header_of_a_proxy_ends_keyless_access(here, header):
    assert here.ask("GET", "/records", headers={header: "1"}).status_code == 401
    assert here.ask("GET", "/", headers={header: "1"}).status_code == 401


def test_a_page_asks_for_the_role_that_the_api_asks_for(within, good):
    app = within(keyless=False)
    verify, review = app.key(role="verify"), app.key(role="review")
    record = app.ask("POST", "/verify", good, key=verify).json()["id"]
    for path in (f"/records/{record}/reverify", f"/ui/records/{record}/reverify"):
        assert app.ask("POST", path, b"", key=verify).status_code == 403
        assert app.ask("POST", path, b"", key=review).status_code in (201, 303)


def test_a_purge_of_one_workspace_leaves_the_answers_of_another(within):
    from witnessmark.judges.cache import WorkspaceNotes

    app = within(keyless=False)
    ours, theirs = (WorkspaceNotes(app.state.store, name) for name in ("ours", "theirs"))
    for notes in (ours, theirs):
        app.do(notes.remember("answers", "same question", b'{"score": 4}'))
    assert app.ask("DELETE", "/workspaces/ours/records", key=app.key("ours", "admin")).status_code == 200
    assert app.do(ours.recall("answers", "same question")) is None
    assert app.do(theirs.recall("answers", "same question")) == b'{"score": 4}'


def test_a_store_that_cannot_be_written_is_not_ready(within, tmp_path, monkeypatch):
    monkeypatch.setattr(state, "PROBE_FRESH_S", 0.0)  # otherwise what was found holds for a second
    app = within(service={}, store=f"sqlite:///{tmp_path}/full.db")
    assert app.ask("GET", "/readyz").status_code == 200
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    full = (tmp_path / "full.db-wal").stat().st_size
    resource.setrlimit(resource.RLIMIT_FSIZE, (full, before[1]))  # as on a full disk: no file of this process grows
    try:
        answer = app.ask("GET", "/readyz")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert (answer.status_code, answer.json()["detail"]) == (503, "the store cannot be written")
    assert app.ask("GET", "/readyz").status_code == 200


def test_a_parquet_file_of_a_few_bytes_does_not_take_gigabytes(tmp_path):
    """Two thousand rows that are the same million characters: 513 bytes in the file, two gigabytes as a list."""
    program = """
import resource, sys
import pyarrow as pa, pyarrow.parquet as pq
from witnessmark.batch import parquet
one = pa.DictionaryArray.from_arrays(pa.array([0] * 2000), pa.array(["x" * 1_000_000]))
pq.write_table(pa.table({"case": one}), sys.argv[1], compression="zstd")
resource.setrlimit(resource.RLIMIT_AS, (1_500_000_000, 1_500_000_000))
assert sum(len(data) for _, data, _ in parquet.rows(sys.argv[1], lambda size: None)) == 2_000_000_000
"""
    made = tmp_path / "bomb.parquet"
    ran = subprocess.run([sys.executable, "-c", program, str(made)], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert made.stat().st_size < 2_000


def test_a_bad_row_does_not_end_a_batch(tmp_path):
    good = {"id": "good", **case_with({"check": "not_empty"})}
    heavy = {"id": "heavy", **case_with({"check": "not_empty", "weight": 1e308})}
    lines = [json.dumps(one) for one in (heavy, good)]
    (tmp_path / "in.jsonl").write_text("\n".join(lines))
    command = [sys.executable, "-m", "witnessmark", "batch", "in.jsonl", "out.jsonl", "--store", "memory:"]
    subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    told = [json.loads(line) for line in Path(tmp_path / "out.jsonl").read_text().splitlines()]
    assert "weight" in told[0]["error"]
    assert told[1]["outcome"] == "pass"
