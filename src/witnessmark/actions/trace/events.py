"""What a trace is made of while it is read: a tool was called, an earlier call returned; and small readers of JSON values."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec

from witnessmark.text.patterns import compiled


@dataclass(frozen=True, slots=True)
class CallEvent:
    """A tool was called; what it returned may be known already."""

    id: str
    name: str
    input: Any = None
    output: Any = None
    exit_code: int | None = None
    ok: bool | None = None
    at: float | None = None
    by: str = ""


@dataclass(frozen=True, slots=True)
class TurnEvent:
    """The person said something: a turn begins. `continued`: earlier turns stand elsewhere, and only their summary is here."""

    continued: bool = False
    text: str = ""


@dataclass(frozen=True, slots=True)
class ReturnEvent:
    """What an earlier call returned."""

    id: str
    output: Any = None
    exit_code: int | None = None
    ok: bool | None = None
    background: bool = False


@dataclass(frozen=True, slots=True)
class UnknownItem:
    """An item of a kind that is not known here; a trace of nothing else was not read."""

    kind: str


Event = CallEvent | ReturnEvent | TurnEvent | UnknownItem | str


_EXIT = compiled(
    r"\A\s{0,8}(?:Error: )?(?:Exit code:? |Process exited with code |Command failed with exit code )(-?\d{1,5})\b"
)
_EXIT_LATER = compiled(
    r"^(?:Process exited with code |[\[<]?exit(?:ed with)?(?: exit)?(?: code| status)?[:=]? ?)(-?\d{1,5})[\]>]?\s*$",
    re.MULTILINE,
)


def exit_code_in(output: Any) -> int | None:
    """The exit code that a tool's output states, in its data or in its own first or last words."""
    if isinstance(output, dict):
        inner = output.get("metadata")
        for holder in (output, inner if isinstance(inner, dict) else {}):
            for key in ("exit_code", "exitCode", "returncode", "return_code"):
                if is_int(holder.get(key)):
                    return int(holder[key])
        return None
    if not isinstance(output, str):
        return None
    match = _EXIT.match(output) or _EXIT_LATER.search(output[-400:])
    return int(match.group(1)) if match else None


def first(holder: dict[str, Any], *keys: str) -> Any:
    """The value of the first of these keys that has one."""
    return next((holder[key] for key in keys if holder.get(key) is not None), None)


def is_int(value: Any) -> bool:
    """Whether a value is a whole number; true and false are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def text_of(value: Any) -> str:
    """A value as text; nothing is the empty text."""
    return value if isinstance(value, str) else "" if value is None else str(value)


def decoded(value: Any) -> Any:
    """Arguments that came as a JSON text, decoded; a text that is not JSON stays a text."""
    if not isinstance(value, str) or value[:1] not in "{[":
        return value
    try:
        return msgspec.json.decode(value)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return value


def time_of(value: Any) -> float | None:
    """Seconds since 1970 from a number or an ISO time."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    if isinstance(value, str):
        try:
            return datetime.fromisoformat(value).timestamp()
        except (ValueError, OverflowError):
            return None
    return None


def list_of(holder: Any, key: str) -> list[Any]:
    """The list under a key, or an empty one."""
    found = holder.get(key) if isinstance(holder, dict) else None
    return found if isinstance(found, list) else []
