"""What the results of a case add up to, in billionths, so that a sum that is 0.70 on paper is 0.70 here. Knows nothing about policies."""

from __future__ import annotations

from dataclasses import dataclass, field

from witnessmark.core.verdict import Cause, ConfidenceSource, Independence, Result

BILLION = 1_000_000_000


@dataclass(slots=True)
class Tally:
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
