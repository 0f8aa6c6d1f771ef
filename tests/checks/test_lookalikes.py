"""Letters that only look like others."""

from __future__ import annotations

import pytest

from witnessmark import Case, Verifier
from witnessmark.checks.plain.exact import as_seen


@pytest.mark.parametrize(
    "hidden",
    [
        "gua\u200brantee",  # zero-width space
        "guarante\u0435",  # Cyrillic ie
        "guar\u03b1ntee",  # Greek alpha
        "ｇｕａｒａｎｔｅｅ",  # full width
        "gua\u00adrantee",  # soft hyphen
        "g\u0336uarantee",  # struck through
        "\U0001d420\U0001d42e\U0001d41a\U0001d42b\U0001d41a\U0001d427\U0001d42d\U0001d41e\U0001d41e",  # mathematical bold
    ],
)
@pytest.mark.parametrize("check", ["contains_keywords", "contains"])
def test_a_ban_sees_through_letters_that_look_alike_and_what_cannot_be_seen(hidden, check):
    assert as_seen(hidden) == "guarantee"
    ban = {"check": "not", "value": {"check": check, "value": ["guarantee"]}}
    text = f"We give a {hidden} on this."
    record = Verifier().verify_sync(Case(subject={"kind": "task_output", "text": text}, criteria=[ban]))
    assert record.outcome == "fail"


def test_a_ban_in_another_alphabet_still_holds_and_an_innocent_text_passes_it():
    ban = {"check": "not", "value": {"check": "contains_keywords", "value": ["гарантия"]}}
    told = [
        Verifier().verify_sync(Case(subject={"kind": "task_output", "text": text}, criteria=[ban])).outcome
        for text in ("Это гарантия.", "Это обещание.")
    ]
    assert told == ["fail", "pass"]


def banned(text, value):
    case = Case(subject={"kind": "task_output", "text": text}, criteria=[{"check": "not", "value": value}])
    return Verifier().verify_sync(case).outcome == "fail"


def test_a_list_of_words_bans_each_of_them():
    words = {"check": "contains_keywords", "value": ["guaranteed", "sure"]}
    assert banned("Profit is sure.", words)
    assert not banned("Profit is likely.", words)


@pytest.mark.parametrize("hidden", ["guaran\u200bteed", "gu\u0430ranteed", "guar**an**teed", "guar<b></b>anteed"])
def test_a_ban_on_a_pattern_reads_what_a_reader_sees(hidden):
    assert banned(f"Returns are {hidden}.", {"check": "format_regex", "value": "guarantee(d|s)"})
    assert banned(f"Returns are {hidden}.", {"check": "contains_keywords", "value": ["guaranteed"]})


def test_stars_between_figures_are_no_emphasis():
    assert not banned("It is 2*3*4 big.", {"check": "format_regex", "value": "234"})
