"""Values that hold for a part of the year: a day or a month inside a named stretch belongs to that stretch."""

from __future__ import annotations

import pytest

from witnessmark import Answer, Case, Evidence, Verifier
from witnessmark.checks.grounding.scope.year_spans import year_spans
from witnessmark.settings import Settings
from witnessmark.text.dates import dates

TABLE = "| Season | Price per night |\n|---|---|\n| Summer (April to October) | 19 euro |\n| Winter (November to March) | 12 euro |"
NAMED = "Low season: 1 November to 31 March. High season: 1 April to 31 October. A night costs 12 euros in the low season and 19 euros in the high season."
CLAUSES = "A night costs 19 euros from April to October and 12 euros from November to March."
RULES = Verifier.from_settings(Settings(verification={"model": "rules"}))  # type: ignore[arg-type]


def stated(answer: str, source: str, question: str = "What does it say?") -> list[str]:
    case = Case(goal=question, subject=Answer(text=answer), evidence=(Evidence(id="d1", text=source),))
    return [str(one.status) for one in RULES.verify_sync(case).claims]


@pytest.mark.parametrize("source", [TABLE, NAMED, CLAUSES])
@pytest.mark.parametrize(
    ("question", "right", "wrong"),
    [
        ("What does a night cost?", "In July a night costs 19 euros.", "In July a night costs 12 euros."),
        ("What does a night cost?", "In January a night costs 12 euros.", "In January a night costs 19 euros."),
        ("What does a night cost on 5 May?", "19 euros.", "12 euros."),
        ("What does a night cost in March?", "12 euros.", "19 euros."),
        ("What do 3 nights cost in May?", "57 euros.", "36 euros."),
    ],
)
def test_a_day_or_a_month_belongs_to_the_part_of_the_year_it_lies_in(question, right, wrong, source):
    assert stated(right, source, question) == ["supported"]
    assert stated(wrong, source, question)[0] in ("contradicted", "unsupported")


@pytest.mark.parametrize("source", [TABLE, NAMED, CLAUSES])
def test_two_parts_of_the_year_in_one_sentence_each_have_their_own(source):
    right = "A night costs 19 euros in July and 12 euros in January."
    wrong = "A night costs 12 euros in July and 19 euros in January."
    assert stated(right, source) == ["supported"]
    assert stated(wrong, source) == ["contradicted"]


def test_of_several_values_of_one_part_none_is_singled_out():
    source = "From April to October a bed costs 19 euros, with breakfast 25. From November to March it costs 12 euros, with breakfast 18."
    assert "contradicted" not in stated("In July a bed with breakfast costs 25 euros.", source)


def test_a_difference_between_the_parts_is_no_value_of_one():
    assert "contradicted" not in stated("In July a night costs 7 euros more than in January.", TABLE)


def test_what_is_closed_for_some_days_is_not_open_on_one_of_them():
    notice = "The pool is closed for maintenance from 12 to 25 August."
    assert stated("The pool is open on 20 August.", notice) == ["contradicted"]
    assert "contradicted" not in stated("The pool is closed on 20 August.", notice)
    assert "contradicted" not in stated("The pool is open on 28 August.", notice)


def test_a_day_outside_of_a_stretch_with_days_is_another_date():
    source = "Boats are hired out from 1 April to 31 October."
    assert stated("Boats are hired out in January.", source) == ["contradicted"]
    assert "contradicted" not in stated("Boats are hired out on 3 June.", source)


def test_may_after_a_preposition_is_a_month():
    assert [one.month for one in dates("It costs 12 euros in May, and you may stay.")] == [5]


def test_a_stretch_that_names_a_year_or_all_of_one_is_none():
    assert year_spans("From 1 April 2024 to 31 October 2024 and January to December") == []


@pytest.mark.parametrize(
    ("day", "held"), [("3 April", True), ("October", True), ("1 November", False), ("In March", False), ("2024", None)]
)
def test_a_month_lies_in_a_stretch_with_all_of_its_days(day, held):
    (stretch,) = year_spans("open 1 April to 31 October")
    assert stretch.holds(dates(day)[0]) is held


def test_a_month_that_lies_in_a_stretch_in_part_is_neither_in_it_nor_outside():
    assert year_spans("open 15 April to 31 October")[0].holds(dates("April 2024")[0]) is None


def test_of_several_columns_the_one_that_is_named_counts():
    source = "| Period | Tent | Caravan |\n|---|---|---|\n| May to June | 18 | 27 |\n| July to August | 26 | 39 |"
    assert stated("A tent costs 26 in July.", source) == ["supported"]
    assert stated("A tent costs 18 in July.", source) == ["contradicted"]
