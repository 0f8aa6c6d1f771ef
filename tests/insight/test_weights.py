"""Weights are refitted from work whose end is known, and only suggested where they rank better out of fold."""

from __future__ import annotations

import random

import msgspec
import pytest

from witnessmark.core.errors import UsageError
from witnessmark.core.record import ResultRecord
from witnessmark.core.tallies import LabelledVerification
from witnessmark.insight.weights import fit_weights
from witnessmark.testing.records import NOON, made

WEIGHTS = {"plan_completeness": 0.4, "plan_consistency": 0.2, "plan_groundedness": 0.2, "plan_routability": 0.2}


def verification(scores, good, weights=WEIGHTS):
    nodes = [{"node": name, "weight": weight, "must_pass": False} for name, weight in weights.items()]
    said = tuple(
        ResultRecord(node=name, check=name, version="1", status="pass", score=score) for name, score in scores.items()
    )
    record = made(checkpoint="decomposition", graph=msgspec.Raw(msgspec.json.encode({"nodes": nodes})), results=said)
    return LabelledVerification(record, NOON, outcome="pass" if good else "fail")


def labelled(telling, count=80, seed=7):
    """Work that is good exactly where one dimension is high; the others are noise."""
    chance = random.Random(seed)
    rows = []
    for _ in range(count):
        scores = {name: round(chance.random(), 2) for name in WEIGHTS}
        rows.append(verification(scores, scores[telling] > 0.5))
    return rows


@pytest.mark.parametrize("telling", ["plan_groundedness", "plan_consistency"])
def test_the_dimension_that_tells_gets_the_weight(telling):
    found = fit_weights("decomposition", labelled(telling))
    assert max(found.weights, key=found.weights.get) == telling  # req: S0-037
    assert found.weights[telling] > 0.6 > WEIGHTS[telling]
    assert sum(found.weights.values()) == pytest.approx(1, abs=0.01)
    assert found.auroc > found.auroc_in_force + 0.1
    assert found.better


def test_what_was_not_settled_everywhere_keeps_its_share_of_a_score():
    """The suggestion leaves it out, so the policy keeps its weight: beside that the others weigh together what they did."""
    chance, rows = random.Random(7), []
    for number in range(80):
        scores = {name: round(chance.random(), 2) for name in WEIGHTS}
        good = scores["plan_groundedness"] > 0.5
        if number % 4 == 0:
            del scores["plan_completeness"]
        rows.append(verification(scores, good))
    found = fit_weights("decomposition", rows)
    assert found.in_force == {name: 0.2 for name in WEIGHTS if name != "plan_completeness"}
    assert sum(found.weights.values()) == pytest.approx(0.6, abs=0.01)
    assert max(found.weights, key=found.weights.get) == "plan_groundedness"


def test_noise_suggests_nothing():
    chance = random.Random(3)
    rows = [verification({name: chance.random() for name in WEIGHTS}, chance.random() > 0.5) for _ in range(80)]
    assert not fit_weights("decomposition", rows).better


def test_weights_in_force_that_are_right_stay():
    chance = random.Random(5)
    rows = []
    for _ in range(120):
        scores = {name: chance.random() for name in WEIGHTS}
        rows.append(verification(scores, sum(WEIGHTS[n] * s for n, s in scores.items()) > 0.5))
    assert not fit_weights("decomposition", rows).better


def test_too_few_labels_are_refused_with_how_many_are_needed():
    with pytest.raises(UsageError, match=r"12 labelled verifications of decomposition .* at least 40"):
        fit_weights("decomposition", labelled("plan_consistency", 12))
    with pytest.raises(UsageError, match="0 labelled verifications of goal"):
        fit_weights("goal", labelled("plan_consistency"))
