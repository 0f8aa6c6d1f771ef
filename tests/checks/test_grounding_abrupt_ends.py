"""An answer that breaks off does not pass: what its last sentence would have said is not known."""

from __future__ import annotations

import pytest

from witnessmark.checks.grounding.grounding_check import grounding
from witnessmark.core.case import Answer, Case, Evidence
from witnessmark.core.verdict import Result

PUMP = (
    "The pump must be switched off before the filter is removed. The filter weighs 12 kg, and the warranty lasts 24 months. "
    "Do not rinse the filter with hot water. The pool (heated in winter) opens at 7 am. The crew says “all is well” in its log. "
    "The alarm stops when the door is shut."
)
POINT = "the answer breaks off here"


def examined(answer: str, source: str = PUMP, question: str = "?") -> Result:
    found = grounding()(Case(goal=question, subject=Answer(text=answer), evidence=(Evidence(id="s", text=source),)), {})
    assert isinstance(found, Result)
    return found


@pytest.mark.parametrize(
    "answer",
    [
        "The pump must be switched off before the",
        "The filter weighs",
        "The pool (heated in winter) opens at",
        "Do not rinse the filter with",
        "The filter weighs 12 kg, and the warranty lasts",
        "The pool (heated in",
        "The crew says “all is",
        'The crew says "all is',
        "Switch the pump off:\n```\npump off",
        "The filter weighs 12 kg,",
        "The alarm stops when",
    ],
)
def test_a_sentence_that_is_not_said_to_its_end_is_left_open(answer: str) -> None:
    found = examined(answer)
    assert found.status == "abstain" or found.coverage < 1
    assert found.claims[-1].status == "unverifiable"
    assert found.claims[-1].open
    assert found.claims[-1].reason == POINT


def test_what_stands_before_the_broken_end_is_checked_and_the_end_is_told() -> None:
    found = examined("The filter weighs 12 kg. Do not rinse the filter with")
    assert [one.status for one in found.claims] == ["supported", "unverifiable"]
    assert found.coverage == 0.5
    assert [(one.category, one.message) for one in found.findings] == [("truncated", POINT)]


def test_what_is_wrong_in_a_broken_sentence_is_wrong_all_the_same() -> None:
    assert examined("The warranty lasts 36 months from the").status == "fail"


@pytest.mark.parametrize(
    ("answer", "source", "question"),
    [
        ("7 am", PUMP, "When does the pool open?"),
        ("The filter weighs 12 kg", PUMP, "?"),
        ("The filter weighs 12 kg.", PUMP, "?"),
        ("- The filter weighs 12 kg\n- The warranty lasts 24 months", PUMP, "?"),
        ("The pool (heated in winter) opens at 7 am", PUMP, "?"),
        ("The crew says “all is well” in its log", PUMP, "?"),
        ('The shelf is 24" wide', 'The shelf is 24" wide and white.', "?"),
        ("The settings stay as they are", "The settings can stay as they are.", "?"),
        ("The cream has been put on", "Clean your hands once the cream has been put on.", "?"),
        ("You pay at most 10% of the costs", "You pay at most 10% of the costs that arise.", "?"),
        ("Switch the pump off:\n```\npump off\n```", "Switch the pump off:\n```\npump off\n```", "?"),
    ],
)
def test_a_whole_answer_needs_no_full_stop(answer: str, source: str, question: str) -> None:
    assert POINT not in [one.reason for one in examined(answer, source, question).claims]


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("Die Jahresgebühr beträgt", "Die Jahresgebühr beträgt 24 Euro."),
        ("Le filtre ne pèse", "Le filtre ne pèse que 12 kg."),
        ("El precio de la entrada es de", "El precio de la entrada es de 8 euros los domingos."),
    ],
)
def test_an_end_is_read_in_the_language_of_the_answer(answer: str, source: str) -> None:
    assert examined(answer, source).claims[-1].reason == POINT
