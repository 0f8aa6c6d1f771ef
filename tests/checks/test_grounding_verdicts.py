"""What a verdict says: one order of statuses, the source's words beside the wrong ones, a reason for every partial."""

from __future__ import annotations

import pytest

from witnessmark import check_answer
from witnessmark.checks.grounding.decision import fitted, shaped, weights
from witnessmark.core.wrong_words import sentence

BRIDGE = (
    "The Tamsin Bridge was designed by Edith Corran and built between 1887 and 1894. The bridge was damaged by flooding in 1931 and "
    "reopened two years later. Tolls were abolished in 1968. In 2003 it was closed to lorries heavier than 7.5 tonnes."
)
ANSWERS = [
    ("The bridge was built in 1975.", BRIDGE),
    ("Maria Lund designed the bridge. Tolls were abolished in 1968.", BRIDGE),
    ("Tolls were raised in 1968, and lorries heavier than 7.5 tonnes pay double.", BRIDGE),
    ("Osprey supplies 500 bearings a month to Larkfield.", "Larkfield supplies 500 bearings a month to Osprey."),
    ("The minister met the lobbyist.", "The minister denied that she had met the lobbyist."),
    (
        "East sold the most in every quarter, ending the year at 230.",
        "region,q1,q2,q3,q4\nNorth,120,135,128,160\nEast,210,220,215,230\n",
    ),
]


def checked(answer, source, question="What is known?"):
    return check_answer(question=question, answer=answer, sources=[source])


@pytest.mark.parametrize(("answer", "source"), ANSWERS)
def test_statuses_are_ordered_by_probability(answer, source):
    for claim in checked(answer, source).claims:
        low, high = {"supported": (0.5, 1), "partial": (0.5, 1), "unsupported": (0, 0.5), "contradicted": (0, 0.5)}[
            claim.status
        ]
        assert low <= claim.probability <= high, claim


@pytest.mark.parametrize(
    "model", [name for name, fit in weights().items() if isinstance(fit, dict) and "intercept" in fit]
)
@pytest.mark.parametrize("single", [True, False])
def test_the_marks_of_every_model_are_in_that_order(model, single):
    marks = shaped(fitted(model), single=single)
    assert 0.5 <= marks["partial_at"] <= marks["supported_at"]


@pytest.mark.parametrize(("answer", "source"), ANSWERS)
def test_what_is_not_supported_and_has_wrong_words_shows_the_sources(answer, source):
    for finding in checked(answer, source).findings:
        for word in finding.words:
            assert word.closest is not None
            assert "\n" not in sentence(finding)


@pytest.mark.parametrize(
    ("answer", "source", "wrong", "right"),
    [
        ("The 2023 trial found worse sleep.", "A 2023 trial found better sleep.", "worse", "better"),
        ("The maximum group size is 8.", "Tips are extra. Minimum group size is 8.", "maximum", "Minimum"),
    ],
)
def test_an_opposite_in_the_same_place_of_the_same_words_fails(answer, source, wrong, right):
    record = checked(answer, source)
    (word,) = record.findings[0].words
    assert (record.outcome, word.text, word.closest.text) == ("fail", wrong, right)


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("The old model used more bark than the new one.", "The new model needs less bark than the old one."),
        ("Mothers read aloud more often than fathers.", "Fathers read less often than mothers in both towns."),
        ("Tyres are not included.", "Wearing parts such as tyres are excluded."),
    ],
)
def test_an_opposite_that_says_the_same_the_other_way_round_does_not_fail(answer, source):
    assert checked(answer, source).outcome != "fail"


def test_an_answer_of_supported_claims_that_is_not_sure_enough_says_so_and_names_the_weakest():
    answer = (
        "A flood damaged the bridge in 1931, and it did not reopen until 1933. Since 1968 crossing it has been free of charge. "
        "Lorries over 7.5 tonnes have been banned since 2003."
    )
    record = checked(answer, BRIDGE, "Tell me about the bridge.")
    if {claim.status for claim in record.claims} == {"supported"} and record.outcome == "partial":
        assert "likely to hold" in record.reason
        weakest = min(record.claims, key=lambda claim: claim.probability)
        assert record.findings[0].quote == weakest.text
        assert record.findings[0].suggestion
    else:
        assert record.outcome == "pass" or record.findings


def test_what_has_no_word_that_carries_meaning_is_not_accepted():
    record = checked("a a", "b b", "q")
    assert (record.outcome, record.score, record.confidence) == ("unverified", None, None)
