"""Where the scores of an embedded model come from: the model itself, or files made on a faster machine.

Kept scores (bench/grounding_scores.json, written by training/fit_decision.py) are out of fold: each row's by a model that was
trained without it; those of ragtruth_tune, which none has seen, are by the files that ship. `installed` and a folder ask a model now.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from bench import grounding_data as data
from witnessmark.checks.grounding.evidence import Index
from witnessmark.checks.grounding.statement import Statement
from witnessmark.core.protocols import SupportModel
from witnessmark.judges import local

KEPT = Path(__file__).parent / "grounding_scores.json"
ROOT = Path(__file__).resolve().parents[1]


FAST = "local, fast"
"""The small model in profile `fast`, as a source of its own."""
LARGE = "large"
"""The large model by itself, which the product never asks alone."""


class Scores(Protocol):
    """The score of each statement of a row, or None where this source has none for the row."""

    def of(self, name: str, row: data.Row, found: Sequence[Statement], index: Index) -> list[float] | None: ...


class Asked:
    """A model that is asked now."""

    def __init__(self, model: SupportModel) -> None:
        self.model = model

    def of(self, name: str, row: data.Row, found: Sequence[Statement], index: Index) -> list[float] | None:
        return [float(s) for s in self.model.support([(index.lines, one.text) for one in found])]


class Keyed:
    """JSON lines of {"key", "score"}, as `--pairs` names the pairs."""

    def __init__(self, file: Path) -> None:
        lines = map(json.loads, file.read_text(encoding="utf-8").splitlines())
        self._scores = {line["key"]: float(line["score"]) for line in lines}

    def of(self, name: str, row: data.Row, found: Sequence[Statement], index: Index) -> list[float] | None:
        keys = [pair_key((index.lines, one.text)) for one in found]
        return [self._scores[key] for key in keys] if all(key in self._scores for key in keys) else None


class ByClaim:
    """JSON lines of {"set", "id", "claim", "score"}, out of fold: a claim by its words, wherever its evidence was cut."""

    def __init__(self, file: Path) -> None:
        lines = map(json.loads, file.read_text(encoding="utf-8").splitlines())
        self._scores = {(line["set"], str(line["id"]), line["claim"]): float(line["score"]) for line in lines}

    def of(self, name: str, row: data.Row, found: Sequence[Statement], index: Index) -> list[float] | None:
        said = [self._scores.get((name, str(row.id), one.text)) for one in found]
        return [score for score in said if score is not None] if None not in said else None


class Kept:
    """What `keep` wrote, for one model."""

    def __init__(self, rows: Mapping[str, Mapping[str, list[float]]]) -> None:
        self._rows = rows

    def of(self, name: str, row: data.Row, found: Sequence[Statement], index: Index) -> list[float] | None:
        said = self._rows.get(name, {}).get(row_key(row))
        return said if said is not None and len(said) == len(found) else None


class Both:
    """The small model's scores, joined with the large one's."""

    def __init__(self, small: Scores, large: Scores) -> None:
        self.small, self.large = small, large

    def of(self, name: str, row: data.Row, found: Sequence[Statement], index: Index) -> list[float] | None:
        one, two = self.small.of(name, row, found, index), self.large.of(name, row, found, index)
        if one is None or two is None:
            return None
        return [local.joined(a, b) for a, b in zip(one, two, strict=True)]


def pair_key(pair: tuple[str, str]) -> str:
    return hashlib.sha256("\0".join(pair).encode("utf-8", "surrogatepass")).hexdigest()[:24]


def row_key(row: data.Row) -> str:
    """A row by what it says, so that kept scores never land on another."""
    return hashlib.sha256(f"{row.id}\0{row.response}".encode("utf-8", "surrogatepass")).hexdigest()[:10]


def opened(given: str) -> Scores:
    """`installed`, a folder with a model's files, or FILE.jsonl of pair scores (training/evaluate.py --to writes one)."""
    if given.endswith(".jsonl"):
        with Path(given).open(encoding="utf-8") as lines:
            keyed = "key" in json.loads(next(lines, '{"key": ""}'))
        return Keyed(Path(given)) if keyed else ByClaim(Path(given))
    package: Any = import_module("witnessmark_local")
    return Asked(package.load() if given == "installed" else package.OnnxSupport(Path(given)))


def shipped() -> dict[str, Scores]:
    """The small model as it is installed, by id, as the product would ask it (the large one would take half an hour)."""
    if local.missing("local"):
        return {}
    package: Any = import_module(local.PACKAGES["local"])
    return {"local": Asked(package.load()), FAST: Asked(package.load(fast=True))}


def several(given: Mapping[str, str]) -> dict[str, Scores]:
    """Sources by model id; where there are both models, what they are together."""
    return _with_both({name: opened(where) for name, where in given.items()})


def kept() -> dict[str, Scores]:
    """The kept scores by model id; empty where none were made."""
    if not KEPT.is_file():
        return {}
    read = json.loads(KEPT.read_text(encoding="utf-8"))
    return _with_both({name: Kept(rows) for name, rows in read.items()})


def _with_both(found: dict[str, Scores]) -> dict[str, Scores]:
    """With what the large model is used as, where there is one: joined with the small one."""
    large = found.pop(LARGE, None)
    if large is None:
        return found
    return found | {"local-large": Both(found["local"], large)}


def keep(found: Mapping[str, Scores], names: Sequence[str]) -> None:
    """Write the scores of all rows of these sets, four digits each."""
    made: dict[str, dict[str, dict[str, list[float]]]] = {one: {} for one in found}
    for name in names:
        for row in data.rows(name):
            index, statements = row.index(), row.statements()
            for one, rows in made.items():
                said = found[one].of(name, row, statements, index)
                if said is not None:
                    rows.setdefault(name, {})[row_key(row)] = [round(score, 4) for score in said]
    KEPT.write_text(json.dumps(made, separators=(",", ":"), sort_keys=True) + "\n", encoding="utf-8")
