"""What is no answer never passes: a word that answers nothing, letters in a row, the question's own words."""

from __future__ import annotations

import random
import string

import pytest

from witnessmark.checks.grounding.grounding_check import grounding
from witnessmark.checks.grounding.reading.questions import asks_what
from witnessmark.core.case import Answer, Case, Evidence
from witnessmark.core.protocols import Reading
from witnessmark.core.verdict import Result

LIFT = "The lift was inspected on 4 April 2023 by Ute Brandt. It passed."
POOL = "The pool opens at 7 am. Entry is at no charge for members."


class Credulous:
    """A model that takes everything for supported."""

    id, version = "credulous", "1"

    def read(self, pairs, question=""):
        return [Reading(0.99) for _ in pairs]


def examined(question: str, answer: str, source: str = LIFT) -> Result:
    case = Case(goal=question, subject=Answer(text=answer), evidence=(Evidence(id="s", text=source),))
    found = grounding(model=Credulous())(case, {})
    assert isinstance(found, Result)
    return found


@pytest.mark.parametrize(
    "answer", ["Yes.", "No.", "OK.", "Done.", "True", "Maybe.", "It depends.", "See above.", "Perhaps"]
)
@pytest.mark.parametrize(
    "question",
    ["Who inspected the lift?", "Tell me who inspected the lift.", "Can you tell me who inspected the lift?"],
)
def test_a_word_that_answers_nothing_asserts_nothing(question: str, answer: str) -> None:
    found = examined(question, answer)
    assert (found.status, found.cause) == ("abstain", "no_claims")


@pytest.mark.parametrize(
    ("question", "answer", "source"),
    [
        ("Wann öffnet das Bad?", "Vielleicht.", "Das Bad öffnet um 7 Uhr."),
        ("Wann öffnet das Bad?", "Ja.", "Das Bad öffnet um 7 Uhr."),
        ("Quand ouvre la piscine ?", "Ça dépend.", "La piscine ouvre à 7 h."),
        ("¿Cuándo abre la piscina?", "Sí.", "La piscina abre a las 7."),
    ],
)
def test_nor_does_it_in_another_language(question: str, answer: str, source: str) -> None:
    assert examined(question, answer, source).cause == "no_claims"


def test_maybe_asserts_nothing_where_yes_does() -> None:
    assert examined("Did the lift pass?", "Maybe.").cause == "no_claims"
    assert examined("Did the lift pass?", "Yes.").status == "pass"


def test_what_follows_a_yes_that_answers_nothing_is_the_answer() -> None:
    assert examined("When does the pool open?", "Yes, 7 am.", POOL).status == "pass"
    assert examined("When does the pool open?", "Yes, 8 am.", POOL).status == "fail"


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who inspected the lift?", True),
        ("At what time does it open?", True),
        ("Name the inspector.", True),
        ("Who inspected the lift, and was it safe?", False),
        ("Is the lift safe, and who says so?", False),
        ("Tell me whether the lift passed.", False),
        ("Did the lift pass?", False),
        ("It opens at 9, doesn't it?", False),
    ],
)
def test_what_yes_and_no_answer_is_told_from_what_they_do_not(question: str, expected: bool) -> None:
    assert asks_what(question) is expected


def letters(count: int) -> str:
    return "".join(random.Random(count).choices(string.ascii_lowercase, k=count))


GIBBERISH = [
    letters(200),
    letters(2000),
    "a" * 50_000,
    " ".join(letters(count) for count in range(4, 12)),
]
SHORT = [letters(8), "The lift.", "Inspected.", "A trumpet"]


@pytest.mark.parametrize(
    ("question", "answer"),
    [*(("", one) for one in GIBBERISH), *(("Who inspected the lift?", one) for one in (*GIBBERISH, *SHORT))],
)
def test_words_that_no_source_has_are_not_supported_whatever_a_model_says(question: str, answer: str) -> None:
    found = examined(question, answer)
    assert found.status == "partial"
    assert [one.status for one in found.claims] == ["unsupported"]
    assert found.claims[0].reason == "it has no word of its own that a source has"


@pytest.mark.parametrize("question", ["", "Who inspected the lift?"])
def test_brackets_that_are_opened_without_end_never_pass(question: str) -> None:
    assert examined(question, "(a|" * 5000 + "a" * 50_000).status != "pass"


@pytest.mark.parametrize(
    ("question", "answer", "source"),
    [
        ("Who inspected the lift?", "Ute Brandt.", LIFT),
        ("Who inspected the lift?", "Brandt", LIFT),
        ("When was it inspected?", "In April", LIFT),
        ("When does the pool open?", "7 am", POOL),
        ("When does the pool open?", "At seven in the morning.", POOL),
        ("How much is entry for members?", "Free.", POOL),
        ("Who was hurt?", "Nobody.", "No one was hurt in the fire."),
        ("What colour is the door?", "Blue", "The door is blue."),
        ("Is the door red or blue?", "Blue.", "The door is blue."),
        ("Which is older, the mill or the barn?", "The mill", "The mill is older than the barn."),
        ("How often is it emptied?", "Monthly", "It is emptied every month."),
        ("How many of the 12 lifts passed?", "12", "All 12 lifts passed."),
        ("Was the lift repaired in full?", "Partly.", "The lift was repaired as far as the third floor."),
        ("Who inspected the lift?", "She did.", LIFT),
    ],
)
def test_a_real_short_answer_is_still_read_with_its_question(question: str, answer: str, source: str) -> None:
    found = examined(question, answer, source)
    assert "it has no word of its own that a source has" not in [one.reason for one in found.claims]
