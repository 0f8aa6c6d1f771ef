"""How probable it is that an answer holds as a whole, from what became of its claims: one wrong claim makes it wrong.

The product alone takes claims for independent, which they are not: those of one answer come from one writer. So a regression weighs the
product, the weakest claims and what no source mentions, by kind of text; it is fitted on real answers (training/fit_decision.py). One more claim never
makes an answer more probable: the fit keeps every coefficient on its side of 0.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from witnessmark.checks.grounding.decision import chance, weighed
from witnessmark.core.verdict import log_odds

KINDS = ("kind_record", "kind_answer", "kind_question")
COUNTED = ("name_missing", "figure_missing", "record_against")
"""What claims are counted for: by themselves such marks settle little, several in one answer say much."""
MOST = 5.0
"""The log odds beyond which a claim is not more certain: what stands in for claims that an answer of one or two does not have."""


def traits(claims: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """What an answer is like, from the features of its claims and not from what was decided of them."""
    kinds = {name: claims[0][name] for name in KINDS}
    return kinds | {name: math.log1p(math.fsum(one[name] for one in claims)) for name in COUNTED}


def features(chances: Sequence[float], about: Mapping[str, float]) -> dict[str, float]:
    """The features of an answer: its traits, and what the probabilities of its claims come to."""
    weakest = sorted(min(MOST, log_odds(one)) for one in chances)[:3]
    weakest += [MOST] * (3 - len(weakest))
    found = {"all": log_odds(math.prod(chances)), "weakest": weakest[0], "claims": math.log(len(chances))}
    by_kind = {f"{name}*{kind}": value * about[kind] for name, value in found.items() for kind in KINDS[:2]}
    return {**about, **found, **by_kind, "second": weakest[1], "third": weakest[2]}


def holds(chances: Sequence[float], about: Mapping[str, float], known: Mapping[str, Any]) -> float:
    """How probable it is that all claims hold; the product where nothing was fitted, as for a single statement.

    All together are never more probable than the weakest of them.
    """
    if "whole" not in known or not chances:
        return math.prod(chances)
    return min(*chances, chance(weighed(features(chances, about), known["whole"])))
