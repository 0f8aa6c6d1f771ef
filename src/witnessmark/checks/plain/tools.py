"""Which tools were called, by the calls in the evidence. Whether they did any good is not looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from witnessmark.checks.plain.similarity import longest_common
from witnessmark.core.case import Case
from witnessmark.core.errors import InputError
from witnessmark.core.registry import Look, check
from witnessmark.core.verdict import Finding, Result, abstained, failed, passed


@check("tools_called", version="1", cost="instant")
def tools_called(tools: str | list[str], *, in_order: bool = False, no_others: bool = False) -> Look:
    """These tools were called, in this order and no others where that is asked for.

    Args:
        tools: what must be called, by name.
        in_order: whether the order counts.
        no_others: whether any other tool is one too many.

    """
    wanted = _wanted(tools)

    def look(case: Case, prior: Mapping[str, Result]) -> Result:
        made = [source.name for source in case.evidence if source.kind == "tool_call" and source.name]
        if not made:
            return abstained("no_evidence", "the evidence holds no tool calls")
        missing = [name for name in wanted if name not in made]
        if missing:
            return _failed(f"{missing[0]} was not called", [f"the tool {name!r} was not called" for name in missing])
        if in_order and longest_common(wanted, made) < len(wanted):
            return _failed("called in another order", ["the tools were called in another order than asked for"])
        others = [name for name in dict.fromkeys(made) if name not in wanted] if no_others else []
        if others:
            return _failed(f"{others[0]} was called too", [f"the tool {name!r} was called too" for name in others])
        return passed("the required tools were called")

    return look


def _wanted(given: Any) -> list[str]:
    listed = [given] if isinstance(given, str) else given
    if not isinstance(listed, (list, tuple)) or not listed or not all(isinstance(n, str) and n for n in listed):
        raise InputError(f"option tools: must hold the names of tools, not {given!r}")
    return list(listed)


def _failed(reason: str, messages: Sequence[str]) -> Result:
    advice = "Call the tools that the task asks for, and no others."
    return failed(reason, *[Finding(message=m, category="not_in_trace", suggestion=advice) for m in messages])
