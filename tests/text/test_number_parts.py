"""Parts in words: the whole of an hour and a half is read, and a part of something else is not added."""

from __future__ import annotations

import pytest

from witnessmark.text.dates import dates
from witnessmark.text.numbers import figures

HOUR, MILE = 3600.0, 1609.344


@pytest.mark.parametrize(
    ("said", "language", "whole"),
    [
        ("an hour and a half", "en", 1.5 * HOUR),
        ("an hour and three quarters", "en", 1.75 * HOUR),
        ("two hours and a quarter", "en", 2.25 * HOUR),
        ("one and three quarters hours", "en", 1.75 * HOUR),
        ("one and three-quarter hours", "en", 1.75 * HOUR),
        ("one and a half hours", "en", 1.5 * HOUR),
        ("a mile and a half", "en", 1.5 * MILE),
        ("three quarters of an hour", "en", 0.75 * HOUR),
        ("deux heures et demie", "fr", 2.5 * HOUR),
        ("dos horas y cuarto", "es", 2.25 * HOUR),
    ],
)
def test_a_unit_with_a_part_is_one_figure_and_its_span_is_all_of_it(said, language, whole):
    text = f"{said}."
    (found,) = figures(text, language)
    assert found.low == pytest.approx(whole)
    assert text[slice(*found.span)] == said


@pytest.mark.parametrize(
    ("said", "figure"),
    [
        ("two hours and a quarter of the crowd", "two hours"),  # a part of something else
        ("an hour and a half mile", "an hour"),
        ("two hours and half the crowd", "two hours"),
        ("three and four quarters", "three"),  # four quarters are no part of one
        ("two hours and a mile", "two hours"),
    ],
)
def test_a_part_of_something_else_is_not_added(said, figure):
    assert said[slice(*figures(said)[0].span)] == figure


@pytest.mark.parametrize(
    ("text", "low", "dimension"),
    [
        ("timeout_minutes: 45", 2700, "time"),
        ("timeout_ms: 1500", 1.5, "time"),
        ("Weight (kg): 12", 12, "mass"),
        ("price_eur: 39.9", 39.9, "money:EUR"),
        ("Yield (t/ha): 46", 46, ""),
        ("price/month: 12", 12, ""),
        ("week: 7", 7, ""),
        ("a layer of 40 µm", 4e-5, "length"),
        ("a layer of 40 nm", 4e-8, "length"),
        ("roughly 3 in 10 of the staff", 30, "percent"),
        ("one beech in six", 100 / 6, "percent"),
        ("it grew by 5 in 10 years", 5, ""),
        ("-8 °C at night", -8, "temperature"),
        ("8 degrees below zero", -8, "degrees"),
        ("temp=-17.6", -17.6, ""),
    ],
)
def test_the_unit_of_a_key_a_share_and_a_sign_are_part_of_a_figure(text, low, dimension):
    found = figures(text)[0]
    assert (found.low, found.dimension) == (pytest.approx(low), dimension)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("1240 seats", 0),
        ("It has 1240 seats.", 0),
        ("How many seats? 1240 seats.", 0),
        ("The 1999 elections were held in 1999.", 2),
        ("In 1999 sales fell.", 1),
        ("1871", 1),
    ],
)
def test_four_digits_that_count_things_are_no_year(text, count):
    assert len(dates(text)) == count
