"""Whether verifying pays: what it cost, what it kept from going wrong, and when one more try is worth its price."""

from __future__ import annotations

from witnessmark.core.errors import InputError
from witnessmark.core.values import Value
from witnessmark.insight.metrics import spent_usd
from witnessmark.insight.period import PeriodData, known

RETRY_USD, FAILURE_USD = 0.002, 0.05
"""What the source document reckons with for one retry and one failure downstream; give your own."""


class Retry(Value, frozen=True):
    """One more try weighed against letting the failure happen."""

    retry_usd: float
    failure_usd: float
    success: float
    expected_usd: float
    """What a retry saves on average; below zero it is not worth its price."""
    break_even: float
    """The chance of success from which on a retry pays."""
    pays: bool


def retry_pays(success: float, retry_usd: float = RETRY_USD, failure_usd: float = FAILURE_USD) -> Retry:
    """The cost-benefit of a retry that succeeds this often."""
    if not 0 <= success <= 1:
        raise InputError(f"success: {success} is not a share; give a number from 0 to 1")
    if retry_usd < 0 or failure_usd <= 0:
        raise InputError("retry_usd, failure_usd: what a retry and a failure cost; a failure costs more than nothing")
    expected = success * failure_usd - retry_usd
    return Retry(
        retry_usd=retry_usd,
        failure_usd=failure_usd,
        success=success,
        expected_usd=expected,
        break_even=min(1.0, retry_usd / failure_usd),
        pays=expected > 0,
    )


class Roi(Value, frozen=True):
    """The report: dollars out, dollars saved, over verifications whose end is known; None while none is."""

    spent_usd: float
    caught: int
    missed: int
    falsely_rejected: int
    prevented_usd: float | None
    """Failures that were stopped, at what a failure costs."""
    wasted_usd: float | None
    """Good work that was sent back, at what a retry costs."""
    net_usd: float | None
    pays: bool | None
    failure_usd: float
    retry_usd: float


def compute_roi(found: PeriodData, *, failure_usd: float = FAILURE_USD, retry_usd: float = RETRY_USD) -> Roi:
    """What verifying cost and what it prevented, at these prices of a failure and a retry."""
    labels, spent = found.labels, spent_usd(found)
    caught, missed = known(labels, False, "stopped"), known(labels, False, "through")
    rejected, ends = known(labels, True, "stopped"), known(labels)
    prevented, wasted = caught * failure_usd, rejected * retry_usd
    net = prevented - wasted - spent
    return Roi(
        spent_usd=spent,
        caught=caught,
        missed=missed,
        falsely_rejected=rejected,
        prevented_usd=prevented if ends else None,
        wasted_usd=wasted if ends else None,
        net_usd=net if ends else None,
        pays=net > 0 if ends else None,
        failure_usd=failure_usd,
        retry_usd=retry_usd,
    )
