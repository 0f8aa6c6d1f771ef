"""What a statement's own figures speak against is contradicted; what the step that it names leads to is supported, anything else is not."""

import pytest

from witnessmark.checks.grounding.claims import claims
from witnessmark.checks.grounding.decision import decide, fitted
from witnessmark.checks.grounding.evidence import EvidenceSource, Index
from witnessmark.checks.grounding.features import look
from witnessmark.core.case import Case
from witnessmark.core.protocols import Reading
from witnessmark.verifier import Verifier

SITES = "| Site | Area (ha) | Visitors | Fee |\n|---|---|---|---|\n| Elm Park | 12.5 | 4200 | $6 |\n| Birch Hill | 8.0 | 3100 | $4 |\n| Oak Lake | 20.5 | 5600 | $9 |"
YEARS = (
    "| | 2021 | 2022 | 2023 |\n|---|---|---|---|\n| Members | 480 | 520 | 600 |\n| Donations (USD k) | 75 | 60 | 90 |"
)
HALVES = "Half-year figures in millions\n\n| | H1 2024 | H1 2023 |\n|---|---|---|\n| Coatings | 431 | 440 |\n| Services | 113 | 99 |"
TASKS = '[{"task":"login","hours":6},{"task":"search","hours":9},{"task":"export","hours":4}]'
LOAVES = "The bakery sold 45 rye loaves and 30 wheat loaves on Saturday."
TRAINED = "18 of the 24 volunteers completed the training."
LIBRARY = "The library opens at 10:00 and closes at 18:30 on weekdays. Membership costs £4 a month for adults."


def status(answer, source, question=""):
    index = Index([EvidenceSource("s", source)], answer)
    (one,) = claims(answer, question)
    return decide(look(one.text, index, "en", question, one)).status


@pytest.mark.parametrize(
    "answer",
    [
        "Revenue fell from 12.1 in Q1 to 15.0 in Q4.",
        "Churn rose from 5 % to 3 %.",
        "Region B (1.2 million) is larger than region A (3.4 million).",
        "Model X (12.5 kg) is lighter than model Y (9 kg).",
        "That makes $149 × 12 = $1,688 per year.",
        "The meeting is on Tuesday, 12 March 2025.",
        "The meeting starts on 12 March 2025 (Monday).",
        "Users grew from 400 to 500, an increase of 20%.",
        "Of the chairs 48 of 50 were in use (69%).",
    ],
)
def test_what_is_false_by_its_own_figures_is_contradicted_without_a_source_that_speaks_of_it(answer):
    assert status(answer, "The weather was fine.") == "contradicted"


@pytest.mark.parametrize(
    "answer",
    [
        "Revenue fell from 15.0 in Q1 to 12.1 in Q4.",
        "The club fell from 3rd to 5th place.",
        "The rupee fell from 70 to 75 against the dollar.",
        "Sign-ups fell by 550 from week 36 to week 37.",
        "Prices dropped from 5 to 9 pm.",
        "Region A (3.4 million) is larger than region B (1.2 million).",
        "Plan A (12 seats) is cheaper than plan B (8 seats).",
        "That makes (2 + 3) × 4 × 2 = 40.",
        "It is 10 / 3 = 3.33 and 3 × 20 minutes = 1 hour.",
        "The meeting is on Wednesday, 12 March 2025.",
        "The share grew from 20% to 25%, a rise of 5%.",
        "The temperature fell from -2 to -5 °C.",
        'The film opens on "Thursday, June 2, 1922", which was a Friday.',
    ],
)
def test_what_its_own_figures_bear_out_or_do_not_touch_is_not_contradicted(answer):
    assert status(answer, "The weather was fine.") != "contradicted"


def test_a_source_that_says_the_same_is_not_contradicted_by_the_calendar():
    assert (
        status("The meeting is on Tuesday, 12 March 2025.", "The meeting is on Tuesday, 12 March 2025.") == "supported"
    )


def test_a_change_told_the_other_way_round_is_contradicted():
    assert status("Churn fell from 5 % to 3 %.", "Churn rose from 3 % to 5 %.") == "contradicted"


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("In total 75 loaves were sold on Saturday.", LOAVES),
        ("Together the three sites had 12,900 visitors.", SITES),
        ("The three tasks add up to 19 hours.", TASKS),
        ("Elm Park and Oak Lake had 9,800 visitors combined.", SITES),
        ("Total donations were 225 thousand USD.", YEARS),
        ("Oak Lake had 2,500 more visitors than Birch Hill.", SITES),
        ("15 more rye loaves than wheat loaves were sold.", LOAVES),
        ("Members grew by 25% from 2021 to 2023.", YEARS),
        ("Members increased from 480 to 600, a rise of 25%.", YEARS),
        ("Membership costs adults £48 a year.", LIBRARY),
        ("On weekdays the library is open for 8.5 hours.", LIBRARY),
        ("75% of the 24 volunteers completed the training.", TRAINED),
        ("Three quarters of the volunteers completed the training.", TRAINED),
        ("18 of 24 volunteers completed the training (75%).", TRAINED),
        ("The exhibition lasts 21 days.", "The exhibition runs from 1 June 2024 to 22 June 2024."),
        ("Payment is due by 31 May 2024.", "The invoice is of 1 May 2024. Payment is due within 30 days."),
        ("There are three tasks.", TASKS),
        ("That is €12 per child.", "The trip costs €240 for 20 children."),
        ("That comes to $240 a year.", "Hosting costs $20 per month."),
        ("Services added 14 million.", HALVES),
        ("Services grew by 14 million.", HALVES),
        ("Coatings shrank by 9 million.", HALVES),
        ("Members grew by 80 from 2022 to 2023.", YEARS),
    ],
)
def test_what_the_named_step_leads_to_is_supported(answer, source):
    assert status(answer, source) == "supported"


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("In total 85 loaves were sold on Saturday.", LOAVES),
        ("Together the three sites had 13,900 visitors.", SITES),
        ("The three tasks add up to 15 hours.", TASKS),  # 6 + 9, two of the three
        ("Elm Park and Oak Lake had 8,700 visitors combined.", SITES),  # of two others
        ("Oak Lake had 1,400 more visitors than Birch Hill.", SITES),  # than Elm Park
        ("25 more rye loaves than wheat loaves were sold.", LOAVES),
        ("Membership costs adults £40 a year.", LIBRARY),
        ("On weekdays the library is open for 9.5 hours.", LIBRARY),
        ("The exhibition lasts 31 days.", "The exhibition runs from 1 June 2024 to 22 June 2024."),
        ("Payment is due by 11 May 2024.", "The invoice is of 1 May 2024. Payment is due within 30 days."),
        ("Coatings added 9 million.", HALVES),  # they lost as much
        ("Services shrank by 14 million.", HALVES),
        ("Coatings shrank by 14 million.", HALVES),  # as Services grew
        ("Services grew by 14 thousand.", HALVES),
        ("Members grew by 120 from 2022 to 2023.", YEARS),  # from 2021
    ],
)
def test_what_the_named_step_does_not_lead_to_is_not_supported(answer, source):
    assert status(answer, source) != "supported"


@pytest.mark.parametrize(
    ("answer", "rule"), [("In total 75 loaves were sold.", "worked"), ("In total 75 loaves were burnt.", "derived")]
)
def test_a_figure_that_follows_bears_out_no_word_that_nothing_has(answer, rule):
    (point,) = look(answer, Index([EvidenceSource("s", LOAVES)], answer)).points
    assert (point.rule, point.finding, point.stated) == (rule, "same", "45 + 30")


@pytest.mark.parametrize(("support", "enough"), [(0.1, False), (0.3, True)])
def test_a_figure_that_follows_in_some_way_bears_nothing_out_of_which_the_model_is_nearly_sure_that_it_is_wrong(
    support, enough
):
    answer = "In total 75 loaves were burnt."
    seen = look(answer, Index([EvidenceSource("s", LOAVES)], answer))

    decided = decide(seen, Reading(support, 0.5, None, 0.5), None, fitted("local"))

    assert (decided.point is not None and decided.point.rule == "derived" and decided.probability >= 0.85) is enough


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("Birch Hill had more visitors than Elm Park.", SITES),
        ("Oak Lake is cheaper than Elm Park.", SITES),
        ("Members fell from 2021 to 2023.", YEARS),
        ("Members declined between 2021 and 2023.", YEARS),
        ("Donations grew by 50% from 2021 to 2023.", YEARS),  # from 2022
        ("Half of the 24 volunteers completed the training.", TRAINED),
        ("A third of the volunteers completed the training.", "80% of the volunteers completed the training."),
        ("Most of the volunteers completed the training.", "6 of the 24 volunteers completed the training."),
        ("Most volunteers completed the training.", "6 of the 24 volunteers completed the training."),
        ("Most of the 40 members voted yes.", "Of the 40 members 12 voted yes."),
        ("The majority of members voted yes.", "Of the 40 members, 12 voted yes."),
        ("Most households recycle glass.", "Of the 600 households asked, only 180 recycle glass."),
        ("Most respondents own a car.", "Of the respondents, 31% own a car."),
    ],
)
def test_two_cells_that_are_named_and_counts_of_the_same_things_settle_the_words(answer, source):
    assert status(answer, source) == "contradicted"


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("Elm Park had more visitors than Birch Hill.", SITES),
        ("Donations fell from 2021 to 2022.", YEARS),
        ("Oak Lake costs less than two visits to Elm Park.", SITES),  # a multiple is not the cell
        ("Most of the volunteers failed the training.", "6 of the 24 volunteers completed the training."),
        ("Most of the 40 members voted yes.", "Of the 40 members 32 voted yes."),
        ("Most members voted no.", "Of the 40 members 12 voted yes and 28 no."),
        ("Most members voted no.", "Of the 40 members 12 voted yes, the others no."),
    ],
)
def test_what_the_cells_do_not_speak_against_is_not_contradicted(answer, source):
    assert status(answer, source) != "contradicted"


def test_no_chance_combination_makes_a_total_under_a_column_with_a_unit():
    claim, table = (
        "Altogether the four crews got €360.",
        "crew,people,got_eur\nRed,6,120\nBlue,4,75\nGold,3,40\nGrey,5,60\n",
    )
    found = look(claim, Index([EvidenceSource("s", table)], claim)).points
    assert ("figure", "missing") in [(point.rule, point.finding) for point in found if point.part == "€360"]


def test_an_honest_sum_of_an_agent_passes_and_a_wrong_one_does_not():
    rows = '[{"order": 1187, "total": 42.5, "status": "paid"}, {"order": 1188, "total": 13.0, "status": "open"}]'

    def outcome(total):
        told = {"summary": f"The two orders come to {total} in total.", "data": {"sum": total}, "confidence": 0.9}
        output = told | {"kind": "agent_output", "tools_used": ["db"], "metadata": {"status": "done"}}
        called = {"id": "t1", "kind": "tool_call", "name": "db", "output": rows}
        case = Case.from_dict({"goal": "Sum the orders", "subject": output, "evidence": [called]})
        return Verifier().verify_sync(case).outcome

    assert outcome(55.5) == "pass"
    assert outcome(65.5) in ("partial", "fail")
