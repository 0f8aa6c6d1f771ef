"""Who may judge what one model planned. Where the checkpoints stand in a run is in tests/loop/test_orchestration.py."""

from __future__ import annotations

import re

import pytest

from witnessmark import Case, Settings, Verifier
from witnessmark.core.errors import ConfigError
from witnessmark.judges.pool import JudgePool
from witnessmark.testing import OneJudge, ScriptedJudge

AGENTS = [{"name": "reader", "capabilities": ["read"]}, {"name": "writer", "capabilities": ["write"]}]
PLAN = {
    "goal": "Say what the report found",
    "subgoals": [
        {"id": "sg1", "description": "Read the report", "agent": "reader", "needs": ["read"]},
        {"id": "sg2", "description": "Write down its finding", "agent": "writer", "needs": ["write"], "depends_on": ["sg1"]},
    ],
    "execution_order": [{"phase": "sequential", "subgoals": ["sg1"]}, {"phase": "sequential", "subgoals": ["sg2"]}],
}  # fmt: skip

FOUND = "The load test held 5 kN per square metre for 24 hours."


def review(**scores):
    said = {
        name: {"reasoning": "read", "score": 0.9, "confidence": 0.9}
        for name in ("completeness", "consistency", "groundedness")
    }
    return said | {"issues": []} | scores


# --- one model that plans and judges ---------------------------------------------------------------------------------


def judged_by_its_maker(complexity, *, allowed=True, **policy):
    judge = ScriptedJudge(lambda q: review(), id="gpt-4o", family="openai")
    judge.model = "gpt-4o"
    bench = JudgePool([judge], named=True, allow_same_family=allowed)
    case = Case(
        goal=PLAN["goal"],
        subject={"kind": "decomposition", **PLAN},
        executor={"model": "gpt-4o"},
        context={"agents": AGENTS, "complexity": complexity},
    )
    record = Verifier(Settings(policy=policy), services={"judges": bench}).verify_sync(case)
    return record, next(said for said in record.results if said.check == "plan_review")


@pytest.mark.parametrize("allowed", [True, False])
def test_the_same_model_reviews_a_medium_plan_as_option_a_and_the_record_says_so(allowed):
    record, said = judged_by_its_maker("MEDIUM", allowed=allowed)
    assert (said.details["option"], said.independence) == ("A", "prompt")  # req: S0-106
    assert record.independence == "prompt"  # req: C13


@pytest.mark.parametrize("level", ["model", "family"])
def test_what_the_policy_asks_for_decides_who_counts(level):
    record, said = judged_by_its_maker("COMPLEX", independence=level)
    assert said.details["option"] == "B"
    completeness = next(one for one in record.results if one.check == "plan_completeness")
    assert completeness.judge == "gpt-4o"
    assert record.outcome != "pass"  # req: C13
    assert record.score is None or completeness.score != record.score  # its word is told and settles nothing
    fine, _ = judged_by_its_maker("COMPLEX", independence="prompt")
    assert fine.outcome == "pass"  # req: S0-106


def test_without_leave_the_maker_does_not_judge_and_that_is_no_fault_of_the_check():
    record, said = judged_by_its_maker("COMPLEX", allowed=False)
    assert (said.status, said.cause, said.score) == ("error", "no_judge", None)  # req: C13
    assert "allow_same_family" in said.reason
    assert record.outcome != "pass"


class Nobody:
    """Judges of which none may judge."""

    def pick(self, executor_model, *, stakes="normal", purpose="", named=None):
        raise ConfigError("no judge may judge this; configure another")

    def independence(self, judge, executor_model):
        raise AssertionError("nobody was picked")


TALK = {"kind": "discussion", "messages": [{"id": "1", "speaker": "Ana", "text": "We ship on Monday."}], "conclusion": "We ship on Monday."}  # fmt: skip


@pytest.mark.parametrize(
    ("subject", "checkpoint"),
    [
        (TALK, None),
        ({"kind": "answer", "text": "It opens at nine."}, "goal"),
        ({"kind": "decomposition", **PLAN}, None),
        ({"kind": "synthesis", "text": FOUND}, None),
    ],
)
def test_where_nobody_may_judge_every_check_says_so_the_same_way(subject, checkpoint):
    outputs = [{"id": "a1", "kind": "agent_output", "origin": "reader", "text": FOUND}]
    case = Case(goal="Say when it opens", subject=subject, evidence=outputs, context={"agents": AGENTS})
    record = Verifier(services={"judges": Nobody()}).verify_sync(case, checkpoint=checkpoint)
    said = [one for one in record.results if one.cause == "no_judge" and one.status == "error"]
    assert said, [(one.check, one.status, one.cause) for one in record.results]
    assert all(one.cause != "check_error" for one in record.results)


@pytest.mark.parametrize("complexity", ["MEDIUM", "COMPLEX"])
def test_a_judge_of_plans_sees_a_good_a_mediocre_and_a_bad_example_on_the_scale_it_is_asked_for(complexity):
    judge = ScriptedJudge(lambda question: review())
    context = {"agents": AGENTS, "complexity": complexity}
    case = Case(goal=PLAN["goal"], subject={"kind": "decomposition", **PLAN}, context=context)
    Verifier(services={"judges": OneJudge(judge)}).verify_sync(case)
    shown = [float(score) for score in re.findall(r"Score: ([\d.]+) ·", judge.asked[0].user)]
    assert len(shown) == 3
    assert max(shown) >= 0.9  # req: S0-093
    assert [score for score in shown if 0.6 <= score <= 0.7]  # req: S0-105
    assert min(shown) < 0.5


def test_what_a_plan_leaves_out_is_told_by_its_kind():
    kinds = ("missing_error_handling", "missing_tests", "missing_non_functional", "missing_requirements")
    told = [
        {"kind": kind, "subgoal": "", "issue": "left out", "suggestion": "add it", "critical": False} for kind in kinds
    ]
    judge = ScriptedJudge(lambda question: review() | {"issues": told})
    case = Case(goal=PLAN["goal"], subject={"kind": "decomposition", **PLAN}, context={"agents": AGENTS})
    record = Verifier(services={"judges": OneJudge(judge)}).verify_sync(case)
    found = {finding.category for finding in record.findings}
    assert found >= set(kinds)  # req: S0-087


def test_the_page_names_what_option_a_is_good_at_and_what_it_misses(root):
    page = (root / "docs" / "decomposition.md").read_text(encoding="utf-8")
    row = next(line for line in page.splitlines() if line.startswith("| A |"))
    assert "fast, cheap, one call" in row  # req: S0-006
    assert "blind spots" in row  # req: S0-006


def test_a_simple_plan_goes_on_with_a_warning_and_needs_nobody():
    context = {"agents": AGENTS, "complexity": "SIMPLE"}
    judge = ScriptedJudge(lambda question: review())
    case = Case(goal=PLAN["goal"], subject={"kind": "decomposition", **PLAN}, context=context)
    record = Verifier(services={"judges": OneJudge(judge)}).verify_sync(case)
    assert (record.outcome, record.unverified_because, record.action) == (
        "unverified",
        "skipped",
        "warn",
    )  # req: S0-009
    assert judge.asked == []
