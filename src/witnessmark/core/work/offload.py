"""Slow work out of the way of everybody else's: in a worker process where the case has any, otherwise in a thread."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Protocol, TypeVar

from witnessmark.core.case import Case
from witnessmark.core.protocols import Check
from witnessmark.core.values import Count, NotNegative, Value
from witnessmark.core.verdict import Result

T = TypeVar("T")


class NotPortableError(Exception):
    """What lives in one process only cannot be sent to another."""


class WorkSettings(Value, frozen=True):
    """Where checks run whose cost depends on the input, and what one of them may use there."""

    processes: Count | None = None
    """Worker processes. Left out: none in the library, where checks run in process; one for each core and one more in the service."""
    cpu_s: NotNegative = 10.0
    wall_s: NotNegative = 30.0
    memory_mb: Count = 1_024
    """Beyond what the worker itself takes."""


class WorkerProcesses(Protocol):
    """What takes checks and slow functions off this process."""

    @property
    def started(self) -> bool:
        """Whether a first process is there."""
        ...

    async def ready(self) -> None:
        """Return once one is, so that its start takes nobody's time."""
        ...

    def inline(self, check: Check, case: Case) -> bool:
        """Whether an instant check is so on this case."""
        ...

    def takes(self, check: Check) -> bool:
        """Whether the check can be sent to a worker."""
        ...

    async def look(self, check: Check, case: Case, prior: Mapping[str, Result]) -> Result:
        """The check's result, found in a worker."""
        ...

    async def call(self, function: Callable[..., T], /, *args: Any) -> T:
        """What the function gives in a worker."""
        ...

    async def step(self, size: int, function: Callable[..., T], /, *args: Any) -> T:
        """What the function gives: at once where it looks at little, beside the event loop where it looks at much."""
        ...

    def size(self, case: Case) -> int:
        """About how many characters of a case there are to read."""
        ...


active: contextvars.ContextVar[WorkerProcesses | None] = contextvars.ContextVar("witnessmark_workers", default=None)


async def offload(function: Callable[..., T], /, *args: Any) -> T:
    """What a slow function gives: in a worker process where the case has any, otherwise in a thread."""
    workers = active.get()
    if workers is not None:
        with suppress(NotPortableError):
            return await workers.call(function, *args)
    return await asyncio.to_thread(function, *args)
