"""Ragas datasets: samples of one turn or several, with today's field names or the older ones.

The answer is held against a sample's reference too, and how much of that the contexts bear out is measured beside the
verdict. Scores that Ragas gave are kept and never believed.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Mapping
from typing import Any

import msgspec

from witnessmark.core.aliases import with_ids
from witnessmark.core.errors import InputError
from witnessmark.core.thresholds import threshold
from witnessmark.importers.import_result import GROUNDED, KEY, ImportBuilder, ImportResult, many, rows, texts

NAMES: Mapping[str, tuple[str, ...]] = {
    "user_input": ("user_input", "question", "query"),
    "response": ("response", "answer"),
    "retrieved_contexts": ("retrieved_contexts", "contexts", "retrieval_context", "sources", "documents"),
    "reference": ("reference", "ground_truth", "ground_truths"),
}
KNOWN = frozenset(name for names in NAMES.values() for name in names)
UNREAD = "no check uses it; it is kept in context.imported"
_LITERAL = re.compile(r"'(?:[^'\\]|\\.)*+'" + r'|"(?:[^"\\]|\\.)*+"', re.DOTALL)
_ARRAY = re.compile(rf"\[\s*(?:(?:{_LITERAL.pattern})\s+)+(?:{_LITERAL.pattern})\s*\]", re.DOTALL)
"""An array as numpy writes it: texts with no comma between them, which Python would read as one."""
RECALL = {"check": "context_recall", "value": threshold("measure"), "weight": 0, "must_pass": False}


def read(data: Any, outputs: Any = None) -> ImportResult:
    """Cases of a dataset."""
    if outputs is not None:
        raise InputError("--outputs: a Ragas dataset has its responses in it")
    done = ImportBuilder()
    for where, row in rows(_samples(data), "samples"):
        _sample(done, where, row)
    return done.done()


def _samples(data: Any) -> Any:
    """The rows of whatever a dataset was saved as: a list, an object with one inside, or columns."""
    if not isinstance(data, Mapping):
        return data
    for name in ("samples", "data", "examples", "rows"):
        if isinstance(data.get(name), list):
            return data[name]
    columns = {key: value for key, value in data.items() if isinstance(value, list)}
    if columns.keys() & set(NAMES["response"]) and len({len(value) for value in columns.values()}) == 1:
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    return [data]


def _sample(done: ImportBuilder, where: str, given: Mapping[str, Any]) -> None:
    row = {_column(key, given): _plain(value) for key, value in given.items()}
    found = {
        ours: next((row[name] for name in names if row.get(name) not in (None, "")), None)
        for ours, names in NAMES.items()
    }
    if isinstance(found["user_input"], list):
        _turns(done, where, row, found["user_input"])
        return
    evidence = with_ids(_listed(found["retrieved_contexts"]), "c")
    body: dict[str, Any] = {
        "goal": str(found["user_input"] or ""),
        "subject": {"kind": "answer", "text": done.output(where, found["response"])},
        "evidence": evidence,
        "context": _context(done, where, row, KNOWN),
    }
    reference = "\n".join(t for name in NAMES["reference"] for t in _listed(row.get(name)))
    body |= {"reference": reference} if reference else {}
    done.add(where, body | ({"criteria": [RECALL]} if evidence and reference else {}))


def _column(name: str, row: Mapping[str, Any]) -> str:
    """A column by its known name where it is written otherwise, as in a spreadsheet (`User Input`, ` Question`)."""
    plain = "_".join(name.lower().split())
    return plain if plain in KNOWN and plain not in row else name


def _context(done: ImportBuilder, where: str, row: Mapping[str, Any], known: frozenset[str]) -> dict[str, Any]:
    rest = done.unread(where, row, known, UNREAD)
    return {KEY: rest} if rest else {}


def _plain(value: Any) -> Any:
    """A cell of a DataFrame as a plain value: an array is a list, and the number that is none is nothing."""
    value = value.tolist() if hasattr(value, "tolist") else value
    return None if isinstance(value, float) and math.isnan(value) else value


def _python_list(text: str) -> Any:
    """A list as Python writes it, or an array as numpy does."""
    if _ARRAY.fullmatch(text):
        return [ast.literal_eval(one) for one in _LITERAL.findall(text)]
    return ast.literal_eval(text)


def _listed(value: Any) -> list[str]:
    """Texts; a CSV cell that holds a list, written as JSON or as Python or numpy writes it, is that list."""
    if isinstance(value, str) and value.strip().startswith("["):
        try:
            value = msgspec.json.decode(value)
        except msgspec.DecodeError:
            try:
                value = _python_list(value.strip())
            except (ValueError, SyntaxError, MemoryError, RecursionError):
                return [value]
    return texts(list(value) if isinstance(value, tuple) else value)


# --- several turns ---------------------------------------------------------------------------------------------------


def _turns(done: ImportBuilder, where: str, row: Mapping[str, Any], turns: list[Any]) -> None:
    """A conversation: the last answer against what tools returned; what was asked last is the goal.

    Its reference says how the conversation should end, not what the last answer should say: it is only kept.
    """
    messages = [turn for turn in turns if isinstance(turn, Mapping)]
    said = [n for n, turn in enumerate(messages) if _role(turn) == "ai" and turn.get("content")]
    last = said[-1] if said else None
    asked = [str(turn.get("content") or "") for turn in messages[:last] if _role(turn) == "human"]
    calls = [
        call for turn in messages for call in many(turn.get("tool_calls"), "tool_calls") if isinstance(call, Mapping)
    ]
    returned = [str(turn.get("content") or "") for turn in messages if _role(turn) == "tool"]
    evidence = [
        {"id": f"t{n}", "kind": "tool_call", "name": str(call.get("name") or "tool"), "input": call.get("args")}
        | ({"output": returned[n - 1]} if n <= len(returned) else {})
        for n, call in enumerate(calls, 1)
    ]
    evidence += [{"id": f"t{n}", "text": text} for n, text in enumerate(returned, 1) if n > len(calls)]
    wanted, row = _wanted_tools(row)
    policy = {"policy": GROUNDED} if wanted and returned else {}
    body = {
        "goal": asked[-1] if asked else "",
        "subject": {"kind": "answer", "text": done.output(where, None if last is None else messages[last]["content"])},
        "evidence": evidence,
        "criteria": wanted,
        "context": _context(done, where, row, KNOWN.difference(NAMES["reference"])) | policy,
    }
    done.add(where, body)


def _wanted_tools(row: Mapping[str, Any]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    listed = row.get("reference_tool_calls")
    calls = (
        [call for call in listed if isinstance(call, Mapping) and call.get("name")] if isinstance(listed, list) else []
    )
    rest = {key: value for key, value in row.items() if key != "reference_tool_calls" or not calls}
    names = [str(call["name"]) for call in calls]
    return ([{"check": "tools_called", "value": {"tools": names, "in_order": True}}] if names else []), rest


def _role(turn: Mapping[str, Any]) -> str:
    role = str(turn.get("type") or turn.get("role") or "")
    return {"user": "human", "assistant": "ai"}.get(role, role)
