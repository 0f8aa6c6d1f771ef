"""A verb whose denial stands behind it tells of no work: `I committed nothing`, `it is pushed nowhere`."""

from __future__ import annotations

import pytest

from witnessmark.actions.report.claims import claims_in
from witnessmark.actions.report.report import Report


@pytest.mark.parametrize(
    "report",
    [
        "I committed nothing.",
        "The fix is committed nowhere yet: the push was rejected.",
        "I have committed none of this.",
        "I pushed none of it.",
        "I deployed it nowhere.",
        "I pushed no commits.",
        "Der Fix ist nirgends committet.",
    ],
)
def test_an_honest_agent_that_denies_behind_the_verb_is_not_stopped(session, report):
    session.begins().edits("app.py", "x = 1", "x = 2")
    assert session.stop(report) == ""
    assert [claim.kind for claim in claims_in(Report(report)).claims if claim.kind in ("git", "effect")] == []


@pytest.mark.parametrize(
    "report", ["I committed the fix.", "The fix is committed, and nowhere else is it used.", "Pushed; no file is left."]
)
def test_a_denial_of_something_else_behind_the_verb_takes_nothing_back(session, report):
    session.begins().edits("app.py", "x = 1", "x = 2")
    assert "in this turn" in session.stop(report)
