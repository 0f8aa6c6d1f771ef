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


@pytest.mark.parametrize(
    ("source", "all_told", "other", "of_a_part"),
    [
        (
            "Last year 412 swimmers finished the race and 37 did not.",
            "Last year 449 swimmers started.",
            "Last year 459 swimmers started.",
            "Last year 449 swimmers finished.",
        ),
        (
            "In March 230 applications were approved and 45 rejected.",
            "In March 275 applications were decided.",
            "In March 285 applications were decided.",
            "In March 275 applications were approved.",
        ),
    ],
)
def test_what_is_new_of_all_that_is_counted_in_parts_is_not_contradicted_by_a_part(source, all_told, other, of_a_part):
    assert status(all_told, source) != "contradicted"
    assert status(other, source) == status(of_a_part, source) == "contradicted"


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
