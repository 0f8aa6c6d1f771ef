"""Weights of a checkpoint's checks, learnt from work whose end is known: a suggestion with its gain, never applied by itself.

The score of a verdict is the weighted mean of its checks. The fit looks for the weights, none below zero, whose mean best
tells good work from bad, and says out of fold whether they do so better than the weights in force.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from witnessmark.core.errors import UsageError
from witnessmark.core.tallies import LabelledVerification
from witnessmark.core.values import Count, NotNegative, Unit, Value
from witnessmark.insight.statistics import auroc

LEAST = 40
"""Labelled verifications below which a fit says more about chance than about weights."""
FOLDS = 5
_STEPS, _RATE, _RIDGE = 400, 0.5, 0.01
Row = tuple[Mapping[str, float], bool, str]
"""Scores by check, whether the work was good, and what belongs together."""


class WeightFit(Value, frozen=True):
    """What was learnt: weights for the checks settled in every verification, and how well they and those in force rank good above bad.

    Together they weigh what these checks weigh in force, so that the others keep their share of a score.
    """

    checkpoint: str
    samples: Count
    in_force: dict[str, NotNegative]
    weights: dict[str, NotNegative]
    auroc_in_force: Unit | None
    auroc: Unit | None
    """Out of fold: each verification is scored by weights that were fitted without it."""

    @property
    def better(self) -> bool:
        """Whether the new weights rank better by more than a point, out of fold."""
        return self.auroc is not None and self.auroc_in_force is not None and self.auroc > self.auroc_in_force + 0.01


def fit_weights(checkpoint: str, labelled: Iterable[LabelledVerification]) -> WeightFit:
    """Weights from verifications with a known end.

    Raises:
        UsageError: there are fewer than 40 of them, all ended the same way, or no check with a weight was settled in all.

    """
    rows, in_force = _rows(checkpoint, labelled)
    good = sum(row[1] for row in rows)
    if len(rows) < LEAST or good in (0, len(rows)):
        raise UsageError(
            f"{len(rows)} labelled verifications of {checkpoint} ({good} good); at least {LEAST} are needed, good and bad"
        )
    names = [name for name in in_force if all(name in row[0] for row in rows)]
    if len(names) < 2:
        raise UsageError(f"{checkpoint}: fewer than two weighted checks were settled in every verification")
    held_out = [0.0] * len(rows)
    for fold in range(FOLDS):
        inside = [at for at, row in enumerate(rows) if _fold(row[2]) != fold]
        fitted = _fit([rows[at] for at in inside], names)
        for at, row in enumerate(rows):
            if _fold(row[2]) == fold:
                held_out[at] = _mean(fitted, row[0])
    labels = [row[1] for row in rows]
    current = {name: in_force[name] for name in names}
    weigh = sum(current.values())
    return WeightFit(
        checkpoint=checkpoint,
        samples=len(rows),
        in_force=current,
        weights={name: round(share * weigh, 3) for name, share in _fit(rows, names).items()},
        auroc_in_force=auroc([_mean(current, row[0]) for row in rows], labels),
        auroc=auroc(held_out, labels),
    )


def _rows(checkpoint: str, labelled: Iterable[LabelledVerification]) -> tuple[list[Row], dict[str, float]]:
    rows: list[Row] = []
    in_force: dict[str, float] = {}
    for one in labelled:
        record = one.record
        if record.checkpoint != checkpoint or one.truth not in ("pass", "fail"):
            continue
        weights = {node["node"]: float(node["weight"]) for node in msgspec.json.decode(record.graph)["nodes"]}
        scores = {said.node: said.score for said in record.results if said.score is not None and weights.get(said.node)}
        if scores:
            in_force |= {name: weights[name] for name in scores}
            rows.append((scores, one.truth == "pass", record.case_id))
    return rows, in_force


def _fit(rows: Sequence[Row], names: Sequence[str]) -> dict[str, float]:
    """Logistic regression with weights kept at or above zero, by gradient steps; the same rows give the same weights."""
    weights, shift = dict.fromkeys(names, 1.0), 0.0
    for _ in range(_STEPS):
        slope, tilt = dict.fromkeys(names, 0.0), 0.0
        for scores, good, _ in rows:
            logit = shift + sum(weights[name] * (scores[name] - 0.5) for name in names)
            error = 1 / (1 + math.exp(-max(-30.0, min(30.0, logit)))) - good
            tilt += error
            for name in names:
                slope[name] += error * (scores[name] - 0.5)
        shift -= _RATE * tilt / len(rows)
        for name in names:
            stepped = weights[name] - _RATE * (slope[name] / len(rows) + _RIDGE * weights[name])
            weights[name] = max(0.0, stepped)
    total = sum(weights.values())
    if not total:
        return dict.fromkeys(names, round(1 / len(names), 3))
    return {name: round(value / total, 3) for name, value in weights.items()}


def _mean(weights: Mapping[str, float], scores: Mapping[str, float]) -> float:
    total = sum(weights.values())
    return sum(weight * scores[name] for name, weight in weights.items()) / total if total else 0.0


def _fold(group: str) -> int:
    return sum(group.encode()) % FOLDS
