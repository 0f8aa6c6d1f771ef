"""Fit the weights of the grounding decision on ../shared/data/grounding and write checks/grounding/weights.json.

    python training/fit_decision.py                     # after rules or claims have changed: some minutes
    python training/fit_decision.py --scores FILE       # after a training: keeps its scores out of fold first

Two fits for each way of reading (rules alone, and with each model): one for answers of several claims, on real answers with the words that are wrong (ragtruth_tune and
ragtruth_half), and one for single statements, on the other sets. Both are logistic regressions on the same features; the kind of text
(answer, record, summary, dialogue) is told from the input and has a prior of its own among them. Folds are the two halves of the training,
by context, and scores are out of fold (bench/grounding_scores.py). Thresholds follow from the risks stated below.
Needs numpy and scikit-learn.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [
    str(ROOT / "src"),
    *(str(ROOT / "models" / name / "src") for name in ("local", "local_large")),
    str(ROOT),
]

from bench.bench_grounding import RULES, Scored  # noqa: E402

from bench import bench_grounding as bench  # noqa: E402
from bench import grounding_data as data  # noqa: E402
from bench import grounding_scores as sources  # noqa: E402
from witnessmark.core.verdict import log_odds  # noqa: E402

FOLDS = ROOT / "bench" / "grounding_folds.json"
OUT = ROOT / "src" / "witnessmark" / "checks" / "grounding" / "weights.json"
RISK = 0.05
"""Of the claims of real answers that are called supported, at most so many may be wrong."""
MORE_LIKELY_WRONG = 0.5
"""Below this a claim is unsupported: it is more likely wrong than right. Between the two it is partial."""
MISNAMED = 0.2
"""Of the claims that a model names contradicted, at most so many may not be in conflict with the source by the label."""
AT_LEAST = 20
"""Claims that a share is taken of at least."""
STRENGTH = {False: 0.03, True: 0.1}
"""How freely coefficients may differ from 0, for answers and for single statements; by the error out of fold."""


NO_PRIOR = ("kind_answer", "kind_question")
"""Of the sets of single statements only one has questions, and two in three of its replies are false: no prior for questions."""


def matrix(found: Sequence[Scored], names: Sequence[str], model: str) -> np.ndarray:
    """Features as rows, with the model's log odds of support and of a contradiction where there is one."""
    rows = [
        [0.0 if name in NO_PRIOR and one.set in data.SINGLE else one.seen.features[name] for name in names]
        + (
            []
            if model == RULES
            else [log_odds(one.models[model].support), log_odds(one.models[model].contradicts or 0.5)]
        )
        for one in found
    ]
    return np.array(rows)


def balance(found: Sequence[Scored]) -> np.ndarray:
    """A large set counts more than a small one, but not in proportion."""
    sizes = Counter(one.set for one in found)
    return np.array([3000 / (sizes[one.set] + 2000) for one in found])


class Fit:
    """A logistic regression on standardised features."""

    def __init__(self, found: Sequence[Scored], names: Sequence[str], model: str, *, single: bool) -> None:
        self.names, self.model = names, model
        x = matrix(found, names, model)
        self.mean, self.spread = x.mean(0), x.std(0) + 1e-9
        self.regression = LogisticRegression(C=STRENGTH[single], max_iter=4000)
        truth = np.array([one.label for one in found])
        self.regression.fit((x - self.mean) / self.spread, truth, sample_weight=balance(found) if single else None)

    def says(self, found: Sequence[Scored]) -> np.ndarray:
        """The probability of each claim."""
        x = matrix(found, self.names, self.model)
        said: np.ndarray = self.regression.predict_proba((x - self.mean) / self.spread)[:, 1]
        return said

    def coefficients(self) -> dict[str, object]:
        """The regression with the standardisation folded in."""
        slopes = self.regression.coef_[0] / self.spread
        names = [*self.names] + ([] if self.model == RULES else ["model", "contradicts"])
        kept = {name: round(float(w), 6) for name, w in zip(names, slopes, strict=True)}
        return {
            "intercept": round(float(self.regression.intercept_[0] - (slopes * self.mean).sum()), 6),
            "coefficients": kept,
        }


def out_of_fold(found: Sequence[Scored], names: Sequence[str], model: str, *, single: bool) -> np.ndarray:
    """The probability of each claim by a fit that never saw its fold."""
    said = np.zeros(len(found))
    for fold in sorted({one.fold for one in found}):
        places = [n for n, one in enumerate(found) if one.fold == fold]
        made = Fit([one for one in found if one.fold != fold], names, model, single=single)
        said[places] = made.says([found[n] for n in places])
    return said


def supported_at(said: np.ndarray, truth: np.ndarray) -> float:
    """The lowest probability above which at most RISK of the claims are wrong."""
    order = np.argsort(-said)
    wrong = np.cumsum(1 - truth[order]) / np.arange(1, len(order) + 1)
    allowed = np.nonzero(wrong <= RISK)[0]
    return float(said[order][allowed[-1]]) if len(allowed) else 0.95


def answer_at(found: Sequence[Scored], said: np.ndarray, names: Sequence[str]) -> float:
    """The product below which an answer does not pass: where hallucinated answers are told from clean ones best (F1)."""
    rows = bench.labels(names)
    whole: dict[tuple[str, int], float] = {}
    for one, p in zip(found, said, strict=True):
        whole[one.set, one.row] = whole.get((one.set, one.row), 1.0) * float(p)
    bad = sum(not rows[key].supported for key in whole)

    def f1(at: float) -> float:
        flagged = [key for key, p in whole.items() if p < at]
        return 2 * sum(not rows[key].supported for key in flagged) / max(1, len(flagged) + bad)

    return max((f1(at), at) for at in np.linspace(0.2, 0.9, 71))[1]


def contradicted_at(found: Sequence[Scored], said: np.ndarray, model: str) -> float:
    """The lowest chance of a contradiction above which at most MISNAMED of the claims are no labelled conflict."""
    chances = np.array([(1 - p) * (one.models[model].contradicts or 0.5) for one, p in zip(found, said, strict=True)])
    order = np.argsort(-chances)
    right = np.cumsum([found[n].conflict for n in order]) / np.arange(1, len(order) + 1)
    allowed = np.nonzero(right[AT_LEAST:] >= 1 - MISNAMED)[0]
    return float(chances[order][allowed[-1] + AT_LEAST]) if len(allowed) else 1.0


def fit_one(found: Sequence[Scored], names: Sequence[str], model: str, *, single: bool) -> dict[str, object]:
    """Coefficients on everything and thresholds from out-of-fold probabilities; prints how good those are."""
    said = out_of_fold(found, names, model, single=single)
    truth = np.array([int(one.label or 0) for one in found])
    area, error = data.auroc(list(said), list(truth)), data.calibration_error(list(said), list(truth))
    kind = "single statements" if single else "answers"
    print(f"{model}, {kind}: {len(found)} claims out of fold: AUROC {area:.4f}, calibration error {error:.4f}")
    if single:
        _, at = data.best_balanced_accuracy(list(said), list(truth))
        points: dict[str, object] = {
            "supported_at": round(at, 3),
            "partial_at": round(0.6 * at, 3),
            "answer_at": round(at, 3),
        }
    else:
        right = max(supported_at(said, truth), MORE_LIKELY_WRONG + 0.05)
        points = {"supported_at": round(right, 3), "partial_at": MORE_LIKELY_WRONG, "wording": False,
                  "answer_at": round(answer_at(found, said, data.REAL), 3)}  # fmt: skip
        if model != RULES:
            points["contradicted_at"] = round(contradicted_at(found, said, model), 3)
    found_by = {"fitted_on": len(found), "out_of_fold": {"auroc": round(area, 4), "ece": round(error, 4)}}
    return Fit(found, names, model, single=single).coefficients() | points | found_by


def labelled(names: Sequence[str], model: str) -> list[Scored]:
    """The labelled claims of these sets, as far as the model has a score for them."""
    every = [one for name in names for one in bench.scored(name) if one.label is not None]
    return every if model == RULES else [one for one in every if model in one.models]


def whole(model: str) -> tuple[dict[str, object], dict[str, dict[str, object]]]:
    """(the weights of one way of reading, the same by fold, fitted without it)."""
    real, single = labelled(data.REAL, model), labelled(data.SINGLE, model)
    names = sorted(real[0].seen.features)
    made = fit_one(real, names, model, single=False)
    one = fit_one(single, names, model, single=True)
    folds: dict[str, dict[str, object]] = {}
    for fold in sorted({claim.fold for claim in real}):
        without = [claim for claim in real if claim.fold != fold]
        alone = [claim for claim in single if claim.fold != fold]
        folds[fold] = made | Fit(without, names, model, single=False).coefficients() | {
            "single": one | Fit(alone, names, model, single=True).coefficients()
        }  # fmt: skip
    return made | {"single": one}, folds


def main() -> None:
    """Fit and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--scores", type=Path, metavar="FILE", help="rows with the log-probabilities of their claims, out of fold"
    )
    arguments = parser.parse_args()
    if arguments.scores is not None:
        sources.keep(arguments.scores)
    kept: dict[str, dict[str, object]] = {}
    folds: dict[str, dict[str, object]] = {}
    for model in bench.WAYS:
        kept[model], by_fold = whole(model)
        for fold, known in by_fold.items():
            folds.setdefault(fold, {})[model] = known
    FOLDS.write_text(json.dumps(folds, sort_keys=True) + "\n", encoding="utf-8")
    OUT.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    print(f"written to {OUT.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
