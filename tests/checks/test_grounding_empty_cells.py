"""A value that a row does not have, rows that are called without their size, and rates for several of a unit."""

from __future__ import annotations

import json

import pytest

from witnessmark import Answer, Case, Evidence, Verifier
from witnessmark.settings import Settings

BIKES = (
    "| Bike | Full day | Week | Deposit |\n|---|---|---|---|\n| City bike | £18 | £75 | £50 |\n| E-bike | £38 | £180 | £200 |\n"
    "| Cargo e-bike | £49 | – | £250 |"
)
STOCK = json.dumps(
    [
        {"sku": "PMP-110", "desc": "Circulation pump 110 W", "on_hand": 64},
        {"sku": "EXP-25", "desc": "Expansion tank 25 L", "on_hand": 8},
    ]
)
ROAMING = "Switzerland is not included in EU roaming: data there costs €2 per 100 MB, capped at €60 per month."


def outcome(answer: str, source: str) -> str:
    """What the rules alone say of an answer over one source."""
    case = Case(goal="What is it?", subject=Answer(text=answer), evidence=(Evidence(id="d", text=source),))
    return Verifier.from_settings(Settings(verification={"model": "rules"})).verify_sync(case).outcome  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("answer", "source", "wrong"),
    [
        ("The cargo e-bike costs £49 for a full day.", BIKES, "The cargo e-bike costs £180 for a week."),
        ("The e-bike costs £180 for a week.", BIKES, "The cargo e-bike costs £75 for a week."),
        ("The expansion tank has 8 on hand.", STOCK, "The expansion tank has 64 on hand."),
        ("Data there costs €2 per 100 MB.", ROAMING, "Data there costs €2 per MB."),
        ("Data there costs €2 per 100 MB.", ROAMING, "Data there costs €2 per 10 MB."),
    ],
)
def test_what_only_another_row_or_rate_has_is_wrong(answer: str, source: str, wrong: str) -> None:
    assert outcome(answer, source) != "fail"
    assert outcome(wrong, source) == "fail"


def test_two_rows_that_differ_by_their_size_alone_are_not_told_apart_without_it() -> None:
    tanks = json.dumps([{"desc": "Expansion tank 25 L", "on_hand": 8}, {"desc": "Expansion tank 40 L", "on_hand": 3}])
    assert outcome("The expansion tank has 3 on hand.", tanks) != "fail"
    assert outcome("The Expansion tank 25 L has 3 on hand.", tanks) == "fail"
