"""The names of a retrieval pipeline's verifier stage: verify_response, corrective_rag_loop, verify_and_correct, chat_with_verification.

It runs after generation: query, response and the retrieved context in; the response, possibly corrected, its confidence and
what became of each claim out. All of it is `Verifier` and `retrieval.answer`; nothing is judged here. What could not be
verified has confidence None and is_grounded None, never a number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from witnessmark.checks.grounding.confidence import Verification, confidence
from witnessmark.checks.grounding.evidence import nearest
from witnessmark.compat.rag_stage import (
    Context,
    configured_verifier,
    result_of,
    settings_of,
    sources_of,
    stage_verifier,
)
from witnessmark.compat.rag_values import (
    ChatResponse,
    CheckedResponse,
    ClaimStatus,
    CRAGResult,
    VerificationResult,
    VerifiedClaim,
)
from witnessmark.core.case import Answer, Case, Evidence
from witnessmark.core.protocols import Judge, SupportModel
from witnessmark.retrieval import answer
from witnessmark.retrieval.corrective import plain_reply
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
    stage = stage_verifier(verifier, user_model, model, verification)
    case = _case(query, response, sources_of(context))
    return result_of(await stage.verify(case, checkpoint="answer"), case.evidence)


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
    stage = stage_verifier(verifier, user_model, model, settings)
    known: Verification = stage.service("verification")
    most = min(max_attempts, known.max_crag_attempts)
    stage = stage.with_services({"verification": replace(known, max_crag_attempts=most)})
    case = _case(query, original_response, sources_of(context))
    done = await answer.revised(stage, case, verification.record, nearest, retriever=retriever, generator=generator)
    return _loop_result(done, case, verification)


def _loop_result(done: answer.Correction, case: Case, first: VerificationResult | None = None) -> CRAGResult:
    """A correction as the loop's result; `first` is the verification it began with, where that was made before."""
    history = [result_of(record, done.sources) for record in done.records]
    final = history[done.records.index(done.record)] if done.record is not None else history[-1]
    if first is not None:
        history = [first, *(history[1:] if first.record is not None else history)]
    return CRAGResult(
        final_response=done.response,
        confidence=final.confidence,
        attempts=len(done.attempts),
        verification_history=history,
        additional_context_used=len(done.sources) > len(case.evidence),
        verification=final,
        stop_reason=str(done.stop),
        log=[one.as_json() for one in done.attempts],
        original=done.original,
    )


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
    stage = stage_verifier(verifier, user_model, model, verification)
    case = _case(query, response, sources_of(context))
    done = await answer.correct(stage, case, nearest, retriever=retriever, generator=generator)
    loop = _loop_result(done, case) if done.stop is not None else None
    checked = result_of(done.record, done.sources) if done.record is not None else None
    return CheckedResponse(
        done.response,
        checked.confidence if checked is not None else None,
        checked.is_grounded if checked is not None else None,
        checked,
        bool(done.attempts),
        len(done.attempts),
        done.mode,
        loop,
    )


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
    stage = stage_verifier(base, judge, support, over)
    settings: Verification = stage.service("verification")
    sources = await evidence_from(retriever, prompt, context_size)
    asked = _case(prompt, "", sources)
    writer = generator or answer.writer(stage, asked, nearest)
    content = plain_reply(await text_from(writer, Revision(prompt, tuple(sources))))
    if not enable_verification or not settings.enabled:
        return ChatResponse(content, model, workspace)
    case = replace(asked, subject=Answer(text=content))
    done = await answer.correct(stage, case, nearest, retriever=retriever, generator=writer)
    return ChatResponse(done.response, model, workspace, done.summary(settings.show_claims))


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
    "settings_of",
    "sources_of",
    "verify_and_correct",
    "verify_response",
]
