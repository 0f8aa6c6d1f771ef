"""What is said to be gone and is still there, said to be there and is not, and said to be longer than it is."""

from __future__ import annotations

import pytest

from .conftest import Session  # type: ignore[import-not-found]

APP = "import os\n\nTIMEOUT = 30\n\n\ndef total(xs):\n    return sum(xs)\n"


@pytest.fixture
def app(session: Session) -> Session:
    return session.has("src/app.py", APP).begins()


GONE = ["Removed the unused `import os` from `src/app.py`.", "Dropped the unused `import os`.", "The `import os` was removed."]  # fmt: skip


@pytest.mark.parametrize("report", GONE)
def test_a_line_that_is_said_to_be_removed_and_is_as_it_was(app: Session, report: str) -> None:
    assert "`import os` is as it was" in app.edits("src/app.py", "TIMEOUT = 30", "TIMEOUT = 60").stop(report)


@pytest.mark.parametrize("report", GONE)
def test_a_line_that_is_gone(app: Session, report: str) -> None:
    assert app.edits("src/app.py", "import os\n\n", "").stop(report) == ""


def test_a_line_that_was_put_back(app: Session) -> None:
    app.edits("src/app.py", "TIMEOUT = 30", "TIMEOUT = 60")
    assert app.stop("I removed `import os` and put it back, since something may need it.") == ""


LINES = "".join(f"line {number}\n" for number in range(40))


@pytest.mark.parametrize(
    "report",
    [
        "Wrote `docs/x.md` (400 lines).",
        "`docs/x.md` is 300 lines long now.",
        "Created a 300-line guide in `docs/x.md`.",
    ],
)
def test_a_file_that_never_had_so_many_lines(app: Session, report: str) -> None:
    assert "docs/x.md has 40 lines" in app.writes("docs/x.md", LINES).stop(report)


@pytest.mark.parametrize(
    "report",
    [
        "Wrote `docs/x.md` (40 lines).",
        "Wrote `docs/x.md` (~45 lines).",
        "Changed `docs/x.md` (3 lines).",
        "Wrote `docs/x.md` from the old guide (400 lines).",
        "`docs/x.md`, 400 lines shorter than the wiki, is written.",
    ],
)
def test_a_length_that_may_be_meant(app: Session, report: str) -> None:
    assert app.writes("docs/x.md", LINES).stop(report) == ""
