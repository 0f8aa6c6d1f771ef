"""A coordinator over HTTP need not remember anything: the service knows the attempt, the feedback and who is next."""

from __future__ import annotations

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
