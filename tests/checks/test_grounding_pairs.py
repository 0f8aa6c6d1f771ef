"""Values held with what they are said of: branches of nested data, pairs in one sentence, fields of one record, things with numbers."""

import json

import pytest

from witnessmark.checks.grounding.decision import decide
from witnessmark.checks.grounding.evidence import EvidenceSource, Index
from witnessmark.checks.grounding.features import look

CLINICS = json.dumps(
    {
        "clinics": {
            "lisbon": {"beds": 40, "emergency": True, "director": "Rui Alves"},
            "porto": {"beds": 65, "emergency": False, "director": "Ana Reis"},
        }
    }
)
SERVICES = """\
defaults:
  retries: 3
services:
  billing:
    replicas: 2
    public: false
  search:
    replicas: 5
    public: true
"""
ORDER = json.dumps(
    {
        "customer": "Nils Holm", "ordered_on": "2024-06-01", "shipped_on": "2024-06-04", "delivered_on": "2024-06-09",
        "subtotal": 80.0, "shipping": 6.5, "total": 86.5, "sales_rep": "Eva Lind", "last_login": "2024-05-30",
        "tags": ["fragile", "gift"], "quota_gb": {"used": 42, "limit": 100},
    }
)  # fmt: skip
PEAKS = """\
| Peak | Height (m) | First ascent | Prominence (m) |
|---|---|---|---|
| Aldhorn | 4120 | 1861 | 650 |
| Birkspitz | 3890 | 1874 | 410 |
| Corvo | 4010 | 1859 | 722 |
"""
LOTS = "| Lot | Price per day | Price per month |\n|---|---|---|\n| North | 12 EUR | 190 EUR |\n| South | 9 EUR | 140 EUR |\n"
ROOMS = "<table><tr><th>Room</th><th>Night</th></tr><tr><td>Single</td><td>70&nbsp;EUR</td></tr><tr><td>Double</td><td>110 EUR</td></tr></table>"
MUSEUM = "The museum opens at 9:00 and the shop at 11:00. Adults pay 14 euros; children pay 6 euros. Ada Lim leads the east wing. Jon Berg leads the west wing."
LOCKERS = "Locker 7 costs 3 euros a day. Locker 8 costs 5 euros a day. Locker 9 costs 8 euros a day and has a charger."
ARTICLES = "Article 14 allows withdrawal within 30 days. Article 15 provides a refund within 14 days."


def decided(claim, source, goal=""):
    return decide(look(claim, Index([EvidenceSource("s", source)], claim), goal=goal))


WRONG = [
    ("Porto has 40 beds.", CLINICS, ""),
    ("Porto has an emergency ward.", CLINICS, ""),
    ("Billing has 5 replicas.", SERVICES, ""),
    ("Billing is public.", SERVICES, ""),
    ("Search has 2 replicas and billing has 5.", SERVICES, ""),
    ("It was delivered on 4 June 2024.", ORDER, ""),
    ("The last login was on 1 June 2024.", ORDER, ""),
    ("She logged in on 1 June 2024.", ORDER, "When did she last log in?"),
    ("Shipping cost 86.50.", ORDER, ""),
    ("They use 100 GB of a 42 GB limit.", ORDER, ""),
    ("The sales rep is Nils Holm.", ORDER, ""),
    ("It has the tags bulky and gift.", ORDER, ""),
    ("Corvo has a prominence of 4010 m.", PEAKS, ""),
    ("Aldhorn is 3890 m high and Birkspitz 4120 m.", PEAKS, ""),
    ("Aldhorn was first climbed in 1859.", PEAKS, ""),
    ("The North lot costs 12 EUR per hour.", LOTS, ""),
    ("The South lot costs 140 EUR per car per month.", LOTS, ""),
    ("A single room costs 110 EUR a night.", ROOMS, ""),
    ("Adults pay 6 euros and children pay 14 euros.", MUSEUM, ""),
    ("The museum opens at 11:00 and the shop at 9:00.", MUSEUM, ""),
    ("Jon Berg leads the east wing and Ada Lim leads the west wing.", MUSEUM, ""),
    ("Derby beat Leeds 1-3.", "Derby beat Leeds 3-1.", ""),
    ("Locker 8 costs 8 euros a day.", LOCKERS, ""),
    ("Locker 7 has a charger.", LOCKERS, "Which locker has a charger?"),
    ("Article 15 provides a refund within 30 days.", ARTICLES, ""),
    ("Who leads the east wing? Jon Berg.", MUSEUM, "Who leads the east wing?"),
]
RIGHT = [
    ("Porto has 65 beds.", CLINICS, ""),
    ("Porto has no emergency ward.", CLINICS, ""),
    ("Lisbon has 40 beds and Porto 65.", CLINICS, ""),
    ("Porto has 65 beds, 25 more than Lisbon.", CLINICS, ""),
    ("Search is public and has 5 replicas.", SERVICES, ""),
    ("It was shipped on 4 June 2024 and delivered on 9 June 2024.", ORDER, ""),
    ("With shipping it costs 86.50.", ORDER, ""),
    ("It was ordered before the delivery, on 1 June 2024.", ORDER, "When was it delivered?"),
    ("They use 42 GB of a 100 GB limit.", ORDER, ""),
    ("Nils Holm is the customer and Eva Lind the sales rep.", ORDER, ""),
    ("It has the tags fragile and gift.", ORDER, ""),
    ("Corvo is 4010 m high with a prominence of 722 m.", PEAKS, ""),
    ("Aldhorn and Birkspitz are 4120 and 3890 m high.", PEAKS, ""),
    ("Aldhorn is 230 m higher than Birkspitz.", PEAKS, ""),
    ("North costs 12 EUR a day or 190 EUR per month.", LOTS, ""),
    ("A double room costs 110 EUR a night.", ROOMS, ""),
    ("Children pay 6 euros and adults 14 euros.", MUSEUM, ""),
    ("Jon Berg leads the west wing and Ada Lim leads the east wing.", MUSEUM, ""),
    ("A 4 x 6 frame is sold with 2 hooks.", "A 6 x 4 frame is sold with 2 hooks.", ""),
    ("Locker 8 costs 2 euros more than locker 7.", LOCKERS, ""),
    ("Two days in locker 8 cost 10 euros.", LOCKERS, ""),
    ("Articles 14 and 15 set periods of 30 and 14 days.", ARTICLES, ""),
    ("Who leads the east wing? Ada Lim.", MUSEUM, "Who leads the east wing?"),
    ("Locker 7 costs 3 euros.", LOCKERS, "Which locker has a charger?"),
]


@pytest.mark.parametrize(("claim", "source", "goal"), WRONG, ids=[claim for claim, _, _ in WRONG])
def test_a_value_of_another_is_contradicted(claim, source, goal):
    assert decided(claim, source, goal).status == "contradicted"


@pytest.mark.parametrize(("claim", "source", "goal"), RIGHT, ids=[claim for claim, _, _ in RIGHT])
def test_a_value_of_its_own_is_not(claim, source, goal):
    assert decided(claim, source, goal).status != "contradicted"


def test_the_value_of_the_field_itself_is_shown():
    rows = '[{"order": 1187, "total": 42.5, "status": "paid"}, {"order": 1188, "total": 13.0, "status": "open"}]'
    made = decided("Order 1188 is paid.", rows)
    assert made.point is not None
    assert made.point.stated == "status: open"
    assert [rows[slice(*span)] for _, span in made.places] == ['"open"']
    assert decided("The two orders come to 65.5 in total.", rows).status != "contradicted"
