"""Rows of numbers without end: read as what they are, and in time that grows with their length."""

from __future__ import annotations

import pytest

from witnessmark import Case, Verifier
from witnessmark.text.numbers import figures


@pytest.mark.parametrize("words", ["hundred and one ", "hundred ", "million ", "thousand and one hundred "])
def test_number_words_without_end_are_no_number_that_breaks_a_check(words):
    case = Case(goal=f"Is it one {words * 400}?", subject={"kind": "answer", "text": "It is 3 km long."}, evidence=[{"id": "d1", "text": "It is 3 km long."}])  # fmt: skip
    record = Verifier().verify_sync(case)
    assert [one.status for one in record.results if one.status == "error"] == []


def test_a_number_in_words_is_read_to_its_end():
    said = "nine hundred and ninety-nine billion nine hundred and ninety-nine million nine hundred and ninety-nine thousand nine hundred and ninety-nine"
    assert [one.low for one in figures(f"It has {said} seats.")] == [999_999_999_999.0]
