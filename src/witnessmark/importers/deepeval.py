"""DeepEval test cases and goldens, as they are saved and as a test run writes them down (snake_case or camelCase).

Metrics are code and not in these files: what is taken over is what a case asks for by itself. Results of earlier runs are
kept and never believed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from witnessmark.core.aliases import with_ids
from witnessmark.core.errors import InputError
from witnessmark.importers.import_result import GROUNDED, KEY, ImportBuilder, ImportResult, many, rows, texts
from witnessmark.importers.ragas import RECALL

KNOWN = frozenset(
    {"input", "actual_output", "expected_output", "retrieval_context", "context", "tools_called", "expected_tools", "name"}
)  # fmt: skip
UNREAD = "no check uses it; it is kept in context.imported"
LISTS = ("test_cases", "goldens", "cases", "examples")


def read(data: Any, outputs: Any = None) -> ImportResult:
    """Cases of a file of test cases."""
    if outputs is not None:
        raise InputError("--outputs: a DeepEval test case has its actual_output in it")
    done = ImportBuilder()
    for where, row in rows(_listed(data), "test_cases"):
        case = _snake(row)
        if isinstance(case.get("turns"), list):
            _conversation(done, where, case)
        else:
            _case(done, where, case)
    return done.done()


def _listed(data: Any) -> Any:
    if not isinstance(data, Mapping):
        return data
    snake = _snake(data)
    found = [
        row
        for name in (*LISTS, "conversational_test_cases", "conversational_goldens")
        for row in many(snake.get(name), name)
    ]
    return found or [data]


def _snake(row: Mapping[str, Any]) -> dict[str, Any]:
    return {re.sub(r"(?<=[a-z])(?=[A-Z])", "_", str(key)).lower(): value for key, value in row.items()}


def _case(done: ImportBuilder, where: str, row: Mapping[str, Any]) -> None:
    retrieved, ideal = texts(row.get("retrieval_context")), texts(row.get("context"))
    if retrieved and ideal:
        done.left_out.add(where, "context", "the answer is checked against retrieval_context; this is only kept")
    sources = with_ids(retrieved or ideal, "c")
    calls = [_call(n, tool) for n, tool in enumerate(many(row.get("tools_called"), "tools_called"), 1)]
    reference = row.get("expected_output")
    expected = {"reference": reference} if isinstance(reference, str) and reference else {}
    kept = done.unread(where, row, KNOWN, UNREAD) | ({"context": ideal} if retrieved and ideal else {})
    criteria = [RECALL] if sources and expected else []
    wanted = _expected(done, where, row.get("expected_tools"))
    context: dict[str, Any] = {"policy": GROUNDED} if wanted and sources else {}
    body = {
        "goal": str(row.get("input") or ""),
        "subject": {
            "kind": "answer" if sources else "task_output",
            "text": done.output(where, row.get("actual_output")),
        },
        "evidence": [*sources, *calls],
        "criteria": criteria + wanted,
        "context": context | ({KEY: kept} if kept else {}),
    }
    done.add(where, body | expected | _named(row))


def _named(row: Mapping[str, Any]) -> dict[str, Any]:
    name = row.get("name")
    return {"id": name} if isinstance(name, str) and name.strip() and len(name) <= 512 else {}


def _call(number: int, tool: Any) -> dict[str, Any]:
    told = _snake(tool) if isinstance(tool, Mapping) else {"name": str(tool)}
    made = {"id": f"t{number}", "kind": "tool_call", "name": str(told.get("name") or "tool")}
    given = told.get("input_parameters", told.get("input"))
    made |= {"input": given} if given is not None else {}
    return made | ({"output": told["output"]} if told.get("output") is not None else {})


def _expected(done: ImportBuilder, where: str, tools: Any) -> list[dict[str, Any]]:
    listed = [tool for tool in many(tools, "expected_tools") if isinstance(tool, (str, Mapping))]
    names = [tool if isinstance(tool, str) else str(tool.get("name") or "") for tool in listed]
    if any(
        isinstance(tool, Mapping) and (_snake(tool).get("input_parameters") or tool.get("output")) for tool in listed
    ):
        done.near.add(where, "expected_tools", "that they were called is checked; their inputs and outputs are not")
    wanted = [name for name in names if name]
    return [{"check": "tools_called", "value": {"tools": wanted}}] if wanted else []


def _conversation(done: ImportBuilder, where: str, row: Mapping[str, Any]) -> None:
    """Turns: the last answer against what was retrieved for it and what was said before."""
    turns = [_snake(turn) for turn in row["turns"] if isinstance(turn, Mapping)]
    said = [n for n, turn in enumerate(turns) if turn.get("role") == "assistant" and turn.get("content")]
    last = said[-1] if said else None
    answer = turns[last] if last is not None else {}
    before = turns[:last] if last is not None else turns
    asked = [str(turn.get("content") or "") for turn in before if turn.get("role") == "user"]
    sources = with_ids(texts(answer.get("retrieval_context")), "c")
    calls = [
        _call(n, tool)
        for n, tool in enumerate([c for t in turns for c in many(t.get("tools_called"), "tools_called")], 1)
    ]
    goal = str(row.get("scenario") or "") or (asked[-1] if asked else "")
    outcome = row.get("expected_outcome")
    known = KNOWN | {"turns", "scenario", "expected_outcome"}
    kept = done.unread(where, row, known, UNREAD)
    body = {
        "goal": goal,
        "subject": {"kind": "answer" if sources else "task_output", "text": done.output(where, answer.get("content"))},
        "evidence": [*sources, *calls],
        "criteria": [{"text": f"The conversation reaches this: {outcome}", "must_pass": True}] if outcome else [],
        "context": {KEY: kept} if kept else {},
    }
    done.near.add(where, "turns", "the last answer is verified; the turns before it are not")
    done.add(where, body | _named(row))
