"""Labelled responses for the grounding benchmark, read from ../shared/data/grounding, and the measures, in plain Python."""

from __future__ import annotations

import gzip
import hashlib
import json
import lzma
import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from witnessmark.checks.grounding.claims import claims
from witnessmark.checks.grounding.evidence import EvidenceSource, Index
from witnessmark.checks.grounding.statement import Statement

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("WITNESSMARK_DATA", ROOT.parent / "shared" / "data")) / "grounding"
REAL = ("ragtruth_tune", "ragtruth_half")
"""Answers of language models with the words that are wrong; the other half of RAGTruth's test split is kept aside by the project's owner."""
SINGLE = ("summedits", "foolmetwice", "factcheckgpt", "wice_dev", "begin_wow", "factcc", "cg2c")
"""Single statements and short summaries, about half of them false, many made false by an edit."""


CASES, STATEMENTS = WRITTEN = ("cases", "statements")
"""Written for development by people who had not seen the rules: answers, good and with one statement made wrong; minimal pairs. No model learned from them."""


def file_of(name: str) -> Path:
    """The file that a set is read from."""
    return ROOT / "training" / f"{name}.jsonl.xz" if name in WRITTEN else DATA / f"{name}.jsonl.gz"


@dataclass(frozen=True)
class Row:
    """One labelled response: supported as a whole or not, with the spans that are not where the set has them."""

    id: str
    domain: str
    query: str | None
    context: str
    response: str
    supported: bool
    spans: tuple[tuple[int, int], ...] | None
    good: frozenset[str]
    """Sentences that a supported response to the same context has; empty where there is none."""
    conflicts: tuple[tuple[int, int], ...] = ()
    """Those of the spans that contradict the context, where the set tells them apart."""

    @property
    def group(self) -> str:
        return hashlib.sha256(self.context.encode()).hexdigest()[:16]

    def statements(self) -> list[Statement]:
        found = claims(self.response, self.query or "")
        return found or [Statement((0, len(self.response)), self.response)]

    def index(self) -> Index:
        return Index([EvidenceSource("c", self.context)], self.response)

    def label(self, one: Statement, count: int) -> int | None:
        """Whether this sentence is supported; None where the set does not say."""
        if self.supported or one.text in self.good:
            return 1
        if self.spans is not None:
            return 0 if any(a < one.span[1] and one.span[0] < b for a, b in self.spans) else 1
        return 0 if count == 1 or self.good else None


def rows(name: str) -> list[Row]:
    if name in WRITTEN:
        return _written(name)
    with gzip.open(DATA / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        raw = [json.loads(line) for line in lines]
    good: dict[str, set[str]] = defaultdict(set)
    if name == "summedits":
        for row in raw:
            if row["label"] == 1:
                good[row["context"]].update(one.text for one in claims(row["response"]))
    return [_row(name, row, good) for row in raw if row["response"].strip() and row["context"].strip()]


def _written(name: str) -> list[Row]:
    with lzma.open(file_of(name), "rt", encoding="utf-8") as lines:
        raw = [json.loads(line) for line in lines]
    return [
        Row(
            one["id"],
            name,
            one["question"],
            one["context"],
            one["answer"],
            one["wrong"] is None,
            None if one["wrong"] is None else (tuple(one["wrong"]),),
            frozenset(),
        )
        for one in raw
    ]


def _row(name: str, row: dict[str, Any], good: dict[str, set[str]]) -> Row:
    domain = f"{name}/{row['sub']}" if name == "summedits" else str(row["sub"]) if name in REAL else name
    spans = tuple((int(a), int(b)) for a, b, *_ in row["spans"]) if "spans" in row else None
    conflicts = tuple((int(a), int(b)) for a, b, *kind in row.get("spans", ()) if kind and "Conflict" in kind[0])
    found = frozenset(good[row["context"]]) if name == "summedits" else frozenset()
    return Row(
        row["id"], domain, row["query"], row["context"], row["response"], bool(row["label"]), spans, found, conflicts
    )


def there() -> bool:
    return DATA.is_dir()


# --- measures ------------------------------------------------------------------------------------------------------


def auroc(scores: Sequence[float], labels: Sequence[int]) -> float:
    """The chance that a supported one scores above one that is not; ties count half."""
    order = sorted(range(len(scores)), key=lambda n: scores[n])
    ranks = [0.0] * len(scores)
    at = 0
    while at < len(order):
        end = at
        while end + 1 < len(order) and scores[order[end + 1]] == scores[order[at]]:
            end += 1
        for place in range(at, end + 1):
            ranks[order[place]] = (at + end) / 2 + 1
        at = end + 1
    positive = sum(labels)
    negative = len(labels) - positive
    if not positive or not negative:
        return float("nan")
    total = sum(rank for rank, label in zip(ranks, labels, strict=True) if label)
    return (total - positive * (positive + 1) / 2) / (positive * negative)


def calibration_error(scores: Sequence[float], labels: Sequence[int], bins: int = 10) -> float:
    """The expected calibration error over bins of equal mass."""
    order = sorted(range(len(scores)), key=lambda n: scores[n])
    error = 0.0
    for chunk in _even(order, bins):
        said = sum(scores[n] for n in chunk) / len(chunk)
        true = sum(labels[n] for n in chunk) / len(chunk)
        error += len(chunk) / len(order) * abs(said - true)
    return error


def _even(order: Sequence[int], bins: int) -> Iterator[Sequence[int]]:
    for n in range(bins):
        part = order[n * len(order) // bins : (n + 1) * len(order) // bins]
        if part:
            yield part


def best_balanced_accuracy(scores: Sequence[float], labels: Sequence[int]) -> tuple[float, float]:
    """(balanced accuracy, threshold) at the best threshold."""
    positive, negative = sum(labels) or 1, (len(labels) - sum(labels)) or 1
    hits = misses = 0
    best = (0.5, 0.5)
    order = sorted(range(len(scores)), key=lambda n: -scores[n])
    for place, n in enumerate(order):
        hits += labels[n]
        misses += 1 - labels[n]
        following = scores[order[place + 1]] if place + 1 < len(order) else 0.0
        if following != scores[n]:
            value = (hits / positive + 1 - misses / negative) / 2
            best = max(best, (value, (scores[n] + following) / 2))
    return best
