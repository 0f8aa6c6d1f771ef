"""Values of tables as people repeat them: in the unit of a head, of the row that names a property, with what a text beside the table adds."""

from __future__ import annotations

import pytest

from witnessmark.checks.grounding.claims import claims
from witnessmark.checks.grounding.decision import decide
from witnessmark.checks.grounding.evidence import EvidenceSource, Index
from witnessmark.checks.grounding.features import look


def status(claim: str, source: str, goal: str = "") -> str:
    return decide(look(claim, Index([EvidenceSource("d1", source)], claim), "en", goal)).status


def contradicted(claim: str, source: str, goal: str = "") -> set[str]:
    """The parts of a claim that a rule contradicts."""
    seen = look(claim, Index([EvidenceSource("d1", source)], claim), "en", goal)
    return {one.part for one in seen.points if one.finding == "contradicted"}


def found(claim: str, source: str) -> set[tuple[str, str, str]]:
    """The rule, the finding and the part of everything that rules say of a claim."""
    seen = look(claim, Index([EvidenceSource("d1", source)], claim))
    return {(one.rule, one.finding, one.part) for one in seen.points}


WELLS = "Well | Nitrate mg/l | pH\nChurch Green | 18 | 7.2\nPump Lane | 47 | 6.9\nUpper Mill | 61 | 6.8\n"
HUTS = (
    "Hut | Height m | Beds | Winter room\nGrauwand | 1,870 | 62 | yes, 8 beds, open\n"
    "Oberalm | 1,610 | 28 | no\nKarscharte | 2,580 | 24 | yes, 10 beds, open\n"
)
TRAINS = "Train | Orrick | Sandby | Felden\n801 | 06:52 | 07:10 | 07:48\n803 | 07:52 | 08:10 | 08:37\n805 | 08:32 | 08:50 | 09:28\n"
FLIGHTS = (
    "| Flight | To | Scheduled | Expected |\n|---|---|---|---|\n| VN 310 | Brisk | 14:40 | cancelled |\n"
    "| LT 88 | Kelmar | 15:15 | 15:15 |\n| AX 7 | Dune | 14:20 | 15:10 |\n"
)
LIMITS = (
    "| Parameter | Typ | Max | Unit |\n|---|---|---|---|\n| Output current | 200 | 500 | mA |\n"
    "| Quiescent current | 45 | 80 | µA |\n| Input voltage | 12 | 18 | V |\n"
)
RATES = (
    "| Country | Rate now | Change |\n|---|---|---|\n| Varnia | 5.25% | -25 bp |\n| Lusova | 6.00% | none |\n"
    "| Brezina | 4.50% | -50 bp |\n"
)
PLANS = (
    "| Plan | Monthly price | Seats included |\n|---|---|---|\n| Solo | 9 | 1 |\n| Team | 49 | 8 |\n| Firm | 159 | 30 |\n\n"
    "Extra seats cost 6 per month on Team and 5 on Firm."
)
ORDER = (
    '{"items": [{"name": "Desk lamp", "state": "shipped"}, {"name": "Linen shade", "state": "backordered"}, '
    '{"name": "Rug", "state": "shipped"}]}'
)


@pytest.mark.parametrize(
    ("source", "right", "wrong"),
    [
        (
            WELLS,
            "The Pump Lane well had 47 mg of nitrate per litre.",
            "The Pump Lane well had 61 mg of nitrate per litre.",
        ),
        (HUTS, "Karscharte's winter room (10 beds) is open.", "Karscharte's winter room (12 beds) is open."),
        (
            TRAINS,
            "Before 10:00 take train 805, which leaves Orrick at 08:32.",
            "Before 10:00 take train 805, which leaves Orrick at 07:52.",
        ),
        (
            FLIGHTS,
            "People booked on the cancelled flight get seats on LT 88.",
            "LT 88 leaves for Kelmar at 14:20.",
        ),
        (
            LIMITS,
            "It puts out up to 500 mA, with a quiescent current of 45 µA.",
            "Its quiescent current is 500.",
        ),
        (RATES, "Varnia cut its rate by 25 basis points.", "Varnia cut its rate by 40 basis points."),
        (PLANS, "Ten seats on the Team plan cost 61 per month.", "Ten seats on the Team plan cost 59 per month."),
        (
            ORDER,
            "Your order has been shipped in part: Linen shade: still on back order.",
            "Your order has come in part: Linen shade: shipped.",
        ),
    ],
)
def test_a_value_is_read_as_its_table_means_it_and_another_is_still_caught(source, right, wrong):
    assert contradicted(right, source) == set()
    assert contradicted(wrong, source)


TORCHES = "Model | Weight | Burn time\nDart | 68 g | 3 h\nPetrel | 92 g | 6 h\nBrightside Pro | 131 g | 9 h\n"


def test_an_answer_to_the_second_of_two_questions_is_not_held_to_the_first():
    both = "Which of the torches is the lightest, and which lasts longest?"
    assert contradicted("The Brightside Pro lasts longest.", TORCHES, both) == set()
    assert contradicted("The Brightside Pro.", TORCHES, "Which of the torches is the lightest?") == {"Brightside Pro"}
    assert contradicted("The Brightside Pro is the lightest.", TORCHES, both)
    fruit = "fruit,price_per_kg\napple,2.10\nmango,5.40\ncherry,7.80\n"
    assert contradicted("Mango, at 5.40 per kg.", fruit, "Which fruit is the most expensive per kilo?") == {"mango"}


def test_a_name_with_an_initial_is_the_subject_of_what_follows_it():
    text = "Familie Tran is ahead on the list, and P. Köhler applied earlier but does not live in the district."
    assert claims(text)[-1].text.startswith("P. Köhler applied")


FEATURES = (
    "| Feature | Basic | Pro | Team |\n|---|---|---|---|\n| Price per month | €9 | €19 | €49 |\n| Projects | 3 | unlimited | unlimited |\n"
    "| API access | no | yes | yes |\n| SSO | no | no | yes |\n"
)


@pytest.mark.parametrize(
    ("claim", "finding"),
    [
        ("The Basic plan has no API access.", "same"),
        ("The Basic plan has 3 projects and no API access.", "same"),
        ("The Basic plan costs €9 with no API access.", "same"),
        ("The Pro plan has API access but no SSO.", "same"),
        ("The Basic plan costs €9 and has API access.", "contradicted"),
        ("The Pro plan costs €19 with no API access.", "contradicted"),
    ],
)
def test_a_no_in_a_cell_denies_what_its_row_names_and_not_the_column(claim, finding):
    assert {finding for rule, finding, _ in found(claim, FEATURES) if rule == "field"} == {finding}


SPACED = (
    "Annual report, key figures\n\nNOK million          2023     2022\nRevenue              4,830    4,200\nOperating profit       579      462\n\n"
    "Revenue grew by 15 per cent in 2023, driven by Subsea, where revenue rose from NOK 1,450 million to NOK 1,910 million."
)
MARKED = (
    "| NOK million | 2023 | 2022 |\n|---|---|---|\n| Revenue | 4,830 | 4,200 |\n| Operating profit | 579 | 462 |\n\n"
    "Revenue grew by 15 per cent in 2023, driven by Subsea, where revenue rose from NOK 1,450 million to NOK 1,910 million."
)


@pytest.mark.parametrize("source", [SPACED, MARKED, SPACED.replace("NOK million ", "In millions ")])
def test_a_figure_stands_in_a_table_with_the_million_of_its_head(source):
    right = "Revenue grew by 15 per cent in 2023, from NOK 4,200 million to NOK 4,830 million."
    assert status(right, source) == "supported"
    assert status(right.replace("4,200", "4,100"), source) != "supported"
    assert status(right.replace("million", "billion"), source) != "supported"


def test_bare_numbers_beside_an_amount_in_millions_are_in_millions_too():
    tram = "The line cost 184 million dollars, 31 million more than budgeted."
    assert ("figure", "same", "184") in found("Budget: $153 million (184 − 31)", tram)
    assert ("figure", "missing", "194") in found("Budget: $163 million (194 − 31)", tram)


SALES = "city,month,units\nAntwerp,February,310\nAntwerp,March,355\nGhent,February,270\nGhent,March,402\n"


def test_a_total_leaves_out_the_rows_of_another_month():
    assert status("In March the two cities together sold 757 units.", SALES) == "supported"
    assert status("Together they sold 1,337 units.", SALES) == "supported"
    assert status("In March the two cities together sold 672 units.", SALES) != "supported"
    assert status("In February the two cities together sold 757 units.", SALES) != "supported"


@pytest.mark.parametrize(
    ("source", "right", "wrong"),
    [
        ("Up to 5 unused days can be carried over.", "5 days can be carried over.", "5 weeks can be carried over."),
        ("Die Fläche beträgt 65 Quadratkilometer.", "Die Fläche beträgt 65 km².", "Die Fläche beträgt 65 m²."),
        ("The pump moves 13,500 l/h.", "The pump moves 13.5 m³/h.", "The pump moves 135 m³/h."),
        ("The lawn has 65 square feet.", "The lawn has 6.0 m².", "The lawn has 65 m²."),
    ],
)
def test_a_figure_is_the_same_in_another_unit_or_with_a_word_before_it(source, right, wrong):
    assert {f for rule, f, _ in found(right, source) if rule == "figure"} == {"same"}
    assert {f for rule, f, _ in found(wrong, source) if rule == "figure"} <= {"missing", "contradicted"}


def test_working_days_are_no_days():
    assert ("figure", "same", "5 days") not in found("Refunds take 5 days.", "Refunds take 5 working days.")


@pytest.mark.parametrize(
    ("source", "right", "wrong"),
    [
        (
            "Residents pay 60 a year for the first car and 140 for the second.",
            "Residents pay 60 a year for one car and 200 for two.",
            "Residents pay 60 a year for one car and 220 for two.",
        ),
        (
            "The hatchery at Loxton sets 48,000 eggs twice a week.",
            "The hatchery at Loxton sets 96,000 eggs a week.",
            "The hatchery at Loxton sets 84,000 eggs a week.",
        ),
        (
            "Theses are handed in on 5 August at the latest; an extension of two weeks can be granted for illness.",
            "With an extension for illness, theses are handed in on 19 August at the latest.",
            "With an extension for illness, theses are handed in on 26 August at the latest.",
        ),
        (
            'The high chair "Piet", made between March and June of last year, can loosen.',
            'The high chair "Piet" made in April of last year can loosen.',
            'The high chair "Piet" made in August of last year can loosen.',
        ),
        (
            "Pair by holding the button for 5 seconds. The entry has interval: 300. The interval is given in seconds.",
            "The interval is such that it reports every five minutes.",
            "Pair by holding the button for 5 minutes.",
        ),
        (
            "Log: 05:20 pressure drop at valve 7. 06:10 second drop, valve 9. The brigade was called at 06:05.",
            "The brigade was called at 06:05, five minutes before the second drop.",
            "The brigade was called at 06:45.",
        ),
        (
            "Electric cars pay half in zone 2 until the end of the year. An hour costs 1.80.",
            "Electric cars pay 0.90 until the end of the year.",
            "Electric cars pay half in zone 3 until the end of the year.",
        ),
    ],
)
def test_what_follows_from_a_passage_is_not_held_against_it(source, right, wrong):
    assert contradicted(right, source) == set()
    assert contradicted(wrong, source) or status(wrong, source) != "supported"


def test_what_reads_as_a_year_may_be_a_value():
    config = "defaults:\n  timeout_ms: 2000\nservices:\n  billing:\n    timeout_ms: 5000\n"
    assert ("date", "elsewhere", "2000") in found("timeout_ms: 5000 – default is 2000", config)
    assert ("date", "missing", "2010") in found("timeout_ms: 5000 – default is 2010", config)


def test_a_line_of_versions_is_no_figure():
    assert not found("If you are on 4.2.x, upgrade.", "Releases: 4.2.0 and 4.2.1.")
