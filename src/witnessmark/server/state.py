"""The service behind its routes: one store, one writer, a verifier for each workspace, and who is asking.

It is the `Site` that pages are given. Knows nothing about single routes.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import re
import secrets
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakValueDictionary

from msgspec.structs import replace

from witnessmark.core.budget import DayBudget
from witnessmark.core.errors import StoreError
from witnessmark.core.record import Entry
from witnessmark.core.work.pool import TaskPool
from witnessmark.integrations.guardrail.memory import GuardrailMemory
from witnessmark.judges.pool import JudgesByName
from witnessmark.server.auth.keys import RANK, ApiKey, KeyRing
from witnessmark.server.events import RecordEvents
from witnessmark.server.http.admission import Admission
from witnessmark.server.http.errors import RefusedError, later
from witnessmark.server.http.limits import Clock, Rates
from witnessmark.server.pages.site import Caller, Role
from witnessmark.server.writer import TableRow, Write, Writer
from witnessmark.settings import Settings
from witnessmark.stores import default_url
from witnessmark.stores.service_store import open_service_store
from witnessmark.stores.sql import SqlStore
from witnessmark.stores.workspaces import Workspace, workspace_settings
from witnessmark.verifier import Verifier, task_pool

if TYPE_CHECKING:
    from starlette.requests import Request

COOKIE = "witnessmark_session"
TICKET = "witnessmark.ticket"
"""Where a request's scope holds its Ticket."""
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
AUDIT_COLUMNS = ("id", "workspace", "at", "who", "what", "target")
SETTINGS_FRESH_S = 2.0
PROBE_S = 5.0
INLINE_BYTES = 1_000_000
INLINE_VALUES = 10_000
"""Values of a body up to which it is read between two requests: milliseconds."""
T = TypeVar("T")
PROBE_FRESH_S = 1.0
_PROCESS = f"-{secrets.token_hex(6)}"
_number = itertools.count()
_HOST = re.compile(r"(?:\[([0-9a-f:.]+)\]|([^\[\]:@/]+))(?::\d{1,5})?")
_PROXIED = frozenset({
    b"forwarded", b"via", b"x-real-ip", b"client-ip", b"true-client-ip", b"x-client-ip", b"x-cluster-client-ip",
    b"cf-connecting-ip", b"cf-ray", b"fastly-client-ip", b"fly-client-ip", b"x-azure-clientip", b"x-envoy-external-address",
    b"x-original-forwarded-for", b"x-original-host", b"x-original-url", b"x-proxyuser-ip", b"x-remote-addr",
    b"x-remote-ip", b"x-rewrite-url", b"x-amzn-trace-id", b"x-cloud-trace-context", b"cdn-loop", b"proxy-connection",
})  # fmt: skip
"""What proxies, load balancers and content networks add; names that begin with x-forwarded count too."""


class ServiceState:
    """What all routes share; made once for a process."""

    def __init__(self, settings: Settings, *, keyless: bool, workers: int = 1, pool: TaskPool | None = None) -> None:
        self.settings, self.keyless = settings, keyless
        url = settings.store or default_url()
        self.store, self.writing = open_service_store(url), open_service_store(url)
        self.writer = Writer(self.writing, self._committed)
        self.ring = KeyRing(self.store)
        self.rates = Rates(settings.service.rate_per_minute, workers)
        self.news = RecordEvents(self.store)
        self.counts: dict[tuple[str, int], list[float]] = {}
        self.clock = Clock()
        self._named_judges: dict[str, JudgesByName] = {}
        self.workers, self._shared_workers = pool or _workers(settings, workers), pool is not None
        self.admission = Admission(settings.service, workers)
        self.run_locks: WeakValueDictionary[tuple[str, str], asyncio.Lock] = WeakValueDictionary()
        """By workspace and id: one step of an orchestrated run at a time, in this process."""
        self.calls = GuardrailMemory()
        """What calls of a gateway may rest on, until their answers come."""
        self.ready = False
        self._probed = (False, 0.0)
        self._verifiers: dict[str, Verifier] = {}
        limits = settings.limits
        by_day = limits.day_tokens is not None or limits.day_usd is not None
        self._day = DayBudget(limits.day_tokens, limits.day_usd) if by_day else None  # one for all workspaces
        self._set: dict[str, tuple[Workspace, float]] = {}
        self._with_policy: dict[str, tuple[dict[str, Any], Verifier]] = {}
        self.work_arrived: Callable[[], None] = _nobody
        """Called when a job was made; whoever works on jobs puts itself here."""
        self._hosts = LOOPBACK | set(settings.service.hosts)

    def processes_counted(self, count: int) -> None:
        """So many processes share the store: among them limits are divided."""
        self.rates.share = self.admission.share = max(1, count)

    # --- verifying -----------------------------------------------------------------------------------------------

    def verifier(self, workspace: str) -> Verifier:
        """The verifier of a workspace as the settings file has it, made once."""
        found = self._verifiers.get(workspace)
        if found is None:
            alerting = replace(self.settings.alerting, log=True)  # a service has a log that people read
            settings = replace(self.settings, workspace=workspace, alerting=alerting)
            found = self._verifiers[workspace] = Verifier.from_settings(
                settings, store=self.store, workers=self.workers, day=self._day
            )
        return found

    def judge_for(self, workspace: str) -> JudgesByName:
        """What finds the judge that a request of this workspace names."""
        found = self._named_judges.get(workspace)
        if found is None:
            found = self._named_judges[workspace] = JudgesByName(self.settings.for_workspace(workspace), self.store)
        return found

    async def parsed(self, workspace: str, body: bytes, read: Callable[..., T], *more: Any) -> T:
        """What `read` makes of a body: at once where it is short, in a worker process where reading takes a while."""
        if self.workers is None or is_short(body):
            return read(body, *more)
        return await self.workers.call(workspace, read, body, *more)

    async def step(self, workspace: str, size: int, function: Callable[..., T], *args: Any) -> T:
        """What a function of ours gives: at once where it looks at little, beside the event loop where it looks at much."""
        if self.workers is None or size <= INLINE_VALUES:
            return function(*args)
        return await self.workers.turns.call(workspace, function, *args)

    async def verifier_in_force(self, workspace: str) -> Verifier:
        """The verifier as the workspace's switches have it; switched off, it skips every check."""
        known = self._set.get(workspace)
        switches = known[0] if known is not None and known[1] >= time.monotonic() else await self.switches(workspace)
        found = self._by_policy(workspace, switches)
        return found if switches.verification else found.switched_off("verification is switched off in this workspace")

    def _by_policy(self, workspace: str, switches: Workspace) -> Verifier:
        """The verifier under what an admin set; made again only where that changes. Without correction nobody is asked to try again."""
        base = self.verifier(workspace)
        policy = switches.policy if switches.correction else {**switches.policy, "max_revisions": 0}
        if not policy:
            return base
        made = self._with_policy.get(workspace)
        if made is None or made[0] != policy:
            made = self._with_policy[workspace] = (policy, base.with_services({}, policy=policy))
        return made[1]

    async def switches(self, workspace: str) -> Workspace:
        """What an admin has set, at most a moment old."""
        found = self._set.get(workspace)
        if found is None or found[1] < time.monotonic():
            made = await workspace_settings(self.store, workspace)
            found = self._set[workspace] = (made, time.monotonic() + SETTINGS_FRESH_S)
        return found[0]

    def settings_changed(self, workspace: str) -> None:
        """Look the switches up anew."""
        self._set.pop(workspace, None)

    def keys_changed(self) -> None:
        """Look keys up anew: one was revoked."""
        self.ring.forget()

    async def request_verifier(self, workspace: str) -> tuple[Verifier, RequestStore]:
        """The verifier in force, and the store it keeps in: what it appends is committed with the rest of the request."""
        store = RequestStore(self.store, self.writer)
        return (await self.verifier_in_force(workspace)).with_store(store), store

    # --- who is asking -------------------------------------------------------------------------------------------

    async def caller(self, request: Request, need: Role = "verify") -> Caller:
        """Who is asking; raises where nobody is, or where they may not."""
        return await self.identify(request.scope, dict(request.scope["headers"]), need)

    async def identify(self, scope: Mapping[str, Any], headers: Mapping[bytes, bytes], need: Role) -> Caller:
        """The caller by key, by session, or by being on this machine; takes one from their rate, and a slot."""
        shown = headers.get(b"authorization", b"")
        key = self.ring.remembered("key", shown[7:]) if shown.startswith(b"Bearer ") else None
        if key is None:
            key = await self._key(headers)
        caller = self._local(headers) if key is None else self._by_key(key, need)
        self.admission.enter(scope[TICKET], caller.workspace)
        return caller

    def _by_key(self, key: ApiKey, need: Role) -> Caller:
        if RANK[key.role] < RANK[need]:
            raise RefusedError(403, f"this needs the role {need}; the key {key.name!r} has {key.role}")
        wait = self.rates.wait_s(key.id, key.rate_per_minute)
        if wait:
            raise later(429, "too many requests with this key; slow down", wait)
        return key.caller()

    async def _key(self, headers: Mapping[bytes, bytes]) -> ApiKey | None:
        shown = headers.get(b"authorization")
        if shown is not None:
            kind, _, secret = shown.partition(b" ")
            secret = secret.strip()
            if kind.lower() != b"bearer" or not secret:
                raise unknown("write `Authorization: Bearer KEY`")
            found = await self.ring.look_up("key", secret)
            if found is None:
                raise unknown("this key is not valid; it is wrong or was revoked")
            return found
        session = session_of(headers)
        return None if session is None else await self.ring.look_up("session", session.encode())

    def _local(self, headers: Mapping[bytes, bytes]) -> Caller:
        if not self.keyless:
            raise unknown("a key is needed: `Authorization: Bearer KEY`; `witnessmark keys create` makes one")
        if any(name in _PROXIED or name.startswith(b"x-forwarded") for name in headers):
            raise unknown("this came through a proxy, where a key is needed")
        if host_of(headers.get(b"host", b"")) not in self._hosts:
            raise RefusedError(
                403, "without a key the service answers only to the names of this machine (localhost)", field="Host"
            )
        wait = self.rates.wait_s("local")
        if wait:
            raise later(429, "too many requests; slow down", wait)
        return Caller(self.settings.workspace, "admin", "local", keyless=True)

    async def writable(self) -> bool:
        """Whether the store can be written, tried at most once a second however often it is asked."""
        if self._probed[1] < time.monotonic():
            self._probed = (self._probed[0], time.monotonic() + PROBE_S)  # who asks meanwhile is told what was so
            self._probed = (await self._probe(), time.monotonic() + PROBE_FRESH_S)
        return self._probed[0]

    async def _probe(self) -> bool:
        sql = "INSERT INTO service_probe (id, at) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET at = excluded.at"
        row = ("readyz", time.time())
        try:
            async with asyncio.timeout(PROBE_S):
                await self.writing.transact(lambda db: db.execute(sql, row))
        except (StoreError, TimeoutError):
            return False
        return True

    # --- what happened -------------------------------------------------------------------------------------------

    async def note(self, caller: Caller, what: str, *targets: str) -> None:
        """One line in the audit log for each target."""
        await self.writer.keep(Write(rows=tuple(audit_row(caller, what, target) for target in targets)))

    def changes(self, caller: Caller, headers: Mapping[bytes, bytes]) -> AsyncIterator[bytes]:
        """One server-sent event for every record kept in the caller's workspace from now on, until these headers let nobody in."""

        async def still() -> bool:
            try:
                return caller.keyless or await self._key(headers) is not None
            except RefusedError:
                return False

        return self.news.listen(caller.workspace, still)

    def _committed(self) -> None:
        """Tell whoever watches that something was committed."""
        if self.news.listened:
            self.news.look()

    def counted(self, route: str, status: int, seconds: float) -> None:
        """One more request served."""
        found = self.counts.get((route, status))
        if found is None:
            found = self.counts[route, status] = [0, 0.0]
        found[0] += 1
        found[1] += seconds

    async def close(self) -> None:
        """Finish what is being written, then let go of everything."""
        self.ready = False
        await self.writer.finish()
        for verifier in self._verifiers.values():
            await verifier.finish()
        for judges in self._named_judges.values():
            await judges.close()
        if self.workers is not None and not self._shared_workers:
            self.workers.close()
        await self.writing.close()
        await self.store.close()


class RequestStore:
    """A store that gathers what is appended, to be committed with the rest of a request.

    Once committed it writes for itself, since what comes later, such as a second opinion, has no request to go with.
    """

    def __init__(self, store: SqlStore, writer: Writer) -> None:
        self._store, self._writer = store, writer
        self.entries: tuple[Entry, ...] = ()
        self._calls: list[Callable[[], None]] = []
        self._is_committed = False

    async def append(self, entries: Sequence[Entry]) -> None:
        """Gather, or write."""
        if self._is_committed:
            await self._writer.keep(Write(entries=tuple(entries)))
        else:
            self.entries += tuple(entries)

    def after_commit(self, call: Callable[[], None]) -> None:
        """Have this called once what was gathered is committed."""
        if self._is_committed:
            call()
        else:
            self._calls.append(call)

    def committed(self) -> None:
        """What was gathered is committed: whoever waits for it is told."""
        self._is_committed = True
        for call in self._calls:
            call()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


def _workers(settings: Settings, processes: int) -> TaskPool | None:
    """Worker processes for what is costly; among several processes of the service the cores are divided."""
    wanted = settings.work.processes
    if wanted == 0:
        return None
    return task_pool(wanted or max(2, ((os.cpu_count() or 1) + 1) // processes), settings.work)


def is_short(body: bytes) -> bool:
    """Whether the JSON of a body holds few enough values to be read between two requests, found without reading it."""
    if len(body) <= INLINE_VALUES:
        return True
    return len(body) <= INLINE_BYTES and body.count(b",") + body.count(b"{") + body.count(b"[") <= INLINE_VALUES


def _nobody() -> None:
    """Nobody works on jobs in this process."""


def audit_row(caller: Caller, what: str, target: str) -> TableRow:
    """One line of the audit log: who did what to what, and when. Never what was said."""
    at = time.time()
    row = (f"{int(at * 1e6):x}-{next(_number):x}{_PROCESS}", caller.workspace, at, caller.name, what, target[:200])
    return "audit_log", AUDIT_COLUMNS, row


def unknown(detail: str) -> RefusedError:
    """Nobody we know."""
    return RefusedError(401, detail, headers={"WWW-Authenticate": "Bearer"})


def session_of(headers: Mapping[bytes, bytes]) -> str | None:
    """The session in the request's cookies."""
    given = headers.get(b"cookie")
    if given is None:
        return None
    try:
        found = SimpleCookie(given.decode("latin-1")).get(COOKIE)
    except CookieError:
        return None
    return found.value if found is not None and found.value else None


def host_of(header: bytes) -> str:
    """The name in a Host header, without its port."""
    text = header.decode("latin-1").lower()
    found = _HOST.fullmatch(text)
    return (found.group(1) or found.group(2)) if found is not None else ""
