"""An answer as a whole: what its claims come to, by the weights that ship."""

import itertools
import math

import pytest

from witnessmark.checks.grounding import whole_answer
from witnessmark.checks.grounding.decision import fitted, long, probability, shaped
from witnessmark.checks.grounding.evidence import EvidenceSource, Index
from witnessmark.checks.grounding.features import look
from witnessmark.core.protocols import Reading

WAYS = ("rules", "local-fast", "local", "local-large")
CHANCES = (0.05, 0.5, 0.8, 0.97, 0.999)
PLAIN = dict.fromkeys((*whole_answer.KINDS, *whole_answer.COUNTED), 0.0)
KINDS = ({}, {"kind_record": 1.0}, {"kind_answer": 1.0}, {"kind_answer": 1.0, "kind_question": 1.0})


@pytest.mark.parametrize("way", WAYS)
def test_one_more_claim_never_makes_an_answer_more_probable(way):
    for kind, held in itertools.product(KINDS, itertools.combinations_with_replacement(CHANCES, 3)):
        before = whole_answer.holds(held, PLAIN | kind, fitted(way))
        for more in CHANCES:
            assert whole_answer.holds([*held, more], PLAIN | kind, fitted(way)) <= before + 1e-9


@pytest.mark.parametrize("way", WAYS)
def test_a_likelier_claim_and_fewer_marks_against_it_never_make_an_answer_less_probable(way):
    for kind, low, high in itertools.product(KINDS, CHANCES, CHANCES):
        if low < high:
            worse, better = (whole_answer.holds([one, 0.9], PLAIN | kind, fitted(way)) for one in (low, high))
            assert worse <= better
    for mark in whole_answer.COUNTED:
        assert whole_answer.holds([0.9, 0.9], PLAIN | {mark: math.log(3)}, fitted(way)) <= whole_answer.holds(
            [0.9, 0.9], PLAIN, fitted(way)
        )


@pytest.mark.parametrize("way", WAYS)
def test_the_mark_that_an_answer_must_reach_can_be_reached_and_can_be_missed(way):
    known = fitted(way)
    for kind in KINDS:
        assert whole_answer.holds([0.999] * 3, PLAIN | kind, known) >= known["answer_at"]
        assert whole_answer.holds([0.999, 0.999, 0.05], PLAIN | kind, known) < known["answer_at"]


def test_a_single_statement_is_as_probable_as_its_one_claim():
    assert whole_answer.holds([0.42], PLAIN, shaped(fitted("local"), single=True)) == 0.42


@pytest.mark.parametrize("ident", ["local-fast", "local", "local-large"])
def test_the_surer_a_model_is_of_a_wrong_word_the_less_probable_the_claim(ident):
    seen = look("The shop sells bikes and lamps.", Index([EvidenceSource("d1", "The shop sells bikes.")], ""))
    for known in (fitted(ident), shaped(fitted(ident), single=True)):
        calm, even, sure = (
            probability(seen.features, Reading(0.6, 0.5, None, doubt), known) for doubt in (0.02, 0.5, 0.98)
        )
        assert sure < even < calm
        assert probability(seen.features, Reading(0.6, 0.5), known) == even


def test_beside_a_long_context_rules_have_their_say_about_a_single_statement():
    known = shaped(fitted("local"), single=True)
    claim = "The shop sells bikes and lamps."
    short, far = (
        look(
            claim,
            Index([EvidenceSource("d1", " ".join(f"The shop number {n} sells bikes." for n in range(count)))], ""),
        )
        for count in (3, 80)
    )
    sure, unsure = Reading(0.999), Reading(0.001)

    def reach(seen):
        odds = [math.log(p / (1 - p)) for p in (probability(seen.features, one, known) for one in (sure, unsure))]
        return odds[0] - odds[1]

    assert (long(short.features["context"]), long(far.features["context"])) == (0.0, 1.0)
    assert reach(far) < 0.6 * reach(short)
