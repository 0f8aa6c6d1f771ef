"""Failed runs of several agents: how often the graph points at the agent at fault, first and among the first two, with no judge."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from bench.measure import DATA, NO_DATA, table
from witnessmark.core.case import Case, Evidence, Synthesis
from witnessmark.core.record import Record
from witnessmark.insight.lineage import Thread, threads
from witnessmark.verifier import Verifier

FILE = DATA / "agents" / "who_and_when.jsonl.gz"
LONGEST = 6_000
_NOT_AGENTS = frozenset({"human", "Computer_terminal", "ComputerTerminal"})
BROKEN, BROUGHT_IN, MADE_UP = 2.0, 1.0, 1.0
_EXIT = re.compile(r"exitcode:\s*(\d+)")


def report() -> str:
    """The section."""
    if not FILE.exists():
        return f"## Which agent was at fault\n\n{NO_DATA}"
    rows: list[tuple[Any, ...]] = []
    runs = list(_runs())
    for kind in ("Algorithm-Generated", "Hand-Crafted", ""):
        some = [run for run in runs if run["file"].startswith(kind)]
        ranked = [(_ranking(run), run["mistake_agent"], _agents(run)) for run in some]
        count = len(ranked)
        top1, top2 = (sum(guilty in names[:n] for names, guilty, _ in ranked) / count for n in (1, 2))
        chance1, chance2 = (sum(min(n, len(a)) / len(a) for _, _, a in ranked) / count for n in (1, 2))
        opens = sum(guilty == agents[0] for _, guilty, agents in ranked) / count
        first = (f"{top1:.0%}", f"{chance1:.0%}", f"{opens:.0%}")
        rows.append((kind or "all", count, *first, f"{top2:.0%}", f"{chance2:.0%}"))
    columns = ["runs", "count", "pointed at first", "by chance", "who spoke first", "among the first two", "by chance"]
    note = "Failed runs with the agent at fault named by people; the answer is read as a synthesis of the messages before it."
    return f"## Which agent was at fault\n\n{note} No judge, no model.\n\n{table(columns, rows)}"


def _runs() -> Iterator[dict[str, Any]]:
    with gzip.open(FILE, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def _speaker(message: dict[str, Any]) -> str:
    return str(message.get("name") or message["role"]).partition(" (")[0]


def _agents(run: dict[str, Any]) -> list[str]:
    return list(dict.fromkeys(name for m in run["history"] if (name := _speaker(m)) not in _NOT_AGENTS))


def _ranking(run: dict[str, Any]) -> list[str]:
    case, author = as_case(run)
    if case is None:
        return _agents(run)
    entry = asyncio.run(Verifier().evaluate(case))
    assert entry.record is not None
    return [name for name, _ in suspects(case, entry.record, author)]


def suspects(case: Case, record: Record, author: str | None = None) -> list[tuple[str, float]]:
    """Agents by how much of what went wrong the graph leads back to, most first; for a run that is known to have failed.

    An agent is pointed at for each output that rests on a failed call, and for each claim of the answer that it brought
    in first. What nobody bears was made up by the author of the answer. Equal ones stand in the order they spoke.
    """
    outputs = [source for source in case.evidence if source.kind == "agent_output"]
    place = {source.id: number for number, source in enumerate(outputs)}
    points = dict.fromkeys((source.origin or source.id for source in outputs), 0.0)
    if author is not None:
        points.setdefault(author, 0.0)
    failed = {s.id for s in case.evidence if s.kind == "tool_call" and s.exit_code not in (None, 0)}
    for source in outputs:
        told = source.data if isinstance(source.data, Mapping) else {}
        points[source.origin or source.id] += BROKEN * len(failed.intersection(told.get("rests_on") or ()))
    first: dict[str, Thread] = {}
    for thread in threads(case, record):
        key = f"{thread.claim.span}{thread.claim.text}"
        if thread.output in place and (key not in first or place[thread.output] < place[first[key].output or ""]):
            first[key] = thread
        elif thread.agent is None and thread.claim.status != "unverifiable" and author is not None:
            points[author] += MADE_UP
    for thread in first.values():
        points[thread.agent or ""] += BROUGHT_IN
    return sorted(points.items(), key=lambda pair: -pair[1])


def as_case(run: dict[str, Any]) -> tuple[Case | None, str]:
    """The last thing an agent said as a synthesis of what was said before it; a terminal's reply is a tool call."""
    history = run["history"]
    said = [n for n, m in enumerate(history) if _speaker(m) not in _NOT_AGENTS and len(m["content"].split()) > 3]
    if not said:
        return None, ""
    last = said[-1]
    evidence: list[Evidence] = []
    for number, message in enumerate(history[:last]):
        name, text = _speaker(message), message["content"][:LONGEST]
        reply = history[number + 1] if number + 1 < last else None
        if name not in _NOT_AGENTS:
            called = reply is not None and _speaker(reply) in _NOT_AGENTS and _EXIT.search(reply["content"]) is not None
            data = {"rests_on": [f"m{number + 1}"]} if called else None
            evidence.append(Evidence(id=f"m{number}", kind="agent_output", origin=name, text=text, data=data))
        elif (code := _EXIT.search(text)) is not None:
            evidence.append(
                Evidence(id=f"m{number}", kind="tool_call", name=name, output=text, exit_code=int(code.group(1)))
            )
    answer = Synthesis(text=history[last]["content"][-LONGEST:])
    return Case(goal=run["question"], subject=answer, evidence=tuple(evidence)), _speaker(history[last])
