"""The claims of the labelled sets as the rules see them, with the scores of models: worked out once for each state of the code.

Looking at 36,000 claims takes minutes, so what was seen is kept in bench/.work under a digest of the code that looks and of the data.
"""

from __future__ import annotations

import functools
import hashlib
import os
import pickle
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

import witnessmark
from bench import grounding_data as data
from bench import grounding_scores as sources
from witnessmark.checks.grounding.features import ClaimFeatures, look_all
from witnessmark.checks.grounding.statement import Statement
from witnessmark.core.protocols import Reading

FOLDS = 5
"""Parts by context that weights are fitted in; models were trained without one of two halves."""
WORK = Path(__file__).parent / ".work"
PARTS = ("checks/grounding", "text")
NOT_LOOKING = (
    "weights.json",
    "decision.py",
    "findings.py",
    "whole_answer.py",
    "judge.py",
    "grounding_check.py",
    "claim_reader.py",
)
"""Files that come after the features of a claim."""
Seen = list[tuple[Statement, ClaimFeatures]]


@dataclass(frozen=True, eq=False)
class Scored:
    """One claim of a labelled response: its features, the scores of models, and what it overlaps with."""

    set: str
    row: int
    fold: str
    inner: int
    """The part of its fold that a context lies in, for what is fitted within the other folds."""
    label: int | None
    seen: ClaimFeatures
    single: bool
    conflict: bool
    supported: bool
    """Whether the whole response is."""
    models: dict[str, Reading] = field(default_factory=dict)


@functools.cache
def scored(name: str) -> list[Scored]:
    """Every checkable claim of a set."""
    rows = data.rows(name)
    looked = _kept(name, rows)
    return [one for number, row in enumerate(rows) for one in _row(name, number, row, looked[number])]


def _row(name: str, number: int, row: data.Row, looked: Seen) -> list[Scored]:
    part, inner = int(row.group, 16) % FOLDS, int(row.group, 16) // FOLDS
    made = []
    for (one, seen), models in zip(looked, sources.readings(row, [one for one, _ in looked]), strict=True):
        conflict = any(a < one.span[1] and one.span[0] < b for a, b in row.conflicts)
        label = row.label(one, len(looked))
        single = len(looked) == 1
        made.append(Scored(name, number, str(part), inner, label, seen, single, conflict, row.supported, models))
    return made


def _kept(name: str, rows: Sequence[data.Row]) -> list[Seen]:
    file = WORK / f"{name}-{_digest(name)}.pickle"
    if file.is_file():
        kept: list[Seen] = pickle.loads(file.read_bytes())  # written below, by this very code
        return kept
    with ProcessPoolExecutor(max_workers=min(2, os.cpu_count() or 1)) as pool:
        looked = list(pool.map(_look, rows, chunksize=32))
    WORK.mkdir(exist_ok=True)
    file.write_bytes(pickle.dumps(looked))
    return looked


def _look(row: data.Row) -> Seen:
    """The checkable claims of a row; the passages near them are left behind, since no figure needs them."""
    index = row.index()
    found = [one for one in row.statements() if one.checkable]
    looks = look_all(found, index, "en", row.query or "")
    return [(one, replace(seen, near=())) for one, seen in zip(found, looks, strict=True)]


def _digest(name: str) -> str:
    root = Path(witnessmark.__file__).parent
    files = [file for part in PARTS for file in (root / part).rglob("*") if file.suffix in (".py", ".toml", ".json")]
    return _of([*sorted(file for file in files if file.name not in NOT_LOOKING), data.file_of(name)])


@functools.cache
def _hash(file: Path) -> bytes:
    return hashlib.sha256(file.read_bytes()).digest()


def _of(files: Iterable[Path]) -> str:
    return hashlib.sha256(b"".join(_hash(file) for file in files)).hexdigest()[:16]
