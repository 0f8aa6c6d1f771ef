"""What the embedded models made of the claims of the labelled sets, out of fold: bench/grounding_scores.json.xz.

Each row's scores are by a model that was trained without its context (training/RUNS.md, run 23, of the large model run 20; the written sets by the models that ship). They are kept by what the row and the
claim say, so that none lands on another: a claim that is read differently since has none until `keep` is run again. With each row stands the half that its model was trained without. Written by `keep` from the file that a training brings home.
"""

from __future__ import annotations

import functools
import gzip
import hashlib
import json
import lzma
import math
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from bench import grounding_data as data
from witnessmark.checks.grounding.statement import Statement
from witnessmark.core.protocols import Reading
from witnessmark.judges import local
from witnessmark.text import words

KEPT = Path(__file__).parent / "grounding_scores.json.xz"
FAST, SMALL, LARGE = "local-fast", "local", "local-large"
MODELS = (FAST, SMALL, LARGE)
ALIKE = 0.7
"""The share of words that a claim as it is read now must have in common with one that was scored."""
SHORTEST_PART, WITHIN = 4, 0.9
"""Words of a claim that is a part of one that was scored, and the share of them that must stand in it: a part has the score of the whole."""
COLUMNS = (("gte4", "n60", "n200"), ("gte8", "n160", "n200"), ("mpnet", "n160", "n200"))
"""What the fast part, the small and the large model are called in a training's file, with the words they read for a claim of several and for one alone."""


def readings(row: data.Row, found: Sequence[Statement]) -> list[dict[str, Reading]]:
    """For each claim, what each mode's model made of it; empty where the claim was not scored."""
    known: Mapping[str, Sequence[float | None]] = kept_scores().get(digest(row.id, row.response), ("", {}))[1]
    return [_modes(known.get(digest(one.text))) for one in found]


def _modes(scores: Sequence[float | None] | None) -> dict[str, Reading]:
    if scores is None:
        return {}
    read = [_reading(fit, *scores[3 * n : 3 * n + 3]) for n, fit in enumerate(_calibrations())]
    found = {name: one for name, one in zip((FAST, SMALL), read[:2], strict=True) if one is not None}
    if read[1] is not None and read[2] is not None:
        found[LARGE] = local.both(read[1], read[2])
    return found


def _reading(
    fit: Mapping[str, float], support: float | None, against: float | None, doubt: float | None
) -> Reading | None:
    if support is None or against is None:
        return None
    worst = None if doubt is None else _chance(doubt)
    return Reading(_chance(fit["scale"] * support + fit["shift"]), _chance(against), None, worst)


@functools.cache
def _calibrations() -> tuple[Mapping[str, float], ...]:
    small, large = (import_module(local.PACKAGES[name]).card() for name in (SMALL, LARGE))
    return tuple(card["calibration"]["statements"] for card in (small["fast"], small, large))


@functools.cache
def kept_scores() -> Mapping[str, Any]:
    read: dict[str, Any] = json.loads(lzma.decompress(KEPT.read_bytes())) if KEPT.is_file() else {}
    return read


def keep(file: Path) -> None:
    """Write the kept scores from a training's JSON lines of rows with the log-probabilities of their claims."""
    rows = {(name, row.id): row for name in (*data.REAL, *data.SINGLE, *data.WRITTEN) for row in data.rows(name)}
    made: dict[str, Any] = {}
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for one in map(json.loads, lines):
            row = rows.get((one["set"], one["id"]))
            if row is not None:
                found = row.statements()
                said = {c["text"]: _numbers(c, alone=len(found) == 1) for c in one["claims"]}
                texts = {text: scores for s in found if (scores := said.get(_nearest(text := s.text, said)))}
                made[digest(row.id, row.response)] = [one["fold"], {digest(text): x for text, x in texts.items()}]
    KEPT.write_bytes(lzma.compress(json.dumps(made, separators=(",", ":")).encode()))
    kept_scores.cache_clear()


def _numbers(claim: Mapping[str, Any], *, alone: bool) -> list[float | None]:
    """What each column says of a claim, by the words that are read for it."""
    read = [(model, one if alone else several) for model, several, one in COLUMNS]
    return [x for model, words in read for x in numbers_of(claim[model] and claim[model][words])]


def _nearest(text: str, scored: Iterable[str]) -> str:
    """The claim that was scored with the same words, but for an opening or a name in place of a pronoun; empty where none is."""
    mine = set(words.words(text.lower()))

    def alike(other: str) -> float:
        theirs = set(words.words(other.lower()))
        part = len(mine) >= SHORTEST_PART and len(mine & theirs) >= WITHIN * len(mine)
        return max(len(mine & theirs) / max(1, len(mine | theirs)), ALIKE if part else 0.0)

    best = text if text in scored else max(scored, key=alike, default="")
    return best if alike(best) >= ALIKE else ""


def numbers_of(said: Sequence[float | None] | None) -> tuple[float | None, float | None, float | None]:
    """Log odds of supported, of contradicted against not mentioned, and of the worst word being wrong, from three log-probabilities and that last one; none from none."""
    if said is None:
        return None, None, None
    supported, against, absent, doubt = said
    if supported is None or against is None or absent is None:
        return None, None, None
    either = max(against, absent) + math.log1p(math.exp(-abs(against - absent)))
    return round(supported - either, 2), round(against - absent, 2), None if doubt is None else round(doubt, 2)


def digest(*parts: str) -> str:
    """The name that a row or a claim is kept under."""
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:10]


def _chance(logit: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(-60.0, min(60.0, logit))))
