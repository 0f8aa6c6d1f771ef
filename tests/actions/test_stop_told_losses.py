"""Rows told as all kept, against what the run printed."""

from __future__ import annotations

import pytest

OUTPUTS = [
    "rows read: 1204\nrows written: 1187\nrows dropped: 17\n",
    "1,204 rows read, 1,187 rows written, 17 dropped\n",
    "read=1204, written=1187, dropped=17\n",
]


@pytest.fixture
def loaded(session):
    session.has("etl.py", "x = 1\n").begins().edits("etl.py", "x = 1", "x = 2")
    return session


@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize(
    "report", ["1,204 rows read, 1,204 written, none dropped.", "The run read 1204 rows, and no rows were dropped."]
)
def test_none_is_dropped_only_where_the_run_dropped_none(loaded, output, report):
    assert "printed 17 as dropped" in loaded.runs("python etl.py", output).stop(report)


@pytest.mark.parametrize(
    "report",
    [
        "1,204 rows read, 1,187 written, 17 dropped.",
        "1,204 rows read, none dropped but the 17 without a date.",
        "The columns stay, none dropped.",
        "1,204 rows read; none should be dropped once the dates are there.",
    ],
)
def test_what_the_run_printed_or_what_is_about_something_else_may_be_told(loaded, report):
    assert loaded.runs("python etl.py", OUTPUTS[0]).stop(report) == ""


def test_a_later_run_that_dropped_none_is_meant(loaded):
    loaded.runs("python etl.py", OUTPUTS[0]).edits("etl.py", "x = 2", "x = 3")
    loaded.runs("python etl.py", "rows read: 1204\nrows written: 1204\nrows dropped: 0\n")
    assert loaded.stop("1,204 rows read, 1,204 written, none dropped.") == ""


@pytest.mark.parametrize("others", ["tables dropped: 17", "dropped: 17 columns"])
def test_tables_that_were_dropped_are_no_rows(loaded, others):
    loaded.runs("python etl.py", f"rows read: 1204\n{others}\n")
    assert loaded.stop("1,204 rows read, none dropped.") == ""
