"""What results come to: added up, and told: to whoever made the output, what to mend; to the person, what to clarify.

Sums are in billionths, so that one that is 0.70 on paper is 0.70 here. Knows nothing about what is decided; the policy asks it for words once it has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from witnessmark.core.graph import Node
from witnessmark.core.verdict import (
    Cause,
    ConfidenceSource,
    Feedback,
    Finding,
    Independence,
    Result,
    Verdict,
)
from witnessmark.core.wrong_words import sentence

Row = tuple[Node, Result]
BILLION = 1_000_000_000


@dataclass(slots=True)
class ResultTally:
    """What the rows add up to, in billionths."""

    asked: int = 0
    settled: int = 0
    covered: int = 0
    points: int = 0
    sure: int = 0
    judged: int = 0
    judged_sure: int = 0
    """Of what rests on a judge's word: its weight, and how sure that is."""
    unsettled: list[tuple[bool, Cause]] = field(default_factory=list)
    blocked: list[Result] = field(default_factory=list)
    """What must pass and failed."""
    held_back: list[Result] = field(default_factory=list)
    """What keeps the whole from passing without failing it: must pass and did in part, or has a claim surely wrong."""
    short: bool = False
    """Whether something that must pass names an exact fault: that stands, whoever else could not say."""
    weakest: float = 1.0
    """The lowest confidence of what must pass."""
    doubtful: bool = False
    """Whether something calibrated passed that is less probable than the policy asks."""
    found: int = 0
    found_points: int = 0
    """Of what a checkpoint finds without anybody's word: its weight, and what that adds up to."""
    found_faults: list[Result] = field(default_factory=list)
    """Of that, what failed or has a fault that is certain."""
    hard_fail: bool = False
    any_pass: bool = False
    source: ConfidenceSource = "deterministic"
    independence: Independence = "deterministic"

    def reaches(self, threshold: float) -> bool:
        """Whether the mean of the settled is at or above the threshold, exactly."""
        return self.points >= round(threshold * BILLION) * self.settled

    def found_wrong(self, threshold: float) -> bool:
        """Whether what was found without anybody's word is below the threshold by itself; no judge outvotes that."""
        return self.found_points < round(threshold * BILLION) * self.found

    @property
    def outvoted(self) -> list[Result]:
        """Faults that are certain beside the word of a judge, which cannot make up for them."""
        return self.found_faults if self.judged else []

    def covers(self, share: float) -> bool:
        """Whether at least this share of what was asked is settled, exactly."""
        return self.covered * BILLION >= round(share * BILLION) * self.asked


class PolicyWeights(Protocol):
    """What of a policy the words depend on."""

    @property
    def max_revisions(self) -> int:
        """How often the work may be revised."""
        ...

    @property
    def weights(self) -> Mapping[str, float]:
        """Weights by the name of a check."""
        ...

    @property
    def must_pass(self) -> tuple[str, ...]:
        """Checks that must pass."""
        ...


def questions(rows: Sequence[Row]) -> tuple[str, ...]:
    """What to ask the person, where a check that did not pass says that it cannot be told from the request."""
    said = [result.details.get("questions") for _, result in rows if result.details and result.status != "pass"]
    return tuple(dict.fromkeys(str(text) for found in said if isinstance(found, list) for text in found))


def only_judged_criteria(rows: Sequence[Row]) -> bool:
    """Whether all that falls short are criteria of the case, by the word of judges that nobody measured: no source and no other agent mends those."""
    short = [
        node.asked and result.confidence_source in ("reported", "agreement")
        for node, result in rows
        if result.status in ("partial", "fail") and (node.weight or node.must_pass)
    ]
    return bool(short) and all(short)


def feedback(policy: PolicyWeights, verdict: Verdict, rows: Sequence[Row], attempt: int = 1) -> Feedback:
    """What to tell whoever made the output: what failed, why, and what would help."""
    short = [row for row in rows if row[1].status in ("fail", "partial") and _matters(policy, row[0])]
    findings = [f for result in _telling(policy, rows, short) for f in result.findings if f.severity != "info"]
    return Feedback(
        level="basic" if attempt <= 1 else "detailed",
        attempt=attempt,
        max_attempts=policy.max_revisions + 1,
        previous_score=verdict.score,
        failed=tuple(node.criterion or node.name for node, _ in short),
        issues=tuple(dict.fromkeys(map(_issue, findings)))
        or tuple(result.reason for _, result in short if result.reason),
        suggestions=tuple(dict.fromkeys(f.suggestion for f in findings if f.suggestion)),
    )


def _telling(policy: PolicyWeights, rows: Sequence[Row], short: Sequence[Row]) -> list[Result]:
    """Whose findings help: what fell short, what that rests on (a reading it follows), and what passed with a shortfall."""
    rests_on = {name for node, _ in short for name in (*node.needs, *node.after)}
    fell = {node.name for node, _ in short}
    return [
        result
        for node, result in rows
        if node.name in fell
        or (node.name in rests_on and result.status in ("fail", "partial"))
        or (result.score is not None and result.score < 1 and _matters(policy, node))
    ]


def _matters(policy: PolicyWeights, node: Node) -> bool:
    """Whether a node has a say in the verdict; what is only reported is nothing to revise for."""
    return node.must_pass or policy.weights.get(node.check.name, node.weight) > 0


def _issue(finding: Finding) -> str:
    """What is wrong and where: the words themselves where they are known."""
    if finding.words:
        return f"{sentence(finding)}, in: “{finding.quote}”" if finding.quote else sentence(finding)
    return f"{finding.message}: “{finding.quote}”" if finding.quote else finding.message
