"""Claims against the rows of tables and of lists of records: the row that is named, all rows together, and tables too long to read."""

import json

import pytest

from witnessmark.checks.grounding import evidence
from witnessmark.checks.grounding.decision import decide
from witnessmark.checks.grounding.evidence import EvidenceSource, Index
from witnessmark.checks.grounding.features import look
from witnessmark.checks.grounding.fields.rows import RowIndex

SHOP = json.dumps(
    [
        {"sku": "LP-10", "name": "Lamp", "stock": 17, "price_eur": 24.5, "discontinued": False},
        {"sku": "CH-20", "name": "Chair", "stock": 0, "price_eur": 61.0, "discontinued": True},
        {"sku": "DK-30", "name": "Desk", "stock": 4, "price_eur": 180.0, "discontinued": False},
    ]
)
TRAINS = "train,from,to,departs,platform\nR7,Lille,Ghent,09:05,3\nR8,Ghent,Lille,12:00,5\nR9,Lille,Paris,13:30,3\n"
HOTELS = "| Hotel | Lift | Meals |\n|---|---|---|\n| Mira | no | half board |\n| Sol | yes | breakfast |\n"
PLAYERS = "player,team,goals,assists\nObi,Lions,11,12\nRask,Hawks,7,9\nVega,Lions,18,4\n"
ROOMS = json.dumps([{"room": 1, "free": True}, {"room": 2, "free": False}, {"room": 3, "free": True}])
WELLS = "| Well | Pumps | Litres per pump | Depth (m) |\n|---|---|---|---|\n| Ash | 4 | 60 | 31 |\n| Elm | 5 | 45 | 40 |\n| Oak | 3 | 52 | 28 |\n"
TARIFFS = "| | Basic | Plus |\n|---|---|---|\n| Calls | 100 | 900 |\n| Data | 2 GB | 30 GB |\n"
BUCKET = "name: backup\nversioning: false\nencryption: true"
FEATURE = "name: dark-mode\nenabled: true\nverified: false"


def status(claim, source):
    return decide(look(claim, Index([EvidenceSource("s", source)], claim))).status


RACE = """pos;bib;name;club;finish
1;214;Ingrid Moen;Tverdal IL;2:18:05
2;203;Astri Lund;Fjellrev;2:19:31
3;240;Petra Vance;unattached;2:24:10"""


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The lamp has been discontinued.", SHOP),
        ("The chair has not been discontinued.", SHOP),
        ("Hotel Mira has a lift.", HOTELS),
        ("Room 2 is free.", ROOMS),
        ("The feature is disabled.", FEATURE),
        ("The name is unverified and the feature is disabled.", FEATURE),
        ("Hotel Mira comes with breakfast.", HOTELS),
        ("R8 runs from Lille to Ghent.", TRAINS),
        ("Obi scored 12 goals and gave 11 assists.", PLAYERS),
        ("Rask scored nine goals.", PLAYERS),
        ("There is a stock of 17 of the desk.", SHOP),
        ("Rask has the most goals.", PLAYERS),
        ("The chair is the cheapest.", SHOP),
        ("The lamp is the most expensive.", SHOP),
        ("There are five players.", PLAYERS),
        ("No rooms are free.", ROOMS),
        ("All rooms are free.", ROOMS),
        ("The lowest litres per pump are those of Oak: 52.", WELLS),
        ("Encryption is switched off.", BUCKET),
        ("Versioning is switched on.", BUCKET),
    ],
)
def test_what_another_row_says_or_all_rows_together_deny_is_contradicted(claim, source):
    assert status(claim, source) == "contradicted"


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The chair has been discontinued.", SHOP),
        ("The lamp has not been discontinued.", SHOP),
        ("Hotel Sol has a lift.", HOTELS),
        ("Room 3 is free.", ROOMS),
        ("The feature is not disabled.", FEATURE),
        ("R7 leaves from platform 3 and arrives in Ghent.", TRAINS),
        ("Obi scored 11 goals and gave 12 assists.", PLAYERS),
        ("Vega has the most goals.", PLAYERS),
        ("Obi has the most assists.", PLAYERS),
        ("The lamp is the cheapest.", SHOP),
        ("There are three players.", PLAYERS),
        ("Two rooms are free.", ROOMS),
        ("The lamp costs €24.50, €36.50 less than the chair.", SHOP),
        ("The chair costs €36.50 more.", SHOP),
        ("Order: P-1; item: Chair Ergo 3; units: 12", "order,item,units\nP-1,Chair Ergo 3,12\nP-2,Screen 27,6"),
        ("Obi has more goals than Rask, who has 7.", PLAYERS),
        ("The lowest litres per pump are those of Elm: 45.", WELLS),
        ("With Plus you get 30 GB and 900 calls.", TARIFFS),
        ("Versioning is switched off.", BUCKET),
        ("The bucket has versioning turned off.", BUCKET),
        ("Ingrid Moen of Tverdal IL won in 2:18:05, 1 minute 26 seconds ahead of Astri Lund.", RACE),
    ],
)
def test_what_the_named_row_or_all_rows_say_is_not_contradicted(claim, source):
    assert status(claim, source) != "contradicted"


def long_table(count):
    rows = (f"{n},engine{n},{'Bonn' if n % 2 else 'Oslo'},{30 * n}" for n in range(count))
    return "\n".join(["id,name,town,amount", *rows])


def test_the_last_row_of_a_long_table_is_held_like_any_other():
    table = long_table(1_600)
    assert status("The amount of engine1590 is 47700.", table) == "supported"
    assert status("The amount of engine1590 is 47730.", table) == "contradicted"


def test_of_a_table_that_is_too_long_what_speaks_of_the_claim_is_read_with_its_head_and_the_rest_is_told(monkeypatch):
    monkeypatch.setattr(evidence, "MAX_READ", 9_000)
    table = long_table(600)
    claim = "The amount of engine590 is 17730."
    index = Index([EvidenceSource("s", table)], claim)
    assert 0 < index.read * len(table) <= 9_000 < len(table)
    (point,) = (one for one in look(claim, index).points if one.finding == "contradicted")
    assert point.stated == "amount: 17700"
    assert table[slice(*point.place)] == "17700"


def test_the_rows_that_a_claim_names_stand_in_the_order_of_the_table_whatever_order_a_set_has():
    names = ["Heron", "Kestrel", "Osprey", "Merlin", "Falcon", "Curlew", "Plover", "Godwit", "Dunlin"]
    index = Index([EvidenceSource("d", "name,crew\n" + "\n".join(f"{name},{n}" for n, name in enumerate(names)))])
    named = RowIndex.of(index.fields).named(f"{', '.join(sorted(names[:8]))} sail.")
    assert [field.value for field in named.values()] == names[:8]
