"""Lists that people and programs page through, and what an admin sets: on SQLite and on a real PostgreSQL alike."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from witnessmark.core.case import Case, TaskOutput
from witnessmark.core.errors import InputError
from witnessmark.core.record import ResultRecord
from witnessmark.core.verdict import Finding
from witnessmark.insight.review import override, standing, undo
from witnessmark.stores import browse, workspaces
from witnessmark.stores.browse import Filter
from witnessmark.testing.records import NOON, entry, made, word

from .conftest import on_store as using  # type: ignore[import-not-found]

HOUR = 3_600.0


@pytest.fixture(params=["sqlite", "postgres"])
def url(request, tmp_path) -> str:
    return f"sqlite:///{tmp_path}/r.db" if request.param == "sqlite" else request.getfixturevalue("postgres_url")


def numbered(number: int, **more):
    """A verification, an hour after the one before it."""
    return entry(made(**more), at=NOON + number * HOUR)


def several(count: int, **more):
    return [numbered(number, **more) for number in range(count)]


# --- browsing ----------------------------------------------------------------------------------------------------


def test_a_page_is_newest_first_and_says_whether_more_follows(url):
    async def work(store):
        return await browse.lines(store, Filter("default"), limit=3)

    rows, more = using(url, work, *several(5))
    assert [row.at for row in rows] == [NOON + n * HOUR for n in (4, 3, 2)]
    assert more


def test_pages_go_on_after_the_last_row_shown_and_meet_every_record_once(url):
    async def work(store):
        found, after, more = [], "", True
        while more:
            rows, more = await browse.lines(store, Filter("default"), after, limit=2)
            found += [row.id for row in rows]
            after = rows[-1].cursor
        return found

    entries = several(7)
    assert using(url, work, *entries) == [one.id for one in reversed(entries)]


def test_a_list_stays_put_while_new_records_arrive(url):
    async def work(store):
        rows, _ = await browse.lines(store, Filter("default"), limit=2)
        await store.append([numbered(9)])
        following, _ = await browse.lines(store, Filter("default"), rows[-1].cursor, limit=2)
        return [row.at for row in (*rows, *following)]

    assert using(url, work, *several(4)) == [NOON + n * HOUR for n in (3, 2, 1, 0)]


@pytest.mark.parametrize("limit", [-5, 0, 1])
def test_a_page_holds_at_least_one_row(url, limit):
    async def work(store):
        return await browse.lines(store, Filter("default"), limit=limit)

    rows, more = using(url, work, *several(3))
    assert (len(rows), more) == (1, True)


@pytest.mark.parametrize("cursor", ["nonsense", "1_", "_x", "nan_x", "'; DROP TABLE records; --"])
def test_a_cursor_that_is_none_is_refused_and_breaks_nothing(url, cursor):
    async def work(store):
        with pytest.raises(InputError, match="after"):
            await browse.lines(store, Filter("default"), cursor)
        return (await browse.lines(store, Filter("default")))[0]

    assert len(using(url, work, *several(2))) == 2
    assert browse.place_of(cursor) is None


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({"outcome": "fail"}, 1),
        ({"outcome": "pass"}, 2),
        ({"checkpoint": "answer"}, 1),
        ({"since": NOON + HOUR}, 2),
        ({"until": NOON + HOUR}, 1),
        ({"since": NOON + HOUR, "until": NOON + 2 * HOUR}, 1),
        ({"case_id": "nobody"}, 0),
        ({"kind": "override"}, 0),
        ({"kind": ""}, 3),
        ({"parent": "nobody"}, 0),
        ({"outcome": "no such outcome"}, 0),
        ({"outcome": "pass' OR '1'='1"}, 0),
    ],
)
def test_a_filter_keeps_what_it_names(url, wanted, expected):
    async def work(store):
        return (await browse.lines(store, Filter("default", **wanted)))[0]

    entries = [numbered(0), numbered(1, checkpoint="answer"), numbered(2, outcome="fail")]
    assert len(using(url, work, *entries)) == expected


COUNTED = [
    ({"category": "criterion_unmet"}, 1),
    ({"category": "ours/noted"}, 0),
    ({"judge": "j/1"}, 1),
    ({"counted": "bad_stopped"}, 1),
    ({"counted": "known"}, 1),
    ({"counted": "disagreed"}, 1),
    ({"counted": "later"}, 1),
    ({"counted": "corrected"}, 1),
    ({"counted": "last"}, 3),
    ({"counted": "asked"}, 1),
    ({"retried_after": "criterion_unmet"}, 1),
    ({"score_from": 0.7}, 1),
    ({"score_below": 0.7}, 0),
    ({"ran": NOON + 3 * HOUR}, 1),
    ({"complexity": "MEDIUM", "attempt": 1}, 3),
    ({"agent": "x"}, 0),
    ({"counted": "no such set"}, 0),
]


def test_what_a_figure_counts_is_found(url):
    said = ResultRecord(node="n", check="c", version="1", status="pass", judge="j/1", reason="nul \x00 in a text")
    first = made(outcome="fail", action="correct", categories=("criterion_unmet",))
    second = made(attempt=2, parent=first.id, results=(said,), score=0.7)
    noted = made(findings=(Finding(message="m", category="ours/noted", severity="info"),))
    again = made()
    entries = [
        entry(first), entry(second, judge_calls=1), entry(noted), entry(again), entry(again, NOON + 4 * HOUR),
        word(first, "fail"), word(noted, "partial", "override"),
    ]  # fmt: skip

    async def work(store):
        return [(await browse.lines(store, Filter("default", **wanted)))[0] for wanted, _ in COUNTED]

    for (wanted, expected), found in zip(COUNTED, using(url, work, *entries), strict=True):
        assert len(found) == expected, wanted


@pytest.mark.parametrize("text", ["%", "_", "!", "100%", "\\"])
def test_signs_of_the_search_are_looked_for_as_they_are_written(url, text):
    async def work(store):
        return (await browse.lines(store, Filter("default", text=text)))[0]

    assert using(url, work, *several(2)) == []


TEXT = 'Die ÄRZTE sagten "Óla" in C:\\temp\nund ÉTÉ Σίσυφος.'


@pytest.mark.parametrize(
    "text",
    [
        "ärzte",
        "ÄRZTE",
        "Ärzte sagten",
        'sagten "óla"',
        "C:\\temp",
        "c:\\TEMP\nUND été",
        "σίσυφος",
        "ΣΊΣΥΦΟΣ",
        "befund-über",
        "GRÜNDE",
    ],
)
def test_the_search_knows_the_capitals_of_every_language_and_texts_as_they_are_written(url, text):
    case = Case(subject=TaskOutput(text=TEXT), id="Befund-ÜBER")
    said = ResultRecord(node="n", check="c", version="1", status="fail", reason="aus Gründen")
    one = numbered(0, case_id=case.id, case_digest=case.digest(), outcome="fail", results=(said,))
    found = replace(one, case=case.json())

    async def work(store):
        return (await browse.lines(store, Filter("default", text=text)))[0]

    assert [row.case_id for row in using(url, work, found, numbered(1))] == ["Befund-ÜBER"]


def test_another_workspace_sees_nothing(url):
    async def work(store):
        rows, _ = await browse.lines(store, Filter("other"))
        return rows, await browse.waiting(store, "other"), await browse.any_record(store, "other")

    assert using(url, work, *several(2)) == ([], 0, False)


def test_an_override_is_shown_beside_the_verdict_and_takes_it_out_of_the_queue(url):
    waits = numbered(0, outcome="unverified", action="escalate")

    async def work(store):
        before = await browse.waiting(store, "default")
        await override(store, waits.id, outcome="pass", reason="I read it", by="ann")
        (row,), _ = await browse.lines(store, Filter("default"))
        return before, row.overridden, await browse.waiting(store, "default")

    assert using(url, work, waits) == (1, "pass", 0)


def test_the_newest_word_is_the_last_one_said_also_where_the_clock_went_back(url, monkeypatch):
    first = entry(made(outcome="fail", action="abort"), at=NOON)

    async def work(store):
        for ahead, outcome in ((HOUR, "fail"), (-HOUR, "partial"), (0.0, "pass")):
            monkeypatch.setattr("time.time", lambda ahead=ahead: NOON + ahead)
            last = await override(store, first.id, outcome=outcome, reason="I looked")
        (row,), _ = await browse.lines(store, Filter("default"))
        words, _ = await browse.lines(store, Filter("default", kind="override"))
        (labelled,) = await store.labelled("default")
        task = await store.read(lambda db: db.execute("SELECT record_id FROM mission_tasks"))
        return last.id, (await standing(store, first.id)).id, task, row.overridden, labelled.override, words

    last, holds, task, shown, labelled, words = using(url, work, first)
    assert (holds, task, shown, labelled) == (last, [(last,)], "pass", "pass")
    assert [row.outcome for row in words] == ["pass", "partial", "fail"], "newest first"
    assert all(row.at > NOON for row in words), "and after what they are about"


@pytest.mark.parametrize("word", ["pass", "unverified"])
def test_an_override_is_taken_back_by_undoing_it_and_not_by_its_reason(url, word):
    waits = numbered(0, outcome="fail", action="escalate")
    sets = ("overridden", "disagreed")

    async def look(store):
        (row,), _ = await browse.lines(store, Filter("default"))
        counted = [len((await browse.lines(store, Filter("default", counted=name)))[0]) for name in sets]
        return row.overridden, counted, await browse.waiting(store, "default")

    async def work(store):
        await override(store, waits.id, outcome=word, reason="undone")
        spoken = await look(store)
        await undo(store, waits.id)
        return spoken, await look(store)

    assert using(url, work, waits) == ((word, [1, 1], 0), (None, [0, 0], 1))


def test_what_was_purged_and_made_anew_is_listed_as_new_with_its_runs_since(url):
    record = made()

    async def work(store):
        await store.purge(workspace="default")
        await store.append([entry(record, NOON + HOUR)])
        rows, _ = await browse.lines(store, Filter("default", ran=NOON - HOUR))
        events = await store.read(lambda db: db.execute("SELECT created_at FROM mission_events"))
        tasks = await store.read(lambda db: db.execute("SELECT verified_at, verification_cost_usd FROM mission_tasks"))
        return [(row.at, row.runs) for row in rows], events, tasks

    rows, events, tasks = using(url, work, entry(record, runs=2, cost_usd=0.5))
    assert rows == [(NOON + HOUR, 1)]
    assert events == [(NOON + HOUR,)]
    assert tasks == [(NOON + HOUR, 0.0)]


def test_a_sample_is_drawn_from_what_nobody_looked_at_and_is_the_same_for_one_seed(url):
    entries = several(8)

    async def work(store):
        await override(store, entries[0].id, outcome="fail", reason="wrong", by="ann")
        return [
            [row.id for row in await browse.sample(store, Filter("default"), seed, limit=3)] for seed in ("a", "a", "0")
        ]

    first, again, other = using(url, work, *entries)
    assert first == again
    assert len(other) == 3
    assert entries[0].id not in {*first, *other}


def test_the_checkpoints_that_were_used_are_offered(url):
    async def work(store):
        return await browse.checkpoints(store, "default")

    assert using(url, work, numbered(0), numbered(1, checkpoint="answer")) == ["answer", "task"]


# --- workspaces --------------------------------------------------------------------------------------------------


def test_what_nobody_set_is_on_and_content_stays(url):
    async def work(store):
        return await workspaces.workspace_settings(store, "default")

    assert using(url, work) == workspaces.Workspace(verification=True, correction=True, retention_days=None)


def test_what_is_set_stays_and_the_rest_is_left_alone(url):
    async def work(store):
        await workspaces.change_workspace(store, "default", {"correction": False}, "ann")
        await workspaces.change_workspace(store, "default", {"retention_days": 30}, "bob")
        await workspaces.change_workspace(store, "default", {"retention_days": None}, "bob")
        return [await workspaces.workspace_settings(store, name) for name in ("default", "other")]

    ours, theirs = using(url, work)
    assert ours == workspaces.Workspace(correction=False)
    assert theirs == workspaces.Workspace()


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"verification": "perhaps"}, "verification"),
        ({"retention_days": -1}, "retention_days"),
        ({"colour": 1}, "colour"),
    ],
)
def test_what_cannot_be_set_is_refused_by_its_name(url, changes, named):
    async def work(store):
        await workspaces.change_workspace(store, "default", changes, "ann")

    with pytest.raises(InputError, match=named):
        using(url, work)


def test_a_workspace_is_known_by_a_record_or_a_setting(url):
    async def work(store):
        await workspaces.change_workspace(store, "set", {"correction": False}, "ann")
        return await workspaces.known_workspaces(store)

    assert using(url, work, *several(1)) == ["default", "set"]
