"""Fit the weights of the grounding decision on ../shared/data/grounding and write checks/support/weights.json.

    python training/fit_decision.py                          # rules and overlap only
    python training/fit_decision.py --model PATH             # and with a model: `installed`, a folder, or a .jsonl of scores

Needs numpy and scikit-learn. Cross-validated: SummEdits by domain, the other sets by context; ragtruth_tune is never fitted
on. Fitting with a model uses its scores as they are, so give one whose training data leaves out what it is scored on.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT)]

from bench.bench_grounding import Scored, load_model, scored  # noqa: E402

from bench import grounding_data as data  # noqa: E402
from trueline.checks.support.decision import log_odds  # noqa: E402

FOLDS = ROOT / "bench" / "grounding_folds.json"
OUT = ROOT / "src" / "trueline" / "checks" / "support" / "weights.json"


def matrix(found: list[Scored], names: list[str], with_model: bool) -> np.ndarray:
    """Features as rows, with the model's log odds as the last column where asked for."""
    rows = [[one.features[n] for n in names] + ([log_odds(one.model or 0.5)] if with_model else []) for one in found]
    return np.array(rows)


def balance(found: list[Scored]) -> np.ndarray:
    """A large set counts more than a small one, but not in proportion."""
    sizes = {s: sum(one.set == s for one in found) for s in {one.set for one in found}}
    return np.array([3000 / (sizes[one.set] + 2000) for one in found])


def fit(found: list[Scored], names: list[str], with_model: bool) -> tuple[LogisticRegression, np.ndarray, np.ndarray]:
    """A logistic regression on standardised features."""
    x = matrix(found, names, with_model)
    mean, spread = x.mean(0), x.std(0) + 1e-9
    labels = np.array([one.label for one in found])
    model = LogisticRegression(C=1.0, max_iter=4000)
    model.fit((x - mean) / spread, labels, sample_weight=balance(found))
    return model, mean, spread


def coefficients(found: list[Scored], names: list[str], with_model: bool) -> dict[str, object]:
    """The regression with the standardisation folded in."""
    model, mean, spread = fit(found, names, with_model)
    weights = model.coef_[0] / spread
    all_names = names + (["model"] if with_model else [])
    kept = {name: round(float(w), 6) for name, w in zip(all_names, weights, strict=True)}
    return {"intercept": round(float(model.intercept_[0] - (weights * mean).sum()), 6), "coefficients": kept}


def out_of_fold(found: list[Scored], names: list[str], with_model: bool) -> np.ndarray:
    """The probability of each claim by a fit that never saw its fold."""
    said = np.zeros(len(found))
    for fold in sorted({one.fold for one in found}):
        inside = [one for one in found if one.fold != fold]
        model, mean, spread = fit(inside, names, with_model)
        places = [n for n, one in enumerate(found) if one.fold == fold]
        x = matrix([found[n] for n in places], names, with_model)
        said[places] = model.predict_proba((x - mean) / spread)[:, 1]
    return said


def whole(found: list[Scored], names: list[str], with_model: bool) -> dict[str, object]:
    """Coefficients on everything, thresholds from out-of-fold probabilities; prints how good those are."""
    said = list(out_of_fold(found, names, with_model))
    labels = [int(one.label or 0) for one in found]
    accuracy, threshold = data.best_balanced_accuracy(said, labels)
    error, area = data.calibration_error(said, labels), data.auroc(said, labels)
    what = "rules and model" if with_model else "rules alone"
    print(
        f"{what}: {len(found)} claims out of fold: AUROC {area:.3f}, balanced accuracy {accuracy:.3f} at {threshold:.3f}, ECE {error:.3f}"
    )
    limits = {"supported_at": round(threshold, 3), "partial_at": round(0.6 * threshold, 3)}
    return (
        coefficients(found, names, with_model)
        | limits
        | {"out_of_fold": {"auroc": round(area, 4), "ece": round(error, 4)}}
    )


def folds(found: list[Scored], names: list[str], with_model: bool) -> dict[str, object]:
    """The coefficients that never saw a fold, by fold: what the benchmark scores that fold with."""
    made: dict[str, object] = {}
    for fold in sorted({one.fold for one in found}):
        rest = [one for one in found if one.fold != fold]
        made[fold] = {
            "rules": coefficients(rest, names, False),
            "model": coefficients(rest, names, True) if with_model else None,
        }
    return made


def main() -> None:
    """Fit and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--model", help="path of an embedded model, or `installed`")
    arguments = parser.parse_args()
    model = load_model(arguments.model) if arguments.model else None
    fitted_on = [
        one for name in (*data.OUT_OF_FOLD, *data.ONLY_TRAINED) for one in scored(name, model) if one.label is not None
    ]
    names = sorted(fitted_on[0].features)
    made: dict[str, object] = {"rules": whole(fitted_on, names, False), "model": None, "fitted_on": len(fitted_on)}
    if model is not None:
        made |= {"model": whole(fitted_on, names, True), "model_id": f"{model.id} {model.version}"}
    FOLDS.write_text(json.dumps(folds(fitted_on, names, model is not None), sort_keys=True) + "\n", encoding="utf-8")
    OUT.write_text(json.dumps(made, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    print(f"written to {OUT.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
