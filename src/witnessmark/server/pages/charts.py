"""From figures to what a chart draws: numbers in the order they are drawn, no colours and no pixels.

Bars that name things are drawn by the templates as SVG; what has an axis is drawn by `charts.js` from these values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from msgspec.structs import asdict

from witnessmark.core.case import COMPLEXITIES
from witnessmark.core.verdict import ACTIONS, OUTCOMES
from witnessmark.insight.figure import MIN_SAMPLE
from witnessmark.insight.overview import Group, Overview, OverviewPoint, Share
from witnessmark.insight.values import Quality

SPLIT = {
    "accept": "used",
    "warn": "used",
    "retry": "sent_back",
    "switch": "sent_back",
    "correct": "sent_back",
    "escalate": "person",
}
SPLIT_WORDS = {"used": "used", "sent_back": "sent back", "given_up": "given up", "person": "left to a person"}
DAY_S = 86_400
FEW = 20
FEWEST_RETRIES = 5
"""Retries after one kind of issue from which on their success is drawn: a share of one or two is none."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One part of a whole: its name, how many, and where it begins and ends on a line from 0 to 100."""

    name: str
    label: str
    n: int
    share: float
    start: float


def over_time(points: Sequence[OverviewPoint], what: str) -> dict[str, Any]:
    """Outcomes or actions by day, stacked; days on which nothing happened are there, and empty."""
    names = OUTCOMES if what == "outcomes" else ACTIONS
    filled = _without_gaps(points)
    used = [name for name in names if any(getattr(point, what).get(name) for point in filled)]
    lines = [{"name": name, "y": [getattr(point, what).get(name, 0) for point in filled]} for name in used]
    return {"kind": "stack", "x": [point.at for point in filled], "series": lines}


def _without_gaps(points: Sequence[OverviewPoint]) -> list[OverviewPoint]:
    if not points:
        return []
    by_time = {point.at: point for point in points}
    steps = [b.at - a.at for a, b in pairwise(points)]
    step = min([DAY_S, *(s for s in steps if s > 0)])
    first, last = points[0].at, points[-1].at
    if (last - first) // step > 2_000:
        return list(points)
    return [by_time.get(at, OverviewPoint(at=at)) for at in range(first, last + 1, step)]


def split(actions: Mapping[str, int]) -> list[Bar]:
    """What became of the work: what the source documents call PASS was used, RETRY sent back, FAIL given up; the rest is a person's."""
    counts = dict.fromkeys(SPLIT_WORDS, 0)
    for action, n in actions.items():
        counts[SPLIT.get(action, "given_up")] += n
    return bars(counts, SPLIT_WORDS)


def bars(counts: Mapping[str, int], labels: Mapping[str, str] | None = None) -> list[Bar]:
    """Parts of a whole, end to end."""
    total = sum(counts.values())
    found, at = [], 0.0
    for name, n in counts.items():
        share = n / total if total else 0.0
        found.append(Bar(name, (labels or {}).get(name, name), n, share, 100 * at))
        at += share
    return found


def outcomes(group: Group) -> list[Bar]:
    """A group's outcomes in the order they are always in."""
    return bars({name: group.outcomes.get(name, 0) for name in OUTCOMES})


def confidences(histograms: Mapping[str, Sequence[int]]) -> dict[str, Any]:
    """Ten bins from 0 to 1, one colour for each kind of confidence; kinds are never added up into one."""
    kinds = [kind for kind, bins in histograms.items() if sum(bins)]
    middles = [round(0.05 + 0.1 * number, 2) for number in range(10)]
    return {
        "kind": "histogram",
        "x": middles,
        "series": [{"name": kind, "y": list(histograms[kind])} for kind in kinds],
    }


def reliability(quality: Quality, after: Quality | None = None) -> dict[str, Any]:
    """What was said against what was: the closer to the diagonal, the better. A bin with few in it says nothing."""

    def line(name: str, one: Quality) -> dict[str, Any]:
        seen = [bin for bin in one.reliability if bin.said is not None and bin.was is not None and bin.n >= FEW]
        return {
            "name": name,
            "x": [bin.said for bin in seen],
            "y": [bin.was for bin in seen],
            "n": [bin.n for bin in seen],
        }

    lines = [line("uncalibrated", quality)] + ([line("calibrated", after)] if after is not None else [])
    return {"kind": "reliability", "lines": lines}


def expected(shares: Sequence[Share]) -> list[dict[str, Any]]:
    """Retries needed beside the range that was expected; below a minimum sample nothing is said about it."""
    enough = sum(share.n for share in shares) >= MIN_SAMPLE
    return [asdict(one) | {"within": _within(one) if enough else None} for one in shares]


def _within(one: Share) -> bool | None:
    if one.share is None or (one.low is None and one.high is None):
        return None
    shown = round(one.share, 2)  # as it is shown: 70 % is within 60 to 70 %
    return (one.low or 0.0) <= shown <= (1.0 if one.high is None else one.high)


def drawn(seen: Overview) -> dict[str, Any]:
    """Everything the overview and the report draw."""
    groups = (("By checkpoint", seen.by_checkpoint), ("By agent", seen.by_agent), ("By judge", seen.by_judge))
    patterns = sorted(seen.patterns, key=lambda p: -p.runs)[:8]
    return {
        "outcomes": over_time(seen.series, "outcomes"),
        "actions": over_time(seen.series, "actions"),
        "split": split(seen.actions),
        "outcomes_of": outcomes,
        "confidence": confidences(seen.confidence),
        "complexity": sorted(
            seen.by_complexity, key=lambda g: COMPLEXITIES.index(g.name) if g.name in COMPLEXITIES else 9
        ),
        "groups": [(title, some[:6]) for title, some in groups if some],
        "enough": FEWEST_RETRIES,
        "retries": expected(seen.retries_needed),
        "patterns": patterns,
        "most": max((pattern.runs for pattern in patterns), default=1),
        "retried": [pattern for pattern in sorted(seen.patterns, key=lambda p: -p.retries) if pattern.retries][:8],
    }
