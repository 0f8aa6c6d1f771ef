"""Alerts as an observer of the one door: what was verified may move a figure, so the figures are looked at, beside the work.

Not after every verification: at most once in `every_s`, and once more when the verifier finishes, so that the last ones count.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Callable
from typing import Protocol, TypeGuard

from witnessmark.core.case import Case
from witnessmark.core.concurrency.background_loop import keep_running
from witnessmark.core.errors import WitnessmarkError
from witnessmark.core.record import Entry
from witnessmark.insight.alerting import delivery
from witnessmark.insight.alerts import AlertStore
from witnessmark.insight.values import AlertSettings

_log = logging.getLogger("witnessmark.alerts")


class WorkspaceVerifier(Protocol):
    """Whoever verifies for a workspace and tells observers: a `Verifier` is one."""

    workspace: str
    observers: list[Callable[[Entry, Case | None], None]]

    @property
    def store(self) -> object:
        """Where records are kept, or None."""
        ...


def observe(verifier: WorkspaceVerifier, how: AlertSettings, calibration: str | None = None) -> None:
    """Have what this verifier keeps looked at for alerts; nothing where its store counts nothing, or nobody wants them.

    `calibration`: the one that the settings name, as the verifier goes by it.
    """
    store = verifier.store
    if how.every_s and (how.log or how.webhook is not None) and _counts(store):
        verifier.observers.append(AlertObserver(store, verifier.workspace, how, calibration=calibration))


def _counts(store: object) -> TypeGuard[AlertStore]:
    """Whether a store keeps the counts that figures are made of, and remembers what was raised."""
    return all(hasattr(store, name) for name in ("run_tallies", "marks", "recall", "remember"))


class AlertObserver:
    """Looks for alerts in one workspace after verifications. What goes wrong is logged and costs the verification nothing."""

    def __init__(
        self,
        store: AlertStore,
        workspace: str,
        how: AlertSettings,
        clock: Callable[[], float] = time.monotonic,
        *,
        calibration: str | None = None,
    ) -> None:
        self._store, self._workspace, self._how, self._clock = store, workspace, how, clock
        self._calibration = calibration
        self._looked = float("-inf")
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiting: asyncio.TimerHandle | None = None
        self._looks: set[asyncio.Task[None]] = set()
        self._new = False

    def __call__(self, entry: Entry, case: Case | None) -> None:  # noqa: ARG002 - that there is one is enough
        """Note that there is something new, and have it looked at when a look is due."""
        self._new = True
        loop = asyncio.get_running_loop()
        if self._waiting is None or self._loop is not loop:
            self._loop = loop
            wait = max(0.0, self._looked + self._how.every_s - self._clock())
            self._waiting = loop.call_later(wait, self._start)
            keep_running()

    def _start(self) -> None:
        self._waiting, self._looked = None, self._clock()
        task = asyncio.get_running_loop().create_task(self._look())
        self._looks.add(task)
        task.add_done_callback(self._looks.discard)

    async def _look(self) -> None:
        self._new = False
        secret = os.environ.get(self._how.secret_env, "")
        try:
            await delivery.watch(self._store, self._workspace, self._how, calibration=self._calibration, secret=secret)
        except WitnessmarkError as exc:
            _log.warning("alerts could not be checked: %s", exc)

    async def finish(self) -> None:
        """Wait for looks under way, and look at what came since the last of them."""
        here = asyncio.get_running_loop()
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
        await asyncio.gather(*(task for task in self._looks if task.get_loop() is here))
        if self._new:
            await self._look()
