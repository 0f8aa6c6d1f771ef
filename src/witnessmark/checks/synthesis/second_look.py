"""A second look at the claims of a synthesis that no agent output seems to bear: those that several outputs tell part by part.

It only ever looks at what was doubted for want of words, never at what an output contradicts, and what it finds counts
as borne in part at most. Knows nothing about how claims are weighed.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence

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

_PARTS = re.compile(r":\s+|;\s+|,\s+(?:and|but|while|und|et|y)\s+")


class SecondLook:
    """Looks again at the claims of one case; the index of all outputs is made when first needed."""

    def __init__(self, case: Case, outputs: tuple[Evidence, ...], model: SupportModel | None) -> None:
        self.case, self.outputs, self.model = case, outputs, model

    def of(self, claims: Sequence[Claim]) -> tuple[Claim, ...]:
        """The claims in their order, each as it stands after a second look."""
        return tuple((self._in_parts(claim) or claim) if doubted(claim) else claim for claim in claims)

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

    def _claim(self, part: str) -> Claim:
        return grounding_check.claim_of(
            Statement((0, 0), part, "text"), self._index, self._language, self.case.goal, self.model
        )


def doubted(claim: Claim) -> bool:
    """Whether a claim was doubted for want of words, not because of what it ascribes to whom."""
    return claim.status == "unsupported" and "ascribed" not in claim.details


def _has_content(text: str) -> bool:
    return bool(figures(text) or dates(text) or names.names(text))
