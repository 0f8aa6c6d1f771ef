"""A part in words is worked out of the figure it is told of: two thirds of 2.4 million are 1.6 million, and what is left is 0.8."""

from __future__ import annotations

import pytest

from witnessmark.checks.grounding.claims import claims
from witnessmark.checks.grounding.evidence import EvidenceSource, Index
from witnessmark.checks.grounding.features import look_all

MOVE = "The move costs 2.4 million pounds, of which the lottery fund pays two thirds. The rest comes from the council."
SEATS = "Of the 90 seats a third are reserved."


def said(text: str, source: str, goal: str) -> list[str]:
    """What the rules say of the figures of an answer."""
    index, found = Index([EvidenceSource("d1", source)]), claims(text, goal)
    looks = look_all([one for one in found if one.checkable], index, "en", goal)
    return [point.finding for seen in looks for point in seen.points if point.rule in ("figure", "derived", "worked")]


@pytest.mark.parametrize(
    ("source", "question", "right", "wrong"),
    [
        (MOVE, "How much does the lottery fund pay?", "1.6 million pounds.", "1.8 million pounds."),
        (MOVE, "How much does the lottery fund pay?", "It pays 1.6 million pounds.", "It pays 1.4 million pounds."),
        (MOVE, "What does the council pay?", "0.8 million pounds.", "1.6 million pounds."),
        (SEATS, "How many seats are reserved?", "30 seats.", "45 seats."),
        (SEATS, "How many seats are left?", "60 seats.", "30 seats."),
    ],
)
def test_the_part_that_a_source_tells_in_words_makes_a_figure(source, question, right, wrong):
    assert said(right, source, question) == ["same"]
    assert said(wrong, source, question)[0] in ("contradicted", "missing")


def test_a_figure_that_a_source_states_needs_no_part():
    assert said("The move costs 2.4 million pounds.", MOVE, "What does the move cost?") == ["same"]


@pytest.mark.parametrize("reply", ["Not necessarily.", "It depends.", "Possibly."])
def test_a_reply_that_leaves_all_open_asserts_nothing(reply):
    assert [one.why_not for one in claims(reply, "Is a chipped plate put in the bin?")] == ["about_answer"]
