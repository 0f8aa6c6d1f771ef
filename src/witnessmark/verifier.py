"""The one door: a Verifier takes a case through its checkpoint, keeps the record, and tells whoever observes it.

The command line, the service and its jobs, the batch engine, MCP, pytest and the loop all go through `Verifier.verify` or
`verify_many`; `Verifier.from_settings` is the only wiring.
"""

from __future__ import annotations

import asyncio
import copy
import dataclasses
import functools
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec.structs import replace

from witnessmark.core import redact, registry
from witnessmark.core.allowance import share_usd, skipped
from witnessmark.core.budget import Budget, DayBudget
from witnessmark.core.case import Case, Evidence
from witnessmark.core.case_verifier import RunAttempt, VerifyResult, concluded
from witnessmark.core.concurrency.background_loop import run_sync
from witnessmark.core.errors import InputError, UsageError
from witnessmark.core.graph import Graph
from witnessmark.core.plans.checkpoints import Checkpoint, checkpoint_for, checkpoints
from witnessmark.core.plans.plan_cache import PlanCache
from witnessmark.core.policy import Policy
from witnessmark.core.record import Entry, Record, Run, Store, new_run_id
from witnessmark.core.run import run
from witnessmark.core.work.inputs import check_inputs
from witnessmark.insight import second_opinions
from witnessmark.insight.calibrated_results import Calibrator
from witnessmark.judges import local, pool
from witnessmark.settings import Settings
from witnessmark.stores import given_store

if TYPE_CHECKING:
    from witnessmark.checks.grounding.streaming import Watch
    from witnessmark.core.work.offload import WorkerProcesses, WorkSettings
    from witnessmark.core.work.pool import TaskPool
    from witnessmark.loop import revise as loop
    from witnessmark.loop.attempts import Execute

T = TypeVar("T")
Observer = Callable[[Entry, Case | None], None]
"""Is told of every verification once it is made and, where there is a store, kept. It must not raise; one with an async
`finish()` is waited for when the verifier finishes."""
KEEP_EVERY = 200
KEEP_AFTER_S = 0.5
"""Many records are kept together, since a commit is dear, and at least twice a second, since nothing should be lost."""
COMPILED, CONCLUDED = 10, 250
"""What a step counts as, in characters to read: a byte of criteria to compile, and a result to put into a record."""
# What is built in registers itself when a name is first looked up, so that importing stays cheap.
registry.checks.defer("witnessmark.checks.builtin")
registry.checks.defer("witnessmark.actions.checks")
checkpoints.defer("witnessmark.checkpoints")


def task_pool(count: int, settings: WorkSettings) -> TaskPool:
    """Worker processes that find every check a verifier finds."""
    from witnessmark.core.work.pool import TaskPool  # here: most programs need no processes

    return TaskPool(count, settings, (__name__,))


class Verifier:
    """Verifies cases. Safe to share between tasks; close it (or use `async with`) when a store is open."""

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        store: Store | str | None = None,
        policy: Mapping[str, Any] | None = None,
        workspace: str | None = None,
        services: Mapping[str, Any] | None = None,
        budget: Budget | None = None,
        day: DayBudget | None = None,
        workers: TaskPool | None = None,
    ) -> None:
        given_settings = settings or Settings()
        self.workspace = workspace or given_settings.workspace
        self.settings = given_settings.for_workspace(self.workspace)
        self.store: Store | None = given_store(self.settings.store if store is None else store)
        self._plans = PlanCache(self.settings.policy, self.settings.users, dict(policy or {}))
        given = dict(services or {})
        self.judge_pool = None if "judges" in given else pool.judge_pool(self.settings, self.store)
        if "model" not in given:
            local.require(given.get("verification", self.settings.verification).model)
        ours = {"records": self.store, "verification": self.settings.verification_in_force(), "models": local.choose}
        self._services = ours | pool.services(self.judge_pool) | given
        limits = self.settings.limits
        by_day = limits.day_tokens is not None or limits.day_usd is not None
        self._day = day if day is not None or not by_day else DayBudget(limits.day_tokens, limits.day_usd)
        self._wider = [wider for wider in (budget, self._day) if wider is not None]
        self._redact = redact.redactor(self.settings.content)
        self._audits = second_opinions.BackgroundAudits()
        self._off: str | None = None
        self._own_workers: TaskPool | None = None
        self._workers: WorkerProcesses | None = self._worker_processes(workers)
        self.observers: list[Observer] = []
        self._calibrator = Calibrator(self.store, self.workspace, self.settings.calibration)
        if self.settings.telemetry.otel:
            from witnessmark.insight import telemetry  # here: only where it is switched on

            telemetry.observe(self, content=self.settings.telemetry.content)
        if self.settings.alerting.log or self.settings.alerting.webhook is not None:
            from witnessmark.insight.alerting import observer  # here: as above

            observer.observe(self, self.settings.alerting, self.settings.calibration)

    def _worker_processes(self, shared: TaskPool | None) -> WorkerProcesses | None:
        """The worker processes that checks of this workspace run in: those handed in, or those the settings ask for."""
        wanted = self.settings.work.processes
        if shared is None and not wanted:
            return None
        from witnessmark.core.work.checks import CheckWorkers  # here: most programs need no processes

        if shared is None:
            shared = self._own_workers = task_pool(wanted or 1, self.settings.work)
        return CheckWorkers(shared, self.workspace)

    @classmethod
    def from_settings(cls, settings: Settings | str | Path | None = None, **parts: Any) -> Verifier:
        """The verifier that settings describe, with its store, judges and telemetry.

        Args:
            settings: settings, the file they stand in, or None for the file and environment that are found.
            parts: as of `Verifier` itself: store, policy, workspace, services, budget, day.

        Raises:
            ConfigError: where a setting is wrong, or names what is not installed.

        """
        if not isinstance(settings, Settings):
            from witnessmark import config  # here: whoever brings settings reads no file

            settings, _ = config.load(None if settings is None else str(settings))
        return cls(settings, **parts)

    async def verify(
        self, case: Case, *, checkpoint: str | None = None, attempt: int = 1, parent: str | None = None
    ) -> Record:
        """Verify a case; where a store is set, the record is kept before this returns."""
        entry = await self.evaluate(case, checkpoint=checkpoint, attempt=attempt, parent=parent)
        if self.store is not None:
            await self.store.append([entry])
        self._announce(entry, case)
        assert entry.record is not None
        return entry.record

    async def verify_many(
        self,
        items: Iterable[T],
        *,
        load: Callable[[T], Case] | None = None,
        checkpoint: str | None = None,
        attempt: int = 1,
        concurrency: int | None = None,
        keep_every: int = KEEP_EVERY,
        run_id: Callable[[T], str] | None = None,
        room: asyncio.Semaphore | None = None,
    ) -> AsyncIterator[VerifyResult[T]]:
        """Verify many cases, several at once where judges are asked; a bad one never stops the others.

        Args:
            items: cases, or anything that `load` makes a case of; taken one at a time.
            checkpoint: the checkpoint that every case goes through; each its own where left out.
            load: makes the case of an item; raises UsageError where it is none.
            attempt: which try at this work it is, as their records say.
            concurrency: how many cases may be under way; left out, the settings' where judges are asked, otherwise one.
            keep_every: how many records are kept in one go at most.
            run_id: names the run of an item, so that what is done again is kept once.
            room: bounds what is under way over several calls together.

        Yields:
            what came of every item, in their order, each after its record was kept.

        """

        async def work(item: T) -> VerifyResult[T]:
            try:
                case = load(item) if load is not None else item
                if not isinstance(case, Case):
                    raise InputError(f"expected a Case, not {type(case).__name__}")
                entry = await self.evaluate(case, checkpoint=checkpoint, attempt=attempt)
            except UsageError as exc:
                return VerifyResult(item, error=exc)
            if run_id is not None and self.store is not None:
                entry = replace(entry, runs=(replace(entry.runs[0], id=run_id(item)),))
            return VerifyResult(item, case, entry)

        from witnessmark.core.concurrency.work_batches import ordered_batches  # here: one case needs none of it

        width = concurrency or (1 if self._services.get("judges") is None else self.settings.limits.concurrency)
        after_s = 0.0 if self.store is None else KEEP_AFTER_S  # what is not kept need not wait for others
        async for batch in ordered_batches(items, work, width=width, most=keep_every, after_s=after_s, room=room):
            await self._keep(batch)
            for result in batch:
                yield result

    async def _keep(self, results: Sequence[VerifyResult[Any]]) -> None:
        made = [(result.entry, result.case) for result in results if result.entry is not None]
        if self.store is not None and made:
            await self.store.append([entry for entry, _ in made])
        for entry, case in made:
            self._announce(entry, case)

    def _announce(self, entry: Entry, case: Case | None) -> None:
        """After a verification was kept: notify observers, and have a drawn one read again; later where a commit is due."""
        kept = entry.record if self.store is not None else None
        if not self.observers and (kept is None or not second_opinions.judges_of(kept)):
            return  # nobody to tell, and nothing to read again
        after_commit = getattr(self.store, "after_commit", None)
        if after_commit is not None:
            after_commit(functools.partial(self._announce_now, entry, case))
        else:
            self._announce_now(entry, case)

    def _announce_now(self, entry: Entry, case: Case | None) -> None:
        for observer in self.observers:
            observer(entry, case)
        if case is not None:
            self._schedule_second_opinion(entry, case)

    def _schedule_second_opinion(self, entry: Entry, case: Case) -> None:
        """Where a kept verification is drawn, another judge reads it beside the work."""
        record = entry.record
        if self.store is None or record is None or not second_opinions.judges_of(record):
            return
        if not second_opinions.is_sampled(self.policy_of(case, record.checkpoint), case, record):
            return
        other = second_opinions.others(self._services.get("judges"), case, record)
        if other is not None:
            self._audits.start(self, case, record, other)

    def verify_sync(
        self, case: Case, *, checkpoint: str | None = None, attempt: int = 1, parent: str | None = None
    ) -> Record:
        """`verify` for code that is not async; works inside a running loop too."""
        return run_sync(self.verify(case, checkpoint=checkpoint, attempt=attempt, parent=parent))

    async def evaluate(
        self, case: Case, *, checkpoint: str | None = None, attempt: int = 1, parent: str | None = None
    ) -> Entry:
        """What verifying gives, without keeping it or telling anybody: for shadow runs and comparisons."""
        check_inputs(case, self.settings.inputs)
        if self._day is not None and (asked := getattr(self.store, "spent_since", None)) is not None:
            await self._day.count(asked)
        at, started = time.time(), time.perf_counter()
        judges = self._services.get("judges")
        if judges is not None or case.context:
            await pool.prepare(judges, case)
        point = self.checkpoint_of(case, checkpoint)
        plan = self._plans.plan(point, case)
        policy, _ = plan.policy
        if (graph := self._plans.known(plan)) is None:
            graph = await self._step(plan.size * COMPILED, self._plans.built, plan, self._services)
        skip = skipped(policy, graph, case) if self._off is None else {node.name: self._off for node in graph.nodes}
        budget = functools.partial(self.budget_of, policy, case)
        ran = await run(graph, case, self.settings.limits, skip, budget, workers=self._workers)
        ran = await self._calibrator.over(ran)
        this = RunAttempt(self.workspace, self.store is not None, attempt, parent, at, started)
        parts = (case, graph, plan.policy, ran, this, self.settings.content, self._redact)
        if self._workers is None:
            return concluded(*parts)
        return await self._step(self._workers.size(case) + len(graph.nodes) * CONCLUDED, concluded, *parts)

    async def _step(self, size: int, function: Callable[..., T], *args: Any) -> T:
        """What the function gives; where there are workers, a long step does not hold up the event loop."""
        return function(*args) if self._workers is None else await self._workers.step(size, function, *args)

    def budget_of(self, policy: Policy, case: Case) -> Budget:
        """What one case may spend: its own limits, its share of what the work cost, and what mission and day have left."""
        share = share_usd(policy, case)
        told = policy.set_by("max_cost_pct") != "default"
        parents = [*self._wider, Budget(None, share, priced_only=told)] if share is not None else self._wider
        limits = self.settings.limits
        return Budget(
            limits.tokens, limits.usd, call_tokens=limits.call_tokens, call_usd=limits.call_usd, within=parents
        )

    def watch(self, evidence: Sequence[Evidence], goal: str = "", *, hold_back: bool = False) -> Watch:
        """Claims of one response verified while it arrives, by the rules and the embedded model that the settings name."""
        from witnessmark.checks.grounding.streaming import Watch  # here: a check is only imported once it is used

        given = {name: self._services.get(name) for name in ("model", "models", "verification")}
        return Watch(evidence, goal, hold_back=hold_back, **given)

    async def revise(
        self,
        execute: Execute,
        case: Case,
        *,
        checkpoint: str | None = None,
        deadline_s: float | None = None,
        budget_usd: float | None = None,
        **how: Any,
    ) -> loop.RevisionResult:
        """Execute, verify, feed back, try again within bounds; every attempt is a record linked to the one before."""
        from witnessmark.loop import revise as loop  # here: most verifiers never revise anything

        policy = self.policy_of(case, checkpoint)
        bounds = loop.Bounds(deadline_s, budget_usd)
        made = await loop.revise(
            execute, case, verify=self.verify, policy=policy, checkpoint=checkpoint, bounds=bounds, **how
        )
        if self.store is None or (len(made.attempts) == 1 and made.record is not None):
            return made  # one attempt's own record says all there is to say
        return await self._kept(made, case, checkpoint)

    async def _kept(self, made: loop.RevisionResult, case: Case, checkpoint: str | None) -> loop.RevisionResult:
        """The loop's result with its ending as a record in the store."""
        from witnessmark.loop.endings import ending_of

        assert self.store is not None
        point = self.checkpoint_of(case, checkpoint)
        _, policy_kept = self._plans.policy(point, case)
        graph = redact.kept_graph(self._plans.graph(point, case, self._services).kept, self._redact)
        end = ending_of(made, case, checkpoint=point.name, workspace=self.workspace, graph=graph, policy=policy_kept)
        at = time.time()
        run_ = Run(id=new_run_id(at), at=at)
        await self.store.append([Entry(end.id, self.workspace, end, (run_,), None, False, end.parent)])
        return dataclasses.replace(made, ending=end)

    def checkpoint_of(self, case: Case, name: str | None = None) -> Checkpoint:
        """The checkpoint a case goes through."""
        return checkpoint_for(case, name)

    def policy_of(self, case: Case, checkpoint: str | None = None) -> Policy:
        """The policy a case would be held against."""
        return self._plans.policy(self.checkpoint_of(case, checkpoint), case)[0]

    def graph_of(self, case: Case, checkpoint: str | None = None) -> Graph:
        """The graph a case would go through, without running it."""
        return self._plans.graph(self.checkpoint_of(case, checkpoint), case, self._services)

    def with_services(
        self, replaced: Mapping[str, Any], budget: Budget | None = None, policy: Mapping[str, Any] | None = None
    ) -> Verifier:
        """The same with some services replaced, and a policy over the workspace's; all else is shared: close only one."""
        made = copy.copy(self)
        made._services = self._services | dict(replaced)  # noqa: SLF001 - of our own kind
        made._plans = self._plans.for_other_services(policy)  # noqa: SLF001
        made._wider = self._wider + ([budget] if budget is not None else [])  # noqa: SLF001
        return made

    def with_store(self, store: Store) -> Verifier:
        """The same verifier that keeps its records there, such as in a request's own transaction; close only one of the two."""
        made = object.__new__(type(self))  # for every request, and copy.copy takes ten times as long
        made.__dict__.update(self.__dict__)
        made.store = store
        return made

    def switched_off(self, reason: str) -> Verifier:
        """The same verifier that skips every check for this reason: what it is given stays unverified, and never passes."""
        made = copy.copy(self)
        made._off = reason  # noqa: SLF001 - of our own kind
        return made

    def service(self, name: str) -> Any:
        """A service that checks are handed, or None."""
        return self._services.get(name)

    async def finish(self) -> None:
        """Wait for second readings and observers, then let go of the judges' connections; the store stays open."""
        await self._audits.finish()
        for observer in self.observers:
            finish = getattr(observer, "finish", None)
            if finish is not None:
                await finish()
        if self.judge_pool is not None:
            await self.judge_pool.close()
        if self._own_workers is not None:
            self._own_workers.close()

    async def close(self) -> None:
        """Finish, and let go of the store."""
        await self.finish()
        if self.store is not None:
            await self.store.close()

    async def __aenter__(self) -> Verifier:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.close()
