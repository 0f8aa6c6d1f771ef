"""What becomes of one answer at the gateway: verified, put right where that is wanted, and let pass or blocked by rule."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from witnessmark.checks.grounding.decision import UNLIKELY
from witnessmark.checks.grounding.evidence import nearest
from witnessmark.core.case import Case, Evidence
from witnessmark.core.policy import Policy, wrong_claims
from witnessmark.core.record import Record
from witnessmark.core.verdict import Claim, Finding
from witnessmark.core.wrong_words import sentence, support
from witnessmark.integrations.guardrail.memory import CallContext
from witnessmark.integrations.plain_cases import case_of, sources
from witnessmark.settings import GuardrailSettings
from witnessmark.text import lang, words
from witnessmark.verifier import Verifier

log = logging.getLogger("witnessmark.guardrail")
SPOKEN_OF = 0.3
"""The share of a claim's words that one sentence of a source has where it speaks of the same thing."""
COULD_NOT_LOOK = ("deadline", "budget", "judge_error", "check_error")
"""Why an answer is unverified where nobody looked at it; otherwise somebody did, and could not say."""
ABOUT_IT = 2
"""… and how many words they must have in common beside instructions alone: one (`time`, `day`) is chance."""


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
    shown = [source for source in case.evidence if _for_users(source, rules)]
    told = _told(record, shown)
    if _corrects(verifier, rules) and record.outcome in ("fail", "partial"):
        made = await _corrected(verifier, case, record, shown)
        if made is not None:
            return GuardrailDecision(told | {"corrected_by": made[1].id}, corrected=made[0])
    unseen = record.unverified_because in COULD_NOT_LOOK
    unverified = rules.on_error if unseen and rules.on_unverified == "allow" else rules.on_unverified
    must = {"fail": rules.on_fail, "partial": rules.on_partial, "unverified": unverified}
    wrong = (
        rules.on_wrong_claims == "block"
        and record.outcome == "partial"
        and _wrong(verifier.policy_of(case), record, case, closed=bool(shown))
    )
    if wrong or must.get(record.outcome) == "block":
        return GuardrailDecision(told, blocked=_reason(record, shown))
    if unseen:
        log.warning(
            "an answer went out that could not be looked at (%s): record %s", record.unverified_because, record.id
        )
    return GuardrailDecision(told)


def _for_users(source: Evidence, rules: GuardrailSettings) -> bool:
    """Whether a user may read the words of a source: what was configured as evidence, and messages of the roles that say so."""
    return source.kind != "message" or source.id.rpartition("-")[0] in rules.quote_from


def _corrects(verifier: Verifier, rules: GuardrailSettings) -> bool:
    """Whether an answer may be put right here: where the guardrail or the verification's mode says so, and never when it only observes."""
    mode = verifier.settings.verification.mode
    return mode == "correct" or (rules.correct and mode != "observe")


def _wrong(policy: Policy, record: Record, case: Case, *, closed: bool) -> bool:
    """Whether a claim of the answer is contradicted, or more likely wrong than right where a source speaks of it.

    Where the answer was given material to rest on (`closed`), what none of it speaks of must not be surely wrong either. Instructions
    are no such material: beside them alone, a greeting, a sum or a line of code is nobody's business.
    """
    if any(claim.status == "contradicted" for claim in record.claims) or (
        closed and wrong_claims(policy, record.claims)
    ):
        return True
    return any(_against(claim, case.evidence, 1 if closed else ABOUT_IT) for claim in record.claims)


def _against(claim: Claim, sources: tuple[Evidence, ...], least: int) -> bool:
    """Whether a source speaks of what a claim says, and rather not as it says it; what an assistant says of itself is left to it."""
    if claim.probability is None or claim.probability >= UNLIKELY or claim.status == "supported":
        return False
    if not lang.words("first_person").isdisjoint(words.words(claim.text)[:1]):
        return False
    texts = {source.id: source.as_text() for source in sources}
    told = set(words.content(claim.text))
    return any(
        share >= SPOKEN_OF
        and len(told.intersection(words.content(texts[ref.id][slice(*(ref.span or (0, None)))]))) >= least
        for share, ref in nearest(claim.text, sources)[:1]
    )


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


async def _corrected(
    verifier: Verifier, case: Case, record: Record, shown: list[Evidence]
) -> tuple[str, Record] | None:
    """The answer put right by what sources for users say, each version verified, as often as the settings allow.

    None where no version passes, or where a part would have to be left out: then an answer that is no answer would go out.
    """
    from witnessmark.retrieval.extractive import REMOVED, ExtractiveGenerator
    from witnessmark.retrieval.protocols import Revision

    text, last = case.text, record
    for attempt in range(2, 2 + verifier.settings.verification.max_crag_attempts):
        if not shown or not last.claims:
            return None
        made = ExtractiveGenerator(nearest, cite=False).generate(Revision(case.goal, tuple(shown), text, last.claims))
        if made in (text, "") or REMOVED in made:
            return None
        again = case_of(
            made, kind="answer", goal=case.goal, evidence=case.evidence, criteria_=case.criteria, context=case.context
        )
        text, last = made, await verifier.verify(again, checkpoint="answer", attempt=attempt, parent=last.id)
        if last.outcome == "pass":
            return text, last
    return None


def _reason(record: Record, shown: list[Evidence]) -> str:
    """What the client reads: the wrong words and what the source says instead, as on every other surface."""
    record = replace(record, findings=_findings(record, shown))
    first = next((finding for finding in record.findings if finding.severity == "error"), None)
    known = any(finding.words for finding in record.findings)
    why = record.headline if known else first.message if first is not None else ""
    why = why or (record.unverified_because or "").replace("_", " ") or record.because
    partly = f"is {support(record.claims, record.coverage).replace('supported', 'supported by its sources', 1)}"
    word = {"fail": "does not hold", "partial": partly}.get(record.outcome, "could not be verified")
    return f"the answer {word}: {why} (record {record.id[:12]})"


def _findings(record: Record, shown: list[Evidence]) -> tuple[Finding, ...]:
    """The findings without a word of sources that no user may read: the reason of a block goes to the client."""
    ids = {source.id for source in shown}
    return tuple(
        replace(
            one,
            words=tuple(
                word if word.closest is None or word.closest.id in ids else replace(word, closest=None)
                for word in one.words
            ),
        )
        for one in record.findings
    )


def _told(record: Record, shown: list[Evidence]) -> dict[str, Any]:
    told: dict[str, Any] = {"outcome": record.outcome, "action": record.action, "score": record.score}
    if record.unverified_because is not None:
        told["unverified_because"] = record.unverified_because
    wrong = [sentence(finding) for finding in _findings(record, shown) if finding.words]
    return told | {"record_id": record.id} | ({"wrong_words": wrong} if wrong else {})
