"""Fitted artefacts and experiments in the store, by workspace: kept under names and versions, applied by choice."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from msgspec.structs import replace

from witnessmark.core.errors import InputError, UnknownNameError
from witnessmark.core.values import canonical, parse
from witnessmark.insight.values import Calibration

FITTED, IN_FORCE = "calibrations", "calibration-in-force"
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}\Z")


class ArtifactStore(Protocol):
    """A store that remembers things by namespace and key. `amend` is used where a store has it, see `core.record.Store`."""

    async def recall(self, namespace: str, key: str) -> bytes | None:
        """What was remembered under the key, or None."""
        ...

    async def remember(self, namespace: str, key: str, body: bytes) -> None:
        """Keep this under the key, in place of what was there."""
        ...

    async def recall_all(self, namespace: str) -> Sequence[tuple[str, bytes]]:
        """Everything in a namespace, newest first."""
        ...


async def stored_calibrations(store: ArtifactStore, workspace: str) -> tuple[Calibration, ...]:
    """Every calibration of a workspace, newest first."""
    found = [parse(body, Calibration) for _, body in await store.recall_all(FITTED)]
    here = [made for made in found if made.workspace == workspace]
    return tuple(sorted(here, key=lambda made: (-made.made_at, made.name, -made.version)))


async def keep(store: ArtifactStore, calibration: Calibration) -> Calibration:
    """Keep it under the next version of its name; returns it with that version. What was kept is never changed."""
    if not _NAME.match(calibration.name):
        raise InputError(f"name: {calibration.name!r} should be lower-case letters, digits, dots and dashes")
    before = [
        made.version
        for made in await stored_calibrations(store, calibration.workspace)
        if made.name == calibration.name
    ]
    made = replace(calibration, version=max(before, default=0) + 1)
    while not await _kept_as(store, made):  # somebody else kept one under this version meanwhile
        made = replace(made, version=made.version + 1)
    return made


async def _kept_as(store: ArtifactStore, made: Calibration) -> bool:
    """Keep it under its own version, unless one is there."""
    key, body = f"{made.workspace}/{made.ref}", canonical(made)
    if not hasattr(store, "amend"):
        await store.remember(FITTED, key, body)
        return True
    return await store.amend(FITTED, key, lambda was: was or body) is None


async def calibration_named(store: ArtifactStore, workspace: str, ref: str) -> Calibration:
    """The calibration that a reference names: `name@version`, or `name` for its newest version."""
    here = await stored_calibrations(store, workspace)
    for made in sorted(here, key=lambda made: -made.version):
        if ref in (made.ref, made.name):
            return made
    known = [made.ref for made in here]
    raise UnknownNameError("calibration", ref, known, f"; there are: {', '.join(known) or 'none yet'}")


async def calibration_in_force(store: ArtifactStore, workspace: str) -> Calibration | None:
    """The calibration that holds in a workspace now."""
    ref = await store.recall(IN_FORCE, workspace)
    return await calibration_named(store, workspace, ref.decode()) if ref else None


async def apply(store: ArtifactStore, workspace: str, ref: str | None) -> None:
    """Have this calibration (name@version) hold in a workspace from now on; None: none."""
    chosen = b"" if ref is None else (await calibration_named(store, workspace, ref)).ref.encode()
    await store.remember(IN_FORCE, workspace, chosen)
