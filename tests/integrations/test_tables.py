"""Records in notebooks and tables, and in the evaluators of other frameworks."""

from __future__ import annotations

import json

import pandas
import pytest

from witnessmark import InputError, Settings, Verifier, check_answer, to_arrow, to_pandas
from witnessmark.checks.grounding.confidence import Verification
from witnessmark.core.errors import NotAcceptedError
from witnessmark.integrations.langchain import LangchainEvaluator, answer_guard
from witnessmark.integrations.tables import table_rows

SOURCE = "Sales grew by 14 % in 2023, the report says."
QUESTION = "How did sales do?"
RULES = Verifier(Settings(verification=Verification(model="rules")))
SAID = '"40 %" differs from source d1, which says "14 %"'


@pytest.fixture(scope="module")
def records():
    return [
        check_answer(QUESTION, answer, [SOURCE], verifier=RULES)
        for answer in (SOURCE, "Sales grew by 40 % in 2023. <b>Bold</b> was opened.")
    ]


def test_one_row_a_case_a_check_or_a_claim(records):
    cases = to_pandas(records)
    assert list(cases["outcome"]) == ["pass", "fail"]
    assert cases.loc[1, "reason"].startswith(SAID)
    assert len(to_pandas(records, by="check")) == sum(len(record.results) for record in records)
    claims = to_arrow(records, by="claim").to_pylist()
    wrong = next(row for row in claims if row["wrong_words"])
    assert (wrong["wrong_words"], wrong["source"], wrong["source_words"]) == ("40 %", "d1", "14 %")
    with pytest.raises(InputError, match="by: 'word' is not one of case, check, claim"):
        table_rows(records, "word")


def test_what_is_not_known_is_missing_and_not_zero(records):
    unknown = records[0].__class__.from_json(
        json.dumps(json.loads(records[0].json()) | {"usage": {"judge_calls": 1, "cost_usd": None}}).encode()
    )
    assert pandas.isna(to_pandas([unknown]).loc[0, "cost_usd"])


def test_a_notebook_shows_the_wrong_words_marked_and_hostile_text_escaped(records):
    shown = records[1]._repr_html_()
    assert "<mark>40 %</mark>" in shown
    assert "<b>Bold</b>" not in shown


def test_the_notebook_of_the_examples_runs(root):
    cells = json.loads((root / "examples/notebooks/answers.ipynb").read_text(encoding="utf-8"))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    names = {}
    for text in code:
        exec(compile(text, "answers.ipynb", "exec"), names)
    assert len(names["records"]) == 3


def test_langchain_evaluates_and_guards_answers():
    evaluator = LangchainEvaluator(RULES)
    told = evaluator.evaluate_strings(prediction="Sales grew by 40 % in 2023.", input=QUESTION, contexts=[SOURCE])
    assert (told["value"], told["reasoning"]) == ("fail", SAID)
    guard = answer_guard(RULES)
    good = {"question": QUESTION, "answer": SOURCE, "documents": [SOURCE]}
    assert guard.invoke(good) == SOURCE
    with pytest.raises(NotAcceptedError, match="40 %"):
        guard.invoke(good | {"answer": "Sales grew by 40 % in 2023."})
    fallback = guard.with_fallbacks([answer_guard(RULES).__class__(lambda _: "I cannot say.")])
    assert fallback.invoke(good | {"answer": "Sales grew by 40 % in 2023."}) == "I cannot say."
