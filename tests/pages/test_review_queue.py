"""The review queue by keyboard alone."""

from __future__ import annotations

import httpx
import pytest
from playwright.sync_api import expect

from witnessmark.settings import Settings

from .conftest import serving


@pytest.fixture
def queue(tmp_path):
    """Three verdicts that wait: a goal that no judge reads."""
    with serving(Settings(store=f"sqlite:///{tmp_path}/queue.db")) as base:
        for name in ("one", "two", "three"):
            case = {
                "id": name,
                "checkpoint": "goal",
                "goal": "Is it ready?",
                "subject": {"kind": "answer", "text": f"{name} is ready."},
            }
            record = httpx.post(f"{base}/verify", json=case).json()
            assert record["action"] == "escalate"
        yield base


def names(page):
    return [text.strip() for text in page.locator("[data-item] h2").all_inner_texts()]


def test_accept_reject_and_comment_by_keyboard(page, queue):
    page.goto(f"{queue}/ui/review")
    assert names(page) == ["three", "two", "one"]
    page.keyboard.press("j")
    expect(page.locator("[data-item][aria-current=true] h2")).to_have_text("two")
    page.keyboard.press("c")
    page.keyboard.type("Looked at it with Ana: a job for later")
    page.keyboard.press("Escape")
    page.keyboard.press("r")
    expect(page.locator("[data-item]")).to_have_count(2)
    assert names(page) == ["three", "one"]
    page.keyboard.press("j")
    page.keyboard.press("k")
    expect(page.locator("[data-item][aria-current=true] h2")).to_have_text("three")
    page.keyboard.press("a")
    expect(page.locator("[data-item]")).to_have_count(1)
    said = {line["case_id"]: line["outcome"] for line in httpx.get(f"{queue}/records?kind=override").json()["records"]}
    assert said == {"two": "fail", "three": "pass"}
    page.goto(f"{queue}/ui/records?q=two")
    expect(page.get_by_text("overridden: fail")).to_be_visible()
    page.locator("a.rowlink").click()
    expect(page.locator("#later")).to_contain_text("Looked at it with Ana")


def test_a_comment_alone_decides_nothing(page, queue):
    page.goto(f"{queue}/ui/review")
    page.locator("[data-item] textarea").first.fill("Waiting for the supplier.")
    page.get_by_role("button", name="Comment only").first.click()
    expect(page.get_by_text("Waiting for the supplier.")).to_be_visible()
    assert len(names(page)) == 3
