"""A sentence with very many figures, or with one that has no end: each is held against the sources, and twice as many cost twice as much."""

from __future__ import annotations

from tests.work import calls

from witnessmark.checks.grounding.evidence import ClaimInEvidence, EvidenceSource, Index
from witnessmark.checks.grounding.rules import points
from witnessmark.checks.grounding.steps import equations
from witnessmark.text.numbers import figures

DUES = Index([EvidenceSource("d1", "In May the dues were 1001 euros. In June the dues were 1250 euros.")])


def claim(*dues: int) -> ClaimInEvidence:
    """One sentence that has these dues."""
    return ClaimInEvidence(f"The dues were {', '.join(f'{n} euros' for n in dues)}.", DUES, DUES.passages)


def test_every_figure_of_a_long_row_is_held_against_the_sources():
    told = [one for one in points(claim(*range(7001, 7139), 1250)) if one.rule == "figure"]
    assert [one.part for one in told] == [*(f"{n} euros" for n in range(7001, 7139)), "1250 euros"]
    assert [one.part for one in told if one.finding == "same"] == ["1250 euros"]


def test_twice_as_many_figures_in_one_sentence_take_no_square_of_the_work():
    few, many = (calls(lambda count=count: points(claim(*range(7001, 7001 + count)))) for count in (125, 250))
    assert many < 2.8 * few


def test_a_figure_without_end_is_sought_once_for_an_equation_that_is_wrong():
    """Without that, this test does not end in minutes: from each of its digits to each, and on from there."""
    row = "1" * 20_000
    assert list(equations.false(f"It has {row} seats, and 2 + 2 = 5.")) == [("5", "2 + 2 is 4")]
    assert not equations.is_bracketed(f"It has {row} seats.", figures("It has 12 seats.")[0])
