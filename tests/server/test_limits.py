"""How much is too much: bodies, time, requests at once; and what the service says of itself."""

from __future__ import annotations

import asyncio
import json
import time

import pytest

from witnessmark import Case, Result
from witnessmark.core import budget
from witnessmark.core.record import ResultRecord
from witnessmark.core.verdict import Usage, passed
from witnessmark.insight import artifacts, calibration
from witnessmark.testing.records import entry, made


def test_a_body_that_is_too_long_is_refused_whether_it_says_so_or_not(within, good):
    app = within(max_case_bytes=2_000)
    long = good | {"goal": "x" * 3_000}
    answer = app.ask("POST", "/verify", long)
    assert (answer.status_code, answer.json()["status"]) == (413, 413)

    async def parts():
        for _ in range(30):
            yield b"x" * 100

    assert app.do(app.client.post("/verify", content=parts())).status_code == 413
    assert app.ask("POST", "/verify", good).status_code == 200


@pytest.fixture
def gate(register):
    """A check that waits until it is let go."""
    waiting = asyncio.Event

    holder = {"both": asyncio.Event()}

    @register("test-waits", cost="local")
    def waits():
        async def look(case: Case, prior) -> Result:
            event = holder.setdefault("event", waiting())
            holder["count"] = holder.get("count", 0) + 1
            if holder["count"] == 2:
                holder["both"].set()
            await event.wait()
            return Result(status="pass", score=1.0)

        return look

    return holder


def test_more_at_once_than_the_limit_are_told_to_come_back(within, good, gate):
    app = within(service={"concurrency": 2})
    body = json.dumps(good | {"criteria": [{"check": "test-waits"}]}).encode()

    async def together():
        asks = [asyncio.ensure_future(app.client.post("/verify", content=body)) for _ in range(2)]
        await gate["both"].wait()
        third = await app.client.post("/verify", content=body)
        well = await app.client.get("/healthz")
        gate["event"].set()
        return [*await asyncio.gather(*asks), third, well]

    first, second, third, well = app.do(together())
    assert (first.status_code, second.status_code, well.status_code) == (200, 200, 200)
    assert (third.status_code, third.headers["retry-after"]) == (503, "1")


def test_a_request_that_takes_too_long_is_ended(within, good, gate):
    hasty, patient = within(service={"request_s": 0.2}), within()
    answer = hasty.ask("POST", "/verify", good | {"criteria": [{"check": "test-waits"}]})
    assert (answer.status_code, answer.headers["content-type"]) == (503, "application/problem+json")
    assert patient.ask("GET", "/records").json()["records"] == [], "nothing of it is in their store"


def test_it_says_when_it_is_there_and_when_it_is_ready(here):
    assert here.ask("GET", "/healthz").json() == {"status": "ok"}
    assert here.ask("GET", "/readyz").json() == {"status": "ready"}
    here.state.ready = False
    assert here.ask("GET", "/readyz").status_code == 503
    assert here.ask("GET", "/healthz").status_code == 200


def test_prometheus_can_read_what_was_served(here, good):
    from prometheus_client.parser import text_string_to_metric_families

    here.ask("POST", "/verify", good)
    answer = here.ask("GET", "/metrics")
    found = {family.name: family for family in text_string_to_metric_families(answer.text)}
    served = {(s.labels["route"], s.labels["status"]): s.value for s in found["witnessmark_http_requests"].samples}
    assert served["/verify", "200"] == 1
    assert "order-1" not in answer.text  # req: C68


def test_metrics_tell_of_judges_that_were_never_calibrated_as_alerts_do(within):
    from prometheus_client.parser import text_string_to_metric_families

    def judged(version):
        said = {"node": "r", "check": "rubric", "status": "pass", "judge": "openai/m", "confidence_source": "reported"}
        return entry(made(results=(ResultRecord(version=version, **said),)), at=time.time())

    def fitted(version):
        source = calibration.JudgeSource(check="rubric", version=version, judge="openai/m")
        sample = calibration.Sample(source=source, status="pass", score=0.9, confidence=0.7, good=True)
        return calibration.fit([sample] * 3, name="c")

    def raised(app):
        families = text_string_to_metric_families(app.ask("GET", "/metrics").text)
        samples = next(one for one in families if one.name == "witnessmark_alert").samples
        return [(one.labels["workspace"], one.labels["alert"], one.labels["severity"]) for one in samples]

    app, named = within(), within(calibration="c@2")
    store = app.state.store
    app.do(store.append([judged("2"), judged("3")]))
    for version in ("1", "2"):
        app.do(artifacts.keep(store, fitted(version)))
    assert raised(app) == [], "no calibration is in force"
    assert raised(named) == [("default", "judge_drift", "medium")], "the settings name one"
    app.do(artifacts.apply(store, "default", "c@1"))
    assert raised(app) == [("default", "judge_drift", "medium")], "one line, though two judges changed"


def test_what_is_not_there_and_what_is_not_allowed_are_problems_too(here):
    missing = here.ask("GET", "/nope")
    assert (missing.status_code, missing.headers["content-type"]) == (404, "application/problem+json")
    assert here.ask("DELETE", "/verify").status_code == 405


def test_a_store_that_is_away_is_told_as_such_and_nothing_of_it(within, good, tmp_path):
    app = within()

    async def broken(work):
        from witnessmark.core.errors import StoreError

        raise StoreError("the store failed: password=hunter2")

    app.state.writing.transact = broken
    answer = app.ask("POST", "/verify", good)
    assert answer.status_code == 503
    assert "hunter2" not in answer.text


def test_one_write_that_cannot_be_kept_fails_alone(here):
    from witnessmark.server.writer import Write

    async def together():
        keep = here.state.writer.keep
        good = [Write(rows=(("sessions", ("digest", "key_id", "until"), (f"d{n}", "k", 1e12)),)) for n in range(5)]
        bad = Write(rows=(("no_such_table", ("a",), (1,)),))
        return await asyncio.gather(*(keep(w) for w in [*good, bad]), return_exceptions=True)

    *fine, fault = here.do(together())
    assert fine == [None] * 5
    assert type(fault).__name__ == "StoreError"
    assert here.do(here.state.store.read(lambda db: db.execute("SELECT count(*) FROM sessions"))) == [(5,)]


def test_the_hook_over_http_is_the_same_as_on_the_command_line(within, tmp_path, monkeypatch):
    here = within(service={"hook_roots": [str(tmp_path)]})
    here.do(here.state.workers.call("warm", len, b""))  # starting a process is no part of what the hook may take
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    payload = {
        "session_id": "s1",
        "cwd": str(tmp_path),
        "hook_event_name": "Stop",
        "last_assistant_message": "Created `src/never.py`.",
        "transcript_path": "",
    }
    told = here.ask("POST", "/hook/claude-code", payload).json()
    assert told["decision"] == "block"
    assert "src/never.py" in told["reason"]
    again = here.ask("POST", "/hook/claude-code", payload).json()
    assert "decision" not in again
    broken = here.ask("POST", "/hook/claude-code", {"session_id": "s2", "transcript_path": "/no/such/file"}).json()
    assert "UNVERIFIED" in broken["systemMessage"]


def test_all_workspaces_spend_from_one_day(within, good, register):
    @register("metered", cost="paid")
    def metered():
        def ask(case, prior):
            with budget.active.get().reserve(100, None) as held:
                used = Usage(judge_calls=1, tokens=100)
                held.settle(used)
            return passed("fine", usage=used)

        return ask

    app = within(keyless=False, limits={"day_tokens": 250}, work={"processes": 0})
    one, other = app.key("one"), app.key("other")
    asked = [
        app.ask("POST", "/verify", good | {"id": f"m{number}", "criteria": [{"check": "metered"}]}, key).json()
        for number, key in enumerate((one, other, one, other))
    ]
    assert [record["usage"]["tokens"] for record in asked] == [100, 100, 0, 0]
    assert [record["outcome"] for record in asked] == ["pass", "pass", "unverified", "unverified"]
