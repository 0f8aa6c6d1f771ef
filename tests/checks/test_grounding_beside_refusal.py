"""A refusal speaks for itself alone: what stands beside it is a claim of its own."""

from __future__ import annotations

import pytest

from witnessmark import check_answer
from witnessmark.checks.grounding.claims import claims

SOURCE = "The Kestrel mill was built in 1904. It has four floors."
QUESTION = "Who runs the mill?"


@pytest.mark.parametrize(
    ("answer", "stated"),
    [
        ("I don't know, but a smuggler runs it today.", "a smuggler runs it today."),
        ("I do not know but the army pays.", "the army pays."),
        ("The sources do not say who runs it; the army pays for all of it.", "the army pays for all of it."),
        ("The sources do not say, which means that it is haunted.", "it is haunted."),
        ("The text does not say who runs it – the army does.", "the army does."),
        ("The text does not mention the owner, although the army runs it.", "the army runs it."),
        ("While the sources do not say so, the army runs it.", "the army runs it."),
        ("The sources do not mention it, and the army runs it.", "the army runs it."),
        ("Die Quellen sagen nichts dazu, aber die Armee zahlt alles.", "die Armee zahlt alles."),
        ("Les sources ne mentionnent pas le prix, mais l'entrée est gratuite.", "l'entrée est gratuite."),
    ],
)
def test_what_stands_beside_a_refusal_is_a_claim(answer, stated):
    refused, claim = claims(answer, QUESTION)
    assert (refused.why_not, claim.text, claim.checkable) == ("refusal", stated, True)
    assert answer[slice(*claim.span)].endswith(stated)
    assert check_answer(QUESTION, answer, sources=[SOURCE]).outcome != "pass"


@pytest.mark.parametrize(
    "answer",
    [
        "The documents do not say who runs it and when it was sold.",
        "I cannot answer this, because no source speaks of it.",
        "The text does not mention the owner, so please ask the office.",
        "I don't know, but I can look it up.",
        "I'm sorry, but I cannot help with that.",
        "The sources do not say that it closed because the roof leaked.",
        "The sources do not say whether it is open, or when it closes.",
    ],
)
def test_what_only_goes_on_refusing_or_says_whom_to_ask_is_part_of_it(answer):
    assert [one.why_not for one in claims(answer, QUESTION)] == ["refusal"]
