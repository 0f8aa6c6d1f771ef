"""A tree as the options of a command describe it: what is handed on to whoever verifies, in whatever process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from witnessmark.core.errors import UsageError
from witnessmark.core.values import Value

if TYPE_CHECKING:
    from witnessmark.actions.tree.probes import EffectProbe
    from witnessmark.actions.tree.view import TreeState


class TreeOptions(Value, frozen=True):
    """The folder, the snapshots before and after, and files that are not the agent's."""

    root: str | None = None
    before: str | None = None
    after: str | None = None
    aside: tuple[str, ...] = ()

    @property
    def named(self) -> dict[str, str | None]:
        """What was given, by its option."""
        return {"--root": self.root, "--before": self.before, "--after": self.after}

    def state(self, probes: Mapping[str, EffectProbe] | None = None) -> TreeState | None:
        """The tree with the probes of the settings; None where there is neither, UsageError where the options do not go together."""
        from witnessmark.actions.tree import snapshot  # here: most runs describe no tree
        from witnessmark.actions.tree.view import TreeState

        if self.root is None and self.before is None and self.after is None:
            return TreeState(probes=probes) if probes else None
        if self.root is None and self.after is None:
            raise UsageError("--before says how the tree was; give --root DIR (or --after SNAPSHOT) for how it is")
        if self.root is not None and self.after is not None:
            raise UsageError("give --root or --after, not both: the tree itself, or a snapshot of it")
        if self.root is not None and not Path(self.root).is_dir():
            raise UsageError(f"--root {self.root}: there is no such folder; check the path")
        names = [*self.aside, *(name for name in (self.before, self.after) if name)]
        return TreeState(
            root=self.root,
            before=snapshot.load(self.before) if self.before else None,
            after=snapshot.load(self.after) if self.after else None,
            aside=frozenset(_below(self.root, names)) if self.root is not None else frozenset(),
            probes=probes or {},
        )

    def services(self, probes: Mapping[str, EffectProbe] | None = None) -> dict[str, Any]:
        """What checks are given of it."""
        state = self.state(probes)
        return {} if state is None else {"world": state}


def _below(root: str, names: Sequence[str]) -> list[str]:
    """Those of the files that lie in the tree, by their path from its root."""
    top = Path(root).resolve()
    places = [Path(name).resolve() for name in names if name != "-"]
    return [str(place.relative_to(top)) for place in places if place.is_relative_to(top)]
