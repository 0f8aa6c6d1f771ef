"""The review queue by keyboard alone."""

from __future__ import annotations

import re

import httpx
import pytest
from playwright.sync_api import expect

from witnessmark.settings import Settings
from witnessmark.stores import open_store
from witnessmark.testing.records import NOON, entry, made

from .conftest import elsewhere, serving


@pytest.fixture
def queue(pool, tmp_path):
    """Three verdicts that wait: a goal that no judge reads."""
    with serving(Settings(store=f"sqlite:///{tmp_path}/queue.db"), pool) as base:
        for name in ("one", "two", "three"):
            case = {
                "id": name,
                "checkpoint": "goal",
                "goal": "Is it ready?",
                "subject": {"kind": "answer", "text": f"{name} is ready."},
            }
            record = httpx.post(f"{base}/verify", json=case, timeout=120).json()
            assert record["action"] == "escalate"
        yield base


def names(page):
    page.wait_for_load_state("load")  # a page that is still coming shows its first words before its last
    return [text.strip() for text in page.locator("[data-item] h2").all_inner_texts()]


def current(page):
    return page.locator("[data-item][aria-current=true] h2")


def decisions(base):
    return {
        line["case_id"]: line["outcome"]
        for line in httpx.get(f"{base}/records?kind=override", timeout=120).json()["records"]
    }


def test_the_cursor_goes_on_from_where_it_was_and_each_decision_is_told(page, queue):
    page.goto(f"{queue}/ui/review")
    assert names(page) == ["three", "two", "one"]
    page.keyboard.press("j")
    expect(current(page)).to_have_text("two")
    page.keyboard.press("c")
    page.keyboard.type("Looked at it with Ana: a job for later")
    page.keyboard.press("Escape")
    page.keyboard.press("b")
    expect(page.get_by_role("status")).to_contain_text("“two” marked: work is bad.")
    assert names(page) == ["three", "one"]
    expect(current(page)).to_have_text("one")  # not the first: the next key must not meet another item
    page.keyboard.press("k")
    expect(current(page)).to_have_text("three")
    page.keyboard.press("g")
    expect(page.get_by_role("status")).to_contain_text("“three” marked: work is good.")
    expect(current(page)).to_have_text("one")
    assert decisions(queue) == {"two": "fail", "three": "pass"}
    page.goto(f"{queue}/ui/records?q=two")
    expect(page.get_by_text("overridden: fail")).to_be_visible()
    page.locator("a.rowlink").click()
    expect(page.locator("#later")).to_contain_text("Looked at it with Ana")


def test_a_key_pressed_before_the_page_is_whole_counts_when_it_is(page, queue):
    held = []
    late = lambda route: route.continue_() if held else held.append(route)  # noqa: E731
    page.route("**/claims.js*", late)  # a script that is late keeps the page from being whole
    page.goto(f"{queue}/ui/review", wait_until="commit")
    expect(current(page)).to_have_text("three")
    page.keyboard.press("j")
    expect(current(page)).to_have_text("three")
    page.keyboard.press("g")
    held[0].continue_()
    expect(page.get_by_role("status")).to_contain_text("“two” marked: work is good.")
    assert decisions(queue) == {"two": "pass"}


def test_a_comment_alone_decides_nothing(page, queue):
    page.goto(f"{queue}/ui/review")
    page.locator("[data-item] textarea").first.fill("Waiting for the supplier.")
    page.get_by_role("button", name="Comment only").first.click()
    expect(page.get_by_text("Waiting for the supplier.")).to_be_visible()
    assert len(names(page)) == 3


@pytest.mark.parametrize("view", ["q=two", "outcome=unverified&checkpoint=goal"])
def test_a_comment_alone_leaves_the_queue_as_it_was(page, queue, view):
    page.goto(f"{queue}/ui/review?{view}")
    many = names(page)
    item = page.locator("[data-item]", has=page.get_by_role("heading", name="two"))
    item.locator("textarea").fill("Waiting for the supplier.")
    item.get_by_role("button", name="Comment only").click()
    expect(page.get_by_text("Waiting for the supplier.")).to_be_visible()
    assert names(page) == many
    expect(current(page)).to_have_text("two")
    assert view in page.url


def test_a_key_held_down_decides_once(page, queue):
    page.goto(f"{queue}/ui/review")
    assert names(page) == ["three", "two", "one"]
    page.keyboard.down("g")
    expect(page.get_by_role("status")).to_contain_text("“three” marked: work is good.")
    assert names(page) == ["two", "one"]
    page.keyboard.down("g")  # held on: the browser repeats it
    page.keyboard.up("g")
    page.keyboard.press("b")
    expect(page.get_by_role("status")).to_contain_text("“two” marked: work is bad.")
    assert decisions(queue) == {"three": "pass", "two": "fail"}


def test_a_further_page_that_is_decided_leads_back_to_what_still_waits(page, tmp_path, pool):
    url = f"sqlite:///{tmp_path}/long.db"

    async def fill():
        store = open_store(url)
        waiting = [made(case_id=f"n{n}", outcome="unverified", action="escalate") for n in range(21)]
        await store.append([entry(record, NOON + n) for n, record in enumerate(waiting)])
        await store.close()

    elsewhere(fill)
    with serving(Settings(store=url), pool) as base:
        page.goto(f"{base}/ui/review")
        page.get_by_role("link", name="Older").click()
        expect(page.locator("[data-item]")).to_have_count(1)
        assert names(page) == ["n0"]
        page.keyboard.press("g")
        expect(page.get_by_role("status")).to_contain_text("“n0” marked: work is good.")
        assert names(page) == [f"n{n}" for n in range(20, 0, -1)]
        expect(page.get_by_text("Nothing waits for a person")).to_have_count(0)


def test_a_decision_is_taken_back_and_counts_for_nothing(page, queue):
    page.goto(f"{queue}/ui/review")
    page.keyboard.press("b")
    expect(page.get_by_role("status")).to_contain_text("“three” marked: work is bad.")
    page.keyboard.press("u")
    expect(page.get_by_role("status")).to_contain_text("Taken back")
    assert names(page) == ["three", "two", "one"]
    expect(current(page)).to_have_text("three")
    page.goto(f"{queue}/ui/records?q=three")
    expect(page.get_by_text("overridden")).to_have_count(0)
    served = httpx.get(f"{queue}/metrics", timeout=120).text
    reviewed = re.findall(r'witnessmark_figure_sample\{[^}]*metric="disagreement_of_reviewed"\} (\S+)', served)
    assert [float(n) for n in reviewed] in ([], [0.0])


def test_several_are_decided_and_taken_back_at_once(page, queue):
    page.goto(f"{queue}/ui/review")
    page.keyboard.press("x")
    page.keyboard.press("j")
    page.keyboard.press("x")
    page.get_by_role("button", name="Selected work is good").click()
    expect(page.get_by_role("status")).to_contain_text("2 marked: work is good.")
    assert names(page) == ["one"]
    assert decisions(queue) == {"two": "pass", "three": "pass"}
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("status")).to_contain_text("Taken back")
    assert names(page) == ["three", "two", "one"]


def test_filters_stay_from_one_decision_to_the_next(page, queue):
    page.goto(f"{queue}/ui/review?q=t")
    page.locator("#q").fill("two")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("[data-item]")).to_have_count(1)
    assert names(page) == ["two"]
    page.get_by_role("button", name="Work is good", exact=True).click()
    expect(page.locator("#q")).to_have_value("two")
    expect(page.get_by_text("Nothing fits these filters")).to_be_visible()


def test_what_passed_is_drawn_at_random_with_its_evidence_and_claims_are_decided_one_by_one(page, queue):
    case = {
        "id": "hours",
        "question": "When does it open?",
        "answer": "The museum opens at nine. It closes at six.",
        "sources": ["The museum opens at nine. It closes at six."],
    }
    record = httpx.post(f"{queue}/verify", json=case, timeout=120).json()
    assert record["outcome"] == "pass"
    page.goto(f"{queue}/ui/review?show=passed")
    assert names(page) == ["hours"]
    expect(page.locator("[data-item] .source")).to_contain_text("The museum opens at nine.")
    page.locator("input[name=claim-1][value=right]").check()
    page.locator("input[name=claim-2][value=wrong]").check()
    page.get_by_role("button", name="Work is bad", exact=True).click()
    expect(page.get_by_role("status")).to_contain_text("“hours” marked: work is bad.")
    (line,) = httpx.get(f"{queue}/records?kind=override", timeout=120).json()["records"]
    kept = httpx.get(f"{queue}/records/{line['id']}", timeout=120).json()
    assert kept["results"][0]["details"]["claims"] == {"1": True, "2": False}


def test_deciding_on_nothing_leaves_the_queue_as_it_was(page, queue):
    page.goto(f"{queue}/ui/review?outcome=unverified")
    many = names(page)
    page.get_by_role("button", name="Selected work is good").click()
    expect(page.get_by_role("status")).to_contain_text("Nothing was selected")
    assert names(page) == many
    assert "outcome=unverified" in page.url


def test_a_job_page_follows_its_job(page, queue):
    cases = [{"id": f"n{n}", "answer": f"Yes, {n}."} for n in range(60)]
    job = httpx.post(f"{queue}/verify-batch", json={"cases": cases}, timeout=120).json()
    page.goto(f"{queue}/ui/jobs/{job['id']}")
    expect(page.locator(".tile", has_text="done").locator(".value")).to_have_text("60")
    expect(page.locator("#job p.soft").first).to_contain_text("done")
    expect(page.get_by_role("button", name="Cancel")).to_have_count(0)


def test_jobs_keys_and_the_audit_log_have_pages(page, queue):
    cases = [{"id": "ok", "answer": "Yes."}, {"no": "case"}]
    job = httpx.post(f"{queue}/verify-batch", json={"cases": cases}, timeout=120).json()
    page.goto(f"{queue}/ui/jobs")
    page.locator("a.rowlink").first.click()
    expect(page.get_by_role("heading", name=f"Job {job['id'][:16]}")).to_be_visible()
    expect(page.get_by_text("no: unknown field")).to_be_visible()
    page.goto(f"{queue}/ui/keys")
    page.get_by_label("Name").fill("ci")
    page.get_by_role("button", name="Create").click()
    secret = page.locator("#secret").inner_text()
    assert httpx.get(f"{queue}/records", headers={"Authorization": f"Bearer {secret}"}, timeout=120).status_code == 200
    page.get_by_role("button", name="Revoke").click()
    expect(page.get_by_role("heading", name="Revoke the key ci?")).to_be_visible()
    page.get_by_role("button", name="Revoke it").click()
    expect(page.get_by_role("status")).to_contain_text("no longer works")
    expect(page.get_by_text("revoked", exact=True)).to_be_visible()
    assert httpx.get(f"{queue}/records", headers={"Authorization": f"Bearer {secret}"}, timeout=120).status_code == 401
    page.goto(f"{queue}/ui/audit")
    expect(page.get_by_text("make key")).to_be_visible()
