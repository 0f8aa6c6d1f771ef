"""What no source has a word of is borne out by nothing: it raises neither an outcome nor a score, whatever a model makes of it."""

from __future__ import annotations

import pytest

from witnessmark import Verifier, check_answer
from witnessmark.checks.grounding.reading.questions import bare_answer
from witnessmark.testing import OneJudge, PerfectReader

YEAR = "Revenue was 4.2 million euros in 2022. Eleven people work in the Ghent office. The loan was repaid in May. The board meets on Tuesdays."
UNHEARD = ["It is not tall.", "Yes.", "No.", "The answer is no.", "So the short answer is yes."]


@pytest.mark.parametrize("said", UNHEARD)
@pytest.mark.parametrize("beside", ["Hello! {}", "{} Hello!", "Maybe. {}"])
def test_beside_what_asserts_nothing_it_makes_no_pass(said, beside):
    record = check_answer("How was the year?", beside.format(said), [YEAR])
    assert (record.outcome, record.score) == ("unverified", None)


@pytest.mark.parametrize("said", UNHEARD)
def test_beside_what_is_right_it_stays_open_and_lowers_the_coverage(said):
    before = check_answer("Tell me about the year.", "The board meets on Tuesdays.", [YEAR])
    after = check_answer("Tell me about the year.", f"The board meets on Tuesdays. {said}", [YEAR])
    assert (before.outcome, after.outcome, after.score, after.coverage) == ("pass", "partial", 1.0, 0.5)


@pytest.mark.parametrize("said", ["Nobody laughed.", *UNHEARD[1:]])
def test_beside_what_is_wrong_it_does_not_raise_the_score(said):
    wrong = "Revenue was 9.2 million euros in 2022. The board meets on Tuesdays."
    before = check_answer("Tell me about the year.", wrong, [YEAR])
    after = check_answer("Tell me about the year.", f"{wrong} {said}", [YEAR])
    assert before.score is not None
    assert after.score is not None
    assert after.score <= before.score


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [("Yes.", "pass"), ("The answer is yes.", "pass"), ("Hello! Yes.", "pass"), ("The answer is no.", "fail")],
)
def test_where_the_question_asks_for_it_a_yes_is_the_statement_that_it_affirms(reply, outcome):
    record = check_answer("Was the loan repaid?", reply, [YEAR])
    assert record.outcome == outcome
    assert record.claims[-1].text in ("The loan was repaid.", "The loan was not repaid.")


@pytest.mark.parametrize(
    "said", ["Eleven staff are employed in Ghent.", "The year brought 4.2 million.", "Loans were paid back."]
)
def test_one_word_in_any_form_or_a_figure_is_enough_to_be_read(said):
    record = check_answer("Tell me about the year.", said, [YEAR])
    assert [one.reason for one in record.claims if one.status == "unverifiable"] == []


def test_a_judge_may_still_find_it_in_other_words():
    verifier = Verifier().with_services({"judges": OneJudge(PerfectReader())})
    record = check_answer("What became of him?", "He passed away.", ["Karl died in 1990."], verifier=verifier)
    assert record.outcome == "pass"


def test_what_is_no_more_than_yes_or_no():
    said = [
        "Yes.",
        "No!",
        "The answer is no.",
        "Die Antwort lautet ja.",
        "No answer is known.",
        "The answer is 12.",
        "",
    ]
    assert [bare_answer(one) for one in said] == ["yes", "no", "no", "ja", "", "", ""]
