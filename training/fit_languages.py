"""Fit how an embedded model's word counts in languages that it was not trained in, and write checks/grounding/languages.json.

    python training/fit_languages.py local local-fast      # the models by id; others keep what they have

The answers (languages.jsonl.xz: German, French and Spanish, written by somebody who had not seen the rules, right ones and the same with one
thing made false) are read by the weights that were fitted in English. Two numbers, scale and shift, then take the log odds of a claim to how often
such claims are right, once for answers of several claims and once for single statements. The mark of an answer is the lowest that at most
ACCEPTED of the wrong ones reach. Needs numpy.
"""

from __future__ import annotations

import argparse
import json
import lzma
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [
    str(ROOT / "src"),
    *(str(ROOT / "models" / name / "src") for name in ("local", "local_large")),
    str(ROOT),
]

from training.regression import fit  # noqa: E402
from witnessmark.checks.grounding import whole_answer  # noqa: E402
from witnessmark.checks.grounding.claims import claims  # noqa: E402
from witnessmark.checks.grounding.decision import decide, fitted, probability, shaped  # noqa: E402
from witnessmark.checks.grounding.evidence import EvidenceSource, Index  # noqa: E402
from witnessmark.checks.grounding.features import look_all  # noqa: E402
from witnessmark.checks.grounding.grounding_check import read  # noqa: E402
from witnessmark.checks.grounding.reading.language import language_of  # noqa: E402
from witnessmark.core.verdict import log_odds  # noqa: E402
from witnessmark.judges.local import choose  # noqa: E402

LANGUAGES = ["de", "es", "fr"]
"""The languages of the set: what was not measured is not asked."""
DATA = Path(__file__).with_name("languages.jsonl.xz")
OUT = ROOT / "src" / "witnessmark" / "checks" / "grounding" / "languages.json"
ACCEPTED = 0.15
"""The share of wrong answers that may pass. Another writer's then pass in 22 of a hundred, as many as in English (bench/RESULTS.md)."""


@dataclass(frozen=True)
class ReadAnswer:
    """An answer with the log odds of its open claims, the probabilities of those that rules settle, and which claims are wrong."""

    odds: tuple[float | None, ...]
    settled: tuple[float, ...]
    wrong: tuple[bool, ...]
    about: dict[str, float]

    def chances(self, scale: float, shift: float) -> list[float]:
        """The probability of each claim by these two numbers."""
        pairs = zip(self.odds, self.settled, strict=True)
        return [ruled if odds is None else 1 / (1 + np.exp(-(scale * odds + shift))) for odds, ruled in pairs]


def answers(ident: str) -> list[ReadAnswer]:
    """The answers of the set as the model of this id reads them with the rules."""
    model = choose(ident.removesuffix("-fast"), fast=ident.endswith("-fast")).model
    assert model is not None, f"{ident} is not installed"
    with lzma.open(DATA, "rt", encoding="utf-8") as rows:
        return [one for row in rows if (one := _read(json.loads(row), model, ident)) is not None]


def _read(row: dict[str, Any], model: Any, ident: str) -> ReadAnswer | None:
    found = [one for one in claims(row["answer"], row["question"]) if one.checkable]
    sources = [EvidenceSource(f"s{number}", text) for number, text in enumerate(row["sources"], 1)]
    language, _ = language_of(row["answer"], sources)
    if not found or language is None:
        return None
    index = Index(sources, row["answer"], language)
    looks = look_all(found, index, language, row["question"])
    known = shaped(fitted(ident), single=len(found) == 1, brief=looks[0].features["brief"])
    scores = read(model, [one.text for one in found], index, alone=len(found) == 1)
    decided = [decide(seen, score, None, known) for seen, score in zip(looks, scores, strict=True)]
    odds = [
        None if one.by == "rule" else log_odds(probability(seen.features, score, known))
        for one, seen, score in zip(decided, looks, scores, strict=True)
    ]
    at = row["answer"].find(row["wrong"]) if row["wrong"] else len(row["answer"])
    wrong = [one.span[0] < at + len(row["wrong"]) and at < one.span[1] for one in found]
    about = whole_answer.traits([seen.features for seen in looks])
    return ReadAnswer(tuple(odds), tuple(one.probability for one in decided), tuple(wrong), about)


def calibrated(found: list[ReadAnswer]) -> tuple[float, float]:
    """The scale and the shift that make the open claims most likely."""
    rows = [
        (odds, not wrong) for one in found for odds, wrong in zip(one.odds, one.wrong, strict=True) if odds is not None
    ]
    line = fit(np.array([[odds] for odds, _ in rows]), np.array([float(right) for _, right in rows]), 1e6)
    return round(float(line.slopes[0]), 3), round(line.intercept, 3)


def mark(said: list[float], wrong: list[bool]) -> float:
    """The lowest mark that at most ACCEPTED of the wrong ones reach, and never below one half."""
    reached = sorted((one for one, bad in zip(said, wrong, strict=True) if bad), reverse=True)
    return round(max(0.5, reached[int(ACCEPTED * len(reached))] + 0.001), 3)


def by_language(ident: str) -> dict[str, Any]:
    """What `in_language` gives for a model."""
    found, known = answers(ident), fitted(ident)
    made: dict[str, Any] = {}
    for single in (True, False):
        mine = [one for one in found if (len(one.odds) == 1) is single]
        scale, shift = calibrated(mine)
        chances = [one.chances(scale, shift) for one in mine]
        holds = [
            whole_answer.holds(each, one.about, {} if single else known)
            for each, one in zip(chances, mine, strict=True)
        ]
        at = mark(holds, [any(one.wrong) for one in mine])
        passed = np.mean([said >= at for said, one in zip(holds, mine, strict=True) if not any(one.wrong)])
        print(
            f"{ident}{' single' if single else ''}: {len(mine)} texts, mark {at}, {passed:.2f} of the right ones reach it"
        )
        entry = {
            "scale": scale,
            "shift": shift,
            "supported_at": at if single else 0.5,
            "partial_at": 0.5,
            "answer_at": at,
        }
        made = {**entry, "single": made, "languages": LANGUAGES} if not single else entry
    return made


def main() -> None:
    """Fit the named models."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("models", nargs="+")
    kept = json.loads(OUT.read_text(encoding="utf-8"))
    kept |= {ident: by_language(ident) for ident in parser.parse_args().models}
    OUT.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
