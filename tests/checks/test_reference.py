"""An answer against the one that was expected, and refusals against their sources."""

from __future__ import annotations

import pytest

from witnessmark import Case, Verifier
from witnessmark.testing import OneJudge, PerfectReader

SHEET = "The Lumo lamp works with Zigbee and Bluetooth. It does not work with Matter. It costs 48 euros."


def verified(answer, expected=None, goal="Does the Lumo lamp work with Matter?", sources=(SHEET,), judge=None):
    evidence = [{"id": f"d{n}", "text": text} for n, text in enumerate(sources)]
    case = Case(goal=goal, subject={"kind": "answer", "text": answer}, evidence=evidence, reference=expected)
    return Verifier(services={"judges": OneJudge(judge)} if judge else {}).verify_sync(case)


def said(record):
    return next(result for result in record.results if result.check == "reference")


@pytest.mark.parametrize(
    ("answer", "expected", "reason"),
    [
        ("48 euros", "48 euros", "word for word"),
        ("The 1,248 Euros.", "1248 euros", "written differently"),
        ("café noir", "Cafe Noir!", "written differently"),
    ],
)
def test_the_same_answer_agrees_however_it_is_written(answer, expected, reason):
    record = verified(answer, expected, "How much does it cost?", sources=())
    assert (said(record).status, reason in said(record).reason) == ("pass", True)
    assert (record.outcome, record.action) == ("pass", "accept")


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("-7", "7"), ("+8 %", "-8 %"), ("£7", "€7"), ("y > 2", "y < 2"), ("≥ 9", "≤ 9"), ("B-", "B+"), ("F#", "F"),
        ("2,5", "25"), ("20000", "2000"), ("!ready", "ready"), ("4 Mb", "4 MB"), ("1987", "1978"), ("No", "true"),
    ],
)  # fmt: skip
def test_a_sign_is_a_part_of_the_answer(answer, expected):
    record = verified(answer, expected, "Which is it?", sources=(), judge=PerfectReader(""))
    assert (said(record).status, record.outcome) == ("fail", "fail")


@pytest.mark.parametrize(
    ("answer", "expected"),
    [("Lyon or Nice", "Lyon"), ("Anywhere but Lyon", "Lyon"), ("not Lyon", "Lyon"), ("7", "7 %")],
)
def test_what_does_not_settle_on_the_expected_answer_is_not_that(answer, expected):
    assert verified(answer, expected, "Which is it?", sources=()).outcome == "partial"


@pytest.mark.parametrize(
    ("answer", "expected", "goal"),
    [
        ("a quarter", "25 %", "What share?"), ("1/4", "0.25", "What share?"), ("two thousand", "2000", "How many?"), ("True", "yes", "Is it?"),
        ("−4 °C", "-4°C", "How cold?"), ("90 minutes", "1.5 hours", "How long?"), ("7", "7 %", "How many per cent?"), ("3–1", "3:1", "What score?"),
        ("well-known", "well known", "What is it?"), ("+5 %", "5 %", "By how much?"),
    ],
)  # fmt: skip
def test_the_same_amount_agrees_in_whatever_form(answer, expected, goal):
    assert said(verified(answer, expected, goal, sources=())).reason == "the reference answer, written differently"


def test_by_meaning_no_is_the_statement_it_makes_and_disagrees_with_yes():
    agrees = verified("No.", "It does not work with Matter.", sources=())
    assert (agrees.outcome, said(agrees).status) == ("pass", "pass")
    differs = verified("Yes.", "No.", sources=())
    assert differs.outcome != "pass"
    assert [f.message for f in differs.findings if f.check == "reference"] != []


def test_a_decimal_comma_is_no_separator_of_thousands():
    assert verified("It costs 1,5 euros.", "It costs 15 euros.", sources=()).outcome != "pass"


def test_another_figure_than_the_expected_one_is_a_finding_and_never_passes():
    record = verified("It costs 52 euros.", "It costs 48 euros.", "How much does it cost?", sources=())
    assert record.outcome != "pass"
    assert any(finding.check == "reference" and "reference" in finding.message for finding in record.findings)


def test_without_a_reference_there_is_no_such_check():
    assert not [result for result in verified("No.").results if result.check == "reference"]


@pytest.mark.parametrize(("answer", "denies"), [("No.", True), ("Yes.", False)])
def test_yes_and_no_are_the_claim_that_they_affirm(answer, denies):
    claim = verified(answer).claims[0]
    assert "Lumo lamp" in claim.text
    assert ("not" in claim.text.split()) == denies


REFUSAL = "The documents provided do not say anything about early cancellation."


def test_a_refusal_holds_where_no_source_speaks_of_the_question_and_is_open_where_one_does():
    asked = "Can I cancel the gym membership early?"
    right = verified(REFUSAL, goal=asked)
    assert (right.outcome, right.claims[0].kind, right.claims[0].status) == ("pass", "refusal", "supported")
    open_ = verified(
        REFUSAL, goal=asked, sources=["Members may cancel the gym membership early for a fee of 40 dollars."]
    )
    assert (open_.outcome, open_.claims[0].status) == ("unverified", "unverifiable")


@pytest.mark.parametrize("false", [True, False])
def test_a_judge_says_whether_a_refusal_is_right(false):
    sources = ["Members may cancel the gym membership early for a fee of 40 dollars."]
    reader = PerfectReader(REFUSAL if false else "")
    record = verified(REFUSAL, goal="Can I cancel the gym membership early?", sources=sources, judge=reader)
    assert (record.outcome == "pass") == (not false)


def test_a_refusal_that_says_more_is_a_claim_about_that_too():
    told = "I cannot say when Karl Vestergaard sold the lamp to the museum of Halvorsund."
    assert verified(told).claims[0].kind == "untold"
