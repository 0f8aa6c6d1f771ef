"""Which checks run, what each waits for, how much it weighs. A wrong graph cannot be built."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from witnessmark.core.errors import GraphError
from witnessmark.core.protocols import Check, Cost
from witnessmark.core.values import canonical

COST_RANK: Mapping[Cost, int] = {"instant": 0, "local": 1, "paid": 2}


class Node:
    """A check at its place: its name there, what it needs first, its weight, and whether it must pass.

    `gates` are needs that must not have failed: where one did, the node is skipped. `after` are nodes it waits for and
    can do without: it looks whatever came of them. `awaits` says whether the check is async, `asked` whether the case itself
    asked for it, and so says how much it weighs.
    """

    __slots__ = ("after", "asked", "awaits", "check", "criterion", "gates", "must_pass", "name", "needs", "weight")

    def __init__(
        self,
        check: Check,
        *,
        name: str | None = None,
        needs: Iterable[str] = (),
        weight: float = 1.0,
        must_pass: bool = False,
        criterion: str | None = None,
        gates: Iterable[str] = (),
        after: Iterable[str] = (),
        asked: bool = False,
    ) -> None:
        self.check, self.name, self.gates = check, name or check.name, tuple(gates)
        self.needs = tuple(dict.fromkeys((*self.gates, *needs)))
        self.after, self.asked = tuple(after), asked
        self.awaits = inspect.iscoroutinefunction(getattr(check, "look", check))
        self.weight, self.must_pass, self.criterion = weight, must_pass, criterion

    @property
    def waits_for(self) -> tuple[str, ...]:
        """The nodes that are settled before this one looks."""
        return (*self.needs, *self.after)

    def description(self) -> dict[str, Any]:
        """What the record keeps of it; replaying compares these."""
        kept: dict[str, Any] = {"node": self.name, "check": self.check.name, "version": self.check.version}
        kept |= {"cost": self.check.cost, "weight": self.weight, "must_pass": self.must_pass}
        if self.needs:
            kept["needs"] = list(self.needs)
        if self.gates:
            kept["gates"] = list(self.gates)
        if self.after:
            kept["after"] = list(self.after)
        if self.check.options:
            kept["options"] = dict(self.check.options)
        if self.criterion is not None:
            kept["criterion"] = self.criterion
        return kept


class Graph:
    """Nodes in the order they may start: cheap before dear, and each after what it needs.

    `ranks` pairs the nodes of one cost with whether all of them are instant, and so run inline.
    """

    __slots__ = ("checkpoint", "kept", "nodes", "ranks")

    def __init__(self, checkpoint: str, nodes: Iterable[Node]) -> None:
        self.checkpoint = checkpoint
        self.nodes = tuple(nodes)
        by_name = _by_name(self.nodes)
        ordered = _ordered(self.nodes, by_name)
        rank = _ranked(ordered)
        levels = [tuple(n for n in ordered if rank[n.name] == level) for level in sorted({*rank.values()})]
        self.ranks = tuple((all(n.check.cost == "instant" for n in level), level) for level in levels)
        self.kept = msgspec.Raw(canonical({"checkpoint": checkpoint, "nodes": [n.description() for n in self.nodes]}))


def unique_names(nodes: Iterable[Node]) -> list[Node]:
    """The same nodes, the second of a name called name#2, and so on."""
    seen: dict[str, int] = {}
    for node in (kept := list(nodes)):
        count = seen[node.name] = seen.get(node.name, 0) + 1
        if count > 1:
            node.name = f"{node.name}#{count}"
    return kept


def _by_name(nodes: Iterable[Node]) -> dict[str, Node]:
    found: dict[str, Node] = {}
    for node in nodes:
        if node.name in found:
            raise GraphError(f"two nodes are called {node.name!r}; give one of them another name")
        found[node.name] = node
    for node in found.values():
        for need in node.waits_for:
            if need not in found:
                raise GraphError(f"{node.name!r} needs {need!r}, which is not in the graph; add it or drop the need")
    return found


def _ordered(nodes: tuple[Node, ...], by_name: dict[str, Node]) -> list[Node]:
    """Every node after its needs; without recursion, so that a long chain cannot break the interpreter."""
    waiting = {node.name: set(node.waits_for) for node in nodes}
    ordered: list[Node] = []
    free = [node for node in nodes if not waiting[node.name]]
    while free:
        done = {node.name for node in free}
        ordered += free
        for name in done:
            del waiting[name]
        for needs in waiting.values():
            needs.difference_update(done)
        free = [node for node in nodes if node.name in waiting and not waiting[node.name]]
    if waiting:
        raise GraphError(f"checks wait on each other: {' -> '.join(_cycle(waiting, by_name))}")
    return ordered


def _cycle(waiting: dict[str, set[str]], by_name: dict[str, Node]) -> list[str]:
    path = [min(waiting)]
    while True:
        following = next(need for need in by_name[path[-1]].waits_for if need in waiting)
        if following in path:
            return [*path[path.index(following) :], following]
        path.append(following)


def _ranked(ordered: list[Node]) -> dict[str, int]:
    rank: dict[str, int] = {}
    for node in ordered:
        rank[node.name] = max([COST_RANK[node.check.cost], *(rank[need] for need in node.waits_for)])
    return rank
