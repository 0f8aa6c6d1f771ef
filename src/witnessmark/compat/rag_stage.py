"""The verifier stage of a retrieval pipeline: who verifies a response, by which settings, and who writes a better one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from witnessmark import config
from witnessmark.checks.grounding.confidence import Verification
from witnessmark.checks.grounding.evidence import EvidenceSource, Index, evidence_text
from witnessmark.checks.grounding.grounding_check import with_settings
from witnessmark.compat.rag_values import ClaimStatus, VerificationResult, VerifiedClaim
from witnessmark.core import registry
from witnessmark.core.aliases import with_ids
from witnessmark.core.case import Case, Evidence
from witnessmark.core.errors import UsageError
from witnessmark.core.protocols import Judge, SupportModel
from witnessmark.core.record import Record
from witnessmark.core.verdict import Claim, EvidenceRef, Result
from witnessmark.judges import pool
from witnessmark.judges.choice import choose
from witnessmark.retrieval.extractive import ExtractiveGenerator
from witnessmark.retrieval.judge_generator import JudgeGenerator
from witnessmark.retrieval.protocols import AnyGenerator, as_evidence
from witnessmark.text import words
from witnessmark.verifier import Verifier

Context = str | Sequence[Any]


class VerifierStage:
    """The verifier stage of a pipeline: who verifies, by which settings, and who writes where something is to be put right."""

    def __init__(
        self,
        verifier: Verifier | None = None,
        user_model: Judge | str | None = None,
        model: SupportModel | None = None,
        verification: Verification | Mapping[str, Any] | None = None,
    ) -> None:
        base = verifier or configured_verifier()
        if isinstance(user_model, str):
            judging = replace(base.settings.judging, judges=(user_model,))
            named = pool.judge_pool(replace(base.settings, judging=judging), base.store)
            base, user_model = base.with_services({"judges": named}), None
        self.settings = settings_of(verification, base.settings.verification)
        own = {name: thing for name, thing in (("judge", user_model), ("model", model)) if thing is not None}
        self.verifier = base.with_services({**own, "verification": self.settings})
        self.judge = user_model

    async def checked(self, case: Case, parent: str | None = None) -> VerificationResult:
        """The response of the case, verified."""
        record = await self.verifier.verify(case, checkpoint="answer", attempt=2 if parent else 1, parent=parent)
        return _result(record, case.evidence)

    async def relevance(self, case: Case) -> float | None:
        """How far the response addresses the question; None where neither words nor a judge can tell."""
        judges = None if self.judge is not None else self.verifier.service("judges")
        look = registry.ready("answer_relevancy", None, {"judges": judges, "policy": self.verifier.policy_of(case)})
        found = look(case, {})
        result = found if isinstance(found, Result) else await found
        return result.score if result.settled else None

    def generator(self, case: Case) -> AnyGenerator:
        """Who writes: the judge that was handed in, one that the settings have for writing, or the sources' own words."""
        if self.judge is not None:
            return JudgeGenerator(self.judge)
        judges = self.verifier.service("judges")
        if judges is not None:
            try:
                return JudgeGenerator(choose(judges, case, "writing").judge)
            except UsageError:
                return ExtractiveGenerator(nearest)
        return ExtractiveGenerator(nearest)


def configured_verifier(workspace: str | None = None) -> Verifier:
    """The verifier that the settings file describes, judges included; what a function call verifies is not kept."""
    settings, _ = config.load()
    return Verifier.from_settings(replace(settings, store=None), workspace=workspace)


def settings_of(given: Verification | Mapping[str, Any] | None, base: Verification | None = None) -> Verification:
    """The settings of the answer check: those given, over those of the settings file."""
    if isinstance(given, Verification):
        return given
    return with_settings(base or Verification(), dict(given) if given is not None else None, "verification")


def sources_of(context: Context) -> tuple[Evidence, ...]:
    """The context as evidence with ids c1, c2, … where it has none; an empty text is no evidence."""
    if isinstance(context, str):
        return (Evidence(id="c1", text=context),) if context.strip() else ()
    return tuple(as_evidence(one) for one in with_ids(context, "c"))


def _result(record: Record, sources: Sequence[Evidence]) -> VerificationResult:
    said = next((one for one in record.results if one.check == "grounding"), None)
    details = said.details if said is not None else {}
    texts = {source.id: evidence_text(source) for source in sources}
    return VerificationResult(
        confidence=details.get("confidence"),
        is_grounded=details.get("grounded"),
        claims=[_claim(one, texts) for one in record.claims],
        suggested_corrections=list(dict.fromkeys(f.suggestion for f in record.findings if f.suggestion and f.quote)),
        level=details.get("level"),
        unverified_because=said.cause if said is not None else None,
        judge_reported=details.get("judge_reported"),
        record=record,
    )


def _claim(one: Claim, texts: Mapping[str, str]) -> VerifiedClaim:
    ref = one.evidence[0] if one.evidence else None
    quote = texts.get(ref.id, "")[slice(*ref.span)] if ref is not None and ref.span is not None else None
    return VerifiedClaim(
        one.text,
        ClaimStatus(one.status),
        quote or None,
        one.details.get("reasoning") or one.reason,
        one.span,
        ref.id if ref else None,
    )


def nearest(text: str, sources: Sequence[Evidence]) -> list[tuple[float, EvidenceRef]]:
    """The sentences of the sources that speak most about a text, with the share of its words they have."""
    index = Index([EvidenceSource(source.id, evidence_text(source)) for source in sources], text)
    return [(share, EvidenceRef(id=p.source, span=p.span)) for share, p in index.best(words.content(text), 3)]
