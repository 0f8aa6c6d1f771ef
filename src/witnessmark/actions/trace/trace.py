"""What tools were called, with what came back: the agent's trace in one form."""

from __future__ import annotations

from typing import Any

from witnessmark.core.values import Count, Value


class ToolCall(Value, frozen=True):
    """One call of a tool. `ok` is None where the trace does not say whether it worked."""

    id: str
    name: str
    input: Any = None
    output: Any = None
    exit_code: int | None = None
    ok: bool | None = None
    at: float | None = None
    turn: Count = 0
    """Which message of the person it answers; 0 where the trace does not tell turns apart."""
    by: str = ""
    """The call of the subagent that made it; empty for the agent itself."""
    background: bool = False
    """Whether it was not waited for, so that its output is not what it printed."""


class Trace(Value, frozen=True):
    """The calls of one run, in order, under the id that `trace:<id>` refers to. `whole`: all that was done is in it."""

    id: str
    calls: tuple[ToolCall, ...] = ()
    whole: bool = True
    turns: Count = 0
    """How many messages of the person are in it."""
    asked: str = ""
    """The beginning of the last of them."""
