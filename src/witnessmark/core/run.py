"""One case through one graph: every node gets exactly one result.

Cheap and deterministic nodes first; a failed must-pass node skips what is dearer. Deadline or budget gone gives
`abstain`, an exception gives `error`, a needed node that could not say gives `abstain`. The `except Exception` below is
the only place in Witnessmark that turns an exception into a result. Knows nothing about policies, records or stores.
"""

from __future__ import annotations

import asyncio
import contextvars
import functools
import inspect
import re
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import force_setattr, replace

from witnessmark.core import budget as budgets
from witnessmark.core.budget import Budget
from witnessmark.core.case import Case
from witnessmark.core.concurrency.deadline import CutOff
from witnessmark.core.errors import (
    BudgetError,
    InputError,
    JudgeReplyError,
    JudgesDisagreeError,
    TransientError,
    WorkLimitError,
)
from witnessmark.core.graph import COST_RANK, Graph, Node
from witnessmark.core.protocols import Check, DeclaringCheck
from witnessmark.core.values import NotNegative, Value
from witnessmark.core.verdict import CATEGORIES, NO_USAGE, Cause, Finding, Result, Usage, abstained
from witnessmark.core.work import offload

INLINE_AT_ONCE = 10


class Limits(Value, frozen=True):
    """How long and how much one case may take."""

    case_s: NotNegative = 120.0
    check_s: NotNegative = 60.0
    concurrency: int = 8
    tokens: int | None = 50_000
    usd: NotNegative | None = None
    call_tokens: int | None = None
    call_usd: NotNegative | None = None
    day_tokens: int | None = None
    day_usd: NotNegative | None = None


@dataclass(slots=True)
class RunResult:
    """What came of a run: results in graph order, and what stays outside a record's identity."""

    results: tuple[Result, ...]
    usage: Usage = NO_USAGE
    seconds: dict[str, float] = field(default_factory=dict)
    tracebacks: dict[str, str] = field(default_factory=dict)


async def run(
    graph: Graph,
    case: Case,
    limits: Limits,
    skip: Mapping[str, str] | None = None,
    budget: Callable[[], Budget] | None = None,
    given: Mapping[str, Result] | None = None,
    workers: offload.WorkerProcesses | None = None,
) -> RunResult:
    """Run the graph on the case; `skip` names nodes that are left out, with the reason; `budget` is made when needed.

    `given` are results that are taken as they are, for nodes that need not look again. `workers` are processes in which
    checks run whose cost depends on the case; without them all run in this one.
    """
    walk = _GraphWalk(case, limits, skip or {}, budget or functools.partial(Budget, limits.tokens, limits.usd))
    walk.given, walk.workers = given or {}, workers
    if offload.active.get() is not workers:
        offload.active.set(workers)
    for inline, rank in graph.ranks:
        if inline or len(rank) == 1:
            for number, node in enumerate(rank, 1):
                walk.keep(node, await walk.settle(node))
                if number % INLINE_AT_ONCE == 0:
                    await asyncio.sleep(0)  # many short checks together are long: others have a turn
        else:
            await walk.settle_together(rank)
    return walk.ran(graph)


class _GraphWalk:
    """The state of one run; made for it, gone with it."""

    def __init__(self, case: Case, limits: Limits, skip: Mapping[str, str], budget: Callable[[], Budget]) -> None:
        self.case, self.limits, self.skip = case, limits, skip
        self.results: dict[str, Result] = {}
        self.seconds: dict[str, float] = {}
        self.tracebacks: dict[str, str] = {}
        self.blocker: Node | None = None
        self.ends = time.monotonic() + limits.case_s
        self.new_budget = budget
        self.given: Mapping[str, Result] = {}
        self.budget: Budget | None = None
        self.workers: offload.WorkerProcesses | None = None

    async def settle_together(self, rank: tuple[Node, ...]) -> None:
        """Nodes of one rank side by side, each as soon as its needs are there."""
        room = asyncio.Semaphore(self.limits.concurrency)
        done = {node.name: asyncio.Event() for node in rank}

        async def one(node: Node) -> None:
            for need in node.waits_for:
                if need in done:
                    await done[need].wait()
            async with room:
                self.keep(node, await self.settle(node))
            done[node.name].set()

        async with asyncio.TaskGroup() as group:
            for node in rank:
                group.create_task(one(node))

    async def settle(self, node: Node) -> Result:
        """The node's result, whatever happens while it looks."""
        blocked = self._blocked(node)
        if blocked is not None:
            return blocked
        started = time.perf_counter()
        clock: CutOff | None = None
        check = node.check
        try:
            if check.cost == "instant" and (self.workers is None or self.workers.inline(check, self.case)):
                result = check(self.case, self.results)
                if type(result) is not Result and inspect.isawaitable(result):
                    result = await result
            else:
                if self.workers is not None and not self.workers.started:
                    clock = CutOff(self.ends - time.monotonic())
                    with clock:
                        await self.workers.ready()  # a process that starts slowly is no check that is slow
                clock = CutOff(min(self.limits.check_s, self.ends - time.monotonic()))
                with clock:
                    result = await self._look(node)
            return _checked(result, check)
        except BudgetError as exc:
            return _unsettled("abstain", "budget", f"budget: {exc}", "budget_exceeded", getattr(exc, "usage", None))
        except JudgesDisagreeError as exc:
            return _unsettled("abstain", "undecided", str(exc), "judge_error", exc.usage)
        except WorkLimitError as exc:
            if exc.deadline:
                return _unsettled("abstain", "deadline", str(exc), "deadline_exceeded")
            return self._broke(node, exc)
        except Exception as exc:  # noqa: BLE001 - the one place
            if clock is not None and clock.expired:
                allowed = min(self.limits.check_s, self.limits.case_s)
                return _unsettled("abstain", "deadline", f"no answer within {allowed:g} s", "deadline_exceeded")
            return self._broke(node, exc)
        finally:
            self.seconds[node.name] = time.perf_counter() - started

    async def _look(self, node: Node) -> Any:
        if self.budget is None:
            self.budget = self.new_budget()
        budgets.active.set(self.budget)
        call = node.check
        if self.workers is not None and not node.awaits and self.workers.takes(call):
            return await self.workers.look(call, self.case, self.results)
        if node.awaits:
            return await call(self.case, self.results)  # type: ignore[misc]
        result = await in_thread(functools.partial(call, self.case, self.results))
        return await result if inspect.isawaitable(result) else result

    def _blocked(self, node: Node) -> Result | None:
        if node.name in self.given:
            return self.given[node.name]
        if self.skip and node.name in self.skip:
            return Result(status="skipped", cause="skipped", reason=self.skip[node.name])
        if self.blocker is not None and COST_RANK[node.check.cost] > COST_RANK[self.blocker.check.cost]:
            return Result(status="skipped", cause="skipped", reason=f"must-pass check {self.blocker.name} failed first")
        for gate in node.gates:
            if self.results[gate].status in ("fail", "skipped"):
                return Result(status="skipped", cause="skipped", reason=f"{gate} is not met, and this one builds on it")
        for need in node.needs:
            if not self.results[need].settled:
                cause = self.results[need].cause or "undecided"
                said = self.results[need].reason
                return abstained(cause, said or f"{need} could not say")
        if node.check.cost != "instant" and time.monotonic() >= self.ends:
            return _unsettled(
                "abstain", "deadline", f"the case's {self.limits.case_s:g} s are over", "deadline_exceeded"
            )
        return None

    def _broke(self, node: Node, exc: Exception) -> Result:
        self.tracebacks[node.name] = "".join(traceback.format_exception(exc))
        judged = isinstance(exc, (TransientError, JudgeReplyError))
        cause: Cause = "judge_error" if judged else "check_error"
        told = judged or isinstance(exc, InputError)
        named = str(exc) if told and str(exc) else f"{type(exc).__name__}: {exc}"
        said = _ADDRESS.sub("", named)[:500]
        what = "the judge did not give a usable answer" if judged else _WRONG_INPUT if told else "the check broke"
        return _unsettled("error", cause, f"{what}: {said}", cause, getattr(exc, "usage", None))

    def keep(self, node: Node, result: Result) -> None:
        """Stamp the result with who said it. The values were checked when they were built."""
        stamped: Result = result.__copy__()  # type: ignore[attr-defined] # msgspec has it, its stubs do not
        check = node.check
        force_setattr(stamped, "node", node.name)
        force_setattr(stamped, "check", check.name)
        force_setattr(stamped, "version", check.version)
        if result.findings:
            force_setattr(stamped, "findings", tuple(replace(f, check=node.name) for f in result.findings))
        if result.claims:
            force_setattr(
                stamped,
                "claims",
                tuple(c if c.check == node.name else replace(c, check=node.name) for c in result.claims),
            )
        self.results[node.name] = stamped
        if node.must_pass and result.status == "fail" and self.blocker is None:
            self.blocker = node

    def ran(self, graph: Graph) -> RunResult:
        """Results in graph order, so that the record does not depend on who finished first."""
        results = tuple([self.results[node.name] for node in graph.nodes])
        usage = NO_USAGE
        for result in results:
            if result.usage is not NO_USAGE:
                usage += result.usage
        if self.budget is not None and any(result.cause == "deadline" for result in results):
            usage = _at_least(usage, self.budget.spent)
        return RunResult(results, usage, self.seconds, self.tracebacks)


def _at_least(told: Usage, spent: Usage) -> Usage:
    """What was used where a check was cut off before it could say: no less than its calls took from the budget."""
    unknown = told.cost_usd is None or spent.cost_usd is None
    return Usage(
        judge_calls=max(told.judge_calls, spent.judge_calls),
        tokens=max(told.tokens, spent.tokens),
        cost_usd=None if unknown else max(told.cost_usd or 0.0, spent.cost_usd or 0.0),
        cached=told.cached,
    )


_WRONG_INPUT = "the check cannot use what it was given"
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def _checked(result: Any, check: Check) -> Result:
    if type(result) is not Result:
        raise TypeError(f"a check returns a Result, not {type(result).__name__}")
    for finding in result.findings:
        name = finding.category
        own = check.categories if isinstance(check, DeclaringCheck) else ()
        if name not in CATEGORIES and "/" not in name and name not in own:
            raise InputError(
                f"category: {name!r} is not declared; use one of verdict.CATEGORIES, @check(categories=…) or 'package/name'"
            )
    return result


def _unsettled(status: Any, cause: Cause, reason: str, category: str, usage: Usage | None = None) -> Result:
    finding = Finding(message=reason, category=category, severity="warning")
    return Result(status=status, cause=cause, reason=reason, findings=(finding,), usage=usage or NO_USAGE)


async def in_thread(call: Callable[[], Any]) -> Any:
    """Run a sync check beside the loop, in a daemon thread: one that hangs keeps neither the case nor the exit."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Any] = loop.create_future()
    context = contextvars.copy_context()

    def deliver(value: Any, exc: BaseException | None) -> None:
        if done.cancelled():
            return
        if isinstance(exc, StopIteration):  # no future takes it, and whoever waits would wait for ever
            done.set_exception(RuntimeError(f"StopIteration: {exc}"))
        elif exc is not None:
            done.set_exception(exc)
        else:
            done.set_result(value)

    def work() -> None:
        value, raised = None, None
        try:
            value = context.run(call)
        except BaseException as exc:  # noqa: BLE001 - carried over to the one place that decides about it
            raised = exc
        if not loop.is_closed():
            loop.call_soon_threadsafe(deliver, value, raised)

    threading.Thread(target=work, name="witnessmark-check", daemon=True).start()
    return await done
