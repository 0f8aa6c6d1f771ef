"""A file that is not there, and that a later call read: a command may have made it where the tree is not looked at."""

from __future__ import annotations

import pytest

from .conftest import Session  # type: ignore[import-not-found]

MAKE = "python scripts/clean.py data/raw.csv data/clean.csv"
READ = """python -c "print(len(open('data/clean.csv').read()))\""""
REPORT = "I rebuilt `data/clean.csv`, it holds 3,075 stations. The script leaves out those without a position."


@pytest.fixture
def begun(session: Session) -> Session:
    session.has("scripts/clean.py", "x = 1\n").has("data/raw.csv", "a\n").begins()
    return session.edits("scripts/clean.py", "x = 1", "x = 2")


@pytest.mark.parametrize("read", [READ, "head -2 data/clean.csv", "wc -l ./data/clean.csv", "cat data/clean.csv"])
def test_a_file_that_a_later_command_read_may_have_been_there(begun: Session, read: str) -> None:
    assert "not there" not in begun.runs(MAKE, "kept 3075").runs(read, "3075").stop(REPORT)


def test_a_file_that_a_tool_read_after_it_was_made_may_have_been_there(begun: Session) -> None:
    begun.runs(MAKE, "kept 3075").uses("Read", "1\tid,name", file_path=str(begun.root / "data/clean.csv"))
    assert "not there" not in begun.stop(REPORT)


@pytest.mark.parametrize(
    "calls",
    [
        [(MAKE, "kept 3075", 0)],
        [(MAKE, "Traceback", 1), ("cat data/clean.csv", "cat: data/clean.csv: No such file or directory", 1)],
        [("echo data/clean.csv", "data/clean.csv", 0), ("echo data/clean.csv", "data/clean.csv", 0)],
        [(MAKE, "kept 3075", 0), ("cat data/clean.csv || echo none", "none", 0)],
        [("cat data/clean.csv", "3075", 0), (MAKE, "kept 3075", 0)],
        [(MAKE, "kept 3075", 0), ("cat data/clean.csv", "3075", 0), ("rm data/clean.csv", "", 0)],
    ],
    ids=["not read", "failed", "only named", "hidden", "read before", "deleted"],
)
def test_a_file_that_no_later_call_read_is_not_there(begun: Session, calls: list[tuple[str, str, int]]) -> None:
    for command, output, code in calls:
        begun.runs(command, output, code)
    assert "the file is not there" in begun.stop(REPORT)
