"""What is said over all rows of a table or record: which has the most, asked for and answered shortly; which row is asked for; how many there are."""

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


TICKETS = '[{"ticket":"T-1","state":"open","owner":"ana"},{"ticket":"T-2","state":"closed","owner":"bo"},{"ticket":"T-3","state":"open","owner":"cy"}]'
RIGHTS = "access:\n  write: [okafor, silva]\n  read: [okafor, silva, brandt]\nowners: [maya, leo]\n"
REPOS = '[{"repo":"a","owners":["maya"]},{"repo":"b","owners":["maya","leo"]}]'


@pytest.mark.parametrize(
    ("source", "goal", "wrong", "right"),
    [
        (TICKETS, "", "Three tickets are open.", "Two tickets are open."),
        (TICKETS, "", "There are two closed tickets.", "There is 1 closed ticket."),
        (TICKETS, "", "All tickets are open.", "Two tickets have the state open."),
        (TICKETS, "How many tickets are open?", "Three.", "Two."),
        (TICKETS, "How many tickets are there?", "Two tickets.", "Three tickets."),
    ],
)
def test_so_many_rows_with_a_text_are_counted(source, goal, wrong, right):
    assert status(wrong, source, goal) == "contradicted"
    assert BORNE_OUT & findings(right, source, goal)


def test_what_counts_something_else_is_not_held_to_rows():
    for claim in (
        "Two tickets are not open.",
        "Two tickets of ana are open.",
        "Ticket 3 is open.",
        "Two tickets wait.",
    ):
        assert not {one for one in findings(claim, TICKETS) if one[0] == "cell"}


@pytest.mark.parametrize("claim", ["Only silva has write access.", "The only owner is Maya."])
def test_one_of_a_list_is_not_the_only_one(claim):
    assert status(claim, RIGHTS) == "contradicted"


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        (RIGHTS, "Only okafor and silva have write access."),
        (RIGHTS, "Not only silva has write access."),
        (RIGHTS, "Only silva with write access left the team."),
        (RIGHTS, "Silva has only write access."),
        (REPOS, "The only owner is Maya."),  # of which of the two
        (REPOS, "The only owner of repo a is Maya."),
    ],
)
def test_all_of_a_list_or_another_list_may_be_the_only_ones(source, claim):
    assert status(claim, source) != "contradicted"


LINES = "line,destination,fare\n10,North Station,1.50\n24,Airport,4.00\n31,Beach,2.00\n"
SPANISH_LINES = "línea,destino,precio_euros\n10,Estación Norte,1.50\n24,Aeropuerto,4.00\n31,Playa,2.00\n"
STAFF = "employee,manager\nKim,Ola\nBo,Kim\nAna,Kim\n"


@pytest.mark.parametrize(
    ("source", "goal", "wrong", "right"),
    [
        (LINES, "Which line goes to the airport?", "Line 10, for 1.50.", "Line 24, for 4.00."),
        (LINES, "Which line goes to the airport?", "Line 31.", "Line 24 goes to the airport."),
        (
            SPANISH_LINES,
            "¿Qué línea va al aeropuerto?",
            "La línea 10, por 1,50 euros.",
            "La línea 24 va al aeropuerto.",
        ),
        (DEPOTS, "Which warehouse is in Hull?", "W3.", "W2."),
    ],
)
def test_the_row_that_a_question_asks_for_by_one_of_its_texts_is_the_answer(source, goal, wrong, right):
    assert status(wrong, source, goal) == "contradicted"
    assert BORNE_OUT & findings(right, source, goal)


@pytest.mark.parametrize(
    ("source", "goal", "claim"),
    [
        (LINES, "Which line does not go to the airport?", "Line 10."),
        (LINES, "Which line is cheaper than the one to the airport?", "Line 10."),
        (LINES, "Which line runs every hour on the way to the airport?", "Line 10."),
        (LINES, "Which line goes to the airport?", "Line 10 goes to North Station."),
        (STAFF, "Which employee reports to Kim?", "Bo."),  # two of them do
    ],
)
def test_a_question_that_asks_by_more_than_a_text_says_nothing_of_a_row(source, goal, claim):
    assert status(claim, source, goal) != "contradicted"


AIRPORT = "month,passengers,flights\nJune,377950,2801\nJuly,402118,2877\n"


def test_two_rows_are_compared_beside_the_figure_of_either():
    said = "In July the airport counted 402,118 passengers, {} than in June."
    assert status(said.format("fewer"), AIRPORT) == "contradicted"
    assert BORNE_OUT & findings(said.format("more"), AIRPORT)
    assert status("In July the airport counted 402,118 passengers, 9,000 more than planned.", AIRPORT) != "contradicted"
