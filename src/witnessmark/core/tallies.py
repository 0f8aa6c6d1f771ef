"""Counts of what was verified, as a store keeps them: changed with every record, override and outcome, read by insight.

All numbers are whole: scores in billionths, dollars in billionths, time in millionths, so that sums do not depend on their
order. A day is UTC and written as its first second. Knows neither tables nor metrics.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, runtime_checkable

from witnessmark.core.record import Record

BILLION = 1_000_000_000
MILLION = 1_000_000
DAY_S, HOUR_S = 86_400, 3_600
BINS = 10
SCORE_BINS = 20


class RunKey(NamedTuple):
    """What runs are counted by, all at once."""

    day: int
    checkpoint: str
    attempt: int
    outcome: str
    action: str


NO_KEY = RunKey(0, "", 0, "", "")


class RunSums(NamedTuple):
    """What is added up of the runs under one key.

    `priced`, `worked` and `paired` count the runs where that cost, the work's cost, or both are known.
    """

    runs: int = 0
    scored: int = 0
    score: int = 0
    micros: int = 0
    judge_calls: int = 0
    tokens: int = 0
    cached: int = 0
    priced: int = 0
    cost: int = 0
    worked: int = 0
    work: int = 0
    paired: int = 0
    paired_cost: int = 0
    paired_work: int = 0


@dataclass(frozen=True, slots=True)
class RunTally:
    """The sums under a key; a part of it that was not asked for is empty."""

    key: RunKey
    sums: RunSums


@dataclass(frozen=True, slots=True)
class TallyMark:
    """How often something was counted: `measure` says what, `key` which one, `total` is a second sum where there is one."""

    measure: str
    bucket: int
    key: str
    n: int
    total: int = 0


@dataclass(frozen=True, slots=True)
class LabelledVerification:
    """A verification with the newest word of a person and of the world about it."""

    record: Record
    at: float
    override: str | None = None
    outcome: str | None = None
    agent: str = ""
    complexity: str = "MEDIUM"

    @property
    def truth(self) -> str | None:
        """What is known about the work: what really happened, else what a person said; None where that settles nothing."""
        told = self.outcome or self.override
        return told if told in ("pass", "partial", "fail") else None


@runtime_checkable
class TallyStore(Protocol):
    """A store that keeps counts."""

    async def run_tallies(
        self,
        workspace: str,
        since: float | None = None,
        until: float | None = None,
        *,
        by: Sequence[str] = RunKey._fields[1:],
        sums: Sequence[str] = RunSums._fields,
    ) -> Sequence[RunTally]:
        """The runs of these days, counted by these parts of the key; the other parts, and sums not asked for, are empty."""
        ...

    async def marks(
        self,
        workspace: str,
        measures: Sequence[str],
        since: float | None = None,
        until: float | None = None,
        *,
        by_bucket: bool = False,
    ) -> Sequence[TallyMark]:
        """These measures over these days, counted; buckets are 0 unless asked for."""
        ...

    async def labelled(
        self, workspace: str, since: float | None = None, until: float | None = None
    ) -> Sequence[LabelledVerification]:
        """Every verification that a person or the world said something about."""
        ...

    async def workspaces(self) -> Sequence[str]:
        """The workspaces that have anything."""
        ...
