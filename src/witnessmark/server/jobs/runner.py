"""Works on jobs beside the requests: leases cases, verifies them by the one flow, keeps each with its record.

What is in hand is renewed while it is worked on; what the store does not take is offered again until it does, or until somebody
else has the case. Ends when told to: what is under way is finished or handed back. Knows nothing about HTTP.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import Counter

from witnessmark.core.errors import StoreError, UnfitError, UsageError, WitnessmarkError
from witnessmark.core.record import Record
from witnessmark.server.http.errors import refusal
from witnessmark.server.jobs import queue
from witnessmark.server.jobs.intake import read_case
from witnessmark.server.jobs.queue import LeasedCase
from witnessmark.server.pages.site import Caller
from witnessmark.server.state import RequestStore, ServiceState, audit_row
from witnessmark.server.writer import Write
from witnessmark.stores.sql import Database

log = logging.getLogger("witnessmark.server")
BEAT_S = 2.0
LOOK_S = 1.0
AHEAD = 2
"""Cases in hand for each that is under way, so that nothing waits for the store between two short ones."""
GRACE_S = 8.0
RETRY_S = 900.0
"""How long a result that the store does not take is offered again."""
SUSPECTS_EVERY = 5


class Runner:
    """One to a process."""

    def __init__(self, state: ServiceState) -> None:
        self._state = state
        self._worker = queue.worker_name()
        self._wake = asyncio.Event()
        self._over = False
        self._turn = 0
        self._tasks: list[asyncio.Task[None]] = []
        self._hand: dict[asyncio.Task[None], LeasedCase] = {}
        self._room = asyncio.Semaphore(max(1, state.settings.service.job_concurrency))

    async def start(self) -> None:
        """Say that we are here, take over from the dead, and begin."""

        def arrive(db: Database) -> int:
            queue.bury(db)
            return queue.say_alive(db, self._worker)

        self._state.processes_counted(await self._state.writing.transact(arrive))
        loop = asyncio.get_running_loop()
        self._tasks = [loop.create_task(self._work()), loop.create_task(self._beat())]

    def wake(self) -> None:
        """There is work."""
        self._wake.set()

    async def stop(self) -> None:
        """Take nothing more, finish what is under way for a while, hand back the rest."""
        self._over = True
        self._wake.set()
        if self._tasks:
            await asyncio.wait([self._tasks[0]], timeout=LOOK_S + GRACE_S)
            for task in (ended := [*self._tasks, *self._hand]):
                task.cancel()
            await asyncio.wait(ended)
            with contextlib.suppress(StoreError):
                await queue.hand_back(self._state.writing, self._worker)

    async def _beat(self) -> None:
        """Say that we are alive and renew what is in hand: what we do not work on any more, we lose."""
        while True:
            await asyncio.sleep(BEAT_S)
            leases = list(self._hand.values())

            def beat(db: Database, leases: list[LeasedCase] = leases) -> int:
                queue.renew(db, leases)
                return queue.say_alive(db, self._worker)

            try:
                self._state.processes_counted(await self._state.writing.transact(beat))
            except StoreError as exc:
                log.warning("jobs: the store cannot be told that this process is alive: %s", exc)

    async def _work(self) -> None:
        most = max(1, self._state.settings.service.job_concurrency) * AHEAD
        while not self._over:
            self._wake.clear()
            if len(self._hand) <= most // 2 and await self._take(most - len(self._hand)):
                continue
            waits = [asyncio.ensure_future(self._wake.wait()), *self._hand]
            await asyncio.wait(waits, timeout=LOOK_S, return_when=asyncio.FIRST_COMPLETED)
            waits[0].cancel()
        if self._hand:
            await asyncio.wait(list(self._hand))

    async def _take(self, most: int) -> bool:
        """Lease some and begin with them; whether there were any."""
        self._turn += 1
        turn, leases = self._turn, list(self._hand.values())
        held = Counter(lease.workspace for lease in leases)
        each = max(1, self._state.settings.service.job_concurrency * AHEAD * 3 // 4)

        def lease(db: Database) -> tuple[list[LeasedCase], LeasedCase | None]:
            queue.renew(db, leases)
            suspect = queue.take_suspect(db, self._worker) if turn % SUSPECTS_EVERY == 0 else None
            return ([] if suspect else queue.take(db, self._worker, most, turn, held, each)), suspect

        try:
            taken, suspect = await self._state.writing.transact(lease)
        except StoreError as exc:
            log.warning("jobs: the store cannot be asked for work: %s", exc)
            await asyncio.sleep(LOOK_S)
            return False
        for case in taken:
            self._begin(case)
        if suspect is not None:
            if self._hand:
                await asyncio.wait(list(self._hand))
            await asyncio.wait([self._begin(suspect)])
        return bool(taken or suspect)

    def _begin(self, lease: LeasedCase) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(self._done(lease))
        self._hand[task] = lease
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        lease = self._hand.pop(task)
        fault = None if task.cancelled() else task.exception()
        if fault is not None:
            log.error("jobs: case %s of job %s broke the service", lease.number, lease.job_id, exc_info=fault)

    async def _done(self, lease: LeasedCase) -> None:
        """One case to its end; while the store is away, try again."""
        async with self._room:
            until = time.monotonic() + RETRY_S
            wait = 0.1
            while not self._over:
                try:
                    async with asyncio.timeout(self._state.settings.service.request_s or None):
                        await self._one(lease)
                    return
                except TimeoutError:
                    log.warning("jobs: case %s of job %s took too long", lease.number, lease.job_id)
                    return  # its lease runs out, and that counts
                except StoreError as exc:
                    if time.monotonic() > until:
                        raise
                    log.warning("jobs: case %s of job %s is not kept yet: %s", lease.number, lease.job_id, exc)
                await asyncio.sleep(wait)
                wait = min(2.0, wait * 2)

    async def _one(self, lease: LeasedCase) -> None:
        state = self._state
        try:
            verifier, store = await state.request_verifier(lease.workspace)
            lost = lease.tries >= state.settings.service.job_tries
            why = f"the process that verified it died or timed out {lease.tries} times; it is not tried again"
            if lost:
                verifier = verifier.switched_off(why)
            case = await state.parsed(lease.workspace, lease.body, read_case, state.settings.inputs)
            record = await verifier.verify(case)
        except UsageError as exc:
            await state.writer.keep(Write(claim=queue.settle(lease, None, refusal(exc).detail)))
            return
        except StoreError:
            raise
        except WitnessmarkError as exc:
            said = f"the service failed on it ({type(exc).__name__}: {exc}); its log says why"
            await state.writer.keep(Write(claim=queue.settle(lease, None, said)))
            return
        await self._kept(lease, record, store, why if lost else None)

    async def _kept(self, lease: LeasedCase, record: Record, store: RequestStore, problem: str | None) -> None:
        """Keep the record with the case; offered again while the store is away, and kept once whatever came through."""
        rows = (audit_row(Caller(lease.workspace, "verify", lease.who), "verify", record.id),)
        write = Write(store.entries, rows, queue.settle(lease, record, problem), lease.workspace)
        until, wait = time.monotonic() + RETRY_S, 0.1
        while True:
            try:
                kept = await self._state.writer.keep(write) is None
            except StoreError as exc:
                if isinstance(exc, UnfitError):
                    await self._unkept(lease, exc)
                    return
                if time.monotonic() > until or self._over:
                    raise
                log.warning("jobs: a record of job %s is not kept yet: %s", lease.job_id, exc)
                await asyncio.sleep(wait)
                wait = min(2.0, wait * 2)
                continue
            except WitnessmarkError as exc:
                await self._unkept(lease, exc)
                return
            if kept:
                store.committed()
            return

    async def _unkept(self, lease: LeasedCase, exc: WitnessmarkError) -> None:
        """Settle a case whose record can never be kept: it says why, and the others go on."""
        log.error("jobs: the record of case %s of job %s cannot be kept", lease.number, lease.job_id, exc_info=exc)
        await self._state.writer.keep(Write(claim=queue.settle(lease, None, refusal(exc).detail)))
