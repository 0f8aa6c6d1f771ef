"""The error a failed plan is answered with, field for field."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from witnessmark import Case, Verifier
from witnessmark.compat.plan import error_payload
from witnessmark.core.errors import InputError
from witnessmark.judges.scripted_judge import ScriptedJudge
from witnessmark.testing import OneJudge, faults

GOLDEN = json.loads((Path(__file__).parents[1] / "fixtures" / "golden" / "plans.json").read_text(encoding="utf-8"))


def record_of(name, **more):
    entry = next(entry for entry in GOLDEN if entry["id"] == name)
    scored = {
        key: {"reasoning": "r", "score": entry["judge"][key], "confidence": 0.9}
        for key in ("completeness", "consistency", "groundedness")
    }
    judge = ScriptedJudge(lambda question: scored | {"issues": entry["judge"]["issues"]})
    case = Case.from_dict(entry["case"])
    case = replace(case, context={**case.context, "policy": {"profile": "original"}})
    return Verifier(services={"judges": OneJudge(judge)}).verify_sync(case, attempt=entry["attempt"], **more)


def test_the_payload_of_a_failed_plan():
    payload = error_payload(record_of("error-payload"))
    assert list(payload) == ["error", "verdict", "overall_score", "scores", "issues", "suggestions"]
    assert payload["error"] == "Decomposition verification failed"  # req: S0-054
    assert payload["verdict"] == "FAIL"  # req: S0-055
    assert payload["overall_score"] == 0.42  # req: S0-056
    scores = {"completeness": 0.3, "consistency": 0.6, "groundedness": 0.4, "routability": 0.5}
    assert payload["scores"] == scores  # req: S0-057
    issues = ["Decomposition missing 3 key aspects: error handling, testing, documentation", "Subgoal 2 and 5 have contradictory technical approaches", "Assumes agent 'specialized-deployer' exists (not in registry)"]  # fmt: skip
    assert payload["issues"][:3] == issues  # req: S0-058
    advice = ["Rephrase query to be more specific about requirements", "Break into smaller sub-queries (e.g., separate auth implementation from rate limiting)", "Provide more context about existing codebase structure"]  # fmt: skip
    assert payload["suggestions"][:3] == advice  # req: S0-059


def test_what_was_computed_stands_beside_what_the_judge_said():
    payload = error_payload(record_of("error-payload"))
    assert "a subgoal goes to an agent that is not in the registry: sg6: specialized-deployer" in payload["issues"]


def test_the_payload_after_two_retries():
    payload = error_payload(record_of("example-3-attempt-3"))
    assert payload["error"] == "Unable to decompose query into actionable subgoals after 2 retries"
    assert (payload["verdict"], payload["overall_score"]) == ("FAIL", 0.58)
    wanted = next(e for e in GOLDEN if e["id"] == "example-3-attempt-3")["judge"]["issues"]
    assert [issue["issue"] for issue in wanted] == [i for i in payload["issues"] if "execution order" not in i]
    assert [issue["suggestion"] for issue in wanted] == [
        s for s in payload["suggestions"] if "execution_order" not in s
    ]


def test_what_is_not_settled_is_null():
    case = faults.inject(Case.from_dict(GOLDEN[0]["case"]), "cycle")
    payload = error_payload(Verifier().verify_sync(case))
    assert payload["scores"]["completeness"] is None
    assert payload["scores"]["consistency"] == 0.0
    assert "subgoals wait for each other in a cycle" in payload["issues"][0]
    json.dumps(payload, allow_nan=False)


def test_there_is_no_error_for_what_passed_or_is_no_plan():
    with pytest.raises(InputError, match="passed"):
        error_payload(record_of("example-1"))
    other = Verifier().verify_sync(Case(subject={"kind": "answer", "text": ""}))
    with pytest.raises(InputError, match="decomposition"):
        error_payload(other)
