"""Answer relevancy, context precision and context recall: each tells, or abstains."""

import pytest

from trueline import Case
from trueline.checks.measures import answer_relevancy, context_precision, context_recall


def case(text="", goal="", sources=(), **context):
    evidence = [{"id": f"d{n}", "text": source} for n, source in enumerate(sources, 1)]
    return Case.from_dict(
        {"subject": {"kind": "answer", "text": text}, "goal": goal, "evidence": evidence, "context": context}
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
    half = context_recall(value=0.7)(case(sources=[REVENUE, OFFICES], reference=reference), {})
    assert (half.status, half.score) == ("partial", 0.5)
    assert [claim.text for claim in half.claims] == ["Headcount was 410."]
    whole = context_recall()(case(sources=[REVENUE, "Headcount was 410."], reference=reference), {})
    assert (whole.status, whole.score) == ("pass", 1.0)
    without = context_recall()(case(sources=[REVENUE]), {})
    assert (without.status, without.cause) == ("abstain", "no_criteria")
    assert context_recall()(case(reference=reference), {}).cause == "no_evidence"


def test_recall_goes_by_the_model_where_one_is_handed_in():
    class Sure:
        id, version = "sure", "1"

        def support(self, pairs):
            return [0.999] * len(pairs)

    asked = case(sources=[OFFICES], reference="Several branches abroad earned more.")
    assert context_recall()(asked, {}).score == 0.0
    assert context_recall(model=Sure())(asked, {}).score == 1.0
