"""Measures of a retrieval step: is the answer faithful, does it address the question, is the context needed, is it enough?

By words and kinds of things asked for, and by the embedded model where there is one; where those cannot tell, a judge is asked
if one is configured, and otherwise the measure abstains. Ask for them as criteria of a task or an answer:
{"check": "answer_relevancy", "value": 0.5}.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

from msgspec.structs import replace

from witnessmark.checks.grounding import judge as asking
from witnessmark.checks.grounding.claim_reader import ClaimReader
from witnessmark.checks.grounding.claims import claims
from witnessmark.checks.grounding.confidence import Verification
from witnessmark.checks.grounding.decision import ClaimDecision, decide, settled, window
from witnessmark.checks.grounding.evidence import EvidenceSource, Index, sources_of
from witnessmark.checks.grounding.features import ClaimFeatures as Looked
from witnessmark.checks.grounding.features import look
from witnessmark.checks.grounding.grounding_check import (
    SERVICES,
    GroundingServices,
    claim_question,
    grounding,
)
from witnessmark.checks.grounding.reading.language import language_of
from witnessmark.checks.grounding.statement import Statement
from witnessmark.checks.measures import answer_kinds
from witnessmark.checks.measures import judge as measure_asking
from witnessmark.core import thresholds
from witnessmark.core.case import Case
from witnessmark.core.policy import Policy
from witnessmark.core.protocols import Asks, Judges, Reading
from witnessmark.core.registry import Look, check
from witnessmark.core.values import Unit
from witnessmark.core.verdict import Claim, Finding, Result, abstained
from witnessmark.core.work.offload import offload
from witnessmark.text import question_kinds, words

THRESHOLD = thresholds.threshold("measure")
FAITHFUL = thresholds.threshold("faithful")
RELATED = thresholds.threshold("related")
"""The share of a question's words that a passage must have to be about it."""
OF_THE_KIND, OF_NO_KIND = 0.75, 0.4
"""Scores of an answer by words: at least so much where it has the kind of thing that was asked for and one of its words,
and at most so much where it has none of the kind, which is short of what passes by default."""


# --- faithfulness ------------------------------------------------------------------------------------------------------


@check("faithfulness", version="2", cost="local", services=("verification", "model", "models"))
def faithfulness(threshold: Unit = FAITHFUL, **services: Unpack[GroundingServices]) -> Look:
    """Whether the evidence supports what the text says: the share of its claims that are supported.

    Args:
        threshold: the share of claims from which the answer is faithful.
        services: what the wiring hands in.

    """
    engine = grounding(**services)

    def evaluate(case: Case, prior: Mapping[str, Result]) -> Result:
        read = engine(case, prior)
        assert isinstance(read, Result)
        if not read.settled:
            return read
        share = read.details["supported"] / read.details["claims"]
        status = "fail" if read.status == "fail" else "pass" if share >= threshold else "partial"
        said = f"{read.details['supported']} of {read.details['claims']} claims are supported by the sources"
        return replace(read, status=status, score=round(share, 9), reason=said)

    return evaluate


# --- answer relevancy --------------------------------------------------------------------------------------------------


@check("answer_relevancy", version="3", cost="local", services=("judges", "policy"), asks=measure_asking.relevancy_asks)
def answer_relevancy(
    threshold: Unit = THRESHOLD, *, judges: Judges | None = None, policy: Policy | None = None
) -> Look:
    """Whether the answer addresses the question: its subject, and the kind of thing that was asked for.

    Args:
        threshold: the score from which the answer is about the question.
        judges: those that may be asked, handed in by the wiring.
        policy: who may be asked and what is met, handed in by the wiring.

    """

    def by_words(case: Case, prior: Mapping[str, Result]) -> Result:
        return _relevancy(case, threshold)

    async def judged(case: Case, prior: Mapping[str, Result]) -> Result:
        found = await offload(_relevancy, case, threshold)
        judge, far = measure_asking.judge_for(case, judges, policy)
        if found.cause != "undecided" or judge is None:
            return found
        score, heard = await measure_asking.relevancy(case, judge, far)
        if score is None:
            return _by(abstained("undecided", "neither words nor the judge can tell"), heard)
        return _by(_measured(score, threshold, "the judge read question and answer", case.text), heard)

    return by_words if judges is None else judged


def _relevancy(case: Case, threshold: float) -> Result:
    wanted = question_kinds.subject(case.goal)
    if not wanted:
        return abstained("no_criteria", "there is no question to check the answer against")
    said = claims(case.text)
    if said and all(one.why_not == "refusal" for one in said):
        return _measured(0.0, threshold, "the answer declines to answer", case.text)
    found = set(words.content(case.text))
    share = sum(stem in found for stem in wanted) / len(wanted)
    kind = question_kinds.kind(case.goal)
    has = kind is not None and answer_kinds.answers(case.goal, kind, case.text)
    if kind is not None and not has:
        return _measured(
            min(share, OF_NO_KIND), threshold, f"the question asks for a {kind}, and the answer has none", case.text
        )
    if has or share >= RELATED:
        enough = max(share, OF_THE_KIND if has and share else share)
        return _measured(enough, threshold, "the answer addresses what was asked", case.text)
    return abstained("undecided", "question and answer share few words; only a judge could tell")


def _by(result: Result, heard: measure_asking.MeasureReply | None) -> Result:
    """The result with who was asked; a judge's word is reported, not calibrated."""
    if heard is None:
        return result
    source = "reported" if result.settled else result.confidence_source
    return replace(result, judge=heard.judge, prompt=heard.prompt, usage=heard.usage, independence=heard.independence,
                   confidence_source=source)  # fmt: skip


# --- context precision ---------------------------------------------------------------------------------------------------


def _precision_asks(case: Case, options: Mapping[str, Any]) -> Asks:
    return Asks([measure_asking.precision_question(case, sources_of(case.evidence))], surely=False)


@check("context_precision", version="2", cost="local", services=("judges", "policy"), asks=_precision_asks)
def context_precision(
    threshold: Unit = THRESHOLD, *, judges: Judges | None = None, policy: Policy | None = None
) -> Look:
    """Whether what was retrieved is needed: sources about the question or under a claim, the early ones counting more.

    Args:
        threshold: the score from which little enough was retrieved in vain.
        judges: those that may be asked, handed in by the wiring.
        policy: who may be asked and what is met, handed in by the wiring.

    """

    def by_words(case: Case, prior: Mapping[str, Result]) -> Result:
        found = _needed(case)
        return found if isinstance(found, Result) else _precision(found, threshold)

    async def judged(case: Case, prior: Mapping[str, Result]) -> Result:
        found = await offload(_needed, case)
        judge, far = measure_asking.judge_for(case, judges, policy)
        if isinstance(found, Result) or judge is None or all(found.values()):
            return found if isinstance(found, Result) else _precision(found, threshold)
        open_ones = [source for source in sources_of(case.evidence) if not found[source.id]]
        said, heard = await measure_asking.needed(case, open_ones, judge, far)
        return _by(_precision(found | said, threshold), heard)

    return by_words if judges is None else judged


def _needed(case: Case) -> dict[str, bool] | Result:
    """Which sources are needed, by words; or why that cannot be said."""
    sources = sources_of(case.evidence)
    if not sources:
        return abstained("no_evidence", "nothing was retrieved")
    wanted = question_kinds.subject(case.goal)
    if not wanted and not case.text:
        return abstained("no_criteria", "there is neither a question nor an answer to check the context against")
    return {source.id: bool(wanted and _about(wanted, source)) or _bears(case.text, source) for source in sources}


def _precision(needed: Mapping[str, bool], threshold: float) -> Result:
    kept, unused = list(needed.values()), [name for name, yes in needed.items() if not yes]
    details: dict[str, object] = {"needed": sum(kept), "sources": len(kept), "not_needed": unused}
    return _measured(_average_precision(kept), threshold, f"{sum(kept)} of {len(kept)} sources are needed", "", details)


def _about(wanted: Sequence[str], source: EvidenceSource) -> bool:
    best = Index([source]).best(wanted, 1)
    share = sum(stem in best[0][1].stems for stem in wanted) / len(wanted) if best else 0.0
    return share >= RELATED


def _bears(text: str, source: EvidenceSource) -> bool:
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


def _recall_asks(case: Case, options: Mapping[str, Any]) -> Asks:
    return claim_question(options.get("reference") or case.reference or "", case.goal, case.evidence)


@check("context_recall", version="3", cost="local", services=SERVICES, asks=_recall_asks)
def context_recall(
    threshold: Unit = THRESHOLD, reference: str | None = None, **services: Unpack[GroundingServices]
) -> Look:
    """Whether what was retrieved is enough: the share of a reference answer that it supports.

    That answer is the `reference` of the case, or one given here for this measure alone.

    Args:
        threshold: the share of claims from which enough was retrieved.
        reference: the answer to look for, in place of the case's own.
        services: what the wiring hands in.

    """
    settings, judges = services.get("verification") or Verification(), services.get("judges")

    def wanted(case: Case) -> str | None:
        return case.reference if reference is None else reference

    def reader() -> ClaimReader:
        return ClaimReader(services.get("model"), services.get("models"), settings)

    def offline(case: Case, prior: Mapping[str, Result]) -> Result:
        found = _reference(case, wanted(case), reader())
        return found if isinstance(found, Result) else found.result(threshold, {})

    async def judged(case: Case, prior: Mapping[str, Result]) -> Result:
        found = await offload(_reference, case, wanted(case), reader())
        judge, far = measure_asking.judge_for(case, judges, services.get("policy"))
        if isinstance(found, Result) or judge is None or not found.open():
            return found if isinstance(found, Result) else found.result(threshold, {})
        said, who = await asking.ask(judge, case.goal, found.open(), found.index, str(wanted(case)))
        statuses = {number: [word.status for word in heard] for number, heard in said.items()}
        made = found.result(threshold, statuses)
        return replace(made, judge=who.judge, prompt=who.prompt, usage=who.usage or made.usage, independence=far,
                       confidence_source="reported")  # fmt: skip

    return offline if judges is None else judged


@dataclass(frozen=True, slots=True)
class _Reference:
    """A reference answer looked up in the context: its claims, how each was looked at, and the model's scores."""

    index: Index
    wanted: tuple[Statement, ...]
    looks: tuple[Looked, ...]
    scores: tuple[Reading | None, ...]
    reader: ClaimReader

    def open(self) -> list[asking.Open]:
        """The claims that no rule settles."""
        rows = enumerate(zip(self.wanted, self.looks, strict=True))
        return [(n, one, window(one.text, self.index)) for n, (one, seen) in rows if not settled(seen)]

    def result(self, threshold: float, heard: Mapping[int, Sequence[str]]) -> Result:
        """The share of the claims that are there; those of which only a part is there do not count."""
        decided = [self._decided(n, heard.get(n, ())) for n in range(len(self.wanted))]
        found, total = sum(one.status == "supported" for one in decided), len(self.wanted)
        missing = tuple(
            Claim(text=o.text, kind="reference", status=d.status)
            for o, d in zip(self.wanted, decided, strict=True)
            if d.status != "supported"
        )
        sure = sum(max(d.probability, 1 - d.probability) for d in decided) / total
        made = _measured(found / total, threshold, f"{found} of {total} claims of the reference are in the context", "")
        details = {"reference_claims": total, "found": found} | self.reader.by
        return replace(made, claims=missing, confidence=round(sure, 6), confidence_source="calibrated", details=details)

    def _decided(self, number: int, heard: Sequence[str]) -> ClaimDecision:
        word = max(heard, key=asking.STATUSES.index) if heard else None
        return decide(self.looks[number], self.scores[number], word, self.reader.weights)


def _reference(case: Case, reference: str | None, reader: ClaimReader) -> _Reference | Result:
    if reference is None or not reference.strip():
        hint = " (move context.reference there)" if "reference" in case.context else ""
        return abstained("no_criteria", f"reference is missing: recall needs an answer that is known to be right{hint}")
    wanted = tuple(one for one in claims(reference) if one.checkable)
    sources = sources_of(case.evidence)
    if not wanted:
        return abstained("no_claims", "the reference asserts nothing")
    if not sources:
        return abstained("no_evidence", "nothing was retrieved")
    language, why = language_of(reference, sources)
    if language is None:
        return abstained("language", why)
    index = Index(sources, reference, language)
    looks = tuple(look(one.text, index, language) for one in wanted)
    return _Reference(index, wanted, looks, tuple(reader.scores(wanted, looks, index, case.goal)), reader)


def _measured(
    score: float, threshold: float, reason: str, quote: str, details: dict[str, object] | None = None
) -> Result:
    """A measure never fails a case by itself: below the threshold it is partial."""
    if score >= threshold:
        return Result(status="pass", score=score, reason=reason, details=dict(details or {}))
    finding = Finding(message=reason, category="criterion_unmet", severity="warning", quote=quote or None)
    return Result(status="partial", score=score, reason=reason, findings=(finding,), details=dict(details or {}))


__all__ = ["answer_relevancy", "context_precision", "context_recall", "faithfulness"]
