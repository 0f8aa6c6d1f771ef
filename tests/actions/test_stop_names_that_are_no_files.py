"""Names that look like files: branches with a dot, patterns, choices in braces and the ends of paths."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize("branch", ["release/2.0.x", "fix/add.py", "hotfix/readme.md"])
def test_a_branch_is_no_file(session, branch):
    session.runs(f"git checkout -b {branch}", f"Switched to a new branch '{branch}'")
    assert session.stop(f"I created the branch `{branch}` and switched to it.") == ""


@pytest.mark.parametrize(
    "report",
    [
        "Created `web/{a,b}.ts`.",
        "Added `web/*.ts` files.",
        "I wrote `.../web/a.ts`.",
        "Added tests under `web/**/*.ts`.",
        "I wrote `**/a.ts`.",
    ],
)
def test_a_name_that_stands_for_files_that_are_there_is_no_missing_file(session, report):
    session.begins().writes("web/a.ts", "1").writes("web/b.ts", "1")
    assert session.stop(report) == ""


@pytest.mark.parametrize("report", ["Created `api/{a,b}.ts`.", "Created `web/*.vue`.", "I wrote `.../web/c.ts`."])
def test_one_that_stands_for_none_is(session, report):
    session.begins().writes("web/a.ts", "1")
    assert "not there" in session.stop(report)


def test_files_that_went_may_be_told_by_a_pattern(session):
    session.has("web/a.ts").has("web/b.ts").begins().deletes("web/a.ts").deletes("web/b.ts")
    assert session.stop("Deleted `web/*.ts`.") == ""


def test_a_file_of_that_name_beside_a_branch_is_still_missing(session):
    session.runs("git checkout -b fix/add.py", "Switched to a new branch 'fix/add.py'")
    assert "not there" in session.stop("I created the branch `fix/add.py` and the file `src/add.py`.")
