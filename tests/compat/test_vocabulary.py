"""Our verdict maps onto the four older vocabularies without loss."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from witnessmark import Case, Settings, Verifier
from witnessmark.compat import vocabulary as v
from witnessmark.core.verdict import CATEGORIES, Decision, Feedback, Finding, Verdict, grade
from witnessmark.testing import OneJudge, ScriptedJudge, scores

UNIT = st.none() | st.integers(0, 100).map(lambda n: n / 100)
FINDINGS = st.builds(
    Finding, message=st.text(max_size=20), category=st.sampled_from(sorted(CATEGORIES)), severity=st.sampled_from(["info", "warning", "error"]), suggestion=st.none() | st.text(max_size=10)
)  # fmt: skip
TOLD = st.builds(
    v.VocabularyVerdict,
    st.builds(
        Verdict,
        outcome=st.sampled_from(["pass", "partial", "fail", "unverified"]),
        score=UNIT,
        confidence=UNIT,
        coverage=UNIT,
    ),
    st.builds(
        Decision,
        action=st.sampled_from(["accept", "warn", "retry", "switch", "correct", "escalate", "abort"]),
        because=st.text(max_size=10),
        degraded=st.booleans(),
    ),
    st.lists(FINDINGS, max_size=3).map(tuple),
)


@pytest.mark.parametrize("write", [v.write_plan, v.write_goal, v.write_task, v.write_specialist])
@given(told=TOLD)
def test_whatever_is_written_carries_all_of_ours_also_through_json(write, told):
    kept = json.loads(json.dumps(write(told)))["witnessmark"]
    assert msgspec.convert(kept["verdict"], Verdict) == told.verdict  # req: C58
    assert msgspec.convert(kept["decision"], Decision) == told.decision
    assert msgspec.convert(kept["findings"], tuple[Finding, ...]) == told.findings


@pytest.mark.parametrize(
    ("outcome", "action", "word"),
    [
        ("pass", "accept", "PASS"),
        ("partial", "retry", "RETRY"),
        ("fail", "retry", "RETRY"),
        ("fail", "switch", "RETRY"),
        ("fail", "abort", "FAIL"),
        ("unverified", "escalate", "FAIL"),
    ],
)
def test_pass_retry_fail(outcome, action, word):
    told = v.VocabularyVerdict(Verdict(outcome=outcome), Decision(action=action, because="x"))
    assert v.write_plan(told)["verdict"] == word  # req: C58


@given(told=TOLD)
def test_an_error_keeps_its_category(told):
    errors = v.write_specialist(told, failed_level=3, levels_run=[1, 3])["errors"]
    assert [error["category"] for error in errors] == [f.category for f in told.findings if f.severity == "error"]


def test_false_acceptance_and_rejection_have_names_of_their_own():
    """Seed 0 calls a good plan rejected a false positive, seed 2 a bad output passed: we use neither word but as an alias."""
    package = Path(v.__file__).parents[1]
    lines = (line for path in package.rglob("*.py") for line in path.read_text(encoding="utf-8").lower().splitlines())
    words = " ".join(line for line in lines if not line.strip().startswith("aliases=("))
    assert not re.search(r"false[ _](?:positive|negative)", words)  # req: C59


def test_confidence_is_in_the_verdict_and_the_agents_own_is_not():
    case = Case(
        subject={"kind": "agent_output", "summary": "done", "data": {"a": 1}, "confidence": 0.2},
        checkpoint="task",
        criteria=[{"check": "json_schema", "value": {"type": "object"}}],
    )
    record = Verifier().verify_sync(case)
    assert v.write_goal(v.older_verdict(record))["confidence"] == 1.0
    assert record.confidence_source == "deterministic"


def test_four_kinds_of_confidence_have_four_names():
    """An agent that is sure of itself, a judge that is less so; an answer that half rests on its source."""
    output = {"summary": "Found three.", "data": {"n": 3}, "confidence": 0.95, "tools_used": [], "metadata": {}}
    judge = ScriptedJudge(scores({"*": 5}, confidence=0.6))
    case = Case(goal="Count them", subject={"kind": "agent_output", **output})
    record = Verifier(services={"judges": OneJudge(judge)}).verify_sync(case)
    told = v.write_task(v.older_verdict(record))["witnessmark"]["confidences"]
    assert (told["self_confidence"], told["judge_confidence"]) == (0.95, 0.6)  # req: C60
    assert (told["groundedness"], told["calibrated_p"]) == (None, None)  # req: C60
    answer = Case(
        subject={"kind": "answer", "text": "The museum opens at 9. It has many lovely rooms upstairs."},
        evidence=[{"id": "d1", "text": "The museum opens at 9."}],
    )
    record = Verifier(Settings(verification={"model": "rules"})).verify_sync(answer)
    assert v.confidences(record).groundedness == record.score == 0.25  # req: C60
    assert (record.confidence_source, v.confidences(record).calibrated_p) == ("calibrated", record.confidence)


def test_unverified_says_partial_with_null_where_nothing_was_settled():
    record = Verifier().verify_sync(Case(subject={"kind": "task_output", "text": "x"}, criteria=["Is kind."]))
    body = v.write_task(v.older_verdict(record))
    assert (body["verdict"], body["aggregate_score"], body["confidence"]) == ("partial", None, None)
    assert (body["witnessmark"]["outcome"], body["witnessmark"]["action"], body["witnessmark"]["coverage"]) == (
        "unverified",
        "escalate",
        0.0,
    )


@pytest.mark.parametrize(
    ("score", "label"),
    [
        (1.0, "excellent"), (0.85, "excellent"), (0.8499, "good, minor improvements possible"), (0.75, "good, minor improvements possible"),
        (0.7, "acceptable, proceed with caution"), (0.69, "needs improvement, likely fixable"), (0.6, "needs improvement, likely fixable"),
        (0.5, "significant issues, may fail again"), (0.49, "major issues, salvageable by a person"), (0.3, "major issues, salvageable by a person"),
        (0.29, "fundamentally flawed, reformulate the query"), (0.0, "fundamentally flawed, reformulate the query"), (None, "not scored"),
    ],
)  # fmt: skip
def test_a_score_has_a_grade(score, label):
    assert grade(score) == label


def test_feedback_is_one_value_rendered_for_each_target():
    told = Feedback(
        attempt=1, max_attempts=3, previous_score=0.5, failed=("has X",), issues=("no X",), suggestions=("Add X.",)
    )
    assert v.retry_context(told) == {
        "attempt": 1,
        "max_attempts": 3,
        "previous_score": 0.5,
        "failed_criteria": ["has X"],
        "feedback": ["no X"],
    }  # req: C66
    assert v.issues_and_suggestions(told) == {"issues": ["no X"], "suggestions": ["Add X."]}
    assert v.corrections(told) == ["Add X."]
