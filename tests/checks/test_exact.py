"""Outputs against known texts, references and tool calls; the opposite of a check."""

from __future__ import annotations

import difflib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from witnessmark import Case, Verifier
from witnessmark.checks.plain import similarity
from witnessmark.checks.plain.exact import contains, equals, opposite, starts_with
from witnessmark.checks.plain.similarity import similar_to
from witnessmark.checks.plain.tools import tools_called
from witnessmark.core.errors import InputError


def says(check, text, **more):
    return check(Case(subject={"kind": "task_output", "text": text}, **more), {})


@pytest.mark.parametrize(
    ("value", "text", "status"),
    [
        ("Paris", "Paris", "pass"),
        ("Paris", " Paris\n", "pass"),
        ("Paris", "paris", "fail"),
        ("Paris", "Paris.", "fail"),
        ({"text": "Paris", "ignore_case": True}, "PARIS", "pass"),
        ("caf\u00e9", "cafe\u0301", "pass"),
        ({"a": 1, "b": [2]}, '{"b": [2], "a": 1}', "pass"),
        ({"a": 1}, '```json\n{"a": 1}\n```', "pass"),
        ({"a": 1}, '{"a": 2}', "fail"),
        ({"a": 1}, "no JSON", "fail"),
        (["x"], '["x"]', "pass"),
    ],
)
def test_equals(value, text, status):
    assert says(equals(value), text).status == status


def test_equals_compares_numbers_of_json_by_their_value():
    assert says(equals(json={"n": 1.0, "all": [2]}), '{"all": [2.0], "n": 1}').status == "pass"
    assert says(equals(json=1), "1.0").status == "pass"
    assert says(equals(json=1), "true").status == "fail"
    assert says(equals(json=1.5), "1").status == "fail"


def test_equals_tells_json_null_from_nothing_to_compare_with():
    """With nothing it once failed every output as not the JSON that nobody had asked for."""
    assert says(equals(json=None), "null").status == "pass"
    assert says(equals({"json": None}), "0").status == "fail"
    subject = {"kind": "task_output", "text": "Paris"}
    record = Verifier().verify_sync(Case(subject=subject, criteria=[{"check": "equals"}]))
    assert (record.outcome, [said.status for said in record.results if said.check == "equals"]) == (
        "unverified",
        ["error"],
    )


@pytest.mark.parametrize(
    ("value", "text", "status"),
    [
        ("14 %", "It grew 14 %.", "pass"),
        ("Grew", "It grew 14 %.", "fail"),
        ({"all": ["Grew"], "ignore_case": True}, "It grew 14 %.", "pass"),
        (["14", "grew"], "It grew 14 %.", "pass"),
        (["14", "fell"], "It grew 14 %.", "fail"),
        ({"any": ["fell", "grew"]}, "It grew 14 %.", "pass"),
        ({"any": ["fell", "sank"]}, "It grew 14 %.", "fail"),
    ],
)
def test_contains(value, text, status):
    assert says(contains(value), text).status == status


def test_each_missing_text_is_a_finding():
    said = says(contains(["a1", "b2", "c3"]), "only b2")
    assert [finding.category for finding in said.findings] == ["missing_keyword"] * 2


def test_starts_with():
    assert says(starts_with("Dear"), "Dear all").status == "pass"
    assert says(starts_with("Dear"), "dear all").status == "fail"
    assert says(starts_with({"text": "Dear", "ignore_case": True}), "dear all").status == "pass"


def test_the_opposite_of_a_check_turns_pass_and_fail_and_nothing_else():
    no = opposite({"check": "contains", "value": "40"})
    assert says(no, "It grew 14 %.").status == "pass"
    turned = says(no, "It grew 40 %.")
    assert turned.status == "fail"
    assert turned.findings[0].suggestion
    assert says(opposite({"check": "url_valid"}), "no address").status == "abstain"
    assert says(opposite({"check": "not_a_refusal"}), "I'm sorry, but I cannot help with that.").status == "pass"


@pytest.mark.parametrize(
    ("check", "value"),
    [
        (equals, {"text": 3}),
        (contains, ""),
        (contains, []),
        (contains, {"all": ["a"], "any": ["b"]}),
        (contains, {"every": ["a"]}),
        (contains, {"all": ["a"], "ignore_case": "yes"}),
        (starts_with, ""),
        (starts_with, 3),
        (opposite, "contains"),
        (opposite, {"check": "contains", "value": "x", "more": 1}),
        (opposite, {"check": "rubric", "value": {"key": "c1", "text": "polite"}}),
        (similar_to, 5),
        (similar_to, {"text": "a", "measure": "meteor"}),
        (similar_to, {"text": "a", "min": 2}),
        (similar_to, {"text": "a", "max_edits": -1}),
        (similar_to, {"text": "a", "least": 0.5}),
        (tools_called, []),
        (tools_called, {"tools": ["a"], "ordered": True}),
    ],
)
def test_a_wrong_value_is_refused_when_the_check_is_made(check, value):
    with pytest.raises(InputError):
        check(value)


def test_they_are_criteria_like_any_other():
    case = Case(
        subject={"kind": "task_output", "text": "Paris"},
        criteria=[
            {"check": "equals", "value": "Paris"},
            {"check": "not", "value": {"check": "contains", "value": "Lyon"}},
            {"check": "similar_to", "value": {"text": "Paris", "measure": "fuzzy", "min": 0.9}},
        ],
    )
    assert Verifier().verify_sync(case).outcome == "pass"


# --- measures of similarity ------------------------------------------------------------------------------------------

WORDS = st.text(alphabet="ab c", max_size=12)


def slow_distance(a, b):
    row = list(range(len(b) + 1))
    for number, x in enumerate(a, 1):
        before, row[0] = row[0], number
        for at, y in enumerate(b, 1):
            before, row[at] = row[at], min(row[at] + 1, row[at - 1] + 1, before + (x != y))
    return row[-1]


def slow_common(a, b):
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            table[i + 1][j + 1] = table[i][j] + 1 if x == y else max(table[i][j + 1], table[i + 1][j])
    return table[-1][-1]


@given(WORDS, WORDS)
def test_the_fast_ways_count_what_the_slow_ways_count(a, b):
    assert similarity.distance(a, b) == slow_distance(a, b)
    assert similarity.longest_common(a, b) == slow_common(a, b)


@given(WORDS, WORDS, st.sampled_from(sorted(similarity.MEASURES)))
def test_every_measure_lies_between_nothing_and_all_and_the_same_is_never_less_alike(a, b, name):
    measure = similarity.MEASURES[name]
    assert 0 <= measure(a, b) <= 1 + 1e-9
    assert measure(a, a) >= measure(a, b) - 1e-9


def test_measures_by_hand():
    text, reference = "the cat sat on the mat", "the cat is on the mat"
    assert similarity.MEASURES["rouge_1"](text, reference) == pytest.approx(10 / 12)
    assert similarity.MEASURES["rouge_2"](text, reference) == pytest.approx(6 / 10)
    assert similarity.MEASURES["rouge_l"](text, reference) == pytest.approx(10 / 12)
    assert similarity.MEASURES["bleu"]("the cat sat", "the cat sat down") == pytest.approx(0.7165, abs=1e-4)
    assert similarity.MEASURES["bleu"](text, "nothing in common") == 0
    assert similarity.MEASURES["gleu"]("a b", "a c") == pytest.approx(1 / 3)
    assert similarity.MEASURES["fuzzy"]("kitten", "sitting") == pytest.approx(8 / 13)
    assert similarity.MEASURES["edits"]("kitten", "sitting") == pytest.approx(4 / 7)
    ratio = difflib.SequenceMatcher(None, "abcd", "bcde").ratio()
    assert similarity.MEASURES["fuzzy"]("abcd", "bcde") == pytest.approx(ratio)


def test_similar_to_passes_at_its_threshold_and_keeps_what_it_measured():
    near = similar_to({"text": "a b c d", "measure": "rouge_1", "min": 0.75})
    assert says(near, "a b c x").status == "pass"
    far = says(near, "a b x y")
    assert (far.status, far.details["similarity"]) == ("fail", 0.5)
    assert says(similar_to({"text": "kitten", "max_edits": 3}), "sitting").status == "pass"
    assert says(similar_to({"text": "kitten", "max_edits": 2}), "sitting").status == "fail"
    assert says(similar_to({"text": "Paris", "ignore_case": True, "min": 1}), "PARIS").status == "pass"


def test_texts_too_long_to_compare_abstain():
    assert says(similar_to({"text": "a"}), "a" * 60_000).status == "abstain"


# --- tools -----------------------------------------------------------------------------------------------------------


def called(*names):
    return [{"id": f"t{n}", "kind": "tool_call", "name": name} for n, name in enumerate(names)]


@pytest.mark.parametrize(
    ("value", "made", "status"),
    [
        (["search"], ["search", "write"], "pass"),
        (["search", "write"], ["write", "search"], "pass"),
        ({"tools": ["search", "write"], "in_order": True}, ["write", "search"], "fail"),
        ({"tools": ["search", "write"], "in_order": True}, ["search", "read", "write"], "pass"),
        ({"tools": ["search"], "no_others": True}, ["search", "delete"], "fail"),
        ({"tools": ["search"], "no_others": True}, ["search", "search"], "pass"),
        (["pay"], ["search"], "fail"),
        (["pay"], [], "abstain"),
    ],
)
def test_tools_called(value, made, status):
    assert says(tools_called(value), "done", evidence=called(*made)).status == status
