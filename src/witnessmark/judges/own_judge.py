"""A judge of somebody's own making: whatever breaks in it is a judge that failed, not a check that did.

Ours raise what `core.errors` names; one written elsewhere may raise anything and return anything. What it raises is told as
unavailable, so that trying again may help; what is no reply is one that cannot be read. Knows nothing about what is asked.
"""

from __future__ import annotations

import asyncio
import inspect
from typing import Any

from witnessmark.core.errors import ConfigError, JudgeReplyError, JudgeUnavailableError, WitnessmarkError
from witnessmark.core.protocols import Judge, Question, Reply
from witnessmark.core.registry import JudgeBackend
from witnessmark.judges.cache import CachedJudge
from witnessmark.judges.http import HttpJudge
from witnessmark.judges.panel import Panel


class OwnJudge:
    """Wraps such a judge; all but `ask` it leaves to it."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self.id, self.family = judge.id, judge.family

    def __getattr__(self, name: str) -> Any:
        return getattr(self._judge, name)

    async def ask(self, question: Question) -> Reply:
        """The judge's reply; JudgeUnavailableError where it broke, JudgeReplyError where that is none."""
        said: Any = (await asyncio.gather(self._said(question), return_exceptions=True))[0]
        if isinstance(said, Reply):
            return said
        if isinstance(said, BaseException):
            if isinstance(said, WitnessmarkError) or not isinstance(said, Exception):
                raise said
            raise JudgeUnavailableError(f"judge {self.id} broke: {type(said).__name__}: {said}") from said
        raise JudgeReplyError(f"judge {self.id} returned {type(said).__name__}; `ask` returns a witnessmark Reply")

    async def _said(self, question: Question) -> Any:
        said: Any = self._judge.ask(question)
        return await said if inspect.isawaitable(said) else said


OURS = (CachedJudge, HttpJudge, OwnJudge, Panel)


def guarded(judge: Judge) -> Judge:
    """The judge, wrapped where it is none of ours."""
    return judge if isinstance(judge, OURS) else OwnJudge(judge)


def made_by(backend: Any, name: str, context: Any) -> Judge:
    """The judge that a back end makes, guarded; ConfigError where it is no back end, or makes no judge."""
    if not isinstance(backend, JudgeBackend):
        raise ConfigError(f"judge back end {name!r}: is a {type(backend).__name__}; decorate its factory with @judge")
    judge: Any = backend.make(context)
    missing = [part for part in ("id", "family", "ask") if not hasattr(judge, part)]
    if missing:
        what = "nothing" if judge is None else f"{type(judge).__name__} without {', '.join(missing)}"
        raise ConfigError(f"judge back end {name!r}: its factory returned {what}; a judge has id, family and ask")
    return guarded(judge)
