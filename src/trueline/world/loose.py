"""Paths that were named loosely in words: `calc.py` for `src/calc.py`, where only one file can be meant.

A declared claim says exactly what it means and is left alone. Knows nothing about how words are read.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from trueline.world.claims import FILE_KINDS, ActionClaim
from trueline.world.scene import Scene
from trueline.world.snapshot import unquoted


def placed(claims: Sequence[ActionClaim], scene: Scene, changed: Iterable[str]) -> list[ActionClaim]:
    """The claims with each loose path replaced by the one file it can mean: one that changed, or else one that was there."""
    if not any(_loose(claim) for claim in claims):
        return list(claims)
    by_name = _by_name(unquoted(path) for path in changed)
    before = scene.world.before
    known = (
        _by_name(unquoted(entry.path) for entry in before.entries if entry.type == "f") if before is not None else {}
    )
    return [_placed(claim, scene, by_name, known) if _loose(claim) else claim for claim in claims]


def _loose(claim: ActionClaim) -> bool:
    return claim.by == "report" and claim.kind in FILE_KINDS and claim.path is not None


def _by_name(paths: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        found[path.rpartition("/")[2]].append(path)
    return found


def _placed(
    claim: ActionClaim, scene: Scene, changed: dict[str, list[str]], known: dict[str, list[str]]
) -> ActionClaim:
    path = scene.relative(claim.path or "")
    if path is None or scene.state(path).state != "absent" or scene.before(path) is not None:
        return claim
    for names in (changed, known):
        meant = [other for other in names.get(path.rpartition("/")[2], ()) if other.endswith(f"/{path}")]
        if meant:
            return replace(claim, path=meant[0]) if len(meant) == 1 else claim
    return claim
