"""Where the scores of an embedded model come from: the model itself, or files made on a faster machine.

Kept scores (bench/grounding_scores.json, written by training/fit_decision.py) are out of fold: each row's by a model that was
trained without it. `installed` and a folder ask the model that ships, which has seen all sets but ragtruth_tune.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from bench import grounding_data as data
from trueline.checks.support.decision import window
from trueline.checks.support.evidence import Index
from trueline.checks.support.statement import Statement
from trueline.judges.local import UNSURE
from trueline.protocols import SupportModel

KEPT = Path(__file__).parent / "grounding_scores.json"
ROOT = Path(__file__).resolve().parents[1]


class Scores(Protocol):
    """The score of each statement of a row, or None where this source has none for the row."""

    def of(self, name: str, row: data.Row, found: Sequence[Statement], index: Index) -> list[float] | None: ...


class Asked:
    """A model that is asked now."""

    def __init__(self, model: SupportModel) -> None:
        self.model = model

    def of(self, name: str, row: data.Row, found: Sequence[Statement], index: Index) -> list[float] | None:
        return [float(s) for s in self.model.support([(window(one.text, index), one.text) for one in found])]


class Keyed:
    """JSON lines of {"key", "score"}, as `--pairs` names the pairs."""

    def __init__(self, file: Path) -> None:
        lines = map(json.loads, file.read_text(encoding="utf-8").splitlines())
        self._scores = {line["key"]: float(line["score"]) for line in lines}

    def of(self, name: str, row: data.Row, found: Sequence[Statement], index: Index) -> list[float] | None:
        keys = [pair_key((window(one.text, index), one.text)) for one in found]
        return [self._scores[key] for key in keys] if all(key in self._scores for key in keys) else None


class Kept:
    """What `keep` wrote, for one model."""

    def __init__(self, rows: Mapping[str, Mapping[str, list[float]]]) -> None:
        self._rows = rows

    def of(self, name: str, row: data.Row, found: Sequence[Statement], index: Index) -> list[float] | None:
        said = self._rows.get(name, {}).get(row_key(row))
        return said if said is not None and len(said) == len(found) else None


class Cascaded:
    """The small model's scores, and the large one's where the small one is unsure."""

    def __init__(self, small: Scores, large: Scores) -> None:
        self.small, self.large = small, large

    def of(self, name: str, row: data.Row, found: Sequence[Statement], index: Index) -> list[float] | None:
        one, two = self.small.of(name, row, found, index), self.large.of(name, row, found, index)
        if one is None or two is None:
            return None
        return [b if UNSURE[0] < a < UNSURE[1] else a for a, b in zip(one, two, strict=True)]


def pair_key(pair: tuple[str, str]) -> str:
    return hashlib.sha256("\0".join(pair).encode("utf-8", "surrogatepass")).hexdigest()[:24]


def row_key(row: data.Row) -> str:
    """A row by what it says, so that kept scores never land on another."""
    return hashlib.sha256(f"{row.id}\0{row.response}".encode("utf-8", "surrogatepass")).hexdigest()[:10]


def opened(given: str) -> Scores:
    """`installed`, a folder with a model's files, or FILE.jsonl of pair scores (training/evaluate.py --to writes one)."""
    if given.endswith(".jsonl"):
        return Keyed(Path(given))
    package: Any = import_module("trueline_local")
    return Asked(package.load() if given == "installed" else package.OnnxSupport(Path(given)))


def several(given: Mapping[str, str]) -> dict[str, Scores]:
    """Sources by model id; where there are both models, their cascade too."""
    found = {name: opened(where) for name, where in given.items()}
    return _with_cascade(found)


def kept() -> dict[str, Scores]:
    """The kept scores by model id; empty where none were made."""
    if not KEPT.is_file():
        return {}
    read = json.loads(KEPT.read_text(encoding="utf-8"))
    return _with_cascade({name: Kept(rows) for name, rows in read.items() if name != "cascade"})


def _with_cascade(found: dict[str, Scores]) -> dict[str, Scores]:
    both = "local" in found and "local-large" in found
    return found | {"cascade": Cascaded(found["local"], found["local-large"])} if both else found


def keep(found: Mapping[str, Scores], names: Sequence[str]) -> None:
    """Write the scores of all rows of these sets, three digits each."""
    made: dict[str, dict[str, dict[str, list[float]]]] = {one: {} for one in found if one != "cascade"}
    for name in names:
        for row in data.rows(name):
            index, statements = row.index(), row.statements()
            for one, rows in made.items():
                said = found[one].of(name, row, statements, index)
                if said is not None:
                    rows.setdefault(name, {})[row_key(row)] = [round(score, 4) for score in said]
    KEPT.write_text(json.dumps(made, separators=(",", ":"), sort_keys=True) + "\n", encoding="utf-8")
