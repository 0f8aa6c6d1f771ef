"""What a figure takes in and what it leaves out, in four languages, is held against the passage that has the figure."""

from __future__ import annotations

import pytest

from witnessmark.checks.grounding.evidence import EvidenceSource, Index
from witnessmark.checks.grounding.features import look

FEE = "The monthly fee for the cleaning contract is £620 plus VAT."
DRILL = "The drill weighs 3.4 kg with battery and is 31 cm long."


def told(claim: str, source: str, language: str = "en") -> list[str]:
    found = look(claim, Index([EvidenceSource("d1", source)], language=language), language)
    return [one.part for one in found.points if (one.rule, one.finding) == ("inclusion", "contradicted")]


@pytest.mark.parametrize(
    ("claim", "source", "language", "word"),
    [
        ("The monthly fee is £620, VAT included.", FEE, "en", "vat"),
        ("The monthly fee is £620 including VAT.", FEE, "en", "vat"),
        ("The drill weighs 3.4 kg without the battery.", DRILL, "en", "battery"),
        (
            "A double room costs €120, breakfast included.",
            "A double room is €120; breakfast is not included.",
            "en",
            "breakfast",
        ),
        ("Der Bohrhammer wiegt 3,4 kg ohne Akku.", "Der Bohrhammer wiegt 3,4 kg mit Akku.", "de", "akku"),
        (
            "Die Miete beträgt 640 € inklusive Nebenkosten.",
            "Die Miete beträgt 640 € zuzüglich Nebenkosten.",
            "de",
            "nebenkost",
        ),
        ("La nuit coûte 90 €, petit-déjeuner compris.", "La nuit coûte 90 €, hors petit-déjeuner.", "fr", "déj"),
        ("La habitación cuesta 90 € con desayuno.", "La habitación cuesta 90 € sin desayuno.", "es", "desayuno"),
    ],
)
def test_what_the_source_leaves_out_is_not_taken_in(claim, source, language, word):
    assert [bool(part) and part.startswith(word[:4]) for part in told(claim, source, language)] == [True]


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The monthly fee is £620 plus VAT.", FEE),
        ("The monthly fee is £620, VAT excluded.", FEE),
        ("With VAT the monthly fee is £744.", FEE),  # another figure
        ("The drill weighs 3.4 kg including the battery.", DRILL),
        ("A bike is €38 with a deposit of €200.", "A bike is €38 a day plus a deposit of €200."),
        ("The monthly fee is £620, VAT included.", f"{FEE} Until May it is £620, VAT included."),
    ],
)
def test_the_same_in_other_words_and_other_figures_are_not_held_against_it(claim, source):
    assert told(claim, source) == []
