"""A figure belongs to the thing that the sources tell it of, and one that is not stated follows only from operands that belong together."""

from __future__ import annotations

import pytest

from witnessmark.checks.grounding.claims import claims
from witnessmark.checks.grounding.evidence import EvidenceSource, Index
from witnessmark.checks.grounding.features import look_all

ROOMS = "| City | Limit per night | Meals |\n|---|---|---|\n| Porto | 125 | 41 |\n| Gdansk | 112 | 37 |\n| Basel | 205 | 66 |\n"
MODELS = (
    "| | Vento 3 | Vento 5 |\n|---|---|---|\n| Price | 80 | 140 |\n| Weight | 4 kg | 7 kg |\n| Remote | no | yes |\n"
)
RELEASES = "| Setting | Default in 7.1 | Default in 7.2 |\n|---|---|---|\n| mode | fast | safe |\n| wait | 45 min | 20 min |\n| peers | 9 | 9 |\n"
PLANS = "Yearly plan: 31 a month; weekly plan: 52 a month. Joining costs 20."
QUOTES = "Three quotes came in: Alder 7,300, Birch 8,150 and Cedar 9,400 euros. The fund holds 6,100 euros."
FEES = "The entry fee is 28 euros for adults and 15 euros for students. Wetsuits can be hired for 9 euros."
INNS = (
    '[{"name": "Inn Lark", "rate_per_night": 110, "pets": {"fee_per_night": 15}, "free_until_days": 4},'
    ' {"name": "Inn Wren", "rate_per_night": 95, "pets": {"fee_per_night": 5}, "free_until_days": 9}]'
)
SALES = "region,q1_units,q2_units\nNorth,1400,1650\nSouth,1900,1780\n"


def said(text: str, source: str, goal: str = "") -> dict[str, str]:
    """What the rules say of each figure and date of an answer."""
    index, found = Index([EvidenceSource("d1", source)]), claims(text, goal)
    looks = look_all([one for one in found if one.checkable], index, "en", goal)
    return {point.part: point.finding for seen in looks for point in seen.points if point.rule != "name"}


@pytest.mark.parametrize(
    ("source", "goal", "right", "wrong"),
    [
        (ROOMS, "What may a room in Porto cost?", "125 euros a night.", "112 euros a night."),
        (RELEASES, "What is new in 7.2?", "The new default of wait is 20 min.", "The new default of wait is 45 min."),
        (INNS, "", "Inn Lark has free_until_days: 4.", "Inn Lark has free_until_days: 9."),
        (MODELS, "", "The Vento 3 weighs 4 kg.", "The Vento 3 weighs 7 kg."),
        (PLANS, "", "The yearly plan costs 31.", "The yearly plan costs 52."),
    ],
)
def test_a_value_that_only_another_thing_has_is_not_that_of_the_one_that_is_named(source, goal, right, wrong):
    assert not {"missing", "contradicted"} & set(said(right, source, goal).values())
    assert {"missing", "contradicted"} & set(said(wrong, source, goal).values())


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (ROOMS, "A room may cost 112 euros a night."),  # nobody says where
        (ROOMS, "In Porto it is 125 against 112 elsewhere."),  # its own value stands beside it
        (ROOMS, "Porto has a limit of 125. In Gdansk it is 112."),
        (MODELS, "At 7 kg the Vento 5 is heavier than the Vento 3."),
    ],
)
def test_values_of_things_that_are_named_or_set_side_by_side_are_theirs(source, text):
    assert not {"missing", "contradicted"} & set(said(text, source).values())


@pytest.mark.parametrize(
    ("source", "goal", "text", "part"),
    [
        (QUOTES, "", "Birch was chosen. With 6,100 euros in the fund, 1,200 euros are still needed.", "1,200 euros"),
        (PLANS, "", "With the yearly plan you pause for three months. That saves you 156 in all.", "156"),
        ("Rooms cost 130 euros. Up to 25% more may be approved.", "", "Such rooms cost 155 euros.", "155 euros"),
        (FEES, "", "A student who hires a wetsuit pays 37 euros.", "37 euros"),
        ("13:02 the release is out. 13:27 a wrong guess. 13:48 it is found.", "", "It took 25 minutes.", "25 minutes"),
    ],
)
def test_no_figure_follows_from_things_that_nobody_names_or_from_figures_of_other_kinds(source, goal, text, part):
    assert said(text, source, goal)[part] in ("missing", "contradicted")


@pytest.mark.parametrize(
    ("source", "goal", "text", "part"),
    [
        (QUOTES, "", "Birch was chosen. With 6,100 euros in the fund, 2,050 euros are still needed.", "2,050 euros"),
        (FEES, "", "A student who hires a wetsuit pays 24 euros.", "24 euros"),
        (FEES, "", "An adult who hires a wetsuit pays 37 euros.", "37 euros"),
        (FEES, "", "Two students pay 30 euros together.", "30 euros"),
        (FEES, "", "An adult and a student pay 43 euros together.", "43 euros"),
        (
            "It costs 12 euros for the first day and 5 euros for each further day.",
            "",
            "The first two days cost 17 euros.",
            "17 euros",
        ),
        (INNS, "What do two nights with a dog cost?", "Inn Lark comes to 250 euros.", "250 euros"),
        ("A card for ten visits costs 40 euros.", "", "That makes each visit 4 euros.", "4 euros"),
        (SALES, "", "Region: South; Change: -120", "120"),
        ("Do not eat for six hours before the test.", "My test is at 10 am.", "Eat nothing from 4 am.", "4 am"),
        (
            "Lamp received: 24 February 2025.\n\nWe refund within 14 days after we receive the goods.\n\nDelivered on 11 February 2025; goods can be returned within 30 days of delivery.",
            "",
            "The refund for the lamp is due by 10 March 2025.",
            "10 March 2025",
        ),
    ],
)
def test_a_figure_follows_from_operands_that_belong_together(source, goal, text, part):
    assert said(text, source, goal)[part] in ("same", "elsewhere")


def test_a_change_to_the_same_number_in_another_unit_is_contradicted():
    source = "The cache grows from 256 MB to 512 MB. The dough takes 1 teaspoon of salt."
    assert said("The cache grows from 256 MB to 512 GB.", source)["256 MB to 512 GB"] == "contradicted"
    assert said("The cache grows from 256 MB to 512 MB.", source)["256 MB to 512 MB"] == "same"
    assert said("The dough takes 1 tablespoon of salt.", source)["1 tablespoon"] == "contradicted"


@pytest.mark.parametrize(
    ("source", "goal", "text", "count", "wrong"),
    [
        ("A night in the cabin costs 80 euros.", "", "3 nights in the cabin cost 240 euros.", "3", "250 euros"),
        ("A kayak costs 18 euros to hire.", "", "4 kayaks cost 72 euros to hire.", "4", "90 euros"),
    ],
)
def test_a_number_that_a_claim_brings_to_a_stated_amount_needs_no_source(source, goal, text, count, wrong):
    told = said(text, source, goal)
    assert told.pop(count) == "elsewhere"
    assert set(told.values()) == {"same"}
    (amount,) = told
    assert said(text.replace(amount, wrong), source, goal)[wrong] == "contradicted"
    assert (
        said(text, source, f"And for {int(count) + 1}{text.partition(count)[2].partition(' cost')[0]}?")[count]
        != "elsewhere"
    )


MEMBERS = (
    "| Region | 2024 | 2025 |\n|---|---|---|\n| North | 120 | 155 |\n| South | 210 | 156 |\n",
    "In 2024 the North had 120 members and the South 210. In 2025 the North had 155 members and the South 156.",
)


@pytest.mark.parametrize("source", MEMBERS)
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("South lost 54 members from 2024 to 2025, whereas North gained 35.", "South lost 35 members from 2024 to 2025, whereas North gained 54."),
        ("North gained 35 members, but South lost 54.", "North lost 35 members, but South gained 54."),
        ("North gained 35 members.", "North gained 54 members."),
        ("South lost 54 members.", "South gained 54 members."),
    ],
)  # fmt: skip
def test_a_change_follows_from_the_figures_of_the_thing_it_is_told_of_and_goes_their_way(source, right, wrong):
    goal = "How did the regions change?"
    assert {said(right, source, goal)[part] for part in ("54", "35") if part in right} == {"same"}
    assert not {"same", "elsewhere"} & {
        found for part, found in said(wrong, source, goal).items() if part in ("54", "35")
    }


STAFF = "name,department,salary\nAna Reyes,Sales,41000\nBo Frank,IT,52000\nDora Levi,IT,58000"


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("Dora earns 17,000 more than Ana.", "Ana earns 17,000 more than Dora."),
        ("Bo Frank earns 6,000 less than Dora Levi.", "Dora Levi earns 6,000 less than Bo Frank."),
    ],
)
def test_how_far_two_rows_lie_apart_tells_the_column_and_which_has_more(right, wrong):
    assert "contradicted" not in said(right, STAFF).values()
    assert said(wrong, STAFF)["more" if "more" in wrong else "less"] == "contradicted"


def test_what_a_question_counts_is_not_added_to_the_same_of_a_source():
    source = "The family ticket is for 2 adults and up to 3 children."
    goal = "Can 2 adults and 4 children use the family ticket?"
    assert said("Yes.", source, goal)["4"] != "same"
