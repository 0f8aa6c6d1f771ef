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

TICKETS = '{"open_tickets": 41, "oldest_days": 12, "by_team": {"billing": 17, "infra": 24}}'
DATABASE = "port: 5433\ntls: true\nread_only: false"


def status(claim, source):
    index = Index([EvidenceSource("s", source)], claim)
    return decide(look(claim, index)).status


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("There are 41 open tickets: 24 in billing and 17 in infra.", TICKETS),
        ("The database is read-only.", DATABASE),
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


LIFTERS = "athlete,total_kg,best_kg,age\nMira Holt,412.5,398.0,27\nAda Lund,388.0,391.5,31\nIna Roth,365.0,350.0,24\n"
DEVICES = "device,power_kw,price\nKettle,1.8,40\nOven,2.6,410\nToaster,0.9,35\n"
CABIN = "The circuit in the kitchen of the cabin carries 2.0 kW."


def cells(claim, *sources):
    index = Index([EvidenceSource(f"s{number}", text) for number, text in enumerate(sources)], claim)
    return [
        point.part for point in look(claim, index).points if (point.rule, point.finding) == ("cell", "contradicted")
    ]


@pytest.mark.parametrize(
    ("claim", "wrong"),
    [
        ("Mira Holt's total was 14.5 kg above her best.", []),
        ("Mira Holt's total was 15.5 kg above her best.", ["15.5 kg"]),
        ("Mira Holt's total was 15.0 kg above her best.", ["15.0 kg"]),  # that is another's
        ("Mira Holt had a total of 388.0 kg.", ["388.0 kg"]),
    ],
)
def test_a_figure_one_step_from_the_values_of_its_row_is_not_against_them(claim, wrong):
    assert cells(claim, LIFTERS) == wrong


@pytest.mark.parametrize("around", ["{}", "Stations of the city\n\n{}", "Stations of the city\n{}\nDepths are taken at the platform edge.\n"])  # fmt: skip
def test_a_csv_with_prose_around_it_is_held_row_by_row(around):
    source = around.format(CSV)
    assert status("Belvue lies at a depth of 31 m.", source) == "contradicted"
    assert status("Belvue lies at a depth of 24 m.", source) != "contradicted"


HIRE = "| Model | Per day | Per week |\n|---|---|---|\n| Alder 13 | 7.00 | 35.00 |\n| Cedar Air | 9.50 | 49.00 |\n"
COURSES = "| Course | Duration (weeks) |\n|---|---|\n| Dyeing | 6 |\n| Weaving | 4 |\n"


@pytest.mark.parametrize(
    ("claim", "source", "wrong"),
    [
        ("The Alder 13 costs 70.00 for two weeks.", HIRE, False),
        ("The Cedar Air costs 98.00 for two weeks.", HIRE, False),
        ("The duration of the course in weaving is nine weeks.", COURSES, True),
    ],
)
def test_a_column_of_rates_has_no_value_in_what_they_are_for(claim, source, wrong):
    found = look(claim, Index([EvidenceSource("s", source)], claim)).points
    assert any(one.rule == "cell" and one.finding == "contradicted" for one in found) == wrong


ORDER = json.dumps({"gift_wrap": False, "status": "shipped", "signature_required": False})
WRAPPED = json.dumps({"gift_wrap": True, "status": "shipped", "signature_required": True})
DENIED = [
    "Gift wrapping was not ordered.",
    "Gift wrapping was not chosen.",
    "Gift wrapping was not selected.",
    "Gift wrapping has never been requested.",
    "Gift wrapping wasn't included.",
    "Gift wrapping, however, was not ordered.",
    "No gift wrapping was requested.",
    "Nobody asked for gift wrapping.",
    "The customer did not choose gift wrapping.",
    "The order was shipped without gift wrapping.",
    "It is not gift-wrapped.",
    "No signature is needed.",
    "No signature is required.",
    "A signature is not necessary.",
]
AFFIRMED = [
    "Gift wrapping was ordered.",
    "It was ordered with gift wrapping.",
    "The order includes gift wrapping.",
    "Gift wrapping was not only ordered but paid.",
    "The order includes gift wrapping and does not include a card.",
    "The order includes gift wrapping, does not include a card, and was shipped.",
    "A signature is required.",
    "A signature is needed.",
]


def found(claim, source):
    return {
        point.finding
        for point in look(claim, Index([EvidenceSource("s", source)], claim)).points
        if point.rule in ("field", "bounded")
    }


@pytest.mark.parametrize("claim", DENIED)
def test_a_field_that_is_false_is_borne_out_by_what_denies_it_whatever_the_verb(claim):
    assert found(claim, ORDER) == {"same"}
    assert found(claim, WRAPPED) == {"contradicted"}


@pytest.mark.parametrize("claim", AFFIRMED)
def test_a_field_that_is_true_is_borne_out_by_what_affirms_it(claim):
    assert found(claim, WRAPPED) == {"same"}
    assert found(claim, ORDER) == {"contradicted"}


@pytest.mark.parametrize("source", [ORDER, WRAPPED])
@pytest.mark.parametrize(
    "claim",
    [
        "Gift wrapping was declined.",
        "Gift wrapping was not declined.",
        "Gift wrapping was cancelled.",
        "If gift wrapping was ordered, it is free.",
        "Once gift wrapping is included, the price rises.",
        "Until gift wrapping is included, the price stays.",
        "The parcel is not without gift wrapping.",
        "Gift wrapping is no problem.",
    ],
)
def test_where_it_cannot_be_told_what_a_claim_says_of_a_field_nothing_is_said(claim, source):
    assert found(claim, source) == set()


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("There are 41 open tickets: 17 in billing and 24 in infra.", TICKETS),
        ("The database is not read-only.", DATABASE),
    ],
)
def test_figures_under_their_own_keys_are_right(claim, source):
    assert status(claim, source) != "contradicted"


STOCK = "depot,part,on_hand,reserved\nHalden,KX-210,420,310\nMorrow,KX-210,260,45\nMorrow,KX-225,180,175"


def test_what_the_claim_works_out_from_its_row_is_not_held_against_another_row_of_the_same_name():
    claim = "Morrow has the most: 260 on hand less 45 reserved leaves 215 units."
    found = look(claim, Index([EvidenceSource("s", STOCK)], claim)).points
    assert not [point.part for point in found if point.finding == "contradicted"]
    wrong = claim.replace("260 on hand", "420 on hand")
    found = look(wrong, Index([EvidenceSource("s", STOCK)], wrong)).points
    assert "420" in [point.part for point in found if point.finding == "contradicted"]


@pytest.mark.parametrize(
    ("claim", "question", "against"),
    [
        ("Set keep_days to 90.", "How do I keep the copies for three months?", False),
        ("Set keep_days to 60.", "How do I keep the copies for three months?", True),  # nobody asked for that
        ("keep_days is 90.", "How do I keep the copies for three months?", True),  # said of the record as it is
        ("Set keep_days to 90.", "Are copies kept for 90 days?", True),
    ],
)
def test_a_setting_that_the_question_wants_is_not_held_against_the_value_in_force(claim, question, against):
    index = Index([EvidenceSource("s", "target: vault\nkeep_days: 30\nnotify: ops")], claim)
    points = look(claim, index, "en", question).points
    assert any(one.rule == "cell" and one.finding == "contradicted" for one in points) == against


BILLING = '{"name": "billing-api", "timeout_ms": 2500, "retries": 3}'
MAIL = '{"name": "mail-api", "timeout_ms": 900, "retries": 5}'


@pytest.mark.parametrize(
    ("claim", "finding"),
    [
        ("The timeout of billing-api is 2.5 seconds.", "same"),
        ("The timeout of mail-api is 0.9 seconds.", "same"),
        ("billing-api has 3 retries.", "same"),
        ("The timeout of billing-api is 0.9 seconds.", "contradicted"),  # that of the other record
        ("The timeout of billing-api is 3.5 seconds.", "contradicted"),
        ("billing-api has 5 retries.", "contradicted"),
    ],
)
def test_the_name_of_a_record_hides_no_field_of_it_and_none_of_another_record_is_its_own(claim, finding):
    index = Index([EvidenceSource("b", BILLING), EvidenceSource("m", MAIL)], claim)
    (point,) = look(claim, index).points
    assert (point.rule, point.finding) == ("bounded" if finding == "same" else "cell", finding)


def test_a_record_bears_nothing_out_of_one_with_a_name_that_no_record_has():
    claim = "The timeout of chat-api is 2.5 seconds."
    assert [one.rule for one in look(claim, Index([EvidenceSource("b", BILLING)], claim)).points] == ["figure"]
