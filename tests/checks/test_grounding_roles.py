"""Who did it to whom: names that a source has the other way round, and the many ways of saying the same that are not against it."""

from __future__ import annotations

import pytest

from witnessmark import Answer, Case, Evidence, Verifier
from witnessmark.checks.grounding.two_things.roles import turned_round
from witnessmark.settings import Settings

MINUTES = "Margit Lund handed the keys to Tom until plot 17 is let again. Mr Yilmaz (flat 31) has complained about noise made by Mrs Petrov."
MATCH = "Mensah later set up Sam Brill for the second goal. Rovers met Town in May. Dyer was fouled by Owen Platt."


@pytest.mark.parametrize(
    ("wrong", "right", "source"),
    [
        ("Tom handed the keys to Margit Lund.", "Margit has handed the keys to Tom.", MINUTES),
        ("The keys went on: Tom then handed the keys to Margit.", "Then Margit handed the keys to Tom.", MINUTES),
        (
            "Mrs Petrov complained about noise made by Mr Yilmaz.",
            "Mr Yilmaz complained about noise made by Mrs Petrov.",
            MINUTES,
        ),
        ("Kofi Mensah was set up by Sam Brill.", "Sam Brill was set up by Kofi Mensah.", MATCH),
        ("Sam Brill set up Kofi Mensah.", "Kofi Mensah set up Sam Brill.", MATCH),
        ("Dyer fouled Owen Platt.", "Owen Platt fouled Dyer.", MATCH),
    ],
)
def test_two_names_the_other_way_round_are_told_from_the_same_deed_in_another_voice(wrong, right, source):
    texts = [f"{one}." for one in source.rstrip(".").split(". ")]
    assert turned_round(wrong, texts) is not None
    assert turned_round(right, texts) is None


@pytest.mark.parametrize(
    "claim",
    [
        "Town met Rovers in May.",  # what two do together has no direction
        "Tom never handed the keys to Margit Lund.",
        "Tom got the keys from Margit Lund.",  # another word for the same
        "Tom thanked Margit Lund for the keys.",
        "Sam Brill scored after Mensah set up a chance.",
    ],
)
def test_what_has_no_direction_is_denied_or_put_in_other_words_is_left_to_the_reader(claim):
    assert turned_round(claim, [f"{one}." for one in f"{MINUTES} {MATCH}".rstrip(".").split(". ")]) is None


def test_where_a_source_has_both_directions_neither_is_wrong():
    assert (
        turned_round("Ann Bell sued Joe Hart.", ["Joe Hart sued Ann Bell.", "In June, Ann Bell sued Joe Hart too."])
        is None
    )


def test_the_finding_shows_the_words_and_stops_the_answer():
    case = Case(
        goal="What became of the keys?",
        subject=Answer(text="Tom handed the keys to Margit Lund."),
        evidence=(Evidence(id="d1", text=MINUTES),),
    )
    record = Verifier.from_settings(Settings(verification={"model": "rules"})).verify_sync(case)  # type: ignore[arg-type]
    assert record.outcome == "fail"
    assert any("Tom handed the keys to Margit Lund" in str(one) for one in record.findings)
