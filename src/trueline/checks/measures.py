"""Measures of a retrieval step beside groundedness: does the answer address the question, is the context needed, is it enough?

By words and kinds of things asked for, without a model; with one, recall goes by its scores. Each abstains where words
cannot tell. Ask for them as criteria: {"check": "answer_relevancy", "value": 0.5}.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from trueline.case import Case
from trueline.checks.grounding import language_of, sources_of
from trueline.checks.support import words
from trueline.checks.support.claims import claims
from trueline.checks.support.dates import dates
from trueline.checks.support.decision import decide, window
from trueline.checks.support.evidence import Index, Source
from trueline.checks.support.features import look
from trueline.checks.support.figures import figures
from trueline.checks.support.names import names
from trueline.protocols import SupportModel
from trueline.registry import Look, check
from trueline.verdict import Claim, Finding, Result, abstained

THRESHOLD = 0.5
RELATED = 0.5
"""The share of a question's words that a passage must have to be about it."""
_ASKED = re.compile(
    r"\b(?P<number>how (?:many|much|long|old|far|large|big|often)|what (?:percentage|share|number|amount)|wie (?:viele?|lange|alt)|combien|cuánt[oa]s?)\b"
    r"|\b(?P<time>when|what (?:year|date|day)|which year|wann|quand|cuándo)\b|\b(?P<name>who|whom|whose|which (?:person|company|country|city)|where|wer|wo|qui|où|quién|dónde)\b",
    re.IGNORECASE,
)
_ASKING = frozenset(
    [
        "what",
        "which",
        "who",
        "when",
        "where",
        "why",
        "how",
        "many",
        "much",
        "long",
        "old",
        "does",
        "did",
        "do",
        "is",
        "are",
        "was",
        "were",
        "tell",
        "explain",
        "describe",
    ]
)


# --- answer relevancy --------------------------------------------------------------------------------------------------


@check("answer_relevancy", version="1", cost="local")
def answer_relevancy(value: float = THRESHOLD) -> Look:
    """Whether the answer addresses the question: its subject, and the kind of thing that was asked for."""

    def examine(case: Case, prior: Mapping[str, Result]) -> Result:
        wanted = _subject(case.goal)
        if not wanted:
            return abstained("no_criteria", "there is no question to hold the answer against")
        said = claims(case.text)
        if said and all(one.why_not == "refusal" for one in said):
            return _measured(0.0, value, "the answer declines to answer", case.text)
        found = set(words.content(case.text))
        share = sum(stem in found for stem in wanted) / len(wanted)
        kind = _kind_asked(case.goal)
        has = kind is not None and _has(kind, case.text)
        if kind is not None and not has:
            return _measured(
                min(share, 0.4), value, f"the question asks for a {kind}, and the answer has none", case.text
            )
        if has or share >= RELATED:
            return _measured(
                max(share, 0.75 if has and share else share), value, "the answer speaks about what was asked", case.text
            )
        return abstained("undecided", "question and answer share few words; only reading could tell")

    return examine


def _subject(goal: str) -> list[str]:
    stop = {words.stem(word) for word in _ASKING}
    return [stem for stem in dict.fromkeys(words.content(goal)) if stem not in stop]


def _kind_asked(goal: str) -> str | None:
    found = _ASKED.search(goal)
    return None if found is None else next(name for name, text in found.groupdict().items() if text)


def _has(kind: str, text: str) -> bool:
    if kind == "time":
        return bool(dates(text)) or any(f.dimension == "time" for f in figures(text))
    if kind == "name":
        return bool(names(text)) or bool(names("x " + text))
    return bool(figures(text)) or bool(dates(text))


# --- context precision ---------------------------------------------------------------------------------------------------


@check("context_precision", version="1", cost="local")
def context_precision(value: float = THRESHOLD) -> Look:
    """Whether what was retrieved is needed: sources about the question or under a claim, the early ones counting more."""

    def examine(case: Case, prior: Mapping[str, Result]) -> Result:
        sources = sources_of(case.evidence)
        if not sources:
            return abstained("no_evidence", "nothing was retrieved")
        wanted = _subject(case.goal)
        if not wanted and not case.text:
            return abstained("no_criteria", "there is neither a question nor an answer to hold the context against")
        needed = [_about(wanted, source) or _bears(case.text, source) for source in sources]
        score = _average_precision(needed)
        unused = [source.id for source, yes in zip(sources, needed, strict=True) if not yes]
        reason = f"{sum(needed)} of {len(needed)} sources are needed"
        return _measured(
            score, value, reason, "", {"needed": sum(needed), "sources": len(needed), "not_needed": unused}
        )

    return examine


def _about(wanted: Sequence[str], source: Source) -> bool:
    best = Index([source]).best(wanted, 1)
    share = sum(stem in best[0][1].stems for stem in wanted) / len(wanted) if best else 0.0
    return share >= RELATED


def _bears(text: str, source: Source) -> bool:
    index = Index([source], text)
    return any(decide(look(one.text, index)).status == "supported" for one in claims(text) if one.checkable)


def _average_precision(needed: Sequence[bool]) -> float:
    """The mean of precision at each needed source: 1 where all that is needed comes first."""
    hits, total = 0, 0.0
    for rank, yes in enumerate(needed, 1):
        hits += yes
        total += hits / rank if yes else 0.0
    return total / hits if hits else 0.0


# --- context recall ------------------------------------------------------------------------------------------------------


@check("context_recall", version="1", cost="local")
def context_recall(value: float = THRESHOLD, *, model: SupportModel | None = None) -> Look:
    """Whether what was retrieved is enough: the share of a reference answer (context.reference) that it bears out."""

    def examine(case: Case, prior: Mapping[str, Result]) -> Result:
        reference = case.context.get("reference")
        if not isinstance(reference, str) or not reference.strip():
            return abstained(
                "no_criteria", "context.reference is missing: recall needs an answer that is known to be right"
            )
        wanted = [one for one in claims(reference) if one.checkable]
        sources = sources_of(case.evidence)
        if not wanted or not sources:
            cause, why = (
                ("no_evidence", "nothing was retrieved") if wanted else ("no_claims", "the reference asserts nothing")
            )
            return abstained(cause, why)  # type: ignore[arg-type]
        language, why = language_of(reference, sources)
        if language is None:
            return abstained("language", why)
        index = Index(sources, reference, language)
        looks = [look(one.text, index, language) for one in wanted]
        scores = model.support([(window(o.text, index), o.text) for o in wanted]) if model else [None] * len(looks)
        decided = [decide(seen, score) for seen, score in zip(looks, scores, strict=True)]
        found = sum(one.status == "supported" for one in decided)
        missing = tuple(
            Claim(text=o.text, kind="reference", status=d.status)
            for o, d in zip(wanted, decided, strict=True)
            if d.status != "supported"
        )
        sure = sum(max(d.probability, 1 - d.probability) for d in decided) / len(decided)
        made = _measured(
            found / len(wanted), value, f"{found} of {len(wanted)} claims of the reference are in the context", ""
        )
        return Result(
            status=made.status, score=made.score, reason=made.reason, findings=made.findings, claims=missing,
            confidence=round(sure, 6), confidence_source="calibrated", details={"reference_claims": len(wanted), "found": found},
        )  # fmt: skip

    return examine


def _measured(
    score: float, threshold: float, reason: str, quote: str, details: dict[str, object] | None = None
) -> Result:
    """A measure never fails a case by itself: below the threshold it is partial."""
    if score >= threshold:
        return Result(status="pass", score=score, reason=reason, details=dict(details or {}))
    finding = Finding(message=reason, category="criterion_unmet", severity="warning", quote=quote or None)
    return Result(status="partial", score=score, reason=reason, findings=(finding,), details=dict(details or {}))


__all__ = ["answer_relevancy", "context_precision", "context_recall"]
