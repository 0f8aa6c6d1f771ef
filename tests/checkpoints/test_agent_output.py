"""An agent's output through its checkpoint: use it, try again, switch, go on with a part, or stop."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from witnessmark import Case, Verifier
from witnessmark.core.errors import InputError, JudgeReplyError
from witnessmark.judges.scripted_judge import ScriptedJudge
from witnessmark.testing import OneJudge, faults, scores

AGENTS = [
    {"name": "scanner", "capabilities": ["scan"]},
    {"name": "auditor", "capabilities": ["scan", "audit"]},
    {"name": "painter", "capabilities": ["paint"]},
]


def case(confidence=0.9, *, critical=False, agents=None, needs=(), made_by="scanner", **changed):
    subject = {
        "kind": "agent_output",
        "summary": "Two of 14 endpoints lack authentication: GET /health and POST /import.",
        "data": {"endpoints": 2},
        "confidence": confidence,
        "tools_used": ["grep"],
        "metadata": {},
    }
    subgoal = {"id": "s", "description": "Find them", "agent": made_by, "critical": critical, "needs": list(needs)}
    context = {"subgoal": subgoal} | ({"agents": agents} if agents is not None else {})
    return Case(goal="Which endpoints lack authentication?", subject=subject | changed, context=context)


def verify(made, *, attempt=1, judge=None, letter=False):
    """The record; to the letter of the documents, the agent's own number counts."""
    policy = {"profile": "original"} if letter else None
    verifier = Verifier(policy=policy, services={"judges": OneJudge(judge)} if judge else {})
    return verifier.verify_sync(made, attempt=attempt)


def answering(*, unless, mark=5):
    """Answers every question but the one whose reply has this field: there the judge breaks."""

    def answer(question):
        asked = question.reply_schema["required"]
        if unless in asked:
            return JudgeReplyError("no JSON in it")
        if "claims" not in asked:
            return scores({"*": mark})(question)
        quote = BACKED[0]["output"]
        borne_out = {"number": 1, "claim": quote, "reasoning": "said", "status": "supported", "evidence": quote}
        return {"claims": [borne_out], "suggested_corrections": [], "is_grounded": True, "overall_confidence": 1}

    return answer


BACKED = [
    {
        "id": "t1",
        "kind": "tool_call",
        "name": "grep",
        "output": "Two of 14 endpoints lack authentication: GET /health and POST /import.",
    }
]


def test_to_the_letter_sure_and_well_formed_is_used():
    record = verify(case(0.7), letter=True)
    assert (record.outcome, record.action, record.score) == ("pass", "accept", 0.7)  # req: S0-072
    assert (record.confidence, record.confidence_source) == (0.7, "reported")


def test_an_agents_own_word_verifies_nothing_and_what_its_tools_gave_back_does():
    record = verify(case(0.99))
    assert (record.outcome, record.unverified_because, record.score) == ("unverified", "no_evidence", None)
    backed = verify(replace(case(0.9), evidence=BACKED))
    assert (backed.outcome, backed.action, backed.score) == ("pass", "accept", 1.0)


@pytest.mark.parametrize("confidence", [0.0, 0.3, 0.49, 0.69])
def test_an_unsure_agent_fails_nothing_that_its_tools_bear_out_and_nothing_that_nobody_checked(confidence):
    backed = verify(replace(case(confidence, critical=True), evidence=BACKED))
    assert (backed.outcome, backed.action, backed.score) == ("pass", "accept", 1.0)
    alone = verify(case(confidence, critical=True))
    assert (alone.outcome, alone.action) == ("unverified", "escalate")


@pytest.mark.parametrize(
    "summary",
    [
        "Traceback (most recent call last):\n  File 'run.py', line 88\nHTTPError: 503 Server Error",
        "I'm sorry, but I was not able to complete this request.",
        "The task has been approached in a structured manner and the relevant aspects were considered thoroughly.",
        "The best season to visit the valley is late May, when the orchards bloom.",
        "Nine of 14 endpoints lack authentication: GET /health and POST /import.",
    ],
)
def test_junk_does_not_pass_however_sure_its_agent_is(summary):
    assert verify(replace(case(0.99, critical=True, summary=summary), evidence=BACKED)).outcome != "pass"


def test_a_figure_in_the_data_that_no_source_has_keeps_it_from_passing():
    record = verify(replace(case(0.99, data={"endpoints": 41}), evidence=BACKED))
    assert record.outcome == "partial"
    assert any(finding.quote == "endpoints: 41" for finding in record.findings)


@pytest.mark.parametrize("data", [{"endpoints": 7}, {"note": "731 endpoints"}, {"deep": [{"share": 12.5}]}])
def test_every_figure_of_the_data_counts_however_small_and_also_in_a_text(data):
    assert verify(replace(case(0.99, data=data), evidence=BACKED)).outcome == "partial"


@pytest.mark.parametrize(
    "data", [{"names": ["a", "b", "c"], "n": 3}, {"n": 14}, {"ok": True, "errors": 0}, {"on": "2026-03-04"}]
)
def test_a_figure_that_a_source_has_or_that_counts_what_is_listed_is_backed(data):
    assert verify(replace(case(0.9, data=data), evidence=BACKED)).outcome == "pass"


def test_a_call_that_failed_and_a_tool_without_a_call_are_told():
    failed = [BACKED[0] | {"exit_code": 1}]
    record = verify(replace(case(0.9, tools_used=["grep", "nmap"]), evidence=failed))
    told = {finding.quote: finding.category for finding in record.findings if finding.severity == "warning"}
    assert told == {"grep": "wrong_exit_code", "nmap": "not_in_trace"}
    assert verify(replace(case(0.9), evidence=BACKED)).findings == ()


def test_half_sure_goes_to_another_able_agent():
    record = verify(case(0.6, agents=AGENTS, needs=["scan"]), letter=True)
    assert (record.outcome, record.action) == ("partial", "switch")  # req: S0-073
    assert record.feedback is not None


@pytest.mark.parametrize(
    ("agents", "needs"), [(None, []), (AGENTS[:1], ["scan"]), ([AGENTS[0], AGENTS[2]], ["scan"]), (AGENTS, ["sing"])]
)
def test_where_nobody_else_can_the_same_agent_tries_again(agents, needs):
    assert verify(case(0.6, agents=agents, needs=needs), letter=True).action == "retry"


def test_nobody_is_switched_to_where_it_is_unknown_who_had_it():
    assert verify(case(0.6, agents=AGENTS, made_by=""), letter=True).action == "retry"


def test_unsure_goes_into_the_synthesis_as_a_part_with_a_warning():
    record = verify(case(0.4, agents=AGENTS), letter=True)
    assert (record.outcome, record.action, record.degraded) == ("fail", "warn", True)  # req: S0-074
    assert verify(case(0.6), attempt=3, letter=True).degraded


def test_a_critical_subgoal_that_fails_ends_the_run():
    record = verify(case(0.4, critical=True), letter=True)
    assert (record.outcome, record.action) == ("fail", "abort")  # req: S0-075
    assert verify(faults.inject(case(critical=True), "drop_data"), attempt=3).action == "abort"  # req: S0-063


@pytest.mark.parametrize("word", ["yes", 1, "true"])
def test_a_word_in_place_of_true_is_no_reason_to_go_on_with_a_critical_subgoal(word):
    """It was not heard, and a critical output that failed went on as a part with a warning."""
    with pytest.raises(InputError, match="context.subgoal.critical: must be true or false"):
        verify(case(0.4, critical=word), letter=True)


def test_a_broken_form_is_tried_again_however_sure_the_agent_is_and_then_degraded():
    """Resolution C06: sure of an output of the wrong form matched no verdict."""
    broken = faults.inject(case(0.95), "tools_as_text")
    assert [verify(broken, attempt=n).action for n in (1, 2, 3)] == ["retry", "retry", "warn"]  # req: C06
    assert verify(broken).outcome == "fail"


def test_what_breaks_off_is_tried_again_and_no_judge_is_asked():
    judge = ScriptedJudge(scores({"*": 5}))
    record = verify(faults.inject(case(), "truncate"), judge=judge)
    assert (record.outcome, record.action) == ("fail", "retry")
    assert judge.asked == []


def test_a_judge_says_whether_it_addresses_the_subgoal_and_the_lower_counts():
    judge = ScriptedJudge(scores({"*": 1}))
    record = verify(case(0.95), judge=judge)
    assert record.score == 0.0  # req: S0-069
    assert "Which endpoints lack authentication?" in judge.asked[0].user
    assert record.outcome == "partial"  # an uncalibrated judge alone fails nothing
    agreed = verify(case(0.9), judge=ScriptedJudge(scores({"*": 5})))
    assert (agreed.outcome, agreed.score) == ("pass", 1.0)


@pytest.mark.parametrize("breaks", ["claims", "addresses"])
def test_where_one_of_two_questions_was_not_answered_the_other_does_not_carry_a_pass(breaks):
    """A lie passed where the judge's word on the claims could not be read, since it found the output to the point."""
    judge = ScriptedJudge(answering(unless=breaks))
    lie = replace(case(summary="The auditors praised the team for its careful work.", data={}), evidence=BACKED)
    for made in (lie, replace(case(), evidence=BACKED)):
        record = verify(made, judge=judge)
        assert (record.outcome, record.unverified_because, record.score) == ("unverified", "judge_error", None)


def test_what_was_found_short_stands_although_another_question_was_not_answered():
    record = verify(replace(case(), evidence=BACKED), judge=ScriptedJudge(answering(unless="claims", mark=1)))
    assert (record.outcome, record.score) == ("partial", 0.0)


def test_what_is_still_running_is_not_verified():
    record = verify(case(summary="", metadata={"status": "running"}))
    assert (record.outcome, record.unverified_because, record.action) == (
        "unverified",
        "skipped",
        "warn",
    )


def test_the_users_policy_wins_over_what_the_case_suggests():
    made = case(agents=AGENTS, needs=["scan"], summary="Two were found. This analysis is only partial.")
    assert verify(made).action == "switch"
    made = Case(goal=made.goal, subject=made.subject, context={**made.context, "policy": {"revise_with": "retry"}})
    assert verify(made).action == "retry"


def test_two_cases_with_different_stakes_do_not_share_a_policy():
    verifier = Verifier(policy={"profile": "original"})
    records = [verifier.verify_sync(case(0.4, critical=critical)) for critical in (False, True, False)]
    assert {record.outcome for record in records} == {"fail"}
    assert [record.action for record in records] == ["warn", "abort", "warn"]  # req: C08


def test_a_case_without_a_goal_does_not_borrow_the_graph_of_one_with_a_goal():
    verifier = Verifier()
    criteria = ({"check": "min_length", "value": 3},)
    made = case()
    with_goal = Case(goal=made.goal, subject=made.subject, criteria=criteria)
    without = Case(subject=made.subject, criteria=criteria)
    nodes = [[n.name for n in verifier.graph_of(c).nodes] for c in (with_goal, without)]
    assert "output_addresses" in nodes[0]
    assert "output_addresses" not in nodes[1]
