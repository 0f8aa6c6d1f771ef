"""The name that a question asks for: one that no source has never passes, wherever it stands in the sentence."""

from __future__ import annotations

import pytest

from witnessmark import Case, Verifier
from witnessmark.core.case import Answer, Evidence

SOURCE = "Hamlet was written by William Shakespeare around 1600."


def verdict(answer, question="Who wrote Hamlet?", source=SOURCE):
    return Verifier().verify_sync(
        Case(goal=question, subject=Answer(text=answer), evidence=(Evidence(id="a", text=source),))
    )


@pytest.mark.parametrize("answer", ["Marlowe", "Goethe", "Marlowe wrote Hamlet.", "Goethe wrote Hamlet."])
def test_a_name_that_no_source_has_does_not_pass(answer):
    record = verdict(answer)
    assert record.outcome != "pass"
    assert record.claims[0].reason == "this name is not in any source"


@pytest.mark.parametrize("answer", ["Shakespeare", "William Shakespeare", "Shakespeare wrote Hamlet."])
def test_the_name_of_the_source_passes(answer):
    assert verdict(answer).outcome == "pass"


def test_a_word_of_the_source_for_something_else_is_not_called_absent():
    record = verdict("Lyon", "What is the capital of France?", "Paris is the capital of France. Lyon is a large city.")
    assert record.outcome != "pass"
    assert "not in any source" not in " ".join(map(str, record.findings))
