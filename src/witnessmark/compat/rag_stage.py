"""The verifier stage of a retrieval pipeline: who verifies a response, by which settings, and its records in the familiar shape."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from witnessmark import config
from witnessmark.checks.grounding.confidence import Verification, with_settings
from witnessmark.compat.rag_values import ClaimStatus, VerificationResult, VerifiedClaim
from witnessmark.core.aliases import with_ids
from witnessmark.core.case import Evidence
from witnessmark.core.protocols import Judge, SupportModel
from witnessmark.core.record import Record
from witnessmark.judges import pool
from witnessmark.retrieval.answer import support_of, told_claim
from witnessmark.retrieval.protocols import as_evidence
from witnessmark.verifier import Verifier

Context = str | Sequence[Any]


def stage_verifier(
    verifier: Verifier | None = None,
    user_model: Judge | str | None = None,
    model: SupportModel | None = None,
    verification: Verification | Mapping[str, Any] | None = None,
) -> Verifier:
    """The verifier of a pipeline's stage: the one given or configured, with these judges, this model and these settings."""
    base = verifier or configured_verifier()
    if isinstance(user_model, str):
        judging = replace(base.settings.judging, judges=(user_model,))
        named = pool.judge_pool(replace(base.settings, judging=judging), base.store)
        base, user_model = base.with_services({"judges": named}), None
    own = {name: thing for name, thing in (("judge", user_model), ("model", model)) if thing is not None}
    settings = settings_of(verification, base.service("verification"))
    return base.with_services({**own, "verification": settings})


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


def result_of(record: Record, sources: Sequence[Evidence]) -> VerificationResult:
    """A record as the stage's result, with the words of the sources."""
    found = support_of(record)
    told = [told_claim(claim, sources) for claim in record.claims]
    return VerificationResult(
        confidence=found.get("confidence"),
        is_grounded=found.get("grounded"),
        claims=[VerifiedClaim(**{**one, "status": ClaimStatus(one["status"])}) for one in told],
        suggested_corrections=list(dict.fromkeys(f.suggestion for f in record.findings if f.suggestion and f.quote)),
        level=found.get("level"),
        unverified_because=next((one.cause for one in record.results if one.check == "grounding"), None),
        judge_reported=found.get("judge_reported"),
        record=record,
    )
