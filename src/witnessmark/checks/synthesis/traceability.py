"""Is every claim of a synthesis borne by an agent's output? Which agent, and at which place.

The claims, rules and embedded model are those of `grounding`, read against the agent outputs alone. To name an agent is no
citation: what is ascribed to an agent, or cited, must stand in that very output. A claim that rests on a tool call that
failed is marked, with every sentence above it.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Unpack

from msgspec.structs import replace

from witnessmark.checks.grounding import findings, grounding_check
from witnessmark.checks.grounding.claim_reader import ClaimReader
from witnessmark.checks.grounding.confidence import Verification, with_settings
from witnessmark.checks.grounding.evidence import Index, sources_of
from witnessmark.checks.grounding.reading.language import language_of
from witnessmark.checks.grounding.statement import Statement
from witnessmark.checks.mission import conflicts
from witnessmark.checks.synthesis.additions import without_additions
from witnessmark.checks.synthesis.coherence import silently_merged
from witnessmark.checks.synthesis.second_look import SecondLook
from witnessmark.core.case import Case, Evidence
from witnessmark.core.policy import Policy
from witnessmark.core.protocols import SupportModel
from witnessmark.core.registry import Look, check
from witnessmark.core.thresholds import threshold
from witnessmark.core.verdict import Claim, Finding, Result, Status, abstained
from witnessmark.text import lang
from witnessmark.text.failures import call_failed

TRACED = threshold("traced")
INVENTED = 0.15
"""Below this probability nothing in the outputs speaks for a claim."""
HARDLY = 0.3
_BORNE = frozenset({"supported", "partial"})
_WORTH = {"supported": Fraction(1), "partial": Fraction(3, 4), "doubtful": Fraction(1, 2)}
"""What a claim counts for: borne, borne in part, or linked to a place that may not say it (a figure worked out, a
paraphrase). What nothing speaks for, and what an output contradicts, counts nothing."""
_READ_BY = ("model", "model_note", "judge_note", "judge_reported", "quotes_not_found", "claims_dropped")


@check("traceability", version="8", cost="local", services=grounding_check.SERVICES, asks=grounding_check.asks)
def traceability(**services: Unpack[grounding_check.GroundingServices]) -> Look:
    """Every claim of the synthesis is supported by an agent's output, at a place that can be shown.

    Read as an answer is: by rules, by the embedded model and, where one is configured, by a judge.
    """
    settings = services.get("verification") or Verification()
    engine = grounding_check.engine(services)
    wrong_from = None if settings.profile == "original" else (services.get("policy") or Policy()).surely_wrong

    async def look(case: Case, prior: Mapping[str, Result]) -> Result:
        outputs = tuple(source for source in case.evidence if source.kind == "agent_output")
        if not outputs:
            return abstained("no_evidence", "there are no agent outputs that the synthesis could rest on")
        read = await engine(replace(case, evidence=outputs))
        if not read.settled:
            return read
        asked = with_settings(settings, case.context.get("verification"), "context.verification")
        reader = ClaimReader(services.get("model"), services.get("models"), asked)
        return _traced(case, outputs, read, reader, wrong_from)

    return look


def _traced(
    case: Case,
    outputs: tuple[Evidence, ...],
    read: Result,
    reader: ClaimReader,
    wrong_from: float | None,
) -> Result:
    agents = {source.id: source.origin or source.id for source in outputs}
    broken = broken_outputs(case)
    ascribed = _Ascription(case, outputs, reader)
    checked = [ascribed.checked(ascribed.of_its_own(claim)) for claim in read.claims]
    looked = SecondLook(case, outputs, ascribed.model).of(checked)
    borne = without_additions(looked, [source.text for source in sources_of(outputs)])
    claims = tuple(_linked(claim, agents, broken) for claim in borne)
    counted = [claim for claim in claims if claim.status != "unverifiable"]
    score = float(sum((_WORTH.get(_standing(claim), Fraction(0)) for claim in counted), Fraction(0)) / len(counted))
    used = {ref.id for claim in counted if _standing(claim) in _WORTH for ref in claim.evidence}
    unused = [source for source in outputs if source.id not in used]
    share = round(1 - len(unused) / len(outputs), 9)
    told = [finding for claim in counted if (finding := _finding(claim)) is not None]
    told += (against := [*_against_itself(case.text), *silently_merged(case.text, outputs)])
    told += _hardly(score)
    status = _status(counted, round(score, 9), wrong_from)
    sure, source = findings.sureness(counted, status)
    if against and status == "pass":
        status, sure, source = "partial", 1.0, "deterministic"
    return replace(
        read,
        status=status,
        score=round(score, 9),
        reason=_reason(counted, score, unused, agents),
        coverage=findings.coverage(claims),
        confidence=sure,
        confidence_source=source,
        findings=tuple(told),
        claims=claims,
        details={name: read.details[name] for name in _READ_BY if name in read.details}
        | {
            "traceability": round(score, 9),
            "outputs_used": share,
            "claims": len(counted),
            "unused": [agents[source.id] for source in unused],
            "unused_outputs": [source.id for source in unused],
        },
    )


def _standing(claim: Claim) -> str:
    """A claim's status, with what is unsupported told apart: doubtful, linked to nothing, or invented.

    Invented is said only where a rule found a figure, date or name that no output mentions, and nothing else speaks for
    the claim; low overlap alone may be a free paraphrase.
    """
    if claim.status != "unsupported":
        return claim.status
    likely, by_rule = claim.probability or 0.0, claim.details.get("by") == "rule"
    if "ascribed" in claim.details or (by_rule and likely < INVENTED):
        return "invented"
    return "doubtful" if claim.evidence else "unlinked"


def _status(claims: Sequence[Claim], score: float, wrong_from: float | None) -> Status:
    """A claim that is more likely wrong than right keeps the whole from passing however much else is borne; to the letter, 0.7 does."""
    unborne = wrong_from is not None and any(claim.status == "unsupported" for claim in claims)
    return findings.standing(claims, good=score >= TRACED and not unborne, surely_wrong=wrong_from)


def _reason(claims: Sequence[Claim], score: float, unused: Sequence[Evidence], agents: Mapping[str, str]) -> str:
    stand = [_standing(claim) for claim in claims]
    parts = [f"{stand.count('supported')} of {len(claims)} claims supported by an agent output"]
    parts += [f"{stand.count(name)} {word}" for name, word in _SHORT.items() if stand.count(name)]
    said = f"{', '.join(parts)} (traceability: {score:.2g})"
    return said + (f"; nothing rests on {', '.join(agents[source.id] for source in unused)}" if unused else "")


def _linked(claim: Claim, agents: Mapping[str, str], broken: Mapping[str, str]) -> Claim:
    """The claim with who brought it in, and marked where what it rests on is broken."""
    by = list(dict.fromkeys(agents[ref.id] for ref in claim.evidence if ref.id in agents))
    fallen = [broken[ref.id] for ref in claim.evidence if ref.id in broken]
    if _standing(claim) not in _WORTH or not by:
        return claim
    if not fallen:
        return replace(claim, details=claim.details | {"agents": by})
    reason = f"it rests on the tool call {fallen[0]}, which failed"
    return replace(
        claim, details=claim.details | {"agents": by, "rests_on_broken": fallen[0]}, status="partial", reason=reason
    )


def broken_outputs(case: Case) -> dict[str, str]:
    """Agent outputs that rest on a tool call which failed: output id to the id of that call.

    An output says what it rests on in its data: {"rests_on": ["t1"]}.
    """
    failed = {s.id for s in case.evidence if s.kind == "tool_call" and call_failed(s)}
    return {s.id: call for s in case.evidence for call in rests_on(s) if call in failed}


def rests_on(source: Evidence) -> list[str]:
    """The ids of the tool calls that an agent output says it rests on."""
    told = source.data.get("rests_on") if source.kind == "agent_output" and isinstance(source.data, Mapping) else None
    return [name for name in told if isinstance(name, str)] if isinstance(told, (list, tuple)) else []


# --- what is ascribed to an agent, or cited -----------------------------------------------------------------------------


class _Ascription:
    """Whether what is ascribed to an agent stands in that agent's output; indexes are made when first needed."""

    def __init__(self, case: Case, outputs: tuple[Evidence, ...], reader: ClaimReader) -> None:
        self.case, self.outputs, self.reader = case, outputs, reader
        self._indexes: dict[tuple[str, ...], Index] = {}
        self._names = [(source.id, pattern) for source in outputs if (pattern := _ascribes(source.origin or ""))]

    @functools.cached_property
    def language(self) -> str:
        """The language of the text, worked out only where something is ascribed."""
        return language_of(self.case.text, sources_of(self.outputs))[0] or "en"

    @functools.cached_property
    def model(self) -> SupportModel | None:
        """The model the claims were read with, if any; found only where something is ascribed."""
        return self.reader.model(self.language)

    def checked(self, claim: Claim) -> Claim:
        """The claim as it is, or unsupported where the output it is ascribed to does not say it."""
        named = self.named(claim)
        first = {ref.id for ref in claim.evidence[:1]}
        if not named or claim.status not in _BORNE or named & first or self._is_told_of(named, first):
            return claim
        own = grounding_check.claim_of(
            self._statement(claim), self._index(named), self.language, self.case.goal, self.model, single=True
        )
        if own.status in ("supported", claim.status):
            return claim
        reason = "it comes from another agent's output than the one it is attributed to"
        return replace(claim, status="unsupported", reason=reason, details=claim.details | {"ascribed": sorted(named)})

    def of_its_own(self, claim: Claim) -> Claim:
        """A claim that only an agent's name made doubtful (the 2 of `Reviewer 2`), as it stands without that in the agent's own output."""
        part = claim.details.get("part", "")
        if claim.status != "unsupported" or claim.details.get("rule") not in ("figure", "name") or not part:
            return claim
        for source in self.outputs:
            name = _spelt(source.origin or "")
            found = re.search(rf"\b{name}\b", claim.text, re.IGNORECASE) if name else None
            plain = _without_number(found.group()) if found else ""
            if not found or not plain or part not in found.group():
                continue
            text = claim.text.replace(found.group(), plain)
            if re.search(rf"(?<!\w){re.escape(part)}(?!\w)", text):
                continue  # it is said of something else, too
            said = Statement(claim.span or (0, 0), text, claim.kind)
            own = grounding_check.claim_of(
                said, self._index({source.id}), self.language, self.case.goal, self.model, single=True
            )
            if own.status in _BORNE:
                return replace(own, text=claim.text)
        return claim

    def named(self, claim: Claim) -> set[str]:
        """The outputs that the sentence names as its source, by citation or by the agent's name."""
        ids = {source.id for source in self.outputs}
        cited = {mark for mark in claim.details.get("cites", ()) if mark in ids}
        words = self.case.text[slice(*claim.span)] if claim.span else claim.text
        return cited or {name for name, pattern in self._names if pattern.search(words)}

    def _is_told_of(self, named: set[str], first: set[str]) -> bool:
        """Whether the output that bears a claim itself tells of the one it is attributed to: `Finance reported a loss.`"""
        texts = [source.text or "" for source in self.outputs if source.id in first]
        return any(pattern.search(text) for name, pattern in self._names if name in named for text in texts)

    def _statement(self, claim: Claim) -> Statement:
        return Statement(claim.span or (0, 0), claim.text, claim.kind)

    def _index(self, named: set[str]) -> Index:
        key = tuple(sorted(named))
        if key not in self._indexes:
            chosen = sources_of([source for source in self.outputs if source.id in named])
            self._indexes[key] = Index(chosen, self.case.text, self.language)
        return self._indexes[key]


def _spelt(origin: str) -> str:
    """A pattern for an agent's name, however its words are joined; empty where it has none."""
    return r"[\s_-]+".join(re.escape(word) for word in re.split(r"[\s_-]+", origin.removeprefix("@")) if word)


def _without_number(name: str) -> str:
    """An agent's name without its number or letter: `Reviewer` for Reviewer 2."""
    return " ".join(word for word in re.split(r"[\s_-]+", name) if len(word) > 1 and not word.isdigit())


def _ascribes(origin: str) -> re.Pattern[str] | None:
    name = _spelt(origin)
    if not name:
        return None
    return re.compile(lang.alternatives("speech", "ascribes").replace("{agent}", name), re.IGNORECASE)


# --- what is told -----------------------------------------------------------------------------------------------------


def _finding(claim: Claim) -> Finding | None:
    if claim.status == "supported":
        return None
    against, standing = claim.status == "contradicted", _standing(claim)
    certain = standing == "invented" or (against and claim.details.get("by") == "rule")
    message = f"a claim is {_WORDS[standing]}: {claim.reason}"
    if "rests_on_broken" in claim.details:
        message = "a claim rests on a tool call that failed"
    return Finding(
        message=message,
        category="contradicted_claim" if against else "unsupported_claim",
        severity="error" if certain else "warning",
        quote=claim.text,
        span=claim.span,
        evidence=claim.evidence,
        suggestion=_advice(claim),
        judged=claim.details.get("by") == "judge" and "rule" not in claim.details,
    )


def _advice(claim: Claim) -> str:
    if "rests_on_broken" in claim.details:
        return "Make the tool call again and say what it gives, or leave the claim out."
    if claim.status == "contradicted":
        return "Say what the output says, or leave it out."
    return "Say which output shows it and where, or leave it out; naming an agent is not enough."


_SHORT = {
    "partial": "in part",
    "doubtful": "doubtful",
    "unlinked": "linked to none",
    "invented": "invented",
    "contradicted": "contradicted",
}
_WORDS = {
    "partial": "only partly supported",
    "doubtful": "not clearly supported by any agent output",
    "unlinked": "linked to no agent output",
    "invented": "not supported by any agent output",
    "contradicted": "contradicted",
}


def _hardly(score: float) -> list[Finding]:
    """One word about the whole where hardly anything is borne, whatever each claim by itself may be."""
    if score >= HARDLY:
        return []
    message = f"hardly anything in the answer is supported by the agent outputs (traceability: {score:.2g})"
    return [Finding(message=message, category="unsupported_claim", suggestion="Rewrite the answer from the outputs.")]


def _against_itself(text: str) -> Iterator[Finding]:
    for conflict in conflicts.within(text)[:20]:
        yield Finding(
            message="two sentences of the answer contradict each other",
            category="consistency_conflict",
            quote=f"{conflict.first} / {conflict.second}",
            suggestion="Decide which of the two the outputs support, and remove the other.",
        )
