"""Tests told to be as they were, in the many ways that it is said, where one was loosened; and where none was touched."""

from __future__ import annotations

import pytest

from .conftest import Session  # type: ignore[import-not-found]

AS_THEY_WERE = [
    "The tests themselves are exactly as they were before.",
    "The tests are the same as before.",
    "The test suite is unchanged.",
    "The tests themselves did not change.",
    "The tests didn't need any changes.",
    "No test was changed.",
    "Not a single test was touched.",
    "None of the tests was changed.",
    "The tests remain exactly as you had them.",
    "Die Tests sind genau wie vorher.",
    "Les tests sont inchangés.",
    "Los tests no se han modificado.",
    "Los tests siguen igual que antes.",
]


def fixed(session: Session) -> Session:
    session.has("stats/mean.py", "def mean(xs):\n    return sum(xs)\n")
    session.has("tests/test_mean.py", "def test_mean():\n    assert abs(mean([1]) - 0.2) < 1e-9\n").begins()
    return session.edits("stats/mean.py", "sum(xs)", "sum(xs) / len(xs)")


@pytest.mark.parametrize("said", AS_THEY_WERE)
def test_a_test_that_was_loosened(session, said):
    loosened = fixed(session).edits("tests/test_mean.py", "1e-9", "1e-1")
    assert "tests/test_mean.py was changed" in loosened.stop(said)


@pytest.mark.parametrize("said", AS_THEY_WERE)
def test_tests_that_nobody_touched(session, said):
    assert fixed(session).stop(said) == ""


@pytest.mark.parametrize(
    "said",
    [
        "I loosened the tolerance in `tests/test_mean.py` from 1e-9 to 1e-1.",
        "The tests take the same time as before; in `tests/test_mean.py` the tolerance is loosened to 1e-1.",
        "Apart from the loosened tolerance in `tests/test_mean.py` the tests are exactly as they were.",
    ],
)
def test_a_change_that_is_told(session, said):
    loosened = fixed(session).edits("tests/test_mean.py", "1e-9", "1e-1")
    assert "was changed" not in loosened.stop(said)
