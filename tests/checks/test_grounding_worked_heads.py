"""Answers that open with a figure and show their working, take a step with a figure of the question, or say how far two things lie apart."""

from __future__ import annotations

import pytest

from witnessmark import Answer, Case, Evidence, Verifier
from witnessmark.checks.grounding.claims import claims
from witnessmark.checks.grounding.steps.worked_head import step
from witnessmark.core.record import Record

BOOKS = "The Atlas costs €34.90. Delivery within Germany costs €9.00. Orders over €60 are delivered free."
ROOMS = "Room A is let for $210 a week. Room B is let for $185 a week."
BIKES = "Hire for a full day: an e-bike costs £38, a child bike £10. Deposits are £50 a bike."
HALL = "The hall has 240 seats. 187 have been sold."
INVOICE = "The invoice is 1,240 euros. Members get 15 % off."
RUNS = "The first run took 2 weeks. The second took 5 weeks."
SCORES = "Eastmoor 31 points, Kell 28 points."
FARM = "The farm collects 420 eggs a day. It keeps 600 hens."
SHOP = "The store is open Monday to Saturday. The store is closed on Sundays."
FLOUR = "One loaf takes 450 g of flour and 9 g of salt."
TICKETS = "Adults pay £12, children £7."
ORDER = (
    '{"items": [{"name": "Arc desk lamp", "status": "shipped", "shipped": "2025-03-06"}, '
    '{"name": "Olmo office chair", "status": "backordered", "expected_ship": "2025-03-21"}]}'
)


def verified(question: str, answer: str, source: str) -> Record:
    """What the default set-up says of an answer to a question over one source."""
    case = Case(goal=question, subject=Answer(text=answer), evidence=(Evidence(id="d", text=source),))
    return Verifier().verify_sync(case)


@pytest.mark.parametrize(
    ("question", "source", "right", "wrong"),
    [
        ("What does the Atlas cost with delivery?", BOOKS, "€43.90: €34.90 and €9.00 for delivery.", "€44.90: €34.90 and €9.00 for delivery."),
        ("What is the weekly rent in total?", ROOMS, "$395, since Room A is $210 and Room B $185.", "$25: $210 for Room A and $185 for Room B."),
        ("How much more does Room A cost?", ROOMS, "$25: Room A is $210 and Room B $185.", "$395: Room A is $210 and Room B $185."),
        ("How many seats are left?", HALL, "53 – there are 240 seats and 187 of them are sold.", "63 – there are 240 seats and 187 of them are sold."),
        ("What do I owe after the discount?", INVOICE, "€1,054: €1,240 less 15 %.", "€1,426: €1,240 plus 15 %."),
        ("What do two e-bikes and a child bike cost for a day?", BIKES, "£86: two e-bikes at £38 each (£76) and £10 for the child bike.", "£96: two e-bikes at £38 each (£86) and £10 for the child bike."),
        ("How much flour do I need for 3 loaves?", FLOUR, "You need 1,350 g of flour.", "You need 1,530 g of flour."),
        ("What do 4 adult tickets cost?", TICKETS, "£48 in total.", "£28 in total."),
        ("How long did the second run take?", RUNS, "The second took 3 weeks longer.", "The first took 3 weeks longer."),
        ("Who won and by how much?", SCORES, "Eastmoor won by 3 points.", "Kell won by 3 points."),
        ("How many eggs a day?", FARM, "420 eggs a day.", "600 eggs a day."),
        ("Are you open on Sundays?", SHOP, "I'm sorry, but no.", "Sorry, no. The store is closed on Saturdays."),
    ],
)  # fmt: skip
def test_what_is_worked_out_passes_and_what_is_worked_out_wrong_does_not(
    question: str, source: str, right: str, wrong: str
) -> None:
    assert verified(question, right, source).outcome == "pass"
    assert verified(question, wrong, source).outcome != "pass"


def test_a_figure_and_its_working_are_two_claims_with_their_own_places() -> None:
    answer = "€43.90: €34.90 for the Atlas and €9.00 for delivery."
    head, working = claims(answer, "What does the Atlas cost with delivery?")
    assert answer[slice(*head.span)] == "€43.90"
    assert answer[slice(*working.span)] == "€34.90 for the Atlas and €9.00 for delivery."
    assert (head.working, working.is_working) == ("€34.90 for the Atlas and €9.00 for delivery.", True)


def test_a_figure_that_its_working_states_is_read_as_its_language_writes_it() -> None:
    answer = "1.250 €: die Reise kostet laut Katalog 1250 € im Mai."
    head, working = claims(answer, "Wie viel kostet die Reise?")
    assert (answer[slice(*head.span)], answer[slice(*working.span)]) == ("1.250 €", answer[9:])


def test_what_no_step_leads_to_is_one_claim_as_it_was_written() -> None:
    answer = "€47.10: €34.90 for the Atlas and €9.00 for delivery."
    assert [one.text for one in claims(answer, "What does it cost?")] == [answer]


@pytest.mark.parametrize(
    ("head", "working", "question", "language", "how"),
    [
        ("£31", "two adults at £12 each and one child at £7", "What do we pay?", "en", "2 × 12 + 7"),
        ("£304", "two lamps at £39.50 (£79.00), the chair at £189.00, the mat at £24.00, plus £12.00", "The total?", "en", "2 × 39.5 + 189 + 24 + 12"),
        ("$576 a year", "10 × $96 is $960, less the 40% discount ($384)", "What does it cost?", "en", "10 × 96 − 40 %"),
        ("65%", "260 of 400 members", "What share voted?", "en", "260 of 400"),
        ("2 hours 35 minutes", "you land at 14:10 and leave at 16:45", "How long is it?", "en", "16:45 − 14:10"),
        ("Höchstens 12 Wochen", "4 Wochen Leihfrist plus zwei Verlängerungen zu je 4 Wochen", "Wie lange?", "de", "4 + 2 × 4"),
        ("120 €", "4 × 26 € pour l'emplacement (104 €) et 4 × 4 € pour l'électricité", "Combien ?", "fr", "4 × 26 + 4 × 4"),
    ],
)  # fmt: skip
def test_a_step_takes_every_figure_of_the_working(
    head: str, working: str, question: str, language: str, how: str
) -> None:
    found = step(head, working, question, language)
    assert found is not None
    assert (found.how, found.asked) == (how, True)


def test_a_price_is_taken_as_often_as_the_count_before_it_says() -> None:
    assert step("£19", "two adults at £12 each and one child at £7", "What do we pay?") is None


def test_the_step_that_is_not_asked_for_is_told_as_such() -> None:
    found = step("$25", "$210 for Room A and $185 for Room B", "What do both cost in total?")
    assert found is not None
    assert not found.asked


def test_a_status_of_another_row_is_none_where_it_is_said_in_another_form() -> None:
    question, answer = (
        "Has the chair been sent?",
        "Not yet. The Olmo office chair is expected to ship on 21 March 2025.",
    )
    assert not any(one.status == "contradicted" for one in verified(question, answer, ORDER).claims)
    wrong = verified(question, "The Olmo office chair has been shipped.", ORDER)
    assert [one.status for one in wrong.claims] == ["contradicted"]


PARKING = "First two hours: €3.00 in total. Each further hour or part of an hour: €1.80."
COURSE = "| course | last day to apply | begins |\n|---|---|---|\n| Pottery | 05.09.2025 | 19.09.2025 |\n| Drawing | 29.08.2025 | 12.09.2025 |"
FUND = (
    "The call opened on 3 March 2025. Applications must reach us by 11 April 2025. The outcome is told by 16 May 2025."
)
VOTES = "| candidate | votes |\n|---|---|\n| Agnes Okoro | 6,318 |\n| Paul Hart | 5,942 |\n| Ines Daly | 1,204 |"


def test_a_count_that_nobody_tells_of_works_nothing_out() -> None:
    question, answer = "What do I pay from 10:10 to 15:30?", "€8.40: €3.00 for the first two hours plus {} at €1.80."
    assert verified(question, answer.format("three further hours"), PARKING).outcome != "pass"
    told = verified(
        "What do I pay for five hours, three of them further ones?", answer.format("three further hours"), PARKING
    )
    assert told.outcome == "pass"


@pytest.mark.parametrize(
    ("question", "right", "wrong", "source"),
    [
        ("It is 19 March 2025. How many days are left to apply?", "There are 23 days left until 11 April 2025.", "There are 58 days left until 11 April 2025.", FUND),
        ("It is 14 August 2025. How many days until the last day to apply for Pottery?", "Until the last day to apply for Pottery on 5 September it is 22 days.", "Until the last day to apply for Pottery on 5 September it is 21 days.", COURSE),
    ],
)  # fmt: skip
def test_days_are_counted_to_the_date_that_is_named(question: str, right: str, wrong: str, source: str) -> None:
    assert verified(question, right, source).outcome == "pass"
    assert verified(question, wrong, source).outcome != "pass"


def test_a_margin_between_two_values_of_a_table_is_no_other_value_of_it() -> None:
    question = "By how many votes did Agnes Okoro win?"
    assert verified(question, "376 votes (6,318 to 5,942).", VOTES).outcome != "fail"
    assert verified(question, "Agnes Okoro got 5,942 votes.", VOTES).outcome == "fail"


@pytest.mark.parametrize(
    "answer",
    [
        "£13. Would you like to book 2 at £6.50?",
        "£13: 2 at £6.50?",
        "£13. Shall I book it at £13 for 2 people?",
    ],
)
def test_what_is_only_asked_works_nothing_out(answer: str) -> None:
    assert verified("What do two children pay?", answer, TICKETS).outcome != "pass"
