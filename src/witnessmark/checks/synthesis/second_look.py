"""A second look at the claims of a synthesis that no agent output seems to bear: those that several outputs tell part by part.

It only ever looks at what was doubted for want of words, never at what an output contradicts, and what it finds counts
as borne in part at most. Knows nothing about how claims are weighed.
"""

from __future__ import annotations

import datetime
import functools
import math
import re
from collections.abc import Sequence
from itertools import combinations, permutations

from msgspec.structs import replace

from witnessmark.checks.grounding import grounding_check
from witnessmark.checks.grounding.evidence import Index, sources_of
from witnessmark.checks.grounding.reading.language import language_of
from witnessmark.checks.grounding.statement import Statement
from witnessmark.core.case import Case, Evidence
from witnessmark.core.protocols import SupportModel
from witnessmark.core.verdict import Claim, EvidenceRef
from witnessmark.text import names
from witnessmark.text.dates import dates
from witnessmark.text.numbers import figures
from witnessmark.text.words import content

DAY_S, LEAP_YEAR = 86_400, 2024
WORKED_OUT = 0.75
"""How probable a figure is that one step makes of those that are stated: it may be the wrong step."""
_PARTS = re.compile(r":\s+|;\s+|,\s+(?:and|but|while|und|et|y)\s+")


class SecondLook:
    """Looks again at the claims of one case; the index of all outputs is made when first needed."""

    def __init__(self, case: Case, outputs: tuple[Evidence, ...], model: SupportModel | None) -> None:
        self.case, self.outputs, self.model = case, outputs, model

    def of(self, claims: Sequence[Claim]) -> tuple[Claim, ...]:
        """The claims in their order, each as it stands after a second look."""
        return tuple(
            (self._in_parts(claim) or self._worked_out(claim) or claim) if doubted(claim) else claim for claim in claims
        )

    @functools.cached_property
    def _index(self) -> Index:
        return Index(sources_of(self.outputs), self.case.text, self._language)

    @functools.cached_property
    def _language(self) -> str:
        return language_of(self.case.text, sources_of(self.outputs))[0] or "en"

    def _in_parts(self, claim: Claim) -> Claim | None:
        """A sentence of several statements, each borne by an output; what stands before a colon announces them."""
        if claim.details.get("by") == "rule":
            return None
        parts = _PARTS.split(claim.text)
        announced = len(parts) > 1 and claim.text[len(parts[0])] == ":"
        stated = parts[1:] if announced else parts
        if len(stated) < 2 or any(len(part.split()) < 3 for part in stated) or (announced and _has_content(parts[0])):
            return None
        read = [self._claim(part) for part in stated]
        if any(part.status not in ("supported", "partial") for part in read):
            return None
        places: dict[str, EvidenceRef] = {ref.id: ref for part in read for ref in part.evidence}
        reason = "each of its parts is supported by an output"
        return replace(claim, status="partial", reason=reason, evidence=tuple(places.values()))

    def _worked_out(self, claim: Claim) -> Claim | None:
        """A sentence whose figures the outputs state, but for one that is one step from them, or the days between two of their dates."""
        told = [source.text for source in sources_of(self.outputs)]
        about = set(content(claim.text)) & set(content(" ".join(told)))
        if claim.details.get("by") == "rule" or not about:
            return None
        wanted = [one for one in figures(claim.text) if one.dimension or not one.worded]
        known = {(one.face, one.dimension) for text in told for one in figures(text)}
        stated = [one.face for one in wanted if (one.face, one.dimension) in known]
        made = [one for one in wanted if (one.face, one.dimension) not in known]
        if len(made) != 1:
            return None
        how = _step(made[0].face, stated) or (_apart(made[0].low, told) if made[0].dimension == "time" else None)
        if how is None:
            return None
        reason = "its figure is not stated but follows from figures that are"
        return replace(
            claim, status="partial", reason=reason, probability=WORKED_OUT, details=claim.details | {"worked_out": how}
        )

    def _claim(self, part: str) -> Claim:
        return grounding_check.claim_of(
            Statement((0, 0), part, "text"), self._index, self._language, self.case.goal, self.model
        )


def _step(wanted: float, known: Sequence[float]) -> str | None:
    """How one step makes a number of two others; None where none does."""
    for one, other in permutations(known, 2):
        steps = {"+": one + other, "-": one - other, "×": one * other, "/": one / other if other else math.nan}
        for sign, result in steps.items():
            if math.isclose(result, wanted, rel_tol=0.005):
                return f"{one:g} {sign} {other:g}"
    return None


def _apart(seconds: float, told: Sequence[str]) -> str | None:
    """Which two dates of the outputs are so far apart; where a year is not said it is that of the other, or any."""
    days = [one for text in told for one in dates(text) if one.day and one.month]
    for one, other in combinations(days, 2):
        years = one.first or other.first or LEAP_YEAR, other.first or one.first or LEAP_YEAR
        try:
            first, second = (
                datetime.date(year, x.month or 1, x.day or 1) for year, x in zip(years, (one, other), strict=True)
            )
        except ValueError:  # 29 February of the other's year
            continue
        if abs((second - first).days) * DAY_S == seconds:
            return f"{abs((second - first).days)} days between {first:%d.%m.} and {second:%d.%m.}"
    return None


def doubted(claim: Claim) -> bool:
    """Whether a claim was doubted for want of words, not because of what it ascribes to whom."""
    return claim.status == "unsupported" and "ascribed" not in claim.details


def _has_content(text: str) -> bool:
    return bool(figures(text) or dates(text) or names.names(text))
