"""What the logits that came home say: tables, the calibration of model.json, and scores of every pair for `fit_decision`.

    python -m training.evaluate --scores DIR [--card models/local/src/witnessmark_local/files/model.json] [--to oof.jsonl]

DIR holds scores_<model>_<run>.npz; training/.work/whose.json says whose each logit is. A pair of a fold that was left out by a run
is scored by that run; ragtruth_tune, which none was trained on, by the final one.
"""

from __future__ import annotations

import argparse
import json
import lzma
from collections import defaultdict
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from bench.grounding_data import auroc, calibration_error
from sklearn.linear_model import LogisticRegression

from bench import grounding_data
from training.build_pairs import WIDTHS, WORK

HALVES = {"half0": (0, 1), "half1": (2, 3)}


def out_of_fold(model: str, folder: Path) -> np.ndarray:
    """Each pair's logit from the run that left its fold out; from the final run where none did."""
    packed = np.load(BytesIO(lzma.decompress((WORK / "data" / "score.xz").read_bytes())))
    fold = packed["fold"].astype(int)
    said = np.load(folder / f"scores_{model}_final.npz")["logit"].astype(float)
    for run, left_out in HALVES.items():
        here = np.isin(fold, left_out)
        said[here] = np.load(folder / f"scores_{model}_{run}.npz")["logit"].astype(float)[here]
    return said


def platt(logit: np.ndarray, label: np.ndarray) -> tuple[float, float]:
    """Scale and shift that make logits probabilities."""
    fitted = LogisticRegression(C=1e6).fit(logit[:, None], label)
    return float(fitted.coef_[0, 0]), float(fitted.intercept_[0])


def table(logits: np.ndarray, whose: list[dict[str, Any]]) -> list[str]:
    """AUROC by response for each set and width, a response being as good as all of its claims together; ragtruth by sentence."""
    sets = (*grounding_data.SINGLE, *grounding_data.REAL)
    good = {name: [row.supported for row in grounding_data.rows(name)] for name in sets}
    lines = ["| | " + " | ".join(f"{width} words" for width in WIDTHS) + " |", "|---|" + "--:|" * len(WIDTHS)]
    cells: dict[str, list[str]] = defaultdict(list)
    for width in WIDTHS:
        rows: dict[tuple[str, int], float] = defaultdict(float)
        said: list[tuple[float, int]] = []
        for logit, who in zip(logits, whose, strict=True):
            if who["width"] == width and who["set"] in sets:
                rows[who["set"], who["row"]] += float(-np.logaddexp(0, -logit))
                if who["set"] in grounding_data.REAL and who["label"] >= 0:
                    said.append((float(logit), who["label"]))
        for name in ("pooled", *sets):
            some = {
                key: value
                for key, value in rows.items()
                if key[0] == name or (name == "pooled" and key[0] in sets[:-1])
            }
            cells[name].append(f"{auroc(list(some.values()), [int(good[s][at]) for s, at in some]):.3f}")
        cells[f"{sets[-1]} by sentence"].append(f"{auroc([s for s, _ in said], [y for _, y in said]):.3f}")
    return lines + [f"| {name} | {' | '.join(row)} |" for name, row in cells.items()]


def main() -> None:
    """Print the table; write the calibration and the scores where asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scores", type=Path, required=True)
    parser.add_argument("--model", choices=["minilm", "mpnet"], default="minilm")
    parser.add_argument("--width", type=int, default=110)
    parser.add_argument("--card", type=Path)
    parser.add_argument("--to", type=Path)
    args = parser.parse_args()
    whose = json.loads((WORK / "whose.json").read_text())
    logits = out_of_fold(args.model, args.scores)
    print("\n".join(table(logits, whose)))
    here = [
        at
        for at, who in enumerate(whose)
        if who["width"] == args.width and who["label"] >= 0 and who["set"] in grounding_data.SINGLE
    ]
    label = np.array([whose[at]["label"] for at in here], dtype=float)
    scale, shift = platt(logits[here], label)
    likely = 1 / (1 + np.exp(-(scale * logits + shift)))
    raw, fitted = (
        calibration_error(list(p[here]), [int(y) for y in label]) for p in (1 / (1 + np.exp(-logits)), likely)
    )
    print(f"\nscale {scale:.4f}, shift {shift:.4f}; calibration error {raw:.3f} as it came, {fitted:.3f} fitted")
    if args.card:
        card = json.loads(args.card.read_text()) | {"scale": round(scale, 4), "shift": round(shift, 4)}
        args.card.write_text(json.dumps(card, indent=1) + "\n")
    if args.to:
        with args.to.open("w") as out:
            out.writelines(
                json.dumps({"key": who["key"], "score": round(float(p), 6)}) + "\n"
                for who, p in zip(whose, likely, strict=True)
                if who["width"] == args.width
            )


if __name__ == "__main__":
    main()
