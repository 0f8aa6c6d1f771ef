"""Rows of numbers without end: read as what they are, and in time that grows with their length."""

from __future__ import annotations

import pytest
from tests.work import calls

from witnessmark import Case, Verifier
from witnessmark.text.dates import dates, without_dates
from witnessmark.text.numbers import figures


@pytest.mark.parametrize("words", ["hundred and one ", "hundred ", "million ", "thousand and one hundred "])
def test_number_words_without_end_are_no_number_that_breaks_a_check(words):
    case = Case(goal=f"Is it one {words * 400}?", subject={"kind": "answer", "text": "It is 3 km long."}, evidence=[{"id": "d1", "text": "It is 3 km long."}])  # fmt: skip
    record = Verifier().verify_sync(case)
    assert [one.status for one in record.results if one.status == "error"] == []


def test_a_number_in_words_is_read_to_its_end():
    said = "nine hundred and ninety-nine billion nine hundred and ninety-nine million nine hundred and ninety-nine thousand nine hundred and ninety-nine"
    assert [one.low for one in figures(f"It has {said} seats.")] == [999_999_999_999.0]


def test_figures_in_dates_are_left_out_and_all_others_kept():
    text = "On 3 May 2020 came 40, on 2021-06-07 came 50."
    assert [one.low for one in without_dates(figures(text), dates(text))] == [40.0, 50.0]


def test_twice_as_many_dates_take_twice_the_work():
    few, many = (calls(lambda text="3 May 2020, 40 km. " * count: without_dates(figures(text), dates(text))) for count in (200, 400))  # fmt: skip
    assert many < 2.4 * few
