"""Execute, verify, feed back, try again: bounded in every direction, and it always says why it stopped.

Three budgets that never borrow from each other: revisions (the output was not good enough), executor retries (no output
came) and judge retries (nobody could look). What is returned is the best attempt as it was verified. Knows nothing about
how a case is verified: a `verify` callable is handed in, and so are the clock and the sleep.
"""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from witnessmark.core.allowance import backoff_s, may_retry
from witnessmark.core.case import Case, Executor
from witnessmark.core.errors import InputError, UsageError
from witnessmark.core.policy import Policy, wrong_claims
from witnessmark.core.record import Record
from witnessmark.core.run import in_thread
from witnessmark.core.verdict import Action
from witnessmark.loop import feedback as words
from witnessmark.loop.attempts import Execute, attempted, fitted, output_words, own, same_as

REVISIONS: frozenset[str] = frozenset({"retry", "switch", "correct"})
STALLED_AFTER = 2
"""How many revisions in a row may bring nothing: the first is answered with detailed feedback, after the second it stops."""
_RANK = {"pass": 3, "partial": 2, "unverified": 1, "fail": 0}

Sleep = Callable[[float], Awaitable[Any]]


class VerifyAttempt(Protocol):
    """Verifies one attempt and links it to the one before."""

    async def __call__(
        self, case: Case, *, checkpoint: str | None = None, attempt: int = 1, parent: str | None = None
    ) -> Record:
        """The record of this attempt."""
        ...


@dataclass(frozen=True, slots=True)
class Attempt:
    """One execution: what came of it, and what was said about it.

    `judged` is false where an equal output was before (`record` is that one's) and where the executor broke (there is no record).
    """

    number: int
    output: Any = None
    record: Record | None = None
    feedback: str | None = None
    error: str | None = None
    judged: bool = True


@dataclass(frozen=True, slots=True)
class RevisionResult:
    """What came of the loop: the best attempt, all attempts, what to do with it, and why it went no further."""

    output: Any
    record: Record | None
    attempts: tuple[Attempt, ...]
    stopped_because: str
    action: Action
    degraded: bool = False
    questions: tuple[str, ...] = ()
    ending: Record | None = None
    """The record that keeps all this, where there is a store and there was more than one attempt."""

    @property
    def passed(self) -> bool:
        """Whether the output that is returned was verified and passed."""
        return self.record is not None and self.record.outcome == "pass"


@dataclass(frozen=True, slots=True)
class Bounds:
    """How long and how much all attempts together may take."""

    deadline_s: float | None = None
    budget_usd: float | None = None

    def __post_init__(self) -> None:
        for name in ("deadline_s", "budget_usd"):
            given = getattr(self, name)
            if given is not None and not given >= 0:
                raise InputError(f"{name}: {given!r} is less than nothing; give 0 or more, or leave it out")


async def revise(
    execute: Execute,
    case: Case,
    *,
    verify: VerifyAttempt,
    policy: Policy,
    checkpoint: str | None = None,
    bounds: Bounds = Bounds(),  # noqa: B008 - frozen
    parent: str | None = None,
    sleep: Sleep = asyncio.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> RevisionResult:
    """Execute until the output is accepted or a bound is met; `case` says what was asked and of which kind the output is."""
    given: Any = execute
    if not callable(given):
        told = f"execute: should be a function that makes the output, not {type(given).__name__}"
        raise InputError(f"{told}; use `verify` for output that already exists")
    turn = _Turn(execute, case, verify, policy, checkpoint, bounds, sleep, clock, parent)
    while True:
        stop = await turn.once()
        if stop is not None:
            return turn.result(stop)


@dataclass(frozen=True, slots=True)
class _Stop:
    """Why the loop ends; without an action of its own, exhaustion follows the policy."""

    because: str
    action: Action | None = None


@dataclass(slots=True)
class _Turn:
    """The state of one loop; made for it, gone with it."""

    execute: Execute
    case: Case
    verify: VerifyAttempt
    policy: Policy
    checkpoint: str | None
    bounds: Bounds
    sleep: Sleep
    clock: Callable[[], float]
    parent: str | None
    attempts: list[Attempt] = field(default_factory=list)
    seen: dict[str, Record] = field(default_factory=dict)
    feedback: str | None = None
    revisions: int = 0
    breaks: int = 0
    stalled: int = 0
    spent: float = 0.0
    unpriced: bool = False
    ends: float | None = None

    def __post_init__(self) -> None:
        if self.bounds.deadline_s is not None:
            self.ends = self.clock() + self.bounds.deadline_s

    async def once(self) -> _Stop | None:
        """One execution and what follows from it; None means go on."""
        out_of = self._out_of_bounds()
        if out_of is not None:
            return out_of
        number, told = len(self.attempts) + 1, self.feedback
        output, broke = await self._executed(number)
        if broke is None:
            try:
                tried = attempted(self.case, output)
            except InputError as exc:
                broke = f"what came back is not {_a(self.case.kind)}: {exc}"
        if broke is not None:
            self.attempts.append(Attempt(number, output, feedback=told, error=broke, judged=False))
            return await self._after_break(broke)
        key = same_as(tried)
        if key in self.seen:
            self.attempts.append(Attempt(number, output, self.seen[key], told, judged=False))
            return _Stop("the output did not change although something was found; it was not judged again", "escalate")
        record = await self._verified(tried)
        self.seen[key] = record
        better = self.best is None or self.best.record is None or rank(record) > rank(self.best.record)
        self.attempts.append(Attempt(number, output, record, told))
        return self._after_verdict(record, tried, better=better)

    # --- the executor ------------------------------------------------------------------------------------------

    async def _executed(self, number: int) -> tuple[Any, str | None]:
        """What the executor returned, or why it did not; the deadline cuts it off."""
        left = None if self.ends is None else max(self.ends - self.clock(), 0.0)
        task = asyncio.ensure_future(self._call(number))
        try:
            done, _ = await asyncio.wait({task}, timeout=left)
        finally:
            if not task.done():
                task.cancel()
        if not done:
            return None, f"no output within the {self.bounds.deadline_s:g} s of the deadline"
        if task.cancelled():
            return None, "the executor was cancelled"
        exc = task.exception()
        if exc is None:
            return own(task.result()), None
        if isinstance(exc, UsageError):
            raise exc  # the caller can fix it; trying the same again cannot
        return None, f"{type(exc).__name__}: {exc}"[:500]

    async def _call(self, number: int) -> Any:
        last = next((a.record for a in reversed(self.attempts) if a.record is not None), None)
        told = {"feedback": self.feedback, "attempt": number, "previous": last}
        call = fitted(self.execute, told | {"action": last.action if last is not None else None})
        if inspect.iscoroutinefunction(self.execute):
            return await call()
        came = await in_thread(call)
        return await came if inspect.isawaitable(came) else came

    async def _after_break(self, broke: str) -> _Stop | None:
        self.breaks += 1
        if self.ends is not None and self.clock() >= self.ends:
            return _Stop(
                f"the deadline of {self.bounds.deadline_s:g} s passed while the executor was at work ({broke})"
            )
        if not may_retry(self.policy, "executor", self.breaks - 1):
            return _Stop(f"the executor broke {self.breaks} times, the last time with {broke}")
        if broke.startswith("what came back is not "):
            self.feedback = words.unreadable(broke, self.case.goal, self.feedback)
        return await self._wait(self.breaks - 1, f"the executor broke ({broke})")

    # --- the verdict -------------------------------------------------------------------------------------------

    async def _verified(self, tried: Case) -> Record:
        """The record of this attempt; where a judge broke, the same output is verified again, at no cost to revisions."""
        used = 0
        while True:
            record = await self.verify(
                tried, checkpoint=self.checkpoint, attempt=self.revisions + 1, parent=self._parent()
            )
            self._count(record, None if used else tried.executor)
            if not judge_broke(record) or not may_retry(self.policy, "judge", used):
                return record
            if await self._wait(used, "a judge broke") is not None:
                return record
            used += 1

    def _parent(self) -> str | None:
        judged = [a.record.id for a in self.attempts if a.record is not None and a.judged]
        return judged[-1] if judged else self.parent

    def _count(self, record: Record, worked: Executor | None) -> None:
        """What this verification cost, with the work of whoever made the output where that is not counted yet."""
        self.spent += (record.usage.cost_usd or 0.0) + (worked.cost_usd or 0.0 if worked is not None else 0.0)
        self.unpriced |= record.usage.cost_usd is None and record.usage.judge_calls > 0

    def _after_verdict(self, record: Record, tried: Case, *, better: bool) -> _Stop | None:
        if record.action not in REVISIONS:
            return _Stop(_why(record), record.action)
        self.stalled = 0 if better else self.stalled + 1
        if self.stalled >= STALLED_AFTER:
            return _Stop(f"{self.stalled} revisions in a row brought no improvement")
        self.revisions += 1
        self.feedback = words.for_the_next(record, query=self.case.goal, previous=output_words(tried), kind=tried.kind)
        return None

    @property
    def best(self) -> Attempt | None:
        """By outcome, then score, then coverage, then the earlier."""
        judged = [a for a in self.attempts if a.record is not None and a.judged]
        return max(judged, key=_key_of, default=None)  # max keeps the first of equals

    # --- bounds ------------------------------------------------------------------------------------------------

    def _out_of_bounds(self) -> _Stop | None:
        if not self.attempts:
            return None
        if self.ends is not None and self.clock() >= self.ends:
            return _Stop(f"the deadline of {self.bounds.deadline_s:g} s passed")
        limit = self.bounds.budget_usd
        if limit is not None and self.unpriced:
            return _Stop("a judge's price is unknown and a dollar budget is set")
        if limit is not None and self.spent >= limit:
            return _Stop(f"${self.spent:.4f} of a budget of ${limit:.4f} are spent")
        return None

    async def _wait(self, used: int, why: str) -> _Stop | None:
        pause = backoff_s(self.policy, used)
        if self.ends is not None and self.clock() + pause >= self.ends:
            return _Stop(f"{why}, and the deadline of {self.bounds.deadline_s:g} s leaves no time for another try")
        await self.sleep(pause)
        return None

    # --- the end -----------------------------------------------------------------------------------------------

    def result(self, stop: _Stop) -> RevisionResult:
        """The best attempt with the action that follows: the loop's own, or what the policy says about exhaustion."""
        best = self.best
        record = best.record if best is not None else None
        action, degraded = _ended(self.policy, record, stop, self.attempts[-1].record)
        questions = record.questions if record is not None else ()
        because = stop.because
        if best is not None and best is not self.attempts[-1] and record is not None:
            because += f"; attempt {best.number} of {len(self.attempts)} was the best and is returned"
        return RevisionResult(
            best.output if best is not None else None,
            record,
            tuple(self.attempts),
            because,
            action,
            degraded,
            questions,
        )


def _ended(policy: Policy, best: Record | None, stop: _Stop, last: Record | None) -> tuple[Action, bool]:
    """What to do with what is returned. The last record's word counts where it is the best; a pass is always accepted."""
    if best is not None and best.action == "accept":
        return "accept", False
    if stop.action is not None and (best is last or stop.action == "escalate"):
        return stop.action, last.degraded if last is not None else False
    action: Action = policy.on_exhausted
    failed = best is None or best.outcome == "fail" or policy.profile == "original"
    if action == "abort" and not failed:
        action = "escalate"
    if action == "warn" and (best is None or wrong_claims(policy, best.claims)):
        action = "escalate"  # there is no output to go on with, or one with a claim that is surely wrong
    return action, action == "warn"


def _a(noun: str) -> str:
    """The noun with its article."""
    return f"{'an' if noun[:1] in 'aeiou' else 'a'} {noun}"


def _why(record: Record) -> str:
    if record.action == "accept":
        return f"accepted: {record.because}"
    said = {"warn": "goes on with a warning", "escalate": "a person has to look", "abort": "given up"}[record.action]
    return f"{said}: {record.because}"


def judge_broke(record: Record) -> bool:
    """Whether a judge's failure is all that stands between this record and a verdict."""
    broke = any(said.cause == "judge_error" for said in record.results)
    return broke and record.action != "accept" and record.action not in REVISIONS


def _key_of(attempt: Attempt) -> tuple[int, float, float]:
    record = attempt.record
    assert record is not None
    return rank(record)


def rank(record: Record) -> tuple[int, float, float]:
    """What attempts are compared by: outcome, then score, then coverage."""
    score = -1.0 if record.score is None else record.score
    return _RANK[record.outcome], score, -1.0 if record.coverage is None else record.coverage
