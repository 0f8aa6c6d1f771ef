"""The documentation's search works on pages opened from a folder, without a server."""

from __future__ import annotations

from playwright.sync_api import expect


def test_the_search_finds_pages_of_a_site_opened_from_a_folder(page, site):
    page.goto(f"file://{site}/index.html")
    page.locator("input.md-search__input").click()
    page.keyboard.type("retention")
    expect(page.locator(".md-search-result__meta")).to_contain_text("matching document")
    expect(page.locator(".md-search-result__item").first).to_be_attached()
