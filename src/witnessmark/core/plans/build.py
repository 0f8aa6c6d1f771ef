"""The graph of a checkpoint's places: every check is looked up and made, and one that cannot be stays in as an error."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from witnessmark.core.errors import InputError, UnknownNameError
from witnessmark.core.graph import Graph, Node, unique_names
from witnessmark.core.protocols import Check
from witnessmark.core.registry import CheckRef, ReadyCheck, ready
from witnessmark.core.verdict import Cause, Finding, Result


class BrokenCheck(ReadyCheck):
    """In the place of a check that is unknown or misconfigured: its result is the error that says so."""

    __slots__ = ("cause",)

    def __init__(self, name: str, cause: Cause, why: str) -> None:
        finding = Finding(message=why, category=cause, suggestion="`witnessmark checks` lists them with their options.")
        result = Result(status="error", cause=cause, reason=why, findings=(finding,))
        super().__init__(name, "0", "instant", {}, lambda case, prior: result)
        self.cause = cause


def build(checkpoint: str, places: Iterable[CheckRef], services: Mapping[str, Any]) -> Graph:
    """The graph of these places. A check that is unknown or misconfigured stays in, as an error."""
    nodes = [
        Node(
            _ready_or_broken(checkpoint, place, services),
            name=place.name,
            needs=place.needs,
            weight=place.weight,
            must_pass=place.must_pass,
            criterion=place.criterion,
            gates=place.gates,
            after=place.after,
        )
        for place in places
    ]
    return Graph(checkpoint, unique_names(nodes))


def lacks_a_check(graph: Graph) -> bool:
    """Whether a check of it is not installed: somebody may register it before the next case."""
    return any(isinstance(node.check, BrokenCheck) and node.check.cause == "check_missing" for node in graph.nodes)


def _ready_or_broken(checkpoint: str, place: CheckRef, services: Mapping[str, Any]) -> Check:
    try:
        return ready(place.check, place.value, services, place.options)
    except UnknownNameError as exc:
        missing = f"checkpoint {checkpoint!r} needs the check {place.check!r}, which is not installed"
        return BrokenCheck(place.check, "check_missing", str(exc) if place.asked_by_case else missing)
    except InputError as exc:
        return BrokenCheck(place.check, "check_error", str(exc))
