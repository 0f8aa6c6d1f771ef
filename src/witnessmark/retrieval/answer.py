"""One answer put right by its sources: verified, corrected where that is wanted and needed, and what came of it as one value.

Every version is verified by whoever verifies cases here; the settings of the answer check are those among its services.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from msgspec.structs import replace

from witnessmark.core import registry
from witnessmark.core.case import Answer, Case, Evidence, Executor
from witnessmark.core.case_verifier import CaseVerifier
from witnessmark.core.errors import InputError, UsageError
from witnessmark.core.record import Record
from witnessmark.core.verdict import Claim, Outcome, Result
from witnessmark.judges.choice import choose
from witnessmark.retrieval import corrective
from witnessmark.retrieval.extractive import REMOVED, ExtractiveGenerator, Nearest
from witnessmark.retrieval.judge_generator import JudgeGenerator
from witnessmark.retrieval.protocols import AnyGenerator, AnyRetriever


class CorrectionSettings(Protocol):
    """What the settings of the answer check say about correcting."""

    enabled: bool
    mode: Any
    confidence_threshold: float
    max_crag_attempts: int


@dataclass(frozen=True, slots=True)
class Correction:
    """The version of an answer to use, what it is worth, and how it came about."""

    original: str
    response: str
    mode: str
    """observe, verify or correct; `off` where verification is switched off."""
    record: Record | None = None
    """That of `response`; None where nothing was verified."""
    records: tuple[Record, ...] = ()
    """Of everything that was verified on the way, the first one first."""
    sources: tuple[Evidence, ...] = ()
    """All that versions were held against in the end."""
    attempts: tuple[corrective.CorrectionAttempt, ...] = ()
    stop: corrective.Stop | None = None
    """Why the search for a better version ended; None where there was none."""

    @property
    def changed(self) -> bool:
        """Whether the version to use is another than the one that was given."""
        return self.response != self.original

    @property
    def outcome(self) -> Outcome | None:
        """That of the record, unless something was left out: what remains of an answer is no more than a part."""
        outcome = self.record.outcome if self.record is not None else None
        left_out = self.response.count(REMOVED) > self.original.count(REMOVED)
        return "partial" if left_out and outcome == "pass" else outcome

    @property
    def grounded(self) -> bool | None:
        """Whether the sources bear the version out, as far as that could be told."""
        return support_of(self.record).get("grounded")

    def summary(self, show_claims: bool) -> dict[str, Any]:
        """The figures of the version as JSON, with each claim where those are to be shown."""
        claims = self.record.claims if self.record is not None else ()
        settled = [claim for claim in claims if claim.status != "unverifiable"]
        told: dict[str, Any] = {
            "confidence": support_of(self.record).get("confidence"),
            "is_grounded": self.grounded,
            "claims_checked": len(settled),
            "claims_supported": sum(claim.status == "supported" for claim in settled),
            "crag_attempts": len(self.attempts),
        }
        return told | ({"claims": [told_claim(claim, self.sources) for claim in settled]} if show_claims else {})

    def as_json(self, show_claims: bool) -> dict[str, Any]:
        """All of it as JSON. Its `confidence` is the record's, the number that checking the same version gives."""
        return {
            "response": self.response,
            "changed": self.changed,
            "outcome": self.outcome,
            "record_id": self.record.id if self.record is not None else None,
            "mode": self.mode,
            "stop_reason": self.stop,
            "log": [attempt.as_json() for attempt in self.attempts],
            **self.summary(show_claims),
            "confidence": self.record.confidence if self.record is not None else None,
        }


def support_of(record: Record | None) -> Mapping[str, Any]:
    """What the grounding of a record's claims came to: confidence, level, grounded, judge_reported; empty where there was none."""
    results = record.results if record is not None else ()
    return next((one.details for one in results if one.check == "grounding"), {})


def told_claim(claim: Claim, sources: Sequence[Evidence]) -> dict[str, Any]:
    """A claim in the words of a retrieval pipeline: its status, the words of the source it goes by, and why."""
    ref = claim.evidence[0] if claim.evidence else None
    text = next((source.as_text() for source in sources if ref is not None and source.id == ref.id), "")
    return {
        "claim": claim.text,
        "status": "partially_supported" if claim.status == "partial" else claim.status,
        "evidence": (text[slice(*ref.span)] if ref is not None and ref.span is not None else "") or None,
        "reasoning": claim.details.get("reasoning") or claim.reason,
        "span": claim.span,
        "source": ref.id if ref is not None else None,
    }


async def correct(
    verifier: CaseVerifier,
    case: Case,
    nearest: Nearest,
    *,
    retriever: AnyRetriever | None = None,
    generator: AnyGenerator | None = None,
) -> Correction:
    """Verify an answer and, in mode `correct`, put it right where its sources do not bear it out.

    Args:
        verifier: Verifies every version; its service `verification` holds the mode, the threshold and the number of attempts.
        case: The answer, what was asked and what it may rest on.
        nearest: Finds the sentences of sources that speak most about a text.
        retriever: Finds more sources; left out, the answer is corrected by those of the case.
        generator: Writes a better version; left out, the judge that was handed in or may write, or the sources' own words.

    Raises:
        InputError: where the case is no answer.

    """
    if not isinstance(case.subject, Answer):
        raise InputError(f"subject.kind: only an answer can be corrected, not {case.kind}")
    settings: CorrectionSettings = verifier.service("verification")
    if not settings.enabled:
        return Correction(case.text, case.text, "off")
    first = await verifier.verify(case, checkpoint="answer")
    # Without any source there is nothing to correct an answer by, and "the sources do not say" would be no better.
    nothing = _unsourced(first) and retriever is None and not case.evidence
    if settings.mode != "correct" or nothing or not _low(first, settings):
        return Correction(case.text, case.text, settings.mode, first, (first,), case.evidence)
    return await revised(verifier, case, first, nearest, retriever=retriever, generator=generator)


async def revised(
    verifier: CaseVerifier,
    case: Case,
    first: Record | None,
    nearest: Nearest,
    *,
    retriever: AnyRetriever | None = None,
    generator: AnyGenerator | None = None,
) -> Correction:
    """The best version that the corrective loop finds for an answer, whatever the mode; `first` is the record of the answer itself."""
    settings: CorrectionSettings = verifier.service("verification")
    write = generator or writer(verifier, case, nearest)
    made: list[tuple[corrective.ResponseCheck, Record]] = []

    async def checked(one: Case, record: Record) -> corrective.ResponseCheck:
        found = support_of(record)
        check = corrective.ResponseCheck(
            found.get("confidence"), found.get("grounded"), record.claims, await _relevance(verifier, one)
        )
        made.append((check, record))
        return check

    async def verify(response: str, view: Sequence[Evidence]) -> corrective.ResponseCheck:
        by = _author(case, write, response != case.text)
        one = replace(case, subject=Answer(text=response), evidence=tuple(view), executor=by)
        parent, attempt = (None, 1) if first is None else (first.id, 2)
        return await checked(one, await verifier.verify(one, checkpoint="answer", attempt=attempt, parent=parent))

    start = await checked(case, first) if first is not None else await verify(case.text, case.evidence)
    done = await corrective.correct(
        case.goal, case.text, start, case.evidence, verify=verify, retriever=retriever, generator=write,
        threshold=settings.confidence_threshold, max_attempts=settings.max_crag_attempts,
    )  # fmt: skip
    return Correction(
        case.text,
        done.response,
        settings.mode,
        next(record for check, record in made if check is done.checked),
        tuple(record for _, record in made),
        done.sources,
        done.attempts,
        done.stop,
    )


def writer(verifier: CaseVerifier, case: Case, nearest: Nearest) -> AnyGenerator:
    """Who writes: the judge that was handed in, one that the settings have for writing, or the sources' own words."""
    judge, judges = verifier.service("judge"), verifier.service("judges")
    if judge is None and judges is not None:
        try:
            judge = choose(judges, case, "writing").judge
        except UsageError:
            judge = None
    return JudgeGenerator(judge) if judge is not None else ExtractiveGenerator(nearest)


def _author(case: Case, write: AnyGenerator, rewritten: bool) -> Executor | None:
    """Who made a version: where a judge rewrote it, that model, so that it is not asked about its own words."""
    model = getattr(write, "model", None)
    return Executor(model=model) if rewritten and isinstance(model, str) and model else case.executor


async def _relevance(verifier: CaseVerifier, case: Case) -> float | None:
    """How far the response addresses the question; None where neither words nor a judge can tell."""
    judges = verifier.service("judges") if verifier.service("judge") is None else None
    look = registry.ready("answer_relevancy", None, {"judges": judges, "policy": verifier.policy_of(case)})
    found = look(case, {})
    result = found if isinstance(found, Result) else await found
    return result.score if result.settled else None


def _unsourced(record: Record) -> bool:
    return any(one.cause == "no_evidence" for one in record.results if one.check == "grounding")


def _low(first: Record, settings: CorrectionSettings) -> bool:
    """Below the threshold, contradicted, or without any evidence yet; a response without claims needs no correction."""
    found = support_of(first)
    value = found.get("confidence")
    if value is None or _unsourced(first):
        return _unsourced(first)
    return not found.get("grounded") or round(value, 9) < round(settings.confidence_threshold, 9)
