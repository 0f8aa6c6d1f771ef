"""The figures of the metric dictionary from a store's counts: the same for the command line, the API, Prometheus and pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from witnessmark.core.tallies import BILLION, SCORE_BINS, TallyStore
from witnessmark.insight.dictionary import BY_NAME, DICTIONARY, PASSED_AT, STRICTER
from witnessmark.insight.figure import Figure, Metric, State
from witnessmark.insight.period import Label, PeriodData, gather, known
from witnessmark.insight.statistics import wilson

__all__ = ["DICTIONARY", "Figure", "Metric", "breakdowns", "calls_saved", "figures", "figures_of", "measured"]
Parts = tuple[float, float, int]
"""Numerator, denominator, and how many cases stand behind the denominator. Cases are counted in whole numbers, dollars are not."""


async def figures(
    store: TallyStore, workspace: str, since: float | None = None, until: float | None = None
) -> dict[str, Figure]:
    """Every metric of the dictionary, by name."""
    return figures_of(await gather(store, workspace, since, until))


def figures_of(found: PeriodData) -> dict[str, Figure]:
    """Every metric of the dictionary from counts that were read already."""
    parts = _of_runs(found) | _of_labels(found) | _of_money(found)
    return {metric.name: measured(metric, *parts[metric.name]) for metric in DICTIONARY}


def measured(metric: Metric, numerator: float, denominator: float, n: int) -> Figure:
    """One figure: unknown below the metric's sample, else where it stands. A share of cases has an interval, one of dollars none."""
    enough = n >= metric.min_sample and denominator > 0
    value = numerator / denominator if enough else None
    of_cases = metric.unit == "share" and isinstance(denominator, int)
    bounds = wilson(numerator, denominator) if of_cases else None
    state = _state(metric, value)
    return Figure(
        name=metric.name,
        value=value,
        n=n,
        low=bounds[0] if bounds else None,
        high=bounds[1] if bounds else None,
        numerator=numerator,
        denominator=denominator,
        target=metric.target,
        state=state,
        advice=_ADVICE.get(metric.name, "") if state in ("alert", "below_target") else "",
    )


def _state(metric: Metric, value: float | None) -> State:
    """Unknown · ok · below_target · alert; a figure without a target is ok once it is known."""
    if value is None:
        return "unknown"
    sign = 1.0 if metric.better == "higher" else -1.0
    if metric.alert is not None and sign * value < sign * metric.alert - 1e-12:
        return "alert"
    if metric.target is not None and sign * value < sign * metric.target - 1e-12:
        return "below_target"
    return "ok"


_ADVICE = {
    "catch_rate": "Review the bad work that was let through, and adjust the thresholds: work that scored high and failed "
    "asks for a higher pass threshold. `witnessmark calibrate what-if` shows what a change would do.",
    "false_rejection_rate": "Review the good work that was stopped, and relax the thresholds: work that scored low and "
    "succeeded asks for a lower pass threshold. `witnessmark calibrate what-if` shows what a change would do.",
    "retry_success": "Review the quality of the feedback and improve the prompts: retries do not help as they should.",
    "verification_cost_share": "Verifying is expensive compared with the work: let deterministic checks go first, skip judges below a "
    "cost, or choose a cheaper judge that qualifies.",
    "hallucination_rate": "Review what was let through without support in its sources; raise the pass threshold of the answer checkpoint.",
    "corrective_trigger_rate": "Many answers go into the corrective loop: look at the retriever and at the threshold.",
}


def _of_runs(found: PeriodData) -> dict[str, Parts]:
    runs, first = found.count(), found.count(lambda key: key.attempt == 1)
    later = found.count(lambda key: key.attempt > 1)
    passed_later = found.count(lambda key: key.attempt > 1 and key.outcome == "pass")
    answers = found.count(lambda key: key.attempt == 1 and key.checkpoint == "answer")
    into_loop = found.count(lambda key: key.attempt == 1 and key.checkpoint == "answer" and key.action == "correct")
    corrected, helped = found.mark("retry", "@correct")
    scored = found.total("scored")
    saved, sent_back = calls_saved(_score_bins(found), PASSED_AT, STRICTER)
    return {
        "pass_rate": _share(found.count(lambda key: key.outcome == "pass"), runs),
        "pass_at_first_attempt": _share(found.count(lambda key: key.attempt == 1 and key.outcome == "pass"), first),
        "mean_retries": _share(later, first),
        "unverified_rate": _share(found.count(lambda key: key.outcome == "unverified"), runs),
        "escalation_rate": _share(found.count(lambda key: key.action == "escalate"), runs),
        "retry_success": _share(passed_later, later),
        "corrective_trigger_rate": _share(into_loop, answers),
        "corrective_success_rate": _share(helped, corrected),
        "calls_saved": _share(saved, sent_back),
        "mean_score": (found.total("score") / BILLION, scored, scored),
    }


def _of_labels(found: PeriodData) -> dict[str, Parts]:
    labels = found.labels
    every = known(labels)
    caught, missed = known(labels, False, "stopped"), known(labels, False, "through")
    rejected, let = known(labels, True, "stopped"), known(labels, True, "through")
    disagreed = sum(label.n for label in labels if label.disagrees)
    reviewed = sum(label.n for label in labels if label.override is not None)
    told = [label for label in labels if label.checkpoint in ("answer", "synthesis") and label.decided == "through"]
    return {
        "catch_rate": _share(caught, caught + missed),
        "false_rejection_rate": _share(rejected, every),
        "false_rejection_of_good": _share(rejected, rejected + let),
        "false_acceptance_rate": _share(missed, every),
        "false_acceptance_of_bad": _share(missed, caught + missed),
        "override_rate": _share(disagreed, found.count()),
        "disagreement_of_reviewed": _share(disagreed, reviewed),
        "hallucination_rate": _share(known(told, False), known(told)),
    }


def _of_money(found: PeriodData) -> dict[str, Parts]:
    spent, priced = spent_usd(found), found.total("priced")
    paired = found.total("paired")
    stopped = [label for label in found.labels if label.good is False and label.decided == "stopped"]
    ends = known(found.labels)
    return {
        "verification_cost_share": (found.total("paired_cost") / BILLION, found.total("paired_work") / BILLION, paired),
        "verification_return": (sum(label.work_usd for label in stopped), spent, ends if spent else 0),
        "cost_per_verification": (found.total("cost") / BILLION, priced, priced),
    }


def spent_usd(found: PeriodData) -> float:
    """Dollars spent on verifying, second readings included."""
    return (found.total("cost") + found.mark("audit", "cost")[1]) / BILLION


def _share(numerator: int, denominator: int) -> Parts:
    return numerator, denominator, denominator


def _score_bins(found: PeriodData) -> list[int]:
    bins = [0] * SCORE_BINS
    for mark in found.marks("score"):
        bins[int(mark.key)] += mark.n
    return bins


def calls_saved(bins: Sequence[int], threshold: float, instead_of: float) -> tuple[int, int]:
    """Of the runs a stricter threshold would send back, how many this one lets pass; thresholds in steps of 0.05."""
    width = len(bins)
    low, high = round(threshold * width), round(instead_of * width)
    return sum(bins[low:high]), sum(bins[:high])


# --- the same by level, agent and category ---------------------------------------------------------------------------


def breakdowns(found: PeriodData) -> dict[str, dict[str, Figure]]:
    """Metrics for each checkpoint (level), agent and category of finding: `metric.by_what`, then the name."""
    return {
        "pass_at_first_attempt.by_level": _first_by_level(found),
        "retry_success.by_issue": {
            mark.key: measured(BY_NAME["retry_success"], mark.total, mark.n, mark.n)
            for mark in found.marks("retry")
            if mark.key != "*" and not mark.key.startswith("@")
        },
        "override_rate.by_level": _overrides(found, _levels(found), lambda label: label.checkpoint),
        "override_rate.by_agent": _overrides(found, _agents(found), lambda label: label.agent),
        "override_rate.by_category": _by_category(found),
        "catch_rate.by_level": _caught(found.labels, lambda label: label.checkpoint),
        "catch_rate.by_agent": _caught(found.labels, lambda label: label.agent),
        "pass_rate.by_agent": _passed_by_agent(found),
    }


def _levels(found: PeriodData) -> dict[str, int]:
    runs: dict[str, int] = {}
    for tally in found.runs:
        runs[tally.key.checkpoint] = runs.get(tally.key.checkpoint, 0) + tally.sums.runs
    return runs


def _agents(found: PeriodData) -> dict[str, int]:
    runs: dict[str, int] = {}
    for mark in found.marks("agent"):
        agent = mark.key.partition("|")[2]
        runs[agent] = runs.get(agent, 0) + mark.n
    return runs


def _first_by_level(found: PeriodData) -> dict[str, Figure]:
    metric = BY_NAME["pass_at_first_attempt"]
    out = {}
    for level in _levels(found):
        every = found.count(lambda key, level=level: key.checkpoint == level and key.attempt == 1)  # type: ignore[misc]
        passed = found.count(
            lambda key, level=level: key.checkpoint == level and key.attempt == 1 and key.outcome == "pass"  # type: ignore[misc]
        )
        out[level] = measured(metric, passed, every, every)
    return out


def _overrides(found: PeriodData, runs: dict[str, int], name: Callable[[Label], str]) -> dict[str, Figure]:
    metric, disagreed = BY_NAME["override_rate"], dict.fromkeys(runs, 0)
    for label in found.labels:
        at = name(label)
        if label.disagrees and at in disagreed:
            disagreed[at] += label.n
    return {at: measured(metric, disagreed[at], n, n) for at, n in runs.items()}


def _by_category(found: PeriodData) -> dict[str, Figure]:
    metric = BY_NAME["override_rate"]
    out = {}
    for mark in found.marks("category"):
        labels: Sequence[Label] = found.labels_by_category.get(mark.key, ())
        out[mark.key] = measured(metric, sum(label.n for label in labels if label.disagrees), mark.n, mark.n)
    return out


def _caught(labels: Sequence[Label], name: Callable[[Label], str]) -> dict[str, Figure]:
    metric = BY_NAME["catch_rate"]
    grouped: dict[str, list[Label]] = {}
    for label in labels:
        grouped.setdefault(name(label), []).append(label)
    out = {}
    for at, some in grouped.items():
        caught, missed = known(some, False, "stopped"), known(some, False, "through")
        if at and caught + missed:
            out[at] = measured(metric, caught, caught + missed, caught + missed)
    return out


def _passed_by_agent(found: PeriodData) -> dict[str, Figure]:
    metric = BY_NAME["pass_rate"]
    passed = {m.key.partition("|")[2]: m.n for m in found.marks("agent") if m.key.startswith("pass|")}
    return {agent: measured(metric, passed.get(agent, 0), n, n) for agent, n in _agents(found).items()}
