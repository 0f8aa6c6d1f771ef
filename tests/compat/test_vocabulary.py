"""The five older vocabularies map onto ours and back without loss."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from witnessmark import Case, Settings, Verifier
from witnessmark.compat import vocabulary as v
from witnessmark.core.errors import InputError
from witnessmark.core.verdict import CATEGORIES, Decision, Feedback, Finding, Verdict
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
PAIRS = [
    (v.write_plan, v.read_plan),
    (v.write_goal, v.read_goal),
    (v.write_task, v.read_task),
    (v.write_specialist, v.read_specialist),
    (v.write_groundedness, v.read_groundedness),
]


@pytest.mark.parametrize(("write", "read"), PAIRS)
@given(told=TOLD)
def test_reading_what_was_written_gives_the_same_also_through_json(write, read, told):
    assert read(json.loads(json.dumps(write(told)))) == told  # req: C58


THEIRS = [
    (v.write_plan, v.read_plan, st.fixed_dictionaries({"verdict": st.sampled_from(["PASS", "RETRY", "FAIL"]), "overall_score": UNIT, "issues": st.lists(st.text(min_size=1, max_size=9), max_size=3), "suggestions": st.lists(st.text(max_size=9), max_size=3)})),
    (v.write_goal, v.read_goal, st.fixed_dictionaries({"goalAchieved": st.booleans(), "confidence": UNIT, "issues": st.lists(st.text(min_size=1, max_size=9), max_size=3), "suggestions": st.lists(st.text(max_size=9), max_size=3)})),
    (v.write_task, v.read_task, st.fixed_dictionaries({"verdict": st.sampled_from(["pass", "fail", "partial"]), "confidence": UNIT, "aggregate_score": UNIT})),
    (v.write_specialist, v.read_specialist, st.fixed_dictionaries({"valid": st.booleans(), "errors": st.lists(st.fixed_dictionaries({"category": st.sampled_from(sorted(CATEGORIES)), "message": st.text(max_size=9)}), max_size=3)})),
    (v.write_groundedness, v.read_groundedness, st.fixed_dictionaries({"is_grounded": st.none() | st.booleans(), "confidence": UNIT, "suggested_corrections": st.lists(st.text(max_size=9), max_size=3)})),
]  # fmt: skip


@pytest.mark.parametrize(("write", "read", "theirs"), THEIRS)
@given(data=st.data())
def test_writing_what_was_read_keeps_every_field_they_had(write, read, theirs, data):
    given = data.draw(theirs)
    written = write(read(given))
    assert {key: written[key] for key in given} == given


@pytest.mark.parametrize(
    ("word", "score", "outcome", "action"),
    [
        ("PASS", 0.7, "pass", "accept"),
        ("RETRY", 0.6, "partial", "retry"),
        ("RETRY", 0.4, "fail", "retry"),
        ("FAIL", 0.3, "fail", "abort"),
    ],
)
def test_pass_retry_fail(word, score, outcome, action):
    told = v.read_plan({"verdict": word, "overall_score": score})
    assert (told.verdict.outcome, told.decision.action) == (outcome, action)
    assert v.write_plan(told)["verdict"] == word


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
    assert v.write_goal(v.told(record))["confidence"] == 1.0
    assert record.confidence_source == "deterministic"
    assert v.read_goal({"goalAchieved": True, "confidence": 0.95}).verdict.confidence_source == "reported"


def test_four_kinds_of_confidence_have_four_names():
    """An agent that is sure of itself, a judge that is less so; an answer that half rests on its source."""
    output = {"summary": "Found three.", "data": {"n": 3}, "confidence": 0.95, "tools_used": [], "metadata": {}}
    judge = ScriptedJudge(scores({"*": 5}, confidence=0.6))
    case = Case(goal="Count them", subject={"kind": "agent_output", **output})
    record = Verifier(services={"judges": OneJudge(judge)}).verify_sync(case)
    told = v.write_task(v.told(record))["witnessmark"]["confidences"]
    assert (told["self_confidence"], told["judge_confidence"]) == (0.95, 0.6)  # req: C60
    assert (told["groundedness"], told["calibrated_p"]) == (None, None)  # req: C60
    answer = Case(
        subject={"kind": "answer", "text": "The museum opens at 9. It has many lovely rooms upstairs."},
        evidence=[{"id": "d1", "text": "The museum opens at 9."}],
    )
    record = Verifier(Settings(verification={"model": "rules"})).verify_sync(answer)
    assert record.confidences.groundedness == record.score == 0.25  # req: C60
    assert (record.confidence_source, record.confidences.calibrated_p) == ("calibrated", record.confidence)
    assert v.read_task(v.write_task(v.told(record))).confidences == record.confidences


def test_a_confident_failure_is_acted_on():
    told = v.read_goal({"goalAchieved": False, "confidence": 0.95})
    assert (told.verdict.outcome, told.decision.action) == ("fail", "retry")
    assert v.write_goal(told)["passed"] is False


def test_unverified_says_partial_with_null_where_nothing_was_settled():
    record = Verifier().verify_sync(Case(subject={"kind": "task_output", "text": "x"}, criteria=["Is kind."]))
    body = v.write_task(v.told(record))
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
    assert v.grade(score) == label  # req: S0-041


@pytest.mark.parametrize(
    "category",
    [
        pytest.param("missing_field", id="S3-029"),
        pytest.param("invalid_type", id="S3-030"),
        pytest.param("schema_mismatch", id="S3-031"),
        pytest.param("hash_mismatch", id="S3-032"),
        pytest.param("anchor_mismatch", id="S3-033"),
        pytest.param("file_not_found", id="S3-034"),
        pytest.param("filesystem_mismatch", id="S3-035"),
        pytest.param("unknown", id="S3-036"),
    ],
)
def test_an_error_keeps_its_category(category):
    told = v.read_specialist(
        {"valid": False, "level": 3, "errors": [{"category": category, "message": "type of path not found"}]}
    )
    assert told.findings[0].category == category
    assert v.write_specialist(told, failed_level=3, levels_run=[1, 3])["errors"] == [
        {"category": category, "message": "type of path not found"}
    ]


def test_missing_field_is_kept():
    assert (
        v.read_specialist({"valid": False, "errors": [{"category": "missing_field", "message": "m"}]})
        .findings[0]
        .category
        == "missing_field"
    )  # req: S3-029


def test_invalid_type_is_kept():
    assert (
        v.read_specialist({"valid": False, "errors": [{"category": "invalid_type", "message": "m"}]})
        .findings[0]
        .category
        == "invalid_type"
    )  # req: S3-030


def test_hash_mismatch_is_kept():
    assert (
        v.read_specialist({"valid": False, "errors": [{"category": "hash_mismatch", "message": "m"}]})
        .findings[0]
        .category
        == "hash_mismatch"
    )  # req: S3-032


def test_anchor_mismatch_is_kept():
    assert (
        v.read_specialist({"valid": False, "errors": [{"category": "anchor_mismatch", "message": "m"}]})
        .findings[0]
        .category
        == "anchor_mismatch"
    )  # req: S3-033


def test_file_not_found_is_kept():
    assert (
        v.read_specialist({"valid": False, "errors": [{"category": "file_not_found", "message": "m"}]})
        .findings[0]
        .category
        == "file_not_found"
    )  # req: S3-034


def test_filesystem_mismatch_is_kept():
    assert (
        v.read_specialist({"valid": False, "errors": [{"category": "filesystem_mismatch", "message": "m"}]})
        .findings[0]
        .category
        == "filesystem_mismatch"
    )  # req: S3-035


def test_a_category_nobody_knows_is_unknown_and_never_guessed_from_the_text():
    """Seed 3, weakness 8: the category was a substring of the first message; a path with "type" in it was invalid_type."""
    told = v.read_specialist(
        {
            "valid": False,
            "errors": [{"category": "type", "message": "wrong type in types.py"}, "hash of file not found"],
        }
    )
    assert [f.category for f in told.findings] == ["unknown", "unknown"]  # req: S3-036


@pytest.mark.parametrize(
    ("read", "data", "complaint"),
    [
        (v.read_plan, {"verdict": "MAYBE"}, "verdict: 'MAYBE' is not one of PASS, RETRY, FAIL"),
        (v.read_plan, {"verdict": "PASS", "overall_score": True}, "overall_score: True is not a number"),
        (v.read_plan, {"verdict": "PASS", "overall_score": float("nan")}, "score"),
        (v.read_goal, {"goalAchieved": "false"}, "goalAchieved: 'false' is neither true nor false"),
        (v.read_task, {"verdict": "ok"}, "is not one of pass, fail, partial"),
        (v.read_specialist, {"valid": 1}, "valid: 1 is neither true nor false"),
        (v.read_groundedness, {"is_grounded": "yes"}, "is_grounded"),
        (v.read_groundedness, {"is_grounded": True, "confidence": 5}, "score"),
        (
            v.read_task,
            {"verdict": "pass", "witnessmark": {"verdict": {"outcome": "perhaps"}, "decision": {}}},
            "witnessmark",
        ),
    ],
)
def test_what_cannot_be_read_is_refused(read, data, complaint):
    """Seed 0, weakness 8 and seed 4, bug 4: booleans and numbers out of range were taken for scores."""
    with pytest.raises(InputError) as refused:
        read(data)
    assert complaint in str(refused.value)


def test_issues_given_as_one_text_are_a_list_of_one():
    """Seed 0, weakness 11: it crashed."""
    assert [f.message for f in v.read_plan({"verdict": "FAIL", "issues": "only one"}).findings] == ["only one"]


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


@pytest.mark.parametrize(
    ("confidence", "level"),
    [
        (0.9, "high"),
        (0.89, "medium"),
        (0.7, "medium"),
        (0.69, "low"),
        (0.5, "low"),
        (0.49, "very low"),
        (None, "not applicable"),
    ],
)
def test_levels_of_confidence(confidence, level):
    assert v.confidence_level(confidence) == level
    assert v.confidence_level(0.95, all_supported=False) == "medium"
