"""Whatever is in another tool's file: cases and notes, or one error that says what is wrong. Never a crash."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from witnessmark.core.errors import InputError
from witnessmark.core.values import canonical
from witnessmark.importers import FORMATS, reader

WORDS = [
    "user_input", "question", "response", "retrieved_contexts", "contexts", "reference", "ground_truths", "input",
    "actual_output", "expected_output", "retrieval_context", "context", "tools_called", "expected_tools", "turns", "role",
    "assistant", "content", "testCases", "goldens", "prompts", "tests", "vars", "assert", "type", "value", "threshold",
    "equals", "contains-any", "llm-rubric", "is-json", "assert-set", "defaultTest", "providerOutput", "results", "testCase",
    "response", "output", "testIdx", "testing_criteria", "string_check", "text_similarity", "score_model", "label_model",
    "multi", "graders", "calculate_output", "operation", "eq", "labels", "passing_labels", "range", "item", "sample",
    "output_text", "{{sample.output_text}}", "{{item.a}}", "data_source", "source", "name", "tool_calls", "samples",
]  # fmt: skip
WORD = st.sampled_from(WORDS)
LEAF = st.none() | st.booleans() | st.sampled_from([0, 1, -1, 0.5, 1e9]) | WORD
TREE = st.recursive(
    LEAF, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORD, inner, max_size=4), max_leaves=12
)


@pytest.mark.parametrize("name", FORMATS)
@given(data=TREE, outputs=st.none() | TREE)
def test_never_a_crash_and_nothing_that_is_no_case(name, data, outputs):
    try:
        found = reader(name)(data, outputs)
    except InputError:
        return
    for case in found.cases:
        assert type(case).from_json(canonical(case)) == case
