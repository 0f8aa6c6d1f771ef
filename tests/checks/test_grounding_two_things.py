"""Which of two has more, and which came first: held to the figures and the times that the sources give of each."""

from __future__ import annotations

import pytest

from witnessmark.checks.grounding.evidence import ClaimInEvidence, EvidenceSource, Index
from witnessmark.checks.grounding.two_things.compared_values import compared_values
from witnessmark.checks.grounding.two_things.event_order import event_order

BOATS = "The Kestrel weighs 3.2 kg and the Heron 5 kg. The Kestrel costs €420, while the Heron is priced at €380."
DEPOTS = "The northern depot employs 240 people. The southern depot employs 310 people and has 12 lorries."
MATCH = "Town had 19 shots, Rovers 11."


def beside(claim: str, text: str) -> ClaimInEvidence:
    return ClaimInEvidence(claim, Index([EvidenceSource("d1", text)]))


@pytest.mark.parametrize(
    ("source", "right", "wrong"),
    [
        (BOATS, "The Kestrel is lighter than the Heron.", "The Kestrel is heavier than the Heron."),
        (BOATS, "The Heron weighs more than the Kestrel.", "The Heron weighs less than the Kestrel."),
        (BOATS, "The Heron is cheaper than the Kestrel.", "The Kestrel is cheaper than the Heron."),
        (
            DEPOTS,
            "The southern depot employs more people than the northern depot.",
            "The northern depot employs more people than the southern depot.",
        ),
        (MATCH, "It was settled late, although Town had more shots than Rovers.", "Rovers had more shots than Town."),
        (MATCH, "Rovers had fewer shots than Town.", "Town had as many shots as Rovers."),
    ],
)
def test_a_comparison_is_held_to_the_figures_of_both(source, right, wrong):
    assert compared_values(beside(right, source)).finding == "same"
    assert compared_values(beside(wrong, source)).finding == "contradicted"


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        (BOATS, "The Kestrel is not heavier than the Heron."),
        (BOATS, "The Kestrel is faster than the Heron."),  # nothing is said of speed
        (BOATS, "The Kestrel is 2 kg heavier than the Heron."),  # by how much is another matter
        (BOATS, "The Kestrel is heavier than the Swan."),
        (DEPOTS, "The northern depot has more lorries than the southern depot."),
        (
            "Town had 19 shots, Rovers 11. In the second half Rovers had 9 shots, Town 4.",
            "Rovers had more shots than Town.",
        ),
    ],
)
def test_without_one_figure_of_each_nothing_is_said(source, claim):
    assert compared_values(beside(claim, source)) is None


TIMELINE = "09:42 alert fires\n10:08 pricing deploy rolled back\n10:37 stale trust stores found\n11:40 hotfix merged\n1:15 queue drained again"
BRIDGES = "The Velska Bridge opened on 4 October 1934. The Kamen Viaduct was completed in 1958. The ferry line closed in 1934."
STEPS = "1. Check the label.\n2. Wipe the vial with 70% ethanol.\n3. Transfer the contents drop by drop."


@pytest.mark.parametrize(
    ("source", "right", "wrong"),
    [
        (
            TIMELINE,
            "The pricing deploy was rolled back before the stale trust stores were found.",
            "The pricing deploy was rolled back after the stale trust stores had been found.",
        ),
        (
            BRIDGES,
            "The Velska Bridge opened before the Kamen Viaduct was completed.",
            "The Kamen Viaduct was completed before the Velska Bridge opened.",
        ),
        (
            STEPS,
            "Wipe the vial before transferring the contents drop by drop.",
            "Wipe the vial after transferring the contents drop by drop.",
        ),
    ],
)
def test_what_came_first_is_held_to_times_dates_and_steps(source, right, wrong):
    assert event_order(beside(right, source)) is None
    assert event_order(beside(wrong, source)).finding == "contradicted"


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        (BRIDGES, "The ferry line closed before the Velska Bridge opened."),  # both in 1934, and no more is known
        (TIMELINE, "The queue was drained again after the hotfix was merged."),  # 1:15 is in the afternoon
        (TIMELINE, "The price is $73 before tax."),
        (TIMELINE, "The deploy was not rolled back after the stale trust stores were found."),
    ],
)
def test_where_the_times_do_not_tell_nothing_is_said(source, claim):
    assert event_order(beside(claim, source)) is None
