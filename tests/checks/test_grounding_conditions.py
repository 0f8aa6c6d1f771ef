"""A condition holds one way: what needs a permit only if it is long is not long only if it needs a permit."""

from __future__ import annotations

import pytest

from witnessmark import Answer, Case, Evidence, Verifier
from witnessmark.settings import Settings

RULES = Verifier.from_settings(Settings(verification={"model": "rules"}))  # type: ignore[arg-type]
PERMIT = "A trailer needs a permit only if it is longer than 3 metres."
ALARM = "The alarm sounds when the door is left open. It is tested every week."


def findings(answer: str, source: str, question: str) -> list[object]:
    case = Case(goal=question, subject=Answer(text=answer), evidence=(Evidence(id="d1", text=source),))
    return [one.details.get("rule") for one in RULES.verify_sync(case).claims]


@pytest.mark.parametrize(
    ("question", "answer", "source"),
    [
        ("When is a trailer longer than 3 metres?", "Only if it needs a permit.", PERMIT),
        ("What holds for trailers?", "A trailer is longer than 3 metres only if it needs a permit.", PERMIT),
        ("When is the door left open?", "When the alarm sounds.", ALARM),
        ("What is said of the door?", "When the alarm sounds, the door is left open.", ALARM),
    ],
)
def test_a_condition_the_other_way_round_is_not_what_the_source_says(question, answer, source):
    assert findings(answer, source, question) == ["condition"]


@pytest.mark.parametrize(
    ("question", "answer", "source"),
    [
        ("When does a trailer need a permit?", "Only if it is longer than 3 metres.", PERMIT),
        ("What holds for trailers?", "Only if a trailer is longer than 3 metres, it needs a permit.", PERMIT),
        ("What holds for trailers?", "If a trailer needs a permit, it is longer than 3 metres.", PERMIT),
        ("When does the alarm sound?", "When the door is left open.", ALARM),
        ("When is the alarm tested?", "When a week is over.", ALARM),
    ],
)
def test_a_condition_as_the_source_has_it_or_as_it_follows_is_left_alone(question, answer, source):
    assert "condition" not in findings(answer, source, question)
