"""Every figure of the overview links to exactly the records it counts."""

from __future__ import annotations

import asyncio
import re
import time
from html import unescape

import httpx
import pytest

from witnessmark.core.record import ResultRecord
from witnessmark.core.verdict import Finding
from witnessmark.settings import Settings
from witnessmark.stores import open_store
from witnessmark.testing.records import entry, made, word

from .conftest import serving

DAY = 86_400.0
DOLLARS = {"Verification cost share", "Verification return", "Cost per verification"}
SUMS = {"Mean score"}


def work(now):
    """Work of every kind that is counted: good and bad, stopped and let through, retried, judged, run again, long ago."""
    at = now - 3 * DAY
    judged = ResultRecord(node="n", check="c", version="1", status="pass", judge="j/1")
    entries = []
    for number, (outcome, action) in enumerate(
        [("pass", "accept"), ("partial", "warn"), ("fail", "retry"), ("fail", "abort"), ("unverified", "escalate")] * 3
    ):
        record = made(
            outcome=outcome, action=action, score=number / 15, checkpoint=("answer", "synthesis", "task")[number % 3]
        )
        entries.append(
            entry(record, at, agent="a" * 130 if number % 2 else "b", complexity="SIMPLE" if number % 4 else "HIGH")
        )
        if number % 5 < 4:
            entries.append(word(record, "pass" if number % 2 else "fail", at=at + 60))
        if number % 3 == 0:
            entries.append(word(record, ("pass", "fail", "partial")[number % 4 % 3], "override", at=at + 90))
    for action, category in (
        ("correct", "unsupported_claim"),
        ("retry", "criterion_unmet"),
        ("switch", "unsupported_claim"),
    ):
        first = made(outcome="fail", action=action, checkpoint="answer", categories=(category,), score=0.7)
        second = made(outcome="pass", checkpoint="answer", attempt=2, parent=first.id, results=(judged,), score=0.9)
        entries += [entry(first, at), entry(second, at + 5, judge_calls=1, cost_usd=0.02, work_usd=0.3)]
    info = Finding(message="m\x00", category="unsupported_claim", severity="info")
    entries.append(entry(made(findings=(info,)), at))
    entries.append(entry(made(), at, runs=3))
    again, gone = made(), made(outcome="fail", action="abort")
    entries += [entry(again, now - 60 * DAY), entry(again, at), entry(gone, now - 60 * DAY), word(gone, "fail", at=at)]
    return entries


@pytest.fixture(scope="module")
def base(pool, tmp_path_factory):
    url = f"sqlite:///{tmp_path_factory.mktemp('figures')}/f.db"

    async def fill():
        store = open_store(url)
        for one in work(time.time()):
            await store.append([one])
        await store.close()

    asyncio.run(fill())
    with serving(Settings(store=url), pool) as address:
        yield address


def listed(base, link):
    """How many records a list shows over all its pages, and how many runs of them."""
    records, runs, at = 0, 0, unescape(link)
    while at:
        text = httpx.get(f"{base}{at}").text
        rows = text.split('class="rowlink"')[1:]
        records += len(rows)
        runs += sum(int(more.group(1)) if (more := re.search(r"(\d+) runs</span>", row)) else 1 for row in rows)
        older = re.search(r'href="(\?[^"]+)">Older', text)
        at = f"/ui/records{unescape(older.group(1))}" if older else ""
    return records, runs


def behind(base, link):
    """What a figure with this link should say: runs of a period are counted as runs, what is known of work once."""
    records, runs = listed(base, link)
    return runs if "ran=" in link else records


@pytest.fixture(scope="module")
def overview(base):
    return httpx.get(f"{base}/?days=30").text


def test_each_numerator_and_each_denominator_has_its_own_list(base, overview):
    row = r'<tr><th scope="row">([^<]+)</th>.*?<td class="num"><a href="([^"]+)">([^<]+)</a> / <a href="([^"]+)">([^<]+)</a></td>'
    found = re.findall(row, overview)
    assert len(found) == 21
    counted = {}
    for name, above, numerator, below, denominator in found:
        if name in DOLLARS:
            assert listed(base, above)[0] > 0, name
            assert listed(base, below)[0] > 0, name
            continue
        counted[name] = int(denominator)
        assert behind(base, below) == int(denominator), name
        if name not in SUMS:
            assert behind(base, above) == int(numerator), name
    assert min(counted.values()) > 0, "a figure of nothing shows nothing"


def test_each_bar_has_its_own_list(base, overview):
    bar = r'<li><span class="label"><a href="([^"]+)">([^<]+)</a>.*?<span class="figure">(.*?)</li>'
    found = re.findall(bar, overview)
    assert {link.partition("=")[0].partition("?")[2] for link, _, _ in found} == {"ran", "since"}
    for link, label, shown in found:
        text = re.sub(r"<[^>]+>", "", shown)
        number = re.search(r"n (\d+)", text) or re.match(r"\s*(\d+)", text)
        assert behind(base, link) == int(number.group(1)), (label, link)
    labels = {label for _, label, _ in found}
    assert labels >= {
        "simple",
        "unsupported claim",
        "criterion unmet",
        "answer",
        "a" * 120,
        "j/1",
    }


def test_what_was_done_next_and_what_came_out_have_their_lists(base, overview):
    found = re.findall(r'<a href="([^"]+)">(\d+)</a></td><td class="num">', overview)
    found += re.findall(r'<a href="(/ui/records\?ran=[^"]+outcome=\w+)">(\d+) \w+</a>', overview)
    found += re.findall(r'<dd class="value"><a href="([^"]+)">(\d+)</a>', overview)
    assert len(found) == 9
    for link, number in found:
        assert behind(base, link) == int(number), link


@pytest.mark.parametrize("query", ["score_from=high", "ran=yesterday"])
def test_a_filter_that_cannot_be_read_is_told(base, query):
    answer = httpx.get(f"{base}/ui/records?{query}")
    assert (answer.status_code, query.partition("=")[0] in answer.text) == (422, True)


def test_a_list_says_what_it_is_narrowed_to(base):
    text = httpx.get(f"{base}/ui/records?counted=bad_stopped").text
    assert "only bad work that was stopped" in text
    unknown = httpx.get(f"{base}/ui/records?counted=nonsense").text
    assert "does not exist: nonsense" in unknown
    assert 'class="rowlink"' not in unknown
