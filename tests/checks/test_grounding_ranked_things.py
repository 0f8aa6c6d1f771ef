"""Which of several things has the most, or came first, held to sentences that give each its figure; and a figure with another measure."""

from __future__ import annotations

import pytest

from witnessmark.checks.grounding.decision import decide
from witnessmark.checks.grounding.evidence import ClaimInEvidence, EvidenceSource, Index
from witnessmark.checks.grounding.features import look
from witnessmark.checks.grounding.two_things.ranked_things import ranked_things

PAY = "Anna earns 3,100 euros, Boris 2,800 euros and Carla 4,000 euros a month."
LAPTOPS = "The Aria 13 weighs 1.19 kg and the Volta 14 weighs 1.42 kg."
LIGHTER = "Which of the two laptops is lighter?"
OFFICES = "The Lisbon office opened in 2016 and has 45 staff; the Riga office opened in 2019 and has 30 staff. Both are rented."
BRIDGES = "The Iron Bridge was built in 1869, the Mill Bridge in 1902 and the Station Bridge in 1931."
TOWERS = "The Beacon, at 142 metres, is the tallest building. The cathedral, at 118 metres, is second."


def found(claim: str, source: str, goal: str = "") -> str | None:
    finding = ranked_things(ClaimInEvidence(claim, Index([EvidenceSource("d1", source)]), goal=goal))
    return finding.finding if finding is not None else None


def status(claim: str, source: str, goal: str = "") -> str:
    return decide(look(claim, Index([EvidenceSource("d1", source)], claim), "en", goal)).status


@pytest.mark.parametrize(
    ("source", "goal", "wrong", "right"),
    [
        (PAY, "", "Anna earns the most.", "Carla earns the most."),
        (PAY, "", "Boris earns more than Anna.", "Anna earns more than Boris."),
        (PAY, "Who earns the least?", "Anna.", "Boris."),
        (LAPTOPS, LIGHTER, "The Volta 14, at 1.42 kg.", "The Aria 13."),
        (LAPTOPS, "", "The Volta 14 is lighter than the Aria 13.", "The Volta 14 is heavier than the Aria 13."),
        (OFFICES, "", "The Riga office is larger than the Lisbon office.", "The Riga office is smaller than the Lisbon office."),
        (OFFICES, "", "The Riga office is older than the Lisbon office.", "The Riga office is newer than the Lisbon office."),
        (BRIDGES, "", "The Station Bridge was built before the Mill Bridge.", "The Station Bridge was built after the Mill Bridge."),
        (BRIDGES, "Which bridge is the oldest?", "The Mill Bridge.", "The Iron Bridge."),
        (BRIDGES, "", "The oldest bridge is the Mill Bridge.", "The oldest bridge is the Iron Bridge."),
        (TOWERS, "What is the tallest building?", "The cathedral, at 118 metres.", "The Beacon, at 142 metres."),
    ],
)  # fmt: skip
def test_what_ranks_things_is_held_to_the_figures_of_all(source, goal, wrong, right):
    assert found(wrong, source, goal) == "contradicted"
    assert status(wrong, source, goal) == "contradicted"
    assert found(right, source, goal) == "same"


def test_two_things_with_different_figures_are_not_the_same():
    assert found("They weigh the same.", LAPTOPS, LIGHTER) == "contradicted"
    assert found("They cost the same.", LAPTOPS, LIGHTER) is None
    assert found("They weigh the same.", "The Aria weighs 1.2 kg and the Volta weighs 1.2 kg.", LIGHTER) is None


@pytest.mark.parametrize(
    ("source", "goal", "claim"),
    [
        (PAY, "", "Anna does not earn the most."),
        (PAY, "", "Anna saves the most."),  # of that nothing is said
        (PAY, "", "Anna earns the most of the trainees."),
        (PAY, "", "Dora earns the most."),
        (PAY, "Who earns the most after tax?", "Anna."),
        ("Anna earned 3,100 euros in 2020, Boris 4,000 euros in 2023.", "", "Anna earned the most."),  # at other times
        ("Anna earns 3,100 euros and pays 900 euros of tax.", "", "Anna pays the most."),
        ("The Beacon is 142 metres tall. It stands 300 metres from the river.", "", "The Beacon is the tallest building."),
        (LAPTOPS, LIGHTER, "The Volta 14 weighs 1.42 kg."),  # a sentence beside the answer
        (OFFICES, "", "The Riga office is quieter than the Lisbon office."),
        ("The old mill closed in 1869, the new mill in 1902.", "", "The new mill is older than the old mill."),
        ("The Orne has 3 bridges, the Lee has 5 bridges.", "", "The Orne is larger than the Lee."),
        ("Up to 30 people fit in Ash, 20 people in Elm.", "", "Elm is larger than Ash."),
    ],
)  # fmt: skip
def test_without_a_plain_row_of_figures_nothing_is_said(source, goal, claim):
    assert found(claim, source, goal) is None


POOL = "The diving pool is 25 metres long and 4.5 metres deep. The children's pool has a depth of 0.6 metres."


@pytest.mark.parametrize(
    ("goal", "wrong", "right"),
    [
        ("", "The diving pool is 25 metres deep.", "The diving pool is 4.5 metres deep."),
        ("", "The diving pool has a depth of 25 metres.", "The diving pool has a depth of 4.5 metres."),
        ("How long is the diving pool?", "4.5 metres.", "25 metres."),
    ],
)
def test_a_figure_with_another_measure_is_contradicted(goal, wrong, right):
    assert status(wrong, POOL, goal) == "contradicted"
    assert status(right, POOL, goal) == "supported"


@pytest.mark.parametrize(
    "claim", ["The diving pool is not 25 metres deep.", "The diving pool is 25 metres wide.", "The pool measures 25 metres."]
)  # fmt: skip
def test_a_measure_that_has_no_figure_says_nothing(claim):
    assert status(claim, POOL) != "contradicted"
