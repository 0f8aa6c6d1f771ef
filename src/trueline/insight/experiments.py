"""Two set-ups side by side on the same cases: where they agree, what each costs, which one is right where that is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from trueline.values import Value


class Side(Value, frozen=True):
    """One set-up over all cases."""

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


class Experiment(Value, frozen=True):
    """What came of it. `only_a` and `only_b`: cases that only this one passed (or, with labels, only this one had right)."""

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


class Seen(Value, frozen=True):
    """What one set-up said about one case."""

    case: str
    outcome: str
    action: str
    score: float | None = None
    cost_usd: float | None = 0.0
    judge_calls: int = 0
    seconds: float = 0.0
    record: str = ""


def compare(
    a: Sequence[Seen],
    b: Sequence[Seen],
    labels: Mapping[str, str] | None = None,
    *,
    names: tuple[str, str] = ("A", "B"),
    workspace: str = "default",
) -> Experiment:
    """Both sides over the cases that both saw; `labels` says of a case whether the work was good (pass or fail)."""
    raise NotImplementedError


async def kept(store: Any, workspace: str) -> tuple[Experiment, ...]:
    """Every experiment of a workspace, newest first."""
    raise NotImplementedError


async def keep(store: Any, experiment: Experiment) -> None:
    """Keep it, so that the page lists it."""
    raise NotImplementedError
