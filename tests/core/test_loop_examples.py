"""The worked runs of the source document, whole, through the loop: one that is tried again and passes, one that fails."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from witnessmark import Case, Verifier
from witnessmark.compat.plan import error_payload
from witnessmark.compat.vocabulary import older_verdict, write_plan
from witnessmark.judges.scripted_judge import ScriptedJudge
from witnessmark.stores.audit import audit
from witnessmark.stores.memory import MemoryStore
from witnessmark.testing import OneJudge

GOLDEN = Path(__file__).parents[1] / "fixtures" / "golden" / "plans.json"
PLANS = {entry["id"]: entry for entry in json.loads(GOLDEN.read_text(encoding="utf-8"))}


def judged(entry):
    said = entry["judge"]
    scores = {
        name: {"reasoning": "as printed", "score": said[name], "confidence": 0.9}
        for name in ("completeness", "consistency", "groundedness")
    }
    return scores | {"issues": said.get("issues", [])}


def run(example, attempts, policy):
    """The loop over an example: the planner and the judge say what the document says they said."""
    entries = [PLANS[f"{example}-attempt-{number}"] for number in range(1, attempts + 1)]
    plans, prompts = iter([entry["case"]["subject"] for entry in entries]), []

    def plan_it(feedback=None):
        prompts.append(feedback)
        return next(plans)

    case = Case.from_dict(entries[0]["case"])
    case = replace(case, id=example, context={**case.context, "policy": policy})
    judge = ScriptedJudge([judged(entry) for entry in entries])
    store = MemoryStore()
    verifier = Verifier(store=store, services={"judges": OneJudge(judge)})
    result = asyncio.run(verifier.revise(plan_it, case, checkpoint="decomposition"))
    assert asyncio.run(audit(store)).faults == []
    return result, prompts, judge


@pytest.fixture(scope="module")
def example_2():
    return run("example-2", 2, {})


@pytest.fixture(scope="module")
def example_3():
    return run("example-3", 3, {"profile": "original"})


def words(result):
    return [write_plan(older_verdict(attempt.record))["verdict"] for attempt in result.attempts]


def test_example_2_is_tried_again_with_feedback_and_passes(example_2):
    result, _, _ = example_2
    assert words(result) == ["RETRY", "PASS"]  # req: S0-039
    assert [attempt.record.score for attempt in result.attempts] == [0.68, 0.9]  # req: C01
    assert (result.action, result.passed, len(result.output["subgoals"])) == ("accept", True, 6)
    assert result.record.parent == result.attempts[0].record.id


def test_the_planner_of_example_2_is_told_what_the_document_prints(example_2):
    _, (first, feedback), _ = example_2
    assert first is None
    assert feedback.startswith("PREVIOUS ATTEMPT FEEDBACK:\n")
    assert feedback.endswith("Please address the above issues in your revised decomposition.")  # req: S0-052
    assert "> Implement user registration with email verification" in feedback  # req: S0-042
    assert '> "description": "Create user table"' in feedback.replace(">    ", "> ")  # req: S0-043
    for name, score in {"completeness": 0.5, "consistency": 0.9, "groundedness": 0.8, "routability": 0.7}.items():
        assert f"- {name}: {score:g}\n" in feedback  # req: S0-044
    assert "low: completeness 0.5." in feedback.split("Original query")[0]  # req: S0-047


def test_example_2_names_every_issue_and_suggestion_of_the_judge(example_2):
    _, (_, feedback), _ = example_2
    for issue in PLANS["example-2-attempt-1"]["judge"]["issues"]:
        assert issue["issue"] in feedback  # req: S0-045
        assert issue["suggestion"] in feedback  # req: S0-046
    assert "database-agent" in feedback
    assert "Examples:" not in feedback  # req: S0-048


def test_example_3_fails_after_two_retries(example_3):
    result, _, judge = example_3
    assert words(result) == ["RETRY", "RETRY", "FAIL"]  # req: C02
    assert len(judge.asked) == 3
    assert [attempt.record.attempt for attempt in result.attempts] == [1, 2, 3]  # req: C04
    assert result.attempts[2].record.score == 0.58  # req: S0-119
    assert result.attempts[2].record.action == "abort"  # req: S0-050
    assert result.action == "abort"


def test_every_attempt_of_example_3_is_read_with_the_same_option(example_3):
    result, _, judge = example_3
    options = {
        said.details["option"] for a in result.attempts for said in a.record.results if said.check == "plan_review"
    }
    assert options == {"B"}  # req: S0-010
    assert len({question.prompt for question in judge.asked}) == 1


def test_the_second_retry_of_example_3_is_told_more_with_examples(example_3):
    _, (_, basic, detailed), _ = example_3
    assert "Examples:" not in basic  # req: S0-048
    assert "Examples:\n- " in detailed  # req: S0-049
    assert "Not met:" in detailed
    assert len(detailed) > len(basic)


PRINTED = {
    "error": "Unable to decompose query into actionable subgoals after 2 retries",
    "overall_score": 0.58,
    "issues": [
        "Query is too complex for automatic decomposition",
        "Requires deep domain expertise in distributed systems",
        "Missing clear requirements for Raft implementation specifics",
    ],
    "suggestions": [
        "Break query into smaller parts (e.g., start with 'Implement leader election in Raft')",
        "Provide more context about existing system architecture",
        "Consider using a reference implementation as a starting point",
    ],
}


def test_example_3_ends_with_the_payload_of_the_document_to_the_letter(example_3):
    result, _, _ = example_3
    payload = error_payload(result.attempts[2].record)
    assert {name: payload[name] for name in PRINTED} == PRINTED  # req: S0-058
    assert payload["error"] == PRINTED["error"]  # req: S0-054
    assert payload["verdict"] == "FAIL"  # req: S0-055
    assert payload["overall_score"] == 0.58  # req: S0-056
    assert payload["suggestions"] == PRINTED["suggestions"]  # req: S0-059
    assert set(payload) == {*PRINTED, "verdict", "scores"}  # req: S0-119


def test_that_example_3_gives_no_order_is_an_issue_in_its_record(example_3):
    record = example_3[0].attempts[2].record
    assert any("no execution order is given" in finding.message for finding in record.findings)  # req: C15
    assert "FAIL" in error_payload(record)["verdict"]


def test_in_our_own_profile_the_missing_order_is_told_with_the_rest():
    entry = PLANS["example-3-attempt-3"]
    verifier = Verifier(services={"judges": OneJudge(ScriptedJudge([judged(entry)]))})
    issues = error_payload(verifier.verify_sync(Case.from_dict(entry["case"]), attempt=3))["issues"]
    assert any("no execution order is given" in issue for issue in issues)  # req: C15
