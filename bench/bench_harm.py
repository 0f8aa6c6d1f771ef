"""What the corrective loop does to answers whose label is known: false ones it leaves, true ones it touches, refusals it replaces.

The cases are a JSON Lines file of answers with their sources, each good or damaged in one known way (`label`, `false_words`),
written by people who did not write the rules; WITNESSMARK_CASES says where it lies. A right refusal is a question put beside
another case's sources, which are silent about it. The generator is the extractive one: no model writes.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from bench.measure import NO_DATA, ROOT, table
from witnessmark import Case, Settings, Verifier
from witnessmark.checks.grounding.confidence import ModelName, Verification
from witnessmark.integrations.answers import correct_answer
from witnessmark.retrieval.answer import Correction

CASES = Path(os.environ.get("WITNESSMARK_CASES", ROOT.parent / "dev" / "cases_dev.jsonl"))
REFUSAL = "The sources do not say."


@dataclass(frozen=True)
class Corrected:
    """One answer through the loop."""

    kind: str
    text: str
    false_words: str
    done: Correction

    @property
    def started(self) -> bool:
        return self.done.stop is not None

    @property
    def changed(self) -> bool:
        return self.done.response != self.text

    @property
    def grounded(self) -> bool:
        """Whether what came back is called grounded."""
        return self.done.grounded is True

    @property
    def false_words_left(self) -> bool:
        return bool(self.false_words) and self.false_words in self.done.response


def rows() -> list[tuple[str, Mapping[str, Any], str]]:
    """Kind, case and false words of every answer; and of every third good one a refusal beside foreign sources."""
    lines = [msgspec.json.decode(line) for line in CASES.read_bytes().splitlines() if line.strip()]
    answers = [line for line in lines if line["case"]["subject"]["kind"] == "answer"]
    good = [line["case"] for line in answers if line["label"] == "good"]
    found = [
        ("good" if line["label"] == "good" else "false", line["case"], line.get("false_words") or "")
        for line in answers
        if line["damage"] != "false_refusal"
    ]
    for number in range(0, len(good), 3):
        foreign = good[(number + len(good) // 2) % len(good)]["evidence"]
        asked = {"goal": good[number]["goal"], "subject": {"kind": "answer", "text": REFUSAL}, "evidence": foreign}
        found.append(("refusal", asked, ""))
    return found


async def _all(model: ModelName) -> list[Corrected]:
    verifier = Verifier(Settings(verification=Verification(mode="correct", model=model)))
    found = []
    for kind, told, false_words in rows():
        case = Case.from_dict({name: value for name, value in told.items() if name != "checkpoint"})
        done = await correct_answer(case, verifier)
        found.append(Corrected(kind, case.text, false_words, done))
    return found


def measured(model: ModelName) -> dict[str, Any]:
    """The figures with one model."""
    started = time.process_time()
    found = asyncio.run(_all(model))
    spent = time.process_time() - started
    good, false, refused = ([one for one in found if one.kind == kind] for kind in ("good", "false", "refusal"))
    marked = [one for one in false if one.false_words]
    return {
        "false answers that come back as they were and are called grounded": _of(
            [not one.changed and one.grounded for one in false]
        ),
        "false answers that come back changed": _of([one.changed for one in false]),
        "changed false answers whose false words are still there": _of(
            [one.false_words_left for one in marked if one.changed]
        ),
        "true answers that start the loop": _of([one.started for one in good]),
        "true answers that come back rewritten": _of([one.changed for one in good]),
        "right refusals replaced": _of([one.changed for one in refused]),
        "CPU an answer, ms": f"{1000 * spent / len(found):,.0f}",
    }


def _of(hits: list[bool]) -> str:
    return f"{sum(hits)} of {len(hits)}"


def report() -> str:
    """The section of bench/RESULTS.md."""
    head = "## What the corrective loop does to true and to false answers"
    if not CASES.exists():
        return f"{head}\n\n{NO_DATA}\n"
    by_rules, by_model = measured("rules"), measured("auto")
    lines = [(what, by_model[what], by_rules[what]) for what in by_rules]
    words = (
        "Answers with their sources, good or damaged in one way each, and right refusals (a question beside sources that are "
        "silent about it), in mode `correct` with the extractive generator and no judge."
    )
    return "\n\n".join([head, words, table(("what", "default model", "rules"), lines)])


if __name__ == "__main__":
    print(report())
