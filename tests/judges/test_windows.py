"""Long material: never cut silently."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from witnessmark.judges.windows import capped, fit, merged_score, room, split


def test_what_fits_is_left_alone():
    fitted = fit({"a": "short"}, "anything", 100)
    assert (fitted.material, fitted.coverage, fitted.note) == ({"a": "short"}, 1.0, "")


def test_seed2_weakness_08_what_is_left_out_is_marked_counted_and_told():
    """Seed 2 cut the output at 12,000 characters, and the judge was hardly told."""
    dull = "Nothing of interest stands in this paragraph at all. " * 60
    telling = "The warranty covers batteries for three years.\n\n"
    fitted = fit({"source": dull + "\n\n" + telling + dull}, "How long does the warranty cover batteries?", 2_600)
    assert telling.strip() in fitted.material["source"]
    assert "characters left out" in fitted.material["source"]
    assert 0 < fitted.coverage < 0.5
    assert f"{fitted.coverage:.0%}" in fitted.note


@given(st.text(max_size=3000), st.integers(min_value=10, max_value=500))
def test_parts_together_are_the_text(text, chars):
    parts = split(text, chars)
    assert "".join(parts) == text
    assert all(0 < len(part) <= chars for part in parts)


@given(st.dictionaries(st.text("ab", min_size=1, max_size=2), st.text("xy \n.", max_size=4000), max_size=4))
def test_the_same_material_is_always_fitted_the_same_way(material):
    first, second = fit(material, "xy", 1500), fit(material, "xy", 1500)
    assert first == second
    kept = sum(len(text) for text in first.material.values())
    assert kept <= 1500 + 60 * 8


def test_parts_are_merged_by_their_size():
    assert merged_score([(1.0, 300), (0.0, 100)]) == 0.75
    with pytest.raises(ValueError, match="nothing was judged"):
        merged_score([])


def test_confidence_is_capped_by_what_was_seen():
    assert capped(0.9, 0.4) == 0.4
    assert capped(0.3, 0.4) == 0.3


def test_a_small_window_still_leaves_room():
    assert room(32_000) == 87_000
    assert room(100) == 1_000
