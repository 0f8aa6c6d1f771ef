"""Example data for a first calibration: verdicts of two simulated judges with what became of the work. The same every time.

One judge is steady, the other sounds surer than it is. They exist in no record; they show what a calibration looks like
before a workspace has outcomes of its own.
"""

from __future__ import annotations

import functools
import random
from typing import Literal

from witnessmark.core.thresholds import threshold
from witnessmark.insight.calibration import JudgeSource, Sample

EACH = 600
STEADY = JudgeSource(check="rubric", version="2", judge="example/steady", kind="reported")
EAGER = JudgeSource(check="rubric", version="2", judge="example/eager", kind="reported")


@functools.cache
def labels() -> tuple[Sample, ...]:
    """Six hundred words of each judge."""
    chance = random.Random(11)  # noqa: S311 - a story, not a secret
    return tuple(_sample(chance, source, number) for number in range(EACH) for source in (STEADY, EAGER))


def _sample(chance: random.Random, source: JudgeSource, number: int) -> Sample:
    """The work is good as often as the steady judge's score says; the eager one gives everything a third more than it is worth."""
    truth = chance.choices(
        (chance.uniform(0.96, 1.0), chance.uniform(0.3, 0.9), chance.uniform(0.0, 0.08)), (58, 24, 18)
    )[0]
    seen = min(1.0, max(0.0, truth + chance.gauss(0, 0.05)))
    score = round(seen if source is STEADY else 1 - 0.66 * (1 - seen), 3)
    status: Literal["pass", "partial", "fail"] = (
        "pass" if score >= threshold("pass") else "partial" if score >= threshold("retry") else "fail"
    )
    sure = round(min(1.0, 0.5 + abs(score - 0.5) * 0.95), 3)
    good = chance.random() < truth
    return Sample(source=source, status=status, score=score, confidence=sure, good=good, group=f"task-{number % 150}")
