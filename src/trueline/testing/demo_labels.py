"""Example data for a first calibration: verdicts of two simulated judges with what became of the work. The same every time.

One judge is steady, the other sounds surer than it is. They exist in no record; they show what a calibration looks like
before a workspace has outcomes of its own.
"""

from __future__ import annotations

import functools
import random
from typing import Literal

from trueline.insight.calibration import Sample, Source

EACH = 600
STEADY = Source(check="rubric", version="2", judge="example/steady", kind="reported")
EAGER = Source(check="rubric", version="2", judge="example/eager", kind="reported")


@functools.cache
def labels() -> tuple[Sample, ...]:
    """Six hundred words of each judge."""
    chance = random.Random(11)  # noqa: S311 - a story, not a secret
    return tuple(_sample(chance, source, number) for number in range(EACH) for source in (STEADY, EAGER))


def _sample(chance: random.Random, source: Source, number: int) -> Sample:
    """The work is good as often as the steady judge's score says; the eager one pushes its scores to the ends."""
    truth = min(1.0, max(0.0, chance.betavariate(2.6, 0.75)))
    good = chance.random() < truth
    seen = min(1.0, max(0.0, truth + chance.gauss(0, 0.07)))
    score = seen if source is STEADY else min(1.0, max(0.0, 0.5 + (seen - 0.5) * 0.55 + 0.22))
    status: Literal["pass", "partial", "fail"] = "pass" if score >= 0.7 else "partial" if score >= 0.5 else "fail"
    sure = min(1.0, 0.5 + abs(score - 0.5) * (0.95 if source is STEADY else 1.2))
    return Sample(
        source=source,
        status=status,
        score=round(score, 3),
        confidence=round(sure, 3),
        good=good,
        group=f"task-{number % 150}",
    )
