"""A period's counts, read once and looked at from several sides. Knows the store's counts; no target and no advice."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import msgspec

from witnessmark.core.tallies import BILLION, RunKey, RunTally, TallyMark, TallyStore

MEASURES = (
    "complexity", "complexity_score", "confidence", "score", "agent", "agent_score", "because", "category", "judge", "claim", "label", "label_category",
    "retry", "audit",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Label:
    """So many verifications of which people or the world said the same."""

    checkpoint: str
    agent: str
    said: str
    decided: str
    override: str | None
    outcome: str | None
    n: int
    work_usd: float = 0.0

    @property
    def good(self) -> bool | None:
        """Whether the work was good; None where that is not known."""
        told = self.outcome or self.override
        return {"pass": True, "fail": False}.get(told or "")

    @property
    def disagrees(self) -> bool:
        """Whether a person said something else than the verdict."""
        return self.override is not None and self.override != self.said


@dataclass(frozen=True, slots=True)
class PeriodData:
    """Runs, marks and labels of a workspace over a period."""

    runs: tuple[RunTally, ...]
    by_measure: dict[str, tuple[TallyMark, ...]]
    labels: tuple[Label, ...]
    labels_by_category: dict[str, tuple[Label, ...]] = field(default_factory=dict)

    def count(self, which: Callable[[RunKey], bool] = lambda key: True) -> int:
        """How many runs are so."""
        return sum(tally.sums.runs for tally in self.runs if which(tally.key))

    def total(self, name: str) -> int:
        """The sum of one column over the runs."""
        return sum(getattr(tally.sums, name) for tally in self.runs)

    def marks(self, measure: str) -> tuple[TallyMark, ...]:
        """The marks of a measure."""
        return self.by_measure.get(measure, ())

    def mark(self, measure: str, key: str) -> tuple[int, int]:
        """Count and total of one mark."""
        return next(((mark.n, mark.total) for mark in self.marks(measure) if mark.key == key), (0, 0))


async def gather(
    store: TallyStore, workspace: str, since: float | None = None, until: float | None = None
) -> PeriodData:
    """Read what was counted."""
    runs = await store.run_tallies(workspace, since, until)
    found: dict[str, list[TallyMark]] = {}
    for mark in await store.marks(workspace, MEASURES, since, until):
        found.setdefault(mark.measure, []).append(mark)
    by_category: dict[str, list[Label]] = {}
    for mark in found.get("label_category", ()):
        category, said, decided, override, outcome = msgspec.json.decode(mark.key)
        by_category.setdefault(category, []).append(Label("", "", said, decided, override, outcome, mark.n))
    return PeriodData(
        tuple(runs),
        {measure: tuple(marks) for measure, marks in found.items()},
        tuple(_labels(found.get("label", ()))),
        {category: tuple(labels) for category, labels in by_category.items()},
    )


def _labels(marks: Iterable[TallyMark]) -> Iterable[Label]:
    for mark in marks:
        checkpoint, agent, said, decided, override, outcome = msgspec.json.decode(mark.key)
        yield Label(checkpoint, agent, said, decided, override, outcome, mark.n, mark.total / BILLION)


def known(labels: Iterable[Label], good: bool | None = None, *decided: str) -> int:
    """How many verifications have a known end, of this goodness and decision where asked."""
    return sum(
        label.n
        for label in labels
        if label.good is not None and good in (None, label.good) and (not decided or label.decided in decided)
    )
