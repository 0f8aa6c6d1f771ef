"""Every rule on what a claim compares, ranks, orders, measures or adds up, in one row."""

from __future__ import annotations

from collections.abc import Sequence

from witnessmark.checks.grounding.evidence import Index, Passage
from witnessmark.checks.grounding.finding import RuleFinding
from witnessmark.checks.grounding.two_things.compared_values import compared_values
from witnessmark.checks.grounding.two_things.event_order import event_order
from witnessmark.checks.grounding.two_things.measured import other_measure
from witnessmark.checks.grounding.two_things.ranked_things import ranked_things
from witnessmark.checks.grounding.two_things.total_of_some import total_of_some


def comparisons(
    claim: str, goal: str, index: Index, near: Sequence[tuple[float, Passage]]
) -> tuple[RuleFinding | None, ...]:
    """What each of these rules says of a claim; None where it is silent."""
    return (
        compared_values(claim, index) or ranked_things(claim, goal, index),
        event_order(claim, index),
        other_measure(claim, goal, near),
        total_of_some(claim, near),
    )
