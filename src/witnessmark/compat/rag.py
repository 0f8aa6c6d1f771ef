"""The names of a retrieval pipeline's verifier stage: verify_response, corrective_rag_loop, verify_and_correct, chat_with_verification.

It runs after generation: query, response and the retrieved context in; the response, possibly corrected, its confidence and
what became of each claim out. All of it is `Verifier` and `retrieval.corrective`; nothing is judged here. What could not be
verified has confidence None and is_grounded None, never a number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from witnessmark.checks.grounding.confidence import Verification, confidence
from witnessmark.checks.grounding.evidence import EvidenceSource, Index
from witnessmark.checks.grounding.grounding_check import evidence_text
from witnessmark.compat.rag_values import (
    ChatResponse,
    CheckedResponse,
    ClaimStatus,
    CRAGResult,
    VerificationResult,
    VerifiedClaim,
)
from witnessmark.core.case import Answer, Case, Evidence
from witnessmark.core.errors import InputError
from witnessmark.core.protocols import Judge, SupportModel
from witnessmark.core.record import Record
from witnessmark.core.verdict import Claim, EvidenceRef
from witnessmark.retrieval import corrective
from witnessmark.retrieval.extractive import ExtractiveGenerator
from witnessmark.retrieval.judge_generator import JudgeGenerator
from witnessmark.retrieval.protocols import AnyGenerator, AnyRetriever, Revision, as_evidence, evidence_from, text_from
from witnessmark.settings import Settings
from witnessmark.text import words
from witnessmark.verifier import Verifier

Context = str | Sequence[Any]


# --- verifying -------------------------------------------------------------------------------------------------------


async def verify_response(
    query: str,
    response: str,
    context: Context,
    user_model: Judge | None = None,
    *,
    model: SupportModel | None = None,
    verification: Verification | Mapping[str, Any] | None = None,
    verifier: Verifier | None = None,
) -> VerificationResult:
    """Verify that a response is borne out by its context: a text, or chunks as texts, mappings or Evidence."""
    found = await _record(query, response, sources_of(context), user_model, model, verification, verifier)
    return _result(found, response, sources_of(context))


async def _record(
    query: str,
    response: str,
    sources: Sequence[Evidence],
    judge: Judge | None,
    model: SupportModel | None,
    verification: Verification | Mapping[str, Any] | None,
    verifier: Verifier | None,
) -> Record:
    if isinstance(judge, str):
        raise InputError("user_model: hand in a judge, not its name; `user_model=None` verifies without one")
    services = {name: thing for name, thing in (("judge", judge), ("model", model)) if thing is not None}
    with_ = verifier or Verifier.from_settings(
        Settings(), services=services | {"verification": settings_of(verification)}
    )
    case = Case(subject=Answer(text=response), goal=query, evidence=tuple(sources))
    return await with_.verify(case, checkpoint="answer")


def settings_of(given: Verification | Mapping[str, Any] | None) -> Verification:
    """The settings from a value or a mapping of them; an unknown one is refused."""
    if given is None or isinstance(given, Verification):
        return given or Verification()
    wrong = sorted(set(given) - set(Verification.__struct_fields__))
    if wrong:
        raise InputError(f"verification.{wrong[0]}: unknown; known are {', '.join(Verification.__struct_fields__)}")
    return Verification(**given)


def sources_of(context: Context) -> tuple[Evidence, ...]:
    """The context as evidence with ids c1, c2, … where it has none; an empty text is no evidence."""
    if isinstance(context, str):
        return (Evidence(id="c1", text=context),) if context.strip() else ()
    named = (
        as_evidence({"id": f"c{n}", "text": one} if isinstance(one, str) else one) for n, one in enumerate(context, 1)
    )
    return tuple(named)


def _result(record: Record, response: str, sources: Sequence[Evidence]) -> VerificationResult:
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


def calculate_confidence(verification: VerificationResult, *, original: bool = False) -> float | None:
    """The confidence of the claims, by share, or by the original formula; None where no claim could be verified."""
    return confidence([claim.status.ours for claim in verification.claims], "original" if original else "default")


# --- correcting ------------------------------------------------------------------------------------------------------


def nearest(text: str, sources: Sequence[Evidence]) -> list[tuple[float, EvidenceRef]]:
    """The sentences of the sources that speak most about a text, with the share of its words they have."""
    index = Index([EvidenceSource(source.id, evidence_text(source)) for source in sources], text)
    return [(share, EvidenceRef(id=p.source, span=p.span)) for share, p in index.best(words.content(text), 3)]


async def corrective_rag_loop(
    query: str,
    original_response: str,
    verification: VerificationResult,
    context: Context,
    user_model: Judge | None = None,
    max_attempts: int = 2,
    *,
    retriever: AnyRetriever | None = None,
    generator: AnyGenerator | None = None,
    model: SupportModel | None = None,
    settings: Verification | Mapping[str, Any] | None = None,
) -> CRAGResult:
    """Find what the claims lack, write again, verify with all the evidence in view; the best version comes back."""
    chosen = settings_of(settings)
    history: list[VerificationResult] = [verification]

    async def verify(response: str, view: Sequence[Evidence]) -> corrective.ResponseCheck:
        record = await _record(query, response, view, user_model, model, chosen, None)
        made = _result(record, response, view)
        history.append(made)
        return corrective.ResponseCheck(made.confidence, made.is_grounded, record.claims)

    sources = sources_of(context)
    first = await _first(verification, verify, original_response, sources)
    done = await corrective.correct(
        query, original_response, first, sources, verify=verify, retriever=retriever,
        generator=generator or (JudgeGenerator(user_model) if user_model is not None else ExtractiveGenerator(nearest)),
        threshold=chosen.confidence_threshold, max_attempts=min(max_attempts, chosen.max_crag_attempts),
    )  # fmt: skip
    final = next((v for v in reversed(history) if v.record and v.record.claims == done.checked.claims), verification)
    return CRAGResult(
        final_response=done.response,
        confidence=done.checked.confidence,
        attempts=len(done.attempts),
        verification_history=history,
        additional_context_used=len(done.sources) > len(sources),
        verification=final,
        stop_reason=done.stop,
        log=[_logged(one) for one in done.attempts],
    )


async def _first(
    given: VerificationResult, verify: corrective.Verify, response: str, sources: Sequence[Evidence]
) -> corrective.ResponseCheck:
    """What is known about the original: from its record, or by looking again where it came without one."""
    if given.record is None:
        return await verify(response, sources)
    return corrective.ResponseCheck(given.confidence, given.is_grounded, given.record.claims)


def _logged(one: corrective.CorrectionAttempt) -> dict[str, Any]:
    statuses = [claim.status for claim in one.checked.claims]
    counts = {name: statuses.count(name) for name in ("supported", "partial", "unsupported", "contradicted")}
    return {
        "attempt": one.number, "queries": list(one.queries), "found": list(one.found), "confidence": one.checked.confidence,
        "grounded": one.checked.grounded, "kept": one.kept, **counts,
    }  # fmt: skip


async def verify_and_correct(
    query: str,
    response: str,
    context: Context,
    user_model: Judge | None = None,
    *,
    retriever: AnyRetriever | None = None,
    generator: AnyGenerator | None = None,
    model: SupportModel | None = None,
    verification: Verification | Mapping[str, Any] | None = None,
) -> CheckedResponse:
    """Verify a response and, in mode `correct` (the default here), put it right where its confidence is below the threshold.

    `observe` and `verify` never change the response; `observe` is for watching before anything depends on it.
    """
    given = (
        {"mode": "correct"} | dict(verification)
        if not isinstance(verification, Verification) and verification
        else verification
    )
    settings = settings_of(given if given is not None else {"mode": "correct"})
    if not settings.enabled:
        return CheckedResponse(response, None, None, None, False, 0, "off")
    first = await verify_response(query, response, context, user_model, model=model, verification=settings)
    if settings.mode != "correct" or not _low(first, settings):
        return CheckedResponse(response, first.confidence, first.is_grounded, first, False, 0, settings.mode)
    loop = await corrective_rag_loop(
        query, response, first, context, user_model, settings.max_crag_attempts,
        retriever=retriever, generator=generator, model=model, settings=settings,
    )  # fmt: skip
    final = loop.verification
    return CheckedResponse(
        loop.final_response,
        final.confidence,
        final.is_grounded,
        final,
        loop.attempts > 0,
        loop.attempts,
        settings.mode,
        loop,
    )


def _low(checked: VerificationResult, settings: Verification) -> bool:
    """Below the threshold, contradicted, or without any evidence yet; a response without claims needs no correction."""
    if checked.unverified_because == "no_evidence":
        return True
    if checked.confidence is None:
        return False
    return not checked.is_grounded or round(checked.confidence, 9) < round(settings.confidence_threshold, 9)


async def chat_with_verification(
    prompt: str,
    workspace: str = "default",
    model: str = "extractive",
    enable_verification: bool = True,
    enable_crag: bool = True,
    confidence_threshold: float = 0.7,
    *,
    retriever: AnyRetriever,
    generator: AnyGenerator | None = None,
    judge: Judge | None = None,
    support: SupportModel | None = None,
    max_crag_attempts: int = 2,
    show_claims: bool = False,
    context_size: int = 5,
) -> ChatResponse:
    """Get context, generate, verify, correct where confidence is low and correction is on, and say how confident it is."""
    sources = await evidence_from(retriever, prompt, context_size)
    writer = generator or (JudgeGenerator(judge) if judge is not None else ExtractiveGenerator(nearest))
    content = await text_from(writer, Revision(prompt, tuple(sources)))
    if not enable_verification:
        return ChatResponse(content, model, workspace)
    settings = Verification(
        confidence_threshold=confidence_threshold, max_crag_attempts=max_crag_attempts, show_claims=show_claims,
        mode="correct" if enable_crag else "verify",
    )  # fmt: skip
    done = await verify_and_correct(
        prompt, content, sources, judge, retriever=retriever, generator=writer, model=support, verification=settings
    )
    return ChatResponse(done.response, model, workspace, _summary(done, show_claims))


def _summary(done: CheckedResponse, show_claims: bool) -> dict[str, Any]:
    checked = done.verification
    claims = [one for one in checked.claims if one.status is not ClaimStatus.UNVERIFIABLE] if checked else []
    kept: dict[str, Any] = {
        "confidence": done.confidence,
        "is_grounded": done.is_grounded,
        "claims_checked": len(claims),
        "claims_supported": sum(one.status is ClaimStatus.SUPPORTED for one in claims),
        "crag_attempts": done.crag_attempts,
    }
    if show_claims:
        kept["claims"] = [{**asdict(one), "status": one.status.value} for one in claims]
    return kept


__all__ = [
    "CRAGResult",
    "ChatResponse",
    "CheckedResponse",
    "ClaimStatus",
    "VerificationResult",
    "VerifiedClaim",
    "calculate_confidence",
    "chat_with_verification",
    "corrective_rag_loop",
    "nearest",
    "settings_of",
    "sources_of",
    "verify_and_correct",
    "verify_response",
]
