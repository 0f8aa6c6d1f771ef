"""Parquet in and out: the same cases give the same records, whichever form they come in and go to."""

from __future__ import annotations

import json
import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from witnessmark.batch import job as running
from witnessmark.batch import parquet
from witnessmark.batch.job import BatchJob
from witnessmark.core.errors import InputError
from witnessmark.settings import Settings


def job(file, **more):
    return BatchJob(**{"inputs": (str(file),), "out": "out.parquet", "settings": Settings()} | more)


def written(name, columns):
    pq.write_table(pa.table(columns), name)
    return name


def test_parquet_in_and_out_gives_the_records_that_json_lines_give(case, cases, place):
    given = [case(number) for number in range(30)]
    running.run(job(cases("in.jsonl", given), out="lines.jsonl"))
    whole = written("whole.parquet", {"case": [json.dumps(one) for one in given], "note": list(range(30))})
    parts = {
        "id": [one["id"] for one in given],
        "subject": [one["subject"] for one in given],
        "criteria": [json.dumps(one["criteria"]) for one in given],
        "goal": [None] * 30,
    }
    expected = (place / "lines.jsonl").read_bytes().splitlines()
    for number, file in enumerate([whole, written("parts.parquet", parts)]):
        running.run(job(file, out=f"{number}.parquet", chunk=7, workers=1 + number))
        assert list(parquet.lines(f"{number}.parquet")) == expected
        table = pq.read_table(f"{number}.parquet")
        assert table["case_id"].to_pylist() == [one["id"] for one in given]
        assert table["outcome"].to_pylist() == [json.loads(line)["outcome"] for line in expected]
        assert table["error"].null_count == 30


def test_nested_columns_are_cases_too(place, lines):
    evidence = [[{"id": "d1", "text": "The tower is 330 m tall.", "origin": None}], []]
    columns = {"subject": [{"kind": "answer", "text": "It is 330 m tall."}] * 2, "evidence": evidence}
    running.run(job(written("in.parquet", columns), out="out.jsonl"))
    assert [len(one["evidence"]) for one in lines("out.jsonl")] == [1, 0]


def test_texts_kept_as_bytes_and_sources_kept_as_json_give_the_records_of_texts_and_lists(lines):
    said = ["It is 330 m tall.", "It is in Paris [d2]."]
    given = [["The tower is 330 m tall.", "It is in Paris."], ["Tower.", "It is in Paris."]]
    running.run(job(written("texts.parquet", {"answer": said, "sources": given}), out="texts.jsonl"))
    as_bytes = {"answer": [one.encode() for one in said], "sources": [[one.encode() for one in row] for row in given]}
    as_json = {"answer": said, "sources": [json.dumps(row) for row in given]}
    for name, columns in (("bytes", as_bytes), ("json", as_json)):
        running.run(job(written(f"{name}.parquet", columns), out=f"{name}.jsonl"))
        assert lines(f"{name}.jsonl") == lines("texts.jsonl")


def test_a_source_that_begins_with_a_bracket_stays_one_and_bytes_that_are_no_text_are_a_row_with_its_error(lines):
    columns = {"answer": [b"It is tall.", b"\xff\xfe"], "sources": ["[1] It is tall.", "It is tall."]}
    running.run(job(written("in.parquet", columns), out="out.jsonl"))
    first, second = lines("out.jsonl")
    assert first["outcome"] == "pass"
    assert "not UTF-8" in second["error"]


def test_a_poisoned_row_of_parquet_is_an_error_row_of_parquet(case, place):
    file = written("in.parquet", {"case": [json.dumps(case(1)), "{", None, json.dumps(case(2))]})
    running.run(job(file))
    table = pq.read_table("out.parquet")
    assert table["row"].to_pylist() == [None, 2, 3, None]
    assert table["at"].to_pylist()[1] == "in.parquet:2"
    assert [error is not None for error in table["error"].to_pylist()] == [False, True, True, False]


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"text": ["x"]}, "neither a column `case`"),
        ({"subject": ["{}"], "colour": ["red"]}, "column 'colour' is not a field of a case"),
    ],
)
def test_a_table_that_holds_no_cases_is_refused_before_anything_runs(place, columns, said):
    with pytest.raises(InputError, match=said):
        running.run(job(written("in.parquet", columns)))
    assert not (place / "out.parquet.batch").exists()


WITHOUT = """
import sys
sys.modules["pyarrow"] = None
from witnessmark.cli import main
sys.argv = ["witnessmark", "batch", "in.jsonl", "out.parquet"]
main()
"""


def test_without_pyarrow_it_says_what_to_install(case, cases, place):
    cases("in.jsonl", [case(1)])
    done = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=False, cwd=place)
    assert done.returncode == 2
    assert "pip install 'witnessmark[parquet]'" in done.stderr


def test_an_interrupted_run_to_parquet_goes_on(case, cases, place):
    file = cases("in.jsonl", [case(number) for number in range(20)])

    def stop(step):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        running.run(job(file, chunk=5), tell=stop)
    assert running.run(job(file, chunk=5)).resumed_rows == 5
    assert pq.read_table("out.parquet")["case_id"].to_pylist() == [f"c{number}" for number in range(20)]
