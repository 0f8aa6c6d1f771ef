"""What is said over all rows of a table or record: which has the most, asked for and answered shortly."""

from __future__ import annotations

import pytest

from witnessmark.checks.grounding.decision import decide
from witnessmark.checks.grounding.evidence import EvidenceSource, Index
from witnessmark.checks.grounding.features import look

DEPOTS = "warehouse,city,pallets\nW1,Leeds,340\nW2,Hull,915\nW3,York,602\n"
MOST = "Which warehouse holds the most pallets?"
SALES = (
    "branch,manager,q1_bikes,q2_bikes,q2_ebikes\nLeeds,Ruiz,212,268,74\nHull,Berg,187,301,58\nYork,Moss,240,255,91\n"
)
HOTELS = "hotel,town,price,sauna\nAdler,Bonn,90,yes\nKrone,Bonn,80,no\nPost,Ulm,60,no\nStern,Ulm,75,no\n"


BORNE_OUT = {("cell", "same"), ("worked", "same"), ("derived", "same")}


def findings(claim: str, source: str, goal: str = "") -> set[tuple[str, str]]:
    """The rules that settle a claim, each with what it found."""
    seen = look(claim, Index([EvidenceSource("d1", source)], claim), "en", goal)
    return {(one.rule, one.finding) for one in seen.points}


def status(claim: str, source: str, goal: str = "") -> str:
    return decide(look(claim, Index([EvidenceSource("d1", source)], claim), "en", goal)).status


@pytest.mark.parametrize(
    ("source", "goal", "wrong", "right"),
    [
        (DEPOTS, MOST, "W3 in York, with 602 pallets.", "W2 in Hull, with 915 pallets."),
        (DEPOTS, MOST, "W1, the warehouse in Leeds.", "The Hull one."),
        (DEPOTS, MOST, f"{MOST} Leeds.", f"{MOST} W2."),
        (DEPOTS, MOST, "The York warehouse holds the most pallets.", "W2 in Hull holds the most, with 915 pallets."),
        (DEPOTS, "Which city has the fewest pallets?", "Hull.", "Leeds."),
        (SALES, "Which branch sold the most bikes in Q2?", "York.", "Hull."),
        (SALES, "Which branch sold the most e-bikes in Q2?", "Hull.", "York."),
        (
            SALES,
            "Which branch sold the most bicycles in the second quarter?",
            "Leeds, with 268 bicycles.",
            "Hull, with 301 bicycles.",
        ),
        (HOTELS, "Which hotel is the cheapest?", "Krone in Bonn.", "Post in Ulm."),
        (HOTELS, "Which hotel in Bonn is the cheapest?", "Adler.", "Krone."),
    ],
)
def test_which_row_has_the_most_is_settled_by_all_rows(source, goal, wrong, right):
    assert status(wrong, source, goal) == "contradicted"
    assert BORNE_OUT & findings(right, source, goal)
    assert status(right, source, goal) != "contradicted"


@pytest.mark.parametrize(
    ("source", "goal", "claim"),
    [
        (DEPOTS, MOST, "W3 holds 602 pallets."),  # a sentence beside the answer
        (DEPOTS, MOST, "W1: 340 pallets."),  # an entry of a list
        (DEPOTS, MOST, "Not W3."),
        (DEPOTS, MOST, "W2 and W3."),
        (DEPOTS, "Which is the second warehouse?", "W3."),
        (DEPOTS, "Which is one of the most important warehouses?", "W1."),
        (HOTELS, "Which hotel with a sauna is the cheapest?", "Adler."),
        (HOTELS, "Which town has the lowest price of the two?", "Bonn."),  # a town is two rows
    ],
)
def test_what_may_be_right_is_not_held_to_the_most_of_all_rows(source, goal, claim):
    assert status(claim, source, goal) != "contradicted"


AIRPORT = "month,passengers,flights\nJune,377950,2801\nJuly,402118,2877\n"


def test_two_rows_are_compared_beside_the_figure_of_either():
    said = "In July the airport counted 402,118 passengers, {} than in June."
    assert status(said.format("fewer"), AIRPORT) == "contradicted"
    assert BORNE_OUT & findings(said.format("more"), AIRPORT)
    assert status("In July the airport counted 402,118 passengers, 9,000 more than planned.", AIRPORT) != "contradicted"
