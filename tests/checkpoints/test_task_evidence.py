"""A task whose criteria ask for form alone, and whose case brings evidence: what the evidence surely denies does not pass."""

from __future__ import annotations

import pytest

from witnessmark import Case, Verifier
from witnessmark.settings import Settings

VERIFIER = Verifier()
REPORT = "Revenue was 4.2 million euros in 2022. Eleven people work in Ghent. The board meets on Tuesdays."
FORM = [{"check": "min_length", "value": 5}]


def verified(text, *, goal="Summarise the report.", verifier=VERIFIER, criteria=FORM, evidence=REPORT):
    sources = [{"id": "d", "text": evidence}] if evidence else []
    subject = {"kind": "task_output", "text": text}
    return verifier.verify_sync(Case(goal=goal, subject=subject, evidence=sources, criteria=criteria))


@pytest.mark.parametrize(
    "text", ["Revenue was 5.2 million euros in 2022.", "The board meets on Tuesdays. Fourteen people work in Ghent."]
)
def test_what_the_evidence_surely_denies_does_not_pass_on_its_form(text):
    record = verified(text)
    assert (record.outcome, record.score, record.coverage) == ("partial", 1.0, 1.0)
    assert [(one.check, one.message) for one in record.findings] == [
        ("not_contradicted", "a figure differs from what the source says")
    ]
    assert [one.status for one in record.claims] == ["contradicted"]


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("Revenue was 4.2 million euros in 2022.", "Summarise the report."),
        ("Revenue was 4.2 million euros. We should open a shop in Lyon and hire a designer.", "Advise the board."),
        ("Revenue was 4.2 million euros in 2023.", "Set the year of the report to 2023."),
        ('{"year": 2022, "revenue": 4.2}', "Extract the figures as JSON."),
        ("def share(x):\n    return x * 0.37", "Write code for the share."),
        ("The harbour of Ostend has four docks.", "Write something about Ostend."),
    ],
)
def test_what_it_only_does_not_speak_of_or_was_asked_for_passes(text, goal):
    record = verified(text, goal=goal)
    assert (record.outcome, record.confidence, record.claims) == ("pass", 1.0, ())


def test_it_is_asked_only_where_evidence_is_given_and_nothing_else_reads_it():
    def checks(**more):
        return {one.check for one in verified("Revenue was 5.2 million euros in 2022.", **more).results}

    assert "not_contradicted" in checks()
    assert "not_contradicted" not in checks(evidence="")
    assert "not_contradicted" not in checks(criteria=[*FORM, {"check": "grounding"}])
    assert "not_contradicted" not in checks(criteria=[*FORM, "It is true to the report."])


def test_the_profile_original_holds_a_task_against_its_criteria_alone():
    letter = Verifier(Settings(policy={"profile": "original"}))
    assert verified("Revenue was 5.2 million euros in 2022.", verifier=letter).outcome == "pass"
