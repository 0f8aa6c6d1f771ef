"""Does a kept verdict still hold? The deterministic part runs again; what a judge said is taken from the record."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import msgspec

from witnessmark.core import redact
from witnessmark.core.case import Case
from witnessmark.core.case_verifier import CaseVerifier
from witnessmark.core.errors import InputError, UsageError
from witnessmark.core.explain import clipped
from witnessmark.core.graph import Graph
from witnessmark.core.policy import Policy, conclude, decide
from witnessmark.core.record import Entry, Record
from witnessmark.core.run import RunResult, run
from witnessmark.core.verdict import Finding, Result

_KINDS = {
    "override": "a person's word", "outcome": "how it turned out", "audit": "another judge's reading",
    "ending": "how a loop ended",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is not as recorded: where, what, and both values."""

    node: str
    what: str
    was: Any
    now: Any

    def __str__(self) -> str:
        return f"{self.node}: {self.what} {_shown(self.was)} → {_shown(self.now)}"


@dataclass(frozen=True, slots=True)
class Replay:
    """What a replay found: the differences, and which nodes were not run again."""

    record: Record
    differences: tuple[Difference, ...]
    not_replayed: tuple[str, ...]

    @property
    def same(self) -> bool:
        """Whether all that was run again came out as recorded."""
        return not self.differences


async def replay(verifier: CaseVerifier, entry: Entry, case: Case | None = None) -> Replay:
    """Run the deterministic part of a kept verification again and compare."""
    record = entry.record
    if record is None:
        raise UsageError(f"record {entry.id[:12]} was purged: there is nothing left to replay")
    if record.kind != "verification":
        about = f"; replay {record.parent[:12]}, which it is about" if record.parent else ""
        raise UsageError(
            f"record {record.id[:12]} is {_KINDS[record.kind]}: no check made it, so none can run again{about}"
        )
    case = case or kept_case(entry, "give the case file with --case")
    if case.digest() != record.case_digest:
        raise InputError(f"this is not the case of record {record.id[:12]}: its digest differs")
    # Without judges: a check that may ask one must not do so here, whatever is configured now.
    graph = verifier.with_services({"judge": None, "judges": None}).graph_of(case, record.checkpoint)
    paid = _not_replayed(graph, {said.node for said in record.results if said.judge is not None})
    said = _as_results(record, paid)
    ran = await run(graph, case, verifier.settings.limits, dict.fromkeys(paid, "not replayed"), given=said)
    content = verifier.settings.content
    clean = redact.redactor(content)
    ran = redact.redacted(ran, content, clean, graph)
    found = [
        *_graph_differences(record, redact.kept_graph(graph.kept, clean)),
        *_result_differences(record, graph, ran, paid),
    ]
    found += _verdict_differences(record, graph, ran, paid, case.executor.cost_usd if case.executor else None)
    judged = {said.node for said in record.results if said.status != "skipped"}
    return Replay(record, tuple(found), tuple(name for name in paid if name in judged))


def _not_replayed(graph: Graph, judged: set[str]) -> tuple[str, ...]:
    """The nodes that ask a judge or did so, and those that build on one: what they said is taken from the record."""
    found: dict[str, None] = {}
    for _, rank in graph.ranks:
        for node in rank:
            asks = node.check.cost == "paid" or node.name in judged
            if asks or any(need in found for need in node.needs):
                found[node.name] = None
    return tuple(node.name for node in graph.nodes if node.name in found)


def kept_case(entry: Entry, advice: str = "give the case itself") -> Case:
    """The case that a record was made of; UsageError, with the advice, where its content was not kept as it was."""
    if entry.case is None or entry.redacted:
        why = "was kept out of the store" if entry.case is None else "was redacted"
        raise UsageError(f"the content of record {entry.id[:12]} {why}; {advice}")
    return Case.from_json(entry.case)


def _graph_differences(record: Record, graph: msgspec.Raw) -> list[Difference]:
    was = {node["node"]: node for node in msgspec.json.decode(record.graph)["nodes"]}
    now = {node["node"]: node for node in msgspec.json.decode(graph)["nodes"]}
    found = [Difference(name, "node", "in the graph", "gone") for name in was if name not in now]
    found += [Difference(name, "node", "not there", "in the graph") for name in now if name not in was]
    for name in [name for name in was if name in now]:
        keys = sorted({*was[name], *now[name]} - {"node"})
        found += [
            Difference(name, key, was[name].get(key), now[name].get(key))
            for key in keys
            if was[name].get(key) != now[name].get(key)
        ]
    return found


def _result_differences(record: Record, graph: Graph, ran: RunResult, paid: tuple[str, ...]) -> list[Difference]:
    before = {said.node: said for said in record.results}
    found = []
    for node, result in zip(graph.nodes, ran.results, strict=True):
        said = before.get(node.name)
        if said is None or node.name in paid:
            continue
        for what in ("status", "score", "reason"):
            if getattr(said, what) != getattr(result, what):
                found.append(Difference(node.name, what, getattr(said, what), getattr(result, what)))
        old = [f for f in record.findings if f.check == node.name]
        if _essence(old) != _essence(result.findings):
            found.append(Difference(node.name, "findings", len(old), len(result.findings)))
    return found


def _essence(findings: Any) -> list[tuple[Any, ...]]:
    """What a finding says apart from the quote, which may have been kept out."""
    kept: list[Finding] = list(findings)
    return [(f.category, f.severity, f.span, f.message) for f in kept]


def _verdict_differences(
    record: Record, graph: Graph, ran: RunResult, paid: tuple[str, ...], cost_usd: float | None
) -> list[Difference]:
    before = _as_results(record, paid)
    rows = [(node, before.get(node.name, result)) for node, result in zip(graph.nodes, ran.results, strict=True)]
    policy = msgspec.json.decode(record.policy, type=Policy)
    verdict = conclude(policy, rows)
    decision = decide(policy, verdict, rows, record.attempt, cost_usd=cost_usd)
    now = {"outcome": verdict.outcome, "score": verdict.score, "coverage": verdict.coverage, "action": decision.action}
    return [
        Difference("verdict", what, getattr(record, what), value)
        for what, value in now.items()
        if getattr(record, what) != value
    ]


def _as_results(record: Record, nodes: Collection[str]) -> dict[str, Result]:
    """What was recorded of these nodes, as their results were."""
    said = [one for one in record.results if one.node in nodes]
    return {one.node: msgspec.convert(one, Result, from_attributes=True) for one in said}


def _shown(value: Any) -> str:
    return clipped(value if isinstance(value, str) else msgspec.json.encode(value).decode(), 80)
