"""Questions that come at about the same time, asked as one: for work that need not be judged at once.

A few questions of one kind are put into one, each with its own fences and its own part of the reply; the parts go back to
who asked, and each pays its part. Where the whole reply cannot be read, or one of them cannot pay, each question is asked by itself.
Knows nothing about what is asked.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from typing import NamedTuple

from witnessmark.core import budget
from witnessmark.core.budget import Budget, SharedBudget, usage_parts
from witnessmark.core.case import Stakes
from witnessmark.core.concurrency import deadline
from witnessmark.core.errors import BudgetError, JudgeReplyError, JudgesDisagreeError, WitnessmarkError
from witnessmark.core.protocols import Judge, Judges, Question, Reply
from witnessmark.core.verdict import NO_USAGE, Independence
from witnessmark.judges import ask
from witnessmark.judges.own_judge import guarded
from witnessmark.judges.panel import disagreement

MOST = 4
LINGER_S = 0.02


class WaitingQuestion(NamedTuple):
    """A question with the budget of the one who asked, and where the answer goes."""

    question: Question
    budget: Budget
    answer: asyncio.Future[Reply]


class GroupedJudge:
    """A judge that waits a moment for further questions and asks them together."""

    def __init__(self, judge: Judge, *, most: int = MOST, linger_s: float = LINGER_S) -> None:
        self.id, self.family = judge.id, judge.family
        self.window = getattr(judge, "window", None)
        self._judge, self._most, self._linger_s = judge, most, linger_s
        self._waiting: list[WaitingQuestion] = []
        self._asking: set[asyncio.Task[None]] = set()

    async def ask(self, question: Question) -> Reply:
        """The answer to this question, out of the answer to all that were asked with it."""
        answer: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._waiting.append(WaitingQuestion(question, budget.active.get() or Budget(None), answer))
        if len(self._waiting) >= self._most:
            self._start(0.0)
        elif len(self._waiting) == 1:
            self._start(self._linger_s)
        return await answer

    def _start(self, after_s: float) -> None:
        """Ask in a task of its own, so that one who stops waiting takes nothing from the others."""
        task = asyncio.create_task(self._later(after_s))
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)

    async def _later(self, after_s: float) -> None:
        deadline.active.set(math.inf)  # that of the first to ask does not hold for the others
        await asyncio.sleep(after_s)
        taken, self._waiting = self._waiting[: self._most], self._waiting[self._most :]
        if self._waiting:
            self._start(self._linger_s)
        try:
            await self._ask(taken)
        finally:
            for one in taken:
                _fail(one.answer, JudgeReplyError("the question was grouped with others, and they were not answered"))

    async def _ask(self, waiting: list[WaitingQuestion]) -> None:
        """Put the questions of one template together; what goes wrong goes to all who asked."""
        kinds = dict.fromkeys((one.question.prompt, one.question.temperature) for one in waiting)
        for kind in kinds:
            same = [one for one in waiting if (one.question.prompt, one.question.temperature) == kind]
            try:
                replies = await self._together(same)
            except WitnessmarkError as exc:
                for one in same:
                    _fail(one.answer, exc)
                continue
            for one, reply in zip(same, replies, strict=True):
                if isinstance(reply, WitnessmarkError):
                    _fail(one.answer, reply)
                elif not one.answer.done():
                    one.answer.set_result(reply)

    async def _together(self, waiting: list[WaitingQuestion]) -> Sequence[Reply | WitnessmarkError]:
        if len(waiting) == 1:
            return [await self._alone(waiting[0])]
        budget.active.set(SharedBudget([one.budget for one in waiting]))
        try:
            reply = await self._judge.ask(ask.together([one.question for one in waiting]))
            return _parts(reply, len(waiting))
        except JudgesDisagreeError as exc:
            return _apart(exc, self.id, len(waiting))
        except (JudgeReplyError, BudgetError):
            return [await self._alone(one) for one in waiting]

    async def _alone(self, one: WaitingQuestion) -> Reply | WitnessmarkError:
        """The answer to one question by itself, out of the budget of the one who asked; what goes wrong is its own."""
        budget.active.set(one.budget)
        try:
            return await self._judge.ask(one.question)
        except WitnessmarkError as exc:
            return exc


def _apart(exc: JudgesDisagreeError, judge: str, count: int) -> list[Reply | WitnessmarkError]:
    """To each its own: the answer where the panel agrees on it, what is left of it where not; each with its part of the cost."""
    made: list[Reply | WitnessmarkError] = []
    for number, usage in enumerate(usage_parts(exc.usage or NO_USAGE, count), 1):
        name = f"question{number}"
        part = exc.agreed.get(name)
        if isinstance(part, dict):
            made.append(Reply(data=part, judge=judge, usage=usage))
        else:
            places = [place.removeprefix(f"{name}.") for place in exc.places if place.startswith(f"{name}.")]
            made.append(disagreement(f"{judge}: the judges disagree", exc.merged.get(name), places, usage))
    return made


def _fail(answer: asyncio.Future[Reply], exc: WitnessmarkError) -> None:
    if not answer.done():
        answer.set_exception(exc)


def _parts(reply: Reply, count: int) -> list[Reply]:
    """The reply cut into the parts of the questions, each with its part of what it cost."""
    parts = [reply.data.get(f"question{number}") for number in range(1, count + 1)]
    if not all(isinstance(part, dict) for part in parts):
        raise JudgeReplyError("the judge left out one of several questions")
    return [
        Reply(data=part, judge=reply.judge, model=reply.model, usage=usage, cached=reply.cached)
        for part, usage in zip(parts, usage_parts(reply.usage, count), strict=True)
        if part is not None
    ]


class GroupedJudges:
    """The judges at hand, each grouping what it is asked."""

    def __init__(self, judges: Judges) -> None:
        self._judges = judges
        self._made: dict[str, tuple[Judge, GroupedJudge]] = {}

    def pick(
        self, executor_model: str | None, *, stakes: Stakes = "normal", purpose: str = "", named: str | None = None
    ) -> Judge:
        """Who would have been picked, as one that groups; at high stakes nothing is grouped."""
        judge = self._judges.pick(executor_model, stakes=stakes, purpose=purpose, named=named)
        if stakes == "high":
            return judge
        if judge.id not in self._made:
            self._made[judge.id] = (judge, GroupedJudge(guarded(judge)))
        return self._made[judge.id][1]

    def independence(self, judge: Judge, executor_model: str | None) -> Independence:
        """Of the judge behind it."""
        behind = self._made.get(judge.id)
        return self._judges.independence(behind[0] if behind else judge, executor_model)
