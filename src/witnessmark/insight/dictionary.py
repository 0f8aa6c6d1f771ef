"""The metric dictionary: every figure with its exact numerator and denominator. The words stand here once; docs and help read them.

Other documents call good work that was rejected, or bad work that was let through, by the same pair of words with opposite
meanings. Here they are false rejection and false acceptance; `aliases` says who calls them what.
"""

from __future__ import annotations

from witnessmark.core.thresholds import threshold
from witnessmark.insight.figure import Metric

GOOD_BAD = "the outcome of the work is known: recorded as pass (good) or fail (bad) or, where none was recorded, by an override"
PASSED_AT, STRICTER = threshold("pass"), 0.9

DICTIONARY: tuple[Metric, ...] = (
    Metric(
        name="pass_rate",
        numerator="runs with outcome pass",
        denominator="runs",
        meaning="How often work passes, at whatever attempt.",
        better="higher",
    ),
    Metric(
        name="pass_at_first_attempt",
        numerator="runs of attempt 1 with outcome pass",
        denominator="runs of attempt 1",
        meaning="How often work passes at once.",
        better="higher",
        aliases=("verification success rate",),
    ),
    Metric(
        name="mean_retries",
        numerator="runs of attempt 2 and later",
        denominator="runs of attempt 1",
        meaning="How many retries a request needs on average.",
        unit="mean",
        better="lower",
        aliases=("retry count",),
    ),
    Metric(
        name="unverified_rate",
        numerator="runs with outcome unverified",
        denominator="runs",
        meaning="How often nothing could be said.",
        better="lower",
    ),
    Metric(
        name="escalation_rate",
        numerator="runs with action escalate",
        denominator="runs",
        meaning="How often a person has to look.",
    ),
    Metric(
        name="catch_rate",
        numerator="bad work that was stopped (retry, switch, correct, abort)",
        denominator="bad work that was stopped or let through (accept, warn)",
        meaning="How much bad work is caught. What was handed to a person is in neither.",
        better="higher",
        target=0.70,
        alert=0.60,
        aliases=("verified_failures / (verified_failures + missed_failures)",),
    ),
    Metric(
        name="false_rejection_rate",
        numerator="good work that was stopped",
        denominator="all verifications with a known outcome",
        meaning="What share of all work is good and sent back.",
        better="lower",
        target=0.10,
        alert=0.15,
        aliases=("false_positive_rate of the orchestrator's document", "false negatives of the task document"),
    ),
    Metric(
        name="false_rejection_of_good",
        numerator="good work that was stopped",
        denominator="good work that was stopped or let through",
        meaning="How much of the good work is sent back.",
        better="lower",
    ),
    Metric(
        name="false_acceptance_rate",
        numerator="bad work that was let through",
        denominator="all verifications with a known outcome",
        meaning="What share of all work is bad and let through.",
        better="lower",
        aliases=("false negatives of the orchestrator's document", "false positives of the task document"),
    ),
    Metric(
        name="false_acceptance_of_bad",
        numerator="bad work that was let through",
        denominator="bad work that was stopped or let through",
        meaning="How much of the bad work is let through: 1 minus the catch rate.",
        better="lower",
    ),
    Metric(
        name="retry_success",
        numerator="runs of attempt 2 and later with outcome pass",
        denominator="runs of attempt 2 and later",
        meaning="How often another try helps.",
        better="higher",
        target=0.60,
        alert=0.50,
    ),
    Metric(
        name="override_rate",
        numerator="verifications whose newest override says another outcome",
        denominator="runs",
        meaning="How often people disagree.",
        better="lower",
        aliases=("user overrides",),
    ),
    Metric(
        name="disagreement_of_reviewed",
        numerator="verifications whose newest override says another outcome",
        denominator="verifications with an override",
        meaning="How often people disagree with what they looked at.",
        better="lower",
    ),
    Metric(
        name="corrective_trigger_rate",
        numerator="first attempts at the checkpoint answer with action correct",
        denominator="first attempts at the checkpoint answer",
        meaning="How often an answer goes into the corrective loop.",
        better="lower",
        target=0.20,
        aliases=("CRAG trigger rate",),
    ),
    Metric(
        name="corrective_success_rate",
        numerator="attempts with outcome pass whose parent's action was correct",
        denominator="attempts whose parent's action was correct",
        meaning="How often the corrective loop helps.",
        better="higher",
        aliases=("CRAG success rate",),
    ),
    Metric(
        name="hallucination_rate",
        numerator="reviewed answers and syntheses that were let through and were bad",
        denominator="reviewed answers and syntheses that were let through",
        meaning="How much of what reached people had no support in its sources, in the sample that was reviewed.",
        better="lower",
        target=0.05,
    ),
    Metric(
        name="verification_cost_share",
        numerator="dollars spent verifying, of runs where both costs are known",
        denominator="dollars the work of those runs cost",
        meaning="What verifying costs compared with the work.",
        better="lower",
        target=0.15,
        alert=0.30,
        min_sample=1,
    ),
    Metric(
        name="verification_return",
        numerator="dollars of bad work that was stopped",
        denominator="dollars spent verifying",
        meaning="Dollars of bad work caught for each dollar spent; above 1 it pays before any damage is counted.",
        unit="mean",
        better="higher",
    ),
    Metric(
        name="calls_saved",
        numerator=f"scored runs from {PASSED_AT} to below {STRICTER}",
        denominator=f"scored runs below {STRICTER}",
        meaning=f"Retries that a pass threshold of {PASSED_AT} saves compared with one of {STRICTER}.",
    ),
    Metric(
        name="mean_score",
        numerator="sum of scores",
        denominator="runs with a score",
        meaning="How good the work was on average.",
        unit="mean",
        better="higher",
    ),
    Metric(
        name="cost_per_verification",
        numerator="dollars spent verifying",
        denominator="runs whose cost is known",
        meaning="What one verification costs.",
        unit="usd",
        better="lower",
        min_sample=1,
    ),
)
BY_NAME = {metric.name: metric for metric in DICTIONARY}
