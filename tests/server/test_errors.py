"""What is sent wrong is told by its field and its fix, in words that need no programmer."""

from __future__ import annotations

import json
import re

import pytest

ANSWER = {"subject": {"kind": "answer", "text": "Yes."}}
TWICE = {
    "a case": ("/verify", b'{"answer": "Yes.", "answer": "No."}', "answer"),
    "within a case": ("/verify", b'{"subject": {"kind": "answer", "text": "a", "text": "b"}}', "text"),
    "a context": ("/verify", b'{"answer": "a", "context": {"agent": "x", "agent": "y"}}', "agent"),
    "an escaped name": ("/verify", b'{"answer": "Yes.", "answ\\u0065r": "No."}', "answer"),
    "a task": ("/verify-task", b'{"task_output": "a", "task_output": "b"}', "task_output"),
    "a batch": ("/verify-batch", b'{"cases": [], "cases": [{"answer": "a"}]}', "cases"),
    "a key": ("/keys", b'{"name": "a", "role": "verify", "role": "admin"}', "role"),
    "settings": ("/settings/workspace", b'{"correction": true, "correction": false}', "correction"),
}


@pytest.mark.parametrize("what", TWICE)
def test_a_name_that_stands_twice_is_refused_by_its_name(here, what):
    path, body, field = TWICE[what]
    answer = here.ask("PATCH" if "settings" in path else "POST", path, body)
    assert (answer.status_code, answer.json()["field"]) == (422, field), answer.text
    assert answer.json()["detail"] == f"{field}: is given twice; leave one of them out"


@pytest.mark.parametrize(
    ("method", "path"),
    [("POST", "/verify"), ("POST", "/verify-batch"), ("GET", "/records/0000000000"), ("DELETE", "/keys/k")],
)
def test_what_an_operation_does_not_take_in_its_query_is_refused_by_its_name(here, method, path):
    answer = here.ask(method, f"{path}?dryrun=1", ANSWER if method == "POST" else None)
    assert (answer.status_code, answer.json()["field"]) == (422, "query"), answer.text
    assert answer.json()["detail"].startswith("'dryrun' is unknown: this operation takes nothing in its query")
    assert here.ask("GET", "/records").json()["records"] == []


def test_a_probe_and_a_gateway_may_have_a_query_of_their_own(here):
    assert here.ask("GET", "/healthz?from=probe").status_code == 200
    asked = {"input_type": "request", "texts": ["Hello"]}
    assert here.ask("POST", "/beta/litellm_basic_guardrail_api?beta=true", asked).json() == {"action": "NONE"}


def test_the_same_name_in_different_objects_is_no_name_twice(here):
    body = ANSWER | {"evidence": [{"id": "a", "text": "Yes."}, {"id": "b", "text": "Yes."}], "context": {"id": "x"}}
    assert here.ask("POST", "/verify", body).status_code == 200


def test_one_bad_case_of_a_batch_is_told_and_the_others_are_verified(here, good):
    body = b'{"cases": [%s, {"answer": "a", "answer": "b"}]}' % json.dumps(good).encode()
    job = here.ask("POST", "/verify-batch", body).json()["id"]
    here.finished(job)
    first, second = here.ask("GET", f"/jobs/{job}/results").json()["results"]
    assert (first["outcome"], second["state"]) == ("pass", "refused")
    assert second["problem"] == "answer: is given twice; leave one of them out"


WORDS = {
    "a list": ("/verify", [ANSWER], "the body must be an object, not a list"),
    "another kind": ("/verify", {"subject": {"kind": "poem"}}, "subject.kind: 'poem' is not one of decomposition, "),
    "another word": (
        "/verify",
        ANSWER | {"evidence": [{"id": "a", "kind": "page", "text": "x"}]},
        "evidence[0].kind: 'page' is not one of agent_output, code, ",
    ),
    "a role": ("/keys", {"name": "a", "role": "boss"}, "role: 'boss' is not one of admin, review, verify"),
    "the wrong place": ("/verify", ANSWER | {"complexity": "SIMPLE"}, "complexity: unknown field; it belongs in context"),
    "half of it": ("/verify", b'{"answer": "a', "not JSON: it ends before it is complete"),
    "half a batch": ("/verify-batch", b'{"cases": [', "not JSON: it ends before it is complete"),
    "half a task": ("/verify-task", b'{"task_output"', "not JSON: it ends before it is complete"),
}  # fmt: skip


@pytest.mark.parametrize("what", WORDS)
def test_what_is_wrong_is_told_without_a_programmers_words(here, what):
    path, body, told = WORDS[what]
    answer = here.ask("POST", path, body)
    assert (answer.status_code, answer.json()["detail"].startswith(told)) == (422, True), answer.text
    assert not re.search(r"`|\benum\b|\bstr\b|\barray\b|truncated", answer.json()["detail"])


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [("GET", "/verify", "POST"), ("PUT", "/settings/workspace", "GET or PATCH"), ("POST", "/jobs/x", "DELETE or GET")],
)
def test_a_method_that_is_not_allowed_is_told_which_are(here, method, path, allowed):
    answer = here.ask(method, path)
    assert answer.status_code == 405
    assert answer.json()["detail"] == f"{method} is not allowed at {path}; use {allowed}"
    assert [one for one in answer.headers["allow"].split(", ") if one != "HEAD"] == allowed.split(" or ")


def test_a_judge_that_nobody_lists_is_refused_by_every_route_though_no_check_would_ask_it(here, good):
    answer = here.ask("POST", "/verify", good | {"context": {"verifier_model": "gpt-9"}})
    assert (answer.status_code, answer.json()["field"]) == (422, "context.verifier_model")
    assert "'gpt-9' is not among the judges that may be named here" in answer.json()["detail"]
    assert here.ask("POST", "/verify", good | {"context": {"verifier_model": "none"}}).json()["outcome"] == "pass"


def test_a_criterion_nobody_can_check_leaves_the_work_unverified_and_says_what_to_write(here, good):
    unknown = here.ask("POST", "/verify", good | {"criteria": [{"check": "min_lenth", "value": 5}]}).json()
    assert (unknown["outcome"], unknown["unverified_because"]) == ("unverified", "check_missing")
    assert unknown["findings"][0]["message"].endswith("did you mean min_length or max_length?")
    wrong = here.ask("POST", "/verify", good | {"criteria": [{"check": "min_length", "value": "x"}]}).json()
    assert (wrong["outcome"], wrong["unverified_because"]) == ("unverified", "check_error")
    said = wrong["findings"][0]["message"]
    assert said == "check min_length: value (characters): must be a whole number, not 'x'"
    by_option = {"check": "min_length", "options": {"characters": "x"}}
    named = here.ask("POST", "/verify", good | {"criteria": [by_option]}).json()["findings"][0]["message"]
    assert named == "check min_length: option characters: must be a whole number, not 'x'"


def test_a_cost_beyond_a_million_dollars_is_refused_by_its_name_and_stops_no_other_case(here, good):
    dear = good | {"executor": {"cost_usd": 1e12}}
    told = here.ask("POST", "/verify", dear)
    assert (told.status_code, told.json()["field"]) == (422, "executor.cost_usd")
    assert "at most 1,000,000" in told.json()["detail"]
    job = here.ask("POST", "/verify-batch", {"cases": [dear, good]}).json()["id"]
    assert here.finished(job)["counts"] | {"done": 1, "refused": 1} == here.finished(job)["counts"]
    as_dear_as_can_be = good | {"executor": {"cost_usd": 1e6}}
    assert here.ask("POST", "/verify", as_dear_as_can_be).status_code == 200
