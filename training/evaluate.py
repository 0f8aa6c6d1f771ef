"""Figures from the logits that came home: pooled out-of-fold, by set and domain, ragtruth by response and sentence, calibration.

    python -m training.evaluate --scores DIR [--card models/local/src/trueline_local/files/model.json --model minilm]

DIR holds scores_<model>_<run>.npz; training/.work/whose.json says whose each logit is. With --card the scale and shift fitted
on the out-of-fold logits are written into it.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
from trueline_local.evidence import sentences

from training import human
from training.build_pairs import WORK

WAYS = ("whole 110", "whole 220", "sentences 110", "sentences 220", "both 110", "both 220")


def auroc(score: np.ndarray, label: np.ndarray) -> float:
    """Area under the ROC curve, ties counted half."""
    _, at, counts = np.unique(score, return_inverse=True, return_counts=True)
    rank = (np.cumsum(counts) - (counts - 1) / 2)[at]
    good = label > 0.5
    n, m = good.sum(), (~good).sum()
    return float((rank[good].sum() - n * (n + 1) / 2) / (n * m)) if n and m else float("nan")


def ece(p: np.ndarray, label: np.ndarray, bins: int = 10) -> float:
    """Expected calibration error over bins of equal mass."""
    parts = np.array_split(np.argsort(p, kind="stable"), bins)
    return float(sum(len(part) * abs(p[part].mean() - label[part].mean()) for part in parts if len(part)) / len(p))


def platt(logit: np.ndarray, label: np.ndarray, steps: int = 200) -> tuple[float, float]:
    """Scale and shift that make logits probabilities, by Newton's method."""
    x, theta = np.stack([logit, np.ones_like(logit)], 1), np.array([1.0, 0.0])
    for _ in range(steps):
        p = 1 / (1 + np.exp(-np.clip(x @ theta, -40, 40)))
        move = np.linalg.solve(x.T @ (x * (p * (1 - p))[:, None]) + 1e-6 * np.eye(2), x.T @ (p - label) + 1e-6 * theta)
        theta = theta - move
        if np.abs(move).max() < 1e-8:
            break
    return float(theta[0]), float(theta[1])


def row_scores(
    logits: np.ndarray, whose: list[dict[str, Any]], keep: Any
) -> dict[tuple[str, str, str], dict[str, Any]]:
    """For each row, its score each way: whole, the least of its sentences by log-probabilities summed, and their mean."""
    rows: dict[tuple[str, str, str], dict[str, Any]] = defaultdict(lambda: {"parts": defaultdict(list)})
    for logit, who in zip(logits, whose, strict=True):
        if not keep(who):
            continue
        row = rows[who["set"], who["sub"], who["id"]]
        row["label"] = who["label"]
        if who["at"] < 0:
            row[f"whole {who['width']}"] = float(logit)
        else:
            row["parts"][who["width"]].append(float(logit))
    for row in rows.values():
        for width in (110, 220):
            whole = row[f"whole {width}"]
            parts = row["parts"][width] or [whole]
            row[f"sentences {width}"] = float(-np.logaddexp(0, -np.array(parts)).sum())
            row[f"both {width}"] = row[f"sentences {width}"] + float(-np.logaddexp(0, -whole))
    return dict(rows)


def out_of_fold(model: str, folder: Path, whose: list[dict[str, Any]], fold_of: np.ndarray) -> np.ndarray:
    """Each tested row's logit from the run that left its fold out; ragtruth's from the final run."""
    final = np.load(folder / f"scores_{model}_final.npz")["logit"]
    out = final.astype(np.float64).copy()
    for fold in range(human.FOLDS):
        path = folder / f"scores_{model}_fold{fold}.npz"
        here = fold_of == fold
        out[here] = np.load(path)["logit"][here] if path.exists() else np.nan
    return out


def folds_of(whose: list[dict[str, Any]]) -> np.ndarray:
    """The fold of each logit, worked out again from the data."""
    rows = [row for name in (*human.TESTED, *human.TRAINED_ONLY, "ragtruth_tune") for row in human.read(name)]
    folds = human.folds(rows)
    mine = {(r.set, r.sub, r.id): folds[r.context] for r in rows}
    return np.array([mine[w["set"], w["sub"], w["id"]] for w in whose])


def ragtruth_sentences(logits: np.ndarray, whose: list[dict[str, Any]], width: int) -> tuple[np.ndarray, np.ndarray]:
    """Logits and labels of ragtruth's sentences: 0 where a marked span touches the sentence."""
    rows = {r.id: r for r in human.read("ragtruth_tune")}
    got: dict[str, dict[int, float]] = defaultdict(dict)
    for logit, who in zip(logits, whose, strict=True):
        if who["set"] == "ragtruth_tune" and who["width"] == width:
            got[who["id"]][who["at"]] = float(logit)
    score, label = [], []
    for ident, parts in got.items():
        row, at = rows[ident], 0
        for place, text in enumerate(sentences(row.response)):
            start = row.response.find(text[:30], at)
            end, at = start + len(text), max(at, start)
            score.append(parts.get(place, parts[-1]))
            label.append(0 if any(a < end and b > start for a, b, *_ in row.more["spans"]) else 1)
    return np.array(score), np.array(label)


def table(model: str, folder: Path) -> tuple[str, tuple[float, float]]:
    """The Markdown section of one model and the calibration fitted on its out-of-fold logits."""
    whose = json.loads((WORK / "whose.json").read_text())
    logits = out_of_fold(model, folder, whose, folds_of(whose))
    rows = row_scores(logits, whose, lambda w: w["set"] in human.TESTED)
    rag = row_scores(logits, whose, lambda w: w["set"] == "ragtruth_tune")
    lines = [f"### {model}", "", "| | rows | " + " | ".join(WAYS) + " |", "|---|---|" + "---|" * len(WAYS)]

    def line(name: str, some: list[dict[str, Any]]) -> None:
        some = [r for r in some if np.isfinite(r["whole 110"])]
        label = np.array([r["label"] for r in some])
        figures = (
            " | ".join(f"{auroc(np.array([r[way] for r in some]), label):.3f}" for way in WAYS)
            if some
            else "not measured"
        )
        lines.append(f"| {name} | {len(some)} | {figures} |")

    line("pooled out-of-fold", list(rows.values()))
    for part in human.TESTED:
        line(part, [r for (s, _, _), r in rows.items() if s == part])
    for domain in human.DOMAINS:
        line(f"summedits {domain}", [r for (s, d, _), r in rows.items() if s == "summedits" and d == domain])
    line("ragtruth by response", list(rag.values()))
    for sub in ("QA", "Summary"):
        line(f"ragtruth {sub}", [r for (_, s, _), r in rag.items() if s == sub])
    for width in (110, 220):
        score, label = ragtruth_sentences(logits, whose, width)
        lines.append(f"\nragtruth by sentence, {width} words: AUROC {auroc(score, label):.3f} ({len(label)} sentences)")
    fine = [r for r in rows.values() if np.isfinite(r["whole 110"])]
    x, y = np.array([r["whole 110"] for r in fine]), np.array([float(r["label"]) for r in fine])
    scale, shift = platt(x, y)
    lines.append(f"\ncalibration: scale {scale:.3f}, shift {shift:.3f}; ECE raw {ece(1 / (1 + np.exp(-x)), y):.3f}, "
                 f"fitted {ece(1 / (1 + np.exp(-(scale * x + shift))), y):.3f}")  # fmt: skip
    return "\n".join(lines), (scale, shift)


def main() -> None:
    """Print the tables; write the calibration where asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scores", type=Path, required=True)
    parser.add_argument("--model", choices=["minilm", "mpnet"], action="append")
    parser.add_argument("--card", type=Path)
    args = parser.parse_args()
    for model in args.model or ["minilm", "mpnet"]:
        text, (scale, shift) = table(model, args.scores)
        print(text, "\n")
        if args.card and args.model:
            card = json.loads(args.card.read_text()) | {"scale": round(scale, 4), "shift": round(shift, 4)}
            args.card.write_text(json.dumps(card, indent=1) + "\n")


if __name__ == "__main__":
    main()
