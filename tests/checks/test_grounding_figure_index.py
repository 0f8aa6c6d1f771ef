"""What is looked up instead of scanned: a figure among all of the evidence, and the columns of a long table."""

from __future__ import annotations

import sys

import pytest

from witnessmark.checks.grounding import records
from witnessmark.checks.grounding.agreement import agrees
from witnessmark.checks.grounding.evidence import ClaimInEvidence, EvidenceSource, Index
from witnessmark.checks.grounding.features import look
from witnessmark.checks.grounding.relations.figure_index import stated_in
from witnessmark.text.dates import dates
from witnessmark.text.numbers import figures

HARBOUR = """The quay was built in 1987. The crane lifts 132m euros worth of goods. It weighs about 40 tonnes.
Between 300 and 500 boats berth here. Some 1.234 tonnes of fish are landed. A berth costs over 90 euros. The pier is 250 m long.
Tolls rose by 12 % to 3.75 euros. The tide table has 12 pages. It took two hours and a half. At night it is -4 °C."""
CLAIMED = [
    "1987", "132 million", "132", "41 tonnes", "50 tonnes", "400 boats", "over 300 boats", "under 500 boats", "300 to 500", "1,234 tonnes",
    "1.234", "about 95 euros", "90 euros", "over 80 euros", "over 20 euros", "250 m", "0.25 km", "250", "12 %", "12", "3.8 euros", "3.75",
    "150 minutes", "2.5 hours", "-4 °C", "4 degrees", "77", "a dozen", "about 38 tonnes",
]  # fmt: skip


@pytest.mark.parametrize("said", CLAIMED)
def test_a_figure_is_found_where_a_scan_of_every_passage_finds_it(said):
    index = Index([EvidenceSource("d1", HARBOUR)], said)
    (one,) = figures(said)
    scanned = [
        passage
        for passage in index.passages
        if any(agrees(one, stated) for stated in passage.figures)
        or (not one.dimension and any(one.face == date.first for date in passage.dates))
    ]
    assert stated_in(one, index) is (scanned[0] if scanned else None)


def boats(count: int) -> Index:
    rows = "\n".join(f"Boat{n},{n + 100},{n % 30}" for n in range(count))
    return Index([EvidenceSource("d1", f"boat,weight,crew\n{rows}")])


def calls(index: Index) -> int:
    """How many functions are called to look at a wrong claim, once the table and the claim's own figures were read."""
    count, claim = 0, "Boat7 has a crew of 7 and Boat7 has a weight of 111."
    assert figures(claim)
    assert not dates(claim)

    def counted(frame, event, argument):
        nonlocal count
        count += event == "call"

    records.record_findings(ClaimInEvidence("Boat3 has a crew of 9 and Boat3 has a weight of 222.", index))
    sys.setprofile(counted)
    try:
        records.record_findings(ClaimInEvidence(claim, index))
    finally:
        sys.setprofile(None)
    return count


def test_what_the_columns_are_called_is_asked_once_a_figure_however_long_the_table():
    assert calls(boats(800)) < 2 * calls(boats(40))


def test_the_figures_of_the_row_that_is_named_are_compared_in_a_long_table_too():
    claim = ClaimInEvidence("Boat7 has a crew of 7 and Boat7 has a weight of 111.", boats(800))
    found = records.record_findings(claim)
    assert [(one.part, one.finding) for one in found] == [("7", "same"), ("111", "contradicted")]


def test_a_long_sentence_of_a_source_is_not_cut_between_a_number_and_its_unit():
    sums = [f"{1000 + number} euros" for number in range(1, 301)]
    index = Index([EvidenceSource("d1", f"The dues were {', '.join(sums)}.")])
    found = [point for one in sums[::7] for point in look(f"One of the dues was {one}.", index).points]
    assert [(point.part, point.finding) for point in found if point.finding != "same"] == []
