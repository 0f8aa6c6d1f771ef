"""The last words of the assistant in a transcript, for agents that do not send them along with a stop."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

MAX_DOCUMENT = 32_000_000
"""A longer document is not read: JSON of brackets takes twenty times its size in memory."""
_OURS = (b'"assistant', b'"agent_message"')
_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


def last_message(data: bytes) -> str:
    """The text of the assistant's last message that has any, in a transcript of any of the agents; empty where there is none."""
    return next(filter(None, map(_text_of, _backwards(data))), "")


def _backwards(data: bytes) -> Iterator[Any]:
    """The messages, the last one first: of one document (Gemini, OpenCode), or one a line (the others)."""
    if len(data) <= MAX_DOCUMENT:
        try:
            document = msgspec.json.decode(data)
        except _UNREADABLE:
            document = None
        if isinstance(document, dict) and isinstance(document.get("messages"), list):
            yield from reversed(document["messages"])
            return
    for line in reversed(data.split(b"\n")):
        if any(mark in line for mark in _OURS):
            try:
                yield msgspec.json.decode(line)
            except _UNREADABLE:
                continue


def _text_of(item: Any) -> str:
    """What the assistant says in one message; empty where it is not the assistant's."""
    if not isinstance(item, dict):
        return ""
    kind = item.get("type")
    if kind == "gemini":
        return _words(item.get("content"))
    if kind == "assistant.message":  # Copilot
        return _words(_object(item, "data").get("content"))
    if kind == "item.completed":  # codex exec
        inner = _object(item, "item")
        return _words(inner.get("text")) if inner.get("type") == "agent_message" else ""
    for holder in (_object(item, "message"), _object(item, "info"), _object(item, "payload"), item):
        if holder.get("role") == "assistant":
            return _words(_object(item, "message").get("content") or holder.get("content") or item.get("parts"))
    return ""


def _object(item: dict[str, Any], key: str) -> dict[str, Any]:
    found = item.get(key)
    return found if isinstance(found, dict) else {}


def _words(content: Any) -> str:
    """A text, or the texts among blocks; what was thought or called is not said."""
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    said = [b for b in blocks if isinstance(b, dict) and b.get("type", "text") in ("text", "output_text")]
    return "\n\n".join(block["text"] for block in said if isinstance(block.get("text"), str))
