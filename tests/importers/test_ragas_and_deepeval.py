"""Ragas datasets and DeepEval test cases as cases."""

from __future__ import annotations

import pytest

from witnessmark import Verifier
from witnessmark.core.errors import InputError
from witnessmark.importers import deepeval, ragas

SOURCE = "Revenue grew 14 % in 2025, to 82 million euros."
SAMPLE = {
    "user_input": "How did they do?",
    "response": "Revenue grew 14 % in 2025.",
    "retrieved_contexts": [SOURCE, "The office is in Lyon."],
    "reference": "Revenue grew 14 % in 2025.",
}


def only(found):
    assert len(found.cases) == 1
    return found.cases[0]


def what(notes):
    return [note.what for note in notes]


# --- Ragas -----------------------------------------------------------------------------------------------------------


def test_a_sample_becomes_an_answer_with_its_contexts_and_reference():
    found = ragas.read([SAMPLE])
    case = only(found)
    assert (case.kind, case.goal, case.text) == ("answer", "How did they do?", "Revenue grew 14 % in 2025.")
    assert [source.text for source in case.evidence] == SAMPLE["retrieved_contexts"]
    assert case.reference == SAMPLE["reference"]
    assert (found.left_out, found.near, found.without_output) == ((), (), 0)
    record = Verifier().verify_sync(case)
    assert record.outcome == "pass"
    assert {said.check: said.status for said in record.results}["context_recall"] == "pass"


def test_a_response_that_the_contexts_bear_out_and_the_reference_contradicts_does_not_pass():
    sample = SAMPLE | {
        "retrieved_contexts": [SOURCE, "Revenue grew 40 % in 2025."],
        "response": "Revenue grew 40 % in 2025.",
    }
    record = Verifier().verify_sync(only(ragas.read([sample])))
    assert record.outcome == "fail"
    assert "the answer contradicts the reference answer" in [finding.message for finding in record.findings]


def test_a_wrong_response_fails_here_too():
    assert (
        Verifier().verify_sync(only(ragas.read([SAMPLE | {"response": "Revenue grew 40 % in 2025."}]))).outcome
        == "fail"
    )


@pytest.mark.parametrize(
    "row",
    [
        {"question": "Q?", "answer": "A.", "contexts": ["C."], "ground_truth": "R."},
        {"question": "Q?", "answer": "A.", "contexts": ["C."], "ground_truths": ["R."]},
        {"question": "Q?", "answer": "A.", "contexts": "['C.']", "ground_truth": "R."},
        {"user_input": "Q?", "response": "A.", "retrieved_contexts": '["C."]', "reference": "R."},
    ],
)
def test_older_names_and_csv_cells_are_read(row):
    case = only(ragas.read([row]))
    assert (case.goal, case.text, case.reference) == ("Q?", "A.", "R.")
    assert [source.text for source in case.evidence] == ["C."]


def test_columns_of_a_spreadsheet_are_read_however_they_are_written():
    row = {"Question": "How many seats?", " Answer ": "It has 14.", "Sources": "The van has 12 seats.", "Notes": "x"}
    case = only(ragas.read([row]))
    assert (case.goal, case.text) == ("How many seats?", "It has 14.")
    assert [one.text for one in case.evidence] == ["The van has 12 seats."]
    assert case.context["imported"] == {"Notes": "x"}


def test_a_column_by_its_own_name_goes_before_one_that_is_written_otherwise():
    assert ragas.read([{"Question": "other", "question": "meant", "answer": "A."}]).cases[0].goal == "meant"


def test_contexts_that_a_csv_holds_as_numpy_wrote_them_stay_apart():
    cell = f"""['{SOURCE}' "The mayor's office is in Lyon."\n 'It rained.']"""
    case = only(ragas.read([SAMPLE | {"retrieved_contexts": cell}]))
    assert [source.text for source in case.evidence] == [SOURCE, "The mayor's office is in Lyon.", "It rained."]


class Array:
    """A cell of a DataFrame that was read from Parquet: compared with anything, it is neither true nor false."""

    __hash__ = None

    def __init__(self, *items):
        self.items = items

    def __eq__(self, other):
        return self

    def __bool__(self):
        raise ValueError("the truth value of an array is ambiguous")

    def tolist(self):
        return list(self.items)


def test_cells_of_a_data_frame_are_read():
    row = {"user_input": "Q?", "response": "A.", "retrieved_contexts": Array("C.", "D."), "reference": float("nan")}
    case = only(ragas.read([row | {"labels": Array(1, 2)}]))
    assert [source.text for source in case.evidence] == ["C.", "D."]
    assert (case.reference, case.context["imported"]) == (None, {"labels": [1, 2]})


def test_however_it_was_saved():
    columns = {key: [value] for key, value in SAMPLE.items()}
    assert only(ragas.read(columns)) == only(ragas.read({"samples": [SAMPLE]})) == only(ragas.read(SAMPLE))


def test_scores_and_fields_nothing_looks_at_are_listed_and_kept():
    found = ragas.read([SAMPLE | {"faithfulness": 0.4, "rubrics": {"score1_description": "bad"}}] * 2)
    assert [(note.what, note.count, note.first) for note in found.left_out] == [
        ("faithfulness", 2, "samples[0]"),
        ("rubrics", 2, "samples[0]"),
    ]
    assert found.cases[0].context["imported"] == {"faithfulness": 0.4, "rubrics": {"score1_description": "bad"}}


def test_a_sample_without_a_response_is_kept_and_counted():
    found = ragas.read([{"user_input": "Q?", "reference": "R."}])
    assert only(found).text == ""
    assert found.without_output == 1
    assert what(found.left_out) == ["no output"]


def test_a_conversation_is_held_against_what_its_tools_returned():
    turns = [
        {"type": "human", "content": "How did they do?"},
        {"type": "ai", "content": "", "tool_calls": [{"name": "search", "args": {"q": "revenue"}}]},
        {"type": "tool", "content": SOURCE},
        {"type": "ai", "content": "Revenue grew 40 % in 2025."},
    ]
    row = {
        "user_input": turns,
        "reference_tool_calls": [{"name": "search", "args": {}}],
        "reference": "They looked it up.",
    }
    found = ragas.read([row])
    case = only(found)
    assert (case.reference, what(found.left_out)) == (None, ["reference"]), "how it should end is not what was answered"
    assert case.goal == "How did they do?"
    assert (case.evidence[0].name, case.evidence[0].output) == ("search", SOURCE)
    record = Verifier().verify_sync(case)
    assert record.outcome == "fail"
    assert {said.check: said.status for said in record.results}["tools_called"] == "pass"


@pytest.mark.parametrize("data", [3, ["x"], [[1]]])
def test_what_is_no_dataset_is_refused(data):
    with pytest.raises(InputError, match="samples"):
        ragas.read(data)


# --- DeepEval --------------------------------------------------------------------------------------------------------

TEST_CASE = {
    "input": "How did they do?",
    "actual_output": "Revenue grew 14 % in 2025.",
    "expected_output": "Revenue grew 14 % in 2025.",
    "retrieval_context": [SOURCE],
    "tools_called": [{"name": "search", "input_parameters": {"q": "x"}, "output": "ok"}],
    "expected_tools": [{"name": "search"}],
    "name": "revenue",
}


def test_a_test_case_becomes_a_case_with_evidence_calls_and_expectations():
    found = deepeval.read([TEST_CASE])
    case = only(found)
    assert (case.id, case.kind, case.goal) == ("revenue", "answer", "How did they do?")
    assert [source.kind for source in case.evidence] == ["passage", "tool_call"]
    assert [criterion.check for criterion in case.criteria] == ["context_recall", "tools_called"]
    assert found.left_out == ()
    assert Verifier().verify_sync(case).outcome == "pass"


def test_a_tool_that_was_not_called_fails():
    case = only(deepeval.read([TEST_CASE | {"expected_tools": ["pay"]}]))
    assert Verifier().verify_sync(case).outcome == "fail"


def test_a_test_runs_own_spelling_is_read():
    run = {
        "testCases": [
            {
                "name": "a",
                "input": "Q?",
                "actualOutput": "A.",
                "retrievalContext": ["C."],
                "metricsData": [{"score": 1}],
            }
        ]
    }
    found = deepeval.read(run)
    assert (only(found).text, only(found).evidence[0].text) == ("A.", "C.")
    assert what(found.left_out) == ["metrics_data"]


def test_goldens_lack_their_output_and_the_ideal_context_stands_in_for_the_retrieved():
    found = deepeval.read({"goldens": [{"input": "Q?", "expected_output": "A.", "context": ["C."]}]})
    assert found.without_output == 1
    assert only(found).evidence[0].text == "C."
    both = deepeval.read([TEST_CASE | {"context": ["ideal"]}])
    assert what(both.left_out) == ["context"]
    assert only(both).context["imported"] == {"context": ["ideal"]}


def test_inputs_of_expected_tools_are_said_not_to_be_checked():
    found = deepeval.read([TEST_CASE | {"expected_tools": [{"name": "search", "input_parameters": {"q": "y"}}]}])
    assert what(found.near) == ["expected_tools"]


def test_a_conversation_is_verified_by_its_last_answer():
    turns = [
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": "Hello", "retrieval_context": [SOURCE]},
    ]
    found = deepeval.read([{"turns": turns, "scenario": "greeting", "expected_outcome": "a greeting"}])
    case = only(found)
    assert (case.goal, case.text) == ("greeting", "Hello")
    assert "a greeting" in case.criteria[0].text
    assert what(found.near) == ["turns"]


def test_one_bad_case_stops_none_of_the_others():
    found = deepeval.read([TEST_CASE | {"name": "bad\n"}, TEST_CASE])
    assert len(found.cases) == 1
    assert what(found.left_out) == ["a case"]


@pytest.mark.parametrize("module", [ragas, deepeval])
def test_outputs_of_their_own_are_refused(module):
    with pytest.raises(InputError, match="--outputs"):
        module.read([], [])
