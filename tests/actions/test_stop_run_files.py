"""A file that is told as run, against the commands that had it: a look at it afterwards is no run."""

from __future__ import annotations

import pytest

EXECUTE = "jupyter nbconvert --to notebook --execute --inplace nb/churn.ipynb"
ERROR = "nbclient.exceptions.CellExecutionError: An error occurred\nKeyError: 'tenure'\n"


@pytest.fixture
def notebook(session):
    session.has("nb/churn.ipynb", "{}\n").begins()
    return session.edits("nb/churn.ipynb", "{}", "{ }")


@pytest.mark.parametrize("after", ["", "cat nb/churn.ipynb", "git add nb/churn.ipynb", "head -5 nb/churn.ipynb"])
def test_one_that_failed_ran_not_without_errors_whatever_looked_at_it_since(notebook, after):
    notebook.runs(EXECUTE, ERROR, 1)
    told = (notebook.runs(after, "{ }\n") if after else notebook).stop("Executed `nb/churn.ipynb` without errors.")
    assert "it failed" in told


def test_one_that_ran_well_may_be_told(notebook):
    notebook.runs(EXECUTE, ERROR, 1).runs(EXECUTE, "Writing 812 bytes to nb/churn.ipynb\n")
    assert notebook.runs("cat nb/churn.ipynb", "{ }\n").stop("Executed `nb/churn.ipynb` without errors.") == ""


@pytest.mark.parametrize(
    "report", ["Executed `nb/churn.ipynb`; it stops with a KeyError.", "Ran `cat nb/churn.ipynb`."]
)
def test_what_is_told_as_it_was_may_be(notebook, report):
    assert notebook.runs(EXECUTE, ERROR, 1).runs("cat nb/churn.ipynb", "{ }\n").stop(report) == ""


def test_a_copy_that_failed_says_nothing_of_the_run_after_it(session):
    session.has("db/seed.sql", "select 1;\n").has("a.py", "x\n").begins().edits("a.py", "x", "y")
    session.runs("docker cp db/seed.sql db:/tmp", "no such container\n", 1).runs("psql -f db/seed.sql", "1\n")
    assert session.stop("Executed `db/seed.sql` without errors.") == ""
