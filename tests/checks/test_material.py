"""Long material is shown in parts or by choice, and what was left out is said."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from witnessmark import Case
from witnessmark.checks.judged.material import MOST_PARTS, material, split


def case(text, evidence=()):
    return Case(subject={"kind": "task_output", "text": text}, evidence=evidence)


@given(st.text(max_size=400), st.integers(min_value=5, max_value=50))
def test_parts_put_together_are_the_text(text, size):
    parts = list(split(text, size))
    assert "".join(parts) == text
    assert all(0 < len(part) <= size for part in parts)


def test_what_fits_is_shown_whole_and_nothing_is_said():
    shown = material(case("short"), window=100)
    assert shown.whole
    assert shown.parts[0].note == ""


def test_seed2_weakness_08_long_output_is_read_in_parts_and_the_judge_is_told():
    """12,000 characters were judged and the rest cut away, so that complete work looked incomplete."""
    text = "\n\n".join(f"Paragraph {n} " + "x" * 80 for n in range(20))
    shown = material(case(text), window=500)
    assert "".join(part.output for part in shown.parts) == text
    assert shown.output_seen == 1.0
    assert f"part 1 of {len(shown.parts)}" in shown.parts[0].note


def test_what_is_beyond_every_part_counts_as_not_seen():
    shown = material(case("word " * 10_000), window=1_000)
    assert len(shown.parts) == MOST_PARTS
    assert 0.15 < shown.output_seen < 0.17
    assert "the rest is not shown" in shown.parts[0].note


def test_evidence_is_chosen_by_nearness_and_the_share_is_said():
    far = [{"id": f"far{n}", "text": "unrelated filler " * 100} for n in range(20)]
    near = {"id": "near", "text": "The turbine delivers 40 megawatts at Lindholm."}
    shown = material(case("At Lindholm the turbine delivers 40 megawatts.", [*far, near]), window=4_000)
    assert "[near]" in shown.parts[0].evidence
    assert shown.evidence_seen < 0.2
    assert "absence here proves nothing" in shown.parts[0].note
