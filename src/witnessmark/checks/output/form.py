"""The form of an agent's output: every field there, of its type, in its range. What an agent hands back is read as it came.

Only an output that the agent itself calls done is looked at. Knows nothing about what the output says.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from witnessmark.core.case import AgentOutput, Case, subject_of
from witnessmark.core.registry import Look, check
from witnessmark.core.verdict import Finding, Result, abstained, failed, passed
from witnessmark.text.words import blank

Fault = tuple[str, str, str]
"""Category, what is wrong, what to do about it."""
UNDONE = frozenset(
    "running pending queued waiting working started starting processing in_progress in-progress paused draft open todo".split()
)
FAILED = frozenset("failed failure error errored aborted cancelled canceled crashed timeout timed_out".split())


def output_of(case: Case) -> AgentOutput:
    """The agent output of a case, or an error that says what the check is for."""
    return subject_of(case, AgentOutput)


def said_status(output: AgentOutput) -> str:
    """What the agent says about how far it got, in one spelling; empty where it says nothing."""
    told = output.metadata.get("status") if isinstance(output.metadata, Mapping) else None
    return told.strip().casefold().replace(" ", "_") if isinstance(told, str) else ""


def unfinished(output: AgentOutput) -> Result | None:
    """The abstention for an output that its agent does not call done yet."""
    if said_status(output) in UNDONE:
        return abstained("skipped", "the agent does not call this output done, so there is nothing to verify yet")
    return None


@check("output_format", version="1", cost="instant")
def output_format() -> Look:
    """The output has summary, data, confidence, tools_used and metadata, each of its type and in its range."""

    def look(case: Case, prior: Mapping[str, Result]) -> Result:
        output = output_of(case)
        waiting = unfinished(output)
        if waiting is not None:
            return waiting
        findings = [_finding(name, fault) for name, fault in faults(output)]
        if not findings:
            return passed("all five fields are there and well formed")
        more = f" (and {len(findings) - 1} more)" if len(findings) > 1 else ""
        return failed(f"{findings[0].message}{more}", *findings)

    return look


def faults(output: AgentOutput) -> Iterator[tuple[str, Fault]]:
    """Every field that is missing or not what it should be."""
    for name, look in _FIELDS.items():
        value = getattr(output, name)
        if value is msgspec.UNSET:
            yield name, ("missing_field", "is missing", f"Give {name}: {_WANTED[name]}.")
        elif (fault := look(value)) is not None:
            yield name, fault


def _finding(name: str, fault: Fault) -> Finding:
    category, what, advice = fault
    return Finding(message=f"{name} {what}", category=category, suggestion=advice)


_WANTED = {
    "summary": "what was found or done, in words",
    "data": "the result as data, empty where there is none",
    "confidence": "a number from 0 to 1",
    "tools_used": "a list of the names of the tools that were used, empty where none was",
    "metadata": "an object, empty where there is nothing to add",
}


def _summary(value: Any) -> Fault | None:
    if not isinstance(value, str):
        return "invalid_type", f"is {_kind(value)}, not text", "Give the summary as text."
    if blank(value):
        return "empty_output", "is empty", "Say in a sentence or two what was found or done."
    return None


def _confidence(value: Any) -> Fault | None:
    advice = f"Give {_WANTED['confidence']}."
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return "invalid_type", f"is {_kind(value)}, not a number", advice
    if not math.isfinite(value) or not 0 <= value <= 1:
        return "schema_mismatch", f"is {value:g}, outside 0 to 1", advice
    return None


def _tools(value: Any) -> Fault | None:
    advice = f"Give {_WANTED['tools_used']}."
    if not isinstance(value, (list, tuple)):
        return "invalid_type", f"is {_kind(value)}, not a list", advice
    wrong = next((item for item in value if not isinstance(item, str)), None)
    if wrong is not None:
        return "invalid_type", f"holds {_kind(wrong)}, not only names", advice
    return None


def _metadata(value: Any) -> Fault | None:
    if not isinstance(value, Mapping):
        return "invalid_type", f"is {_kind(value)}, not an object", f"Give {_WANTED['metadata']}."
    return None


_FIELDS: Mapping[str, Callable[[Any], Fault | None]] = {
    "summary": _summary,
    "data": lambda value: None,
    "confidence": _confidence,
    "tools_used": _tools,
    "metadata": _metadata,
}


def _kind(value: Any) -> str:
    names = {str: "text", bool: "true or false", int: "a number", float: "a number", list: "a list", dict: "an object"}
    return "null" if value is None else names.get(type(value), type(value).__name__)
