"""What an embedded model reads of claims: the whole evidence, the question they answer, and each claim in the notation of the sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from witnessmark.checks.grounding import findings
from witnessmark.checks.grounding.confidence import Verification
from witnessmark.checks.grounding.decision import fitted, in_language, settled, shaped, window
from witnessmark.checks.grounding.evidence import Index
from witnessmark.checks.grounding.features import ClaimFeatures
from witnessmark.checks.grounding.reading.kinds import kind_of
from witnessmark.checks.grounding.relations.notation import SourceNotation
from witnessmark.checks.grounding.statement import Statement
from witnessmark.core.protocols import Models, Reading, SupportModel


def read(model: SupportModel, found: Sequence[str], index: Index, question: str, *, alone: bool) -> list[Reading]:
    """What a model makes of each claim; one that reads for itself gets all the evidence and the question, any other a window of the evidence.

    `alone`: the claim is all its text says, and a model may read more of the evidence for it. What somebody says in a talk is no question.
    """
    asked = "" if kind_of(question, record=False) == "dialogue" else question
    richer = (getattr(model, "read_alone", None) if alone else None) or getattr(model, "read", None)
    if richer is not None:
        return [Reading(*one) for one in richer([(index.lines, text) for text in found], asked)]
    return [Reading(float(score)) for score in model.support([(window(text, index), text) for text in found])]


def as_read(one: Statement, seen: ClaimFeatures) -> SourceNotation:
    """A claim as a model reads it."""
    told = seen.as_stated or SourceNotation(one.text)
    return told.without_heads(one.text, one.heads) if one.heads else told


@dataclass(slots=True)
class ClaimReader:
    """The embedded model behind a setting: found when first asked, kept for the case, with what the record says of it."""

    given: SupportModel | None
    models: Models | None
    settings: Verification
    by: dict[str, Any] = field(default_factory=dict)

    def unread(self, looks: Sequence[ClaimFeatures], language: str) -> frozenset[int]:
        """The numbers of the claims that rules leave open and that are more than the model may read; none where there is no model."""
        late = [at for at, seen in enumerate(looks) if not settled(seen)][findings.MOST_READ :]
        return frozenset(late) if late and self.model(language) is not None else frozenset()

    def scores(
        self, found: Sequence[Statement], looks: Sequence[ClaimFeatures], index: Index, question: str
    ) -> list[Reading | None]:
        """What the model makes of each claim that rules leave open, as an answer to the question; None where there is no model or no need."""
        open_ones = [at for at, seen in enumerate(looks) if not settled(seen)]
        said: list[Reading | None] = [None] * len(found)
        model = self.model(index.language)
        if model is None or not open_ones:
            return said
        claimed = [as_read(found[at], looks[at]) for at in open_ones]
        heard = read(model, [one.text for one in claimed], index, question, alone=len(found) == 1)
        for at, one, reading in zip(open_ones, claimed, heard, strict=True):
            said[at] = one.in_claim(reading)
        return said

    def model(self, language: str) -> SupportModel | None:
        """The model to read with, or None; notes which it is, and why where there is none."""
        name, settings = self.settings.model, self.settings
        found, note = self.given, ""
        if found is None and self.models is not None:
            chosen = self.models(name, fast=settings.profile == "fast", device=settings.device)
            found, note = chosen.model, chosen.note
        known = getattr(found, "languages", None)
        if found is not None and known is not None and language not in known and not in_language(language, found.id):
            found, note = None, f"the embedded model reads {', '.join(known)} only, not {language}"
        self.by = {"model": f"{found.id} {found.version}" if found else "rules"}
        self.by |= {"model_note": note} if note else {}
        return found

    @property
    def weights(self) -> Mapping[str, Any]:
        """The weights that were fitted for what reads here."""
        return fitted(self._ident)

    @property
    def _ident(self) -> str:
        return str(self.by.get("model", "")).partition(" ")[0]

    def weights_for(self, language: str, *, single: bool, brief: float) -> Mapping[str, Any]:
        """The same for a text in this language, of one claim or of several."""
        return shaped(self.weights, single=single, brief=brief, spoken=in_language(language, self._ident))
