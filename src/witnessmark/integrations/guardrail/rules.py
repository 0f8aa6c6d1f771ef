"""What becomes of one answer at the gateway: verified, put right where that is wanted, and let pass or blocked by rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from witnessmark.core.case import Case
from witnessmark.core.policy import Policy, wrong_claims
from witnessmark.core.record import Record
from witnessmark.core.wrong_words import headline, sentence
from witnessmark.integrations.guardrail.memory import CallContext
from witnessmark.integrations.plain_cases import case_of, sources
from witnessmark.settings import GuardrailSettings
from witnessmark.verifier import Verifier


@dataclass(frozen=True, slots=True)
class GuardrailDecision:
    """Why the answer is blocked, or the text that takes its place; neither where it passes as it is."""

    told: dict[str, Any]
    blocked: str | None = None
    corrected: str | None = None


async def rule(
    verifier: Verifier, text: str, rules: GuardrailSettings, held: CallContext, model: str | None, case_id: str | None
) -> GuardrailDecision:
    """Verify one answer and rule on it."""
    case = _case(text, rules, held, model, case_id)
    record = await verifier.verify(case, checkpoint="answer")
    told = _told(record)
    if _corrects(verifier, rules) and record.outcome in ("fail", "partial"):
        made = await _corrected(verifier, case, record)
        if made is not None:
            return GuardrailDecision(told | {"corrected_by": made[1].id}, corrected=made[0])
    must = {"fail": rules.on_fail, "partial": rules.on_partial, "unverified": rules.on_unverified}
    wrong = (
        rules.on_wrong_claims == "block" and record.outcome == "partial" and _wrong(verifier.policy_of(case), record)
    )
    if wrong or must.get(record.outcome) == "block":
        return GuardrailDecision(told, blocked=_reason(record))
    return GuardrailDecision(told)


def _corrects(verifier: Verifier, rules: GuardrailSettings) -> bool:
    """Whether an answer may be put right here: where the guardrail or the verification's mode says so, and never when it only observes."""
    mode = verifier.settings.verification.mode
    return mode == "correct" or (rules.correct and mode != "observe")


def _wrong(policy: Policy, record: Record) -> bool:
    """Whether a claim of the answer is contradicted, or unsupported as surely as the policy asks."""
    return any(claim.status == "contradicted" for claim in record.claims) or bool(wrong_claims(policy, record.claims))


def _case(text: str, rules: GuardrailSettings, held: CallContext, model: str | None, case_id: str | None) -> Case:
    from_messages = [{"id": name, "kind": "message", "text": said} for name, said in held.sources]
    # Whatever else is asked of it, an answer that its sources contradict must not pass.
    more: dict[str, Any] = {"executor": {"model": model}} if model else {}
    more |= {"id": case_id} if case_id and case_id.isprintable() and len(case_id) <= 500 else {}
    return case_of(
        text,
        kind="answer",
        goal=held.goal,
        evidence=[*sources(rules.evidence, "context-"), *from_messages],
        criteria_=list(rules.criteria),
        context={"policy": {"must_pass": ["grounding"]} | rules.policy},
        **more,
    )


async def _corrected(verifier: Verifier, case: Case, record: Record) -> tuple[str, Record] | None:
    """The answer put right by what its sources say, each version verified, as often as the settings allow; None where none passes."""
    from witnessmark.compat.rag import nearest
    from witnessmark.retrieval.extractive import ExtractiveGenerator
    from witnessmark.retrieval.protocols import Revision

    text, last = case.text, record
    for attempt in range(2, 2 + verifier.settings.verification.max_crag_attempts):
        if not case.evidence or not last.claims:
            return None
        made = ExtractiveGenerator(nearest).generate(Revision(case.goal, case.evidence, text, last.claims))
        if made == text:
            return None
        again = case_of(
            made, kind="answer", goal=case.goal, evidence=case.evidence, criteria_=case.criteria, context=case.context
        )
        text, last = made, await verifier.verify(again, checkpoint="answer", attempt=attempt, parent=last.id)
        if last.outcome == "pass":
            return text, last
    return None


def _reason(record: Record) -> str:
    """What the client reads: the wrong words and what the source says instead, as on every other surface."""
    first = next((finding for finding in record.findings if finding.severity == "error"), None)
    known = any(finding.words for finding in record.findings)
    why = headline(record) if known else first.message if first is not None else ""
    why = why or (record.unverified_because or "").replace("_", " ") or record.because
    word = {"fail": "does not hold", "partial": "is only partly supported by its sources"}.get(
        record.outcome, "could not be verified"
    )
    return f"the answer {word}: {why} (record {record.id[:12]})"


def _told(record: Record) -> dict[str, Any]:
    told: dict[str, Any] = {"outcome": record.outcome, "action": record.action, "score": record.score}
    wrong = [sentence(finding) for finding in record.findings if finding.words]
    return told | {"record_id": record.id} | ({"wrong_words": wrong} if wrong else {})
