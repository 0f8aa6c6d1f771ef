"""With keys: the door, what a role may, and that no page shows another workspace's records."""

from __future__ import annotations

import re

import httpx
import pytest
from playwright.sync_api import expect

from witnessmark.core.case import Case
from witnessmark.server.auth import keys
from witnessmark.settings import Settings
from witnessmark.stores import open_store
from witnessmark.verifier import Verifier

from .conftest import elsewhere, serving


@pytest.fixture(scope="module")
def locked(pool, tmp_path_factory):
    """A service with keys: somebody who verifies in `a`, an admin of `b`, and a record in each."""
    url = f"sqlite:///{tmp_path_factory.mktemp('keys')}/k.db"

    async def work():
        store = open_store(url)
        made = {}
        for name, workspace, role in (("ana", "a", "verify"), ("bo", "b", "admin")):
            made[name] = (await keys.create(store, name=name, workspace=workspace, role=role))[0]
            case = Case(
                id=f"secret-of-{workspace}", checkpoint="goal", goal="g", subject={"kind": "answer", "text": "x"}
            )
            record = await Verifier(Settings(), store=store, workspace=workspace).verify(case)
            made[workspace] = record.id
        await store.close()
        return made

    made = elsewhere(work)
    with serving(Settings(store=url, service={"require_key": True}), pool) as base:
        yield base, made


def signed_in(page, base, key):
    page.goto(f"{base}/ui/records")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    page.get_by_label("API key").fill(key)
    page.get_by_role("button", name="Sign in").click()


def test_a_wrong_key_is_told_and_a_right_one_leads_to_where_one_wanted(page, locked):
    base, made = locked
    signed_in(page, base, "wm_wrong")
    expect(page.get_by_role("alert")).to_contain_text("is not valid")
    page.get_by_label("API key").fill(made["ana"])
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Records", level=1)).to_be_visible()


def test_no_page_shows_another_workspaces_records(page, locked):
    base, made = locked
    signed_in(page, base, made["ana"])
    for path in ("/", "/ui/records", "/ui/review", "/ui/calibration", "/ui/experiments", "/ui/settings"):
        page.goto(base + path)
        assert "secret-of-b" not in page.content(), path
    page.goto(f"{base}/ui/records")
    expect(page.get_by_role("link", name="secret-of-a")).to_be_visible()
    assert page.goto(f"{base}/ui/records/{made['b']}").status == 404
    assert "secret-of-b" not in page.content()


def test_a_role_sees_no_form_it_may_not_send_and_may_not_send_it_either(page, locked):
    base, made = locked
    signed_in(page, base, made["ana"])
    page.goto(f"{base}/ui/records/{made['a']}")
    expect(page.get_by_role("heading", name="Override the verdict")).to_have_count(0)
    page.goto(f"{base}/ui/settings")
    expect(page.get_by_role("switch", name=re.compile("Verification"))).to_be_disabled()
    bearer = {"authorization": f"Bearer {made['ana']}"}
    for path, sent in (
        (f"/ui/records/{made['a']}/override", {"outcome": "pass", "reason": "r"}),
        (f"/ui/review/{made['a']}", {"decision": "accept"}),
        ("/ui/settings/switch", {"switch": "verification", "to": "off"}),
        ("/ui/calibration/fit", {"data": "shipped"}),
    ):
        assert httpx.post(base + path, data=sent, headers=bearer, timeout=120).status_code == 403, path


def test_whoever_signed_in_can_sign_out(page, locked):
    base, made = locked
    signed_in(page, base, made["ana"])
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    page.goto(f"{base}/ui/records")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


def test_whoever_revokes_the_key_they_came_with_is_asked_and_told(page, locked):
    base, made = locked
    bo = {"authorization": f"Bearer {made['bo']}"}
    made_now = httpx.post(f"{base}/keys", json={"name": "cy", "role": "admin"}, headers=bo, timeout=120).json()
    signed_in(page, base, made_now["key"])
    page.goto(f"{base}/ui/keys")
    page.get_by_role("row", name="cy").get_by_role("button", name="Revoke").click()
    page.get_by_role("button", name="Revoke it").click()
    expect(page.get_by_role("alert")).to_contain_text("The key that you signed in with is revoked")


def test_revoking_the_last_admin_key_is_called_what_it_is(page, locked):
    base, made = locked
    signed_in(page, base, made["bo"])
    page.goto(f"{base}/ui/keys")
    page.get_by_role("row", name="bo").get_by_role("button", name="Revoke").click()
    expect(page.get_by_text("the only admin key of this workspace")).to_be_visible()
    page.get_by_role("link", name="Leave it as it is").click()
    assert "Bearer" in page.goto(f"{base}/ui/verify").text(), "what is copied is let in"
    assert "--workspace b" in page.goto(f"{base}/ui/calibration").text()
    assert "sqlite:" not in page.content(), "where the store lies is for whoever runs the service"


def test_a_refusal_is_a_page_to_a_browser_and_json_to_a_program(locked):
    base, made = locked
    bearer = {"authorization": f"Bearer {made['ana']}"}
    browser = bearer | {"accept": "text/html,*/*"}
    for method, path, status, words in (
        ("GET", "/ui/nowhere", 404, "Nothing is served at /ui/nowhere"),
        ("GET", "/ui/keys", 403, "admin"),
        ("POST", "/ui/settings/switch", 403, "admin"),
    ):
        shown = httpx.request(method, base + path, headers=browser, timeout=120)
        assert (shown.status_code, shown.headers["content-type"]) == (status, "text/html; charset=utf-8"), path
        assert words in shown.text, path
        assert "To the overview" in shown.text, path
        told = httpx.request(method, base + path, headers=bearer, timeout=120)
        assert (told.status_code, told.headers["content-type"]) == (status, "application/problem+json"), path
