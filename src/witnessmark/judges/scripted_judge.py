"""A judge that answers from a script: for users' tests and ours. Says what it was asked, so that a test can look."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from witnessmark.core.errors import JudgeReplyError
from witnessmark.core.protocols import Question, Reply
from witnessmark.core.verdict import Usage

Answer = dict[str, Any] | Exception
Script = Callable[[Question], Answer] | Iterable[Answer]


class ScriptedJudge:
    """Answers with what a function returns, or with the next of a list; an exception in the script is raised."""

    def __init__(
        self, script: Script, *, id: str = "scripted", family: str = "scripted", usage: Usage | None = None
    ) -> None:
        self.id, self.family = id, family
        self.asked: list[Question] = []
        self._answer = script if callable(script) else _one_by_one(iter(script))
        self._usage = usage or Usage(judge_calls=1, tokens=100, cost_usd=0.0)

    async def ask(self, question: Question) -> Reply:
        """The scripted answer to this question."""
        self.asked.append(question)
        answer = self._answer(question)
        if isinstance(answer, Exception):
            raise answer
        return Reply(data=answer, judge=self.id, model=self.id, usage=self._usage)


def _one_by_one(answers: Any) -> Callable[[Question], Answer]:
    def following(question: Question) -> Answer:
        try:
            answer: Answer = next(answers)
        except StopIteration:
            raise JudgeReplyError("the script has no more answers; add one for each question") from None
        return answer

    return following
