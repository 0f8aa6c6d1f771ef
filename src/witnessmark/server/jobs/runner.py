"""Works on jobs beside the requests: takes some cases, verifies them by the one flow, keeps each with its record.

Ends when told to: what is under way is finished or handed back. Knows nothing about HTTP.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging

from witnessmark.core.case import Case
from witnessmark.core.errors import StoreError, UsageError
from witnessmark.server.http.errors import refusal
from witnessmark.server.jobs import queue
from witnessmark.server.jobs.queue import LeasedCase
from witnessmark.server.pages.site import Caller
from witnessmark.server.state import ServiceState, audit_row
from witnessmark.server.writer import Write
from witnessmark.stores.sql import Database

log = logging.getLogger("witnessmark.server")
BEAT_S = 2.0
LOOK_S = 1.0
CHUNK = 4
GRACE_S = 8.0


class Runner:
    """One to a process."""

    def __init__(self, hub: ServiceState) -> None:
        self._hub = hub
        self._worker = queue.worker_name()
        self._wake = asyncio.Event()
        self._over = False
        self._turn = 0
        self._tasks: list[asyncio.Task[None]] = []
        self._busy: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Say that we are here, take over from the dead, and begin."""

        def arrive(db: Database) -> None:
            queue.bury(db)
            queue.say_alive(db, self._worker)

        await self._hub.store.transact(arrive)
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
            work, beat = self._tasks
            await asyncio.wait([work], timeout=LOOK_S + GRACE_S)
            for task in [work, beat, *self._busy]:
                task.cancel()
            await asyncio.wait([work, beat, *self._busy])
            with contextlib.suppress(StoreError):
                await queue.hand_back(self._hub.store, self._worker)

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT_S)
            try:
                await self._hub.store.transact(lambda db: queue.say_alive(db, self._worker))
            except StoreError as exc:
                log.warning("jobs: the store cannot be told that this process is alive: %s", exc)

    async def _work(self) -> None:
        while not self._over:
            self._wake.clear()
            taken = await self._taken()
            if taken:
                await self._together(taken)
                continue
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), LOOK_S)

    async def _taken(self) -> list[LeasedCase]:
        self._turn += 1
        most = self._hub.settings.service.job_concurrency * CHUNK
        turn = self._turn
        try:
            return await self._hub.store.transact(lambda db: queue.take(db, self._worker, most, turn))
        except StoreError as exc:
            log.warning("jobs: the store cannot be asked for work: %s", exc)
            await asyncio.sleep(LOOK_S)
            return []

    async def _together(self, taken: list[LeasedCase]) -> None:
        room = asyncio.Semaphore(max(1, self._hub.settings.service.job_concurrency))

        async def one(case: LeasedCase) -> None:
            async with room:
                if not self._over:
                    await self._one(case)

        loop = asyncio.get_running_loop()
        under_way = {loop.create_task(one(case)): case for case in taken}
        self._busy = set(under_way)
        await asyncio.wait(self._busy)
        self._busy = set()
        for task, case in under_way.items():
            fault = None if task.cancelled() else task.exception()
            if fault is not None:
                await self._not_kept(case, fault)

    async def _not_kept(self, taken: LeasedCase, fault: BaseException) -> None:
        """Where the store was away, the case waits again; where the case broke us, it says so and breaks nobody else."""
        log.warning("jobs: case %s of job %s was not kept: %s", taken.number, taken.job_id, type(fault).__name__)
        with contextlib.suppress(StoreError):
            if isinstance(fault, StoreError):
                await queue.hand_back(self._hub.store, self._worker, [taken])
            else:
                said = f"the service broke on it ({type(fault).__name__}); it is in its log"
                await self._hub.writer.keep(Write(claim=queue.settle(taken, self._worker, None, said)))

    async def _one(self, taken: LeasedCase) -> None:
        caller = Caller(taken.workspace, "verify", taken.who)
        try:
            verifier, store = await self._hub.request_verifier(taken.workspace)
            record = await verifier.verify(Case.from_json(taken.body))
        except UsageError as exc:
            claim = queue.settle(taken, self._worker, None, refusal(exc).detail)
            await self._hub.writer.keep(Write(claim=claim))
            return
        rows = (audit_row(caller, "verify", record.id),)
        claim = queue.settle(taken, self._worker, record)
        if await self._hub.writer.keep(Write(store.entries, rows, claim)) is None:
            store.committed()
