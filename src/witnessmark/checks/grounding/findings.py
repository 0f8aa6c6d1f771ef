"""How decided claims are told: as claims with places, as findings with advice, as one reason and one confidence.

Takes what `grounding` decided and makes a Result of it. Decides nothing about a claim and reads no evidence.
"""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from witnessmark.checks.grounding import judge, whole_answer
from witnessmark.checks.grounding.confidence import Verification, confidence, grounded, level
from witnessmark.checks.grounding.decision import ClaimDecision
from witnessmark.checks.grounding.finding import RULES, RuleFinding
from witnessmark.checks.grounding.reading.abrupt_ends import BREAKS_OFF
from witnessmark.checks.grounding.statement import Statement
from witnessmark.checks.grounding.wrong_words import wrong_words
from witnessmark.core.protocols import Reading
from witnessmark.core.verdict import (
    Cause,
    Claim,
    ConfidenceSource,
    EvidenceRef,
    Finding,
    Result,
    Status,
    Usage,
    abstained,
)

_BY_JUDGE = {
    "partial": "a judge finds only a part of it in the sources",
    "unsupported": "a judge does not find it in the sources",
    "contradicted": "a judge says that the sources say otherwise",
}
OTHER_VALUE = "consistency_conflict"
EITHER = 0.5
"""How sure a pass can be at most where sources give two values for one thing: either may be the right one."""
MOST_WEAK, WEAK = 3, 0.9
"""How many claims are named where all are supported and not sure enough together, and below which probability."""
Row = tuple[Statement, ClaimDecision, Reading | None]


@dataclass(frozen=True, slots=True)
class ResultSummary:
    """What a result says beside its claims: settings in force, what was read and by whom, what was left out."""

    settings: Verification
    read: float
    left_out: tuple[Statement, ...] = ()
    by: Mapping[str, Any] = field(default_factory=dict)
    weights: Mapping[str, Any] = field(default_factory=dict)
    """What was fitted; its `answer_at` is how probable it must be that all claims hold for `pass`."""
    about: Mapping[str, float] = field(default_factory=dict)
    """What the answer is like as a whole (`whole.traits`)."""
    surely_wrong: float | None = None
    """The probability from which one wrong claim stops `pass`; None where the share alone decides."""


def nothing(cause: Cause, reason: str, found: Sequence[Statement]) -> Result:
    """Nothing to check, or nothing to check against."""
    claims = tuple(unverifiable(one, one.why_not or reason) for one in found)
    # what asserts nothing is neither grounded nor ungrounded: the question does not apply
    details = {"level": "not_applicable"} if cause == "no_claims" else {}
    return abstained(cause, reason, claims=claims, details=details)


def unverifiable(one: Statement, why: str) -> Claim:
    """A statement that is left open, or one that asserts nothing, with the reason."""
    return Claim(text=one.text, kind=one.kind, status="unverifiable", span=one.span, reason=why, hedge=one.hedge)


def result(
    told: ResultSummary, rows: Sequence[Row], said: judge.ClaimReplies, further: Sequence[Finding] = ()
) -> Result:
    """One result from all claims of a text; `further` findings tell of sources that disagree, and of claims beyond the limit."""
    settings = told.settings
    settled = [_remarked(claim(*row, said), said) for row in rows]
    everything = tuple(sorted([*settled, *(unverifiable(o, o.why_not) for o in told.left_out)], key=_place))
    statuses = [one.status for one in settled]
    value = confidence(statuses, settings.profile, settings.partial_credit)
    assert value is not None
    is_grounded = grounded(value, statuses, settings.confidence_threshold)
    band = level(value, statuses)
    likely = _likely(settled, told)
    needed = 0.0 if settings.profile == "original" else told.weights.get("answer_at", 0.0)
    status = standing(settled, good=is_grounded and likely >= needed, surely_wrong=told.surely_wrong)
    unsure = f"together {likely:.0%} likely to hold, {needed:.0%} needed" if likely < needed else ""
    sure, source = sureness(settled, status, likely)
    if status == "pass" and any(one.category == OTHER_VALUE for one in further):
        sure = min(sure, EITHER)
    return Result(
        status=status,
        score=value,
        reason=_reason(statuses, value, band, told.read, unsure if status == "partial" and is_grounded else ""),
        coverage=coverage(everything),
        confidence=sure,
        confidence_source=source,
        independence=said.independence if said.judge else "deterministic",
        judge=said.judge,
        prompt=said.prompt,
        findings=(
            *(_finding(*row, said) for row in rows if row[1].status != "supported"),
            *(_weakest(settled, unsure) if status == "partial" and set(statuses) == {"supported"} else ()),
            *further,
            *said.choice,
        ),
        claims=everything,
        usage=said.usage or Usage(),
        details=_details(told, statuses, value, band, is_grounded) | {"all_hold": round(likely, 4)} | _judged(said),
    )


def _likely(claims: Sequence[Claim], told: ResultSummary) -> float:
    """How probable it is that all claims hold; those that a judge has read are its word, not a chance."""
    chances = [one.probability or 0.0 for one in claims if one.details["by"] != "judge"]
    return whole_answer.holds(chances, told.about, told.weights if len(chances) == len(claims) else {})


def _weakest(claims: Sequence[Claim], unsure: str) -> Iterator[Finding]:
    """What to mend where every claim is supported and all of them together are not sure enough: the least sure of them."""
    for one in sorted(claims, key=lambda one: one.probability or 0.0)[:MOST_WEAK]:
        if (one.probability or 0.0) < WEAK:
            where = f"source {one.evidence[0].id}" if one.evidence else "a source"
            yield Finding(
                message=f"only {one.probability or 0.0:.0%} likely; the claims of the answer are {unsure}",
                category="unverifiable_claim",
                severity="warning",
                suggestion=f"Stay closer to the wording of {where}, or leave it out.",
                quote=one.text,
                span=one.span,
                evidence=one.evidence,
            )


def _place(one: Claim) -> int:
    return one.span[0] if one.span else 0


def coverage(claims: Sequence[Claim]) -> float:
    """The share of what a text asserts that was settled; what asserts nothing is not counted."""
    settled = sum(one.status != "unverifiable" for one in claims)
    asserted = settled + sum(one.open for one in claims)
    return round(settled / asserted, 9) if asserted else 1.0


def standing(claims: Sequence[Claim], *, good: bool, surely_wrong: float | None) -> Status:
    """A contradiction that a rule found fails; one claim that is surely wrong, or too small a share, is partial."""
    if any(one.status == "contradicted" and one.details.get("by") == "rule" for one in claims):
        return "fail"
    wrong = surely_wrong is not None and any(one.surely_wrong(surely_wrong) for one in claims)
    return "pass" if good and not wrong else "partial"


def sureness(claims: Sequence[Claim], status: Status, likely: float | None = None) -> tuple[float, ConfidenceSource]:
    """How probable it is that this status is right, and what that rests on.

    A pass is right where every claim holds (`likely`, or the product of their probabilities), anything less where one does not; what
    a rule contradicts is wrong as surely as that rule is right. Of claims that a judge has read the weakest counts, since they were
    read together.
    """
    settled = [one for one in claims if one.status != "unverifiable"]
    ruled = [one for one in settled if one.status == "contradicted" and one.details.get("by") == "rule"]
    decided = ruled if status == "fail" and ruled else settled
    judged = [one.probability or 0.0 for one in decided if one.details.get("by") == "judge"]
    if likely is None or decided is ruled:
        likely = math.prod(one.probability or 0.0 for one in decided if one.details.get("by") != "judge")
    right = likely * min(judged, default=1.0)
    by = {str(one.details.get("by")) for one in decided}
    source: ConfidenceSource = "deterministic" if by == {"rule"} else "reported" if judged else "calibrated"
    return round(right if status == "pass" else 1 - right, 6), source


def _reason(statuses: Sequence[str], value: float, band: str, read: float, unsure: str = "") -> str:
    count = Counter(statuses)
    parts = [f"{count['supported']} of {len(statuses)} claims supported"]
    parts += [f"{count[name]} {name}" for name in ("partial", "unsupported", "contradicted") if count[name]]
    parts += [unsure] if unsure else []
    parts.append(f"groundedness {value:.2f} ({band})")
    if read < 1:
        parts.append(f"{read:.0%} of the evidence read")
    return " · ".join(parts)


def _details(
    told: ResultSummary, statuses: Sequence[str], value: float, band: str, is_grounded: bool
) -> dict[str, Any]:
    settings = told.settings
    kept: dict[str, Any] = {
        "confidence": round(value, 9),
        "level": band,
        "grounded": is_grounded,
        "claims": len(statuses),
    }
    kept |= {name: statuses.count(name) for name in ("supported", "partial", "unsupported", "contradicted")}
    kept |= {
        "threshold": settings.confidence_threshold,
        "profile": settings.profile,
        "evidence_read": round(told.read, 6),
    }
    return kept | dict(told.by)


def _judged(said: judge.ClaimReplies) -> dict[str, Any]:
    """What came of asking a judge; also why none was asked where one was at hand."""
    kept: dict[str, Any] = {"judge_note": said.note} if said.note else {}
    if said.judge:
        kept |= {"judge_reported": said.reported, "judge_reported_grounded": said.reported_grounded}
        kept |= {"quotes_not_found": said.not_found, "claims_dropped": said.dropped}
    if said.not_in_response:
        kept["parts_not_in_response"] = said.not_in_response
    return kept


def claim(
    one: Statement, decided: ClaimDecision, score: Reading | None, said: judge.ClaimReplies | None = None
) -> Claim:
    """One claim with its status, its places in the evidence and what settled it; `said` is what a judge wrote beside it."""
    details: dict[str, Any] = {"by": decided.by}
    if score is not None:
        details["model"] = round(score.support, 4)
    if decided.point is not None:
        details |= {"rule": decided.point.rule, "part": decided.point.part}
        if decided.point.stated:
            details["worked_out" if decided.point.finding == "same" else "stated"] = decided.point.stated
    if one.citations:
        details["cites"] = list(one.citations)
    return Claim(
        text=one.text,
        kind=one.kind,
        status=decided.status,
        span=one.span,
        evidence=_refs(decided),
        reason=_why(decided, said.remarks.get(one.text) if said else None),
        probability=round(decided.probability, 4),
        details=details,
        words=wrong_words(one, decided.point, score and score.wrong, decided.nearest)
        if decided.status != "supported"
        else (),
        hedge=one.hedge,
    )


def _refs(decided: ClaimDecision) -> tuple[EvidenceRef, ...]:
    return tuple(EvidenceRef(id=source, span=span) for source, span in decided.places)


def _why(decided: ClaimDecision, remark: judge.Remark | None = None) -> str:
    point = decided.point
    if point is not None:
        rule = RULES[point.rule]
        if point.finding == "same":
            return rule.same
        told = (rule.contradicted if decided.status == "contradicted" else "") or rule.missing
        return f"{told}: {point.stated}" if point.rule == "own" and point.stated else told
    if decided.by == "judge" and decided.status != "supported":
        return _judges_word(decided, remark)
    if decided.by == "model" and decided.status == "contradicted":
        return "the source says something else"
    if decided.by == "citation":
        return "it cites a source that is not there"
    if decided.by == "cited source":
        return "the source it cites does not say so, another one does"
    if decided.status == "supported":
        return "the sources say so word for word" if decided.deterministic else "the sources support it"
    likely = f"{decided.probability:.0%} likely to be supported by the sources"
    return f"only {likely}" if decided.probability < EITHER else f"{likely}, which is not sure enough"


def _remarked(one: Claim, said: judge.ClaimReplies) -> Claim:
    """The claim with the judge's reasoning, where it gave any, and what it quoted against the claim."""
    remark = said.remarks.get(one.text)
    if remark is None:
        return one
    told = {"reasoning": remark.reasoning} if remark.reasoning else {}
    if one.details["by"] == "judge" and one.status != "supported" and (remark.quote or remark.doubted):
        told["quote_not_found" if remark.doubted else "quote"] = remark.quote
    return replace(one, details=one.details | told)


def _judges_word(decided: ClaimDecision, remark: judge.Remark | None) -> str:
    """What a judge holds against a claim, in one line: its word, whether its quote is there, and its reasoning."""
    if remark is not None and remark.doubted:
        quoting = "the words it quotes are not in them" if remark.quote else "it quotes nothing from them"
        said = f"{_BY_JUDGE['contradicted']}, and {quoting}"
    else:
        said = _BY_JUDGE[decided.status]
    reasoning = " ".join(remark.reasoning.split()) if remark is not None else ""
    return f"{said}: {reasoning}" if reasoning else said


def other_value(one: Statement, other: RuleFinding) -> Finding:
    """That the sources disagree: a claim that one of them bears out, and the other value with its place."""
    assert other.passage is not None
    ref = EvidenceRef(id=other.passage.source, span=other.place)
    return Finding(
        message="another source gives a different value",
        category=OTHER_VALUE,
        severity="warning",
        suggestion="Find out which source is right, or give both values.",
        quote=one.text,
        span=one.span,
        evidence=(ref,),
        words=wrong_words(one, other),
    )


MOST_CLAIMS = 1000
"""Claims of one text that are checked; what comes after is said to be unverifiable."""
MOST_READ = 400
"""Claims of one text that a model reads of those that rules leave open, at a twentieth of a second each: a third of a case's time limit."""
BEYOND = f"beyond the first {MOST_CLAIMS:,} claims"
UNREAD = f"beyond the first {MOST_READ:,} claims that the model reads"


def beyond(one: Statement, last: int) -> Statement:
    """A statement that says why it is not checked, where it begins behind the last that is."""
    return dataclasses.replace(one, why_not=BEYOND) if one.checkable and one.span[0] >= last else one


def unread(left_out: Sequence[Statement]) -> Iterator[Finding]:
    """That a text has more claims than are checked, or than a model reads; nothing where it has not."""
    for where in (BEYOND, UNREAD):
        if count := sum(one.why_not == where for one in left_out):
            yield Finding(
                message=f"{count:,} claims {where} were not checked",
                category="unverifiable_claim",
                severity="warning",
                suggestion="Verify the text in parts.",
            )


def broken_off(left_out: Sequence[Statement]) -> Iterator[Finding]:
    """That a text breaks off, where its last statement was left open for that."""
    for one in left_out[-1:]:
        if one.why_not == BREAKS_OFF:
            yield Finding(
                message=BREAKS_OFF,
                category="truncated",
                severity="warning",
                suggestion="Finish the last sentence, or leave it out.",
                quote=one.text,
                span=one.span,
            )


def _finding(one: Statement, decided: ClaimDecision, score: Reading | None, said: judge.ClaimReplies) -> Finding:
    against = decided.status == "contradicted"
    refs = _refs(decided)
    at = f" ({refs[0].span[0]}–{refs[0].span[1]})" if refs and refs[0].span else ""
    where = f"source {refs[0].id}{at}" if refs else "the sources"
    advice = f"Say what {where} says, or leave it out." if against else "Name a source that says so, or leave it out."
    if decided.by in ("citation", "cited source") and refs:
        advice = f"Cite source {refs[0].id}, which says so, or leave it out."
    remark = said.remarks.get(one.text)
    if remark is not None and remark.correction and decided.by == "judge":
        advice = remark.correction
    return Finding(
        message=_why(decided, remark),
        category="contradicted_claim" if against else "unsupported_claim",
        severity="error" if against else "warning",
        suggestion=advice,
        quote=one.text,
        span=one.span,
        evidence=refs,
        words=wrong_words(one, decided.point, score and score.wrong, decided.nearest),
        judged=decided.by == "judge" and decided.point is None,
    )
