"""What a record has otherwise and may be right all the same is not contradicted; what is surely wrong still is."""

from __future__ import annotations

import pytest

from witnessmark.checks.grounding.evidence import ClaimInEvidence, EvidenceSource, Index
from witnessmark.checks.grounding.records import record_findings

STORES = """store,city,units_sold,returns
Northgate,Leeds,1840,92
Harbour Row,Bristol,2110,63
Riverside,Bristol,990,22"""
CLAIMS = """claim_id,employee,category,amount_eur,receipt
E-502,M. Castellano,meal,47.50,no
E-505,A. Novak,hotel,198.00,yes"""
POLICY = "Hotels are refunded up to 180 EUR a night, meals up to 40 EUR a day."
PLANS = """| Plan | Monthly price | Storage | SSO |
|---|---|---|---|
| Team | $49 | 250 GB | no |
| Studio | $119 | 1 TB | yes |"""


def against(claim: str, *sources: str, goal: str = "") -> list[str]:
    index = Index([EvidenceSource(f"s{n}", text) for n, text in enumerate(sources)], claim)
    return [
        one.part for one in record_findings(ClaimInEvidence(claim, index, goal=goal)) if one.finding == "contradicted"
    ]


@pytest.mark.parametrize(
    ("right", "wrong", "part", "sources"),
    [
        (
            "Harbour Row and the other store in Bristol sold 3,100 units together.",
            "Harbour Row sold 3,100 units.",
            "3,100",
            (STORES,),
        ),
        (
            "E-502 also exceeds the daily meal cap of 40 EUR.",
            "E-502 has an amount of 41 EUR.",
            "41 EUR",
            (CLAIMS, POLICY),
        ),
        ("E-505 is 18 EUR above the hotel cap.", "E-505 is 28 EUR above the hotel cap.", "28 EUR", (CLAIMS, POLICY)),
        ("Compared with Studio you would have no SSO.", "Studio has no SSO.", "sso", (PLANS,)),
        ("Unlike Studio, it has no SSO.", "The Studio plan comes without SSO.", "sso", (PLANS,)),
    ],
)
def test_what_is_worked_out_or_stated_beside_a_record_or_said_of_another_row_is_not_against_it(
    right, wrong, part, sources
):
    assert against(right, *sources) == []
    assert against(wrong, *sources) == [part]


def test_a_number_that_names_a_row_is_no_value():
    sources = (
        '[{"invoice": "2024-0311", "net": 420.0, "paid": false}, {"invoice": "2024-0319", "net": 275.0, "paid": false}]'
    )
    assert against("2024-0311 and 2024-0319 are unpaid, 695.00 net.", sources) == []
    assert against("Invoice 2024-0319 is for 420.00 net.", sources) == ["420.00"]


def test_a_figure_that_answers_a_question_about_two_rows_is_held_to_neither():
    asked = "What would the Team plan cost eight people per month, and what is missing compared with Studio?"
    assert against(f"{asked} $73 a month.", PLANS, goal=asked) == []
    assert against(
        "What does the Team plan cost per month? $73 a month.", PLANS, goal="What does the Team plan cost per month?"
    ) == ["$73"]


def test_a_text_of_another_row_is_against_the_one_that_is_named_even_where_it_begins_with_a_digit():
    race = "pos,name,finish,split_10k\n1,Lukas Wendt,1:06:12,31:05\n2,Abel Girma,1:06:40,30:58\n3,Joris Vandam,1:07:55,31:44"
    assert against("Joris Vandam had a 10 km split of 30:58.", race) == ["30:58"]
