"""Two set-ups side by side on the same cases: where they agree, what each costs, which one is right where that is known.

Knows what each side said, not how it came to say it.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from witnessmark.core.errors import InputError
from witnessmark.core.values import Value, canonical, digest, parse
from witnessmark.insight import statistics as stats
from witnessmark.insight.artifacts import ArtifactStore

NAMESPACE = "experiments"
SHOWN = 50


class SetupVerdict(Value, frozen=True):
    """What one set-up said about one case."""

    case: str
    outcome: str
    action: str
    score: float | None = None
    cost_usd: float | None = 0.0
    judge_calls: int = 0
    seconds: float = 0.0
    record: str = ""


class Side(Value, frozen=True):
    """One set-up over all cases; what it caught and missed is known of labelled cases only."""

    name: str
    outcomes: dict[str, int] = {}
    cost_usd: float | None = 0.0
    judge_calls: int = 0
    seconds_p50: float | None = None
    seconds_p95: float | None = None
    caught: int = 0
    missed: int = 0
    falsely_rejected: int = 0
    rightly_passed: int = 0

    @property
    def catch_rate(self) -> float | None:
        """Bad work that did not pass, of all bad work."""
        bad = self.caught + self.missed
        return self.caught / bad if bad else None

    @property
    def false_rejection(self) -> float | None:
        """Good work that did not pass, of all good work."""
        good = self.falsely_rejected + self.rightly_passed
        return self.falsely_rejected / good if good else None


class Experiment(Value, frozen=True):
    """What came of it. `only_a` and `only_b`: cases that only this one had right where labels exist, else that only it passed."""

    id: str
    at: float
    workspace: str
    a: Side
    b: Side
    cases: int
    agreed: int
    kappa: float | None
    only_a: int
    only_b: int
    mcnemar_p: float | None
    labelled: int = 0
    disagreements: tuple[dict[str, Any], ...] = ()

    @property
    def says(self) -> str:
        """What it comes to, in a sentence."""
        if self.mcnemar_p is None:
            return "the two never differ where it counts"
        what = "is right more often" if self.labelled else "passes more"
        if self.mcnemar_p >= 0.05:
            return f"no significant difference (p = {self.mcnemar_p:.2f})"
        better = self.a.name if self.only_a > self.only_b else self.b.name
        return f"{better} {what} (p = {self.mcnemar_p:.3f})"


def compare(
    a: Sequence[SetupVerdict],
    b: Sequence[SetupVerdict],
    labels: Mapping[str, str] | None = None,
    *,
    names: tuple[str, str] = ("A", "B"),
    workspace: str = "default",
    at: float | None = None,
) -> Experiment:
    """Both sides over the cases that both saw; `labels` says of a case whether the work was good (pass or fail)."""
    of_a, of_b = {seen.case: seen for seen in a}, {seen.case: seen for seen in b}
    both = [case for case in of_a if case in of_b]
    if not both:
        raise InputError("the two sides have no case in common; verify the same cases with both")
    good = {case: told == "pass" for case, told in (labels or {}).items() if told in ("pass", "fail")}
    known = [case for case in both if case in good]
    left, right = [of_a[case] for case in both], [of_b[case] for case in both]
    only_a, only_b = _discordant(of_a, of_b, known or both, good)
    apart = [case for case in both if of_a[case].outcome != of_b[case].outcome]
    made_at = time.time() if at is None else at
    return Experiment(
        id=digest([names, made_at, [(s.outcome, s.score) for s in (*left, *right)]])[:12],
        at=made_at,
        workspace=workspace,
        a=_side(names[0], left, good),
        b=_side(names[1], right, good),
        cases=len(both),
        agreed=len(both) - len(apart),
        kappa=stats.kappa([s.outcome for s in left], [s.outcome for s in right]),
        only_a=only_a,
        only_b=only_b,
        mcnemar_p=stats.mcnemar(only_a, only_b),
        labelled=len(known),
        disagreements=tuple(_differs(of_a[case], of_b[case], good) for case in apart[:SHOWN]),
    )


def _discordant(
    of_a: Mapping[str, SetupVerdict], of_b: Mapping[str, SetupVerdict], cases: Sequence[str], good: Mapping[str, bool]
) -> tuple[int, int]:
    def won(seen: SetupVerdict) -> bool:
        return (seen.outcome == "pass") == good.get(seen.case, True)

    only_a = sum(won(of_a[case]) and not won(of_b[case]) for case in cases)
    only_b = sum(won(of_b[case]) and not won(of_a[case]) for case in cases)
    return only_a, only_b


def _side(name: str, seen: Sequence[SetupVerdict], good: Mapping[str, bool]) -> Side:
    outcomes: dict[str, int] = {}
    for one in seen:
        outcomes[one.outcome] = outcomes.get(one.outcome, 0) + 1
    costs = [one.cost_usd for one in seen]
    told = [(one.outcome == "pass", good[one.case]) for one in seen if one.case in good]
    return Side(
        name=name,
        outcomes=outcomes,
        cost_usd=None if None in costs else sum(cost or 0.0 for cost in costs),
        judge_calls=sum(one.judge_calls for one in seen),
        seconds_p50=stats.quantile([one.seconds for one in seen], 0.5),
        seconds_p95=stats.quantile([one.seconds for one in seen], 0.95),
        caught=told.count((False, False)),
        missed=told.count((True, False)),
        falsely_rejected=told.count((False, True)),
        rightly_passed=told.count((True, True)),
    )


def _differs(a: SetupVerdict, b: SetupVerdict, good: Mapping[str, bool]) -> dict[str, Any]:
    truth = {True: "pass", False: "fail"}.get(good.get(a.case))  # type: ignore[arg-type]
    return {"case": a.case, "a": a.outcome, "b": b.outcome, "truth": truth, "a_score": a.score, "b_score": b.score}


async def stored_experiments(store: ArtifactStore, workspace: str) -> tuple[Experiment, ...]:
    """Every experiment of a workspace, newest first."""
    found = [parse(body, Experiment) for _, body in await store.recall_all(NAMESPACE)]
    return tuple(sorted((one for one in found if one.workspace == workspace), key=lambda one: -one.at))


async def keep(store: ArtifactStore, experiment: Experiment) -> None:
    """Keep it, so that the page lists it."""
    await store.remember(NAMESPACE, f"{experiment.workspace}/{experiment.id}", canonical(experiment))
