"""What the pages are made of, without a browser: cut texts, drawn charts, laid-out graphs, numbers in words, lists."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import get_args, get_type_hints

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from tools.demo_store import fill

from witnessmark.core.case import Case
from witnessmark.core.errors import InputError
from witnessmark.core.record import Record, standing
from witnessmark.core.verdict import Claim, EvidenceRef
from witnessmark.insight import review
from witnessmark.insight.overview import Overview, OverviewPoint, Share
from witnessmark.server.app import create_app
from witnessmark.server.auth import keys
from witnessmark.server.pages import charts, render
from witnessmark.server.pages.claim_graph import drawing
from witnessmark.server.pages.comments import comments, remark
from witnessmark.server.pages.marks import view
from witnessmark.server.pages.overview import context
from witnessmark.server.pages.record import LATER
from witnessmark.server.pages.settings import flat
from witnessmark.server.pages.verify import EXAMPLES
from witnessmark.settings import Settings
from witnessmark.stores import browse, open_store
from witnessmark.testing.records import entry, made
from witnessmark.verifier import Verifier


@settings(deadline=None)
@given(st.text(max_size=60), st.lists(st.tuples(st.integers(0, 70), st.integers(0, 70)), max_size=5))
def test_a_text_cut_at_its_claims_is_still_the_text(text, spans):
    case = Case(subject={"kind": "answer", "text": text}, evidence=[{"id": "d", "text": text}])
    verifier = Verifier(Settings())
    record = asyncio.run(verifier.evaluate(case)).record
    claims = tuple(
        Claim(
            text="c", status="supported", span=(min(s), max(s)), evidence=(EvidenceRef(id="d", span=(min(s), max(s))),)
        )
        for s in spans
    )
    seen = view(replace(record, claims=claims), case)
    if seen is None:
        assert not claims
        return
    assert "".join(piece.text for piece in seen.response) == text
    firsts = [number for piece in seen.response for number in piece.first]
    assert len(firsts) == len(set(firsts))


def test_days_without_a_run_are_drawn_empty():
    day = 86_400
    points = (OverviewPoint(at=day, outcomes={"pass": 2}), OverviewPoint(at=3 * day, outcomes={"fail": 1}))
    drawn = charts.over_time(points, "outcomes")
    assert drawn["x"] == [day, 2 * day, 3 * day]
    assert drawn["series"] == [{"name": "pass", "y": [2, 0, 0]}, {"name": "fail", "y": [0, 0, 1]}]
    assert charts.over_time((), "outcomes") == {"kind": "stack", "x": [], "series": []}


def test_the_split_adds_up_whatever_the_actions():
    parts = charts.split({"accept": 6, "retry": 2, "correct": 1, "abort": 1, "warn": 1, "escalate": 1})
    assert {part.name: part.n for part in parts} == {"used": 7, "sent_back": 3, "given_up": 1, "person": 1}
    assert sum(part.share for part in parts) == pytest.approx(1)


def test_what_is_expected_is_said_from_enough_cases_only():
    few = charts.expected((Share(name="0", n=3, share=1.0, low=0.6, high=0.7),))
    many = charts.expected((Share(name="0", n=70, share=0.704, low=0.6, high=0.7), Share(name="1", n=30, share=0.3)))
    assert few[0]["within"] is None
    assert many[0]["within"] is True
    assert many[1]["within"] is None


def test_an_empty_overview_is_drawn():
    page = render.text_of("_overview.html", **context(Overview(workspace="w", since=None, until=None)))
    assert "Nothing yet" in page


def test_the_graph_leads_from_claims_to_what_they_rest_on():
    case = Case.from_dict(EXAMPLES["synthesis"][1])
    record = asyncio.run(Verifier(Settings()).evaluate(case)).record
    drawn = drawing(case, record)
    assert [head for _, head in drawn.heads] == ["Claim", "Source", "Tool call", "Subgoal"]
    failed = [box for box in drawn.boxes if box.note == "failed"]
    assert [box.full for box in failed] == ["t3"]
    assert any(line.look == "bad" for line in drawn.lines)
    assert drawing(None, record) is None


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_are_cases(name):
    case = Case.from_dict(EXAMPLES[name][1])
    assert asyncio.run(Verifier(Settings()).evaluate(case)).record.outcome


@pytest.fixture
def store(tmp_path):
    return f"sqlite:///{tmp_path}/b.db"


def test_a_list_is_paged_without_gaps_and_without_repeats(store):
    async def work():
        kept = open_store(store)
        made = await fill(kept, days=3)
        seen, after = [], ""
        while True:
            page, more = await browse.lines(kept, browse.Filter("default"), after, 7)
            seen += [line.id for line in page]
            if not more:
                break
            after = page[-1].cursor
        other, _ = await browse.lines(kept, browse.Filter("elsewhere"))
        waiting, _ = await browse.lines(kept, browse.Filter("default", waiting=True), limit=200)
        assert await browse.waiting(kept, "default") == len(waiting)
        if waiting:
            await review.override(kept, waiting[0].id, outcome="pass", reason="looked at")
            assert await browse.waiting(kept, "default") == len(waiting) - 1
        await kept.close()
        return made, seen, other

    made, seen, other = asyncio.run(work())
    assert len(seen) == len(set(seen))
    assert 0 < len(seen) <= made
    assert other == []


@pytest.mark.parametrize("text", ["100%_!", "'; DROP TABLE records; --", "\x00", "ÄÖ"])
def test_a_search_takes_any_text(store, text):
    async def work():
        kept = open_store(store)
        verifier = Verifier(Settings(), store=kept)
        await verifier.verify(Case(id="with 100%_! in it", subject={"kind": "answer", "text": "a"}))
        found, _ = await browse.lines(kept, browse.Filter("default", text=text))
        await kept.close()
        return found

    assert len(asyncio.run(work())) == (1 if text == "100%_!" else 0)


def test_the_demo_is_the_same_every_time(tmp_path):
    async def ids(name):
        kept = open_store(f"sqlite:///{tmp_path}/{name}.db")
        await fill(kept, days=2, now=1_700_000_000.0)
        found, _ = await browse.lines(kept, browse.Filter("default"), limit=200)
        await kept.close()
        return [(line.id, line.at) for line in found]

    assert asyncio.run(ids("a")) == asyncio.run(ids("b"))


def test_remarks_are_kept_by_workspace_and_bounded(store):
    async def work():
        kept = open_store(store)
        await remark(kept, "w", "r", "ana", "  first ")
        await remark(kept, "w", "r", "ana", "second")
        for text in ("", " ", "x" * 5_000):
            with pytest.raises(InputError, match="comment"):
                await remark(kept, "w", "r", "ana", text)
        found = [one.text for one in await comments(kept, "w", "r")], await comments(kept, "other", "r")
        await kept.close()
        return found

    assert asyncio.run(work()) == (["first", "second"], ())


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_remarks_made_at_the_same_time_are_all_kept(kind, store, request):
    url = store if kind == "sqlite" else request.getfixturevalue("postgres_url")
    texts = [f"remark {n}" for n in range(20)]

    async def work():
        kept = open_store(url), open_store(url)
        await asyncio.gather(*(remark(kept[n % 2], "w", "r", "ana", text) for n, text in enumerate(texts)))
        found = [one.text for one in await comments(kept[0], "w", "r")]
        for each in kept:
            await each.close()
        return found

    assert sorted(asyncio.run(work())) == sorted(texts)


def test_remarks_go_with_the_record_they_are_about(store):
    async def work():
        kept = open_store(store)
        verifier = Verifier(Settings(), store=kept)
        gone = await verifier.verify(Case(id="gone", subject={"kind": "answer", "text": "a"}))
        await remark(kept, "default", gone.id, "ana", "names a person")
        other = await Verifier(Settings(), store=kept, workspace="b").verify(
            Case(id="stays", subject={"kind": "answer", "text": "b"})
        )
        await remark(kept, "b", other.id, "ana", "stays")
        await kept.purge(workspace="default")
        found = await comments(kept, "default", gone.id), len(await comments(kept, "b", other.id))
        await kept.close()
        return found

    assert asyncio.run(work()) == ((), 1)


def test_no_password_and_no_secret_is_shown():
    shown = dict(flat({"store": "postgresql://me:hunter2@host/db", "a": {"api_key": "k", "token": "t", "tokens": 5}}))
    assert shown == {
        "store": "postgresql://me:…@host/db",
        "a.api_key": "set, not shown",
        "a.token": "set, not shown",
        "a.tokens": "5",
    }


@pytest.mark.parametrize(
    ("value", "told"),
    [(None, "unknown"), (0.0, "$0.00"), (12.345, "$12.35"), (0.41, "$0.41"), (0.0021, "$0.0021"), (1e-6, "$1e-06")],
)
def test_dollars(value, told):
    assert render.usd(value) == told


@pytest.mark.parametrize(
    ("number", "told"),
    [(0, "0"), (999, "999"), (1234, "1\u202f234"), (12_345, "12.3 k"), (1.5e6, "1.5 M"), (2e9, "2.0 G")],
)
def test_counts(number, told):
    assert render.compact(number) == told


def test_inline_files_never_hold_their_own_end():
    with pytest.raises(ValueError, match="end tag"):
        render.inline("style", "witnessmark.css", more="</style>")


def test_a_page_has_words_for_whatever_was_said_later():
    assert set(LATER) == set(get_args(get_type_hints(Record)["kind"])) - {"verification"}


def test_the_page_of_an_attempt_says_how_its_loop_ended(tmp_path):
    case = Case(
        goal="Name a fruit",
        subject={"kind": "task_output", "text": ""},
        criteria=[{"check": "contains_keywords", "value": ["apples"]}],
    )
    app = create_app(Settings(store=f"sqlite:///{tmp_path}/loop.db"), run_jobs=False)

    async def work():
        async with app.router.lifespan_context(app):
            made = await app.state.service.verifier("default").revise(lambda _: "pears", case)
            assert made.ending.parent == made.record.id
            transport = httpx.ASGITransport(app)
            async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
                return await client.get(f"/ui/records/{made.record.id}")

    shown = asyncio.run(work())
    assert (shown.status_code, "the loop ended with" in shown.text) == (200, True)


def test_the_page_says_nothing_of_an_override_that_was_taken_back(tmp_path):
    case = Case(subject={"kind": "task_output", "text": "300"}, criteria=[{"check": "contains", "value": "300"}])
    app = create_app(Settings(store=f"sqlite:///{tmp_path}/undone.db"), run_jobs=False)

    async def work():
        async with app.router.lifespan_context(app):
            verifier = app.state.service.verifier("default")
            record = await verifier.verify(case)
            shown = []
            transport = httpx.ASGITransport(app)
            async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
                await review.override(verifier.store, record.id, outcome="fail", reason="wrong")
                shown.append((await client.get(f"/ui/records/{record.id}")).text)
                await review.undo(verifier.store, record.id)
                shown.append((await client.get(f"/ui/records/{record.id}")).text)
            return shown

    overridden, undone = asyncio.run(work())
    chip = '<span class="chip">overridden to'
    assert (chip in overridden, chip in undone) == (True, False)


def test_whoever_takes_back_a_decision_takes_back_their_own(tmp_path):
    case = Case(subject={"kind": "task_output", "text": "300"}, criteria=[{"check": "contains", "value": "300"}])
    app = create_app(Settings(store=f"sqlite:///{tmp_path}/two.db"), run_jobs=False)

    async def work():
        async with app.router.lifespan_context(app):
            store = app.state.service.store
            bearers = {}
            for name in ("ann", "ben"):
                secret, _ = await keys.create(store, workspace="default", role="review", name=name)
                bearers[name] = {"Authorization": f"Bearer {secret}"}
            record = await app.state.service.verifier("default").verify(case)
            transport = httpx.ASGITransport(app)
            async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:

                async def sent(who, path, **form):
                    return await client.post(f"/ui/review/{path}", data=form, headers=bearers[who])

                await sent("ann", record.id, decision="good")
                await sent("ben", record.id, decision="bad", comment="it should be 400")
                refused = await sent("ann", "undo", ids=record.id)
                held = await standing(store, record.id)
                taken_back = await sent("ben", "undo", ids=record.id)
            return refused, held.because, taken_back, (await standing(store, record.id)).kind

    refused, because, taken_back, left = asyncio.run(work())
    assert (refused.status_code, "ben has decided on it since" in refused.text) == (422, True)
    assert (because, taken_back.status_code, left) == ("it should be 400", 303, "verification")


def pages_of(tmp_path, entries, *paths):
    """The pages of a service that holds these records."""
    app = create_app(Settings(store=f"sqlite:///{tmp_path}/pages.db"), run_jobs=False)

    async def work():
        async with app.router.lifespan_context(app):
            await app.state.service.store.append(entries)
            async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1") as client:
                return [await client.get(path) for path in paths]

    return asyncio.run(work())


@pytest.mark.parametrize(
    ("costs", "shown", "without"),
    [
        ([None, None], "unknown", "without 2 runs of unknown cost"),
        ([None, 0.5], "$0.50", "without 1 run of unknown cost"),
        ([0.0], "$0.00", None),
    ],
)
def test_what_verifying_cost_is_not_nothing_where_it_is_unknown(tmp_path, costs, shown, without):
    entries = [entry(made(), cost_usd=cost, judge_calls=1, work_usd=2.0) for cost in costs]
    (page,) = pages_of(tmp_path, entries, "/?days=all")
    tile = re.search(r"<dt>Cost of verifying</dt>.*?</div>", page.text, re.DOTALL).group()
    assert f">{shown}</a></dd>" in tile
    assert f">${2 * len(costs):.2f}</a>" in tile, "what the work cost is known"
    assert re.findall(r"without \d+ runs? of unknown cost", tile) == ([without] if without else [])


def test_the_page_of_an_attempt_is_there_where_the_one_before_it_was_never_kept(tmp_path):
    record = made(case_id="second", attempt=2, parent="ab" * 32)
    (page,) = pages_of(tmp_path, [entry(record)], f"/ui/records/{record.id}")
    assert (page.status_code, page.text.count('class="step"')) == (200, 1)


def test_a_page_is_named_in_its_module_its_template_and_the_routes_and_nowhere_else():
    """Who adds a page changes three files of the package; the menu is made of the routes."""
    folder = Path(render.__file__).parent
    files = [file for kind in ("*.py", "*.html") for file in folder.rglob(kind)]
    naming = {
        file.relative_to(folder).as_posix() for file in files if "experiments" in file.read_text(encoding="utf-8")
    }
    assert naming == {"experiments.py", "templates/experiments.html", "routes.py"}
