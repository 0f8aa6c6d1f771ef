"""What is good enough: every default threshold in one table, each with its reason.

A threshold that a policy, a criterion or a setting gives takes its place. Change a default here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Threshold(NamedTuple):
    """A number from 0 to 1 from which something counts as good enough, and why it is that one."""

    value: float
    reason: str


THRESHOLDS: Mapping[str, Threshold] = {
    "pass_threshold": Threshold(
        0.7, "the source documents let work pass from 0.7 (C37, C63); `policy.pass_threshold` says otherwise"
    ),
    "min_confidence": Threshold(0.5, "below it a pass is more likely wrong than right"),
    "min_coverage": Threshold(0.5, "with less than half of what was asked settled, nothing is said of the whole"),
    "pass_coverage": Threshold(1.0, "what was asked for and not settled may be wrong"),
    "surely_wrong": Threshold(
        0.8, "one claim stops a pass where four in five such are wrong, however many others hold"
    ),
    "reported_floor": Threshold(
        0.5, "what is reported beside a synthesis is tried again below the floor of a score (C09)"
    ),
    "retry_threshold": Threshold(
        0.5, "the source documents try again from 0.5 to 0.7, and below that look first (C05, C63)"
    ),
    "criterion_met": Threshold(
        0.7, "a criterion read by a judge: 4 of 5 meets it and 3 of 5 does not, on the scale from 0 to 1 (C25)"
    ),
    "output_pass": Threshold(
        0.7, "an agent's output goes on at the score a case passes with, so that neither is the weaker gate (C06)"
    ),
    "output_floor": Threshold(0.5, "below it an agent's output is not worth a retry with the same agent (C05)"),
    "output_partial": Threshold(
        0.6, "what an output that calls itself partial counts for at most: no pass, and worth another try (C05)"
    ),
    "plan_good": Threshold(0.9, "the documents' first band of a plan's dimension, [0.9, 1]: nothing to mend"),
    "plan_dimension": Threshold(0.7, "a dimension of a plan that reaches the pass score needs no finding of its own"),
    "traced": Threshold(
        0.7, "a synthesis passes by the share of it that agents support; the documents' pass score (C09)"
    ),
    "synthesis_met": Threshold(
        0.7, "coherence and completeness of a synthesis are read on the scale of a criterion (C09, C25)"
    ),
    "similar": Threshold(
        0.7, "near enough to a reference text by a measure of letters or words; the usual value of other tools"
    ),
    "faithful": Threshold(
        0.8, "four of five claims supported: one slip in a long answer is partial, two are not faithful"
    ),
    "measure": Threshold(
        0.5, "the default of the tools these measures come from, so that imported suites pass as they did"
    ),
    "related": Threshold(0.5, "a passage that has half of a question's words is about it"),
    "stricter": Threshold(
        0.9,
        "what passing only from the documents' first band, [0.9, 1], would have cost is told beside `pass_threshold`",
    ),
    "reply_compliance": Threshold(
        0.98, "a judge whose replies do not fit the schema more than twice in a hundred costs too many second calls"
    ),
    "judge_agreement": Threshold(
        0.4, "Cohen's kappa from which agreement is called moderate; below it a judge is hardly better than chance"
    ),
    "correction": Threshold(0.7, "a corrected answer is kept from the confidence that the documents ask for (S4-030)"),
    "claim_confidence": Threshold(0.7, "the documents' `confidence_threshold` of the answer check (S4-040)"),
    "feedback": Threshold(0.7, "scores below the pass score are told to whoever tries again"),
}


def threshold(name: str) -> float:
    """The default threshold of this name."""
    return THRESHOLDS[name].value
