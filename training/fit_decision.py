"""Fit the weights of the grounding decision on ../shared/data/grounding and write checks/support/weights.json.

    python training/fit_decision.py                                            # rules and overlap only
    python training/fit_decision.py --scores local=training/.work/local.jsonl [--scores "local, fast=FILE"] [--scores large=FILE]

Each --scores is ID=SOURCE: a .jsonl of pair scores (`training.evaluate --to` writes one), a folder with a model, or `installed`.
With both models, what they are together (`local-large`, `cascade`) is fitted too. Give scores that are out of fold: a model that was trained on what it is scored on
looks better than it is. Needs numpy and scikit-learn. Cross-validated: SummEdits by domain, the other sets by context;
ragtruth_tune is never fitted on. `--kinds` tries an intercept and a slope for each kind of text and says whether it pays.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "models" / "local" / "src"), str(ROOT)]

from bench.bench_grounding import Scored, scored  # noqa: E402

from bench import grounding_data as data  # noqa: E402
from bench import grounding_scores as sources  # noqa: E402
from witnessmark.core.verdict import log_odds  # noqa: E402

FOLDS = ROOT / "bench" / "grounding_folds.json"
OUT = ROOT / "src" / "witnessmark" / "checks" / "support" / "weights.json"
KINDS = ("claim", "question", "summary")
RULES = "rules"


def matrix(found: Sequence[Scored], names: Sequence[str], model: str, kinds: bool = False) -> np.ndarray:
    """Features as rows, with the model's log odds as a column where there is one, and the kinds of text where tried."""
    rows = []
    for one in found:
        said = [] if model == RULES else [log_odds(one.models[model])]
        kind = [float(one.kind == k) for k in KINDS[1:]] if kinds else []
        rows.append([one.features[n] for n in names] + said + kind + [k * s for k in kind for s in said])
    return np.array(rows)


def balance(found: Sequence[Scored]) -> np.ndarray:
    """A large set counts more than a small one, but not in proportion."""
    sizes = {s: sum(one.set == s for one in found) for s in {one.set for one in found}}
    return np.array([3000 / (sizes[one.set] + 2000) for one in found])


class Fit:
    """A logistic regression on standardised features."""

    def __init__(self, found: Sequence[Scored], names: Sequence[str], model: str, kinds: bool = False) -> None:
        self.names, self.model, self.kinds = names, model, kinds
        x = matrix(found, names, model, kinds)
        self.mean, self.spread = x.mean(0), x.std(0) + 1e-9
        self.regression = LogisticRegression(C=1.0, max_iter=4000)
        labels = np.array([one.label for one in found])
        self.regression.fit((x - self.mean) / self.spread, labels, sample_weight=balance(found))

    def says(self, found: Sequence[Scored]) -> np.ndarray:
        """The probability of each claim."""
        x = matrix(found, self.names, self.model, self.kinds)
        said: np.ndarray = self.regression.predict_proba((x - self.mean) / self.spread)[:, 1]
        return said

    def coefficients(self) -> dict[str, object]:
        """The regression with the standardisation folded in."""
        weights = self.regression.coef_[0] / self.spread
        names = [*self.names] + ([] if self.model == RULES else ["model"])
        kept = {name: round(float(w), 6) for name, w in zip(names, weights, strict=True)}
        return {
            "intercept": round(float(self.regression.intercept_[0] - (weights * self.mean).sum()), 6),
            "coefficients": kept,
        }


def out_of_fold(
    found: Sequence[Scored], names: Sequence[str], model: str, kinds: bool = False, by: str = "fold"
) -> np.ndarray:
    """The probability of each claim by a fit that never saw its fold (or its set)."""
    said = np.zeros(len(found))
    for part in sorted({getattr(one, by) for one in found}):
        made = Fit([one for one in found if getattr(one, by) != part], names, model, kinds)
        places = [n for n, one in enumerate(found) if getattr(one, by) == part]
        said[places] = made.says([found[n] for n in places])
    return said


def whole(found: Sequence[Scored], names: Sequence[str], model: str) -> dict[str, object]:
    """Coefficients on everything, thresholds from out-of-fold probabilities; prints how good those are."""
    said = list(out_of_fold(found, names, model))
    labels = [int(one.label or 0) for one in found]
    accuracy, threshold = data.best_balanced_accuracy(said, labels)
    error, area = data.calibration_error(said, labels), data.auroc(said, labels)
    print(
        f"{model}: {len(found)} claims out of fold: AUROC {area:.3f}, balanced accuracy {accuracy:.3f} at {threshold:.3f}, ECE {error:.3f}"
    )
    return Fit(found, names, model).coefficients() | {
        "supported_at": round(threshold, 3),
        "partial_at": round(0.6 * threshold, 3),
        "fitted_on": len(found),
        "out_of_fold": {"auroc": round(area, 4), "ece": round(error, 4)},
    }


def try_kinds(found: Sequence[Scored], names: Sequence[str], model: str, kept_out: Sequence[Scored]) -> None:
    """Whether calibrating per kind of text pays: by fold, by a whole set left out, and on the set that is kept out."""
    labels = [int(one.label or 0) for one in found]
    outside = [int(one.label or 0) for one in kept_out]
    for kinds in (False, True):
        by_fold = list(out_of_fold(found, names, model, kinds))
        by_set = list(out_of_fold(found, names, model, kinds, by="set"))
        far = list(Fit(found, names, model, kinds).says(kept_out))
        cells = [
            f"{what} AUROC {data.auroc(p, y):.3f} ECE {data.calibration_error(p, y):.3f}"
            for what, p, y in (
                ("by fold", by_fold, labels),
                ("set left out", by_set, labels),
                ("ragtruth", far, outside),
            )
        ]
        print(f"{model}, {'per kind of text' if kinds else 'one for all'}: {' · '.join(cells)}")


def fitted_on(model: str) -> list[Scored]:
    """The labelled claims of the sets that are fitted on, as far as the model has a score for them."""
    names = (*data.OUT_OF_FOLD, *data.ONLY_TRAINED)
    every = [one for name in names for one in scored(name) if one.label is not None]
    return every if model == RULES else [one for one in every if model in one.models]


def main() -> None:
    """Fit and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--scores", action="append", default=[], metavar="ID=SOURCE")
    parser.add_argument("--model", metavar="SOURCE", help="the same as --scores local=SOURCE")
    parser.add_argument("--kinds", action="store_true", help="only try calibration per kind of text")
    arguments = parser.parse_args()
    given = dict(one.split("=", 1) for one in arguments.scores)
    given |= {"local": arguments.model} if arguments.model else {}
    if given:
        found = {name: sources.opened(where) for name, where in given.items()}
        sources.keep(found, (*data.OUT_OF_FOLD, *data.ONLY_TRAINED, data.KEPT_OUT))
    models = [RULES, *(model for model in sources.kept() if model != sources.FAST)]
    names = sorted(fitted_on(RULES)[0].features)
    if arguments.kinds:
        for model in models:
            far = [one for one in scored(data.KEPT_OUT) if one.label is not None]
            try_kinds(
                fitted_on(model), names, model, far if model == RULES else [one for one in far if model in one.models]
            )
        return
    made = {model: whole(fitted_on(model), names, model) for model in models}
    every = sorted({one.fold for one in fitted_on(RULES)})
    folds = {
        fold: {
            model: Fit([one for one in fitted_on(model) if one.fold != fold], names, model).coefficients()
            | {at: made[model][at] for at in ("supported_at", "partial_at")}
            for model in models
        }
        for fold in every
    }
    FOLDS.write_text(json.dumps(folds, sort_keys=True) + "\n", encoding="utf-8")
    OUT.write_text(json.dumps(made, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    print(f"written to {OUT.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
