"""The one door: a Verifier takes a case through its checkpoint and keeps the record.

The command line, the service, the batch engine and the tests all call `Verifier.examine`; `verify` keeps what it made.
"""

from __future__ import annotations

import asyncio
import copy
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from witnessmark.checks.grounding.confidence import Verification
from witnessmark.core import redact, registry
from witnessmark.core.allowance import bypass, share_usd
from witnessmark.core.budget import DAY_S, Budget, day_budget
from witnessmark.core.case import Case, Evidence, Mission, default_checkpoint
from witnessmark.core.errors import InputError, UsageError
from witnessmark.core.graph import Graph
from witnessmark.core.inputs import check_inputs
from witnessmark.core.policy import Policy, conclude, decide, kept, layered
from witnessmark.core.record import Entry, Record, Run, Store, make_record
from witnessmark.core.registry import Checkpoint, build, checkpoints
from witnessmark.core.run import run
from witnessmark.core.values import canonical
from witnessmark.core.verdict import Usage
from witnessmark.insight import second_opinions
from witnessmark.insight.calibrated_results import Calibrator
from witnessmark.judges import local, pool
from witnessmark.loop import revise as loop
from witnessmark.loop.attempts import Execute
from witnessmark.loop.endings import ending_of
from witnessmark.settings import Settings
from witnessmark.stores import open_store

if TYPE_CHECKING:
    from witnessmark.checks.grounding.streaming import Watch

T = TypeVar("T")
Observer = Callable[[Entry, Case | None], None]
"""Is told of every verification once it is made and, where there is a store, kept. It must not raise."""
# What is built in registers itself when a name is first looked up, so that importing stays cheap.
registry.checks.defer("witnessmark.checks.builtin")
registry.checks.defer("witnessmark.actions.checks")
registry.checkpoints.defer("witnessmark.checkpoints")
GRAPHS_KEPT = 1024


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
    ) -> None:
        self.settings = settings or Settings()
        self.workspace = workspace or self.settings.workspace
        where = store if store is not None else self.settings.store
        self.store: Store | None = open_store(where) if isinstance(where, str) else where
        self._mission_policy = dict(policy or {})
        given = dict(services or {})
        self.judge_pool = None if "judges" in given else pool.judge_pool(self.settings, self.store)
        if "model" not in given:
            local.require(given.get("verification", self.settings.verification).model)
        ours = {"records": self.store, "verification": _verification(self.settings), "models": local.choose}
        self._services = ours | pool.services(self.judge_pool) | given
        limits = self.settings.limits
        by_day = limits.day_tokens is not None or limits.day_usd is not None
        self._day = day_budget(limits.day_tokens, limits.day_usd) if by_day else None
        self._wider = [wider for wider in (budget, self._day) if wider is not None]
        self._graphs: OrderedDict[bytes, Graph] = OrderedDict()
        self._policies: dict[tuple[str, bytes], tuple[Policy, msgspec.Raw]] = {}
        self._redact = redact.redactor(self.settings.content)
        self._beside = second_opinions.BackgroundAudits()
        self._off: str | None = None
        self.observers: list[Observer] = []
        self._calibrating = Calibrator(self.store, self.workspace, self.settings.calibration)

    async def verify(
        self, case: Case, *, checkpoint: str | None = None, attempt: int = 1, parent: str | None = None
    ) -> Record:
        """Verify a case; where a store is set, the record is kept before this returns."""
        entry = await self.examine(case, checkpoint=checkpoint, attempt=attempt, parent=parent)
        if self.store is not None:
            await self.store.append([entry])
        self.audit_later(entry, case)
        assert entry.record is not None
        return entry.record

    def audit_later(self, entry: Entry, case: Case | None = None) -> None:
        """After a verification: tell who watches and, where a kept one is drawn, have another judge read it beside the work."""
        for tell in self.observers:
            tell(entry, case)
        record = entry.record
        if self.store is None or record is None or not second_opinions.judges_of(record):
            return
        given = case if case is not None else second_opinions.kept_case(entry)
        if given is None or not second_opinions.drawn(self.policy_of(given, record.checkpoint), given, record):
            return
        other = second_opinions.others(self._services.get("judges"), given, record)
        if other is not None:
            self._beside.start(self, given, record, other)

    def verify_sync(
        self, case: Case, *, checkpoint: str | None = None, attempt: int = 1, parent: str | None = None
    ) -> Record:
        """`verify` for code that is not async; works inside a running loop too."""
        return run_sync(self.verify(case, checkpoint=checkpoint, attempt=attempt, parent=parent))

    async def examine(
        self, case: Case, *, checkpoint: str | None = None, attempt: int = 1, parent: str | None = None
    ) -> Entry:
        """Verify a case without keeping anything."""
        check_inputs(case, self.settings.inputs)
        if self._day is not None:
            await self._count_today()
        at, started = time.time(), time.perf_counter()
        await pool.prepare(self._services.get("judges"))
        point = self.checkpoint_of(case, checkpoint)
        policy, policy_kept = self._policy(point, case)
        graph = self._graph(point, case, policy, policy_kept)
        skip = _skipped(policy, graph, case) if self._off is None else {node.name: self._off for node in graph.nodes}
        settings = self.settings
        ran = await run(graph, case, settings.limits, skip, lambda: self.budget_of(policy, case))
        ran = redact.redacted(await self._calibrating.over(ran), settings.content, self._redact)
        rows = tuple(zip(graph.nodes, ran.results, strict=True))
        verdict = conclude(policy, rows)
        decision = decide(policy, verdict, rows, attempt, cost_usd=case.executor.cost_usd if case.executor else None)
        record = make_record(
            case, graph, policy_kept, ran, verdict, decision, workspace=self.workspace, attempt=attempt, parent=parent
        )
        body, redacted = (None, False) if self.store is None else redact.kept_case(case, settings.content, self._redact)
        done = Run(
            id=f"{int(at * 1e6):x}-{secrets.token_hex(4)}",
            at=at,
            seconds=time.perf_counter() - started,
            usage=ran.usage,
            timings=ran.seconds,
            tracebacks=ran.tracebacks,
            complexity=case.complexity,
            agent=case.executor.id if case.executor else "",
            work_usd=case.executor.cost_usd if case.executor else None,
        )
        return Entry(record.id, self.workspace, record, (done,), body, redacted, parent)

    async def _count_today(self) -> None:
        """Once: what the store says was spent since midnight UTC, by whichever process, counts towards the day."""
        asked = getattr(self.store, "spent_since", None)
        if self._day is None or self._day.counted or asked is None:
            return
        self._day.counted = True
        spent: Usage = await asked(time.time() // DAY_S * DAY_S)
        self._day.take(spent.tokens, spent.cost_usd or 0.0)

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
        assert self.store is not None
        point = self.checkpoint_of(case, checkpoint)
        policy, policy_kept = self._policy(point, case)
        graph = self._graph(point, case, policy, policy_kept).kept
        end = ending_of(made, case, checkpoint=point.name, workspace=self.workspace, graph=graph, policy=policy_kept)
        at = time.time()
        run_ = Run(id=f"{int(at * 1e6):x}-{secrets.token_hex(4)}", at=at)
        await self.store.append([Entry(end.id, self.workspace, end, (run_,), None, False, end.parent)])
        return replace(made, ending=end)

    def checkpoint_of(self, case: Case, name: str | None = None) -> Checkpoint:
        """The checkpoint a case goes through."""
        point = checkpoints.get(name or default_checkpoint(case))
        if case.kind not in point.kinds:
            takes = " or ".join(point.kinds)
            raise InputError(f"subject.kind: checkpoint {point.name!r} takes {takes}, not {case.kind}")
        return point

    def policy_of(self, case: Case, checkpoint: str | None = None) -> Policy:
        """The policy a case would be held against."""
        return self._policy(self.checkpoint_of(case, checkpoint), case)[0]

    def graph_of(self, case: Case, checkpoint: str | None = None) -> Graph:
        """The graph a case would go through, without running it."""
        point = self.checkpoint_of(case, checkpoint)
        return self._graph(point, case, *self._policy(point, case))

    def _graph(self, point: Checkpoint, case: Case, policy: Policy, policy_kept: msgspec.Raw) -> Graph:
        """Graphs are built once for the same criteria and policy, so patterns and schemas are compiled once."""
        goal = "" if case.criteria and case.kind != "mission" else case.goal
        asked = (case.stakes, case.context.get("quality"), _mission_shape(case), bool(case.goal), policy_kept)
        key = msgspec.json.encode((point.name, case.kind, case.complexity, case.criteria, goal, asked))
        graph = self._graphs.get(key)
        if graph is None:
            graph = self._graphs[key] = build(point, case, self._services | {"policy": policy})
            if len(self._graphs) > GRAPHS_KEPT:
                self._graphs.popitem(last=False)
        return graph

    def _policy(self, point: Checkpoint, case: Case) -> tuple[Policy, msgspec.Raw]:
        given, user = case.context.get("policy"), case.context.get("user")
        personal = self.settings.users.get(user) if isinstance(user, str) else None
        base = point.policy_of(case) if point.policy_of else point.policy
        own = given or personal or point.policy_of
        key = (point.name, canonical((base if point.policy_of else None, given, personal)) if own else b"")
        found = self._policies.get(key)
        if found is None:
            layers = {
                "workspace": self.settings.policy,
                "user": personal,
                "mission": self._mission_policy,
                "task": given,
            }
            policy = layered(base, layers)
            if len(self._policies) >= GRAPHS_KEPT:
                self._policies.clear()  # cases may bring policies of their own, as many as they like
            found = self._policies[key] = (policy, kept(policy))
        return found

    def with_services(self, replaced: Mapping[str, Any], budget: Budget | None = None) -> Verifier:
        """The same verifier with some services replaced; all else is shared, so close only one of the two."""
        made = copy.copy(self)
        made._services = self._services | dict(replaced)  # noqa: SLF001 - of our own kind
        made._graphs = OrderedDict()  # noqa: SLF001
        made._wider = self._wider + ([budget] if budget is not None else [])  # noqa: SLF001
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
        """Wait for second readings, then let go of the judges' connections; the store stays open."""
        await self._beside.finish()
        if self.judge_pool is not None:
            await self.judge_pool.close()

    async def close(self) -> None:
        """Finish, and let go of the store."""
        await self.finish()
        if self.store is not None:
            await self.store.close()

    async def __aenter__(self) -> Verifier:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.close()


def _mission_shape(case: Case) -> tuple[str, bool] | None:
    """What a mission's graph depends on: its goal, and whether its tasks have records."""
    subject = case.subject
    return (subject.goal, any(t.record for t in subject.tasks)) if isinstance(subject, Mission) else None


def _verification(settings: Settings) -> Verification:
    """The settings of the answer check; the policy's profile holds for it where it says nothing else."""
    if settings.policy.get("profile") == "original" and settings.verification.profile == "default":
        return msgspec.structs.replace(settings.verification, profile="original")
    return settings.verification


def _skipped(policy: Policy, graph: Graph, case: Case) -> dict[str, str] | None:
    why = bypass(policy, case)
    if why is None:
        return None
    return {node.name: why for node in graph.nodes if node.check.cost == "paid"}


# --- the one sync door -----------------------------------------------------------------------------------------

DOOR = "witnessmark-sync"
_door: list[asyncio.AbstractEventLoop] = []
_door_lock = threading.Lock()


def _background_loop() -> asyncio.AbstractEventLoop:
    with _door_lock:
        if not _door:
            loop = asyncio.new_event_loop()
            threading.Thread(target=loop.run_forever, name=DOOR, daemon=True).start()
            _door.append(loop)
        return _door[0]


def run_sync(work: Coroutine[Any, Any, T]) -> T:
    """Run async work from sync code on one background loop, whether or not a loop is running here."""
    door = _background_loop()
    if threading.current_thread().name == DOOR:
        work.close()
        raise UsageError(
            "sync call inside async work that a sync call started: it would wait for itself; await instead"
        )
    future = asyncio.run_coroutine_threadsafe(work, door)
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise
