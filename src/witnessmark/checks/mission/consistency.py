"""Outputs of related tasks against each other: plain conflicts by rule, the rest by a judge whose every quote is looked up.

A contradiction that a judge names counts in full when it is named again with the outputs in the other order. What the
judge says about the outcome is not read at all: it follows from the contradictions that are left and how severe they are.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from witnessmark.checks.judged.judge_reading import by_judge
from witnessmark.checks.judged.scales import read_confidence
from witnessmark.checks.mission.conflicts import Conflict, all_conflicts
from witnessmark.checks.mission.states import may_differ, tasks_of
from witnessmark.core.case import Case, MissionTask
from witnessmark.core.errors import JudgeReplyError, WitnessmarkError
from witnessmark.core.protocols import Asks, Judge, Judges, Question
from witnessmark.core.registry import Look, check
from witnessmark.core.values import Value
from witnessmark.core.verdict import NO_USAGE, Finding, Result, Status, Usage, abstained, amount, failed, passed
from witnessmark.judges import windows
from witnessmark.judges.ask import ask_about, phrase, seed_of
from witnessmark.text.words import blank, letters

COSTS = {"low": 0.25, "medium": 0.5, "high": 1.0}
GROUP = 4
"""So many outputs are compared in one question; more of them go pair by pair, where they are related."""


MOST_TOKENS = 2_000


class Contradiction(Value, frozen=True):
    """Two claims that cannot both be true, as a judge names them."""

    topic: str
    task_a: str
    claim_a: str
    task_b: str
    claim_b: str
    why: str
    severity: str


NOTHING_PLAIN = (
    "no obvious conflict between the outputs; rules find about one conflict in three, the rest takes a judge"
)
"""What rules alone are worth here: 5 of 14 conflicts written by somebody who had not seen them."""


@check("plain_conflicts", version="5", cost="local")
def plain_conflicts() -> Look:
    """No two outputs make the same statement with different figures or levels, or with and without a negation.

    A level, a negation, a name, or a figure that a task took over from one it builds on, is wrong in one of the two. Any other
    figure, and whatever a task between them changes or two tasks say of two things, may differ: it is reported, and is no failure.
    """

    def look(case: Case, prior: Mapping[str, Result]) -> Result:
        written = {task.id: task for task in _written(case)}
        found = list(all_conflicts([(task.id, task.output) for task in written.values()]))
        if not found:
            return passed(NOTHING_PLAIN)
        tasks = tasks_of(case)
        sure = [_certain(tasks, written[one], written[other], conflict) for one, other, conflict in found]
        findings = [_plainly(*entry, certain=certain) for entry, certain in zip(found, sure, strict=True)]
        reason = f"{len(found)} plain conflict{'' if len(found) == 1 else 's'} between outputs"
        return failed(reason, *findings) if any(sure) else passed(reason, findings=tuple(findings))

    return look


def _certain(tasks: Sequence[MissionTask], one: MissionTask, other: MissionTask, conflict: Conflict) -> bool:
    return (conflict.certain or _builds_on(one, other)) and not may_differ(tasks, one, other)


def _builds_on(one: MissionTask, other: MissionTask) -> bool:
    return one.id in other.depends_on or other.id in one.depends_on


def _plainly(one: str, other: str, conflict: Conflict, *, certain: bool) -> Finding:
    return Finding(
        message=f"tasks {one!r} and {other!r} give different values for the same thing",
        category="consistency_conflict",
        severity="error" if certain else "warning",
        quote=f"{conflict.first} / {conflict.second}",
        suggestion="Find out which one is right, and correct the other.",
    )


def _asks(case: Case, options: Mapping[str, Any]) -> Asks:
    """One question for each group, and one more in the other order where a contradiction is found."""
    written = _written(case)
    asked = [question_about(group, seed=0)[0] for group in groups(written)] if len(written) > 1 else []
    return Asks(asked, again=len(asked))


@check("consistency", version="1", cost="paid", services=("judges",), asks=_asks)
def consistency(*, judges: Judges | None = None) -> Look:
    """Whether the outputs of a mission contradict each other, as a judge reads them in both orders."""

    async def look(case: Case, prior: Mapping[str, Result]) -> Result:
        written = _written(case)
        if len(written) < 2:
            return abstained("no_claims", "fewer than two tasks have an output to compare")
        unread = "no judge is configured to compare the outputs"
        return await by_judge(case, judges, "consistency", unread, functools.partial(_compare, written, seed_of(case)))

    return look


async def _compare(written: Sequence[MissionTask], seed: int, judge: Judge) -> Result:
    talk = _TaskComparison(judge, seed)
    sure: list[Contradiction] = []
    doubtful: list[Contradiction] = []
    for group in groups(written):
        confirmed, once = await talk.compare(group)
        sure += confirmed
        doubtful += once
    return talk.result(sure, doubtful)


def groups(tasks: Sequence[MissionTask]) -> list[tuple[MissionTask, ...]]:
    """What is compared in one question: all of a few, or related pairs of many; where nothing is related, every pair."""
    if len(tasks) <= GROUP:
        return [tuple(tasks)]
    pairs: list[tuple[MissionTask, ...]] = list(combinations(tasks, 2))
    related = [pair for pair in pairs if _related(*pair)]
    return related or pairs


def _related(one: MissionTask, other: MissionTask) -> bool:
    return _builds_on(one, other) or not set(one.depends_on).isdisjoint(other.depends_on)


def _written(case: Case) -> list[MissionTask]:
    return [task for task in tasks_of(case) if not blank(task.output)]


class _TaskComparison:
    """The questions of one comparison and what they cost together."""

    def __init__(self, judge: Judge, seed: int) -> None:
        self.judge, self.seed = judge, seed
        self.usage: Usage = NO_USAGE
        self.confidences: list[float] = []
        self.prompt, self.seen, self.unproven = "", 1.0, 0

    async def compare(self, group: Sequence[MissionTask]) -> tuple[list[Contradiction], list[Contradiction]]:
        """The contradictions found in both orders, and those found in one only. None in the first needs no second."""
        first = await self._ask(group, 0)
        if not first:
            return [], []
        second = await self._ask(tuple(reversed(group)), 1)
        confirmed = [one for one in first if any(_same(one, other) for other in second)]
        once = [one for one in first if one not in confirmed]
        return confirmed, once + [one for one in second if not any(_same(one, other) for other in first)]

    async def _ask(self, group: Sequence[MissionTask], sample: int) -> list[Contradiction]:
        question, seen = question_about(group, self.judge, seed=self.seed + sample)
        self.seen = min(self.seen, seen)
        try:
            reply = await self.judge.ask(question)
        except WitnessmarkError as exc:
            # What the questions before this one cost goes with the error, so that it is not lost.
            exc.__dict__["usage"] = self.usage + (exc.__dict__.get("usage") or NO_USAGE)
            raise
        self.usage += reply.usage
        self.prompt = question.prompt
        said = read(reply.data, {_label(number): task.id for number, task in enumerate(group)})
        self.confidences.append(read_confidence(reply.data.get("confidence")))
        texts = {task.id: task.output for task in group}
        proven = [
            one
            for one in said
            if _quoted(one.claim_a, texts.get(one.task_a)) and _quoted(one.claim_b, texts.get(one.task_b))
        ]
        self.unproven += len(said) - len(proven)
        return [one for one in proven if one.task_a != one.task_b]

    def result(self, sure: list[Contradiction], doubtful: list[Contradiction]) -> Result:
        """The outcome from what was proven: recomputed here, whatever the judge thinks of it."""
        score = max(
            0.0, 1.0 - sum(COSTS[one.severity] for one in sure) - sum(COSTS[one.severity] / 2 for one in doubtful)
        )
        severe = any(one.severity != "low" for one in sure)
        status: Status = "fail" if severe else "partial" if sure or doubtful else "pass"
        confidence = sum(self.confidences) / len(self.confidences)
        return Result(
            status=status,
            score=round(score, 9),
            reason=f"{amount(len(sure), 'contradiction')} found in both orders, {len(doubtful)} in one order only",
            confidence=round(windows.capped(confidence, self.seen), 9),
            confidence_source="reported",
            judge=self.judge.id,
            prompt=self.prompt,
            usage=self.usage,
            findings=(*(_finding(one, "error") for one in sure), *(_finding(one, "warning") for one in doubtful)),
            details={"unproven": self.unproven, "seen": self.seen},
        )


def question_about(group: Sequence[MissionTask], judge: object = None, *, seed: int) -> tuple[Question, float]:
    """The question that compares a group, and the share of its outputs that it shows."""
    # Ids are somebody else's words, so the judge sees labels of ours instead.
    labels = {_label(number): task for number, task in enumerate(group)}
    shown, seen = _shown(labels, windows.room(judge))
    if len(labels) == 2:
        which = phrase("consistency", "pair", labels=" and ".join(labels))
    else:
        which = phrase("consistency", "group", count=len(labels), labels=", ".join(labels))
    question = ask_about(
        "consistency",
        ours=" ".join(filter(None, [which, windows.coverage_note(seen)])),
        material=shown,
        reply_schema=reply_schema(list(labels)),
        seed=seed,
        max_tokens=MOST_TOKENS,
    )
    return question, seen


def _label(number: int) -> str:
    """A, B, … Z, A2, B2, …"""
    return chr(ord("A") + number % 26) + ("" if number < 26 else str(number // 26 + 1))


def _shown(labels: Mapping[str, MissionTask], chars: int) -> tuple[dict[str, str], float]:
    """Each output, or of a long one what is nearest to the others, and the least share of any that is shown."""
    room = max(chars // len(labels), 1)
    shown, seen = {}, 1.0
    for label, task in labels.items():
        others = " ".join(other.output for other in labels.values() if other is not task)
        fitted = windows.fit({label: task.output}, others if len(task.output) > room else "", room)
        shown[label] = fitted.material.get(label, "")
        seen = min(seen, fitted.coverage)
    return shown, seen


def reply_schema(labels: Sequence[str]) -> dict[str, Any]:
    """What the judge must answer: its reasoning, every contradiction with both claims word for word, how sure it is."""
    words, task = {"type": "string"}, {"type": "string", "enum": list(labels)}
    entry = {"topic": words, "task_a": task, "claim_a": words, "task_b": task, "claim_b": words, "why": words}
    entry["severity"] = {"type": "string", "enum": list(COSTS)}
    one = {"type": "object", "additionalProperties": False, "required": list(entry), "properties": entry}
    fields = {
        "reasoning": words,
        "contradictions": {"type": "array", "items": one},
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
    }
    return {"type": "object", "additionalProperties": False, "required": list(fields), "properties": fields}


def read(data: Mapping[str, Any], ids: Mapping[str, str]) -> list[Contradiction]:
    """The contradictions of a reply, with labels as task ids; one that cannot be read makes the whole unreadable."""
    given = data.get("contradictions")
    if not isinstance(given, list):
        raise JudgeReplyError("the judge left out the list of contradictions")
    found = []
    for one in given:
        fields = {name: one.get(name) for name in Contradiction.__struct_fields__} if isinstance(one, Mapping) else {}
        if (
            not fields
            or not all(isinstance(value, str) for value in fields.values())
            or fields["severity"] not in COSTS
        ):
            raise JudgeReplyError(
                "a contradiction lacks its topic, its texts, its claims, the reason or a known severity"
            )
        named = {name: ids.get(str(fields[name])) for name in ("task_a", "task_b")}
        if None in named.values():
            raise JudgeReplyError("a contradiction names a text that was not shown")
        found.append(Contradiction(**{name: str(value) for name, value in (fields | named).items()}))
    return found


def _plain(text: str) -> str:
    return " ".join(letters(text.casefold()))


def _quoted(claim: str, text: str | None) -> bool:
    return bool(text) and bool(_plain(claim)) and _plain(claim) in _plain(text or "")


def _same(one: Contradiction, other: Contradiction) -> bool:
    """Whether two readings mean the same contradiction: the same tasks, and claims that share half of their words."""
    here = {one.task_a: one.claim_a, one.task_b: one.claim_b}
    there = {other.task_a: other.claim_a, other.task_b: other.claim_b}
    return here.keys() == there.keys() and all(_overlap(here[task], there[task]) >= 0.5 for task in here)


def _overlap(one: str, other: str) -> float:
    first, second = set(_plain(one).split()), set(_plain(other).split())
    return len(first & second) / max(min(len(first), len(second)), 1)


def _finding(one: Contradiction, severity: Any) -> Finding:
    return Finding(
        message=f"tasks {one.task_a!r} and {one.task_b!r} contradict each other ({one.severity})",
        category="consistency_conflict",
        severity="warning" if one.severity == "low" else severity,
        quote=f"{one.topic}: {one.claim_a} / {one.claim_b}",
        suggestion="Find out which claim is right, and correct the other output.",
    )
