"""One reading of an output by a judge: a few criteria in one question, and what came back for each of them.

Order is shuffled for each sample, seeded from the case. Only near its threshold is a criterion asked about again. Long
output is read in parts and merged by rule. The judge gives words and steps of a scale; every number is made here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, get_args

from witnessmark.checks.judged import scales
from witnessmark.checks.judged.case_parts import CaseParts, Part, parts_of
from witnessmark.checks.judged.questions import CriterionItem, question_about, scale_of
from witnessmark.checks.plain import counts
from witnessmark.core.case import Case
from witnessmark.core.errors import InputError, JudgeReplyError, JudgesDisagreeError, WitnessmarkError
from witnessmark.core.protocols import Judge, Judges
from witnessmark.core.verdict import NO_USAGE, Independence, Usage
from witnessmark.judges.choice import choose
from witnessmark.judges.windows import capped
from witnessmark.text import lang
from witnessmark.text.words import words

NEAR = 0.1
"""A score this close to the threshold is asked for again."""
MORE = 2
"""How many further samples such a criterion gets."""
MOST_MORE = 10
IN_PARTS = 0.6
"""The most a judge may be sure that never saw everything at once."""
APART = object()
"""Stands for the answer about a criterion that the judges of a panel see differently."""


@dataclass(slots=True)
class CriterionSamples:
    """What was heard about one criterion, sample by sample."""

    scores: list[float] = field(default_factory=list)
    confidences: list[float] = field(default_factory=list)
    reasoning: str = ""
    revision: str = ""
    error: str = ""
    stopped: str = ""
    apart: bool = False

    def details(self) -> dict[str, Any]:
        """As JSON, for the record and for the node of the criterion."""
        told: dict[str, Any] = {"scores": self.scores, "confidences": self.confidences, "reasoning": self.reasoning}
        if self.revision:
            told["revision"] = self.revision
        if self.error:
            told["error"] = self.error
        if self.stopped:
            told["stopped"] = self.stopped
        if self.apart:
            told["apart"] = True
        return told


@dataclass(slots=True)
class CriteriaReading:
    """All that came of one reading."""

    heard: dict[str, CriterionSamples]
    counted: dict[str, counts.Count]
    judge: str | None = None
    prompt: str | None = None
    independence: Independence = "deterministic"
    usage: Usage = NO_USAGE
    whole: bool = True
    output_seen: float = 1.0
    evidence_seen: float = 1.0
    stopped: str = ""
    again_by: str = ""
    set_aside: tuple[str, ...] = ()


async def read(case: Case, items: Sequence[CriterionItem], judges: Judges | None) -> CriteriaReading | None:
    """Ask about the items; None where only a judge could say and there is none. What a count settles needs no judge."""
    counted, asked = _counted(case, items)
    if judges is None or not asked:
        return CriteriaReading({}, counted) if counted else None
    chosen = choose(judges, case, "criteria")
    shown = parts_of(case, chosen.judge)
    talk = _CriteriaDialogue(case, chosen.judge)
    made = CriteriaReading({item.key: CriterionSamples() for item in asked}, counted, chosen.judge.id)
    made.independence, made.set_aside = chosen.independence, chosen.set_aside
    made.whole, made.output_seen, made.evidence_seen = shown.whole, shown.output_seen, shown.evidence_seen
    said = []
    for part in shown.parts:
        said.append(await talk.ask(asked, part, sample=0))
    for item in asked:
        _merge(item, [data.get(item.key) for data in said], made.heard[item.key], shown)
    close = _close(asked, made) if shown.whole else []
    if close and further_samples(case):
        # Where one reading should not decide, whoever judges high stakes is asked: a panel, where there is one.
        again = choose(judges, case, "criteria", stakes="high")
        talk.judge = again.judge
        made.independence = min(made.independence, again.independence, key=get_args(Independence).index)
        made.again_by = talk.judge.id
        await _again(talk, close, shown.parts[0], made)
    made.usage, made.prompt = talk.usage, talk.prompt
    return made


def _counted(case: Case, items: Sequence[CriterionItem]) -> tuple[dict[str, counts.Count], list[CriterionItem]]:
    """The items that a count settles, by their keys; and those that a judge has to read for."""
    found = {item.key: counts.count(case.text, item.text) for item in items}
    settled = {key: count for key, count in found.items() if count}
    return settled, [item for item in items if item.key not in settled]


def _close(asked: Sequence[CriterionItem], made: CriteriaReading) -> list[CriterionItem]:
    heard = [(item, made.heard[item.key].scores) for item in asked if item.resample]
    return [item for item, scores in heard if scores and near(item, scores[0])]


async def _again(talk: _CriteriaDialogue, close: Sequence[CriterionItem], part: Part, made: CriteriaReading) -> None:
    """Further samples of what lies near its threshold. What stops them, or those of one criterion, is kept; what was heard before counts."""
    more = further_samples(talk.case)
    for sample in range(1, more + 1):
        try:
            data = await talk.ask(close, part, sample=sample)
        except WitnessmarkError as exc:
            made.stopped = f"{type(exc).__name__} after {sample} of {more + 1} samples"
            talk.usage = exc.__dict__["usage"]
            return
        apart = [item for item in close if data.get(item.key) is APART]
        for item in apart:
            made.heard[item.key].stopped = f"JudgesDisagreeError after {sample} of {more + 1} samples"
        close = [item for item in close if item not in apart]
        for item in close:
            _hear(item, data.get(item.key), made.heard[item.key])


def further_samples(case: Case) -> int:
    """How many more samples a criterion near its threshold gets: as the context says, two where it says nothing."""
    more = case.context.get("samples", MORE)
    if isinstance(more, bool) or not isinstance(more, int) or not 0 <= more <= MOST_MORE:
        raise InputError(f"context.samples: {more!r} is not a whole number from 0 to {MOST_MORE}")
    return more


def near(item: CriterionItem, score: float) -> bool:
    """Whether a score is so close to the threshold that one sample should not decide."""
    return round(abs(score - item.met_from), 9) <= NEAR


def _hear(item: CriterionItem, said: Any, heard: CriterionSamples) -> None:
    """Add one answer. One that is missing or cannot be read is this criterion's error, not that of its neighbours."""
    if said is APART:
        heard.apart = True
        return
    try:
        if not isinstance(said, dict):
            raise JudgeReplyError("the judge left out this criterion")
        score = scales.read_score(scale_of(item), said.get("score"))
        confidence = scales.read_confidence(said.get("confidence"))
    except JudgeReplyError as exc:
        heard.error = heard.error or (str(exc) if not heard.scores else "")
        return
    heard.scores.append(score)
    heard.confidences.append(confidence)
    heard.reasoning = heard.reasoning or str(said.get("reasoning") or said.get("critique") or "")
    heard.revision = heard.revision or str(said.get("revision") or "")


def _merge(item: CriterionItem, answers: list[Any], heard: CriterionSamples, shown: CaseParts) -> None:
    """Answers about several parts as one: the lowest, so that none is outvoted; of what must be there but once, the highest."""
    if len(answers) == 1 and shown.whole:
        _hear(item, answers[0], heard)
        return
    parts = [CriterionSamples() for _ in answers]
    for said, part in zip(answers, parts, strict=True):
        _hear(item, said, part)
    heard.error = next((part.error for part in parts if part.error), "")
    heard.apart = any(part.apart for part in parts)
    if heard.error or heard.apart:
        return
    pick = min if holds_everywhere(item.text) else max
    chosen = pick(parts, key=lambda part: part.scores[0])
    heard.scores = chosen.scores
    limit = shown.seen if len(shown.parts) == 1 else min(shown.seen, IN_PARTS)
    heard.confidences = [capped(min(part.confidences[0] for part in parts), limit)]
    heard.reasoning, heard.revision = chosen.reasoning, chosen.revision


def holds_everywhere(criterion: str) -> bool:
    """Whether a criterion is about all of the output ("every claim …", "is polite"), as against something being in it once."""
    if counts.wanted(criterion) is not None:
        return False
    return not lang.words("everywhere").isdisjoint(words(criterion)) or not lang.pattern(
        "criteria", _WANTED_ONCE
    ).search(criterion)


_WANTED_ONCE = r"\b{once}\b(?!\s+{once_no_more}\b)|\b{there}\b|(?:^\W*|\b{obliging}\s+){orders}\b"
"""What asks for something to be there: what the output does ("names the price"), what is done in it, an order."""


class _CriteriaDialogue:
    """The questions of one reading: same judge, same case, what they cost together."""

    def __init__(self, case: Case, judge: Judge) -> None:
        self.case, self.judge = case, judge
        self.usage, self.prompt = NO_USAGE, ""

    async def ask(self, items: Sequence[CriterionItem], part: Part, *, sample: int) -> Mapping[str, Any]:
        """One question about these items, in an order of its own."""
        question = question_about(self.case, items, part, sample=sample)
        try:
            reply = await self.judge.ask(question)
        except JudgesDisagreeError as exc:
            exc.usage = self.usage + (exc.usage or NO_USAGE)
            if exc.agreed.keys().isdisjoint([item.key for item in items]):
                raise
            self.usage, self.prompt = exc.usage, question.prompt
            return {**exc.agreed, **dict.fromkeys(exc.apart, APART)}
        except WitnessmarkError as exc:
            # What the questions before this one cost goes with the error, so that it is not lost.
            exc.__dict__["usage"] = self.usage + (exc.__dict__.get("usage") or NO_USAGE)
            raise
        self.usage += reply.usage
        self.prompt = question.prompt
        return reply.data
