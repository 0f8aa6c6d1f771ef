"""Values against stated ones: within a range, of another role or magnitude, other in another source; and what is cited wrongly."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from witnessmark.checks.grounding.claims import claims
from witnessmark.checks.grounding.findings import MOST_READ
from witnessmark.checks.grounding.grounding_check import grounding
from witnessmark.core.case import Answer, Case, Evidence
from witnessmark.core.verdict import Result
from witnessmark.text.numbers import figures

POOL = "The outdoor pool is heated from May to September. It is open daily from 9 am to 8 pm. Children aged 6 to 12 may join the class."
MAYOR = "She was the mayor of the town 2010-2015."
MANUAL, REPORT = "The maximum load of the lift is 800 kg.", "The maximum load of the lift is 630 kg."


def examined(text: str, *sources: str) -> Result:
    evidence = tuple(Evidence(id=f"d{number}", text=source) for number, source in enumerate(sources, 1))
    found = grounding()(Case(goal="?", subject=Answer(text=text), evidence=evidence), {})
    assert isinstance(found, Result)
    return found


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("The pool is open at 11 am.", POOL),
        ("The pool is not open at 9 pm.", POOL),
        ("The outdoor pool is heated in June.", POOL),
        ("A child aged 8 may join the class.", POOL),
        ("The ferry runs in January.", "The ferry runs from November to March."),
        ("She was the mayor of the town in 2012.", MAYOR),
    ],
)
def test_a_value_within_a_stated_range_is_not_contradicted(text: str, source: str) -> None:
    found = examined(text, source)
    assert found.claims[0].status != "contradicted"
    assert found.claims[0].details["by"] != "rule"  # … nor is it missing: the rest of the claim decides


@pytest.mark.parametrize(
    ("text", "source", "stated"),
    [
        ("The pool is open at 9 pm.", POOL, "9 am to 8 pm"),
        ("The pool is not open at 11 am.", POOL, "9 am to 8 pm"),
        ("The outdoor pool is heated in November.", POOL, "May to September"),
        ("The ferry runs in December.", "The ferry runs from June to August.", "June to August"),
        ("She was the mayor of the town in 2017.", MAYOR, "2010-2015"),
        ("The shop opens at 11 am.", "The shop is open from 9 am to 6 pm.", "9"),
    ],
)
def test_a_value_outside_it_is_and_the_range_is_named(text: str, source: str, stated: str) -> None:
    one = examined(text, source).claims[0]
    assert (one.status, one.details["stated"]) == ("contradicted", stated)


def test_how_sure_an_interval_is_does_not_contradict_a_change_in_per_cent() -> None:
    trial = "The rate was 0.71 with relvastat and 1.18 with placebo (rate ratio 0.60; 95% CI 0.47 to 0.77)."
    assert examined("The rate with relvastat was about 20% below placebo.", trial).claims[0].status != "contradicted"
    assert (
        examined("The rate with relvastat was about 20% below placebo.", trial.replace("CI", "less")).status == "fail"
    )


@pytest.mark.parametrize(("text", "other"), [(MANUAL, ("d2", "630 kg")), (REPORT, ("d1", "800 kg"))])
def test_a_source_that_gives_another_value_in_the_same_words_is_named_and_the_pass_is_no_surer_than_either(
    text: str, other: tuple[str, str]
) -> None:
    found = examined(text, MANUAL, REPORT)
    assert (found.status, found.confidence) == ("pass", 0.5)
    (finding,) = found.findings
    closest = finding.words[0].closest
    assert (finding.severity, finding.category) == ("warning", "consistency_conflict")
    assert closest is not None
    assert (closest.id, closest.text) == other


@pytest.mark.parametrize(
    "other",
    [
        "The maximum load of the goods lift is 630 kg.",
        "The maximum load of the lift is 800 kg. In 1980 the maximum load of the lift was 630 kg.",
        "The lift has 8 stops.",
    ],
)
def test_another_thing_or_another_time_is_no_conflict(other: str) -> None:
    found = examined(MANUAL, MANUAL, other)
    assert (found.status, found.findings) == ("pass", ())
    assert found.confidence is not None
    assert found.confidence > 0.9


@pytest.mark.parametrize(
    ("text", "source", "stated"),
    [
        ("Q3 revenue was $48.6 billion.", "Q3 revenue was $48.6 million, up 12% year over year.", "$48.6 million"),
        ("The city has 2.4 billion inhabitants.", "The city has 2.4 million inhabitants.", "2.4 million"),
        ("The plan renews on 3 January 2026.", '{"plan": "team", "renewal": "2026-03-01"}', "2026-03-01"),
    ],
)
def test_another_magnitude_and_day_and_month_exchanged_are_contradicted(text: str, source: str, stated: str) -> None:
    one = examined(text, source).claims[0]
    assert (one.status, one.details["stated"]) == ("contradicted", stated)


def test_a_magnitude_that_the_source_has_too_is_right() -> None:
    source = "Q3 revenue was $48.6 million, and over ten years revenue was $48.6 billion."
    assert examined("Over ten years revenue was $48.6 billion.", source).status == "pass"


SOLAR, WIND = "Solar capacity in Verania reached 4.2 GW in 2023.", "Wind capacity in Verania reached 6.9 GW in 2023."


@pytest.mark.parametrize(("mark", "sure"), [("[2]", 0.85), ("[3]", 0.99)])
def test_what_decided_about_a_wrong_citation_is_how_sure_the_result_is_and_the_right_one_is_named(
    mark: str, sure: float
) -> None:
    found = examined(f"Solar capacity reached 4.2 GW in 2023 {mark}.", SOLAR, WIND)
    assert (found.status, found.confidence) == ("partial", sure)
    assert found.findings[0].suggestion == "Cite source d1, which says so, or leave it out."


def test_a_text_of_more_claims_than_are_checked_says_so() -> None:
    found = examined("Solar capacity in Verania reached 4.2 GW in 2023. " * 1005, SOLAR)
    assert [one.message for one in found.findings] == ["5 claims beyond the first 1,000 claims were not checked"]


def test_a_range_whose_ends_have_units_of_their_own_keeps_both():
    (found,) = figures("adjustable from 10 seconds to 24 hours")
    assert (found.low, found.high) == (10, 24 * 3600)
    (found,) = figures("from 5 to 24 hours")
    assert (found.low, found.high) == (5 * 3600, 24 * 3600)


class CountingModel:
    """A model that finds everything likely, and counts what it is asked."""

    id, version, languages = "counting", "1", ("en",)

    def __init__(self) -> None:
        self.asked = 0

    def support(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        self.asked += len(pairs)
        return [0.9] * len(pairs)


@pytest.mark.parametrize(("count", "unread"), [(MOST_READ, 0), (MOST_READ + 7, 7)])
def test_a_model_reads_no_more_claims_than_fit_into_the_time_of_a_case_and_the_rest_is_said_to_be_unread(
    count: int, unread: int
) -> None:
    model = CountingModel()
    text = "The garden is open to visitors of the house. " * count
    evidence = (Evidence(id="d1", text="Visitors of the house love the garden."),)
    found = grounding(model=model)(Case(goal="?", subject=Answer(text=text), evidence=evidence), {})
    assert isinstance(found, Result)
    told = f"{unread} claims beyond the first {MOST_READ} claims that the model reads were not checked"
    assert model.asked == MOST_READ
    assert [one.message for one in found.findings if one.category == "unverifiable_claim"] == [told] * bool(unread)
    assert (found.coverage < 1) == bool(unread)


def test_space_within_a_sentence_is_read_once() -> None:
    assert len(claims("The garden" + " " * 100_000 + "is open.")) == 1
