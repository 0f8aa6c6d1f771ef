"""What one verification counts for, in numbers under keys. Pure: knows no database, and no metric.

A verification counts three ways: each of its runs on the day it was made; once among what people and the world said, on
the day it was first made; once as a retry of its parent.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from witnessmark.core.record import Record, Run, newest_word
from witnessmark.core.tallies import BILLION, BINS, DAY_S, HOUR_S, MILLION, SCORE_BINS
from witnessmark.core.verdict import GOES_ON
from witnessmark.stores import rows

LONGEST = 120
STOPPED = frozenset({"retry", "switch", "correct", "abort"})


@dataclass(slots=True)
class TallyCounts:
    """Numbers under keys, to be added to what is there."""

    runs: dict[tuple[Any, ...], list[int]] = field(default_factory=dict)
    marks: dict[tuple[str, str, int, str], list[int]] = field(default_factory=dict)

    def run(self, key: tuple[Any, ...], sums: Sequence[int]) -> None:
        """Add the sums of one run."""
        had = self.runs.get(key)
        self.runs[key] = list(sums) if had is None else [a + b for a, b in zip(had, sums, strict=True)]

    def mark(self, workspace: str, measure: str, bucket: int, key: str, n: int = 1, total: int = 0) -> None:
        """Add to one mark."""
        had = self.marks.get((workspace, measure, bucket, key))
        if had is None:
            self.marks[workspace, measure, bucket, key] = [n, total]
        else:
            had[0] += n
            had[1] += total

    def less(self, other: TallyCounts) -> TallyCounts:
        """These without the others."""
        left = TallyCounts({k: list(v) for k, v in self.runs.items()}, {k: list(v) for k, v in self.marks.items()})
        for key, sums in other.runs.items():
            left.run(key, [-one for one in sums])
        for (space, measure, bucket, mark), (n, total) in other.marks.items():
            left.mark(space, measure, bucket, mark, -n, -total)
        return left

    def add(self, other: TallyCounts) -> None:
        """Take the others in."""
        for key, sums in other.runs.items():
            self.run(key, sums)
        for (space, measure, bucket, mark), (n, total) in other.marks.items():
            self.mark(space, measure, bucket, mark, n, total)

    def nonzero(self) -> TallyCounts:
        """Without what adds nothing."""
        return TallyCounts(
            {k: v for k, v in self.runs.items() if any(v)}, {k: v for k, v in self.marks.items() if any(v)}
        )


@dataclass(frozen=True, slots=True)
class CountedVerification:
    """A verification as the store holds it, with all that its counts depend on."""

    record: Record
    first_at: float
    runs: tuple[Run, ...]
    override: str | None = None
    outcome: str | None = None
    parent: Record | None = None


def counted(
    record: Record, at: float, runs: tuple[Run, ...], words: Sequence[Record], parent: Record | None
) -> CountedVerification:
    """A record with what holds of the words on it, which come oldest first."""
    override, outcome = (newest_word(words, kind) for kind in ("override", "outcome"))
    said = (override.outcome if override else None, outcome.outcome if outcome else None)
    return CountedVerification(record, at, tuple([run for run in runs if run.complexity]), *said, parent)


def count(counts: TallyCounts, held: CountedVerification) -> None:
    """Everything one record counts for."""
    for run in held.runs:
        count_run(counts, held.record, run)
    if held.record.kind == "verification":
        _count_labels(counts, held)
        _count_retry(counts, held)


def count_run(counts: TallyCounts, record: Record, run: Run) -> None:
    """One run on its day; of a second reading only what it cost. What was purged counts no more."""
    if not run.complexity:
        return
    space, day = record.workspace, int(run.at // DAY_S) * DAY_S
    usage = run.usage
    cost = None if usage.cost_usd is None else round(usage.cost_usd * BILLION)
    if record.kind == "audit":
        counts.mark(space, "audit", day, "cost", 1, cost or 0)
    if record.kind != "verification":
        return
    work = None if run.work_usd is None else round(run.work_usd * BILLION)
    score = None if record.score is None else round(record.score * BILLION)
    paired = (cost, work) if cost is not None and work is not None else None
    key = (space, day, record.checkpoint, record.attempt, record.outcome, record.action)
    counts.run(
        key,
        (
            1, score is not None, score or 0, round(run.seconds * MILLION), usage.judge_calls, usage.tokens, usage.cached,
            cost is not None, cost or 0, work is not None, work or 0, paired is not None, *(paired or (0, 0)),
        ),
    )  # fmt: skip
    _count_marks(counts, record, run, day, score)


def _count_marks(counts: TallyCounts, record: Record, run: Run, day: int, score: int | None) -> None:
    space, mark = record.workspace, counts.mark
    hour, cost = int(run.at // HOUR_S) * HOUR_S, round((run.usage.cost_usd or 0.0) * BILLION)
    mark(space, "hour", hour, f"{record.outcome}|{record.action}", 1, cost)
    if record.confidence is not None:
        mark(space, "confidence", day, f"{record.confidence_source}|{_bin(record.confidence, BINS)}")
    mark(space, "complexity", day, f"{record.outcome}|{run.complexity}")
    if score is not None:
        mark(space, "complexity_score", day, run.complexity, 1, score)
        mark(space, "score", day, str(_bin(score / BILLION, SCORE_BINS)))
    if run.agent:
        agent = rows.clean(run.agent[:LONGEST])
        mark(space, "agent", day, f"{record.outcome}|{agent}")
        if score is not None:
            mark(space, "agent_score", day, agent, 1, score)
    if record.unverified_because is not None:
        mark(space, "because", day, record.unverified_because)
    for category in _categories(record):
        mark(space, "category", day, category)
    for said in record.results:
        if said.judge is not None:
            judge = rows.clean(said.judge[:LONGEST])
            mark(space, "judge", day, f"{said.status}|{judge}")
            mark(space, "source", day, f"{said.check}|{said.version}|{judge}")
    for claim in record.claims:
        mark(space, "claim", day, claim.status)


def _bin(value: float, bins: int) -> int:
    # A hair is added so that 0.7, which is a little less than seven tenths, stands in the bin that begins with it.
    return min(int(value * bins + 1e-9), bins - 1)


def _categories(record: Record) -> Iterable[str]:
    if not record.findings:
        return ()
    return dict.fromkeys(rows.clean(finding.category) for finding in record.findings if finding.severity != "info")


def decided(record: Record) -> str:
    """What the decision did with the work: let it through, stopped it, or handed it on to a person."""
    return "through" if record.action in GOES_ON else "stopped" if record.action in STOPPED else "handed_on"


def _count_labels(counts: TallyCounts, held: CountedVerification) -> None:
    record = held.record
    if held.override is None and held.outcome is None:
        return
    day = int(held.first_at // DAY_S) * DAY_S
    first = min(held.runs, key=lambda run: (run.at, run.id), default=None)
    agent = rows.clean(first.agent[:LONGEST]) if first else ""
    work = round((first.work_usd or 0.0) * BILLION) if first else 0
    told = [record.outcome, decided(record), held.override, held.outcome]
    counts.mark(record.workspace, "label", day, _key([record.checkpoint, agent, *told]), 1, work)
    for category in _categories(record):
        counts.mark(record.workspace, "label_category", day, _key([category, *told]))


def _count_retry(counts: TallyCounts, held: CountedVerification) -> None:
    record, parent = held.record, held.parent
    if parent is None or parent.kind != "verification" or record.attempt != parent.attempt + 1:
        return
    day = int(held.first_at // DAY_S) * DAY_S
    passed = int(record.outcome == "pass")
    for key in ("*", f"@{parent.action}", *_categories(parent)):
        counts.mark(record.workspace, "retry", day, key, 1, passed)


def _key(parts: Sequence[str | None]) -> str:
    return msgspec.json.encode(parts).decode()
