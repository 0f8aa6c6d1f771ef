"""What stands only under a title about another one than the question names is not said of the one that is asked about."""

from __future__ import annotations

import pytest

from witnessmark.checks.grounding.evidence import EvidenceSource, Index
from witnessmark.checks.grounding.features import look

BACKUPS = """# Backups in Lodestar 7.2

Backups run every night and are kept for thirty days. A failed backup is tried again after ten minutes.

# Backups in Lodestar 6.8

Backups run on Sundays. A failed backup sends a mail to the owner and blocks all uploads.
"""
WEEKDAYS = """**Ferry to Ashness, Monday to Friday**

| Quay | first | second |
|---|---|---|
| Barrow | 06:10 | 09:25 |
| Ashness | 06:55 | 10:10 |
"""
SATURDAYS = WEEKDAYS.replace("Monday to Friday", "Saturdays").replace("06:", "07:").replace("09:25", "11:40")
CAKE = "## Keeping the cake\n\n*In the fridge:* Cover it. It stays moist for three days.\n\n*In the freezer:* Wrap it twice. It tastes fresh for four months."
QUESTION = "What happens in Lodestar 7.2 when a backup fails?"


def another(claim: str, question: str, *texts: str, around: str = "") -> list[str]:
    index = Index([EvidenceSource(f"d{n}", text) for n, text in enumerate(texts, 1)])
    found = look(claim, index, "en", question, around=around)
    return [point.stated for point in found.points if point.rule == "section"]


@pytest.mark.parametrize(
    ("claim", "question", "texts", "title"),
    [
        ("It blocks all uploads and sends a mail to the owner.", QUESTION, (BACKUPS,), "Backups in Lodestar 6.8"),
        (
            "In Lodestar 7.2 a failed backup blocks all uploads.",
            "What does a failed backup do?",
            (BACKUPS,),
            "Backups in Lodestar 6.8",
        ),
        (
            "The first ferry leaves Barrow at 06:10.",
            "When is the first ferry to Ashness on a Saturday?",
            (WEEKDAYS, SATURDAYS),
            "Ferry to Ashness, Monday to Friday",
        ),
        ("It tastes fresh for four months.", "How long does it keep in the fridge?", (CAKE,), "In the freezer"),
    ],
)
def test_what_is_said_of_another_one_only_has_no_source(claim, question, texts, title):
    assert another(claim, question, *texts) == [title]


@pytest.mark.parametrize(
    ("claim", "question", "texts"),
    [
        ("It is tried again after ten minutes.", QUESTION, (BACKUPS,)),
        ("Lodestar 6.8 sends a mail to the owner and blocks all uploads.", QUESTION, (BACKUPS,)),
        ("It sends a mail to the owner and blocks all uploads.", "What happens when a backup fails?", (BACKUPS,)),
        ("The first ferry leaves Barrow at 07:10.", "When is the first ferry on a Saturday?", (WEEKDAYS, SATURDAYS)),
        ("It stays moist for three days.", "How long does it keep in the fridge?", (CAKE,)),
    ],
)
def test_what_is_said_of_the_one_that_is_asked_about_or_named_rests_on_it(claim, question, texts):
    assert another(claim, question, *texts) == []


def test_an_answer_that_speaks_of_both_may_go_on_without_their_names():
    rest = "With 6.8 it was another thing."
    assert another("It sends a mail to the owner and blocks all uploads.", QUESTION, BACKUPS, around=rest) == []


def test_an_answer_that_goes_on_to_the_other_one_by_its_name_speaks_of_both():
    claim = "The first one leaves at 07:10, and from Monday to Friday at 06:10."
    assert another(claim, "When is the first ferry to Ashness on a Saturday?", WEEKDAYS, SATURDAYS) == []


def test_letters_are_not_told_apart_by_who_wrote_them():
    letters = ("From: Ada Lind\n\nPlease bring the two ladders from the shed.", "From: Bo Lind\n\nI will bring tea.")
    assert another("Bo brings the ladders from the shed.", "What does Bo bring?", *letters) == []
