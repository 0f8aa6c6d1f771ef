"""Answer relevancy, context precision and context recall: each tells, or abstains."""

import asyncio

import pytest

from witnessmark import Case, Verifier
from witnessmark.checks.measures.retrieval_measures import (
    answer_relevancy,
    context_precision,
    context_recall,
    faithfulness,
)
from witnessmark.core.errors import BudgetError, JudgeReplyError, UsageError
from witnessmark.core.policy import Policy
from witnessmark.judges.scripted_judge import ScriptedJudge


def case(text="", goal="", sources=(), reference=None, **context):
    evidence = [{"id": f"d{n}", "text": source} for n, source in enumerate(sources, 1)]
    return Case.from_dict(
        {
            "subject": {"kind": "answer", "text": text},
            "goal": goal,
            "evidence": evidence,
            "context": context,
            "reference": reference,
        }
    )


@pytest.mark.parametrize(
    ("goal", "text", "status"),
    [
        ("How much did revenue grow in 2025?", "Revenue grew 14 % in 2025.", "pass"),
        ("How much did revenue grow?", "The company has nice offices in Lyon.", "partial"),
        ("Who leads the company?", "Maria Lopes has led the company since 2019.", "pass"),
        ("Who leads the company?", "the company is led well.", "partial"),
        ("When did it open?", "I cannot answer that.", "partial"),
        ("Why is the sky blue?", "Air scatters short waves more.", "abstain"),
        ("", "Revenue grew.", "abstain"),
        ("When does the museum open?", "The museum opens at 9.", "pass"),
        ("When does the museum open?", "The museum opens from 9 to 17 [s1].", "pass"),
        ("When does the train leave?", "The train leaves at half past ten.", "pass"),
        ("When is the market?", "The market is on Sundays.", "pass"),
        ("When does the course end?", "The course ends at 3 pm.", "pass"),
        ("When is a refund paid?", "A refund is paid after the item is returned.", "pass"),
        ("Wann öffnet das Museum?", "Das Museum öffnet um 9.", "pass"),
        ("When does the museum open?", "The museum opens in 9 towns.", "partial"),
        ("When does the museum open?", "The museum opens its doors at 9 places.", "partial"),
        ("When does the museum open?", "The museum has a cafe.", "partial"),
        ("How much is entry?", "Entry is free.", "pass"),
        ("How much is entry?", "Entry is through the garden.", "partial"),
        ("How often is the filter changed?", "The filter is changed daily.", "pass"),
        ("How often is the filter changed?", "The filter is changed by hand.", "partial"),
        ("Where is the exit?", "The exit is behind the cafe.", "pass"),
        ("Where is the exit?", "The exit is green.", "partial"),
        ("Who leads the team?", "The finance director leads the team.", "pass"),
        ("Who wrote the report?", "The report was written by the board.", "pass"),
        ("Whose idea was it?", "the idea was good.", "partial"),
    ],
)
def test_answer_relevancy(goal, text, status):
    assert answer_relevancy()(case(text, goal), {}).status == status


REVENUE, OFFICES, RAIN = "Revenue grew 14 % in 2025.", "Revenue of the offices grew in Lyon.", "It rained on the coast."


def test_context_precision_counts_what_is_needed_and_its_rank():
    goal = "How much did revenue grow in 2025?"
    first = context_precision()(case("Revenue grew 14 % in 2025.", goal, [REVENUE, RAIN, RAIN + " Again."]), {})
    last = context_precision()(case("Revenue grew 14 % in 2025.", goal, [RAIN, RAIN + " Again.", REVENUE]), {})
    assert (first.status, first.score, first.details["not_needed"]) == ("pass", 1.0, ["d2", "d3"])
    assert (last.status, round(last.score, 3)) == ("partial", 0.333)
    none = context_precision()(case("Revenue grew.", goal), {})
    assert (none.status, none.cause) == ("abstain", "no_evidence")


def test_context_recall_against_a_reference():
    reference = "Revenue grew 14 % in 2025. Headcount was 410."
    half = context_recall(threshold=0.7)(case(sources=[REVENUE, OFFICES], reference=reference), {})
    assert (half.status, half.score) == ("partial", 0.5)
    assert [claim.text for claim in half.claims] == ["Headcount was 410."]
    whole = context_recall()(case(sources=[REVENUE, "Headcount was 410."], reference=reference), {})
    assert (whole.status, whole.score) == ("pass", 1.0)
    without = context_recall()(case(sources=[REVENUE]), {})
    assert (without.status, without.cause) == ("abstain", "no_criteria")
    assert context_recall()(case(reference=reference), {}).cause == "no_evidence"
    alone = context_recall(reference="Revenue grew 14 % in 2025.")(case(sources=[REVENUE], reference=reference), {})
    assert (alone.status, alone.score) == ("pass", 1.0), "one of its own is for this measure alone"


@pytest.mark.parametrize("name", ["reference", "expected", "ground_truth"])
def test_recall_is_measured_by_the_reference_of_the_case_by_any_of_its_names(name):
    made = {"question": "How did they do?", "answer": REVENUE, "contexts": [REVENUE], name: REVENUE}
    assert context_recall()(Case.from_dict(made), {}).status == "pass"


def test_a_reference_in_the_context_is_told_its_place():
    old = Case.from_dict({"answer": REVENUE, "contexts": [REVENUE], "context": {"reference": REVENUE}})
    assert "move context.reference there" in context_recall()(old, {}).reason


def test_recall_goes_by_the_model_where_one_is_handed_in():
    class Sure:
        id, version = "sure", "1"

        def support(self, pairs):
            return [0.999] * len(pairs)

    asked = case(sources=[OFFICES], reference="Several branches abroad earned more.")
    assert context_recall()(asked, {}).score == 0.0
    assert context_recall(model=Sure())(asked, {}).score == 1.0


# --- where words cannot tell, a judge -----------------------------------------------------------------------------------


class Judges:
    """A bench of one, or of nobody."""

    def __init__(self, *answers):
        self.judge = ScriptedJudge(answers) if answers else None

    def pick(self, executor_model, *, stakes="normal", purpose="", named=None):
        if self.judge is None:
            raise UsageError("nobody may judge this")
        return self.judge

    def independence(self, judge, executor_model):
        return "family"


def judged(make, asked, *answers, **more):
    bench = Judges(*answers)
    return asyncio.run(make(judges=bench, **more)(asked, {})), bench.judge


WHY = ("Air scatters short waves more.", "Why is the sky blue?")


@pytest.mark.parametrize(
    ("word", "status", "score"),
    [("yes", "pass", 1.0), ("partly", "pass", 0.5), ("no", "partial", 0.0), ("unclear", "abstain", None)],
)
def test_a_judge_says_whether_the_answer_addresses_the_question(word, status, score):
    result, judge = judged(answer_relevancy, case(*WHY), {"addresses": word})
    assert (result.status, result.score, result.judge) == (status, score, judge.id)
    assert result.independence == "family"
    assert "Why is the sky blue?" in judge.asked[0].user


def test_a_judge_is_not_asked_where_words_tell_and_not_where_none_may_be():
    plain, judge = judged(
        answer_relevancy, case("Revenue grew 14 %.", "How much did revenue grow?"), {"addresses": "no"}
    )
    assert (plain.status, judge.asked) == ("pass", [])
    nobody, _ = judged(answer_relevancy, case(*WHY))
    assert (nobody.status, nobody.cause) == ("abstain", "undecided")
    asked = case(*WHY, skip_judges=True)
    skipped, judge = judged(answer_relevancy, asked, {"addresses": "yes"}, policy=Policy())
    assert (skipped.status, judge.asked) == ("abstain", [])


def test_a_judge_that_is_too_dear_leaves_it_open_and_one_that_babbles_is_an_error():
    dear, _ = judged(answer_relevancy, case(*WHY), BudgetError("nothing left"))
    assert (dear.status, dear.cause) == ("abstain", "undecided")
    with pytest.raises(JudgeReplyError):
        judged(answer_relevancy, case(*WHY), {"addresses": "perhaps"})


def test_a_judge_says_which_other_sources_are_needed_and_must_quote_them():
    goal, text = "How much did revenue grow in 2025?", "Revenue grew 14 % in 2025."
    asked = case(text, goal, [RAIN, "Turnover was up by a seventh.", REVENUE])
    said = [
        {"number": 1, "needed": "yes", "quote": "words that are not there"},
        {"number": 2, "needed": "yes", "quote": "up by a seventh"},
    ]
    result, judge = judged(context_precision, asked, {"sources": said})
    assert result.details["not_needed"] == ["d1"]
    assert result.details["needed"] == 2
    assert REVENUE not in judge.asked[0].user.replace(text, "")


def test_a_judge_is_asked_about_the_claims_of_the_reference_that_are_open():
    asked = case(sources=[OFFICES], reference="Several branches abroad earned more.")
    entry = {"number": 0, "status": "supported", "evidence": "offices grew in Lyon"}
    result, judge = judged(context_recall, asked, {"claims": [entry]})
    assert (result.judge, len(judge.asked), result.confidence_source) == (judge.id, 1, "reported")
    lower, _ = judged(context_recall, asked, {"claims": [entry | {"evidence": "nowhere to be found"}]})
    assert lower.score == 0.0


# --- all four as criteria of a task --------------------------------------------------------------------------------------


def test_the_four_measures_stand_as_criteria_of_a_task():
    asked = Case.from_dict(
        {
            "subject": {"kind": "task_output", "text": "Revenue grew 14 % in 2025. Headcount fell in Peru."},
            "goal": "How much did revenue grow in 2025?",
            "evidence": [{"id": "d1", "text": REVENUE}, {"id": "d2", "text": RAIN}],
            "criteria": [
                {"check": "faithfulness", "value": 0.9},
                {"check": "answer_relevancy"},
                {"check": "context_precision"},
                {"check": "context_recall"},
            ],
            "reference": REVENUE,
        }
    )
    record = Verifier().verify_sync(asked, checkpoint="task")
    found = {result.check: result for result in record.results}
    assert (found["faithfulness"].status, found["faithfulness"].score) == ("partial", 0.5)  # req: S2-024
    assert found["answer_relevancy"].status == "pass"  # req: S2-024
    assert (found["context_precision"].score, found["context_recall"].score) == (1.0, 1.0)  # req: S2-024


def test_faithfulness_fails_on_a_contradiction_and_abstains_without_evidence():
    wrong = faithfulness()(case("Revenue grew 40 % in 2025.", sources=[REVENUE]), {})
    assert (wrong.status, wrong.score) == ("fail", 0.0)
    none = faithfulness()(case("Revenue grew 40 % in 2025."), {})
    assert (none.status, none.cause) == ("abstain", "no_evidence")
