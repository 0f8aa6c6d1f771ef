"""The documentation site builds strictly and offline, loads nothing from elsewhere, and no link on it is broken."""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).resolve().parents[2]
ASSETS = {"script": "src", "img": "src", "iframe": "src", "source": "src", "object": "data"}
LOADED = {"stylesheet", "icon", "preload", "preconnect", "dns-prefetch", "manifest", "modulepreload"}


class Page(HTMLParser):
    """What a page loads, links to and can be linked to at."""

    def __init__(self, text):
        super().__init__()
        self.assets, self.links, self.ids, self.text = [], [], set(), text
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.ids |= {found[key] for key in ("id", "name") if found.get(key)}
        if tag in ASSETS and found.get(ASSETS[tag]):
            self.assets.append(found[ASSETS[tag]])
        if tag == "link" and LOADED & set((found.get("rel") or "").split()):
            self.assets.append(found.get("href") or "")
        if tag == "a" and found.get("href"):
            self.links.append(found["href"])


@pytest.fixture(scope="module")
def pages(site):
    return {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}


def outside(address):
    return bool(urlsplit(address).netloc)


def test_every_page_of_the_documentation_is_on_the_site_and_in_its_menu(site, pages):
    menu = {unquote(urlsplit(link).path) for link in pages[site / "index.html"].links}
    for source in sorted((ROOT / "docs").glob("*.md")):
        assert (site / f"{source.stem}.html").is_file(), source.name
        assert f"{source.stem}.html" in menu, source.name


def test_no_page_loads_anything_from_another_host(site, pages):
    loaded = [f"{path.name}: {asset}" for path, page in pages.items() for asset in page.assets if outside(asset)]
    styles = [
        f"{path.name}: {url}"
        for path in [*site.rglob("*.css"), *pages]
        for url in re.findall(r"(?:url\(|@import )[\"']?((?:https?:)?//[^\"')]+)", path.read_text(encoding="utf-8"))
    ]
    assert (loaded, styles) == ([], [])
    # The theme's script fetches a drawing library for such blocks only; there are none.
    assert not [path.name for path, page in pages.items() if 'class="mermaid"' in page.text]


def test_no_link_between_pages_is_broken_not_even_to_a_heading(site, pages):
    broken = []
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc or path.name == "404.html":
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            if not target.is_file() or (
                parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].ids | {"__top"}
            ):
                broken.append(f"{path.name}: {link}")
    assert broken == []


def test_the_reference_is_made_of_the_docstrings_and_the_commands_are_the_real_ones(pages, site):
    reference = pages[site / "api.html"]
    assert {
        "witnessmark.verifier.Verifier",
        "witnessmark.core.case.Case",
        "witnessmark.core.record.Record",
    } <= reference.ids
    assert "Verifies cases. Safe to share between tasks" in reference.text
    commands = pages[site / "commands.html"]
    assert {"witnessmark-verify", "witnessmark-records-audit", "witnessmark-doctor"} <= commands.ids


def test_the_map_leaves_out_what_is_not_there_and_finds_what_nobody_named(tmp_path):
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        import docs_nav
    finally:
        sys.path.remove(str(ROOT / "tools"))
    for name in ("index.md", "a.md", "new.md"):
        (tmp_path / name).write_text("# T", encoding="utf-8")
    nav = ["index.md", {"Section": [{"A": "a.md"}, {"B": "b.md"}]}, {"Empty": [{"C": "c.md"}]}]
    made = docs_nav.on_config({"docs_dir": str(tmp_path), "nav": nav})["nav"]
    assert made == ["index.md", {"Section": [{"A": "a.md"}]}, {"More": ["new.md"]}]
