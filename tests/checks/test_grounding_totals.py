"""Totals: all that a sentence lists, and of an order its quantities times its prices."""

from __future__ import annotations

import json

import pytest

from witnessmark.checks.grounding.decision import decide
from witnessmark.checks.grounding.evidence import EvidenceSource, Index
from witnessmark.checks.grounding.features import look

TREES = "Volunteers planted 40 oaks, 25 birches and 15 maples along the river."
LINES = [{"item": "cable", "qty": 3, "unit_price": 12.5}, {"item": "router", "qty": 1, "unit_price": 140}]
ORDER = json.dumps({"order": "A-7", "lines": LINES})
TAXED = json.dumps({"order": "A-7", "lines": LINES, "discount": 25})


def status(claim: str, source: str) -> str:
    return decide(look(claim, Index([EvidenceSource("d1", source)], claim))).status


@pytest.mark.parametrize(
    ("source", "wrong", "right"),
    [
        (TREES, "65 trees were planted in total.", "80 trees were planted in total."),
        (ORDER, "The order total is 152.50.", "The order total is 177.50."),
    ],
)
def test_a_total_is_that_of_all(source, wrong, right):
    assert status(right, source) == "supported"
    assert status(wrong, source) != "supported"


def test_a_total_of_some_is_contradicted():
    assert status("65 trees were planted in total.", TREES) == "contradicted"
    assert status("The order total is 152.50.", ORDER) == "contradicted"


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        (TREES, "65 oaks and birches were planted in total."),  # it says of which
        (TREES, "65 trees were planted in total on Saturday."),
        (TREES, "40 trees were planted in total."),
        (TREES, "65 trees were planted."),
        (
            "They planted 40 oaks, 25 birches and 15 maples, 95 plants with 15 shrubs.",
            "80 trees were planted in total.",
        ),
        (TAXED, "The order total is 152.50."),  # 177.50 less 25
    ],
)
def test_a_total_of_something_else_is_not_contradicted(source, claim):
    assert status(claim, source) != "contradicted"
