"""Who answers in a run: any OpenAI-compatible or Anthropic endpoint, a Python function, a command.

    openai/gpt-4o-mini · anthropic/MODEL · URL#MODEL · a judge's name from the settings
    python:package.module:function      called with the prompt, or with (question, sources) where it takes two
    command:./answer.sh --fast          the prompt on standard input, the answer on standard output

What an answer cost is unknown unless the endpoint and the price table say it.
"""

from __future__ import annotations

import asyncio
import importlib
import inspect
import shlex
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from witnessmark.core.errors import UsageError, WitnessmarkError
from witnessmark.judges.ask import plain_prompt
from witnessmark.judges.http import HttpJudge
from witnessmark.judges.specs import JudgeMaker

LONGEST_S = 600.0
"""Seconds one answer of a command may take."""


@dataclass(frozen=True, slots=True)
class AnswerPrompt:
    """What an answerer is asked: the whole prompt, and the question and sources it was made from."""

    prompt: str
    question: str
    sources: Sequence[str]


@dataclass(frozen=True, slots=True)
class PromptAnswer:
    """An answer, or why there is none; what it cost and took, None where that is not known."""

    text: str
    model: str = ""
    tokens: int | None = None
    cost_usd: float | None = None
    seconds: float | None = None
    error: str = ""


Answerer = Callable[[AnswerPrompt], Awaitable[PromptAnswer]]


def answerer(spec: str, maker: JudgeMaker) -> Answerer:
    """The answerer a spec names. Raises UsageError where it names none."""
    kind, colon, rest = spec.partition(":")
    if colon and kind == "python":
        return _timed(_function(rest), "")
    if colon and kind == "command":
        return _timed(_command(rest), "")
    judge = maker.make(spec, maker.spec(spec))
    if not isinstance(judge, HttpJudge):
        raise UsageError(f"models: {spec!r} cannot be asked for a plain answer")
    return _timed(_endpoint(judge), judge.model)


def _timed(answer: Callable[[AnswerPrompt], Awaitable[PromptAnswer]], model: str) -> Answerer:
    async def timed(given: AnswerPrompt) -> PromptAnswer:
        started = time.perf_counter()
        try:
            made = await answer(given)
        except WitnessmarkError as exc:
            return PromptAnswer("", model=model, error=str(exc))
        return PromptAnswer(
            made.text, made.model or model, made.tokens, made.cost_usd, time.perf_counter() - started, made.error
        )

    return timed


def _endpoint(judge: HttpJudge) -> Answerer:
    async def answer(given: AnswerPrompt) -> PromptAnswer:
        said, usage = await judge.complete(plain_prompt(given.prompt))
        known = said.tokens is not None
        return PromptAnswer(
            said.text.strip(),
            said.model or judge.model,
            usage.tokens if known else None,
            usage.cost_usd if known else None,
        )

    return answer


def _function(path: str) -> Answerer:
    module_name, colon, name = path.partition(":")
    if not colon:
        raise UsageError(f"models: python:{path}: write python:package.module:function")
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        function = getattr(importlib.import_module(module_name), name)
    except (ImportError, AttributeError) as exc:
        raise UsageError(f"models: python:{path}: {exc}") from None
    both = len(inspect.signature(function).parameters) >= 2

    async def answer(given: AnswerPrompt) -> PromptAnswer:
        told = (given.question, list(given.sources)) if both else (given.prompt,)
        made: Any = await asyncio.to_thread(function, *told)
        if inspect.isawaitable(made):
            made = await made
        if not isinstance(made, str):
            return PromptAnswer("", error=f"the function returned {type(made).__name__}, not a text")
        return PromptAnswer(made, model=path)

    return answer


def _command(line: str) -> Answerer:
    words = shlex.split(line)
    if not words:
        raise UsageError("models: command: names no command")

    async def answer(given: AnswerPrompt) -> PromptAnswer:
        try:
            process = await asyncio.create_subprocess_exec(
                *words, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
            )
        except OSError as exc:
            return PromptAnswer("", error=f"{words[0]}: {exc.strerror or exc}")
        try:
            out, err = await asyncio.wait_for(process.communicate(given.prompt.encode()), LONGEST_S)
        except TimeoutError:
            process.kill()
            return PromptAnswer("", error=f"{words[0]}: no answer within {LONGEST_S:.0f} s")
        if process.returncode:
            said = err.decode(errors="replace").strip()[:200] or "nothing on standard error says why"
            return PromptAnswer("", error=f"{words[0]}: exit code {process.returncode}: {said}")
        return PromptAnswer(out.decode(errors="replace").strip(), model=words[0])

    return answer
