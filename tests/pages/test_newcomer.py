"""A newcomer's path, in a real browser: from the empty page to a what-if, without a manual."""

from __future__ import annotations

import re

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from witnessmark.settings import Settings

from .conftest import serving


@pytest.fixture
def empty(pool, tmp_path):
    with serving(Settings(store=f"sqlite:///{tmp_path}/new.db"), pool) as base:
        yield base


def rate(page):
    """What the overview says about overrides: so many of so many."""
    tile = page.locator(".tile", has=page.get_by_text("Override rate", exact=True))
    found = re.search(r"(\d+) of (\d+)", tile.inner_text())
    assert found is not None
    return tuple(map(int, found.groups()))


def test_from_the_empty_page_to_a_what_if(page, empty):
    page.goto(empty)
    expect(page.get_by_role("heading", name="Start here")).to_be_visible()
    expect(page.locator("code", has_text="witnessmark verify")).to_contain_text("--store sqlite:///")

    page.get_by_role("link", name="Verify a first case").click()
    expect(page.get_by_label("What came out")).to_have_value(re.compile("40 %"))
    page.get_by_role("button", name="Verify", exact=True).click()

    expect(page.locator(".claim.contradicted").first).to_be_visible()
    page.wait_for_load_state("load")
    assert "40 %" in "".join(page.locator(".said .claim.contradicted").all_inner_texts())
    assert "14 %" in page.locator("mark.place.contradicted").first.inner_text()
    record = page.url

    page.goto(empty)
    before = rate(page)
    assert before == (0, 1)
    page.goto(record)
    override = page.locator("section", has=page.get_by_role("heading", name="Override the verdict"))
    override.get_by_label("pass").check()
    override.get_by_label("Why").fill("The forty is per cent of something else.")
    override.get_by_role("button", name="Override").click()
    expect(page.locator("#later")).to_contain_text("The forty is per cent of something else.")
    expect(page.get_by_text("overridden to pass")).to_be_visible()
    page.goto(empty)
    assert rate(page) == (1, 1)

    page.get_by_role("link", name="Calibration").click()
    expect(page.get_by_text("Nothing calibrated yet")).to_be_visible()
    expect(page.get_by_label("Shipped example data")).to_be_checked()
    page.get_by_role("button", name="Fit", exact=True).click()
    expect(page.get_by_role("heading", name="What if it had been applied?")).to_be_visible()
    expect(page.locator(".promise").first).to_contain_text("at 90% confidence")
    expect(page.locator(".chart canvas").first).to_be_visible()
    page.get_by_role("button", name="Apply shipped@1").click()
    expect(page.get_by_text("its judges are simulated")).to_be_visible()
    page.get_by_role("button", name="Apply shipped@1 now").click()
    expect(page.get_by_role("status")).to_contain_text("is in force from now on")
    expect(page.get_by_text("in force: shipped@1")).to_be_visible()
    page.get_by_role("button", name="Stop applying it").click()
    expect(page.get_by_text("in force:")).to_have_count(0)


def test_a_case_that_is_none_is_told_and_stays_in_the_form(page, empty):
    page.goto(f"{empty}/ui/verify")
    page.get_by_text("Paste the JSON of a case").click()
    page.get_by_label("Case").fill('{"subject": {"kind": "answer", "txt": "?"}}')
    page.get_by_role("button", name="Verify this case").click()
    expect(page.get_by_role("alert")).to_contain_text("subject")
    expect(page.get_by_label("Case")).to_have_value('{"subject": {"kind": "answer", "txt": "?"}}')


def test_sources_can_be_added(page, empty):
    page.goto(f"{empty}/ui/verify")
    page.get_by_label("What came out").fill("The office is in Lyon.")
    page.get_by_role("button", name="Add a source").click()
    page.get_by_label("Source 3").fill("The company opened an office in Lyon.")
    page.get_by_role("button", name="Verify", exact=True).click()
    expect(page.locator(".said .claim.supported")).to_have_count(1)


def test_the_switches_turn_verification_off_and_on(page, empty):
    page.goto(f"{empty}/ui/settings")
    page.get_by_role("switch", name=re.compile("Verification")).click()
    expect(page.get_by_role("heading", name="Switch verification off in workspace default?")).to_be_visible()
    page.get_by_role("link", name="Leave it as it is").click()
    expect(page.locator("#sw-verification")).to_have_text("Verification is on")
    page.get_by_role("switch", name=re.compile("Verification")).click()
    page.get_by_role("button", name="Switch it off").click()
    expect(page.locator("#sw-verification")).to_have_text("Verification is off")
    expect(page.get_by_role("status")).to_contain_text("nothing passes until it is on again")
    case = {"subject": {"kind": "answer", "text": "Yes."}, "evidence": [{"id": "d", "text": "Yes."}]}
    assert httpx.post(f"{empty}/verify", json=case, timeout=120).json()["outcome"] == "unverified"
    page.goto(f"{empty}/ui/verify?example=fine")
    expect(page.get_by_text("Verification is switched off")).to_be_visible()
    page.goto(f"{empty}/ui/settings")
    page.get_by_role("switch", name=re.compile("Verification")).click()
    expect(page.locator("#sw-verification")).to_have_text("Verification is on")


def test_every_empty_page_says_what_to_do_first(page, empty):
    for path in ("/", "/ui/records", "/ui/review", "/ui/calibration", "/ui/experiments"):
        page.goto(empty + path)
        expect(page.locator(".empty .command code").first).to_contain_text("witnessmark")
        assert [
            one["id"] for one in Axe().run(page).response["violations"] if one["impact"] in ("serious", "critical")
        ] == []
