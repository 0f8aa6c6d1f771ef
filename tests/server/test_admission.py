"""Who may take how much at once: one workspace, one key or one slow connection never takes what others need."""

from __future__ import annotations

import asyncio
import json
import socket

import httpx
import pytest

from witnessmark import Case, Result


@pytest.fixture
def waits(register):
    """A check that waits until it is let go."""
    let_go = asyncio.Event()

    @register("test-waits", cost="local")
    def waiting():
        async def look(case: Case, prior) -> Result:
            await let_go.wait()
            return Result(status="pass", score=1.0)

        return look

    return let_go


def body_of(case: dict) -> bytes:
    return json.dumps(case | {"criteria": [{"check": "test-waits"}]}).encode()


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


async def until(holds) -> None:
    while not holds():  # noqa: ASYNC110 - requests tell no loop that they are there
        await asyncio.sleep(0.005)


def test_one_workspace_does_not_take_the_slots_of_another(within, good, waits):
    app = within(keyless=False, service={"quota": {"requests": 2}})
    ours, theirs = app.key("ours"), app.key("theirs")

    async def together():
        post = app.client.post
        many = [asyncio.ensure_future(post("/verify", content=body_of(good), headers=bearer(ours))) for _ in range(2)]
        await until(lambda: app.state.admission.total == 2)
        third = await post("/verify", content=body_of(good), headers=bearer(ours))
        other = await post("/verify", content=json.dumps(good).encode(), headers=bearer(theirs))
        waits.set()
        return [*await asyncio.gather(*many), third, other]

    *first, third, other = app.do(together())
    assert [one.status_code for one in first] == [200, 200]
    assert (third.status_code, "service.quota.requests" in third.json()["detail"]) == (429, True)
    assert other.status_code == 200
    assert app.state.admission.total == 0


def test_slow_logins_take_nobody_elses_place(within, good, monkeypatch):
    monkeypatch.setattr("witnessmark.server.http.admission.LOGINS", 20)
    app = within(keyless=False, service={"concurrency": 4})
    key, over = app.key(), asyncio.Event()

    async def slow():
        yield b"key="
        await over.wait()

    async def together():
        many = [asyncio.ensure_future(app.client.post("/login", content=slow())) for _ in range(20)]
        await until(lambda: app.state.admission.logins == 20)
        refused = await app.client.post("/login", content=b"key=x")
        served = await app.client.post("/verify", content=json.dumps(good).encode(), headers=bearer(key))
        over.set()
        await asyncio.gather(*many)
        return refused, served

    refused, served = app.do(together())
    assert (refused.status_code, served.status_code) == (503, 200)
    assert app.state.admission.logins == 0


def test_a_workspace_holds_no_more_bytes_than_its_quota(within, good):
    app = within(service={"quota": {"bytes_at_once": 1_000}})
    refused = app.ask("POST", "/verify", good | {"goal": "x" * 2_000})
    assert (refused.status_code, "service.quota.bytes_at_once" in refused.json()["detail"]) == (429, True)
    assert app.ask("POST", "/verify", good).status_code == 200
    assert app.state.admission.bytes == 0


def test_bytes_of_a_minute_are_counted(within, good):
    app = within(service={"quota": {"bytes_per_minute": 500}})
    answers = [app.ask("POST", "/verify", good).status_code for _ in range(4)]
    assert answers[0] == 200
    assert answers[-1] == 429
    assert int(app.ask("POST", "/verify", good).headers["retry-after"]) >= 1


def test_open_jobs_and_their_bytes_have_a_quota_of_the_store(within, good):
    app = within(keyless=False, run_jobs=False, service={"quota": {"open_jobs": 2, "job_bytes": 2_000}})
    few, long, jobs = app.key("few"), app.key("long"), {"cases": [good]}
    assert [app.ask("POST", "/verify-batch", jobs, key=few).status_code for _ in range(3)] == [202, 202, 429]
    big = {"cases": [good | {"goal": "x" * 1_500}]}
    assert [app.ask("POST", "/verify-batch", big, key=long).status_code for _ in range(2)] == [202, 429]


def test_a_long_job_comes_in_by_parts_and_whole(here, good):
    cases = [good | {"id": f"c{number}"} for number in range(1_300)]
    job = here.ask("POST", "/verify-batch", {"cases": cases}).json()["id"]
    assert here.finished(job)["counts"]["done"] == 1_300


def test_limits_are_divided_among_the_processes_of_a_store(within):
    first = within()
    assert first.state.admission.share == 1
    second = within()
    assert second.state.admission.share == 2
    assert second.state.rates.share == 2


# --- over real sockets ----------------------------------------------------------------------------------------------


def test_streams_are_outside_of_the_request_slots_and_have_a_quota(serve, good, tmp_path):
    (tmp_path / "tight.toml").write_text(
        "[service]\nconcurrency = 2\n[service.quota]\nstreams = 3\n[work]\nprocesses = 1\n"
    )
    tight = serve("--config", str(tmp_path / "tight.toml"))
    with (
        tight.http.stream("GET", "/events"),
        tight.http.stream("GET", "/ui/changes"),
        tight.http.stream("GET", "/events") as third,
    ):
        assert third.status_code == 200
        assert tight.http.post("/verify", json=good).status_code == 200, "three streams take no slot of two"
        refused = tight.http.get("/events")
        assert (refused.status_code, refused.headers["content-type"]) == (429, "application/problem+json")


def exchange(url: str, sent: bytes) -> httpx.Response:
    """What comes back, read until the other side ends."""
    address = httpx.URL(url)
    with socket.create_connection((address.host, address.port), timeout=120) as line:
        line.sendall(sent)
        data = b""
        while part := line.recv(65_536):
            data += part
    head, _, body = data.partition(b"\r\n\r\n")
    status, *lines = head.split(b"\r\n")
    headers = [tuple(line.split(b": ", 1)) for line in lines]
    return httpx.Response(int(status.split()[1]), headers=headers, content=body)


@pytest.mark.parametrize("sent", [b"POST /login HTTP/1.1\r\nHost: localhost\r\nX-Slow", b"GET / HT", b""])
def test_a_head_that_does_not_come_is_ended(hasty, sent):
    answer = exchange(hasty.url, sent)
    assert (answer.status_code, answer.json()["status"]) == (408, 408)
    assert answer.headers["x-frame-options"] == "DENY"


def test_what_is_no_http_is_told_so_in_the_usual_form(fuzzed):
    answer = exchange(fuzzed, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\r\n\r\n")
    assert (answer.status_code, answer.headers["content-type"]) == (400, "application/problem+json")
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")
