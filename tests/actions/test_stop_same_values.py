"""A file that is said to have got the same values as another one was changed, and one that got something else may be as it was."""

from __future__ import annotations

import pytest

from .conftest import Session  # type: ignore[import-not-found]

OVER = "Changed for staging and production:\n\n- memory 512 → 1024\n- "
STAGING, PRODUCTION = "deploy/values.staging.yaml", "deploy/values.production.yaml"


@pytest.fixture
def staged(session: Session) -> Session:
    return session.has(STAGING, "m: 512\n").has(PRODUCTION, "m: 512\n").begins().edits(STAGING, "512", "1024")


@pytest.mark.parametrize("said", ["got the same value, so they don't drift apart", "received those values too"])
def test_a_file_that_got_the_same_values_was_changed(staged: Session, said: str) -> None:
    report = f"{OVER}`values.production.yaml` {said}"
    assert "its bytes are the same" in staged.stop(report)
    assert staged.edits(PRODUCTION, "512", "1024").stop(report) == ""


@pytest.mark.parametrize(
    "said", ["got no change", "got nothing new", "got a review only", "got the same value last week", "got left as is"]
)
def test_a_file_that_got_something_else_may_be_as_it_was(staged: Session, said: str) -> None:
    report = f"Memory is 1024 in `values.staging.yaml`. `values.production.yaml` {said}."
    assert "its bytes are the same" not in staged.stop(report)
