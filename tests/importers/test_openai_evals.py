"""OpenAI Evals graders as criteria; model graders as words for a judge."""

from __future__ import annotations

import pytest

from witnessmark import Verifier
from witnessmark.core.errors import InputError
from witnessmark.importers import openai_evals
from witnessmark.importers.openai_graders import linear

OUT, LABEL = "{{sample.output_text}}", "{{item.label}}"


def grader(kind="string_check", **more):
    return {"type": kind, "name": "g", "input": OUT, "reference": LABEL} | more


def imported(*graders, output="It is Paris.", label="Paris"):
    items = [
        {
            "item": {"label": label, "question": "Capital of France?"},
            "sample": {"output_text": output, "model": "gpt-4o"},
        }
    ]
    return openai_evals.read({"name": "capitals", "testing_criteria": list(graders)}, items)


def outcome(*graders, **more):
    found = imported(*graders, **more)
    assert found.left_out == ()
    return Verifier().verify_sync(found.cases[0]).outcome


@pytest.mark.parametrize(
    ("operation", "output", "expected"),
    [
        ("eq", "Paris", "pass"),
        ("eq", "paris", "fail"),
        ("ne", "Paris", "fail"),
        ("ne", "Lyon", "pass"),
        ("like", "It is Paris.", "pass"),
        ("like", "It is paris.", "fail"),
        ("ilike", "It is paris.", "pass"),
    ],
)
def test_string_checks(operation, output, expected):
    assert outcome(grader(operation=operation), output=output) == expected


def test_equality_may_be_written_either_way_round():
    assert outcome(grader(operation="eq", input=LABEL, reference=OUT), output="Paris") == "pass"


@pytest.mark.parametrize("metric", ["fuzzy_match", "bleu", "gleu", "rouge_1", "rouge_2", "rouge_5", "rouge_l"])
def test_text_similarity(metric):
    asked = grader("text_similarity", evaluation_metric=metric, pass_threshold=0.9)
    label = "the capital of France is Paris today"
    assert outcome(asked, output=label, label=label) == "pass"
    assert outcome(asked, output="no idea at all", label=label) == "fail"


def test_a_score_model_is_a_criterion_in_its_words_with_its_threshold_on_our_scale():
    asked = {"type": "score_model", "name": "q", "model": "o3", "range": [1, 5], "pass_threshold": 4,
             "input": [{"role": "system", "content": "Rate 1 to 5."}, {"role": "user", "content": [{"type": "input_text", "text": f"{OUT} against {LABEL}"}]}]}  # fmt: skip
    found = imported(asked)
    criterion = found.cases[0].criteria[0]
    assert criterion.text == "Rate 1 to 5.\n(the output) against Paris"
    assert (criterion.met_threshold, criterion.scale, criterion.must_pass) == (0.75, "unit", True)
    assert "--judge" in found.near[0].why


def test_a_label_model_is_met_where_a_passing_label_is_right():
    asked = {"type": "label_model", "name": "l", "labels": ["good", "bad"], "passing_labels": ["good"], "model": "o3", "input": [{"role": "user", "content": f"Label {OUT}"}]}  # fmt: skip
    criterion = imported(asked).cases[0].criteria[0]
    assert criterion.text == "Label (the output)\nThe criterion is met where the right label is good (of: good, bad)."
    assert criterion.scale == "binary"


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"type": "python", "name": "p", "source": "def grade(s, i): return 1.0"}, "never run"),
        ({"type": "endpoint", "name": "e"}, "service"),
        ({"type": "astrology", "name": "a"}, "no check here grades like that"),
        (grader(operation="~"), "not one of eq"),
        (grader(operation="like", input=LABEL, reference=OUT), "something other than the whole output"),
        (grader(operation="eq", input="{{sample.output_json.city}}"), "something other than the whole output"),
        (grader(operation="eq", reference="{{item.nothing}}"), "item.nothing has no value"),
        (grader("text_similarity", evaluation_metric="cosine"), "cosine is not measured here"),
        (grader("text_similarity", evaluation_metric="meteor"), "meteor is not measured here"),
        ({"type": "label_model", "input": [{"content": "x"}]}, "passing_labels"),
        ({"type": "score_model", "range": [1, 1], "input": "x"}, "not a range"),
        ({"type": "score_model", "input": []}, "no words"),
    ],
)
def test_what_has_no_equivalent_is_listed(asked, why):
    found = imported(grader(operation="like"), asked)
    (note,) = found.left_out
    assert why in note.why
    assert "testing_criteria[1]" in note.first
    assert len(found.cases[0].criteria) == 1


def multi(formula, **graders):
    return {"type": "multi", "name": "m", "graders": graders, "calculate_output": formula}


def test_a_weighted_mean_of_graders_keeps_its_weights():
    asked = multi("0.75 * a + 0.25 * b", a=grader(operation="like"), b=grader(operation="eq"))
    case = imported(asked).cases[0]
    assert [criterion.weight for criterion in case.criteria] == [0.75, 0.25]
    record = Verifier().verify_sync(case)
    assert (record.outcome, record.score) == ("pass", 0.75)


def test_another_formula_is_said_to_be_taken_over_as_something_near():
    found = imported(multi("max(a, b)", a=grader(operation="like"), b={"type": "python"}))
    assert "not a weighted mean" in found.near[0].why
    assert found.left_out[0].what == "multi b"


@pytest.mark.parametrize("formula", ["min(a, b)", "min([a, b])"])
def test_where_the_least_of_several_graders_counts_each_must_pass(formula):
    asked = multi(formula, a=grader(operation="like"), b=grader(operation="eq"), c=grader(operation="ne"))
    assert outcome(asked, output="It is Paris.") == "fail"
    assert outcome(asked, output="Paris") == "pass"


@pytest.mark.parametrize(
    ("formula", "weights"),
    [
        ("a", {"a": 1}),
        ("(a + b) / 2", {"a": 0.5, "b": 0.5}),
        ("0.5*a + b*0.5", {"a": 0.5, "b": 0.5}),
        ("a - b", {"a": 1, "b": -1}),
        ("a * b", None),
        ("a + 1", None),
        ("min(a, b)", None),
        ("a / 0", None),
        ("__import__('os')", None),
        ("", None),
        ("9**9**9 * a", None),
    ],
)
def test_formulas(formula, weights):
    assert linear(formula) == weights


def test_items_come_as_uploaded_as_a_run_lists_them_or_inside_the_definition():
    one = grader(operation="like")
    row = {"object": "eval.run.output_item", "datasource_item": {"label": "Rome"}, "sample": {"input": [{"role": "user", "content": "Capital?"}], "output": [{"role": "assistant", "content": "Rome"}]}}  # fmt: skip
    (case,) = openai_evals.read({"testing_criteria": [one]}, {"object": "list", "data": [row]}).cases
    assert (case.goal, case.text) == ("Capital?", "Rome")
    inside = {
        "type": "jsonl",
        "source": {"type": "file_content", "content": [{"item": {"label": "Rome"}, "sample": {"output_text": "Rome"}}]},
    }
    assert openai_evals.read({"testing_criteria": [one], "data_source": inside}).cases[0].text == "Rome"
    bare = openai_evals.read(one, [{"label": "Rome"}])
    assert (bare.without_output, bare.cases[0].text) == (1, "")


@pytest.mark.parametrize(
    ("data", "outputs", "said"),
    [
        ([], None, "definition"),
        ({"name": "x"}, None, "no grader"),
        ({"testing_criteria": [grader(operation="eq")]}, None, "--outputs"),
        ({"testing_criteria": ["x"]}, [{}], "testing_criteria"),
        ({"testing_criteria": [grader(operation="eq")]}, ["x"], "items"),
    ],
)
def test_what_cannot_be_read_is_refused(data, outputs, said):
    with pytest.raises(InputError, match=said):
        openai_evals.read(data, outputs)
