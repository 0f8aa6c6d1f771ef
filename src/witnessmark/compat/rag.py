"""The names of a retrieval pipeline's verifier stage: verify_response, corrective_rag_loop, verify_and_correct, chat_with_verification.

It runs after generation: query, response and the retrieved context in; the response, possibly corrected, its confidence and
what became of each claim out. All of it is `Verifier` and `retrieval.corrective`; nothing is judged here. What could not be
verified has confidence None and is_grounded None, never a number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from msgspec.structs import replace

from witnessmark.checks.grounding.confidence import Verification, confidence
from witnessmark.compat.rag_stage import Context, VerifierStage, configured_verifier, nearest, settings_of, sources_of
from witnessmark.compat.rag_values import (
    ChatResponse,
    CheckedResponse,
    ClaimStatus,
    CRAGResult,
    VerificationResult,
    VerifiedClaim,
)
from witnessmark.core.case import Answer, Case, Evidence, Executor
from witnessmark.core.errors import InputError
from witnessmark.core.protocols import Judge, SupportModel
from witnessmark.retrieval import corrective
from witnessmark.retrieval.extractive import REMOVED
from witnessmark.retrieval.protocols import AnyGenerator, AnyRetriever, Revision, evidence_from, text_from
from witnessmark.verifier import Verifier

# --- verifying -------------------------------------------------------------------------------------------------------


async def verify_response(
    query: str,
    response: str,
    context: Context,
    user_model: Judge | str | None = None,
    *,
    model: SupportModel | None = None,
    verification: Verification | Mapping[str, Any] | None = None,
    verifier: Verifier | None = None,
) -> VerificationResult:
    """Verify that a response is borne out by its context: a text, or chunks as texts, mappings or Evidence.

    Args:
        query: What was asked.
        response: What came out.
        context: What it may rest on.
        user_model: A judge, or the name of one; left out, the judges of the settings are asked, where there are any.
        model: An embedded model in place of the one that the settings name.
        verification: Settings of the answer check over those of the settings file.
        verifier: The verifier to use; left out, the one that the settings file describes.

    """
    stage = VerifierStage(verifier, user_model, model, verification)
    return await stage.checked(_case(query, response, sources_of(context)))


def _case(query: str, response: str, sources: Sequence[Evidence]) -> Case:
    return Case(subject=Answer(text=response), goal=query, evidence=tuple(sources))


def calculate_confidence(verification: VerificationResult, *, original: bool = False) -> float | None:
    """The confidence of the claims, by share, or by the original formula; None where no claim could be verified."""
    return confidence([claim.status.ours for claim in verification.claims], "original" if original else "default")


# --- correcting ------------------------------------------------------------------------------------------------------


async def corrective_rag_loop(
    query: str,
    original_response: str,
    verification: VerificationResult,
    context: Context,
    user_model: Judge | str | None = None,
    max_attempts: int = 2,
    *,
    retriever: AnyRetriever | None = None,
    generator: AnyGenerator | None = None,
    model: SupportModel | None = None,
    settings: Verification | Mapping[str, Any] | None = None,
    verifier: Verifier | None = None,
) -> CRAGResult:
    """Find what the claims lack, write again, verify with all the evidence in view; the best version comes back.

    At most `max_attempts` times, and never more often than the settings' `max_crag_attempts`.
    """
    stage = VerifierStage(verifier, user_model, model, settings)
    case = _case(query, original_response, sources_of(context))
    most = min(max_attempts, stage.settings.max_crag_attempts)
    return await _loop(stage, case, verification, retriever, generator, most)


async def _loop(
    stage: VerifierStage,
    case: Case,
    verification: VerificationResult,
    retriever: AnyRetriever | None,
    generator: AnyGenerator | None,
    max_attempts: int,
) -> CRAGResult:
    history: list[VerificationResult] = [verification]
    writer = generator or stage.generator(case)
    first = verification.record.id if verification.record is not None else None

    async def verify(response: str, view: Sequence[Evidence]) -> corrective.ResponseCheck:
        rewritten = response != case.text
        one = replace(
            case, subject=Answer(text=response), evidence=tuple(view), executor=_author(case, writer, rewritten)
        )
        made = await stage.checked(one, parent=first)
        history.append(made)
        assert made.record is not None
        return corrective.ResponseCheck(
            made.confidence, made.is_grounded, made.record.claims, await stage.relevance(one)
        )

    if verification.record is None:
        start = await verify(case.text, case.evidence)
    else:
        start = corrective.ResponseCheck(
            verification.confidence, verification.is_grounded, verification.record.claims, await stage.relevance(case)
        )
    done = await corrective.correct(
        case.goal, case.text, start, case.evidence, verify=verify, retriever=retriever, generator=writer,
        threshold=stage.settings.confidence_threshold, max_attempts=max_attempts,
    )  # fmt: skip
    final = next((v for v in reversed(history) if v.record and v.record.claims == done.checked.claims), history[-1])
    return CRAGResult(
        final_response=done.response,
        confidence=done.checked.confidence,
        attempts=len(done.attempts),
        verification_history=history,
        additional_context_used=len(done.sources) > len(case.evidence),
        verification=final,
        stop_reason=done.stop,
        log=[_logged(one) for one in done.attempts],
        original=case.text,
    )


def _author(case: Case, writer: AnyGenerator, rewritten: bool) -> Executor | None:
    """Who made a version: where a judge rewrote it, that model, so that it is not asked about its own words."""
    model = getattr(writer, "model", None)
    if not rewritten or not isinstance(model, str) or not model:
        return case.executor
    return Executor(model=model)


def _logged(one: corrective.CorrectionAttempt) -> dict[str, Any]:
    statuses = [claim.status for claim in one.checked.claims]
    counts = {name: statuses.count(name) for name in ("supported", "partial", "unsupported", "contradicted")}
    return {
        "attempt": one.number, "queries": list(one.queries), "found": list(one.found), "confidence": one.checked.confidence,
        "grounded": one.checked.grounded, "relevance": one.checked.relevance, "kept": one.kept, "fault": one.fault, **counts,
    }  # fmt: skip


async def verify_and_correct(
    query: str,
    response: str,
    context: Context,
    user_model: Judge | str | None = None,
    *,
    retriever: AnyRetriever | None = None,
    generator: AnyGenerator | None = None,
    model: SupportModel | None = None,
    verification: Verification | Mapping[str, Any] | None = None,
    verifier: Verifier | None = None,
) -> CheckedResponse:
    """Verify a response and, in mode `correct`, put it right where its confidence is below the threshold.

    The mode is the settings' (`verify` unless they say otherwise). `observe` and `verify` never change the response.
    """
    stage = VerifierStage(verifier, user_model, model, verification)
    return await _corrected(stage, _case(query, response, sources_of(context)), retriever, generator)


async def correct_answer(
    case: Case,
    *,
    verifier: Verifier | None = None,
    retriever: AnyRetriever | None = None,
    generator: AnyGenerator | None = None,
    max_attempts: int | None = None,
) -> CheckedResponse:
    """Verify an answer and put it right where it is not grounded: what the command, the route and the MCP tool call.

    Whoever calls this asks for a correction, so it corrects in mode `verify` too; in mode `observe` nothing is ever changed.

    Raises:
        InputError: where the case is no answer.

    """
    if not isinstance(case.subject, Answer):
        raise InputError(f"subject.kind: only an answer can be corrected, not {case.kind}")
    base = verifier or configured_verifier()
    wanted: dict[str, Any] = {} if base.settings.verification.mode == "observe" else {"mode": "correct"}
    wanted |= {} if max_attempts is None else {"max_crag_attempts": max_attempts}
    return await _corrected(VerifierStage(base, verification=wanted), case, retriever, generator)


async def _corrected(
    stage: VerifierStage, case: Case, retriever: AnyRetriever | None, generator: AnyGenerator | None
) -> CheckedResponse:
    settings = stage.settings
    if not settings.enabled:
        return CheckedResponse(case.text, None, None, None, False, 0, "off")
    first = await stage.checked(case)
    # Without any source there is nothing to correct an answer by, and "the sources do not say" would be no better.
    nothing = first.unverified_because == "no_evidence" and retriever is None and not case.evidence
    if settings.mode != "correct" or nothing or not _low(first, settings):
        return CheckedResponse(case.text, first.confidence, first.is_grounded, first, False, 0, settings.mode)
    loop = await _loop(stage, case, first, retriever, generator, settings.max_crag_attempts)
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
    confidence_threshold: float | None = None,
    *,
    retriever: AnyRetriever,
    generator: AnyGenerator | None = None,
    judge: Judge | None = None,
    support: SupportModel | None = None,
    max_crag_attempts: int | None = None,
    show_claims: bool | None = None,
    context_size: int = 5,
    verifier: Verifier | None = None,
) -> ChatResponse:
    """Get context, generate, verify, correct where that is switched on and confidence is low, and say how confident it is.

    What is left out is as the settings file has it: threshold 0.7, 2 attempts, no claims shown. `enable_crag` allows what the
    setting `mode = "correct"` switches on; false, nothing is corrected whatever the settings say.
    """
    base = verifier or configured_verifier(workspace)
    given = {
        "confidence_threshold": confidence_threshold,
        "max_crag_attempts": max_crag_attempts,
        "show_claims": show_claims,
    }
    over: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    if not enable_crag and base.settings.verification.mode == "correct":
        over["mode"] = "verify"
    stage = VerifierStage(base, judge, support, over)
    sources = await evidence_from(retriever, prompt, context_size)
    asked = _case(prompt, "", sources)
    writer = generator or stage.generator(asked)
    content = corrective.plain_reply(await text_from(writer, Revision(prompt, tuple(sources))))
    if not enable_verification or not stage.settings.enabled:
        return ChatResponse(content, model, workspace)
    done = await _corrected(stage, replace(asked, subject=Answer(text=content)), retriever, writer)
    return ChatResponse(done.response, model, workspace, summary(done, stage.settings.show_claims))


def summary(done: CheckedResponse, show_claims: bool) -> dict[str, Any]:
    """The figures of a response as JSON, with each claim where those are to be shown."""
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


def correction(done: CheckedResponse, show_claims: bool) -> dict[str, Any]:
    """What came of correcting an answer, as JSON: the version to use, what it is worth, and how it came about.

    Its `confidence` is the record's, the number that checking the same version gives; its `outcome` too, unless something was left out:
    what remains of an answer is no more than a part.
    """
    record = done.verification.record if done.verification is not None else None
    left_out = done.crag is not None and done.response.count(REMOVED) > done.crag.original.count(REMOVED)
    outcome = record.outcome if record is not None else None
    return {
        "response": done.response,
        "changed": done.crag is not None and done.response != done.crag.original,
        "outcome": "partial" if left_out and outcome == "pass" else outcome,
        "record_id": record.id if record is not None else None,
        "mode": done.mode,
        "stop_reason": done.crag.stop_reason if done.crag is not None else None,
        "log": done.crag.log if done.crag is not None else [],
        **summary(done, show_claims),
        "confidence": record.confidence if record is not None else None,
    }


__all__ = [
    "CRAGResult",
    "ChatResponse",
    "CheckedResponse",
    "ClaimStatus",
    "VerificationResult",
    "VerifiedClaim",
    "calculate_confidence",
    "chat_with_verification",
    "correct_answer",
    "correction",
    "corrective_rag_loop",
    "nearest",
    "settings_of",
    "sources_of",
    "summary",
    "verify_and_correct",
    "verify_response",
]
