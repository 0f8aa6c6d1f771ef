"""What is worked out from stated values, or held against a stated limit, is not contradicted by the value it was worked out from."""

from __future__ import annotations

import pytest

from witnessmark import Answer, Case, Evidence, Verifier
from witnessmark.settings import Settings

BOX = "A box holds 24 jars and costs 60 euros. Delivery is 12 euros a box."
HALLS = "| Hall | Guests | Takings (EUR) |\n|---|---|---|\n| North | 400 | 5,200 |\n| South | 650 | 7,800 |"
BUS = '{"bus": {"km": 640, "litres": 160}}'
RULES = "Riders must be at least 12 and at most 60 years old. Entries close on 9 May at noon."
LIFT = "The ferry takes up to 14 cars."
SEASON = "Camping is allowed from April to September."
NOVEL = "It came out in 1990 with 3,000 copies; by 2010 it had sold 80,000."


def contradicted(answer: str, source: str) -> bool:
    """Whether a rule by itself contradicts a claim of the answer."""
    case = Case(goal="What about it?", subject=Answer(text=answer), evidence=(Evidence(id="d1", text=source),))
    record = Verifier.from_settings(Settings(verification={"model": "rules"})).verify_sync(case)  # type: ignore[arg-type]
    return any(one.status == "contradicted" and one.details.get("by") == "rule" for one in record.claims)


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("A jar costs 2.50 euros.", BOX),
        ("A jar with delivery costs 3 euros.", BOX),
        ("Three boxes hold 72 jars.", BOX),
        ("200 kWh cost 70 euros.", "A kWh costs 0.35 euros."),
        ("A night shift pays 144 euros.", "Pay is 18 euros an hour."),
        ("Takings per guest were 13 euros in the North hall.", HALLS),
        ("The bus used 25 litres per 100 km.", BUS),
        ("On average 4,000 copies were sold a year.", NOVEL),
    ],
)
def test_a_figure_worked_out_for_one_or_for_so_many_is_not_contradicted(answer, source):
    assert not contradicted(answer, source)


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("A box costs 55 euros.", BOX),
        ("Three boxes hold 50 jars.", BOX),
        ("The pay is 36 euros an hour.", "Pay is 18 euros an hour."),
        ("The bus drove 600 km.", BUS),
    ],
)
def test_one_that_follows_from_nothing_or_names_the_same_measure_is(answer, source):
    assert contradicted(answer, source)


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("A 10-year-old cannot ride.", RULES),
        ("A 70-year-old is not admitted.", RULES),
        ("A 30-year-old can ride.", RULES),
        ("An entry on 2 May is in time.", RULES),
        ("Entries on 11 May are too late.", RULES),
        ("Sixteen cars are too many for the ferry.", LIFT),
        ("In January camping is not allowed.", SEASON),
        ("A parcel of 12 kg costs nothing extra.", "Parcels over 20 kg cost extra."),
        ("Einsendungen am 11. Mai kommen zu spät.", "Einsendeschluss ist der 9. Mai."),
        ("In 1996 a ticket still cost 3 marks.", "In 1995 a ticket cost 3 marks."),
    ],
)
def test_a_value_held_against_a_limit_a_deadline_or_a_season_is_not_contradicted_by_it(answer, source):
    assert not contradicted(answer, source)


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("A 30-year-old cannot ride.", RULES),
        ("A 70-year-old can ride.", RULES),
        ("Entries close on 8 May.", RULES),
        ("Entries on 2 May are too late.", RULES),
        ("Entries on 11 May are accepted.", RULES),
        ("The ferry takes 16 cars.", LIFT),
        ("In January camping is allowed.", SEASON),
    ],
)
def test_one_on_the_wrong_side_of_it_is(answer, source):
    assert contradicted(answer, source)


def test_one_of_two_limits_bears_nothing_out():
    case = Case(goal="Who may ride?", subject=Answer(text="Riders may be 10 years old."), evidence=(Evidence(id="d1", text=RULES),))  # fmt: skip
    assert Verifier().verify_sync(case).outcome != "pass"
