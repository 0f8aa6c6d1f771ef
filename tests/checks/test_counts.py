"""Counts that a criterion names: told where the text clearly falls short, silent everywhere else."""

from __future__ import annotations

import pytest

from witnessmark.checks.plain import counts

FOUR = "## Risk categories\n\n- prohibited\n- high\n- limited\n- minimal\n"


@pytest.mark.parametrize(("criterion", "asked"), [
    ("Covers all 6 risk categories", (6, "categories")),
    ("Must cover all 5 EU AI Act risk categories", (5, "categories")),
    ("Must identify at least 3 compliance gaps with severity ratings", (3, "gaps")),
    ("Has at least three examples.", (3, "examples")),
    ("At least 200 words", (200, "words")),
    ("Is clear", None),
    ("Uses the 2016 edition", None),
])  # fmt: skip
def test_the_count_is_read_from_the_words(criterion, asked):
    assert counts.wanted(criterion) == asked


def test_a_list_with_fewer_items_than_asked_for_falls_short():
    short = counts.shortfall(FOUR, "Covers all 6 risk categories")
    assert short == counts.Count(wanted=6, found=4, what="categories")  # req: S2-028


def test_the_examples_5_and_6_categories_are_data_not_code():
    """The source asks for 5 in one place and 6 in another; both counts are taken from the criterion."""
    five = "Risk categories:\n1. a\n2. b\n3. c\n4. d\n5. e\n"
    assert counts.shortfall(five, "Must cover all 5 EU AI Act risk categories") is None  # req: C23
    assert counts.shortfall(five, "Covers all 6 risk categories") is not None  # req: C23


@pytest.mark.parametrize("text", [
    "The categories are prohibited, high, limited, minimal, general and systemic.",  # prose: cannot tell
    "## Risk categories\n\n| name | rule |\n|---|---|\n| a | x |\n| b | x |\n| c | x |\n| d | x |\n| e | x |\n| f | x |\n",
    "## Risk categories\n\n- a\n- b\n- c\n\nFurther:\n\n- d\n- e\n- f\n",
    "## Next steps\n\n- one\n- two\n",  # a list of something else
    "",
])  # fmt: skip
def test_where_it_cannot_be_told_nothing_is_said(text):
    assert counts.shortfall(text, "Covers all 6 risk categories") is None


def test_words_are_counted_exactly():
    assert counts.shortfall("one two three", "At least 5 words long") == counts.Count(5, 3, "words")
    assert counts.shortfall("one two three four five", "At least 5 words long") is None
