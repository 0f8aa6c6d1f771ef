"""What the checkpoints of an orchestrated run are made of, and that they share one kind of claim."""

from __future__ import annotations

from pathlib import Path

import pytest

from witnessmark import Case, Verifier
from witnessmark.checks.plan.bands import band
from witnessmark.core.verdict import Claim, grade

CASES = Path(__file__).parents[2] / "examples" / "cases"


def load(name):
    return Case.from_json((CASES / f"{name}.json").read_bytes())


def claims(name):
    return Verifier().verify_sync(load(name)).claims


def test_a_plan_is_weighed_in_four_dimensions_and_blocked_by_structure():
    nodes = {node.name: node for node in Verifier().graph_of(load("decomposition-sound")).nodes}
    weights = {name.removeprefix("plan_"): node.weight for name, node in nodes.items() if node.weight}
    assert weights == {"completeness": 0.4, "consistency": 0.2, "groundedness": 0.2, "routability": 0.2}
    assert set(weights) == {"completeness", "consistency", "groundedness", "routability"}  # req: S0-002
    assert [name for name, node in nodes.items() if node.must_pass] == ["plan_structure", "plan_blockers"]


@pytest.mark.parametrize("name", ["completeness", "consistency", "groundedness", "routability"])
def test_the_bands_of_a_dimension_are_half_open(name):
    edges = [(0.9, 1.0), (0.7, 0.899999), (0.5, 0.699999), (0.0, 0.499999)]
    words = [{band(name, score) for score in edge} for edge in edges]
    assert [len(said) for said in words] == [1, 1, 1, 1]  # req: C05
    assert len(set().union(*words)) == 4


def test_the_bands_of_the_grade_are_half_open():
    edges = [
        (0.85, 1),
        (0.75, 0.849999),
        (0.7, 0.749999),
        (0.6, 0.699999),
        (0.5, 0.599999),
        (0.3, 0.499999),
        (0, 0.299999),
    ]
    words = [{grade(score) for score in edge} for edge in edges]
    assert [len(said) for said in words] == [1] * 7  # req: C05
    assert len(set().union(*words)) == 7


def test_an_answer_that_rests_on_the_agents_goes_on_and_an_invented_one_goes_back():
    verifier = Verifier()
    records = [verifier.verify_sync(load(name)) for name in ("synthesis-traceable", "synthesis-invented")]
    assert [record.action for record in records] == ["accept", "retry"]  # req: S0-004
    assert "promised version 4" in records[1].findings[0].quote


def test_one_claim_engine_links_to_passage_agent_output_and_trace():
    linked = {
        name: [ref.id for claim in claims(name) for ref in claim.evidence[:1]]
        for name in ("answer-borne-out", "synthesis-traceable", "actions-tests-ran")
    }
    assert linked == {
        "answer-borne-out": ["d1", "d2"],
        "synthesis-traceable": ["a1", "a2"],
        "actions-tests-ran": ["t1"],
    }  # req: C64
    wrong = [claim.status for name in ("answer-wrong-figure", "synthesis-invented") for claim in claims(name)]
    assert wrong == ["contradicted", "supported", "supported", "unsupported"]


def test_claims_in_words_and_claims_about_what_was_done_are_one_type_with_a_kind():
    said, done = claims("answer-borne-out")[0], claims("actions-tests-ran")[0]
    assert type(said) is type(done) is Claim
    assert (said.kind, done.kind) == ("text", "command")  # req: C65
