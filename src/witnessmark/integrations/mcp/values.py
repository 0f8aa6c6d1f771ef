"""What the MCP tools answer, as values whose fields become the tools' output schemas. Made from records only."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from witnessmark.core.record import Record
from witnessmark.core.verdict import Claim, Finding
from witnessmark.core.wrong_words import claim_sentence, marked, sentence
from witnessmark.retrieval.answer import Correction


class _Info(BaseModel):
    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True, from_attributes=True)


class SourcePlace(_Info):
    """A place in the evidence: which source, and where in it (code points, end excluded)."""

    source: str
    start: int | None = None
    end: int | None = None


class ClaimInfo(_Info):
    """One claim of the output: supported, partial, unsupported, contradicted or unverifiable, and why."""

    text: str
    """The claim, with its wrong words between ** where they are known."""
    status: str
    reason: str
    """Which words are wrong, and what the source says instead."""
    evidence: list[SourcePlace]


class FindingInfo(_Info):
    """Something to act on."""

    message: str
    """What is wrong: the words, and the source's words beside them, where they are known."""
    category: str
    severity: str
    quote: str | None = None
    """The text it is about, with the wrong words between **."""
    suggestion: str | None = None


class VerdictInfo(_Info):
    """A verdict: the outcome, what to do next, and everything that speaks for it. Unverified is not a pass."""

    outcome: str
    """pass, partial, fail or unverified."""
    action: str
    """accept, warn, retry, switch, correct, escalate or abort."""
    reason: str
    unverified_because: str | None
    score: float | None
    confidence: float | None
    coverage: float | None
    findings: list[FindingInfo]
    claims: list[ClaimInfo]
    questions: list[str]
    cost_usd: float | None
    record_id: str
    checkpoint: str


class CheckInfo(_Info):
    """What one check of a verification said."""

    check: str
    version: str
    status: str
    score: float | None
    reason: str
    judge: str | None


class CorrectionInfo(_Info):
    """An answer put right by its sources: the version to use, and what it is worth."""

    response: str
    """The best version that was verified; the answer itself where nothing better was found."""
    changed: bool
    outcome: str | None
    confidence: float | None
    is_grounded: bool | None
    attempts: int
    stop_reason: str | None
    """Why the search for a better version ended."""
    record_id: str | None


def corrected(done: Correction) -> CorrectionInfo:
    """What came of correcting an answer, as the tool answers it."""
    return CorrectionInfo(
        response=done.response,
        changed=done.changed,
        outcome=done.outcome,
        confidence=done.record.confidence if done.record is not None else None,
        is_grounded=done.grounded,
        attempts=len(done.attempts),
        stop_reason=done.stop,
        record_id=done.record.id if done.record is not None else None,
    )


class VerdictExplanation(_Info):
    """A kept verdict with what each check said, and the word of a person over it where there is one."""

    verdict: VerdictInfo
    because: str
    checks: list[CheckInfo]
    holds_now: str
    """The outcome that holds: a person's newest override, or the verdict itself."""
    overridden_because: str | None
    genuine: bool
    """Whether the record is still what its id says."""


class OverrideInfo(_Info):
    """A person's word that was kept."""

    record_id: str
    about: str
    outcome: str
    reason: str


def verdict(record: Record) -> VerdictInfo:
    """The verdict of a record."""
    return VerdictInfo(
        outcome=record.outcome,
        action=record.action,
        reason=record.reason,
        unverified_because=record.unverified_because,
        score=record.score,
        confidence=record.confidence,
        coverage=record.coverage,
        findings=[_finding(one) for one in record.findings],
        claims=[_claim(one) for one in record.claims],
        questions=list(record.questions),
        cost_usd=record.usage.cost_usd,
        record_id=record.id,
        checkpoint=record.checkpoint,
    )


def explained(record: Record, holds: Record) -> VerdictExplanation:
    """A record and what holds over it now."""
    return VerdictExplanation(
        verdict=verdict(record),
        because=record.because,
        checks=[CheckInfo.model_validate(said) for said in record.results],
        holds_now=holds.outcome,
        overridden_because=holds.because if holds.id != record.id else None,
        genuine=record.holds(),
    )


def _claim(one: Claim) -> ClaimInfo:
    spans = [(ref.id, ref.span or (None, None)) for ref in one.evidence]
    places = [SourcePlace(source=source, start=start, end=end) for source, (start, end) in spans]
    return ClaimInfo(text=marked(one), status=one.status, reason=claim_sentence(one), evidence=places)


def _finding(one: Finding) -> FindingInfo:
    return FindingInfo(
        message=sentence(one) if one.words else one.message,
        category=one.category,
        severity=one.severity,
        quote=(marked(one) or None) if one.words else one.quote,
        suggestion=one.suggestion,
    )
