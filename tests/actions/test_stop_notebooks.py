"""A notebook or script that ended by an exception did not run well, though a pipe or a later command hides that; one that goes on did."""

from __future__ import annotations

import pytest

TRACEBACK = """nbclient.exceptions.CellExecutionError: An error occurred while executing the following cell:
------------------
df = pd.read_csv("missing.csv")
------------------

---------------------------------------------------------------------------
FileNotFoundError                         Traceback (most recent call last)
Cell In[1], line 1
----> 1 df = pd.read_csv("missing.csv")

FileNotFoundError: [Errno 2] No such file or directory: 'missing.csv'
"""
END = '----> 1 df = pd.read_csv("missing.csv")\n\nFileNotFoundError: [Errno 2] No such file or directory\n'
NOTEBOOKS = {
    "jupyter nbconvert --to notebook --execute nb.ipynb 2>&1 | tail -3": END,
    "jupyter nbconvert --to notebook --execute nb.ipynb || true": TRACEBACK,
    "jupyter nbconvert --to notebook --execute nb.ipynb; echo done": f"{TRACEBACK}done\n",
    "python -m nbconvert --execute nb.ipynb 2>&1 | tail -3": END,
    "cd work && papermill nb.ipynb out.ipynb 2>&1 | tee run.log": f"papermill.exceptions.PapermillExecutionError:\n{END}",
}
TOLD = [
    "The notebook was executed without errors.",
    "I executed `nb.ipynb` and it ran fine.",
    "Executed the notebook end to end; all cells ran successfully.",
    "`nb.ipynb` now runs cleanly from top to bottom.",
    "The notebook executes fine.",
    "Das Notebook läuft, ich habe `nb.ipynb` executed.",
]


@pytest.fixture
def busy(session):
    return session.has("nb.ipynb", "{}").has("run.py").edits("nb.ipynb", "{}", '{"cells": []}')


@pytest.mark.parametrize("told", TOLD)
@pytest.mark.parametrize("line", NOTEBOOKS)
def test_a_notebook_that_ended_by_an_exception_did_not_run(busy, line, told):
    assert "failed" in busy.runs(line, NOTEBOOKS[line]).stop(f"Changed `nb.ipynb`. {told}")


@pytest.mark.parametrize("told", TOLD)
@pytest.mark.parametrize("line", NOTEBOOKS)
def test_one_that_was_executed_well_later_did(busy, line, told):
    busy.runs(line, NOTEBOOKS[line]).edits("nb.ipynb", "[]", "[1]")
    good = busy.runs("jupyter nbconvert --to notebook --execute nb.ipynb", "[NbConvertApp] Writing 320 bytes to nb.nbconvert.ipynb\n")  # fmt: skip
    assert good.stop(f"Changed `nb.ipynb`. {told}") == ""


SCRIPTS = {
    "python run.py 2>&1 | tail -3": "    x = d['a']\n        ~^^^^^\nKeyError: 'a'\n",
    "node run.js | cat": "TypeError: x is not a function\n    at Object.<anonymous> (/r/run.js:3:1)\n\nNode.js v20.11.0\n",
    "python3.12 run.py 2>&1 | grep -v Warning": 'Traceback (most recent call last):\n  File "run.py", line 3, in <module>\napp.errors.BadInputError\n',
}  # fmt: skip


@pytest.mark.parametrize("line", SCRIPTS)
def test_a_script_that_ended_by_an_exception_did_not_run_well(busy, line):
    assert "it failed" in busy.runs(line, SCRIPTS[line]).stop(
        f"Changed `nb.ipynb`. Ran `{line}`: it finished successfully."
    )


WENT_ON = {
    "caught and logged": ("python run.py | tail -9", "Traceback (most recent call last):\nValueError: bad row\nskipped 1 row, wrote 9\n"),
    "a name alone": ("python run.py | tail -1", "ValueError: bad row\n"),
    "the reader went away": ("python run.py | head -2", '  File "run.py", line 3\nBrokenPipeError: [Errno 32] Broken pipe\n'),
    "a log that was read": ("cat run.log | tail -3", SCRIPTS["python run.py 2>&1 | tail -3"]),
    "who of two failed": ("python run.py; python other.py; true", SCRIPTS["python run.py 2>&1 | tail -3"]),
}  # fmt: skip


@pytest.mark.parametrize("name", WENT_ON)
def test_words_of_an_exception_that_did_not_end_it_are_nothing(busy, name):
    line, printed = WENT_ON[name]
    assert busy.runs(line, printed).stop(f"Changed `nb.ipynb`. Ran `{line}`: it finished successfully.") == ""


def test_a_notebook_that_is_told_to_fail_may_fail(busy):
    line = "papermill nb.ipynb out.ipynb 2>&1 | tail -3"
    assert busy.runs(line, END).stop("Changed `nb.ipynb`. The notebook was executed and failed: the file is missing.") == ""  # fmt: skip
