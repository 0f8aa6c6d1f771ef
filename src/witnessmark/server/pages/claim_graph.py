"""The claim graph as boxes and lines in columns: claim ← source ← tool call ← subgoal. Lays out; draws nothing, judges nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from witnessmark.core.case import Case
from witnessmark.core.explain import clipped
from witnessmark.core.record import Record
from witnessmark.insight.lineage import Thread, threads

WIDTH, GAP_X, HEIGHT, GAP_Y, TOP = 220, 60, 44, 12, 28
MOST = 40
LETTERS = 30
COLUMNS = ("Claim", "Source", "Tool call", "Subgoal")
_LOOK = {"supported": "good", "partial": "half", "contradicted": "bad", "unsupported": "none", "unverifiable": "none"}


@dataclass(frozen=True, slots=True)
class Box:
    """One node: where it stands, what it says, how it looks; `full` is all of its text."""

    x: int
    y: int
    lines: tuple[str, ...]
    look: str
    full: str
    note: str


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """One edge, as the path of an SVG."""

    path: str
    look: str
    """`bad` where it leads to a call that failed, `against` where the source contradicts the claim."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """The whole of it."""

    boxes: tuple[Box, ...]
    lines: tuple[GraphEdge, ...]
    heads: tuple[tuple[int, str], ...]
    width: int
    height: int
    left_out: int


def drawing(case: Case | None, record: Record) -> Drawing | None:
    """The graph of a record's claims; None where there is nothing to draw."""
    if case is None or not record.claims:
        return None
    found = [thread for thread in threads(case, record) if thread.claim.status != "unverifiable"]
    if not found:
        return None
    shown = found[:MOST]
    columns = [_unique(column) for column in zip(*map(_nodes, shown), strict=True)]
    used = [number for number, column in enumerate(columns) if column]
    place = {node: (used.index(n), row) for n in used for row, node in enumerate(columns[n])}
    broken = {call for thread in shown for call in thread.broken}
    looks = {str(("claim", *_key(thread))): _LOOK[thread.claim.status] for thread in shown}
    boxes = tuple(_box(node, *place[node], looks, broken) for node in place)
    edges = dict.fromkeys(edge for thread in shown for edge in _edges(thread))
    lines = tuple(GraphEdge(_path(place[a], place[b]), look) for a, b, look in edges)
    rows = max(row for _, row in place.values()) + 1
    heads = tuple((n * (WIDTH + GAP_X), COLUMNS[column]) for n, column in enumerate(used))
    return Drawing(
        boxes,
        lines,
        heads,
        len(used) * (WIDTH + GAP_X) - GAP_X + 2,
        TOP + rows * (HEIGHT + GAP_Y),
        len(found) - len(shown),
    )


Node = tuple[str, ...]


def _key(thread: Thread) -> tuple[str, str]:
    return thread.claim.text, str(thread.claim.span)


def _nodes(thread: Thread) -> tuple[Sequence[Node], ...]:
    """What stands in each column for one thread."""
    source = [("source", *names) for names in thread.against]
    source += [("source", thread.agent or "", thread.output)] if thread.output else []
    calls = [("call", call, "") for call in thread.calls]
    goal = [("goal", thread.subgoal, "")] if thread.subgoal else []
    return [("claim", *_key(thread))], source, calls, goal


def _edges(thread: Thread) -> Iterable[tuple[Node, Node, str]]:
    claim, sources, calls, goals = (list(column) for column in _nodes(thread))
    for source in sources:
        yield claim[0], source, "against" if thread.against else "bad" if thread.broken else ""
        for call in calls:
            yield source, call, "bad" if call[1] in thread.broken else ""
        for goal in goals:
            for before in calls or [source]:
                yield before, goal, ""


def _unique(columns: Iterable[Sequence[Node]]) -> list[Node]:
    return list(dict.fromkeys(node for nodes in columns for node in nodes))


def _box(node: Node, column: int, row: int, looks: dict[str, str], broken: set[str]) -> Box:
    kind, first, second = node
    full = first if kind == "claim" or not second or second == first else f"{first} [{second}]"
    look = looks.get(str(node), "") if kind == "claim" else "bad" if first in broken else ""
    note = "failed" if kind == "call" and first in broken else ""
    shown = f"{full} (failed)" if note else full
    return Box(column * (WIDTH + GAP_X) + 1, TOP + row * (HEIGHT + GAP_Y), _wrapped(shown), look, full, note)


def _wrapped(text: str) -> tuple[str, ...]:
    """At most two lines that fit a box."""
    flat = " ".join(text.split())
    if len(flat) <= LETTERS:
        return (flat,)
    cut = flat.rfind(" ", 0, LETTERS + 1)
    cut = cut if cut > LETTERS // 2 else LETTERS
    rest = flat[cut:].strip()
    return flat[:cut], clipped(rest, LETTERS)


def _path(a: tuple[int, int], b: tuple[int, int]) -> str:
    x1, x2 = a[0] * (WIDTH + GAP_X) + WIDTH + 1, b[0] * (WIDTH + GAP_X) + 1
    y1, y2 = (TOP + row * (HEIGHT + GAP_Y) + HEIGHT // 2 for row in (a[1], b[1]))
    middle = (x1 + x2) // 2
    return f"M{x1} {y1} C{middle} {y1} {middle} {y2} {x2} {y2}"
