"""Everything the overview page and the report draw, from the store's counts alone. Knows no page and no record."""

from __future__ import annotations

from trueline.insight.figure import Figure
from trueline.tallies import Counted
from trueline.values import Value


class Point(Value, frozen=True):
    """One day or hour: when it began (seconds since 1970, UTC) and how many runs came out how."""

    at: int
    outcomes: dict[str, int] = {}
    actions: dict[str, int] = {}
    runs: int = 0
    cost_usd: float = 0.0


class Share(Value, frozen=True):
    """A part of a whole beside what was expected of it; `low` and `high` are the expectation's bounds."""

    name: str
    n: int
    share: float | None
    low: float | None = None
    high: float | None = None


class Group(Value, frozen=True):
    """The runs of one checkpoint, complexity, agent or judge."""

    name: str
    runs: int
    outcomes: dict[str, int] = {}
    mean_score: float | None = None


class Pattern(Value, frozen=True):
    """A category of finding: in how many runs, and how retries after it went."""

    category: str
    runs: int
    retries: int = 0
    retry_success: float | None = None


class Cost(Value, frozen=True):
    """What verifying cost beside the work; a run of unknown price is counted in `unknown_runs` and adds no dollars."""

    verification_usd: float = 0.0
    work_usd: float | None = None
    share: float | None = None
    unknown_runs: int = 0
    judge_calls: int = 0
    tokens: int = 0
    cached: int = 0
    seconds: float = 0.0


class Overview(Value, frozen=True):
    """A workspace over a period of whole days."""

    workspace: str
    since: float | None
    until: float | None
    runs: int = 0
    unit: str = "day"
    series: tuple[Point, ...] = ()
    outcomes: dict[str, int] = {}
    actions: dict[str, int] = {}
    unverified_because: dict[str, int] = {}
    by_complexity: tuple[Group, ...] = ()
    by_checkpoint: tuple[Group, ...] = ()
    by_agent: tuple[Group, ...] = ()
    by_judge: tuple[Group, ...] = ()
    retries_needed: tuple[Share, ...] = ()
    confidence: dict[str, tuple[int, ...]] = {}
    """Ten bins from 0 to 1 for each kind of confidence."""
    scores: tuple[int, ...] = ()
    """Twenty bins from 0 to 1."""
    patterns: tuple[Pattern, ...] = ()
    cost: Cost = Cost()
    figures: dict[str, Figure] = {}


async def overview(store: Counted, workspace: str, since: float | None = None, until: float | None = None) -> Overview:
    """All of it; times are seconds since 1970 and rounded outwards to whole days."""
    raise NotImplementedError
