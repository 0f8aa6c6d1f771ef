"""A workspace's two switches, kept in the store: whether anything is verified, and whether anything is sent back.

They are for the day a verifier holds up good work: off in one click, without touching whoever sends the cases. What a
switched-off verifier does is the Verifier's business.
"""

from __future__ import annotations

import time
from typing import Protocol

import msgspec

from trueline.api import Verifier
from trueline.protocols import Notes
from trueline.values import Value

SHELF = "switches"
FRESH_S = 1.0
"""How long what was read holds: several processes may share a store, and none asks it at every case."""


class Switches(Value, frozen=True):
    """What is on."""

    verification: bool = True
    correction: bool = True


async def read(store: Notes, workspace: str) -> Switches:
    """The switches of a workspace; on where nobody said anything."""
    body = await store.recall(SHELF, workspace)
    return Switches() if body is None else msgspec.json.decode(body, type=Switches)


async def write(store: Notes, workspace: str, switches: Switches) -> None:
    """From now on these hold."""
    await store.remember(SHELF, workspace, msgspec.json.encode(switches))


class Verifiers(Protocol):
    """Whoever has the verifier of a workspace."""

    def verifier(self, workspace: str) -> Verifier:
        """The verifier of a workspace, made once."""
        ...


class Switchboard:
    """The verifier of a workspace as its switches stand, read from the store at most once a second."""

    def __init__(self, store: Notes, fresh_s: float = FRESH_S) -> None:
        self._store, self._fresh_s = store, fresh_s
        self._known: dict[str, tuple[float, Switches]] = {}
        self._made: dict[tuple[str, Switches], Verifier] = {}

    async def switches(self, workspace: str) -> Switches:
        """How they stand."""
        at, found = self._known.get(workspace, (float("-inf"), Switches()))
        if time.monotonic() - at >= self._fresh_s:
            found = await read(self._store, workspace)
            self._known[workspace] = (time.monotonic(), found)
        return found

    async def turn(self, workspace: str, switches: Switches) -> None:
        """Turn them, here at once and elsewhere within the second."""
        await write(self._store, workspace, switches)
        self._known[workspace] = (time.monotonic(), switches)

    async def verifier(self, verifiers: Verifiers, workspace: str) -> Verifier:
        """The verifier to use for the next case."""
        on = await self.switches(workspace)
        if on == Switches():
            return verifiers.verifier(workspace)
        key = (workspace, on)
        if key not in self._made:
            base = verifiers.verifier(workspace)
            self._made[key] = base.switched(verification=on.verification, correction=on.correction)
        return self._made[key]
