"""Which checks go to a worker process, and how: a check travels as its name, options and services, and is made again there.

An instant check runs inline where a bound on what it reads shows that it is one. Knows nothing about graphs.
"""

from __future__ import annotations

import asyncio
import functools
import pickle
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, TypeVar

from witnessmark.core.case import Answer, Case, Synthesis, TaskOutput
from witnessmark.core.protocols import Check
from witnessmark.core.registry import ReadyCheck, checks
from witnessmark.core.values import canonical
from witnessmark.core.verdict import Result
from witnessmark.core.work.pool import UNPORTABLE, TaskPool

T = TypeVar("T")
INLINE_CHARS = 10_000
"""Characters of a case up to which an instant check may run inline: even what is quadratic takes milliseconds."""
INLINE_STEPS = 500_000
"""Characters of the case times entries of the check's options up to which it may."""
_PORTABLE = frozenset({"verification", "models", "policy"})
_MADE = 64


class CheckWorkers:
    """The pool as one sender's checks see it."""

    def __init__(self, pool: TaskPool, sender: str) -> None:
        self._pool, self._sender = pool, sender
        self._sized: tuple[Case | None, int] = (None, 0)

    @property
    def started(self) -> bool:
        """Whether a first process is there."""
        return self._pool.started

    async def ready(self) -> None:
        """Return once one is, so that its start takes nobody's time."""
        await self._pool.ready()

    def inline(self, check: Check, case: Case) -> bool:
        """Whether an instant check is so on this case: what it reads is short, and so are its options."""
        if check.cost != "instant":
            return False
        size = self._sized[1] if self._sized[0] is case else self.size(case)
        return (
            size <= INLINE_CHARS and size * (getattr(check, "entries", None) or option_entries(check)) <= INLINE_STEPS
        )

    def takes(self, check: Check) -> bool:
        """Whether the check can be sent to a worker: it waits for nobody, and needs nothing that lives here only."""
        return packed(check) is not None

    async def look(self, check: Check, case: Case, prior: Mapping[str, Result]) -> Result:
        """The check's result, found in a worker."""
        body = packed(check)
        assert body is not None
        return await self._pool.call(self._sender, look_in_worker, body, case, dict(prior))

    async def call(self, function: Callable[..., T], /, *args: Any) -> T:
        """What the function gives in a worker."""
        return await self._pool.call(self._sender, function, *args)

    async def step(self, size: int, function: Callable[..., T], /, *args: Any) -> T:
        """What the function gives: in the loop's next turn where it looks at little, in the thread of long steps where at much.

        Cases that are under way at once so take the same step one after the other: its code stays in the processor's cache,
        which is worth far more than the turn costs.
        """
        if size <= INLINE_CHARS:
            await asyncio.sleep(0)
            return function(*args)
        return await self._pool.turns.call(self._sender, function, *args)

    def size(self, case: Case) -> int:
        """About how many characters of a case there are to read."""
        if self._sized[0] is not case:  # the checks of a case come one after the other
            self._sized = (case, case_chars(case))
        return self._sized[1]


def packed(check: Check) -> bytes | None:
    """A check as a worker can make it again; None where it cannot be."""
    if not isinstance(check, ReadyCheck):
        return None
    if check.packed is None:
        check.packed = _packed(check)
    return check.packed or None


def _packed(check: ReadyCheck) -> bytes:
    services = {name: value for name, value in check.services.items() if value is not None}
    make = None if check.factory is None else check.factory.make
    if make is None or "<locals>" in make.__qualname__ or make.__module__ == "__main__":
        return b""  # made while this program ran: another process does not have it
    if set(services) - _PORTABLE or asyncio.iscoroutinefunction(check.look):
        return b""
    try:
        return pickle.dumps((make.__module__, check.name, dict(check.options), services), protocol=5)
    except UNPORTABLE:
        return b""


def look_in_worker(body: bytes, case: Case, prior: Mapping[str, Result]) -> Result:
    """In a worker: make the check, once for the same options, and look."""
    result = _made(body)(case, prior)
    if not isinstance(result, Result):
        raise TypeError(f"a check returns a Result, not {type(result).__name__}")
    return result


@functools.lru_cache(maxsize=_MADE)
def _made(body: bytes) -> ReadyCheck:
    module, name, options, services = pickle.loads(body)  # noqa: S301 - from our own process
    import_module(module)
    return checks.get(name)(**options, **services)


def case_chars(case: Case) -> int:
    """About how much there is to read in a case."""
    subject = case.subject
    plain = isinstance(subject, (TaskOutput, Answer, Synthesis))
    if not plain or any(source.text is None for source in case.evidence):
        return len(case.json())
    more = len(canonical(case.context)) if case.context else 0
    return len(case.text) + len(case.goal) + more + sum(len(source.text or "") for source in case.evidence)


def option_entries(check: Check) -> int:
    """How many times a check may read the text: once for each entry of its options, more for long ones and patterns."""
    known = getattr(check, "entries", None)
    if known is not None:
        return int(known)
    count, stack = 1, list(check.options.values())
    while stack:
        value = stack.pop()
        if isinstance(value, Mapping):
            if "$ref" in value or "$dynamicRef" in value:
                count += INLINE_STEPS  # what a reference multiplies, its length does not say
            stack += value.values()
        elif isinstance(value, (list, tuple)):
            stack += value
        else:
            count += 1 + (len(value) // 20 if isinstance(value, str) else 0)
    if isinstance(check, ReadyCheck):
        check.entries = count
    return count
