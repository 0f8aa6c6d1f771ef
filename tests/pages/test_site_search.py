"""The documentation's search works on pages opened from a folder, without a server."""

from __future__ import annotations

import os
import subprocess
import sys

from playwright.sync_api import expect


def test_the_search_finds_pages_of_a_site_opened_from_a_folder(page, root, tmp_path):
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(tmp_path / "site")],
        cwd=root, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert built.returncode == 0, built.stderr
    page.goto(f"file://{tmp_path}/site/index.html")
    page.locator("input.md-search__input").click()
    page.keyboard.type("retention")
    expect(page.locator(".md-search-result__meta")).to_contain_text("matching document")
    assert page.locator(".md-search-result__item").count() >= 1
