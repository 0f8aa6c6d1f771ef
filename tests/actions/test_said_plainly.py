"""What a verdict on a report says reads as a person would say it, and quotes the report as it is written."""

from __future__ import annotations

import pytest

from witnessmark.actions.claim import absent


def reasons(record):
    return [result.reason for result in record.results if result.check == "claimed_actions"]


def edited(session):
    return session.edits("cart.py", "return total", "return round(total, 2)").runs("pytest -q", "2 passed in 0.03s")


@pytest.mark.parametrize(
    ("report", "reason"),
    [
        ("All 2 tests pass.", "the claim holds"),
        ("All 7 tests pass.", "the claim does not hold: the runner printed other counts"),
        ("I deployed it to production.", "the claim cannot be checked: "),
        ("I changed `cart.py`. All 2 tests pass.", "2 of 2 claims hold"),
        (
            "I changed `cart.py`. All 7 tests pass.",
            "1 of 2 claims does not hold, first: the runner printed other counts",
        ),
    ],
)
def test_one_claim_is_told_of_as_one(session, report, reason):
    assert reasons(edited(session).verified(report))[0].startswith(reason)


class Part:
    whole = False


@pytest.mark.parametrize(
    ("why", "said"),
    [
        ("the trace has no test run", "the trace, which does not contain everything that was done, has no test run"),
        ("mypy was not found", "mypy was not found, as far as the trace shows, which does not contain everything that was done"),
    ],
)  # fmt: skip
def test_it_is_the_trace_that_does_not_contain_everything(why, said):
    assert absent(Part(), why).reason == said


def test_a_file_is_spelled_and_a_sentence_quoted_as_the_report_has_them(session):
    report = "I rounded the total in `cart.py` and updated README.md to document it."
    (finding,) = [one for one in edited(session).verified(report).findings if one.severity == "error"]
    assert "did not change README.md" in finding.message
    assert finding.quote == report
    told = session.stop(report)
    assert "README.md" in told
    assert "readme.md" not in told
    assert "`README.md`" not in told


def test_what_is_settled_in_part_is_not_said_to_be_enough(session):
    record = edited(session).verified("All 2 tests pass. It is also far more robust than before.")
    assert (record.outcome, "enough" in record.because) == ("partial", False)
    assert record.because.endswith("is settled and holds; the rest could not be verified")
