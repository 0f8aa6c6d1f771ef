"""What a source's own words show to be false: a wrong winner of a table, a dropped condition, the other sign, two parties exchanged."""

import pytest

from witnessmark import Case, Verifier
from witnessmark.checks.grounding.evidence import EvidenceSource, Index
from witnessmark.checks.grounding.features import look
from witnessmark.settings import Settings

ROOMS = "| Room | Seats | Projector |\n|---|---|---|\n| Aspen | 12 | yes |\n| Birch | 40 | yes |\n| Cedar | 6 | no |\n"
BIKES = "model,price_eur,weight_kg\nFalcon,899,14.2\nHeron,1249,11.8\nSwift,649,15.9\n"
PEOPLE = '[{"name": "Ana", "age": 31, "score": 88}, {"name": "Boris", "age": 45, "score": 72}, {"name": "Chloe", "age": 27, "score": 91}]'
BRIDGES = "| Bridge | Built | Length (m) |\n|---|---|---|\n| Alder | 1874 | 210 |\n| Birk | 1932 | 640 |\n| Cole | 1901 | 330 |\n| Total | | 1180 |\n"
VOTES = "Votes cast\n- Harbour bridge: 412\n- Old town square: 655\n- River park: 398\n"
SALES = "Opening weekend sales: Leeds: 240, York: 310, Hull: 185."
ITEMS = "| Item | Budget (EUR) | Spent (EUR) |\n|---|---|---|\n| Summer fair | 1,200 | 1,340 |\n| Library books | 800 | 650 |\n"
LEASE = """The flat has a cellar.

Pets may be kept only after the Landlord has agreed in writing. Barbecues are allowed except on Sundays.

The Tenant may give notice at any time. The Landlord may terminate the lease without notice if the Tenant sublets the flat.

The Tenant reports defects to the Landlord within seven days. The shed is not insured.
"""
MACHINE = "Use citric-acid descaler only; vinegar attacks the seals and voids the warranty. The cycle takes 35 minutes and cannot be paused."


def findings(claim, source):
    seen = look(claim, Index([EvidenceSource("s", source)], claim))
    return {(point.rule, point.finding) for point in seen.points}


@pytest.mark.parametrize(
    ("true", "false", "source", "rule"),
    [
        ("Birch has the most seats.", "Aspen has the most seats.", ROOMS, "rank"),
        ("Cedar has the fewest seats.", "Aspen has the fewest seats.", ROOMS, "rank"),
        ("Birch has the most seats (40).", "Aspen has the most seats (12).", ROOMS, "rank"),
        ("Birch has more seats than Aspen.", "Aspen has more seats than Birch.", ROOMS, "rank"),
        ("The Swift is the cheapest bike.", "The Falcon is the cheapest bike.", BIKES, "rank"),
        ("The Heron is the most expensive.", "The Falcon is the most expensive.", BIKES, "rank"),
        ("The Heron is the lightest.", "The Swift is the lightest.", BIKES, "rank"),
        ("Boris is the oldest.", "Ana is the oldest.", PEOPLE, "rank"),
        ("Chloe has the highest score.", "Boris has the highest score.", PEOPLE, "rank"),
        ("The Alder bridge is the oldest.", "The Cole bridge is the oldest.", BRIDGES, "rank"),
        ("Birk is the longest bridge.", "Cole is the longest bridge.", BRIDGES, "rank"),
        ("The old town square received the most votes.", "The harbour bridge received the most votes.", VOTES, "rank"),
        ("York had the most sales.", "Leeds had the most sales.", SALES, "rank"),
        ("The library books cost less than planned.", "The library books cost more than planned.", ITEMS, "rank"),
        ("The summer fair went over budget.", "The summer fair stayed within budget.", ITEMS, "rank"),
        ("The course cost more than planned.", "The course did not cost more than planned.", "Course: planned cost EUR 300, actual cost EUR 345.", "rank"),
        ("Pets may be kept once the landlord has agreed in writing.", "Pets may be kept without the landlord's agreement.", LEASE, "condition"),
        ("Pets may be kept with the landlord's agreement.", "Pets may be kept freely.", LEASE, "condition"),
        ("Barbecues are not allowed on Sundays.", "Barbecues are allowed on Sundays.", LEASE, "condition"),
        ("Barbecues are allowed on Saturdays.", "Barbecues are allowed every day of the week.", LEASE, "condition"),
        ("You need a valid badge to enter the lab.", "You can enter the lab without a badge.", "Entry to the lab requires a valid badge.", "condition"),
        ("Drones need a permit.", "Drones may be flown without a permit.", "Drones may not be flown without a permit.", "condition"),
        ("A helmet is required on the wall.", "No helmet is required on the wall.", "A helmet is required on the wall.", "condition"),
        ("The drug is available on prescription.", "The drug is available without a prescription.", "The drug is available on prescription only.", "condition"),
        ("The lift does not operate when the alarm sounds.", "The lift operates even when the alarm sounds.", "The lift operates unless the alarm sounds.", "condition"),
        ("The cycle cannot be paused.", "The cycle can be paused.", MACHINE, "denial"),
        ("Vinegar attacks the seals.", "Vinegar is fine for the seals.", MACHINE, "denial"),
        ("Cedar has no projector.", "Cedar has a projector.", ROOMS, "denial"),
        ("Birch has a projector.", "Birch has no projector.", ROOMS, "denial"),
        ("The shed is not insured.", "The shed is insured.", LEASE, "denial"),
        ("The town did not answer.", "The town answered.", "The head had written to the town without receiving an answer.", "denial"),
        ("It is not safe to enter the ruin.", "It is safe to enter the ruin.", "The ruin is unsafe to enter and the tower is closed.", "denial"),
        ("The board approved the merger.", "The board did not approve the merger.", "The board approved the merger; shares rose.", "denial"),
        ("The Landlord may terminate the lease without notice if the Tenant sublets the flat.", "The Tenant may terminate the lease without notice if the Landlord sublets the flat.", LEASE, "role"),
        ("The Tenant reports defects to the Landlord.", "The Landlord reports defects to the Tenant.", LEASE, "role"),
        ("Defects are reported within seven days.", "The Landlord reports defects to the Tenant within seven days.", LEASE, "role"),
    ],
)  # fmt: skip
def test_what_the_source_itself_belies_is_contradicted_and_its_true_twin_is_not(true, false, source, rule):
    assert (rule, "contradicted") in findings(false, source)
    assert "contradicted" not in {finding for _, finding in findings(true, source)}


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Cole is the largest bridge.", BRIDGES),  # by which column is not said
        ("Cole is the longest northern bridge.", BRIDGES),  # among which rows is not said
        ("Falcon is one of the cheapest bikes.", BIKES),
        ("The appointment of the Warden needs the House.", "The Warden is appointed by a resolution of the House."),
        ("Elm is one of the largest schools.", "Classes are 24 at Elm, 19 at Low and 27 at North."),
        ("Falcon is the most popular bike.", BIKES),
        ("The library is open.", "The library is not open on Sundays."),
        ("Red tickets are valid.", "Tickets of last year are not valid."),
        ("Visitors may enter without a badge.", "Staff may enter only with a badge. Visitors need none."),
        (
            "Breathing out does not require any effort from you unless you are ill.",
            "Breathing out requires no effort from you unless you are ill.",
        ),
        (
            "If you are a new customer, you do not need to swap your SIM.",
            "If you’re new to O2, you don’t need to swap your sim-you’ll already have the right one.",
        ),
        ("Choose it from the installed programs.", "Uninstall it: choose it from the programs."),
        ("Alva met Boro in Riga.", "Boro met Alva in Riga."),
        ("Okoye was defeated by Lindqvist.", "Lindqvist defeated Okoye in straight sets."),
        ("If the Tenant sublets the flat, the Landlord may terminate the lease.", LEASE),
    ],
)
def test_where_the_words_do_not_settle_it_nothing_is_contradicted(claim, source):
    assert "contradicted" not in {finding for _, finding in findings(claim, source)}


def answer(text, source, question="What is said?"):
    verifier = Verifier(Settings(verification={"model": "rules"}))
    case = Case(goal=question, subject={"kind": "answer", "text": text}, evidence=[{"id": "d", "text": source}])
    return verifier.verify_sync(case)


def test_a_wrong_winner_names_the_row_that_has_it():
    record = answer("Aspen has the most seats.", ROOMS)
    assert (record.outcome, record.claims[0].reason) == ("fail", "the figures of the source put another one there")
    assert (record.claims[0].details["part"], record.claims[0].details["stated"]) == ("Aspen", "Birch")
    assert record.claims[0].words[0].closest.text == "Birch"


def test_a_condition_that_is_left_out_does_not_pass_though_every_word_stands_in_the_source():
    record = answer("Pets may be kept.", LEASE)
    assert (record.outcome, record.claims[0].status) == ("partial", "partial")
    assert record.claims[0].reason == "it leaves out a condition that the source sets"


def test_a_right_winner_is_supported_by_the_figures_alone():
    claim = answer("The Swift is the cheapest bike.", BIKES).claims[0]
    assert (claim.status, claim.details["rule"], claim.details["by"]) == ("supported", "rank", "rule")
    assert (
        answer("The Swift, a racing machine from Ghent, is the cheapest bike.", BIKES).claims[0].details["by"] != "rule"
    )


def test_another_name_at_the_beginning_of_a_longer_sentence_is_contradicted():
    source = "The Landlord returns the deposit within 30 days of moving out. The Tenant deposits two months' rent."
    record = answer("The Tenant returns the deposit within 30 days.", source)
    assert (record.outcome, record.claims[0].details["stated"]) == ("fail", "Landlord")
