"""What pages say of what was done, found and set: with its date, its source and a word for every term."""

from __future__ import annotations

import asyncio
import re
import time
from html import unescape

import httpx
import pytest

from witnessmark.insight import artifacts, calibration, experiments
from witnessmark.insight.experiments import SetupVerdict
from witnessmark.insight.samples import JudgeSource, Sample
from witnessmark.server.app import create_app
from witnessmark.server.pages.render import ticked
from witnessmark.settings import Settings
from witnessmark.stores import open_store
from witnessmark.testing.records import entry, made, word

HUT = {
    "question": "When does the hut open, and how high is it?",
    "answer": "The hut opens on 1 June. It lies at 2,450 metres.",
    "sources": [
        {"id": "times", "text": "The hut opens on 15 June and closes in October."},
        {"id": "map", "text": "The hut lies at 2,450 metres above the sea."},
    ],
}


PATIENT = {"case_s": 600, "check_s": 600}
SHARED = {}
"""Worker processes that are there already, and time enough for a busy machine."""


@pytest.fixture
def url(tmp_path, pool):
    SHARED.update(pool=pool)
    return f"sqlite:///{tmp_path}/told.db"


def told(url, *steps, **settings):
    """The text of what each step asks for: a path, a method with its path and body, or a function of the answers so far."""
    app = create_app(Settings(store=url, limits=PATIENT, **settings), run_jobs=False, **SHARED)

    async def work():
        answers = []
        async with app.router.lifespan_context(app):
            transport = httpx.ASGITransport(app)
            async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
                for step in steps:
                    given = step(answers) if callable(step) else step
                    method, path, *body = ("GET", given) if isinstance(given, str) else given
                    answers.append(await client.request(method, path, json=body[0] if body else None, timeout=120))
        return answers

    return asyncio.run(work())


def plain(answer):
    """What a reader sees of a page."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", answer.text)).split())


def test_a_contradicted_claim_has_its_line_to_the_source_that_says_otherwise(url):
    _, page = told(url, ("POST", "/verify", HUT), lambda seen: f"/ui/records/{seen[0].json()['id']}")
    graph = page.text[page.text.index('class="graph') : page.text.index("</svg>", page.text.index('class="graph'))]
    boxes = re.findall(r'<g class="node (\w*)"><title>([^<]*)</title><rect x="\d+" y="(\d+)"', graph)
    height = {name: int(y) + 22 for _, name, y in boxes}
    lines = re.findall(r'<path d="M\d+ (\d+) C[^"]* (\d+)"(?: class="(\w+)")?/>', graph)
    assert sorted((int(a), int(b), look) for a, b, look in lines) == sorted(
        [
            (height["The hut opens on 1 June."], height["times"], "against"),
            (height["It lies at 2,450 metres."], height["map"], ""),
        ]
    )
    assert "a red line leads to the source that contradicts it" in page.text
    assert "a dashed line" not in page.text, "no call failed here"


def test_every_override_has_its_date_and_the_last_one_holds(url):
    words = (("pass", "I see no fault"), ("fail", "the date is wrong"))
    _, *_, page = told(
        url,
        ("POST", "/verify", HUT),
        *(
            lambda seen, one=one: (
                "POST",
                f"/records/{seen[0].json()['id']}/override",
                {"outcome": one[0], "reason": one[1]},
            )
            for one in words
        ),
        lambda seen: f"/ui/records/{seen[0].json()['id']}",
    )
    later = page.text[page.text.index('id="later"') :]
    rows = re.findall(r"<tr>(.*?)</tr>", later[: later.index("</section>")])
    assert len(rows) == 2
    assert all('local · <time datetime="20' in row for row in rows)
    assert ["holds" in row for row in rows] == [False, True]


def test_what_was_verified_again_is_not_called_another_first_attempt(url):
    *_, page = told(
        url,
        ("POST", "/verify", HUT),
        lambda seen: ("POST", f"/records/{seen[0].json()['id']}/reverify"),
        lambda seen: f"/ui/records/{seen[1].json()['id']}",
    )
    assert re.findall(r">(attempt \d[^<]*)", page.text) == [
        "attempt 1",
        "attempt 1, verified again",
    ]


def test_after_a_purge_the_pages_say_that_content_was_removed_by_whom_and_when(url):
    first, *_, empty, records, _, full = told(
        url,
        "/",
        ("POST", "/verify", HUT),
        ("DELETE", "/workspaces/default/records"),
        "/",
        "/ui/records",
        ("POST", "/verify", HUT),
        "/",
    )
    assert "Content was removed" not in first.text
    assert "Welcome" in first.text
    for page in (empty, full):
        assert re.search(r"Content was removed: 1 record, just now , by local\.", plain(page))
        assert '<a href="/ui/audit">Audit log</a>' in page.text
    assert "Nothing verified yet" not in empty.text + records.text
    assert "Nothing is kept here now" in records.text


def test_content_that_went_by_its_age_is_told_too_and_stands_in_the_audit_log(url):
    from witnessmark.server.app import swept

    app = create_app(Settings(store=url, service={"retention_days": 30}), run_jobs=False, **SHARED)

    async def work():
        async with app.router.lifespan_context(app):
            await app.state.service.store.append([entry(made(), time.time() - 40 * 86_400)])
            await swept(app.state.service)

    asyncio.run(work())
    page, log = told(url, "/", "/ui/audit")
    assert "1 record, just now , by the retention period." in plain(page)
    assert "retention delete records 1 records" in plain(log)


def test_an_alert_is_a_sentence_with_its_advice_and_a_link_to_what_it_counts(url):
    async def fill():
        store = open_store(url)
        for number in range(40):
            record = made(outcome="fail", action="abort", score=number / 40)
            await store.append([entry(record, time.time() - 3600), word(record, "pass" if number % 2 else "fail")])
        await store.close()

    asyncio.run(fill())
    (page,) = told(url, "/?days=all")
    alert = page.text[page.text.index('class="alert-box') :]
    alert = alert[: alert.index("</section>")]
    assert "The false rejection rate is 50% (n = 40, between 35% and 65%), above the limit of 15%." in alert
    assert "<code>witnessmark calibrate what-if</code>" in alert
    assert "`" not in alert
    assert '<a href="/ui/records?counted=good_stopped">See the good work that was stopped</a>' in alert
    assert "false_rejection_rate" not in alert


def test_commands_in_a_text_are_code_and_nothing_of_it_is_markup():
    assert ticked("run `a <b>` & see") == "run <code>a &lt;b&gt;</code> &amp; see"
    assert ticked("one ` alone <b>") == "one ` alone &lt;b&gt;"


def test_the_settings_page_shows_the_thresholds_in_force_and_nothing_that_is_no_setting(url):
    judges = {"house": {"url": "http://127.0.0.1:9/v1", "model": "stub"}}
    (bare,), (page,) = (
        told(url, "/ui/settings"),
        told(url, "/ui/settings", judges=judges, policy={"pass_threshold": 0.8}),
    )
    rows = {
        name: (value, bool(mark.strip()))
        for name, value, mark in re.findall(
            r"<code>([^<]*)</code></td><td[^>]*>([^<]*)</td><td[^>]*>([^<]*)", page.text
        )
    }
    assert (rows["policy.pass_threshold"], rows["policy.retry_threshold"]) == (("0.8", True), ("0.5", False))
    assert rows["policy.revise_with"] == ("retry; correct in answer", False)
    assert rows["judges.house.model"] == ("stub", True)
    assert not rows.keys() & {"judges.model", "probes.run", "workspaces.policy"}
    assert "judges.model" not in bare.text


def test_terms_of_statistics_are_explained_where_they_stand(demo):
    httpx.post(f"{demo}/ui/calibration/fit", data={"data": "shipped"}, headers={"origin": demo}, timeout=120)
    fitted, compared = (
        plain(httpx.get(f"{demo}{path}", timeout=120)) for path in ("/ui/calibration", "/ui/experiments")
    )
    for term in (
        "AUROC how often",
        "Point-biserial correlation how",
        "Cohen's kappa how",
        "Brier score the",
        "isotonic: steps",
    ):
        assert term in fitted
    assert "agreement beyond chance" in compared
    assert "the probability of a difference this large by chance alone" in compared


def test_a_case_without_an_id_has_one_number_in_its_job_and_on_its_own_page(tmp_path, pool):
    from .conftest import serving

    with (
        serving(Settings(store=f"sqlite:///{tmp_path}/job.db"), pool) as base,
        httpx.Client(base_url=base, timeout=120) as client,
    ):
        job = client.post("/verify-batch", json={"cases": [HUT]}).json()["id"]
        while client.get(f"/jobs/{job}").json()["state"] == "open":
            time.sleep(0.05)
        link, name = re.findall(r'<a href="(/ui/records/\w+)">([^<]*)</a>', client.get(f"/ui/jobs/{job}").text)[0]
        page = client.get(link).text
    assert re.search(r"<h1[^>]*>([^<]*)</h1>", page).group(1) == name
    assert re.search(r"<title>(.*) · Witnessmark</title>", page).group(1) == name


def sent(url, path, **fields):
    """The page that a form leads to, sent from a page of ours."""
    app = create_app(Settings(store=url, limits=PATIENT), run_jobs=False, **SHARED)

    async def work():
        async with app.router.lifespan_context(app):
            transport = httpx.ASGITransport(app)
            async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
                return await client.post(path, data=fields, headers={"origin": "http://127.0.0.1"}, timeout=120)

    return asyncio.run(work())


def test_an_empty_form_is_told_by_the_label_of_its_field(url):
    page = sent(url, "/ui/verify", **{"as": "fields", "answer": " "})
    assert page.status_code == 422
    assert "Not a case yet. What came out: paste what the agent answered" in plain(page)
    assert '<label for="answer">What came out<' in page.text


def test_too_few_outcomes_make_no_calibration_to_apply(url):
    told(
        url,
        ("POST", "/verify", HUT),
        lambda seen: ("POST", f"/records/{seen[0].json()['id']}/outcome", {"outcome": "fail"}),
    )
    page = sent(url, "/ui/calibration/fit", data="workspace")
    assert page.status_code == 422
    assert "outcomes: 1 known so far, and a calibration needs at least 100" in plain(page)
    (shown,) = told(url, "/ui/calibration")
    assert '<input type="radio" name="data" value="workspace" disabled>' in shown.text
    assert "Apply" not in shown.text


def test_one_of_a_thing_is_told_as_one_and_what_cannot_be_applied_changes_nothing(url):
    async def kept():
        store = open_store(url)
        source = JudgeSource(check="rubric", version="1", judge="demo/judge")
        one = Sample(source=source, status="pass", score=0.9, confidence=0.7, good=True)
        await artifacts.keep(store, calibration.fit([one], name="small"))
        seen = [SetupVerdict(case="c1", outcome="pass", action="accept", score=1.0)]
        await experiments.keep(store, experiments.compare(seen, seen))
        await store.close()

    asyncio.run(kept())
    fitted, compared = (plain(page) for page in told(url, "/ui/calibration", "/ui/experiments"))
    assert "(0 labels; at least 100 needed)" in fitted
    assert "1 sample ·" in fitted
    assert "Nothing to apply: every source has too few outcomes." in fitted
    assert "refer to it" not in fitted
    assert "1 case ·" in compared


@pytest.mark.parametrize(
    ("path", "back"),
    [
        ("/ui/keys", ("/ui/keys", "“Keys”")),
        ("/ui/calibration/fit", ("/ui/calibration", "“Calibration”")),
        ("/ui/keys/none/revoke", ("/ui/keys", "“Keys”")),
        (f"/ui/records/{'0' * 64}/override", (f"/ui/records/{'0' * 64}", "the record")),
    ],
)
def test_what_did_not_work_leads_back_to_where_it_was_asked_for(url, path, back):
    page = sent(url, path, sure="yes", outcome="", name="")
    assert page.status_code in (404, 422)
    assert f'<a class="button" href="{back[0]}">Back to {back[1]}</a>' in page.text
