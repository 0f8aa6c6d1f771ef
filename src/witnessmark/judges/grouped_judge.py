"""Questions that come at about the same time, asked as one: for work that need not be judged at once.

A few questions of one kind are put into one, each with its own fences and its own part of the reply; the parts go back to
who asked. Where the whole reply cannot be read, each question is asked by itself. Knows nothing about what is asked.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from witnessmark.core.case import Stakes
from witnessmark.core.errors import JudgeReplyError, JudgesDisagreeError, WitnessmarkError
from witnessmark.core.protocols import Judge, Judges, Question, Reply
from witnessmark.core.verdict import Independence, Usage
from witnessmark.judges import ask
from witnessmark.judges.own_judge import guarded

MOST = 4
LINGER_S = 0.02
Waiting = tuple[Question, "asyncio.Future[Reply]"]


class GroupedJudge:
    """A judge that waits a moment for further questions and asks them together."""

    def __init__(self, judge: Judge, *, most: int = MOST, linger_s: float = LINGER_S) -> None:
        self.id, self.family = judge.id, judge.family
        self.window = getattr(judge, "window", None)
        self._judge, self._most, self._linger_s = judge, most, linger_s
        self._waiting: list[Waiting] = []
        self._asking: set[asyncio.Task[None]] = set()

    async def ask(self, question: Question) -> Reply:
        """The answer to this question, out of the answer to all that were asked with it."""
        answer: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._waiting.append((question, answer))
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
        await asyncio.sleep(after_s)
        taken, self._waiting = self._waiting[: self._most], self._waiting[self._most :]
        if self._waiting:
            self._start(self._linger_s)
        try:
            await self._ask(taken)
        finally:
            for _, answer in taken:
                _fail(answer, JudgeReplyError("the question was grouped with others, and they were not answered"))

    async def _ask(self, waiting: list[Waiting]) -> None:
        """Put the questions of one template together; what goes wrong goes to all who asked."""
        kinds = dict.fromkeys((question.prompt, question.temperature) for question, _ in waiting)
        for kind in kinds:
            same = [one for one in waiting if (one[0].prompt, one[0].temperature) == kind]
            try:
                replies = await self._together([question for question, _ in same])
            except WitnessmarkError as exc:
                for _, answer in same:
                    _fail(answer, exc)
                continue
            for (_, answer), reply in zip(same, replies, strict=True):
                if isinstance(reply, WitnessmarkError):
                    _fail(answer, reply)
                elif not answer.done():
                    answer.set_result(reply)

    async def _together(self, questions: list[Question]) -> Sequence[Reply | WitnessmarkError]:
        if len(questions) == 1:
            return [await self._judge.ask(questions[0])]
        try:
            reply = await self._judge.ask(ask.together(questions))
            return _parts(reply, len(questions))
        except JudgesDisagreeError as exc:
            return _apart(exc, self.id, len(questions))
        except JudgeReplyError:
            return [await self._judge.ask(question) for question in questions]


def _apart(exc: JudgesDisagreeError, judge: str, count: int) -> list[Reply | WitnessmarkError]:
    """To each its own: the answer where the panel agrees on it, the disagreement where not; the first carries the cost."""
    made: list[Reply | WitnessmarkError] = []
    for number in range(1, count + 1):
        part, usage = exc.agreed.get(f"question{number}"), exc.usage if number == 1 else Usage()
        if isinstance(part, dict):
            made.append(Reply(data=part, judge=judge, usage=usage))
        else:
            own = JudgesDisagreeError(f"{judge}: the judges disagree")
            own.usage = usage
            made.append(own)
    return made


def _fail(answer: asyncio.Future[Reply], exc: WitnessmarkError) -> None:
    if not answer.done():
        answer.set_exception(exc)


def _parts(reply: Reply, count: int) -> list[Reply]:
    """The reply cut into the parts of the questions; what it cost goes with the first."""
    parts = [reply.data.get(f"question{number}") for number in range(1, count + 1)]
    if not all(isinstance(part, dict) for part in parts):
        raise JudgeReplyError("the judge left out one of several questions")
    free = Usage()
    return [
        Reply(
            data=part, judge=reply.judge, model=reply.model, usage=free if number else reply.usage, cached=reply.cached
        )
        for number, part in enumerate(parts)
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
