"""From results to one verdict and one decision: pure functions of numbers that are compared exactly.

Scores and weights are counted in billionths, so a sum that is 0.70 on paper is 0.70 here. Every rule names the layer of its number.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import msgspec

from witnessmark.core.advice import BILLION, ResultTally, Row, feedback, only_judged_criteria, questions
from witnessmark.core.case import Complexity
from witnessmark.core.errors import ConfigError, InputError, PolicyError, UnknownNameError
from witnessmark.core.explain import clipped
from witnessmark.core.thresholds import threshold
from witnessmark.core.values import Count, NotNegative, Unit, Value, Weight, canonical
from witnessmark.core.verdict import (
    GOES_ON,
    REPORTED_CAP,
    Action,
    Cause,
    Claim,
    ConfidenceSource,
    Decision,
    Independence,
    Outcome,
    Result,
    Verdict,
    counted,
)

LAYERS = ("workspace", "user", "mission", "task")
_LEVEL = {"unknown": 0, "none": 1, "prompt": 2, "model": 3, "family": 4, "deterministic": 5}
_TRUST = {"reported": 0, "agreement": 1, "calibrated": 2, "deterministic": 3}


class Policy(Value, frozen=True):
    """Every number and rule a verdict depends on. Merged from layers; `layers` says which one set what."""

    profile: Literal["default", "original"] = "default"
    pass_threshold: Unit = threshold("pass_threshold")
    retry_threshold: Unit = threshold("retry_threshold")
    min_confidence: Unit = threshold("min_confidence")
    """How probable `pass` must be: of each calibrated result, and of judges' words together; a judge less sure of one thing that must pass is a warning."""
    min_coverage: Unit = threshold("min_coverage")
    pass_coverage: Unit = threshold("pass_coverage")
    """The share of what was asked, and of what a text asserts, that must be settled for `pass`."""
    surely_wrong: Unit = threshold("surely_wrong")
    """The probability of being wrong from which one claim stops `pass`, however many others hold; not in `original`."""
    reported_floor: Unit = threshold("reported_floor")
    """What is reported beside the score of a synthesis (coherence, completeness) and falls below this is tried again."""
    weights: dict[str, Weight] = {}
    must_pass: tuple[str, ...] = ()
    max_revisions: Count = 2
    max_judge_retries: Count = 2
    max_executor_retries: Count = 2
    backoff_s: NotNegative = 1.0
    backoff_cap_s: NotNegative = 300.0
    revise_with: Literal["retry", "switch", "correct"] = "retry"
    retry_below_floor: Literal["always", "first_attempt", "never"] = "always"
    on_exhausted: Literal["warn", "escalate", "abort"] = "escalate"
    on_unverified: Literal["warn", "escalate", "abort"] = "escalate"
    independence: Independence = "none"
    skip_judges_below_usd: NotNegative = 0.0
    skip_judges_at: tuple[Complexity, ...] = ()
    plan_review: Literal["by_complexity", "A", "B"] = "by_complexity"
    """How a judge reads a plan: A reviews, B attacks; by its complexity unless said otherwise, as in an experiment."""
    require_claims: Literal["never", "if_changed", "always"] = "if_changed"
    allowed_paths: tuple[str, ...] = ()
    judge_when: Literal["always", "smart", "sample", "tiered"] = "always"
    smart_above_usd: NotNegative = 0.10
    sample_rate: Unit = 0.1
    max_cost_pct: Unit = 0.30
    target_cost_pct: Unit = 0.15
    """What verifying should cost at most, as a share of the work; above it is told, above `max_cost_pct` nothing is spent."""
    must_pass_met: Unit | None = None
    """The score from which a criterion in words that must pass is met, where it declares none; 0.75 is 4 of 5."""
    review_above_usd: NotNegative | None = None
    meta_audit_share: Unit = 0.01
    """The share of judged verifications that another judge reads again, where two are configured."""
    layers: dict[str, str] = {}

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.retry_threshold > self.pass_threshold:
            raise InputError(
                f"retry_threshold: {self.retry_threshold} lies above pass_threshold {self.pass_threshold}; set both"
            )

    def set_by(self, name: str) -> str:
        """The layer that set a field; `default` where none did."""
        return self.layers.get(name, "default")


def layered(base: Policy, layers: Mapping[str, Any]) -> Policy:
    """The base with workspace, user, mission and task laid over it, in that order; None lays nothing over."""
    unknown = set(layers) - set(LAYERS)
    if unknown:
        raise ConfigError(f"policy layer {min(unknown)!r} is not one of {', '.join(LAYERS)}")
    merged = {name: getattr(base, name) for name in Policy.__struct_fields__ if name != "layers"}
    origin = dict(base.layers)
    for layer in LAYERS:
        given = layers.get(layer)
        if given is None:
            continue
        if not isinstance(given, Mapping):
            said = 'must be an object of its fields, such as {"pass_threshold": 0.8}'
            raise PolicyError(f"policy ({layer})", "", said)
        wrong = set(given) - set(merged)
        if wrong:
            hint = "; docs/settings.md lists them"
            raise PolicyError(f"policy ({layer})", min(wrong), UnknownNameError("field", min(wrong), merged, hint))
        merged |= given
        origin |= dict.fromkeys(given, layer)
    try:
        return Policy(**merged, layers=origin)
    except InputError as exc:
        raise PolicyError("policy", None, exc) from None


# --- the verdict -----------------------------------------------------------------------------------------------


ALL_WELL = Verdict(outcome="pass", score=1.0, confidence=1.0, confidence_source="deterministic", coverage=1.0)
"""What most cases come to: every check passed in full, and none of them asked anybody."""


def _tally(policy: Policy, rows: Sequence[Row]) -> ResultTally | None:
    """What the rows add up to; None where all of them passed in full, so that there is nothing to weigh."""
    weights, musts = policy.weights, policy.must_pass
    asked = whole = found = 0
    others: list[tuple[int, bool, bool, Result]] = []
    for node, result in rows:
        weight = round((weights.get(node.check.name, node.weight) if weights else node.weight) * BILLION)
        asked += weight
        if (
            result.status == "pass"
            and result.score == 1.0
            and result.confidence is None
            and result.confidence_source == "deterministic"
            and result.coverage == 1.0
            and not result.claims
        ):
            whole += weight
            found += 0 if node.asked else weight
        else:
            must = node.must_pass or (musts != () and node.check.name in musts)
            others.append((weight, must, node.asked, result))
    if whole and not others:
        return None
    tally = ResultTally(asked, whole, whole, whole * BILLION, whole * BILLION, any_pass=whole > 0)
    tally.found, tally.found_points = found, found * BILLION
    for weight, must, asked, result in others:
        if counts(policy, result):
            _settle(policy, tally, weight, must, result)
            if not asked and result.confidence_source == "deterministic" and policy.profile != "original":
                _find(tally, weight, result)
        elif weight or must:
            tally.unsettled.append((must, "no_judge" if result.settled else result.cause or "undecided"))
    return tally


def _settle(policy: Policy, tally: ResultTally, weight: int, must: bool, result: Result) -> None:
    status, source = result.status, result.confidence_source
    score = result.score if result.score is not None else float(status == "pass")
    coverage = 1.0 if policy.profile == "original" else result.coverage
    sure = _confidence(result)
    tally.settled += weight
    tally.covered += weight if coverage == 1.0 else weight * round(coverage * BILLION) // BILLION
    tally.points += weight * round(score * BILLION)
    tally.sure += weight * round(sure * BILLION)
    tally.any_pass |= status == "pass" and weight > 0
    if must and status == "fail":
        tally.blocked.append(result)
    elif (must and status == "partial") or (result.claims and wrong_claims(policy, result.claims)):
        tally.held_back.append(result)
    if must:
        tally.weakest = min(tally.weakest, sure)
        exact = status == "partial" and source == "deterministic"
        tally.short |= exact and any(finding.severity == "error" for finding in result.findings)
    if coverage < 1 and weight:
        tally.unsettled.append((False, result.cause or "undecided"))
    tally.hard_fail |= status == "fail" and source in ("deterministic", "calibrated")
    if source == "calibrated":
        tally.doubtful |= status == "pass" and sure < policy.min_confidence and policy.profile != "original"
    elif source in ("reported", "agreement"):
        tally.judged += weight
        tally.judged_sure += weight * round(sure * BILLION)
    if _TRUST[source] < _TRUST[tally.source]:
        tally.source = source
    if source != "deterministic" and _LEVEL[result.independence] < _LEVEL[tally.independence]:
        tally.independence = result.independence


def _find(tally: ResultTally, weight: int, result: Result) -> None:
    """Count what a check of the checkpoint found for certain, and a fault among it."""
    score = result.score if result.score is not None else float(result.status == "pass")
    tally.found += weight
    tally.found_points += weight * round(score * BILLION)
    certain = any(finding.severity == "error" for finding in result.findings)
    if weight and (result.status == "fail" or (result.status == "partial" and certain)):
        tally.found_faults.append(result)


def wrong_claims(policy: Policy, claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """Those of the claims that are surely wrong by the policy; one is enough to stop `pass`. None in `original`."""
    if policy.profile == "original":
        return ()
    return tuple(claim for claim in claims if claim.surely_wrong(policy.surely_wrong))


def counts(policy: Policy, result: Result) -> bool:
    """Whether the result settles anything: one by a judge that is not independent enough only advises.

    Where nothing is asked for, an unknown distance counts too; the record and a finding say that it is unknown.
    """
    return result.settled and independent(policy, result.independence)


def independent(policy: Policy, level: Independence) -> bool:
    """Whether a judge at this distance is as far from the maker of the work as the policy asks."""
    return policy.independence == "none" or _LEVEL[level] >= _LEVEL[policy.independence]


def _confidence(result: Result) -> float:
    told = result.confidence
    if told is None:
        return float(result.confidence_source == "deterministic")
    return min(told, REPORTED_CAP) if result.confidence_source == "reported" else told


def conclude(policy: Policy, rows: Sequence[Row]) -> Verdict:
    """One verdict from all results. Nothing settled, or too little of it, is unverified; never a number."""
    tally = _tally(policy, rows)
    if tally is None:
        return ALL_WELL
    covered = tally.covers(policy.min_coverage)
    outcome, because = _outcome(policy, tally, enough=covered)
    mean = sure = None
    if tally.settled > 0 and (outcome == "fail" or (outcome != "unverified" and covered)):
        mean = round(tally.points / tally.settled / BILLION, 9)
        sure = round(tally.sure / tally.settled / BILLION, 9)
    source: ConfidenceSource = tally.source
    if outcome == "pass" and sure is not None:
        sure = min(sure, round(tally.weakest, 9))
    elif (
        decided_by := tally.blocked
        if outcome == "fail"
        else [*tally.held_back, *tally.outvoted]
        if outcome == "partial"
        else []
    ):
        first = max(decided_by, key=_confidence)
        sure, source = round(_confidence(first), 9), first.confidence_source
    if source == "reported" and sure is not None:
        sure = min(sure, REPORTED_CAP)  # what is certain beside it does not make a judge's word any surer
    coverage = round(tally.covered / tally.asked, 9) if tally.asked else None
    return _verdict(outcome, because, mean, sure, None if sure is None else source, coverage, tally.independence)


_verdict = functools.lru_cache(maxsize=1024)(Verdict)
"""Verdicts are frozen and seldom new, so they are shared."""


def _outcome(policy: Policy, tally: ResultTally, *, enough: bool) -> tuple[Outcome, Cause | None]:
    if tally.blocked:
        return "fail", None
    if (because := _why_unverified(tally, enough=enough)) is not None:
        return ("partial", None) if tally.short else ("unverified", because)
    low = not tally.reaches(policy.retry_threshold) or tally.found_wrong(policy.retry_threshold)
    if low and (tally.hard_fail or policy.profile == "original"):
        return "fail", None
    good = tally.reaches(policy.pass_threshold) and tally.any_pass and not tally.held_back and not tally.outvoted
    certain = not tally.doubtful and tally.judged_sure >= round(policy.min_confidence * BILLION) * tally.judged
    return ("pass" if good and certain and tally.covers(policy.pass_coverage) else "partial"), None


def _why_unverified(tally: ResultTally, *, enough: bool) -> Cause | None:
    if not tally.asked and not tally.unsettled:
        return "no_criteria"
    if musts := [cause for must, cause in tally.unsettled if must]:
        return musts[0]
    if not tally.settled or not enough:
        return tally.unsettled[0][1] if tally.unsettled else "no_criteria"
    return None


# --- the decision ----------------------------------------------------------------------------------------------


def decide(
    policy: Policy, verdict: Verdict, rows: Sequence[Row], attempt: int = 1, *, cost_usd: float | None = None
) -> Decision:
    """What to do next. What would go through and cost a lot goes to a person first, where the policy says so."""
    decision = _decided(policy, verdict, rows, attempt)
    limit = policy.review_above_usd
    if limit is None or cost_usd is None or cost_usd <= limit or decision.action not in GOES_ON:
        return decision
    because = f"the work cost ${cost_usd:g}, a person looks at what is above ${limit:g}; otherwise {decision.because}"
    return Decision(action="escalate", because=because, layer=policy.set_by("review_above_usd"))


def _decided(policy: Policy, verdict: Verdict, rows: Sequence[Row], attempt: int) -> Decision:
    """`accept` needs a pass; a revision needs something to say and budget left to say it in."""
    if verdict.outcome == "pass":
        if verdict is not ALL_WELL and (noted := _noted(policy, rows)) is not None:
            return Decision(action="warn", because=f"passes, but {noted[0]}", layer=policy.set_by(noted[1]))
        return _accepted(verdict.score, policy.pass_threshold, policy.set_by("pass_threshold"))
    if verdict.outcome == "unverified":
        because = f"unverified: {str(verdict.unverified_because).replace('_', ' ')}"
        return Decision(action=policy.on_unverified, because=because, layer=policy.set_by("on_unverified"))
    if asked := questions(rows):
        return Decision(action="escalate", because="the person has to clarify what is wanted", questions=asked)
    told = feedback(policy, verdict, rows, attempt)
    wrong = wrong_claims(policy, (claim for _, result in rows if result.settled for claim in result.claims))
    reached = verdict.score is not None and round(verdict.score, 9) >= round(policy.pass_threshold, 9)
    if verdict.outcome == "partial" and reached and not told.failed and not wrong:
        return _settled_in_part(policy, verdict)
    if not _revisable(policy, verdict, rows, attempt):
        return _below_floor(policy, verdict, len(wrong))
    if attempt > policy.max_revisions:
        return _exhausted(policy, verdict, len(wrong))
    low = "not good enough" if verdict.score is None else f"score {verdict.score:g} is below {policy.pass_threshold:g}"
    why = ", ".join(told.failed[:3]) or (_surely(len(wrong)) if wrong else low)
    because = f"{why}; attempt {attempt} of {policy.max_revisions + 1}"
    again = policy.profile != "original" and only_judged_criteria(rows)
    action = "retry" if again else policy.revise_with
    return Decision(action=action, because=because, layer=policy.set_by("max_revisions"), feedback=told)


def _surely(wrong: int) -> str:
    return f"{counted(wrong, 'claim is', 'claims are')} surely wrong"


@functools.lru_cache(maxsize=1024)
def _accepted(score: float | None, threshold: float, layer: str) -> Decision:
    """The decision for what passes; frozen, and the same for most cases, so it is shared."""
    return Decision(action="accept", because=f"score {score:.3g} reaches {threshold:g}", layer=layer)


def _noted(policy: Policy, rows: Sequence[Row]) -> tuple[str, str] | None:
    """What nobody should overlook in a pass, and the field it rests on: a fault that weighs nothing, a judge's doubt, a claim in doubt."""
    for node, result in rows:
        unsure = [claim.text for claim in result.claims if claim.status in ("partial", "unsupported")]
        if result.status == "pass" and unsure:
            return f"a claim is in doubt: “{clipped(' '.join(unsure[0].split()), 80)}”", "pass_threshold"
        if result.status == "fail" and not policy.weights.get(node.check.name, node.weight):
            return result.reason, "must_pass"
        judged = result.confidence_source in ("reported", "agreement") and counts(policy, result)
        must = node.must_pass or node.check.name in policy.must_pass
        if judged and must and (sure := _confidence(result)) < policy.min_confidence:
            return f"confidence {sure:g} of {node.check.name} is below {policy.min_confidence:g}", "min_confidence"
    return None


def _settled_in_part(policy: Policy, verdict: Verdict) -> Decision:
    """What was settled is fine: say what was not, and go on or ask a person."""
    if verdict.confidence is not None and verdict.confidence < policy.min_confidence:
        because = f"confidence {verdict.confidence:g} is below {policy.min_confidence:g}"
        return Decision(action="escalate", because=because, layer=policy.set_by("min_confidence"))
    because = f"{(verdict.coverage or 0):.0%} of what was asked is settled and holds; the rest could not be verified"
    return Decision(action="warn", because=because, layer=policy.set_by("min_coverage"))


def _revisable(policy: Policy, verdict: Verdict, rows: Sequence[Row], attempt: int) -> bool:
    if verdict.outcome != "fail" or policy.retry_below_floor == "always":
        return True
    exact_fault = any(node.must_pass and result.status == "fail" for node, result in rows)
    low = verdict.score is not None and verdict.score < policy.retry_threshold
    return exact_fault or not low or (policy.retry_below_floor == "first_attempt" and attempt == 1)


def _below_floor(policy: Policy, verdict: Verdict, wrong: int) -> Decision:
    """Too far off to try again: it ends here. Where exhaustion lets it go on as a part that is marked, a person looks at a wrong claim first."""
    because = f"score {verdict.score:g} is below {policy.retry_threshold:g}, which is not tried again"
    action: Action = "abort" if policy.on_exhausted != "warn" else "escalate" if wrong else "warn"
    return Decision(action=action, because=because, layer=policy.set_by("retry_below_floor"), degraded=action == "warn")


def _exhausted(policy: Policy, verdict: Verdict, wrong: int) -> Decision:
    """Out of revisions: `abort` needs a failure, and `warn` that no claim is surely wrong; otherwise a person is asked."""
    action = policy.on_exhausted
    if action == "abort" and verdict.outcome != "fail" and policy.profile != "original":
        action = "escalate"
    because = f"still {verdict.outcome} after {counted(policy.max_revisions + 1, 'attempt')}"
    if action == "warn" and wrong:
        action, because = "escalate", f"{because}, and {_surely(wrong)}"
    return Decision(action=action, because=because, layer=policy.set_by("on_exhausted"), degraded=action == "warn")


def recorded_policy(policy: Policy) -> msgspec.Raw:
    """What a record keeps of the policy: every field that is not its default."""
    return msgspec.Raw(canonical(policy))
