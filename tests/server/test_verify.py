"""POST /verify, /verify-task and /verify-batch: what goes in, what comes out, and what is kept before the answer."""

from __future__ import annotations

import json
import sqlite3
from urllib.parse import urlencode

import aiohttp
import pytest

from witnessmark import Record
from witnessmark.server.jobs.intake import read_case
from witnessmark.testing.stub_server import StubServer


def test_a_case_goes_in_and_its_record_comes_out_kept(here, good):
    answer = here.ask("POST", "/verify", good)
    assert answer.status_code == 200
    told = answer.json()
    assert (told["outcome"], told["action"], told["case_id"]) == ("pass", "accept", "order-1")
    kept = here.ask("GET", f"/records/{told['id']}")
    assert kept.json() == told
    assert Record.from_json(answer.content).holds()


def test_the_folder_of_the_pages_leads_to_the_first_of_them(here):
    answer = here.ask("GET", "/ui")
    assert (answer.status_code, answer.headers["location"]) == (307, "/")


def test_every_field_of_a_record_is_there(here, good):
    told = here.ask("POST", "/verify", good).json()
    wanted = "id case_id checkpoint workspace outcome unverified_because action degraded questions score confidence confidence_source coverage independence findings results claims feedback usage attempt parent"
    assert set(wanted.split()) <= set(told)
    assert told["usage"] == {"judge_calls": 0, "tokens": 0, "cost_usd": 0.0, "cached": 0}


WRONG = {
    "unknown field": (b'{"subject": {"kind": "answer", "text": "x"}, "gaol": "x"}', "gaol"),
    "missing field": (b'{"goal": "x"}', "subject"),
    "deeper field": (b'{"subject": {"kind": "answer", "text": 3}}', "subject.text"),
    "kind": (b'{"subject": {"kind": "poem", "text": "x"}}', "subject.kind"),
    "checkpoint": (b'{"checkpoint": "nope", "subject": {"kind": "answer", "text": "x"}}', "checkpoint"),
    "checkpoint of another kind": (b'{"checkpoint": "synthesis", "subject": {"kind": "answer", "text": "x"}}', "subject.kind"),
    "bad UTF-8": (b'{"subject": {"kind": "answer", "text": "\xff\xfe"}}', None),
    "half a character": (b'{"subject": {"kind": "answer", "text": "\\ud800"}}', None),
    "not JSON": (b"{", None),
    "empty": (b"", None),
    "NaN": (b'{"subject": {"kind": "answer", "text": "x"}, "context": {"a": NaN}}', None),
    "too large a number": (b'{"subject": {"kind": "answer", "text": "x"}, "context": {"a": 1e999}}', "context[...]"),
    "nested too deeply": (b'{"subject": {"kind": "answer", "text": "x"}, "context": ' + b'{"a":' * 5000 + b"1" + b"}" * 5000 + b"}", None),
    "nested deeply": (b'{"subject": {"kind": "answer", "text": "x"}, "context": {"a": ' + b"[" * 300 + b"]" * 300 + b"}}", "context"),
    "a list": (b"[]", None),
    "NUL in the id": (b'{"id": "a\\u0000", "subject": {"kind": "answer", "text": "x"}}', "id"),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_is_told_as_a_problem_that_names_the_field(here, what):
    body, field = WRONG[what]
    answer = here.ask("POST", "/verify", body)
    assert answer.status_code == 422, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    told = answer.json()
    assert told["status"] == 422
    assert told["detail"]
    assert told.get("field") == field


ODD = {
    "a huge integer": b'{"subject": {"kind": "answer", "text": "x"}, "context": {"a": 99999999999999999999999999}}',
    "NUL in the text": b'{"subject": {"kind": "task_output", "text": "a\\u0000b"}, "criteria": [{"check": "min_length", "value": 1}]}',
    "a criterion that is nonsense": b'{"subject": {"kind": "answer", "text": "x"}, "criteria": [{"check": "min_length", "value": {"a": 1}}]}',
}


@pytest.mark.parametrize("what", ODD)
def test_odd_input_is_served_and_never_breaks_the_service(here, what):
    answer = here.ask("POST", "/verify", ODD[what])
    assert answer.status_code in (200, 422), answer.text


def test_a_task_is_answered_in_a_coordinators_words(here):
    body = {
        "task_description": "Say hello",
        "success_criteria": ["Is polite", {"check": "min_length", "value": 3}],
        "task_output": "Good morning",
        "verifier_model": "none",
        "scoring_mode": "rubric",
    }
    answer = here.ask("POST", "/verify-task", body)
    assert answer.status_code == 200  # req: S2-118
    told = answer.json()
    assert told["verdict"] == "partial"
    polite, long = told["criteria_scores"]
    assert (polite["score"], polite["met"]) == (None, None)
    assert (long["score"], long["met"]) == (1.0, True)
    assert set(told["witnessmark"]) >= {"outcome", "action", "coverage", "record_id"}
    kept = here.ask("GET", f"/records/{told['witnessmark']['record_id']}").json()
    assert kept["checkpoint"] == "task"


def test_a_task_that_is_wrong_names_its_field(here):
    answer = here.ask("POST", "/verify-task", {"task_output": 3})
    assert (answer.status_code, answer.json()["field"]) == (422, "task_output")


def test_an_answer_is_put_right_by_its_sources(here):
    case = {
        "question": "How much did revenue grow in 2025?", "answer": "Revenue grew 40 % in 2025.",
        "sources": ["Revenue grew 14 % in 2025, to 82 million euros."],
    }  # fmt: skip
    answer = here.ask("POST", "/correct", case)
    assert answer.status_code == 200
    told = answer.json()
    assert (told["changed"], told["is_grounded"], told["outcome"]) == (True, True, "pass")
    assert "14 %" in told["response"]
    kept = here.ask("GET", f"/records/{told['record_id']}").json()
    assert (kept["outcome"], kept["attempt"]) == ("pass", 2)
    assert here.ask("GET", f"/records/{kept['parent']}").json()["outcome"] == "fail"
    wrong = here.ask("POST", "/correct", {"subject": {"kind": "task_output", "text": "x"}})
    assert (wrong.status_code, wrong.json()["field"]) == (422, "subject.kind")


def test_a_judge_that_may_not_be_named_is_a_422_that_names_those_that_may(within):
    one = within(judges={"house": {"url": "http://127.0.0.1:9/v1", "model": "stub"}})
    task = {"success_criteria": ["Is polite"], "task_output": "Hello"}
    for name in ("openai/gpt-4o", "http://evil.example/v1#m", "hose"):
        answer = one.ask("POST", "/verify-task", task | {"verifier_model": name})
        assert (answer.status_code, answer.json()["field"]) == (422, "verifier_model")  # req: S2-070
        assert "(house)" in answer.json()["detail"]
        case = {
            "subject": {"kind": "task_output", "text": "Hello"},
            "criteria": ["Is polite"],
            "context": {"verifier_model": name},
        }
        assert one.ask("POST", "/verify", case).status_code == 422


def test_a_workspace_of_the_service_has_a_policy_of_its_own(within):
    one = within(workspaces={"default": {"policy": {"pass_threshold": 0.95}}})
    case = {
        "subject": {"kind": "task_output", "text": "Hello there"},
        "criteria": [
            {"check": "min_length", "value": 3, "weight": 9},
            {"check": "contains_keywords", "value": ["bye"], "must_pass": False},
        ],
    }
    told = one.ask("POST", "/verify", case).json()
    assert (told["score"], told["outcome"]) == (0.9, "partial")  # req: S2-048
    eased = one.ask("POST", "/verify", case | {"context": {"policy": {"pass_threshold": 0.8}}}).json()
    assert eased["outcome"] == "pass"  # req: S2-103


def test_an_admin_sets_the_policy_of_a_workspace(within):
    """Over what the settings file says, under what a case says; a policy that is none is refused by name."""
    one = within(workspaces={"default": {"policy": {"pass_threshold": 0.95}}})
    case = {
        "subject": {"kind": "task_output", "text": "Hello there"},
        "criteria": [
            {"check": "min_length", "value": 3, "weight": 9},
            {"check": "contains_keywords", "value": ["bye"], "must_pass": False},
        ],
    }

    def outcome(**more):
        return one.ask("POST", "/verify", case | more).json()["outcome"]

    assert outcome() == "partial"
    made = one.ask("PATCH", "/settings/workspace", {"policy": {"pass_threshold": 0.85}})
    assert (made.status_code, made.json()["policy"]) == (200, {"pass_threshold": 0.85})
    assert outcome() == "pass"  # req: S2-048
    assert outcome(context={"policy": {"pass_threshold": 0.92}}) == "partial"  # req: S2-103
    assert one.ask("GET", "/settings/workspace").json()["policy"] == {"pass_threshold": 0.85}
    wrong = one.ask("PATCH", "/settings/workspace", {"policy": {"pass_treshold": 0.8}})
    assert (wrong.status_code, "pass_treshold" in wrong.json()["detail"]) == (422, True)
    one.ask("PATCH", "/settings/workspace", {"policy": {}})
    assert outcome() == "partial"


def test_verifying_again_and_replaying_on_the_page_heed_the_workspaces_policy(within):
    one = within()
    case = {
        "subject": {"kind": "task_output", "text": "Hello there"},
        "criteria": [
            {"check": "min_length", "value": 3, "weight": 9},
            {"check": "contains_keywords", "value": ["bye"], "must_pass": False},
        ],
    }
    first = one.ask("POST", "/verify", case).json()
    assert first["outcome"] == "pass"
    one.ask("PATCH", "/settings/workspace", {"policy": {"pass_threshold": 0.95, "require_claims": "always"}})
    seen = one.ask("POST", f"/ui/records/{first['id']}/reverify")
    again = one.ask("GET", f"/records/{seen.headers['location'].rsplit('/', 1)[1]}").json()
    assert (again["outcome"], again["parent"]) == ("partial", first["id"])

    silent = {
        "subject": {"kind": "agent_output", "summary": "Thank you.", "claims": [], "traceRef": "trace:t"},
        "evidence": [{"id": "t", "kind": "trace", "data": []}],
    }
    made = one.ask("POST", "/verify", silent).json()
    assert made["outcome"] == "fail"

    def replayed():
        return one.ask("POST", f"/ui/records/{made['id']}/replay", headers={"hx-request": "true"}).text

    assert "Same as recorded" in replayed()
    one.ask("PATCH", "/settings/workspace", {"policy": {}})
    assert "fail → abstain" in replayed()


def test_a_judge_that_tasks_name_is_made_once_and_let_go_at_the_end(within, monkeypatch):
    opened = []
    usual = aiohttp.ClientSession

    def counted(*args, **how):
        opened.append(usual(*args, **how))
        return opened[-1]

    def answer(body):
        asked = body["response_format"]["json_schema"]["schema"]["required"]
        return {key: {"reasoning": "It is.", "score": 5, "confidence": 0.9} for key in asked}

    monkeypatch.setattr(aiohttp, "ClientSession", counted)
    stub = StubServer(answer)
    beside = within()
    beside.do(stub.__aenter__())
    one = within(judges={"house": {"url": stub.url, "model": "stub"}})
    for text in ("Good morning", "Good evening"):
        task = {"success_criteria": ["Is polite"], "task_output": text, "verifier_model": "house"}
        assert one.ask("POST", "/verify-task", task).json()["verdict"] == "pass"
    assert stub.calls >= 2
    assert [session.closed for session in opened] == [False]
    one.stop()
    assert [session.closed for session in opened] == [True]
    beside.do(stub.__aexit__())


def test_the_endpoint_has_a_written_specification(root):
    page = (root / "docs" / "service.md").read_text(encoding="utf-8")
    section = page.partition("## POST /verify-task")[2].partition("\n## ")[0]
    for name in ("task_description", "success_criteria", "task_output", "verifier_model", "scoring_mode"):
        assert f"`{name}`" in section
    for name in (
        "verdict",
        "confidence",
        "aggregate_score",
        "criteria_scores",
        "quality_scores",
        "tokens_used",
        "cost",
        "witnessmark",
    ):
        assert f"`{name}`" in section  # req: S2-095
    assert "422" in section


def test_switched_off_nothing_is_verified_and_nothing_passes(here, good):
    assert here.ask("PATCH", "/settings/workspace", {"verification": False}).status_code == 200
    told = here.ask("POST", "/verify", good).json()
    assert (told["outcome"], told["unverified_because"]) == ("unverified", "skipped")
    assert told["action"] != "accept"
    assert (
        here.ask("POST", "/verify-task", {"task_output": "x", "success_criteria": ["y"]}).json()["verdict"] == "partial"
    )
    here.ask("PATCH", "/settings/workspace", {"verification": True})
    assert here.ask("POST", "/verify", good).json()["outcome"] == "pass"


def test_without_correction_nobody_is_asked_to_try_again(here, bad):
    assert here.ask("POST", "/verify", bad).json()["action"] == "retry"
    here.ask("PATCH", "/settings/workspace", {"correction": False})
    told = here.ask("POST", "/verify", bad).json()
    assert (told["outcome"], told["action"]) == ("fail", "escalate")


def test_without_correction_nobody_is_asked_whatever_the_settings_file_says(within, bad):
    one = within(workspaces={"default": {"policy": {"max_revisions": 3}}})
    assert one.ask("POST", "/verify", bad).json()["action"] == "retry"
    told = one.ask("PATCH", "/settings/workspace", {"correction": False}).json()
    assert told["policy_in_force"] == {"max_revisions": 0}
    assert one.ask("POST", "/verify", bad).json()["action"] == "escalate"


# --- once --------------------------------------------------------------------------------------------------------------


def test_the_same_key_and_body_give_the_same_answer_and_one_run(here, good, tmp_path):
    first, again = (here.ask("POST", "/verify", good, headers={"Idempotency-Key": "k1"}) for _ in range(2))
    assert first.content == again.content
    assert again.headers["idempotency-replayed"] == "true"
    rows = sqlite3.connect(tmp_path / "service.db").execute("SELECT count(*) FROM runs").fetchall()
    assert rows == [(1,)]


def test_the_same_key_with_another_body_is_refused(here, good, bad):
    here.ask("POST", "/verify", good, headers={"Idempotency-Key": "k1"})
    answer = here.ask("POST", "/verify", bad, headers={"Idempotency-Key": "k1"})
    assert (answer.status_code, answer.json()["field"]) == (422, "Idempotency-Key")


def test_an_idempotent_answer_outlives_the_process(within, good):
    first = within()
    told = first.ask("POST", "/verify-task", {"task_output": "abc"}, headers={"Idempotency-Key": "k"}).content
    assert (
        within().ask("POST", "/verify-task", {"task_output": "abc"}, headers={"Idempotency-Key": "k"}).content == told
    )


def test_many_at_once_with_one_key_are_served_once(here, good, tmp_path):
    import asyncio

    async def together():
        body = json.dumps(good).encode()
        asks = [here.client.post("/verify", content=body, headers={"Idempotency-Key": "k"}) for _ in range(20)]
        return await asyncio.gather(*asks)

    answers = here.do(together())
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert sqlite3.connect(tmp_path / "service.db").execute("SELECT count(*) FROM runs").fetchall() == [(1,)]


def test_one_key_that_is_taken_spoils_nothing_for_those_written_with_it(here, good, tmp_path):
    import asyncio

    def sent(number):
        headers = {"Idempotency-Key": f"k-{number}"}
        return here.client.request("POST", "/verify", json=good | {"id": f"order-{number}"}, headers=headers)

    async def together():
        return await asyncio.gather(*(sent(number) for number in range(8)))

    first = here.do(sent(3))
    answers = here.do(together())
    assert [answer.status_code for answer in answers] == [200] * 8
    assert [answer.json()["case_id"] for answer in answers] == [f"order-{number}" for number in range(8)]
    assert answers[3].content == first.content
    assert [number for number, answer in enumerate(answers) if "idempotency-replayed" in answer.headers] == [3]
    with sqlite3.connect(tmp_path / "service.db") as db:
        assert db.execute("SELECT count(*), count(DISTINCT record_id) FROM runs").fetchone() == (8, 8)
        assert db.execute("SELECT sum(runs) FROM rollup_runs").fetchone() == (8,)
    db.close()


def test_a_key_of_one_workspace_says_nothing_in_another(within, good):
    app = within(keyless=False)
    one, other = app.key("one"), app.key("other")
    first = app.ask("POST", "/verify", good, one, headers={"Idempotency-Key": "k"}).json()
    second = app.ask("POST", "/verify", good, other, headers={"Idempotency-Key": "k"}).json()
    assert (first["workspace"], second["workspace"]) == ("one", "other")


@pytest.mark.parametrize("key", ["", "a b", "x" * 256, "ä"])
def test_a_key_that_is_none_is_refused(here, good, key):
    answer = here.ask("POST", "/verify", good, headers={"Idempotency-Key": key.encode("latin-1")})
    assert (answer.status_code, answer.json()["field"]) == (422, "Idempotency-Key")


def test_a_judge_that_may_not_be_named_is_refused_on_the_page_and_in_a_job_too(within):
    one = within(judges={"house": {"url": "http://127.0.0.1:9/v1", "model": "stub"}})
    case = {"id": "named", "subject": {"kind": "task_output", "text": "Hello"}, "context": {"verifier_model": "hose"}}
    sent = urlencode({"as": "json", "json": json.dumps(case)}).encode()
    page = one.ask("POST", "/ui/verify", sent, headers={"content-type": "application/x-www-form-urlencoded"})
    assert (page.status_code, "context.verifier_model" in page.text, "(house)" in page.text) == (422, True, True)
    made = one.ask("POST", "/verify-batch", {"cases": [case, case | {"id": "free", "context": {}}]}).json()
    one.finished(made["id"])
    named, free = one.ask("GET", f"/jobs/{made['id']}/results").json()["results"]
    assert named["problem"].startswith("context.verifier_model: 'hose' is not among the judges that may be named here")
    assert free["record_id"] is not None


def test_long_json_on_the_page_is_read_by_a_worker(within):
    """Whatever reads it in this process holds everybody else up for as long."""
    one, read_by = within(), []
    call = one.state.workers.call

    async def noted(workspace, function, *args):
        read_by.append(function)
        return await call(workspace, function, *args)

    one.state.workers.call = noted
    parts = [{"id": f"d{n}", "text": "It opens at nine."} for n in range(4_000)]
    case = {
        "subject": {"kind": "task_output", "text": "Hello"},
        "evidence": parts,
        "criteria": [{"check": "min_length", "value": 3}],
    }
    sent = urlencode({"as": "json", "json": json.dumps(case)}).encode()
    page = one.ask("POST", "/ui/verify", sent, headers={"content-type": "application/x-www-form-urlencoded"})
    assert page.status_code == 303
    assert read_case in read_by
