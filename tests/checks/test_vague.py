"""The lint names criteria that two people would judge differently, and leaves the others alone."""

from __future__ import annotations

import pytest

from witnessmark import Case, Verifier
from witnessmark.checks.plain.vague import lint, lint_case


@pytest.mark.parametrize("criterion", [
    "Good quality", "The text should be professional", "Cover the basics, risks, etc.", "Follows our style guide as discussed",
    "Is clear and short and friendly and complete and correct",
])  # fmt: skip
def test_vague_criteria_are_named_with_advice(criterion):
    found = lint([criterion])
    assert found
    assert all(finding.severity == "info" and finding.suggestion for _, finding in found)


@pytest.mark.parametrize("criterion", [
    "Covers all 6 risk categories", "Includes implementation timelines", "Cites specific articles",
    "States the refund period in days", "Names at least 3 compliance gaps with severity ratings",
])  # fmt: skip
def test_criteria_with_something_to_look_for_are_left_alone(criterion):
    assert lint([criterion]) == []


def test_a_verdict_never_depends_on_the_lint():
    from witnessmark.testing import OneJudge, ScriptedJudge, scores

    case = Case(subject={"kind": "task_output", "text": "Fine."}, criteria=["Good quality"])
    judges = OneJudge(ScriptedJudge(scores({"*": 5})))
    record = Verifier(services={"judges": judges}).verify_sync(case)
    assert lint_case(case)
    assert record.outcome == "pass"
    assert [f.severity for f in record.findings] == ["info"]
