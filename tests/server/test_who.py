"""Who may: keys, roles, workspaces, sessions, forged requests, rates, and what is written down about it."""

from __future__ import annotations

import re

import pytest

from witnessmark.core.errors import InputError
from witnessmark.server.app import ENDPOINTS
from witnessmark.server.http.limits import Rates
from witnessmark.server.pages.site import Caller


def test_a_key_is_needed_where_it_is_asked_for(within, good):
    app = within(keyless=False)
    answer = app.ask("POST", "/verify", good)
    assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
    assert app.ask("POST", "/verify", good, "wm_wrong").status_code == 401
    assert app.ask("POST", "/verify", good, headers={"Authorization": "Basic eDp5"}).status_code == 401
    assert app.ask("POST", "/verify", good, app.key()).status_code == 200


def test_a_key_is_kept_as_a_digest_only(within):
    app = within(keyless=False)
    secret = app.key()
    rows = app.do(app.state.store.read(lambda db: db.execute("SELECT * FROM api_keys")))
    assert secret not in str(rows)
    assert len(secret) > 40


def test_a_revoked_key_opens_nothing_any_more(within, good):
    app = within(keyless=False)
    admin, secret = app.key(role="admin"), app.key()
    assert app.ask("GET", "/records", key=secret).status_code == 200
    listed = app.ask("GET", "/keys", key=admin).json()["keys"]
    key_id = next(key["id"] for key in listed if key["role"] == "verify")
    assert app.ask("DELETE", f"/keys/{key_id}", key=admin).status_code == 204
    assert app.ask("GET", "/records", key=secret).status_code == 401
    assert app.ask("DELETE", "/keys/none", key=admin).status_code == 404


def _path(endpoint, record, job, key, workspace):
    values = {"/records": record, "/jobs": job, "/keys": key, "/workspaces": workspace}
    value = next((v for prefix, v in values.items() if endpoint.path.startswith(prefix)), "x")
    return re.sub(r"\{\w+\}", value, endpoint.path)


def test_no_route_shows_or_changes_anything_of_another_workspace(within, good):
    app = within(keyless=False)
    mine, theirs = app.key("mine", "admin"), app.key("theirs", "admin")
    made = app.ask("POST", "/verify", good | {"id": "SECRET-CASE", "goal": "SECRET-GOAL"}, mine).json()
    job = app.ask("POST", "/verify-batch", {"cases": [good | {"id": "SECRET-JOB"}]}, mine).json()["id"]
    app.finished(job, mine)
    key = app.ask("GET", "/keys", key=mine).json()["keys"][0]["id"]
    tried = 0
    for endpoint in ENDPOINTS:
        if endpoint.path == "/events":
            continue
        word = endpoint.path.endswith(("/override", "/outcome"))
        body = {"outcome": "fail", "reason": "x"} if word else {}
        given = None if endpoint.method in ("GET", "DELETE") else body
        answer = app.ask(endpoint.method, _path(endpoint, made["id"], job, key, "mine"), given, theirs)
        assert answer.status_code < 500
        if "{" in endpoint.path:
            assert answer.status_code == 404, endpoint.path
        assert made["id"] not in answer.text, endpoint.path
        assert "SECRET" not in answer.text, endpoint.path
        tried += 1
    assert tried == len(ENDPOINTS) - 1
    assert app.ask("GET", f"/records/{made['id']}", key=mine).json() == made
    assert app.ask("GET", "/keys", key=mine).status_code == 200
    assert app.ask("GET", f"/jobs/{job}", key=mine).json()["state"] == "done"


def test_events_are_those_of_the_callers_workspace(within, good):
    app = within()
    heard: list[bytes] = []

    async def listen():
        async for event in app.state.changes(Caller("mine", "verify", "local", keyless=True), {}):
            heard.append(event)
            if b"event: record" in event:
                return

    import asyncio

    listening = asyncio.run_coroutine_threadsafe(listen(), app.loop)
    while not app.state.news.listened:
        pass
    theirs, mine = app.key("theirs"), app.key("mine")
    app.ask("POST", "/verify", good | {"id": "not-this"}, theirs)
    app.ask("POST", "/verify", good | {"id": "this-one"}, mine)
    listening.result()
    assert b"this-one" in heard[-1]
    assert b"not-this" not in b"".join(heard)


def test_a_rate_that_no_key_can_have_is_refused_by_its_name(here):
    for rate in (2**63, 10**30, -1):
        told = here.ask("POST", "/keys", {"name": "quick", "rate_per_minute": rate})
        assert (told.status_code, told.json()["field"]) == (422, "rate_per_minute")


ROLES = ("verify", "review", "admin")


def test_a_key_has_a_name_by_which_the_audit_log_can_call_it(here):
    for name in ("", "   ", "\u00a0", "a\nb", "x" * 101):
        answer = here.ask("POST", "/keys", {"name": name})
        assert (answer.status_code, answer.json()["field"]) == (422, "name")
    assert here.ask("POST", "/keys", {"name": " ci "}).json()["name"] == "ci"
    assert [key["name"] for key in here.ask("GET", "/keys").json()["keys"]] == ["ci"]


def test_each_role_may_what_it_may_and_nothing_else(within, good):
    app = within(keyless=False)
    keys = {role: app.key(role=role) for role in ROLES}
    wrong = []
    for endpoint in ENDPOINTS:
        if endpoint.need is None or endpoint.path == "/events":
            continue
        for role in ROLES[: ROLES.index(endpoint.need)]:
            status = app.ask(endpoint.method, _path(endpoint, "0" * 64, "x", "x", "x"), None, keys[role]).status_code
            wrong += [f"{endpoint.method} {endpoint.path} as {role}: {status}"] if status != 403 else []
    assert wrong == []


def test_every_operation_but_the_open_ones_needs_somebody(within):
    app = within(keyless=False)
    anybody = [
        e.path
        for e in ENDPOINTS
        if app.ask(e.method, _path(e, "0" * 64, "x", "x", "x"), None).status_code not in (401, 403)
    ]
    assert sorted(anybody) == ["/healthz", "/readyz"]


def test_a_rate_is_kept_for_each_key(within, good):
    app = within(keyless=False)
    slow, fast = app.key(rate_per_minute=2), app.key("other")
    assert [app.ask("GET", "/records", key=slow).status_code for _ in range(3)] == [200, 200, 429]
    answer = app.ask("GET", "/records", key=slow)
    assert int(answer.headers["retry-after"]) >= 1
    assert app.ask("GET", "/records", key=fast).status_code == 200


def test_a_bucket_fills_with_time():
    now = [0.0]
    rates = Rates(60, clock=lambda: now[0])
    assert [rates.wait_s("a") for _ in range(60)] == [0.0] * 60
    assert rates.wait_s("a") == pytest.approx(1.0)
    now[0] = 1.0
    assert rates.wait_s("a") == 0.0
    assert rates.wait_s("a") > 0
    assert Rates(60, share=2, clock=lambda: 0.0).wait_s("b", 0) == 0.0


# --- a browser ---------------------------------------------------------------------------------------------------------


def test_a_page_of_another_site_changes_nothing(here, good):
    for headers in ({"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "null"}):
        answer = here.ask("POST", "/verify", good, headers=headers)
        assert answer.status_code == 403, headers
    assert here.ask("POST", "/verify", good, headers={"Origin": "http://127.0.0.1"}).status_code == 200
    assert len(here.ask("GET", "/records").json()["records"]) == 1


def test_without_a_key_only_loopbacks_names_are_served(here):
    assert here.ask("GET", "/records", headers={"Host": "evil.example"}).status_code == 403
    assert here.ask("GET", "/records", headers={"Host": "localhost:8000"}).status_code == 200
    assert here.ask("GET", "/records", headers={"Host": "[::1]:8000"}).status_code == 200
    assert here.ask("GET", "/records", headers={"X-Forwarded-For": "10.0.0.1"}).status_code == 401


def test_signing_in_gives_a_cookie_that_only_our_pages_can_use(within, good):
    app = within(keyless=False)
    secret = app.key(role="review")
    answer = app.ask("POST", "/login", f"key={secret}&next=/records".encode())
    assert (answer.status_code, answer.headers["location"]) == (303, "/records")
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "samesite=strict" in cookie.lower()
    assert secret not in cookie
    session = {"Cookie": cookie.partition(";")[0]}
    assert app.ask("GET", "/records", headers=session).status_code == 200
    assert app.ask("POST", "/verify", good, headers=session).status_code == 403
    assert app.ask("POST", "/verify", good, headers=session | {"Origin": "http://127.0.0.1"}).status_code == 200
    assert app.ask("POST", "/logout", headers=session | {"Origin": "http://127.0.0.1"}).status_code == 303
    app.client.cookies.clear()
    assert app.ask("GET", "/records", headers=session).status_code == 401


def test_a_wrong_key_gets_the_form_again_and_no_cookie(within):
    app = within(keyless=False)
    answer = app.ask("POST", "/login", b"key=<script>alert(1)</script>")
    assert answer.status_code == 401
    assert "set-cookie" not in answer.headers
    assert "<script>" not in answer.text


@pytest.mark.parametrize(
    "target", ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)", "/a\r\nb"]
)
def test_signing_in_leads_to_no_other_site(within, target):
    app = within(keyless=False)
    from urllib.parse import quote

    answer = app.ask("POST", "/login", f"key={app.key()}&next={quote(target)}".encode())
    assert answer.headers["location"] == "/"


def test_a_browser_that_nobody_knows_is_led_to_the_door(within):
    app = within(keyless=False)
    if any(getattr(route, "path", "") == "/" for route in app.app.routes):
        answer = app.ask("GET", "/", headers={"Accept": "text/html"})
        assert (answer.status_code, answer.headers["location"][:6]) == (303, "/login")
    assert "form" in app.ask("GET", "/login").text


def test_every_answer_carries_what_keeps_a_browser_safe(here, good):
    for answer in (here.ask("GET", "/login"), here.ask("POST", "/verify", good), here.ask("GET", "/nope")):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy or "default-src 'self'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["x-frame-options"] == "DENY"


# --- written down ------------------------------------------------------------------------------------------------------


def test_what_was_done_is_written_down_without_what_was_said(within, good):
    app = within(keyless=False)
    admin, reviewer = app.key(role="admin"), app.key(role="review")
    made = app.ask("POST", "/verify", good, reviewer).json()
    app.ask("POST", f"/records/{made['id']}/override", {"outcome": "fail", "reason": "CANARY"}, reviewer)
    app.ask("PATCH", "/settings/workspace", {"correction": False}, admin)
    page = app.ask("GET", "/audit?limit=2", key=admin).json()
    rest = app.ask("GET", f"/audit?before={page['next']}", key=admin).json()
    lines = page["lines"] + rest["lines"]
    assert [line["what"] for line in lines] == ["settings", "override", "verify"]
    assert [line["who"] for line in lines] == ["admin-of-default", "review-of-default", "review-of-default"]
    assert lines[2]["target"] == made["id"]
    assert "CANARY" not in str(lines)


def test_a_new_key_is_never_kept_as_an_idempotent_answer(here):
    made = here.ask("POST", "/keys", {"name": "n"}, headers={"Idempotency-Key": "k"}).json()
    kept = here.do(here.state.store.read(lambda db: db.execute("SELECT * FROM idempotency")))
    assert made["key"] not in str(kept)
    assert here.ask("GET", "/records", key=made["key"]).status_code == 200


@pytest.mark.parametrize(
    ("policy", "field"),
    [
        ({"pass_threshold": 7}, "pass_threshold"),
        ({"pass_treshold": 0.5}, "pass_treshold"),
        ({"must_pass": ["nosuch"]}, "must_pass"),
        ({"retry_threshold": 0.95}, "retry_threshold"),
    ],
)
def test_a_wrong_policy_is_told_by_its_field_wherever_it_is_sent(here, good, policy, field):
    answer = here.ask("POST", "/verify", good | {"context": {"policy": policy}})
    assert (answer.status_code, answer.json()["field"]) == (422, f"context.policy.{field}")
    answer = here.ask("PATCH", "/settings/workspace", {"policy": policy})
    assert (answer.status_code, answer.json()["field"]) == (422, f"policy.{field}")
    answer = here.ask("POST", "/orchestrations", {"goal": "g", "policy": policy})
    assert answer.status_code in (201, 422)


@pytest.mark.parametrize(
    ("policy", "field"),
    [
        ({"pass_threshold": 0.5}, "retry_threshold"),
        ({"weights": {"nosuch": 1.0}}, "weights"),
        ({"min_coverage": "x"}, "min_coverage"),
    ],
)
def test_a_policy_under_which_every_case_would_be_refused_is_not_kept(within, good, policy, field):
    app = within(policy={"retry_threshold": 0.6})
    told = app.ask("PATCH", "/settings/workspace", {"policy": policy})
    assert (told.status_code, told.json()["field"]) == (422, f"policy.{field}")
    assert app.ask("GET", "/settings/workspace").json()["policy"] == {}
    assert app.ask("POST", "/verify", good).status_code == 200


def test_a_policy_that_holds_only_over_the_settings_files_is_kept(within, good):
    app = within(policy={"retry_threshold": 0.2})
    assert app.ask("PATCH", "/settings/workspace", {"policy": {"pass_threshold": 0.3}}).status_code == 200
    assert app.ask("POST", "/verify", good).status_code == 200


def test_a_policy_that_would_refuse_every_case_of_a_user_is_not_kept(within):
    app = within(users={"ann": {"retry_threshold": 0.6}})
    told = app.ask("PATCH", "/settings/workspace", {"policy": {"pass_threshold": 0.5}})
    assert (told.status_code, told.json()["field"]) == (422, "policy.retry_threshold")


@pytest.mark.parametrize("days", [0, 0.001, 1_000_000_000])
def test_content_stays_for_days_that_make_sense(here, days):
    answer = here.ask("PATCH", "/settings/workspace", {"retention_days": days})
    assert (answer.status_code, answer.json()["field"]) == (422, "retention_days")
    assert here.ask("PATCH", "/settings/workspace", {"retention_days": 0.5}).status_code == 200
    assert here.ask("PATCH", "/settings/workspace", {"retention_days": None}).status_code == 200


@pytest.mark.parametrize("workspace", ["../a b", "a b", "a/b", ".hidden", ""])
def test_a_workspace_is_named_by_what_can_stand_in_an_address(here, workspace):
    with pytest.raises(InputError, match="workspace"):
        here.key(workspace)
    assert here.key("équipe-1@de:2.x")


def test_a_place_in_a_list_that_is_none_is_told(here, good):
    here.ask("POST", "/verify", good)
    first = here.ask("GET", "/audit?limit=1").json()["next"]
    assert here.ask("GET", f"/audit?before={first}").status_code == 200
    for path in ("/audit?before=abc", "/audit?before=", "/records?after=zzz", "/records?after="):
        answer = here.ask("GET", path)
        assert (answer.status_code, answer.json()["field"]) == (422, path.partition("?")[2].partition("=")[0])
    for path in ("/ui/audit?before=abc", "/ui/records?after=zz", "/ui/review?after=zz"):
        assert here.ask("GET", path).status_code == 422


def test_settings_that_cannot_be_set_are_named(here):
    answer = here.ask("PATCH", "/settings/workspace", {"verification": "no"})
    assert (answer.status_code, answer.json()["field"]) == (422, "verification")
    assert here.ask("PATCH", "/settings/workspace", {"colour": 1}).status_code == 422
    assert here.ask("GET", "/settings/workspace").json() == {
        "verification": True,
        "correction": True,
        "retention_days": None,
        "policy": {},
        "policy_in_force": {},
        "retention_days_in_force": None,
    }
