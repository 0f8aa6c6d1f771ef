"""Parts in words: the whole of an hour and a half is read, and a part of something else is not added."""

from __future__ import annotations

import pytest

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
