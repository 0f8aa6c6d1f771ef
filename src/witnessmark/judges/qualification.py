"""Whether a judge may be chosen by itself: it answers in the form asked for, and mostly as people do.

The shipped set holds small pieces of work with a criterion and the known answer. A judge qualifies with replies that fit
the schema at once in at least 98 of 100, and an agreement beyond chance (Cohen's kappa) of at least 0.4. The result is
kept by the judge's endpoint and model, and by the digest of the set and the prompt: another set asks for another run.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
from collections.abc import Callable, Sequence
from importlib import resources
from typing import Literal

import msgspec

from witnessmark.core.case import Case
from witnessmark.core.errors import InputError, JudgeReplyError, TransientError
from witnessmark.core.plans.criteria import Criterion
from witnessmark.core.protocols import Judge, Notes, Question
from witnessmark.core.record import Store
from witnessmark.core.tallies import LabelledVerification, TallyStore
from witnessmark.core.thresholds import threshold
from witnessmark.core.values import Count, Unit, Value, digest, parse
from witnessmark.core.verdict import NO_USAGE, Usage
from witnessmark.judges import ask

NAMESPACE = "qualifications"
MIN_COMPLIANCE, MIN_KAPPA = threshold("reply_compliance"), threshold("judge_agreement")
MET_FROM = 4
AT_ONCE = 8


class QualificationItem(Value, frozen=True):
    """A piece of work with the known answer to one criterion."""

    id: str
    kind: Literal["completeness", "accuracy", "relevance", "format", "grounding", "safety", "injection"]
    goal: str
    work: str
    criterion: str
    met: bool
    source: str = ""


class Qualification(Value, frozen=True):
    """How a judge did."""

    judge: str
    model: str
    set: str
    items: Count
    answered: Count
    compliance: Unit
    kappa: float
    accuracy: Unit
    usage: Usage = NO_USAGE

    @property
    def qualified(self) -> bool:
        """Whether it may be chosen by itself."""
        return self.compliance >= MIN_COMPLIANCE and self.kappa >= MIN_KAPPA


@functools.cache
def shipped() -> tuple[QualificationItem, ...]:
    """The set that comes with Witnessmark."""
    text = resources.files("witnessmark.judges").joinpath("qualification.jsonl").read_bytes()
    return tuple(parse(line, QualificationItem) for line in text.splitlines() if line.strip())


def set_digest(items: Sequence[QualificationItem]) -> str:
    """What a result goes by: the items and the prompt they are asked with."""
    return digest([list(items), ask.template("rubric").sha256])


def question(item: QualificationItem) -> Question:
    """An item as a question."""
    material = {"goal": item.goal} | ({"source": item.source} if item.source else {}) | {"work": item.work}
    return ask.ask_about(
        "rubric",
        ours=ask.rubric({"c1": item.criterion}),
        material=material,
        reply_schema=ask.rubric_schema(["c1"]),
        seed=int(digest(item)[:8], 16),
        max_tokens=512,
    )


async def qualify(
    judge: Judge,
    items: Sequence[QualificationItem] | None = None,
    notes: Notes | None = None,
    told: Callable[[QualificationItem, bool | None], None] | None = None,
) -> Qualification:
    """Run the set through the judge and keep the result. A judge that cannot be reached at all raises."""
    asked = shipped() if items is None else tuple(items)
    if not asked:
        raise InputError("a qualification set needs items")
    room = asyncio.Semaphore(AT_ONCE)
    outcomes = await asyncio.gather(*(_asked(judge, item, room, told) for item in asked))
    if all(answer is None for answer, _, _ in outcomes):
        await judge.ask(question(asked[0]))  # says why, by raising
    made = _result(judge, asked, outcomes)
    if notes is not None:
        await notes.remember(NAMESPACE, _key(judge, made.set), msgspec.json.encode(made))
    return made


async def _asked(
    judge: Judge,
    item: QualificationItem,
    room: asyncio.Semaphore,
    told: Callable[[QualificationItem, bool | None], None] | None,
) -> tuple[bool | None, bool, Usage]:
    """The judge's answer where there is one, whether its first reply fitted, and what it cost."""
    answer, fitted, usage = None, False, NO_USAGE
    async with room:
        with contextlib.suppress(JudgeReplyError, TransientError):
            reply = await judge.ask(question(item))
            answer = reply.data["criteria"][0]["score"] >= MET_FROM
            fitted, usage = reply.usage.judge_calls <= 1, reply.usage
    if told is not None:
        told(item, answer)
    return answer, fitted, usage


def _result(
    judge: Judge, items: Sequence[QualificationItem], outcomes: Sequence[tuple[bool | None, bool, Usage]]
) -> Qualification:
    pairs = [(item.met, answer) for item, (answer, _, _) in zip(items, outcomes, strict=True) if answer is not None]
    return Qualification(
        judge=judge.id,
        model=str(getattr(judge, "model", "")),
        set=set_digest(items),
        items=len(items),
        answered=len(pairs),
        compliance=sum(fitted for _, fitted, _ in outcomes) / len(items),
        kappa=kappa(pairs),
        accuracy=sum(known == said for known, said in pairs) / len(pairs) if pairs else 0.0,
        usage=sum((usage for _, _, usage in outcomes), NO_USAGE),
    )


def kappa(pairs: Sequence[tuple[bool, bool]]) -> float:
    """Agreement beyond chance; 0 where chance alone explains all, as with one answer to everything."""
    if not pairs:
        return 0.0
    total = len(pairs)
    agreed = sum(a == b for a, b in pairs) / total
    first, second = sum(a for a, _ in pairs) / total, sum(b for _, b in pairs) / total
    by_chance = first * second + (1 - first) * (1 - second)
    return 0.0 if by_chance >= 1.0 else round((agreed - by_chance) / (1 - by_chance), 9)


async def qualification_of(judge: Judge, notes: Notes | None) -> Qualification | None:
    """The kept result for this judge and the shipped set, or None."""
    body = await notes.recall(NAMESPACE, _key(judge, set_digest(shipped()))) if notes is not None else None
    if body is None:
        return None
    try:
        return parse(body, Qualification)
    except InputError:
        return None


def _key(judge: Judge, of_set: str) -> str:
    return digest([str(getattr(judge, "fingerprint", "")) or judge.id, of_set])


async def override_items(store: Store, labels: TallyStore, workspace: str) -> tuple[QualificationItem, ...]:
    """Every criterion of work whose end is known and whose case was kept, with what people's word says about it.

    Where people said that work is good, each of its judged criteria is met; where they said that it is bad and one criterion was
    judged, that one is not. Everything else would be a guess, and is left out.
    """
    found: list[QualificationItem] = []
    for one in await labels.labelled(workspace, None, None):
        if one.truth in ("pass", "fail"):
            entry = await store.get(one.record.id, workspace)
            if entry.case is not None and not entry.redacted:
                found += _items(one, Case.from_json(entry.case))
    return tuple(found)


def _items(one: LabelledVerification, case: Case) -> list[QualificationItem]:
    judged = [said for said in one.record.results if said.check == "rubric" and said.judge is not None]
    asked = [criterion for criterion in case.criteria if isinstance(criterion, Criterion) and criterion.text]
    if len(judged) != len(asked) or (one.truth == "fail" and len(asked) != 1):
        return []
    sources = "\n\n".join(source.text for source in case.evidence if source.text)
    return [
        QualificationItem(
            id=f"{one.record.id[:12]}:{number}",
            kind="completeness",
            goal=case.goal,
            work=case.text,
            criterion=str(criterion.text),
            met=one.truth == "pass",
            source=sources,
        )
        for number, criterion in enumerate(asked, 1)
    ]
