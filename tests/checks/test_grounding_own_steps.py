"""A figure that follows from two others of its own sentence is borne out by them, and another in its place is not."""

from __future__ import annotations

import pytest

from witnessmark.checks.grounding.evidence import EvidenceSource, Index
from witnessmark.checks.grounding.features import look

SOURCE = (
    "Charge the case between 5 °C and 40 °C only. Of the 46 bakers who began the trial, 41 completed both periods. The rent of a full plot "
    "goes up from £46 to £49. Of 340 tissue samples 52 had to be thrown away. The fee is £412 a month."
)


def derived(claim: str) -> list[str]:
    found = look(claim, Index([EvidenceSource("d1", SOURCE)], "en"), "en")
    return [point.part for point in found.points if point.rule in ("derived", "worked") and point.finding == "same"]


@pytest.mark.parametrize(
    ("right", "wrong", "part"),
    [
        ("Charge it between 5 °C and 40 °C, a window of {}.", "55 degrees", "35 degrees"),
        ("41 of the 46 bakers ({}) completed both periods.", "61%", "89%"),
        ("The rent of a full plot rises from £46 to £49, by {}.", "9.5%", "6.5%"),
        ("Of 340 samples 52 were thrown away, so that {} are left.", "298", "288"),
        ("The fee is £412 a month, {} in the first year.", "£5,944", "£4,944"),
    ],
)
def test_what_one_step_makes_of_two_stated_figures_follows_and_nothing_else_does(right, wrong, part):
    assert part in derived(right.format(part))
    assert derived(right.format(wrong)) == []


def test_figures_that_no_source_has_prove_nothing():
    assert derived("Of 90 samples 30 were thrown away, so that 60 are left.") == []
