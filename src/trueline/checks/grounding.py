"""Is every claim of an answer borne out by its evidence? Rules, overlap, the embedded model and a judge, in that order.

A figure, date or name that the evidence contradicts fails the check; a low probability alone only brings it down to
`partial`. Nothing to check and nothing to check against are `abstain`, never a pass. Joins `checks.support` with cases
and results; holds no rule of its own.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from trueline.case import Case, Evidence
from trueline.checks import languages
from trueline.checks.support import asking
from trueline.checks.support.claims import claims
from trueline.checks.support.confidence import Verification, confidence, grounded, level
from trueline.checks.support.decision import Decided, decide, window
from trueline.checks.support.evidence import Index, Source
from trueline.checks.support.features import Look, look
from trueline.checks.support.statement import Statement
from trueline.errors import InputError
from trueline.protocols import Judge, SupportModel
from trueline.registry import Look as CheckLook
from trueline.registry import check
from trueline.values import canonical
from trueline.verdict import Cause, Claim, EvidenceRef, Finding, Result, Status, Usage, abstained

VERSION = "1"
MOST_CLAIMS = 1000
"""Claims of one text that are checked; what comes after is said to be unverifiable."""
LANGUAGES = ("en", "de", "fr", "es")
SURE_OF_LANGUAGE = 0.65
_CONTRADICTED = {
    "figure": "a figure differs from what the source says",
    "count": "a number differs from what the source says",
    "date": "a date differs from what the source says",
    "name": "the source has another name in this place",
    "negation": "the source says the opposite: one of the two denies it",
    "opposite": "the source uses the opposite word",
}
_MISSING = {
    "figure": "no source mentions this figure",
    "date": "no source mentions this date",
    "name": "no source mentions this name",
    "quote": "no source has these words in this form",
    "address": "no source has this address",
}


@check("grounding", version=VERSION, cost="local")
def grounding(
    value: Mapping[str, Any] | None = None,
    *,
    verification: Verification | None = None,
    model: SupportModel | None = None,
    judge: Judge | None = None,
) -> CheckLook:
    """Every claim of a text against the evidence: supported, partial, unsupported, contradicted or unverifiable."""
    configured = _with(verification or Verification(), value, "value")

    def examine(case: Case) -> _Examined | Result:
        return _examined(case, _with(configured, case.context.get("verification"), "context.verification"), model)

    def plainly(case: Case, prior: Mapping[str, Result]) -> Result:
        found = examine(case)
        return found if isinstance(found, Result) else found.result({}, NO_WORD)

    async def judged(case: Case, prior: Mapping[str, Result]) -> Result:
        found = await asyncio.to_thread(examine, case)
        if isinstance(found, Result):
            return found
        assert judge is not None
        words, said = await asking.ask(judge, case.goal, found.open(), found.index)
        return found.result(words, said)

    return plainly if judge is None else judged


def _with(base: Verification, given: Any, where: str) -> Verification:
    """The settings with those of a request over them."""
    if given is None:
        return base
    if not isinstance(given, Mapping):
        raise InputError(f"{where}: should be a mapping of settings, such as {{'confidence_threshold': 0.8}}")
    known = Verification.__struct_fields__
    wrong = sorted(set(given) - set(known))
    if wrong:
        raise InputError(f"{where}.{wrong[0]}: unknown setting; known are {', '.join(known)}")
    return Verification(**{name: getattr(base, name) for name in known} | dict(given))


# --- looking at a case ---------------------------------------------------------------------------------------------

NO_WORD = asking.Said()


@dataclass(frozen=True, slots=True)
class _Examined:
    """A case after rules and model: each checkable statement with how it was looked at."""

    settings: Verification
    index: Index
    looked: tuple[tuple[Statement, Look, float | None], ...]
    left_out: tuple[Statement, ...]
    model: str | None

    def open(self) -> list[tuple[int, str, str]]:
        """(number, claim, evidence) of each claim that no rule settles: what a judge is asked about."""
        rows = enumerate(self.looked)
        return [
            (n, one.text, window(one.text, self.index))
            for n, (one, seen, score) in rows
            if not decide(seen, score).deterministic
        ]

    def result(self, words: Mapping[int, str], said: asking.Said) -> Result:
        """The result, with the judge's words by claim number where there are any."""
        decided = [
            (one, _cited(one, decide(seen, score, words.get(n)), self.index), score)
            for n, (one, seen, score) in enumerate(self.looked)
        ]
        return _result(self, decided, said)


def _examined(case: Case, settings: Verification, model: SupportModel | None) -> _Examined | Result:
    if not settings.enabled:
        return Result(status="skipped", cause="skipped", reason="verification is switched off")
    text = case.text
    found = claims(text)
    kept = [one for one in found if one.checkable][:MOST_CLAIMS]
    last = kept[-1].span[1] if kept else 0
    left_out = tuple(_beyond(one, last) for one in found if not one.checkable or one.span[0] >= last)
    if not kept:
        return _nothing("no_claims", "the text makes no claim that can be checked", left_out)
    sources = sources_of(case.evidence)
    if not sources:
        return _nothing("no_evidence", "there is no evidence to check the claims against", (*kept, *left_out))
    language, why = language_of(text, sources)
    if language is None:
        return _nothing("language", why, (*kept, *left_out))
    index = Index(sources, text, language)
    looks = [look(one.text, index, language, case.goal) for one in kept]
    scores: Sequence[float | None] = [None] * len(kept)
    if model is not None:
        scores = [float(s) for s in model.support([(window(one.text, index), one.text) for one in kept])]
    looked = tuple(zip(kept, looks, scores, strict=True))
    return _Examined(settings, index, looked, left_out, f"{model.id} {model.version}" if model else None)


def _beyond(one: Statement, last: int) -> Statement:
    return (
        replace(one, why_not=f"beyond the first {MOST_CLAIMS} claims") if one.checkable and one.span[0] >= last else one
    )


def _source(evidence: Evidence) -> Source:
    """The text of a source; data and tool outputs are read as their canonical JSON, and spans are places in that."""
    return Source(evidence.id, evidence_text(evidence), evidence.origin or "")


def evidence_text(evidence: Evidence) -> str:
    """What the spans of claims refer to: the text of a source, or the canonical JSON of what it holds instead."""
    if evidence.text is not None:
        return evidence.text
    held = evidence.data if evidence.data is not None else evidence.output
    if held is None:
        return ""
    return held if isinstance(held, str) else canonical(held).decode()


def language_of(text: str, sources: Sequence[Source]) -> tuple[str | None, str]:
    """The language to read in; None with the reason where it is not one the rules know."""
    ours, _ = languages.detect(text)
    theirs, sure = languages.detect(" ".join(source.text[:4000] for source in sources))
    if ours is not None and sure < SURE_OF_LANGUAGE:
        theirs = None  # short notes full of names and figures are guessed at; the text itself says more
    for found, whose in ((ours, "the text"), (theirs, "the evidence")):
        if found is not None and found not in LANGUAGES:
            return (
                None,
                f"{whose} is in a language ({found}) that claims cannot be checked in; {', '.join(LANGUAGES)} can",
            )
    if ours and theirs and ours != theirs:
        return None, f"the text is in {ours}, the evidence in {theirs}; they can only be compared in one language"
    return ours or theirs or "en", ""


def sources_of(evidence: Sequence[Evidence]) -> list[Source]:
    """The texts of the evidence that has any."""
    return [source for source in map(_source, evidence) if source.text.strip()]


def claim_of(one: Statement, index: Index, language: str, goal: str = "", model: SupportModel | None = None) -> Claim:
    """One statement by itself: for a response that is still being written."""
    if not one.checkable:
        return _unverifiable(one, one.why_not)
    seen = look(one.text, index, language, goal)
    score = float(model.support([(window(one.text, index), one.text)])[0]) if model is not None else None
    return _claim(one, _cited(one, decide(seen, score), index), score)


def _cited(one: Statement, decided: Decided, index: Index) -> Decided:
    """A claim that cites a source which is not there is not fully supported by it."""
    known = {source.id for source in index.sources} | {str(n) for n in range(1, len(index.sources) + 1)}
    if decided.status != "supported" or all(mark in known for mark in one.citations):
        return decided
    return Decided("partial", decided.probability, "citation", None, decided.places)


# --- from decisions to a result --------------------------------------------------------------------------------------


def _nothing(cause: Cause, reason: str, found: Sequence[Statement]) -> Result:
    return abstained(cause, reason, claims=tuple(_unverifiable(one, one.why_not or reason) for one in found))


def _unverifiable(one: Statement, why: str) -> Claim:
    return Claim(text=one.text, kind=one.kind, status="unverifiable", span=one.span, reason=why)


_Row = tuple[Statement, Decided, float | None]


def _result(found: _Examined, rows: Sequence[_Row], said: asking.Said) -> Result:
    settings = found.settings
    statuses = [decided.status for _, decided, _ in rows]
    value = confidence(statuses, settings.profile, settings.partial_credit)
    assert value is not None
    is_grounded = grounded(value, statuses, settings.confidence_threshold)
    band = level(value, statuses)
    sure = sum(max(d.probability, 1 - d.probability) for _, d, _ in rows) / len(rows)
    everything = sorted(
        [_claim(*row) for row in rows] + [_unverifiable(o, o.why_not) for o in found.left_out], key=_place
    )
    return Result(
        status=_outcome(rows, is_grounded),
        score=value,
        reason=_reason(statuses, value, band, found.index.read),
        confidence=round(sure, 6),
        confidence_source=_trust(rows, said),
        independence="unknown" if said.judge else "deterministic",
        judge=said.judge,
        prompt=said.prompt,
        findings=tuple(_finding(one, decided) for one, decided, _ in rows if decided.status != "supported"),
        claims=tuple(everything),
        usage=said.usage or Usage(),
        details=_details(found, statuses, value, band, is_grounded, said),
    )


def _place(claim: Claim) -> int:
    return claim.span[0] if claim.span else 0


def _outcome(rows: Sequence[_Row], is_grounded: bool) -> Status:
    """A contradiction that a rule found fails; all that is merely improbable is partial."""
    if any(decided.status == "contradicted" and decided.deterministic for _, decided, _ in rows):
        return "fail"
    return "pass" if is_grounded else "partial"


def _trust(rows: Sequence[_Row], said: asking.Said) -> Any:
    if said.judge:
        return "reported"
    return "deterministic" if all(decided.deterministic for _, decided, _ in rows) else "calibrated"


def _reason(statuses: Sequence[str], value: float, band: str, read: float) -> str:
    count = Counter(statuses)
    parts = [f"{count['supported']} of {len(statuses)} claims supported"]
    parts += [f"{count[name]} {name}" for name in ("partial", "unsupported", "contradicted") if count[name]]
    parts.append(f"confidence {value:.2f} ({band})")
    if read < 1:
        parts.append(f"{read:.0%} of the evidence read")
    return " · ".join(parts)


def _details(
    found: _Examined, statuses: Sequence[str], value: float, band: str, is_grounded: bool, said: asking.Said
) -> dict[str, Any]:
    settings = found.settings
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
        "evidence_read": round(found.index.read, 6),
    }
    if found.model:
        kept["model"] = found.model
    if said.judge:
        kept |= {"judge_reported": said.reported, "quotes_not_found": said.not_found, "claims_dropped": said.dropped}
    return kept


def _claim(one: Statement, decided: Decided, score: float | None) -> Claim:
    details: dict[str, Any] = {"probability": round(decided.probability, 4), "by": decided.by}
    if score is not None:
        details["model"] = round(score, 4)
    if decided.point is not None:
        details |= {"rule": decided.point.rule, "part": decided.point.part}
        if decided.point.stated:
            details["stated"] = decided.point.stated
    if one.citations:
        details["cites"] = list(one.citations)
    return Claim(
        text=one.text,
        kind=one.kind,
        status=decided.status,
        span=one.span,
        evidence=tuple(EvidenceRef(id=source, span=span) for source, span in decided.places),
        reason=_why(decided),
        details=details,
    )


def _why(decided: Decided) -> str:
    point = decided.point
    if point is not None:
        table = _CONTRADICTED if decided.status == "contradicted" else _MISSING
        return table.get(point.rule, "the evidence does not bear it out")
    if decided.by == "citation":
        return "it cites a source that is not there"
    if decided.status == "supported":
        return "the evidence says so word for word" if decided.deterministic else "the evidence bears it out"
    return f"borne out with a probability of {decided.probability:.2f} only"


def _finding(one: Statement, decided: Decided) -> Finding:
    against = decided.status == "contradicted"
    refs = tuple(EvidenceRef(id=source, span=span) for source, span in decided.places)
    at = f" ({refs[0].span[0]}–{refs[0].span[1]})" if refs and refs[0].span else ""
    where = f"source {refs[0].id}{at}" if refs else "the sources"
    advice = f"Say what {where} says, or leave it out." if against else "Name a source that says so, or leave it out."
    return Finding(
        message=_why(decided),
        category="contradicted_claim" if against else "unsupported_claim",
        severity="error" if against else "warning",
        suggestion=advice,
        quote=one.text,
        span=one.span,
        evidence=refs,
    )
