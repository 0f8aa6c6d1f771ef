"""A figure that follows from two others of its own sentence is borne out by them, and another in its place is not."""

from __future__ import annotations

import pytest

from witnessmark.checks.grounding.evidence import EvidenceSource, Index
from witnessmark.checks.grounding.features import look, look_all
from witnessmark.checks.grounding.statement import Statement

SOURCE = (
    "Charge the case between 5 °C and 40 °C only. Of the 46 bakers who began the trial, 41 completed both periods. The rent of a full plot "
    "goes up from £46 to £49. Of 340 tissue samples 52 had to be thrown away. The fee is £412 a month."
)


def derived(claim: str) -> list[str]:
    found = look(claim, Index([EvidenceSource("d1", SOURCE)], "en"), "en")
    return [point.part for point in found.points if point.rule in ("derived", "worked") and point.finding == "same"]


@pytest.mark.parametrize(
    ("right", "wrong", "part"),
    [
        ("Charge it between 5 °C and 40 °C, a window of {}.", "55 degrees", "35 degrees"),
        ("41 of the 46 bakers ({}) completed both periods.", "61%", "89%"),
        ("The rent of a full plot rises from £46 to £49, by {}.", "9.5%", "6.5%"),
        ("Of 340 samples 52 were thrown away, so that {} are left.", "298", "288"),
        ("The fee is £412 a month, {} in the first year.", "£5,944", "£4,944"),
    ],
)
def test_what_one_step_makes_of_two_stated_figures_follows_and_nothing_else_does(right, wrong, part):
    assert part in derived(right.format(part))
    assert derived(right.format(wrong)) == []


def test_figures_that_no_source_has_prove_nothing():
    assert derived("Of 90 samples 30 were thrown away, so that 60 are left.") == []


def test_a_difference_of_nothing_is_worked_out_like_any_other():
    stock = Index(
        [EvidenceSource("d1", "Expansion tanks: 8 on hand, 8 reserved. Available is on hand minus reserved.")], "en"
    )
    found = look("Expansion tanks: 0 available (8 − 8).", stock, "en")
    assert [(point.part, point.finding) for point in found.points if point.part == "0"] == [("0", "same")]


def test_an_hour_of_the_day_times_a_price_is_no_number_of_days():
    # 14 hours are seven twelfths of a day, and seventeen euros times that are just ten.
    source = (
        "Pitch 17 € a night, electricity 4 €. Arrival after 14 h, departure before 11 h. Cancel 21 days before arrival."
    )
    found = look("Cancelling ten days before arrival costs nothing.", Index([EvidenceSource("d1", source)], "en"), "en")
    assert [point for point in found.points if point.rule in ("derived", "worked")] == []


def test_pounds_of_money_are_those_of_the_sign_and_stand_in_the_source():
    index = Index(
        [EvidenceSource("d1", "The limit for each bicycle is 2,000 pounds. The excess is 75 pounds for each claim.")]
    )
    found = {point.part: point.finding for point in look("Each bicycle is covered up to £2,000.", index).points}
    assert found["£2,000"] == "same"
    wrong = {point.part: point.finding for point in look("Each bicycle is covered up to £2,500.", index).points}
    assert wrong["£2,500"] != "same"


def test_a_product_is_of_the_kind_that_its_own_terms_are():
    table = "| Tariff | Standing charge / month | Unit price |\n|---|---|---|\n| Flex | 12.00 | 0.30 |"
    index = Index([EvidenceSource("d1", table)])

    def finding(claim: str, part: str) -> list[str]:
        return [
            point.finding
            for point in look(claim, index, "en", "What do 250 kWh cost on the Flex tariff?").points
            if point.part == part
        ]

    assert finding("The Flex tariff costs 250 kWh × €0.30 = €75.00.", "€75.00") == ["same"]
    assert finding("The Flex tariff costs 250 kWh × €0.30 = €85.00.", "€85.00") != ["same"]


TERMS = (
    "The refund is the purchase price, less 1% for each full month of use. The Fund pays at most 65% of eligible costs; for municipalities, 50%. "
    "Cash abroad costs 1.75%, at least 4.00."
)
REFUND = "I have used it for 10 full months and paid 700. What refund do I get?"
GRANT = "We are a municipality with 90,000 eligible costs. What is the most the Fund would pay?"
CASH = "I took out 300 euros abroad. What is the fee?"


@pytest.mark.parametrize(
    ("question", "right", "wrong", "part"),
    [
        (REFUND, "With 10 full months that's 10% off, so {}.", ["640", "540", "710"], "630"),
        (GRANT, "The Fund covers 50% for municipalities, so at most {}.", ["46,000", "55,000"], "45,000"),
        (CASH, "1.75% of 300 comes to {}.", ["5.50", "6.25"], "5.25"),
    ],
)
def test_a_share_that_a_claim_names_of_an_amount_of_the_question_follows(question, right, wrong, part):
    def worked(figure: str) -> bool:
        found = look(right.format(figure), Index([EvidenceSource("d1", TERMS)], "en"), "en", question).points
        return (figure, "same") in [(one.part, one.finding) for one in found]

    assert worked(part)
    assert not any(map(worked, wrong))


@pytest.mark.parametrize(
    ("question", "claim", "part"),
    [
        (REFUND, "With 10 full months that's 20% off, so 560.", "560"),  # a share that so many months do not make
        (REFUND, "With 10 full months that's 10% off, so the refund is 70.", "70"),  # what is taken off
    ],
)
def test_another_share_or_the_other_part_does_not(question, claim, part):
    found = look(claim, Index([EvidenceSource("d1", TERMS)], "en"), "en", question).points
    assert (part, "same") not in [(one.part, one.finding) for one in found]


def test_a_short_answer_has_the_figure_that_a_sentence_behind_it_works_out():
    def found(*told: str) -> list[str]:
        row = [Statement((0, 0), one, "short" if "? " in one else "text") for one in told]
        looks = look_all(row, Index([EvidenceSource("d1", TERMS)], "en"), "en", CASH)
        return [one.finding for one in looks[0].points if one.part == "5.25"]

    assert found("What is the fee? 5.25.", "1.75% of 300 comes to 5.25.") == ["elsewhere"]
    assert found("What is the fee? 5.25.", "Cash abroad costs 1.75%.") != ["elsewhere"]
