"""Records over HTTP: lists with filters and cursors, a person's word, what really happened, another look."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from urllib.parse import urlencode

import pytest

from witnessmark.core.errors import SeveralRecordsError


def _verified(app, good, count=1, **more):
    return [app.ask("POST", "/verify", good | {"id": f"c{n}"}, **more).json() for n in range(count)]


def test_a_list_is_read_page_by_page_without_gaps_or_doubles(here, good):
    made = [record["id"] for record in _verified(here, good, 7)]
    seen, after = [], ""
    while True:
        page = here.ask("GET", f"/records?limit=3{after}").json()
        seen += [record["id"] for record in page["records"]]
        if page["next"] is None:
            break
        after = f"&after={page['next']}"
    assert seen == made[::-1]


def test_filters_narrow_the_list(here, good, bad):
    _verified(here, good, 2)
    here.ask("POST", "/verify", bad)
    found = here.ask("GET", "/records?outcome=fail").json()["records"]
    assert [record["case_id"] for record in found] == ["order-2"]
    assert len(here.ask("GET", "/records?checkpoint=task&action=accept").json()["records"]) == 2
    assert here.ask("GET", "/records?until=1").json()["records"] == []
    assert len(here.ask("GET", "/records?since=2020-01-01").json()["records"]) == 3


@pytest.mark.parametrize(
    "query", ["limit=0", "outcome=banana", "action=banana", "kind=banana", "limit=x", "limit=1000", "colour=red", "since=yesterday", "since=2026", "since=20261331", "until=202601", "since=nan", "after=%00", "after=abc", "after=", "after=nan_a", "after=1_", "case_id=", "outcome=a&outcome=b", "case_id=%00", "x=%ff"]
)  # fmt: skip
def test_a_query_that_is_wrong_is_told(here, query):
    assert here.ask("GET", f"/records?{query}").status_code == 422


@pytest.mark.parametrize(
    ("query", "field"),
    [("outcome=good", "outcome"), ("action=stop", "action"), ("next=later", "next"), ("attempt=second", "attempt")],
)
def test_the_page_of_records_names_a_filter_that_cannot_be_used(here, query, field):
    """An empty list under a form that says `any` would read as: there is nothing of the kind."""
    answer = here.ask("GET", f"/ui/records?{query}")
    assert answer.status_code == 422
    assert f"{field}: " in answer.text


def test_a_day_is_a_day_with_and_without_its_dashes(here, good):
    here.ask("POST", "/verify", good)
    day = datetime.fromtimestamp(here.ask("GET", "/records").json()["records"][0]["at"], UTC).replace(
        hour=0, minute=0, second=0, microsecond=0
    )
    for at in (day.timestamp(), f"{day:%Y-%m-%d}", f"{day:%Y%m%d}", f"{day:%Y-%m-%dT00:00:00Z}"):
        assert len(here.ask("GET", f"/records?since={at}").json()["records"]) == 1, at
        assert here.ask("GET", f"/records?until={at}").json()["records"] == [], at


@pytest.mark.parametrize("after", ["--5", "5-", "%C2%B2", "1.5", "x", "-2", "9" * 30])
def test_a_place_in_a_jobs_results_that_is_none_is_told(here, good, after):
    job = here.ask("POST", "/verify-batch", {"cases": [good]}).json()["id"]
    told = here.ask("GET", f"/jobs/{job}/results?after={after}")
    assert (told.status_code, told.json()["field"]) == (422, "after")
    assert here.ask("GET", f"/ui/jobs/{job}?after={after}").status_code == 422


def test_a_record_that_is_not_there(here):
    assert here.ask("GET", f"/records/{'0' * 64}").status_code == 404
    assert here.ask("GET", "/records/abc").status_code == 404


def test_the_beginning_of_an_id_is_enough_where_no_other_record_has_it(here, good):
    """As on the command line, which prints no more of an id than this."""
    (made,) = _verified(here, good)
    for length in (8, 12, 64):
        assert here.ask("GET", f"/records/{made['id'][:length]}").json()["id"] == made["id"]
    assert here.ask("GET", f"/records/{made['id'][:7]}").status_code == 404
    here.ask("POST", f"/records/{made['id'][:12]}/override", {"outcome": "fail", "reason": "it is late"})
    assert here.ask("GET", "/records?kind=override").json()["records"]


def test_a_beginning_that_several_ids_have_is_refused(here, monkeypatch):
    async def several(record_id, workspace):
        raise SeveralRecordsError(f"several ids begin with {record_id!r}; give more characters")

    monkeypatch.setattr(here.state.store, "get", several)
    answer = here.ask("GET", f"/records/{'a' * 12}")
    assert answer.status_code == 409
    assert "give more characters" in answer.text


def test_an_override_is_a_record_of_its_own_and_moves_the_override_rate(here, bad):
    (made,) = _verified(here, bad)
    answer = here.ask("POST", f"/records/{made['id']}/override", {"outcome": "pass", "reason": "it is fine"})
    assert answer.status_code == 201
    told = answer.json()
    assert (told["kind"], told["outcome"], told["parent"]) == ("override", "pass", made["id"])
    assert here.ask("GET", f"/records/{made['id']}").json() == made
    kinds = [one["id"] for one in here.ask("GET", f"/records?kind=override&parent={made['id']}").json()["records"]]
    assert kinds == [told["id"]]  # req: S2-112


def test_a_low_confidence_goes_to_a_person_who_can_be_asked_for(here, good):
    made = here.ask("POST", "/verify", good | {"criteria": ["Is about apples"]}).json()
    waiting = here.ask("GET", "/records?action=escalate").json()["records"]
    assert [one["id"] for one in waiting] == [made["id"]]  # req: S2-112


@pytest.mark.parametrize("wrong", ["unknown", "purged"])
def test_several_are_decided_on_the_page_all_or_none(here, good, bad, wrong):
    (gone,) = _verified(here, bad)
    here.do(here.state.store.purge())
    first, last = _verified(here, good, 2)
    ids = [first["id"], gone["id"] if wrong == "purged" else "f" * 64, last["id"]]
    sent = {"headers": {"content-type": "application/x-www-form-urlencoded"}}

    def decided(*chosen):
        body = urlencode([("decision", "bad"), *(("id", one) for one in chosen)]).encode()
        return here.ask("POST", "/ui/review/several", body, **sent).status_code

    def standing():
        listed = here.ask("GET", "/records?kind=override").json()["records"]
        audited = [line["target"] for line in here.ask("GET", "/audit").json()["lines"] if line["what"] == "review bad"]
        return sorted(line["case_id"] for line in listed), sorted(audited)

    assert decided(*ids) >= 400
    assert standing() == ([], []), "the good ones before the wrong one are not decided either"
    assert decided(first["id"], last["id"]) == 303
    assert standing() == (["c0", "c1"], sorted([first["id"], last["id"]]))
    body = urlencode({"ids": ",".join(ids)}).encode()
    assert here.ask("POST", "/ui/review/undo", body, **sent).status_code >= 400
    assert len(standing()[0]) == 2, "and none is taken back"


def test_a_word_on_a_single_claim_is_kept_under_the_number_that_the_claim_has_in_the_record(here):
    said = "The museum opens at nine. It closes at six."
    case = {"question": "When is it open?", "answer": f"Shall I tell you? {said}", "sources": [said]}
    made = here.ask("POST", "/verify", case).json()
    assert [claim["status"] == "unverifiable" for claim in made["claims"]] == [True, False, False]
    shown = here.ask("GET", f"/ui/review?show=passed&outcome={made['outcome']}").text
    names = re.findall(r'name="(claim-[^"]+)" value="wrong"', shown)
    assert names == ["claim-2", "claim-3"]

    def decided(name):
        body = urlencode({"decision": "bad", name: "wrong"}).encode()
        form = {"content-type": "application/x-www-form-urlencoded"}
        return here.ask("POST", f"/ui/review/{made['id']}", body, headers=form).status_code

    assert [decided(f"claim-{word}") for word in ("4", "0", "x" * 5000)] == [422, 422, 422]
    assert decided(names[1]) == 303
    (line,) = here.ask("GET", "/records?kind=override").json()["records"]
    assert here.ask("GET", f"/records/{line['id']}").json()["results"][0]["details"]["claims"] == {"3": False}


def test_what_is_verified_on_the_page_stands_in_the_audit_log_as_what_comes_by_the_api(here):
    body = urlencode({"goal": "", "answer": "Three apples.", "evidence": "There are three apples."}).encode()
    form = {"headers": {"content-type": "application/x-www-form-urlencoded"}}
    answer = here.ask("POST", "/ui/verify", body, **form)
    assert answer.status_code == 303
    (line,) = here.ask("GET", "/audit").json()["lines"]
    assert (line["who"], line["what"]) == ("local", "verify")
    assert answer.headers["location"] == f"/ui/records/{line['target']}"
    assert here.ask("POST", "/ui/verify", urlencode({"answer": " "}).encode(), **form).status_code == 422
    assert len(here.ask("GET", "/audit").json()["lines"]) == 1


def test_an_outcome_is_recorded_by_a_route_of_its_own(here, good):
    (made,) = _verified(here, good)
    answer = here.ask("POST", f"/records/{made['id']}/outcome", {"outcome": "fail", "facts": {"ticket": 7}})
    assert answer.status_code == 201  # req: C12
    assert (answer.json()["kind"], answer.json()["outcome"]) == ("outcome", "fail")
    wrong = here.ask("POST", f"/records/{made['id']}/outcome", {"outcome": "unverified"})
    assert (wrong.status_code, wrong.json()["field"]) == (422, "outcome")


def test_an_override_needs_a_reason(here, good):
    (made,) = _verified(here, good)
    answer = here.ask("POST", f"/records/{made['id']}/override", {"outcome": "fail", "reason": " "})
    assert (answer.status_code, answer.json()["field"]) == (422, "reason")


def test_whoever_overrides_has_a_name_and_no_text(here, good):
    (made,) = _verified(here, good)

    def overridden(by):
        return here.ask("POST", f"/records/{made['id']}/override", {"outcome": "fail", "reason": "seen", "by": by})

    refused = overridden("x" * 201)
    assert (refused.status_code, refused.json()["field"]) == (422, "by")
    assert "201 characters are more than the 200" in refused.json()["detail"]
    assert overridden("x" * 200).json()["results"][0]["details"]["by"] == "x" * 200


def test_a_record_is_verified_again_and_the_new_one_follows_the_old(here, good):
    (made,) = _verified(here, good)
    answer = here.ask("POST", f"/records/{made['id']}/reverify")
    assert answer.status_code == 201
    assert answer.json()["parent"] == made["id"]
    assert here.ask("GET", f"/records/{answer.json()['id']}").status_code == 200


def test_where_content_is_not_kept_the_case_is_needed_again(within, good):
    app = within(content={"keep": "digest"})
    (made,) = _verified(app, good)
    assert app.ask("POST", f"/records/{made['id']}/reverify", {}).status_code == 409
    again = app.ask("POST", f"/records/{made['id']}/reverify", {"case": good | {"id": "c0"}})
    assert again.status_code == 201


def test_content_is_kept_out_of_store_and_answers_by_setting(within, good, tmp_path):
    app = within(content={"keep": "digest"})
    said = "CANARY of three apples"
    app.ask(
        "POST", "/verify", good | {"subject": {"kind": "task_output", "text": said}}, headers={"Idempotency-Key": "a"}
    )
    job = app.ask(
        "POST", "/verify-batch", {"cases": [good | {"subject": {"kind": "task_output", "text": said}}]}
    ).json()
    app.finished(job["id"])
    app.do(app.state.store.read(lambda db: db.execute("PRAGMA wal_checkpoint(TRUNCATE)")))
    tables = ("records", "runs", "cases", "jobs", "job_cases", "idempotency", "audit_log", "notes")
    rows = [app.do(app.state.store.read(lambda db, t=t: db.execute(f"SELECT * FROM {t}"))) for t in tables]
    assert "CANARY" not in str(rows)  # req: C68
    assert any(rows)


def test_an_admin_removes_the_content_of_the_workspace_and_tombstones_stay(here, good):
    (made,) = _verified(here, good, headers={"Idempotency-Key": "k"})
    answer = here.ask("DELETE", "/workspaces/default/records")
    assert answer.json() == {"purged": 1}
    assert here.ask("GET", f"/records/{made['id']}").status_code == 410
    assert here.ask("GET", "/records").json()["records"] == []
    left = here.do(here.state.store.read(lambda db: db.execute("SELECT * FROM idempotency")))
    assert left == []
    assert here.ask("DELETE", "/workspaces/other/records").status_code == 404


def test_what_is_verified_again_after_a_purge_is_kept_again(here, good):
    first = here.ask("POST", "/verify", good).json()["id"]
    assert here.ask("DELETE", "/workspaces/default/records").json() == {"purged": 1}
    again = here.ask("POST", "/verify", good).json()["id"]
    assert again == first, "the same case under the same policy is the same record"
    assert here.ask("GET", f"/records/{again}").status_code == 200
    assert [line["id"] for line in here.ask("GET", "/records").json()["records"]] == [again]
    assert here.ask("POST", f"/records/{again}/outcome", {"outcome": "pass"}).status_code == 201
    assert here.ask("DELETE", "/workspaces/default/records").json() == {"purged": 2}


def test_an_orchestrated_run_goes_with_the_content_of_its_workspace(within):
    app = within({"require_key": True})
    runs = {}
    for name in ("a", "b"):
        key = app.key(name, "admin")
        runs[name] = (key, app.ask("POST", "/orchestrations", {"goal": "a secret goal"}, key=key).json()["id"])
    assert app.ask("DELETE", "/workspaces/a/records", key=runs["a"][0]).status_code == 200
    found = [app.ask("GET", f"/orchestrations/{run}", key=key).status_code for key, run in runs.values()]
    assert found == [404, 200]


def test_a_workspace_is_told_the_policy_that_holds_in_it(within):
    app = within(
        {"require_key": True, "retention_days": 30},
        policy={"retry_threshold": 0.3},
        workspaces={"gamma": {"policy": {"pass_threshold": 0.9}}},
    )
    gamma, other = app.key("gamma", "admin"), app.key("beta", "admin")
    held = app.ask("GET", "/settings/workspace", key=gamma).json()
    assert (held["policy"], held["retention_days"], held["retention_days_in_force"]) == ({}, None, 30)
    assert held["policy_in_force"] == {"retry_threshold": 0.3, "pass_threshold": 0.9}
    changed = app.ask("PATCH", "/settings/workspace", {"policy": {"pass_threshold": 0.8}}, key=gamma).json()
    assert changed["policy_in_force"] == {"retry_threshold": 0.3, "pass_threshold": 0.8}
    assert app.ask("GET", "/settings/workspace", key=other).json()["policy_in_force"] == {"retry_threshold": 0.3}


def test_the_settings_page_tells_a_workspace_what_holds_for_it_and_nothing_of_others(within, tmp_path):
    app = within(
        {"require_key": True},
        workspaces={"gamma": {"policy": {"pass_threshold": 0.9}}},
        policy={"retry_threshold": 0.3},
    )
    where = str(tmp_path)
    gamma, beta, admin, own = (
        app.ask("GET", "/ui/settings", key=app.key(*who)).text
        for who in (("gamma",), ("beta",), ("beta", "admin"), ("default", "admin"))
    )
    assert '<td><code>policy.pass_threshold</code></td><td class="free">0.9</td>' in gamma
    assert '<td><code>workspace</code></td><td class="free">gamma</td>' in gamma
    for told in (beta, admin):
        assert "gamma" not in told
        assert where not in told
        assert "policy.retry_threshold" in told
    assert where in own
    assert "service.hook_roots" in own


def test_content_goes_after_the_days_that_are_set(here, good):
    import time

    from witnessmark.server.app import swept

    _verified(here, good, 2)
    here.ask("PATCH", "/settings/workspace", {"retention_days": 30})
    assert here.do(swept(here.state)) == {"default": 0}
    assert here.do(swept(here.state, time.time() + 31 * 86_400)) == {"default": 2}
    assert here.ask("GET", "/records").json()["records"] == []


def test_a_store_without_content_of_its_own_still_proves_itself(here, good):
    from witnessmark.stores.audit import audit

    made = _verified(here, good, 3)
    here.ask("POST", f"/records/{made[0]['id']}/override", {"outcome": "fail", "reason": "no"})
    here.ask("DELETE", "/workspaces/default/records")
    seen = here.do(audit(here.state.store))
    assert (seen.tombstones, seen.faults) == (4, [])


def test_facts_of_an_outcome_have_a_limit_of_their_own(here, good):
    (made,) = _verified(here, good)
    told = here.ask("POST", f"/records/{made['id']}/outcome", {"outcome": "fail", "facts": {"log": "x" * 20_000}})
    assert (told.status_code, told.json()["field"]) == (422, "facts")
    kept = here.ask("POST", f"/records/{made['id']}/outcome", {"outcome": "fail", "facts": {"log": "x" * 19_000}})
    assert kept.status_code == 201


def test_a_verdict_selected_by_its_id_and_by_the_beginning_of_it_is_decided_and_taken_back_once(here, good):
    (made,) = _verified(here, good)
    form = {"headers": {"content-type": "application/x-www-form-urlencoded"}}
    both = [made["id"][:12], made["id"]]
    sent = urlencode([("decision", "good"), *(("id", one) for one in both)]).encode()
    assert here.ask("POST", "/ui/review/several", sent, **form).status_code == 303
    taken_back = here.ask("POST", "/ui/review/undo", urlencode({"ids": ",".join(both)}).encode(), **form)
    assert taken_back.status_code == 303
    words = here.do(here.state.store.children(made["id"]))
    assert [word.results[0].details["number"] for word in words] == [1, 2]
    logged = [line for line in here.ask("GET", "/audit").json()["lines"] if line["what"].startswith("review")]
    assert [(line["what"], line["target"]) for line in logged] == [
        ("review undone", made["id"]),
        ("review good", made["id"]),
    ]


def test_what_is_decided_by_the_beginning_of_an_id_stands_in_the_audit_log_by_the_whole(here, good):
    (made,) = _verified(here, good)
    form = {"headers": {"content-type": "application/x-www-form-urlencoded"}}
    here.ask("POST", f"/ui/review/{made['id'][:12]}", urlencode({"decision": "good"}).encode(), **form)
    assert here.ask("GET", "/audit").json()["lines"][0]["target"] == made["id"]
