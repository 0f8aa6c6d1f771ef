"""Thresholds with a promise: verdicts accepted without a person are wrong at most so often, at so much confidence.

Cut-offs are tested in an order that the labels have no say in, from the surer verdicts on, each with an exact binomial
bound; the last one before the first that fails is taken (fixed-sequence testing, as in Learn then Test). There are two such
sequences, one that begins with the surest verdicts and one that begins with two thirds of all, and each gets half of the
chance to be wrong; so the chance that the promise does not hold is at most one less the confidence, with no correction for
having tried several cut-offs. It holds for work like that of the sample. Knows nothing about where verdicts come from.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import msgspec

from witnessmark.core.errors import InputError
from witnessmark.core.policy import Policy
from witnessmark.core.record import Record
from witnessmark.core.tallies import LabelledVerification
from witnessmark.core.values import Value
from witnessmark.insight.statistics import upper_bound

STARTS = 2
STEP = 0.05
"""Each further cut-off takes in at least this share of the sample."""


class Certificate(Value, frozen=True):
    """At and above `threshold` verdicts are wrong at most `risk` of the time, at this confidence; None: no cut-off holds."""

    threshold: float | None
    risk: float
    confidence: float
    coverage: float
    accepted: int
    wrong: int
    upper: float | None
    n: int

    @property
    def says(self) -> str:
        """The promise as a sentence."""
        if self.threshold is None:
            need = fewest(self.risk, 1 - (1 - self.confidence) / STARTS)
            return (
                f"no promise of at most {self.risk:.0%} wrong at {self.confidence:.0%} confidence holds on {self.n} "
                f"verdicts; it takes at least {need}, and more the more of them are wrong"
            )
        return (
            f"auto-accepted verdicts are wrong at most {self.risk:.0%} of the time, at {self.confidence:.0%} confidence, "
            f"covering {self.coverage:.0%} of traffic; the rest goes to a person"
        )


def fewest(risk: float, confidence: float) -> int:
    """How many right verdicts in a row it takes to promise anything."""
    return math.ceil(math.log(1 - confidence) / math.log(1 - risk) - 1e-9)


def certify(
    samples: Sequence[tuple[float, bool]],
    *,
    risk: float = 0.05,
    confidence: float = 0.90,
    groups: Sequence[str] | None = None,
) -> Certificate:
    """The lowest cut-off that keeps the promise on (sureness, was right) pairs.

    What belongs together, such as the criteria of one task, tends to be right or wrong together: of each group one counts.
    """
    if not 0 < risk < 1 or not 0 < confidence < 1:
        raise InputError(f"risk, confidence: {risk} and {confidence} should lie between 0 and 1")
    every, samples = samples, samples if groups is None else _apart(samples, groups)
    sure = 1 - (1 - confidence) / STARTS
    cuts = _cuts(samples)
    held: tuple[float, int, int, float] | None = None
    for first in _starts(len(samples), risk, sure):
        for threshold, accepted, wrong in _sequence(cuts, first, len(samples)):
            upper = upper_bound(wrong, accepted, sure)
            if upper > risk:
                break
            held = (threshold, accepted, wrong, upper) if held is None or accepted > held[1] else held
    n = len(samples)
    if held is None:
        return Certificate(
            threshold=None, risk=risk, confidence=confidence, coverage=0.0, accepted=0, wrong=0, upper=None, n=n
        )
    threshold, accepted, wrong, upper = held
    return Certificate(
        threshold=threshold,
        risk=risk,
        confidence=confidence,
        coverage=sum(sureness >= threshold for sureness, _ in every) / len(every),
        accepted=accepted,
        wrong=wrong,
        upper=upper,
        n=n,
    )


def _apart(samples: Sequence[tuple[float, bool]], groups: Sequence[str]) -> list[tuple[float, bool]]:
    """One of each group, drawn without a look at any of them."""
    together: dict[str, list[tuple[float, bool]]] = {}
    for group, pair in zip(groups, samples, strict=True):
        together.setdefault(group, []).append(pair)
    drawn = random.Random(len(samples))  # noqa: S311 - a draw, not a secret
    return [drawn.choice(together[group]) for group in sorted(together)]


def _cuts(samples: Sequence[tuple[float, bool]]) -> list[tuple[float, int, int]]:
    """Every cut-off there is, the highest first, with how many it takes in and how many of those were wrong."""
    ordered = sorted(samples, key=lambda pair: -pair[0])
    found, wrong = list[tuple[float, int, int]](), 0
    for at, (sureness, right) in enumerate(ordered):
        wrong += not right
        if at + 1 == len(ordered) or ordered[at + 1][0] != sureness:
            found.append((sureness, at + 1, wrong))
    return found


def _starts(n: int, risk: float, sure: float) -> tuple[int, int]:
    """How many the first cut-off of each sequence takes in: enough that a few wrong ones do not end it at once."""
    least = fewest(risk, sure)
    return max(least, min(3 * least, n // 3)), max(least, 2 * n // 3)


def _sequence(cuts: Sequence[tuple[float, int, int]], first: int, n: int) -> list[tuple[float, int, int]]:
    """The cut-offs that are tested, in order; where they lie, sureness alone decides."""
    step, found = max(1, math.ceil(STEP * n)), list[tuple[float, int, int]]()
    for cut in cuts:
        if cut[1] >= first and (not found or cut[1] - found[-1][1] >= step or cut[1] == n):
            found.append(cut)
    return found


# --- moving the policy's own thresholds ------------------------------------------------------------------------------


class ThresholdChange(Value, frozen=True):
    """What another pass threshold would have meant for verifications whose end is known."""

    pass_threshold: float
    cases: int
    passed_before: int
    passed_after: int
    good_stopped_before: int
    good_stopped_after: int
    bad_passed_before: int
    bad_passed_after: int
    caught_before: float | None
    caught_after: float | None


def moved(labels: Sequence[LabelledVerification], pass_threshold: float) -> ThresholdChange:
    """Look at every scored verification with a known end as if the threshold had been this one."""
    if not 0 <= pass_threshold <= 1:
        raise InputError(f"pass_threshold: {pass_threshold} is not a number from 0 to 1")
    told = [one for one in labels if one.truth in ("pass", "fail") and one.record.score is not None]
    before = [one.record.outcome == "pass" for one in told]
    after = [_could_pass(one.record) and (one.record.score or 0.0) >= pass_threshold - 1e-9 for one in told]
    good = [one.truth == "pass" for one in told]
    bad = good.count(False)
    bad_before, bad_after = _both(before, good, False), _both(after, good, False)
    return ThresholdChange(
        pass_threshold=pass_threshold,
        cases=len(told),
        passed_before=sum(before),
        passed_after=sum(after),
        good_stopped_before=good.count(True) - _both(before, good, True),
        good_stopped_after=good.count(True) - _both(after, good, True),
        bad_passed_before=bad_before,
        bad_passed_after=bad_after,
        caught_before=1 - bad_before / bad if bad else None,
        caught_after=1 - bad_after / bad if bad else None,
    )


def _could_pass(record: Record) -> bool:
    """Whether nothing but the threshold in force may have kept it from passing.

    What was unverified or failed outright does not pass by a lower threshold, nor does what was good enough and is partial all the
    same: too little of it was settled, or something was held against it.
    """
    if record.outcome != "partial" or record.score is None:
        return record.outcome == "pass"
    policy = msgspec.json.decode(record.policy, type=Policy)
    covered = record.coverage is None or record.coverage >= policy.pass_coverage - 1e-9
    return covered and record.score < policy.pass_threshold - 1e-9


def _both(passed: Sequence[bool], good: Sequence[bool], which: bool) -> int:
    return sum(p and g == which for p, g in zip(passed, good, strict=True))
