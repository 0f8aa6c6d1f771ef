"""How often something is, in four languages: another number of times or another period is told with the source's own words."""

from __future__ import annotations

import pytest

from witnessmark.checks.grounding.evidence import EvidenceSource, Index
from witnessmark.checks.grounding.features import look

CLEANED = "The filter of the pump is cleaned twice a month by the tenant."
LEND = "Members may borrow a bicycle at most three times a month."
FREE = "Children under 16 enter the museum free on the first Sunday of each month."


def told(claim: str, source: str, language: str = "en") -> list[tuple[str, str]]:
    found = look(claim, Index([EvidenceSource("d1", source)], language=language), language)
    return [(one.part, one.stated) for one in found.points if (one.rule, one.finding) == ("rhythm", "contradicted")]


@pytest.mark.parametrize(
    ("claim", "source", "language", "words"),
    [
        ("The tenant cleans the filter of the pump twice a week.", CLEANED, "en", ("twice a week", "twice a month")),
        ("The filter of the pump is cleaned once a month.", CLEANED, "en", ("once a month", "twice a month")),
        ("Members may borrow a bicycle three times a week.", LEND, "en", ("three times a week", "three times a month")),
        ("Children under 16 enter the museum free every Sunday.", FREE, "en", ("every sunday", "first sunday")),
        (
            "Gegrillt werden darf höchstens zweimal in der Woche.",
            "Auf Balkonen darf höchstens zweimal im Monat gegrillt werden.",
            "de",
            ("zweimal in der Woche", "zweimal im Monat"),
        ),
        (
            "Le filtre est nettoyé deux fois par semaine.",
            "Le filtre est nettoyé deux fois par mois.",
            "fr",
            ("deux fois par semaine", "deux fois par mois"),
        ),
        (
            "El filtro se limpia dos veces a la semana.",
            "El filtro se limpia dos veces al mes.",
            "es",
            ("dos veces a la semana", "dos veces al mes"),
        ),
    ],
)
def test_another_rhythm_is_contradicted_by_the_sources_own(claim, source, language, words):
    assert told(claim, source, language) == [words]


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The filter of the pump is cleaned twice a month.", CLEANED),
        ("The filter of the pump is cleaned 24 times a year.", CLEANED),
        ("Members may borrow a bicycle once a month.", LEND),  # within what is allowed
        ("Children under 16 enter the museum free on the first Sunday of every month.", FREE),
        ("Children under 16 enter the museum free every Sunday.", f"{FREE} In July they do so every Sunday."),
        ("The filter of the pump is cleaned twice a week.", f"{CLEANED} In summer it is cleaned twice a week."),
        ("The gate is locked twice a week.", CLEANED),  # something else
    ],
)
def test_the_same_rhythm_and_one_of_something_else_are_not(claim, source):
    assert told(claim, source) == []
