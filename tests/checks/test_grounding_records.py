"""Claims against records and tables: each value of the right field in the right row."""

import json

import pytest

from witnessmark.checks.grounding.decision import decide
from witnessmark.checks.grounding.evidence import EvidenceSource, Index
from witnessmark.checks.grounding.features import look

HOTEL = json.dumps(
    {
        "name": "Seal Rock Inn",
        "city": "Alba",
        "facilities": {"SwimmingPool": False, "PetsAllowed": True, "LiveMusic": False, "elevator": None},
        "parking": {"garage": False, "street": True, "valet": False},
        "opening": {"Monday": "7:0-17:0", "Tuesday": "7:0-17:0", "Saturday": "9:0-14:0", "Sunday": "closed"},
        "stars": 3.5,
    }
)
CSV = "station,depth_m,opened,lift\nBelvue,24,1968,no\nArsen,31,1974,yes\nQuay,12,1981,yes\n"
TABLE = "| Variety | Yield (t/ha) | Blight score |\n|---|---|---|\n| Merla | 41 | 7 |\n| Torvik | 38 | 9 |\n"


def status(claim, source):
    index = Index([EvidenceSource("s", source)], claim)
    return decide(look(claim, index)).status


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The inn has a swimming pool.", HOTEL),
        ("Pets are not allowed at the inn.", HOTEL),
        ("Guests can park in the garage or use valet parking.", HOTEL),
        ("It is open from 8 am to 5 pm on Mondays.", HOTEL),
        ("The inn is open Monday to Saturday from 7:00 to 17:00.", HOTEL),
        ("It is open on Sundays from 9:00 to 14:00.", HOTEL),
        ("The inn is closed on Saturdays.", HOTEL),
        ("Seal Rock Inn has a rating of 4.5 stars.", HOTEL),
        ("Belvue lies at a depth of 31 m.", CSV),
        ("Merla had a blight score of 9.", TABLE),
        ("Torvik has a yield of 41 t/ha.", TABLE),
    ],
)
def test_a_value_of_another_field_or_row_is_contradicted(claim, source):
    assert status(claim, source) == "contradicted"


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The inn does not have a swimming pool.", HOTEL),
        ("There is no swimming pool, garage or valet parking.", HOTEL),
        ("While there is no valet parking, street parking is available.", HOTEL),
        ("Pets are allowed.", HOTEL),
        ("It is open from 7 am to 5 pm on Mondays and Tuesdays.", HOTEL),
        ("The inn is closed on Sundays.", HOTEL),
        ("Seal Rock Inn has a rating of 3.5 stars.", HOTEL),
        ("Belvue lies at a depth of 24 m.", CSV),
        ("Merla had a blight score of 7.", TABLE),
    ],
)
def test_what_the_record_says_is_not(claim, source):
    assert status(claim, source) != "contradicted"


def test_a_reason_points_at_the_value():
    index = Index([EvidenceSource("s", HOTEL)], "")
    seen = look("The inn has a swimming pool.", index)
    point = next(p for p in seen.points if p.finding == "contradicted")
    assert (point.rule, HOTEL[slice(*point.place)], point.stated) == (
        "field",
        "false",
        "facilities swimming pool: false",
    )


def test_the_figures_of_a_csv_are_found():
    index = Index([EvidenceSource("s", CSV)], "")
    figures = [
        p.finding
        for p in look("Quay is 12 m deep and opened in 1981.", index).points
        if p.rule in ("figure", "date", "cell")
    ]
    assert figures
    assert set(figures) <= {"same", "elsewhere"}


def test_what_one_row_denies_says_nothing_of_the_others():
    plans = "| Plan | Version history |\n|---|---|\n| Seed | no |\n| Grove | 60 days |\n| Forest | 1 year |\n"
    assert status("Grove and Forest include version history; Seed does not.", plans) != "contradicted"
    all_no = plans.replace("60 days", "no").replace("1 year", "no")
    assert status("Grove includes version history.", all_no) == "contradicted"
