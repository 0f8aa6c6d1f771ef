"""A coordinator over HTTP need not remember anything: the service knows the attempt, the feedback and who is next."""

from __future__ import annotations

import asyncio
import json
import threading

import pytest

AGENTS = [{"name": "reader", "capabilities": ["read"]}, {"name": "second-reader", "capabilities": ["read"]}]
PLAN = {
    "goal": "Say what the load test found",
    "subgoals": [{"id": "sg1", "description": "Read the load test report", "agent": "reader", "needs": ["read"]}],
    "execution_order": [{"phase": "sequential", "subgoals": ["sg1"]}],
}


def begun(here, **given):
    made = here.ask("POST", "/orchestrations", {"goal": PLAN["goal"], "agents": AGENTS, **given})
    assert made.status_code == 201, made.text
    assert made.headers["location"] == f"/orchestrations/{made.json()['id']}"
    return made.headers["location"]


def test_failures_in_a_row_count_and_end_without_the_client_saying_which_attempt_it_is(here):
    run = begun(here)
    told = [here.ask("POST", f"{run}/plan", {"plan": {"goal": f"try {n}", "subgoals": []}}).json() for n in range(3)]
    assert [one["attempt"] for one in told] == [1, 2, 3]  # req: S2-052
    assert [one["word"] for one in told] == ["RETRY", "RETRY", "FAIL"]
    assert "PREVIOUS ATTEMPT FEEDBACK" in told[0]["feedback"]
    assert told[0]["independence"] == "deterministic"
    over = here.ask("POST", f"{run}/plan", {"plan": PLAN})
    assert over.status_code == 409
    assert "decided already" in over.json()["detail"] or "run is over" in over.json()["detail"]


def test_records_of_a_run_are_kept_and_linked(here):
    run = begun(here)
    first = here.ask("POST", f"{run}/plan", {"plan": {"goal": "x", "subgoals": []}}).json()
    second = here.ask("POST", f"{run}/plan", {"plan": {"goal": "y", "subgoals": []}}).json()
    kept = here.ask("GET", f"/records/{second['record_id']}").json()
    assert (kept["attempt"], kept["parent"]) == (2, first["record_id"])
    state = here.ask("GET", run).json()
    assert [one["record_id"] for one in state["steps"]["plan"]["attempts"]] == [first["record_id"], kept["id"]]


def test_a_wrong_step_is_refused_in_words(here):
    assert here.ask("GET", "/orchestrations/none").status_code == 404
    run = begun(here)
    for step in ("synthesis", "response"):
        early = here.ask("POST", f"{run}/{step}", {"text": "All is well."})
        assert early.status_code == 409
        assert f"{step}: the plan was not accepted yet" in early.json()["detail"]
    assert here.ask("POST", "/orchestrations", {"goal": " "}).status_code == 422


def test_what_no_step_could_be_taken_with_is_refused_at_the_start(here):
    for given, field in (
        ({"policy": {"pass_treshold": 0.5}}, "policy.pass_treshold"),
        ({"policy": {"pass_threshold": 7}}, "policy.pass_threshold"),
        ({"agents": [{"nmae": "reader"}]}, "agents[0].name"),
    ):
        told = here.ask("POST", "/orchestrations", {"goal": "x", **given})
        assert (told.status_code, told.json()["field"]) == (422, field)


def test_a_synthesis_brings_no_evidence_of_its_own(here):
    """It rests on what the agents handed in: what is sent beside it would be looked at by nobody."""
    source = {"id": "e1", "kind": "passage", "text": "The pump weighs 3 kg."}
    told = here.ask("POST", f"{begun(here)}/synthesis", {"text": "It weighs 3 kg.", "evidence": [source]})
    assert (told.status_code, told.json()["field"]) == (422, "evidence")


# --- the same Idempotency-Key again --------------------------------------------------------------------------------

BAD_PLAN = {"plan": {"goal": "x", "subgoals": []}}
TWICE = {"Idempotency-Key": "k"}


def test_a_step_sent_again_under_its_key_is_answered_as_before_and_not_done_again(here):
    run = begun(here)
    first, again = (here.ask("POST", f"{run}/plan", BAD_PLAN, headers=TWICE) for _ in range(2))
    assert first.json()["word"] == "RETRY"
    assert (again.status_code, again.content) == (first.status_code, first.content)
    assert again.headers["idempotency-replayed"] == "true"
    step = here.ask("GET", run).json()["steps"]["plan"]
    assert (len(step["attempts"]), step["report"]["word"]) == (1, "RETRY")


def test_a_step_that_was_decided_is_still_answered_as_before_under_its_key(here):
    run = begun(here)
    first, again = (here.ask("POST", f"{run}/plan", {"plan": PLAN}, headers=TWICE) for _ in range(2))
    assert first.json()["word"] == "FAIL", "nobody can be asked about it, so it is decided and a person looks"
    assert (again.status_code, again.content) == (200, first.content)
    assert here.ask("POST", f"{run}/plan", {"plan": PLAN}).status_code == 409, "without the key it is another request"


def test_a_run_begun_twice_under_one_key_is_one_run(here):
    first, again = (here.ask("POST", "/orchestrations", {"goal": "g"}, headers=TWICE) for _ in range(2))
    assert first.json()["id"] == again.json()["id"]
    kept = here.do(here.state.store.recall_all("orchestrations"))
    assert [key for key, _ in kept] == [f"default/{first.json()['id']}"]


def test_one_step_sent_many_times_at_once_under_one_key_is_done_once(here):
    run = begun(here)

    async def all_at_once():
        body = json.dumps(BAD_PLAN).encode()
        return await asyncio.gather(*(here.client.post(f"{run}/plan", content=body, headers=TWICE) for _ in range(10)))

    answers = here.do(all_at_once())
    assert {(one.status_code, one.content) for one in answers} == {(200, answers[0].content)}
    assert len(here.ask("GET", run).json()["steps"]["plan"]["attempts"]) == 1


def test_different_steps_sent_at_once_are_all_kept(here):
    run = begun(here)

    async def all_at_once():
        bodies = [json.dumps({"plan": {"goal": f"try {n}", "subgoals": []}}).encode() for n in range(3)]
        return await asyncio.gather(*(here.client.post(f"{run}/plan", content=body) for body in bodies))

    answers = here.do(all_at_once())
    assert sorted(one.json()["attempt"] for one in answers) == [1, 2, 3]
    assert len(here.ask("GET", run).json()["steps"]["plan"]["attempts"]) == 3


def test_a_step_that_could_not_be_kept_was_not_taken(within):
    """Its record, the run's state, the audit line and the key's answer last together or not at all."""
    app = within()
    run = begun(app)
    full = "CREATE TRIGGER full BEFORE INSERT ON notes WHEN NEW.shelf = 'orchestrations' BEGIN SELECT RAISE(ABORT, 'full'); END"
    app.do(app.state.writing.transact(lambda db: db.execute(full)))
    assert app.ask("POST", f"{run}/plan", BAD_PLAN, headers=TWICE).status_code == 503
    app.do(app.state.writing.transact(lambda db: db.execute("DROP TRIGGER full")))
    assert app.ask("GET", "/records").json()["records"] == []
    again = app.ask("POST", f"{run}/plan", BAD_PLAN, headers=TWICE)
    assert (again.status_code, again.json()["attempt"]) == (200, 1)
    assert "idempotency-replayed" not in again.headers


@pytest.mark.parametrize("place", ["sqlite", "postgres"])
def test_of_two_steps_at_once_in_two_processes_the_later_one_is_refused_and_can_be_sent_again(within, request, place):
    more = {"store": request.getfixturevalue("postgres_url")} if place == "postgres" else {}
    slow, quick = within(**more), within(**more)
    run = begun(slow)
    verified, may_keep, keep = threading.Event(), threading.Event(), slow.state.writer.keep

    async def late(write):
        verified.set()
        await asyncio.to_thread(may_keep.wait)
        return await keep(write)

    slow.state.writer.keep = late
    body = json.dumps({"plan": {"goal": "of the slow one", "subgoals": []}}).encode()
    first = asyncio.run_coroutine_threadsafe(slow.client.post(f"{run}/plan", content=body, headers=TWICE), slow.loop)
    verified.wait()
    second = quick.ask("POST", f"{run}/plan", BAD_PLAN)
    may_keep.set()
    refused = first.result()
    assert (second.status_code, second.json()["attempt"]) == (200, 1)
    assert refused.status_code == 409
    assert "send it again" in refused.json()["detail"]
    assert len(slow.ask("GET", "/records").json()["records"]) == 1, "nothing of it is kept"
    again = slow.ask("POST", f"{run}/plan", body, headers=TWICE)
    assert (again.status_code, again.json()["attempt"]) == (200, 2)
    assert len(quick.ask("GET", run).json()["steps"]["plan"]["attempts"]) == 2


def test_a_goal_and_an_interaction_id_have_limits_of_their_own(within):
    here = within(inputs={"text_chars": 50})
    for given, field in (({"goal": "x" * 51}, "goal"), ({"goal": "x", "interaction_id": "i" * 513}, "interaction_id")):
        told = here.ask("POST", "/orchestrations", given)
        assert (told.status_code, told.json()["field"]) == (422, field)
    longest = {"goal": "x" * 50, "interaction_id": "i" * 512}
    assert here.ask("POST", "/orchestrations", longest).status_code == 201


def test_agents_and_a_policy_have_limits_of_their_own(within):
    here = within(inputs={"agents_bytes": 100, "policy_bytes": 50})
    agents, policy = [{"name": "a" * 100}], {"must_pass": ["x" * 50]}
    for field, given in (("agents", {"agents": agents}), ("policy", {"policy": policy})):
        told = here.ask("POST", "/orchestrations", {"goal": "x", **given}).json()
        assert told["field"] == field
        assert f"the limit `inputs.{field}_bytes` allows; send less of it" in told["detail"]
    fitting = {"goal": "x", "agents": [{"name": "a" * 50}], "policy": {"must_pass": []}}
    assert here.ask("POST", "/orchestrations", fitting).status_code == 201


def test_agents_beyond_the_usual_limit_are_refused_before_they_are_kept(within):
    told = within().ask("POST", "/orchestrations", {"goal": "x", "agents": [{"name": "a" * 1_000}] * 300})
    assert (told.status_code, told.json()["field"]) == (422, "agents")
