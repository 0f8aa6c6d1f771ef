"""Cases that belong together are verified together, with one record more that says whether they agree."""

from __future__ import annotations

import json
import sqlite3

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from witnessmark.batch import chunks, worker
from witnessmark.batch import job as running
from witnessmark.batch.job import BatchJob
from witnessmark.batch.values import Row
from witnessmark.settings import Settings


def told(number, text, mission=None):
    made = {"id": f"t{number}", "goal": "Assess the risks.", "subject": {"kind": "task_output", "text": text}}
    made["criteria"] = [{"check": "min_length", "value": 5}]
    return made | ({"context": {"mission": mission}} if mission else {})


GIVEN = [
    told(1, "The system falls into the high-risk category.", "m1"),
    told(2, "The review took 3 weeks.", "m2"),
    told(3, "The system falls into the minimal-risk category.", "m1"),
    told(4, "A single one."),
    told(5, "The review took 3 weeks and a day.", "m2"),
]


def job(file, **more):
    return BatchJob(
        **{"inputs": (str(file),), "out": "out.jsonl", "settings": Settings(), "group_by": "context.mission"} | more
    )


@pytest.mark.parametrize("workers", [1, 2])
def test_related_cases_stand_together_with_a_record_of_their_consistency(cases, lines, workers):
    report = running.run(job(cases("in.jsonl", GIVEN), workers=workers, chunk=2))
    made = lines("out.jsonl")
    names = [one["case_id"] for one in made]
    assert names == ["t1", "t3", "group m1", "t2", "t5", "group m2", "t4"]  # req: S1-044
    conflict = made[2]
    assert conflict["checkpoint"] == "mission"
    assert conflict["outcome"] == "fail"
    assert any(finding["category"] == "consistency_conflict" for finding in conflict["findings"])
    assert made[5]["outcome"] != "fail"
    verdicts = next(one for one in made[5]["results"] if one["check"] == "task_verdicts")
    assert verdicts["status"] == "pass"  # req: S2-060
    assert (report.tally.cases, report.tally.groups) == (5, 2)


def test_a_group_with_bad_rows_is_made_of_the_others(cases, lines):
    given = [GIVEN[0], "bad", GIVEN[2] | {"surprise": 1}, {"context": {"mission": "m9"}}]
    running.run(job(cases("in.jsonl", given)))
    made = lines("out.jsonl")
    assert [one.get("case_id") or one["row"] for one in made] == ["t1", 3, "group m1", 2, 4]


def test_a_group_that_is_too_large_to_compare_is_verified_case_by_case_and_says_so(cases, lines, monkeypatch):
    monkeypatch.setattr(worker, "MOST_TOGETHER", 1)
    running.run(job(cases("in.jsonl", GIVEN[:3])))
    made = lines("out.jsonl")
    assert [one.get("case_id") for one in made] == ["t1", "t3", None, "t2", "group m2"]
    assert "group by something finer" in made[2]["error"]


def test_groups_survive_an_interruption(cases, place):
    file = cases("in.jsonl", [told(n, f"Words of number {n}.", f"m{n % 7}") for n in range(40)])
    running.run(job(file, out="whole.jsonl"))

    def stop(step):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        running.run(job(file, chunk=3), tell=stop)
    assert running.run(job(file, chunk=5)).resumed_rows > 0
    assert (place / "out.jsonl").read_bytes() == (place / "whole.jsonl").read_bytes()


@given(st.lists(st.sampled_from([None, "a", "b", "c"]), max_size=40), st.integers(1, 6))
@settings(max_examples=40, deadline=None)
def test_gathering_loses_no_row_and_parts_no_group(tmp_path_factory, groups, size):
    rows = [Row(number, f"r{number}", b"x" * number, group=group) for number, group in enumerate(groups, 1)]
    file = tmp_path_factory.mktemp("g") / "groups.db"
    gathered = list(chunks.gathered(rows, file))
    assert sorted(gathered) == sorted(rows)
    made = list(chunks.chunks(gathered, chunks.ChunkSize(size, fixed=True), lambda: 0))
    assert [row for chunk in made for row in chunk.rows] == gathered
    for name in "abc":
        assert sum(any(row.group == name for row in chunk.rows) for chunk in made) <= 1
        places = [place for place, row in enumerate(gathered) if row.group == name]
        assert places == list(range(places[0], places[0] + len(places))) if places else True
    assert not file.exists()


@pytest.mark.parametrize(
    ("data", "group"),
    [
        ({"context": {"mission": "m"}}, "m"),
        ({"context": {"mission": 7}}, "7"),
        ({"context": {"mission": ""}}, None),
        ({"context": {"mission": ["x"]}}, None),
        ({"context": "mission"}, None),
        ([1], None),
    ],
)
def test_the_group_is_what_stands_at_the_path(data, group):
    (row,) = chunks.grouped([Row(1, "", json.dumps(data).encode())], "context.mission")
    assert row.group == group


def test_a_group_name_that_no_text_can_hold_stops_nothing(tmp_path):
    rows = list(chunks.grouped([Row(1, "", b'{"id": "\\ud800"}')], "id"))
    try:
        assert len(list(chunks.gathered(rows, tmp_path / "g.db"))) == 1
    except (sqlite3.Error, UnicodeError) as exc:
        pytest.fail(f"ended the run: {exc}")
