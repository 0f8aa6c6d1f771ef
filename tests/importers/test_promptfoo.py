"""promptfoo's tests and assertions as cases and criteria; nothing is dropped unsaid."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from witnessmark import Verifier
from witnessmark.core.errors import InputError
from witnessmark.importers import promptfoo
from witnessmark.importers.promptfoo_asserts import CHECKS, EVIDENCE, LEFT_OUT, WORDS


def imported(*asserts, output="Revenue grew 14 % in 2025.", **more):
    test = {
        "vars": {"topic": "sales", "context": "Revenue grew 14 % in 2025."},
        "providerOutput": output,
        "assert": list(asserts),
    }
    return promptfoo.read({"prompts": ["About {{topic}}"], "tests": [test | more]})


def outcome(*asserts, **more):
    found = imported(*asserts, **more)
    assert found.left_out == ()
    return Verifier().verify_sync(found.cases[0]).outcome


@pytest.mark.parametrize(
    ("assertion", "expected"),
    [
        ({"type": "equals", "value": "Revenue grew 14 % in 2025."}, "pass"),
        ({"type": "equals", "value": "Revenue"}, "fail"),
        ({"type": "contains", "value": "14 %"}, "pass"),
        ({"type": "contains", "value": "revenue"}, "fail"),
        ({"type": "icontains", "value": "revenue"}, "pass"),
        ({"type": "not-contains", "value": "40 %"}, "pass"),
        ({"type": "not-icontains", "value": "REVENUE"}, "fail"),
        ({"type": "contains-all", "value": ["14 %", "2025"]}, "pass"),
        ({"type": "contains-all", "value": "14 %, 2026"}, "fail"),
        ({"type": "contains-any", "value": ["40 %", "14 %"]}, "pass"),
        ({"type": "icontains-any", "value": "profit, loss"}, "fail"),
        ({"type": "icontains-all", "value": ["REVENUE", "GREW"]}, "pass"),
        ({"type": "starts-with", "value": "Revenue"}, "pass"),
        ({"type": "not-starts-with", "value": "Revenue"}, "fail"),
        ({"type": "regex", "value": r"\d+ %"}, "pass"),
        ({"type": "not-regex", "value": r"\d+ %"}, "fail"),
        ({"type": "is-json"}, "fail"),
        ({"type": "not-is-json"}, "pass"),
        ({"type": "word-count", "value": {"min": 3, "max": 10}}, "pass"),
        ({"type": "word-count", "value": 2}, "fail"),
        ({"type": "not-is-refusal"}, "pass"),
        ({"type": "is-refusal"}, "fail"),
        ({"type": "levenshtein", "value": "Revenue grew 15 % in 2025.", "threshold": 1}, "pass"),
        ({"type": "levenshtein", "value": "Profit", "threshold": 1}, "fail"),
        ({"type": "rouge-n", "value": "Revenue grew 14 % in 2025.", "threshold": 0.9}, "pass"),
        ({"type": "bleu", "value": "Something else entirely here."}, "fail"),
        ({"type": "context-faithfulness"}, "pass"),
    ],
)
def test_an_assertion_comes_out_as_it_did_there(assertion, expected):
    assert outcome(assertion) == expected


@pytest.mark.parametrize(
    ("assertion", "output", "expected"),
    [
        ({"type": "equals", "value": True}, "true", "pass"),
        ({"type": "equals", "value": True}, "True", "fail"),
        ({"type": "equals", "value": 2.0}, "2", "pass"),
        ({"type": "contains", "value": False}, "It is false.", "pass"),
        ({"type": "contains-any", "value": [True, "yes"]}, "true enough", "pass"),
    ],
)
def test_values_that_are_no_texts_are_written_as_promptfoo_writes_them(assertion, output, expected):
    assert outcome(assertion, output=output) == expected


def test_several_values_of_similar_are_alternatives():
    (criterion,) = imported({"type": "similar", "value": ["Sales rose.", "Sales went up."]}).cases[0].criteria
    assert (
        criterion.text == "The output means the same as: one of these, whichever of them: Sales rose.; Sales went up."
    )
    both = imported({"type": "not-similar", "value": ["Sales rose.", "Sales fell."]}).cases[0].criteria
    assert [one.text for one in both] == [
        "It is not so that: The output means the same as: Sales rose.",
        "It is not so that: The output means the same as: Sales fell.",
    ]


def test_json_is_held_against_its_schema():
    schema = {"type": "object", "required": ["name"]}
    assert outcome({"type": "is-json", "value": schema}, output='{"name": "x"}') == "pass"
    assert outcome({"type": "is-json", "value": schema}, output={"title": "x"}) == "fail"


def test_an_answer_that_its_context_contradicts_fails():
    assert outcome({"type": "context-faithfulness"}, output="Revenue grew 40 % in 2025.") == "fail"


@pytest.mark.parametrize("kind", ["llm-rubric", "factuality", "g-eval", "model-graded-closedqa"])
def test_words_are_for_a_judge_and_must_hold(kind):
    criterion = imported({"type": kind, "value": "polite about {{topic}}", "threshold": 0.8}).cases[0].criteria[0]
    assert "polite about sales" in criterion.text
    assert (criterion.must_pass, criterion.met_threshold) == (True, 0.8)


def test_a_judged_assertion_turned_round_says_so():
    assert (
        imported({"type": "not-llm-rubric", "value": "It is rude."}).cases[0].criteria[0].text
        == "It is not so that: It is rude."
    )


@pytest.mark.parametrize(
    ("assertion", "why"),
    [
        ({"type": "javascript", "value": "output.length > 3"}, "never run"),
        ({"type": "python", "value": "file://check.py"}, "file"),
        ({"type": "contains", "value": "javascript: 1"}, "never run"),
        ({"type": "cost", "threshold": 0.01}, "--budget-usd"),
        ({"type": "latency", "threshold": 200}, "--deadline"),
        ({"type": "regex", "value": "(?=x)y"}, "RE2"),
        ({"type": "contains", "value": "{{missing}}"}, "missing has no value"),
        ({"type": "contains", "value": "{{topic | upper}}"}, "more than names"),
        ({"type": "equals"}, "has no value"),
        ({"type": "contains-all", "value": "a, b\nc"}, "write them as a list"),
        ({"type": "contains", "value": "x", "transform": "output.trim()"}, "transform"),
        ({"type": "contains", "value": "x", "weight": -1}, "weight"),
        ({"type": "not-context-faithfulness"}, "opposite"),
        ({"type": "is-sql"}, "no check here looks at this"),
        ({"type": "llm-rubric"}, "no words"),
        ({}, "no check here looks at this"),
        ("contains", "should be an object"),
    ],
)
def test_what_has_no_equivalent_is_listed_with_its_place_and_reason(assertion, why):
    found = imported({"type": "contains", "value": "Revenue"}, assertion)
    (note,) = found.left_out
    assert why in note.why
    assert note.first == "tests[0].assert[1]"
    assert len(found.cases[0].criteria) == 1


def test_sets_defaults_and_templates_of_assertions_are_followed():
    config = {
        "prompts": ["P"],
        "assertionTemplates": {"short": {"type": "word-count", "value": {"max": 3}}},
        "defaultTest": {"assert": [{"$ref": "#/assertionTemplates/short"}], "vars": {"a": "1"}},
        "tests": [{"providerOutput": "one two", "assert": [{"type": "assert-set", "assert": [{"type": "contains", "value": "{{a}}"}]}]}],
    }  # fmt: skip
    (case,) = promptfoo.read(config).cases
    assert [criterion.check for criterion in case.criteria] == ["word_count_range", "contains"]
    assert case.criteria[1].value == {"all": ["1"]}


def test_weights_and_a_tests_threshold_are_taken_over():
    asserts = [{"type": "contains", "value": "14 %", "weight": 3}, {"type": "contains", "value": "profit"}]
    assert outcome(*asserts) == "fail"
    assert outcome(*asserts, threshold=0.7) == "pass"
    assert (
        outcome({"type": "contains", "value": "profit", "weight": 0}, {"type": "contains", "value": "14 %"}) == "pass"
    )


def test_variables_with_several_values_make_a_case_for_each_combination_and_prompt():
    config = {
        "prompts": ["A {{x}}", "B {{x}}"],
        "tests": [
            {
                "vars": {"x": [1, 2], "y": ["u", "v"]},
                "providerOutput": "o",
                "assert": [{"type": "contains", "value": "o"}],
            }
        ],
    }
    assert len(promptfoo.read(config).cases) == 8
    assert {case.goal for case in promptfoo.read(config).cases} == {"A 1", "A 2", "B 1", "B 2"}


def test_combinations_without_end_are_refused():
    many = {f"v{n}": list(range(10)) for n in range(8)}
    with pytest.raises(InputError, match="more than 100,000 cases"):
        promptfoo.read({"prompts": ["P"], "tests": [{"vars": many, "providerOutput": "o"}]})


def test_files_named_in_a_configuration_are_never_opened_and_said_to_be():
    found = promptfoo.read(
        {"prompts": ["file:///etc/hostname"], "tests": ["file://more.csv", {"providerOutput": "o"}], "scenarios": []}
    )
    assert [note.what for note in found.left_out] == ["scenarios", "a prompt in a file", "tests in a file"]
    assert found.cases[0].goal == ""


RESULTS = {
    "evalId": "e",
    "results": {
        "version": 3,
        "results": [
            {
                "testIdx": 0,
                "promptIdx": 0,
                "provider": {"id": "openai:gpt-4o"},
                "prompt": {"raw": "About sales"},
                "vars": {"topic": "sales"},
                "response": {"output": "Sales grew."},
                "cost": 0.002,
                "success": False,
                "testCase": {"assert": [{"type": "icontains", "value": "{{topic}}"}], "vars": {"topic": "sales"}},
            }
        ],
    },
}


def test_a_file_of_results_has_everything_in_it():
    (case,) = promptfoo.read(RESULTS).cases
    assert (case.goal, case.text) == ("About sales", "Sales grew.")
    assert (case.executor.model, case.executor.cost_usd) == ("openai:gpt-4o", 0.002)
    assert Verifier().verify_sync(case).outcome == "pass"


def test_a_configuration_takes_its_outputs_from_results_and_its_own_assertions_hold():
    config = {
        "prompts": ["About {{topic}}"],
        "tests": [{"vars": {"topic": "sales"}, "assert": [{"type": "contains", "value": "fell"}]}],
    }
    alone = promptfoo.read(config)
    assert (alone.without_output, alone.cases[0].text) == (1, "")
    joined = promptfoo.read(config, RESULTS)
    assert joined.without_output == 0
    assert joined.cases[0].criteria[0].value == {"all": ["fell"]}
    row = RESULTS["results"]["results"][0]
    assert promptfoo.read(config, {"results": [row | {"testIdx": 7}]}).left_out[0].what == "a row"


def test_results_number_the_combinations_of_variables_and_are_matched_by_them():
    test = {"vars": {"topic": ["costs", "sales"]}, "assert": [{"type": "contains", "value": "x"}]}
    config = {"prompts": ["P"], "tests": [test]}
    row = RESULTS["results"]["results"][0]
    assert len(promptfoo.read(config, {"results": [row | {"testIdx": 1}]}).cases) == 1
    wrong = promptfoo.read(config, {"results": [row | {"testIdx": 0}]})
    assert (wrong.cases, wrong.left_out[0].what) == ((), "a row")


@pytest.mark.parametrize(("data", "outputs"), [({}, None), ([], None), ("x", None), ({"tests": []}, {"a": 1})])
def test_what_is_neither_is_refused(data, outputs):
    if data == []:
        assert promptfoo.read(data).cases == ()
        return
    with pytest.raises(InputError, match="promptfoo"):
        promptfoo.read(data, outputs)


VALUES = st.sampled_from(
    [None, True, 0, 3, 0.5, "", "x", "a, b", "{{topic}}", "{{no}}", [], ["x"], [1, ""], {}, {"min": 1}]
)
KINDS = st.sampled_from([*CHECKS, *WORDS, *EVIDENCE, *LEFT_OUT, "no-such-type"])
ASSERTIONS = st.builds(
    lambda kind, value, threshold, weight, turned: {
        "type": f"not-{kind}" if turned else kind, "value": value, "threshold": threshold, "weight": weight
    },
    KINDS, VALUES, VALUES, VALUES, st.booleans(),
)  # fmt: skip


@given(ASSERTIONS)
def test_whatever_is_asserted_is_either_taken_over_or_listed(assertion):
    found = imported(assertion)
    (case,) = found.cases
    assert case.criteria or found.left_out or found.near
    assert Verifier().verify_sync(case).outcome != "pass" or case.criteria or case.kind == "answer"


def test_a_contradicted_answer_is_not_made_up_for_by_other_assertions():
    others = [{"type": "contains", "value": word} for word in ("Revenue", "grew", "2025", "%")]
    assert outcome({"type": "context-faithfulness"}, *others, output="Revenue grew 40 % in 2025.") == "fail"
