"""What a synthesis is besides traceable: coherent and complete. Reported beside traceability; below a floor they send it back.

What shows by itself is counted: sentences that deny each other, references to what is not there, agent outputs that nothing
rests on, gaps that are named and not admitted. The rest is for a judge, where one is configured; without one it is
unsettled and lowers nothing. Each takes the lower of what was counted and what the judge said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from witnessmark.checks.judged.questions import CriterionItem
from witnessmark.checks.judged.rubric import read_all, reading_asks, settle
from witnessmark.checks.mission import conflicts
from witnessmark.core import patterns
from witnessmark.core.case import Case, Evidence
from witnessmark.core.errors import JudgeReplyError
from witnessmark.core.policy import Policy, counts
from witnessmark.core.protocols import Judges
from witnessmark.core.registry import Look, check
from witnessmark.core.thresholds import threshold
from witnessmark.core.verdict import EvidenceRef, Finding, Result, Status, abstained, passed
from witnessmark.judges.ask import phrase
from witnessmark.text import lang
from witnessmark.text.sentences import sentence_texts

Prior = Mapping[str, Result]
MET = threshold("synthesis_met")
ITEMS = (
    CriterionItem(key="coherence", text=phrase("_rubric", "coherent"), scale="likert5", resample=False),
    CriterionItem(key="completeness", text=phrase("_rubric", "complete"), scale="likert5", resample=False),
)
_WORD = re.compile(r"[^\W\d_]+")
_FIGURE = re.compile(r"\d[\d,.]*\d|\d")
MOST = 20
HALF = 0.5
"""Below this share of the outputs used, each that is left out is an error: the answer rests on the smaller part."""


@lang.derived
def _pointer() -> re.Pattern[str]:
    return re.compile(rf"\b({lang.either(lang.words('pointers'))})\s+(\d{{1,2}})\b", re.IGNORECASE)


@check(
    "synthesis_reading", version="1", cost="paid", services=("judges",), asks=lambda case, _: reading_asks(case, ITEMS)
)
def synthesis_reading(*, judges: Judges | None = None) -> Look:
    """Asks a judge, where there is one, how coherent and how complete an answer is; one question for both."""

    async def look(case: Case, prior: Prior) -> Result:
        if judges is None:
            return abstained("no_judge", "no judge is configured to read the answer")
        return await read_all(case, ITEMS, judges)

    return look


@check("synthesis_coherence", version="1", cost="instant")
def synthesis_coherence() -> Look:
    """The sentences do not contradict each other and refer to nothing missing; whether they follow is for a judge."""

    def look(case: Case, prior: Prior) -> Result:
        told = "\n".join(one.text for one in case.evidence if one.text)
        return lower(counted_coherence(case.text, told), _judged(prior, ITEMS[0]), unread="flow and relevance")

    return look


def counted_coherence(text: str, sources: str = "") -> Result:
    """The share of sentences that deny no other and point at nothing that is missing; unsettled where all is well."""
    denied = {said for conflict in conflicts.within(text)[:20] for said in (conflict.first, conflict.second)}
    lost = list(_lost(text, sources))
    if not denied and not lost:
        return abstained("no_judge", "no fault was found; how well it reads is for a judge to say")
    sentences = sentence_texts(text)
    score = round(max(0.0, 1 - (len(denied) + len(lost)) / max(len(sentences), 1)), 9)
    reason = f"{len(denied)} sentences contradict each other, {len(lost)} refer to something missing (coherence: {score:.2g})"
    return Result(status=_status(score), score=score, reason=reason, findings=tuple(lost))


def _lost(text: str, sources: str) -> Iterator[Finding]:
    """References such as “Table 3” to something that the answer does not hold: it is named once, and heads nothing.

    What the sources speak of is what the answer is about: the fifth chapter of a report that is being translated.
    """
    spoken_of = sources.lower()
    for found in _pointer().finditer(text):
        name = found.group().lower()
        heads = re.search(rf"^\W*{re.escape(name)}\b", text, re.IGNORECASE | re.MULTILINE)
        if heads is None and text.lower().count(name) == 1 and name not in spoken_of:
            yield Finding(
                message="the answer refers to something that it does not contain",
                severity="warning",
                quote=found.group(),
                span=found.span(),
                suggestion="Add what it refers to, or remove the reference.",
            )


# --- outputs that contradict each other ---------------------------------------------------------------------------------


def silently_merged(text: str, outputs: Sequence[Evidence]) -> Iterator[Finding]:
    """Each conflict between two outputs of which the text gives a side, or both, as if there were none.

    Where an output tells of a change there may be none. A text that has both values in other words, or any word of difference, names it.
    """
    told = [(source.id, source.text) for source in outputs if source.text and not _tells_of_a_change(source.text)]
    found = list(conflicts.all_conflicts(told))[:MOST] if len(told) > 1 else []
    if not found or _names_a_difference(text):
        return
    for one, other, conflict in found:
        sides = [bool(conflicts.alike(text, said)) for said in (conflict.first, conflict.second)]
        if any(sides) and (all(sides) or not _has_both(text, conflict)):
            yield Finding(
                message="two agent outputs contradict each other, and the answer does not say so",
                category="consistency_conflict",
                quote=f"{conflict.first} / {conflict.second}",
                evidence=(EvidenceRef(id=one), EvidenceRef(id=other)),
                suggestion="Say what each of them found, or find out which one is right.",
            )


def _tells_of_a_change(text: str) -> bool:
    return not lang.listed("missions", "changed").isdisjoint(_words(text))


def _names_a_difference(text: str) -> bool:
    return not lang.listed("missions", "differ").isdisjoint(_words(text))


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _has_both(text: str, conflict: conflicts.Conflict) -> bool:
    """Whether the figures that only one of the two outputs has all stand in the text."""
    first, second = (set(_FIGURE.findall(said)) for said in (conflict.first, conflict.second))
    return bool(first ^ second) and (first ^ second) <= set(_FIGURE.findall(text))


# --- completeness -------------------------------------------------------------------------------------------------------


@check("synthesis_completeness", version="2", cost="instant")
def synthesis_completeness() -> Look:
    """What the agents found is used, and what they could not find is admitted; what matters of it is for a judge."""

    def look(case: Case, prior: Prior) -> Result:
        traced = prior.get("traceability")
        if traced is None or not traced.settled:
            return abstained(
                (traced.cause if traced else None) or "no_evidence", "nothing was traced to the agent outputs"
            )
        counted = counted_completeness(case, set(traced.details.get("unused_outputs", ())))
        return lower(counted, _judged(prior, ITEMS[1]), unread="whether it covers what matters")

    return look


def counted_completeness(case: Case, unused: set[str]) -> Result:
    """The share of agent outputs that something rests on, a gap that an output names and nobody admits counting as one more."""
    outputs = [source for source in case.evidence if source.kind == "agent_output"]
    left_out = [source for source in outputs if source.id in unused]
    silent = list(_silent(case, outputs))
    score = round((len(outputs) - len(left_out)) / (len(outputs) + len(silent)), 9)
    share = 1 - len(left_out) / len(outputs)
    reason = f"{len(outputs) - len(left_out)} of {len(outputs)} agent outputs used"
    reason += f", {len(silent)} gaps not admitted" if silent else ""
    return Result(
        status=_status(score),
        score=score,
        reason=f"{reason} (completeness: {score:.2g})",
        findings=(*_left_out(left_out, share), *silent),
        details={"outputs_used": round(share, 9), "gaps_not_admitted": len(silent)},
    )


def _left_out(unused: Sequence[Evidence], share: float) -> Iterator[Finding]:
    for source in unused[:20]:
        yield Finding(
            message=f"nothing in the answer rests on the agent output {source.id!r}",
            severity="error" if share < HALF else "warning",
            evidence=(EvidenceRef(id=source.id),),
            suggestion="Use what it found, or say why it does not matter.",
        )


def _silent(case: Case, outputs: Sequence[Evidence]) -> Iterator[Finding]:
    """Outputs that name a gap, and an answer that admits none at all."""
    if lang.speech("names_limits").search(case.text):
        return
    for source in outputs:
        gap = lang.speech("names_gap").search(source.text) if source.text and _may_be_open()(source.text) else None
        if gap is not None:
            yield Finding(
                message="an agent output names something that is not known, and the answer admits no gap",
                severity="warning",
                evidence=(EvidenceRef(id=source.id, span=gap.span()),),
                suggestion="Say what is not known, and why.",
            )


@lang.derived
def _may_be_open() -> Callable[[str], bool]:
    """Whether a gap is named at all, in a tenth of the time that finding its place takes; most outputs name none."""
    return patterns.finder(f"(?i){lang.speech('names_gap').pattern}")


@check("synthesis_floor", version="1", cost="instant", services=("policy",))
def synthesis_floor(*, policy: Policy | None = None) -> Look:
    """Neither coherence nor completeness lies below the policy's floor; what could not be settled does not count against it."""
    held = policy or Policy()
    floor = held.reported_floor

    def look(case: Case, prior: Prior) -> Result:
        said = [prior[name] for name in ("synthesis_coherence", "synthesis_completeness") if name in prior]
        low = [result for result in said if counts(held, result) and (result.score or 0.0) < floor]
        if not low:
            return passed(f"neither coherence nor completeness is known to be below {floor:g}")
        worst = min(low, key=lambda result: result.score or 0.0)
        reason = "; ".join(f"{result.reason}, where {floor:g} is asked for" for result in low)
        by = {
            name: getattr(worst, name)
            for name in ("confidence", "confidence_source", "independence", "judge", "prompt")
        }
        return Result(status="partial", score=worst.score, reason=reason, **by)

    return look


# --- counted and judged together ------------------------------------------------------------------------------------


def _judged(prior: Prior, item: CriterionItem) -> Result:
    """What the judge said about this item; where it said nothing that can be used, why not."""
    said = prior.get("synthesis_reading")
    if said is None or not said.settled:
        cause = said.cause if said is not None else None
        return abstained(cause or "no_judge", said.reason if said is not None else "no judge")
    try:
        made = settle(item, said)
    except JudgeReplyError as exc:
        return abstained("judge_error", f"the judge gave no usable answer: {exc}")
    if made.score is None:
        return made
    reason = f"{made.reason} ({item.key}: {made.score:.2g})"
    return replace(made, status=_status(made.score), reason=reason)  # a measure that is reported never fails by itself


def lower(counted: Result, judged: Result, *, unread: str) -> Result:
    """The lower of the two; where no judge could say, the result says what nobody looked at, and why."""
    if not judged.settled:
        if not counted.settled:
            return replace(counted, cause=judged.cause, reason=f"{counted.reason}: {judged.reason}")
        more: dict[str, Any] = dict(counted.details) | {"not_looked_at": unread}
        return replace(counted, reason=f"{counted.reason}; {unread}: not looked at, {judged.reason}", details=more)
    if not counted.settled or (counted.score or 0.0) >= (judged.score or 0.0):
        return replace(judged, findings=(*counted.findings, *judged.findings))
    return counted


def _status(score: float) -> Status:
    return "pass" if score >= MET else "partial"
