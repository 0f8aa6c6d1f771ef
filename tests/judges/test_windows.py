"""Long material is shown in parts or by choice; every gap is marked, and the judge and the record are told the share."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from witnessmark import Case, Verifier
from witnessmark.judges.windows import LEAST_CHARS, capped, fit, room, split
from witnessmark.testing import OneJudge, ScriptedJudge
from witnessmark.testing.judges import scores

SMALL = 3_600
"""A window of so many tokens has room for 1,800 characters: 900 of output, 900 of evidence."""
DULL = "Nothing of interest stands in this paragraph at all. " * 60
TELLING = "The warranty covers batteries for three years.\n\n"
GAP = re.compile(r"\[… (\d+) characters left out …\]\n")


def read(case, window=SMALL, **answer):
    """The record, and every question that was asked on the way."""
    judge = ScriptedJudge(scores({"*": 5}, **answer))
    judge.window = window
    return Verifier(services={"judges": OneJudge(judge)}).verify_sync(case), judge.asked


def task(text, evidence=(), criteria=("Says how long batteries are covered",)):
    return Case(
        goal="How long does the warranty cover batteries?",
        subject={"kind": "task_output", "text": text},
        evidence=evidence,
        criteria=criteria,
        context={"quality": False},
    )


def test_what_fits_is_shown_whole_and_nothing_is_said():
    _, (question,) = read(task("Three years.", [{"id": "d1", "text": TELLING}]))
    assert "characters left out" not in question.user
    assert "You see" not in question.user


def test_seed2_weakness_08_what_is_left_out_of_long_evidence_is_marked_counted_and_told():
    """Seed 2 cut at 12,000 characters, and the judge was hardly told."""
    long = DULL + "\n\n" + TELLING + DULL
    record, (question,) = read(task("Batteries are covered for three years.", [{"id": "d1", "text": long}]))
    assert TELLING.strip() in question.user
    assert GAP.search(question.user)
    shown = GAP.sub("", question.user.partition("[d1]\n")[2].partition("\n⟦end")[0])
    gaps = sum(map(int, GAP.findall(question.user)))
    assert len(shown) + gaps == pytest.approx(len(long), abs=1), "what is shown and what is marked add up to the whole"
    share = next(one.details["seen"]["evidence"] for one in record.results if "seen" in one.details)
    assert f"You see {share:.0%} of the material" in question.user
    assert 0 < share < 0.2


def test_the_share_that_was_seen_caps_the_confidence():
    record, _ = read(task("Three years.", [{"id": "d1", "text": DULL * 2 + TELLING}]), confidence=0.99)
    said = next(one for one in record.results if one.check == "rubric")
    assert said.confidence == said.details["seen"]["evidence"] < 0.2
    assert capped(0.3, 0.4) == 0.3


def test_long_output_is_read_in_parts_that_together_are_all_of_it():
    """12,000 characters were judged and the rest cut away, so that complete work looked incomplete."""
    text = "\n\n".join(f"Paragraph {n} " + "x" * 80 for n in range(40))
    _, asked = read(task(text))
    outputs = [question.user.partition("output⟧\n")[2].partition("\n⟦end")[0] for question in asked]
    assert "".join(outputs) == text
    assert [f"part {n} of {len(asked)}" in question.user for n, question in enumerate(asked, 1)] == [True] * len(asked)


def test_what_is_beyond_every_part_counts_as_not_seen():
    record, asked = read(task("word " * 10_000))
    said = next(one for one in record.results if one.check == "rubric")
    assert len(asked) == 8
    assert "of the output was read" in said.reason or said.details["seen"]["output"] < 0.2
    assert "You see 14% of the material" in asked[0].user


@given(st.text(max_size=3000), st.integers(min_value=10, max_value=500))
def test_parts_together_are_the_text(text, chars):
    parts = split(text, chars)
    assert "".join(parts) == text
    assert all(0 < len(part) <= chars for part in parts)


@given(st.dictionaries(st.text("ab", min_size=1, max_size=2), st.text("xy \n.", max_size=4000), max_size=4))
def test_the_same_material_is_always_fitted_the_same_way_and_into_its_room(material):
    first, second = fit(material, "xy", 1500), fit(material, "xy", 1500)
    assert first == second
    assert sum(len(GAP.sub("", text)) for text in first.material.values()) <= 1500


def test_a_judge_without_a_window_gets_the_usual_one_and_a_small_one_still_leaves_room():
    assert room(SimpleNamespace(window=32_000)) == 87_000
    assert room(SimpleNamespace(window=100)) == LEAST_CHARS
    assert room(object()) == 48_000
