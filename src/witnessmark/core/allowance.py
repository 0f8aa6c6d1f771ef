"""What a policy allows verifying to take: retries, waits, judges, and money beside what the work cost. Pure.

Knows no verdict: what follows from results says `policy`.
"""

from __future__ import annotations

from typing import Literal

from witnessmark.core.case import Case
from witnessmark.core.errors import InputError
from witnessmark.core.graph import Graph
from witnessmark.core.policy import Policy

RetryKind = Literal["revision", "judge", "executor"]


def may_retry(policy: Policy, kind: RetryKind, used: int) -> bool:
    """Whether one more is left of this kind; the three never borrow from each other."""
    allowed = {
        "revision": policy.max_revisions,
        "judge": policy.max_judge_retries,
        "executor": policy.max_executor_retries,
    }
    return used < allowed[kind]


def backoff_s(policy: Policy, retries_done: int) -> float:
    """How long to wait before the next try: 1 s, 2 s, 4 s … up to the cap."""
    return min(policy.backoff_s * 2.0 ** min(retries_done, 60), policy.backoff_cap_s)


def bypass(policy: Policy, case: Case) -> str | None:
    """Why no judge is asked about this case, or None. Deterministic checks always run."""
    if case.complexity in policy.skip_judges_at:
        return f"policy ({policy.set_by('skip_judges_at')}): no judge for {case.complexity} cases"
    cost = case.executor.cost_usd if case.executor else None
    if cost is not None and cost < policy.skip_judges_below_usd:
        return (
            f"policy ({policy.set_by('skip_judges_below_usd')}): the work cost ${cost:g}, "
            f"judges are asked from ${policy.skip_judges_below_usd:g} up"
        )
    if _is_set(case, "skip_judges"):
        return "the case opted out of judges"
    return None if policy.judge_when == "always" or case.stakes == "high" else _not_this_time(policy, case, cost)


def _is_set(case: Case, name: str) -> bool:
    """Whether the context says so; a word in place of true or false is refused, since nobody could tell that it was not heard."""
    told = case.context.get(name)
    if not isinstance(told, bool | None):
        raise InputError(f"context.{name}: must be true or false, not {str(told)[:40]!r}")
    return told is True


def skipped(policy: Policy, graph: Graph, case: Case) -> dict[str, str] | None:
    """The nodes that ask judges, each with the reason why they are left out; None where none is."""
    why = bypass(policy, case)
    return None if why is None else {node.name: why for node in graph.nodes if node.check.cost == "paid"}


def _not_this_time(policy: Policy, case: Case, cost: float | None) -> str | None:
    """Modes that ask judges about some cases only; high stakes never come here."""
    where = f"policy ({policy.set_by('judge_when')})"
    if policy.judge_when == "smart":
        # A cost nobody knows and dependents nobody denied are no reason to look away.
        dear = cost is None or cost >= policy.smart_above_usd
        if dear or _is_set(case, "has_dependents"):
            return None
        return f"{where}: smart: the work cost ${cost:g} and nothing depends on it"
    if policy.judge_when == "sample":
        drawn = int(case.digest()[:12], 16) / 16**12
        return None if drawn < policy.sample_rate else f"{where}: sample: not among the {policy.sample_rate:.0%} drawn"
    settled_without = any(c.check is not None for c in case.criteria if not isinstance(c, str))
    words = [c for c in case.criteria if not isinstance(c, str) and c.text is not None]
    return f"{where}: tiered: every criterion is deterministic" if settled_without and not words else None


def share_usd(policy: Policy, case: Case) -> float | None:
    """The most that verifying may cost, as a share of what the work cost; None where that is unknown."""
    cost = case.executor.cost_usd if case.executor else None
    return None if cost is None else policy.max_cost_pct * cost


def cost_share(case: Case, spent_usd: float | None) -> float | None:
    """What verifying cost as a share of the work; None where either is unknown."""
    cost = case.executor.cost_usd if case.executor else None
    return None if not cost or spent_usd is None else round(spent_usd / cost, 6)


def cost_standing(policy: Policy, case: Case, spent_usd: float | None) -> Literal["unknown", "within", "above_target"]:
    """How what verifying cost stands to its target; the limit above that is kept before anything is spent."""
    share = cost_share(case, spent_usd)
    if share is None:
        return "unknown"
    return "within" if share <= policy.target_cost_pct else "above_target"
