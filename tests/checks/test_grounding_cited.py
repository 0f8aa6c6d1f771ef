"""A claim is held to the source that it names, however it names it."""

from __future__ import annotations

import pytest

from witnessmark import check_answer

CHURCH = [
    {"id": "d1", "text": "The tower is 84 metres high."},
    {"id": "d2", "text": "The bell weighs three tonnes."},
    {"id": "board-minutes", "text": "The board met in May."},
]
PLANT = [
    {"id": "a", "text": "The plant in Graz employs 140 people."},
    {"id": "b", "text": "The plant in Graz will get a second line in autumn."},
]


def outcome(answer: str, sources: list[dict[str, str]]) -> str:
    return check_answer("Tell me about it.", answer, sources).outcome


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("The tower is 84 metres high (d1).", "The tower is 84 metres high (d2)."),
        ("The board met in May (see board minutes).", "The tower is 84 metres high (see board minutes)."),
        ("According to the board minutes, the board met in May.", "According to the board minutes, the tower is 84 metres high."),
        ("The first document states that the tower is 84 metres high.", "The second document states that the tower is 84 metres high."),
        ("The board met in May [^1].\n\n[^1]: board-minutes", "The tower is 84 metres high [^1].\n\n[^1]: board-minutes"),
        ("The tower is 84 metres high [1] and the bell weighs three tonnes [2].", "The tower is 84 metres high [2] and the bell weighs three tonnes [1]."),
    ],
)  # fmt: skip
def test_a_source_may_be_named_in_many_ways(right: str, wrong: str) -> None:
    assert outcome(right, CHURCH) == "pass"
    assert outcome(wrong, CHURCH) == "partial"


FERRIES = [
    {"id": "doc", "text": "The ferry leaves Harle at ten from the old pier."},
    {"id": "doc#2", "text": "In winter the boat to Norden goes from the quay."},
]


@pytest.mark.parametrize(
    "answer",
    [
        "In winter the boat to Norden goes from the quay [{}].",
        "In winter the boat to Norden goes from the quay. [{}]",
        "According to {}, in winter the boat to Norden goes from the quay.",
    ],
)
def test_a_source_that_was_given_a_number_behind_its_id_is_named_by_all_of_it(answer: str) -> None:
    assert outcome(answer.format("doc#2"), FERRIES) == "pass"
    assert outcome(answer.format("doc"), FERRIES) == "partial"


def test_a_source_that_shares_two_words_does_not_bear_out_what_another_says() -> None:
    assert outcome("The plant in Graz will get a second line in autumn [2].", PLANT) == "pass"
    record = check_answer("What about Graz?", "The plant in Graz will get a second line in autumn [1].", PLANT)
    assert record.outcome == "partial"
    assert record.claims[0].reason == "the source it cites does not say so, another one does"


def test_a_paraphrase_of_the_cited_source_holds_where_no_other_says_it() -> None:
    assert outcome("140 people work in Graz [1].", PLANT) == "pass"
