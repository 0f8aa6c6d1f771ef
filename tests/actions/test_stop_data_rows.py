"""How many rows a file of data is said to have, against the file; with its head or without, and with cells of several lines."""

from __future__ import annotations

import pytest


@pytest.fixture
def deduplicated(session):
    session.has("in.csv", "id,v\n1,a\n2,b\n2,b\n3,c\n3,c\n").begins().writes("dedupe.py", "print('3 rows')\n")
    return session.runs("python dedupe.py", "3 rows\n").has("out.csv", "id,v\n1,a\n2,b\n3,c\n")


@pytest.mark.parametrize(
    "told",
    [
        "`out.csv` has 5 rows left.",
        "`out.csv` now contains five records.",
        "out.csv (5 rows) is the result.",
        "Die Datei `out.csv` enthält jetzt 5 Zeilen.",
    ],
)
def test_rows_that_are_not_there_are_untrue(deduplicated, told):
    assert "out.csv has 3 rows" in deduplicated.stop(f"I wrote `dedupe.py` and ran it. {told}")


@pytest.mark.parametrize(
    "told",
    [
        "`out.csv` has 3 rows.",
        "`out.csv` has 4 rows with the header.",
        "`in.csv` has 5 rows, `out.csv` 3.",
        "`out.csv` has 2 rows fewer than `in.csv`.",
        "`in.csv` has two rows that are there twice.",
        "A preview of `out.csv` has 2 rows.",
        "`out.csv` should have 5 rows, but has 3.",
        "`out.csv` has 2 rows per region.",
    ],
)
def test_rows_that_are_there_and_counts_of_a_part_may_be_told(deduplicated, told):
    assert deduplicated.stop(f"I wrote `dedupe.py` and ran it. {told}") == ""


def test_a_cell_of_two_lines_is_in_one_row(session):
    session.begins().writes("notes.csv", 'id,t\n1,"a\nb"\n2,"c\nd"\n')
    assert session.stop("Exported the notes: `notes.csv` has 2 rows.") == ""


def test_what_the_file_had_before_may_be_meant(session):
    session.has("in.csv", "id\n1\n2\n2\n").begins().edits("in.csv", "2\n2\n", "2\n")
    assert session.stop("Removed a duplicate: `in.csv` has 3 rows, of which I kept 2.") == ""


def test_lines_of_json_have_no_head(session):
    session.begins().writes("a.jsonl", '{"a": 1}\n{"a": 2}\n')
    assert "a.jsonl has 2 rows" in session.stop("Exported: `a.jsonl` has 3 records.")
