"""What the halves' runs make of the claims they were trained without: python -m training.scores OUT FILE

Reads data/score.jsonl.xz of $TRAINING_WORK and scores_<model>_A.npz, scores_<model>_B.npz in OUT; leaves FILE (gzip) for `fit_decision.py --scores`, one row a line, and
prints AUROC by set and the two numbers that calibrate each column by claim. Of a model whose halves, or whose final run, were not made again those scores stay that were kept before.
"""

from __future__ import annotations

import gzip
import json
import lzma
import math
import os
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from bench import grounding_data as data
from bench import grounding_scores as kept
from training.prep import VARIANTS
from training.regression import fit
from witnessmark.checks.grounding.reading.kinds import kind_of

WORK = Path(os.environ.get("TRAINING_WORK", "training/.work"))
EXITS = {"gte": ("gte4", "gte8"), "mpnet": ("mpnet",)}
"""The exits of a model that ship; a deeper run may have more."""
HALVES = "AB"
"""The run that leaves half 0 out, and the one that leaves half 1 out."""


def rows() -> list[dict[str, Any]]:
    """The rows that were scored, in the order of their pairs."""
    with lzma.open(WORK / "data" / "score.jsonl.xz", "rt", encoding="utf-8") as lines:
        return [row for row in map(json.loads, lines) if "claims" in row]


def said(folder: Path, model: str, found: list[dict[str, Any]]) -> np.ndarray:
    """Log-probabilities of the three classes and the log odds of the worst word being wrong [exit, pair, 4]: of the written sets by the final run, of the others by the one that left their half out.

    Not a number where a run was not made, or ships nothing; nor of a turn in a talk, which the product shows without the turn before it and run 23 was scored with.
    """
    sizes = [len(row["claims"]) * len(VARIANTS) for row in found]
    unknown = np.full((len(EXITS[model]), sum(sizes), 4), np.nan, np.float32)
    final, *halves = (
        _numbers(file)[: len(unknown)] if (file := folder / f"scores_{model}_{run}.npz").exists() else unknown
        for run in ("final", *HALVES)
    )
    half = np.repeat([row["fold"] for row in found], sizes)[None, :, None]
    talks = np.repeat([kind_of(row["question"], record=False) == "dialogue" for row in found], sizes)[None, :, None]
    written = np.repeat([row["set"] in data.WRITTEN for row in found], sizes)[None, :, None]
    return np.where(talks, unknown, np.where(written, final, np.where(half == 0, *halves)))


def _numbers(file: Path) -> np.ndarray:
    known = np.load(file)
    return np.concatenate([known["logp"], known["words"][:, :, :1]], axis=2).astype(np.float32)


def scored(folder: Path) -> Iterator[dict[str, Any]]:
    """Every row with what each column says of its claims."""
    found = rows()
    tables = {model: said(folder, model, found) for model in EXITS}
    before = {(name, row.id): row for name in (*data.REAL, *data.SINGLE, *data.WRITTEN) for row in data.rows(name)}
    at = 0
    for row in found:
        claims = []
        for text, label, _, _ in row["claims"]:
            one: dict[str, Any] = {"text": text, "label": label}
            for model, table in tables.items():
                for n, name in enumerate(EXITS[model]):
                    one[name] = {v: [round(float(x), 4) for x in table[n, at + k]] for k, v in enumerate(VARIANTS)}
            for column, (name, variant, alone) in enumerate(kept.COLUMNS):
                if math.isnan(one[name][variant][0]):
                    one[name] = _last(before.get((row["set"], row["id"])), text, column, (variant, alone))
            at += len(VARIANTS)
            claims.append(one)
        fold = "" if row["set"] in data.WRITTEN else HALVES[row["fold"]]
        yield {"set": row["set"], "id": row["id"], "fold": fold, "claims": claims}


def _last(
    row: data.Row | None, text: str, column: int, variants: tuple[str, str]
) -> dict[str, list[float | None]] | None:
    """What a model said of a claim, as it was kept."""
    if row is None:
        return None
    known = kept.kept_scores().get(kept.digest(row.id, row.response), ("", {}))[1].get(kept.digest(text))
    support, against, doubt = (None, None, None) if known is None else known[3 * column : 3 * column + 3]
    if support is None or against is None:
        return None
    no = -math.log1p(math.exp(support))
    said = [
        -math.log1p(math.exp(-support)),
        no - math.log1p(math.exp(-against)),
        no - math.log1p(math.exp(against)),
        doubt,
    ]
    return dict.fromkeys(variants, said)


def main() -> None:
    folder, file = Path(sys.argv[1]), Path(sys.argv[2])
    made = list(scored(folder))
    with gzip.open(file, "wt", encoding="utf-8") as out:
        out.writelines(json.dumps(row) + "\n" for row in made)
    print(len(made), "rows", sum(len(row["claims"]) for row in made), "claims")
    for name, variant, _ in kept.COLUMNS:
        by: dict[str, list[tuple[float, int]]] = defaultdict(list)
        for row in made:
            for one in row["claims"]:
                if one["label"] >= 0 and one.get(name):
                    odds = kept.numbers_of(one[name][variant])[0]
                    by[row["set"]].append((odds, int(one["label"] == 0)))
        if not by:
            continue
        real = [x for s in data.REAL for x in by[s]]
        single = [x for s in (*data.SINGLE, data.STATEMENTS) for x in by[s]]
        print(
            name,
            variant,
            "real",
            _auroc(real),
            " ".join(f"{s} {_auroc(x)}" for s, x in by.items() if s not in data.REAL),
        )
        print("   calibration", {"answers": _calibrated(real), "statements": _calibrated(single)})


def _auroc(found: list[tuple[float, int]]) -> float:
    return round(100 * data.auroc([x for x, _ in found], [y for _, y in found]), 1)


def _calibrated(found: list[tuple[float, int]]) -> dict[str, float]:
    line = fit(np.array([[x] for x, _ in found]), np.array([y for _, y in found]), 1.0)
    return {"scale": round(float(line.slopes[0]), 4), "shift": round(float(line.intercept), 4)}


if __name__ == "__main__":
    main()
