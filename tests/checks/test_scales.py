"""A judge's word as a number: each scale exactly, and nothing that does not fit it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from witnessmark.checks.judged import scales
from witnessmark.core.errors import JudgeReplyError


@pytest.mark.parametrize(
    ("said", "score"), [(1, 0.0), (2, 0.25), (3, 0.5), (4, 0.75), (5, 1.0), (3.5, 0.625), (4.5, 0.875)]
)
def test_likert_is_read_as_s_minus_one_over_four_with_half_steps(said, score):
    assert scales.read_score("likert5", said) == score
    assert scales.likert(said) == score  # req: C24


def test_seed2_weakness_14_likert_and_the_example_scores_live_on_declared_scales():
    """0.9, 0.7 and 0.85 are no Likert steps: they belong to the unit scale, which is declared, and 3.5/5 is 0.625."""
    assert [scales.read_score("unit", s) for s in (0.9, 0.7, 0.85)] == [0.9, 0.7, 0.85]  # req: S2-074
    assert scales.met_from("Writing quality score ≥ 3.5/5", None) == 0.625  # req: S2-032
    with pytest.raises(JudgeReplyError):
        scales.read_score("likert5", 0.9)  # req: C24


@pytest.mark.parametrize(("scale", "odd"), [
    ("likert5", True), ("likert5", "4"), ("likert5", None), ("likert5", 0), ("likert5", 6), ("likert5", 3.3),
    ("likert5", float("nan")), ("unit", 1.01), ("unit", float("inf")), ("binary", "false"), ("binary", 1), ("binary", None),
    ("match", "yes"), ("match", True),
])  # fmt: skip
def test_seed2_weakness_04_what_does_not_fit_its_scale_is_never_a_number(scale, odd):
    """bool("false") was true, and a missing dimension became 0.5."""
    with pytest.raises(JudgeReplyError):
        scales.read_score(scale, odd)


@pytest.mark.parametrize("odd", [None, "high", True, -0.1, 1.1, float("nan")])
def test_seed2_weakness_04_a_missing_or_odd_confidence_is_no_certainty(odd):
    """A missing or invalid confidence became 1.0."""
    with pytest.raises(JudgeReplyError):
        scales.read_confidence(odd)


def test_the_threshold_is_as_declared_as_written_or_070():
    assert scales.met_from("Is clear", None) == 0.7  # req: S2-044
    assert scales.met_from("Is clear", 0.5) == 0.5  # req: S2-045
    assert scales.met_from("Clarity at least 4 out of 5", None) == 0.75
    assert scales.met_from("Clarity at least 4 out of 5", 0.9) == 0.9  # req: C25


@pytest.mark.parametrize("text", [
    "Names at least 1 of 5 risks", "Cites at least 2 out of 5 of the sources", "At least 3/5 unit tests are described",
    "Draws on material from 2 of 5 interviews", "Of five risks, at least 1 of 5.",
])  # fmt: skip
def test_so_many_things_of_five_are_no_mark(text):
    """They lowered the mark: whoever named at least 1 of 5 risks was good enough with the lowest score there is."""
    assert scales.met_from(text, None) == 0.7


@pytest.mark.parametrize(("text", "score"), [
    ("Clarity at least 3 of 5", 0.5), ("Clarity is rated at least 3 out of 5.", 0.5), ("Clarity ≥ 3/5, tone ≥ 2/5", 0.5),
    ("At least 3 out of 5 for clarity", 0.5), ("At least 3 of 5 points", 0.5), ("At least 3.5/5 clarity", 0.625),
])  # fmt: skip
def test_a_mark_of_five_is_one_wherever_it_stands(text, score):
    assert scales.met_from(text, None) == score


@given(
    st.one_of(st.floats(), st.integers(), st.text(), st.booleans(), st.none()),
    st.sampled_from(list(scales.REPLY_SCHEMA)),
)
def test_every_reading_is_between_0_and_1_or_an_error(raw, scale):
    try:
        score = scales.read_score(scale, raw)
    except JudgeReplyError:
        return
    assert 0.0 <= score <= 1.0
