"""Everything the overview page and the report draw, from the store's counts alone. Knows no page and no record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from witnessmark.core.tallies import BILLION, BINS, DAY_S, MILLION, SCORE_BINS, RunTally, TallyMark, TallyStore
from witnessmark.core.values import Value
from witnessmark.insight.figure import Figure
from witnessmark.insight.metrics import breakdowns, figures_of, spent_usd
from witnessmark.insight.period import PeriodData, gather
from witnessmark.insight.roi import Roi, compute_roi

EXPECTED_RETRIES = {"0": (0.60, 0.70), "1": (0.25, 0.30), "2": (0.0, 0.05)}
"""The share of requests that should need so many retries."""
HOURLY_DAYS, MOST = 3, 12
MOST_RETRIES = 9
"""So many retries and more are counted together: whoever sends an attempt may give it any number."""
_OUTCOME_OF = {"abstain": "unverified", "error": "unverified"}
"""A judge's word by the outcome it is drawn as: one that says nothing leaves its check unverified."""


class OverviewPoint(Value, frozen=True):
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
    scored: int = 0
    """How many of the runs have a score: what the mean is over."""


class Pattern(Value, frozen=True):
    """A category of finding: in how many runs, and how retries after it went."""

    category: str
    runs: int
    retries: int = 0
    retry_success: float | None = None


class Cost(Value, frozen=True):
    """What verifying cost beside the work; a run of unknown price is counted in `unknown_runs` and adds no dollars."""

    verification_usd: float | None = 0.0
    """None where there are runs, and the price of none of them is known."""
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
    series: tuple[OverviewPoint, ...] = ()
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
    by: dict[str, dict[str, Figure]] = {}
    """Metrics for each level, agent and category: `metric.by_what`, then the name."""
    worth: Roi | None = None


async def overview(
    store: TallyStore, workspace: str, since: float | None = None, until: float | None = None
) -> Overview:
    """All of it; times are seconds since 1970 and rounded outwards to whole days."""
    found = await gather(store, workspace, since, until)
    hourly = since is not None and until is not None and until - since <= HOURLY_DAYS * DAY_S
    if hourly:
        series = _hours(await store.marks(workspace, ("hour",), since, until, by_bucket=True))
    else:
        series = _days(
            await store.run_tallies(workspace, since, until, by=("day", "outcome", "action"), sums=("runs", "cost"))
        )
    return Overview(
        workspace=workspace,
        since=since,
        until=until,
        runs=found.count(),
        unit="hour" if hourly else "day",
        series=series,
        outcomes=_counts(found, "outcome"),
        actions=_counts(found, "action"),
        unverified_because={mark.key: mark.n for mark in _most(found.marks("because"))},
        by_complexity=_marked(found.marks("complexity"), _means(found, "complexity_score"), {}),
        by_checkpoint=_groups(found, "checkpoint"),
        by_agent=_marked(found.marks("agent"), _means(found, "agent_score"), {}),
        by_judge=_marked(found.marks("judge"), {}, _OUTCOME_OF),
        retries_needed=_retries(found),
        confidence=_confidence(found.marks("confidence")),
        scores=_scores(found.marks("score")),
        patterns=_patterns(found),
        cost=_cost(found),
        figures=figures_of(found),
        by=breakdowns(found),
        worth=compute_roi(found),
    )


def _counts(found: PeriodData, name: str) -> dict[str, int]:
    counts: dict[str, int] = {}
    for tally in found.runs:
        word = getattr(tally.key, name)
        counts[word] = counts.get(word, 0) + tally.sums.runs
    return counts


def _days(tallies: Sequence[RunTally]) -> tuple[OverviewPoint, ...]:
    days: dict[int, list[RunTally]] = {}
    for tally in tallies:
        days.setdefault(tally.key.day, []).append(tally)
    return tuple(
        _point(day, [(t.key.outcome, t.key.action, t.sums.runs, t.sums.cost) for t in days[day]])
        for day in sorted(days)
    )


def _hours(marks: Sequence[TallyMark]) -> tuple[OverviewPoint, ...]:
    hours: dict[int, list[tuple[str, str, int, int]]] = {}
    for mark in marks:
        outcome, _, action = mark.key.partition("|")
        hours.setdefault(mark.bucket, []).append((outcome, action, mark.n, mark.total))
    return tuple(_point(hour, hours[hour]) for hour in sorted(hours))


def _point(at: int, some: Sequence[tuple[str, str, int, int]]) -> OverviewPoint:
    outcomes: dict[str, int] = {}
    actions: dict[str, int] = {}
    for outcome, action, n, _ in some:
        outcomes[outcome] = outcomes.get(outcome, 0) + n
        actions[action] = actions.get(action, 0) + n
    cost = sum(cost for _, _, _, cost in some) / BILLION
    return OverviewPoint(at=at, outcomes=outcomes, actions=actions, runs=sum(outcomes.values()), cost_usd=cost)


def _groups(found: PeriodData, name: str) -> tuple[Group, ...]:
    grouped: dict[str, list[RunTally]] = {}
    for tally in found.runs:
        grouped.setdefault(getattr(tally.key, name), []).append(tally)
    made = []
    for word, tallies in grouped.items():
        outcomes: dict[str, int] = {}
        for tally in tallies:
            outcomes[tally.key.outcome] = outcomes.get(tally.key.outcome, 0) + tally.sums.runs
        scored, score = sum(t.sums.scored for t in tallies), sum(t.sums.score for t in tallies)
        mean = score / scored / BILLION if scored else None
        made.append(Group(name=word, runs=sum(outcomes.values()), outcomes=outcomes, mean_score=mean, scored=scored))
    return tuple(sorted(made, key=lambda group: (-group.runs, group.name)))


def _means(found: PeriodData, measure: str) -> dict[str, tuple[float, int]]:
    """The mean score of each, and over how many."""
    return {mark.key: (mark.total / mark.n / BILLION, mark.n) for mark in found.marks(measure) if mark.n}


def _marked(
    marks: Sequence[TallyMark], means: Mapping[str, tuple[float, int]], outcome_of: Mapping[str, str]
) -> tuple[Group, ...]:
    """Marks of `word|name` by name; a word that is no outcome counts as the one that `outcome_of` gives."""
    grouped: dict[str, dict[str, int]] = {}
    for mark in marks:
        word, _, name = mark.key.partition("|")
        outcomes, outcome = grouped.setdefault(name, {}), outcome_of.get(word, word)
        outcomes[outcome] = outcomes.get(outcome, 0) + mark.n
    made = []
    for name, outcomes in grouped.items():
        mean, scored = means.get(name, (None, 0))
        made.append(Group(name=name, runs=sum(outcomes.values()), outcomes=outcomes, mean_score=mean, scored=scored))
    return tuple(sorted(made, key=lambda group: (-group.runs, group.name))[:MOST])


def _retries(found: PeriodData) -> tuple[Share, ...]:
    """Requests by how many retries they took: those that came to attempt k + 1, less those that went on."""
    at: dict[int, int] = {}
    for tally in found.runs:
        at[tally.key.attempt] = at.get(tally.key.attempt, 0) + tally.sums.runs
    requests = at.get(1, 0)
    beyond = max((n for attempt, n in at.items() if attempt > MOST_RETRIES), default=0)
    came = [at.get(attempt, 0) for attempt in range(1, max(3, min(max(at, default=1), MOST_RETRIES)) + 1)]
    shares = []
    for retries, (reached, went_on) in enumerate(zip(came, [*came[1:], beyond], strict=True)):
        n = max(0, reached - went_on)
        low, high = EXPECTED_RETRIES.get(str(retries), (None, None))
        shares.append(Share(name=str(retries), n=n, share=n / requests if requests else None, low=low, high=high))
    if beyond:
        shares.append(Share(name=f"{MOST_RETRIES}+", n=beyond, share=beyond / requests if requests else None))
    return tuple(shares)


def _confidence(marks: Sequence[TallyMark]) -> dict[str, tuple[int, ...]]:
    kinds: dict[str, list[int]] = {}
    for mark in marks:
        kind, _, at = mark.key.rpartition("|")
        kinds.setdefault(kind, [0] * BINS)[int(at)] += mark.n
    return {kind: tuple(bins) for kind, bins in sorted(kinds.items())}


def _scores(marks: Sequence[TallyMark]) -> tuple[int, ...]:
    bins = [0] * SCORE_BINS
    for mark in marks:
        bins[int(mark.key)] += mark.n
    return tuple(bins)


def _patterns(found: PeriodData) -> tuple[Pattern, ...]:
    """The most frequent categories of finding, with how retries after them went."""
    made = []
    for mark in _most(found.marks("category")):
        retries, passed = found.mark("retry", mark.key)
        success = passed / retries if retries else None
        made.append(Pattern(category=mark.key, runs=mark.n, retries=retries, retry_success=success))
    return tuple(made)


def _most(marks: Sequence[TallyMark]) -> list[TallyMark]:
    return sorted(marks, key=lambda mark: (-mark.n, mark.key))[:MOST]


def _cost(found: PeriodData) -> Cost:
    worked, paired_work = found.total("worked"), found.total("paired_work")
    runs, priced = found.count(), found.total("priced")
    return Cost(
        verification_usd=spent_usd(found) if priced or not runs else None,
        work_usd=found.total("work") / BILLION if worked else None,
        share=found.total("paired_cost") / paired_work if paired_work else None,
        unknown_runs=runs - priced,
        judge_calls=found.total("judge_calls"),
        tokens=found.total("tokens"),
        cached=found.total("cached"),
        seconds=found.total("micros") / MILLION,
    )
