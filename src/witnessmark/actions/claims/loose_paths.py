"""Paths that were named loosely in words: `calc.py` for `src/calc.py`, where only one file can be meant.

A declared claim says exactly what it means and is left alone. Knows nothing about how words are read.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from witnessmark.actions.claims.claim import FILE_KINDS, ActionClaim
from witnessmark.actions.tree.snapshot import unquoted
from witnessmark.actions.tree.view import TreeView


def placed(claims: Sequence[ActionClaim], scene: TreeView, changed: Iterable[str]) -> list[ActionClaim]:
    """The claims with each loose path replaced by the one file it can mean: one that changed, or else one that was there."""
    if not any(_loose(claim) for claim in claims):
        return list(claims)
    by_name = _by_name(unquoted(path) for path in changed)
    before = scene.world.before
    known = (
        _by_name(unquoted(entry.path) for entry in before.entries if entry.type == "f") if before is not None else {}
    )
    known = known or _LazyNames(scene)
    return [_placed(claim, scene, by_name, known) if _loose(claim) else claim for claim in claims]


class _LazyNames(dict[str, list[str]]):
    """The files of the tree by their names, looked up only when a path is not where it is said to be."""

    def __init__(self, scene: TreeView) -> None:
        super().__init__()
        self._scene: TreeView | None = scene

    def get(self, name: str, default: Any = ()) -> Any:
        """The paths of the files of that name."""
        if self._scene is not None:
            self.update(_by_name(self._scene.paths()))
            self._scene = None
        return super().get(name, default)


def _loose(claim: ActionClaim) -> bool:
    return claim.by == "report" and claim.kind in FILE_KINDS and claim.path is not None


def _by_name(paths: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        found[path.rpartition("/")[2]].append(path)
    return found


def _placed(
    claim: ActionClaim, scene: TreeView, changed: dict[str, list[str]], known: dict[str, list[str]]
) -> ActionClaim:
    path = _meant(claim, claim.path, scene, changed, known)
    to = _meant(claim, claim.to, scene, changed, known) if claim.to is not None else None
    return claim if (path, to) == (claim.path, claim.to) else replace(claim, path=path, to=to)


def _meant(
    claim: ActionClaim, given: str | None, scene: TreeView, changed: dict[str, list[str]], known: dict[str, list[str]]
) -> str | None:
    """The file that a path means. Of several, the first where any of them bears the claim out as well as another."""
    path = scene.relative((given or "").replace("\\", "/"))
    if path is None:
        return given
    if scene.state(path).state != "absent" or scene.before(path) is not None:
        return path
    for names in (changed, known):
        meant = [other for other in names.get(path.rpartition("/")[2], ()) if other.endswith(f"/{path}")]
        if claim.kind != "file_delete" and names is changed:
            # What was made in one place may have been moved to another since.
            there = [other for other in meant if scene.state(other).state != "absent"]
            meant = there or ([] if known.get(path.rpartition("/")[2], ()) else meant)
        if meant:
            return meant[0] if len(meant) == 1 or claim.kind in ("file_create", "file_write", "file_edit") else path
    return path
