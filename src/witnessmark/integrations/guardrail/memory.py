"""What an answer may rest on, from the messages of its call, kept until the answer comes. Bounded; gone with the process."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

MOST_CALLS = 4096
MOST_CHARS = 64 << 20


@dataclass(frozen=True, slots=True)
class CallContext:
    """What was asked last, the texts an answer may rest on, by id, and the model that was asked."""

    goal: str = ""
    sources: tuple[tuple[str, str], ...] = ()
    model: str | None = None

    @property
    def size(self) -> int:
        """In characters."""
        return len(self.goal) + len(self.model or "") + sum(len(name) + len(text) for name, text in self.sources)


NOTHING = CallContext()


class GuardrailMemory:
    """Calls under way, by workspace and id; the oldest are forgotten first."""

    def __init__(self, most_calls: int = MOST_CALLS, most_chars: int = MOST_CHARS) -> None:
        self._held: OrderedDict[tuple[str, str], CallContext] = OrderedDict()
        self._most_calls, self._most_chars, self._chars = most_calls, most_chars, 0

    def remember(self, place: tuple[str, str], held: CallContext) -> None:
        """Keep it; a call without an id cannot be found again and is not kept."""
        if not place[1] or held.size > self._most_chars:
            return
        self._forget(place)
        self._held[place] = held
        self._chars += held.size
        while len(self._held) > self._most_calls or self._chars > self._most_chars:
            self._forget(next(iter(self._held)))

    def recall(self, place: tuple[str, str]) -> CallContext:
        """What is known of the call; an answer that is streamed asks several times."""
        return self._held.get(place, NOTHING)

    def _forget(self, place: tuple[str, str]) -> None:
        gone = self._held.pop(place, None)
        self._chars -= gone.size if gone is not None else 0


def held_in(messages: Sequence[Mapping[str, Any]], roles: Sequence[str], model: str | None = None) -> CallContext:
    """The last question, and the messages of these roles as sources named by role and number."""
    said = [(str(message.get("role", "")), _text(message.get("content"))) for message in messages]
    goal = next((text for role, text in reversed(said) if role == "user" and text), "")
    sources = [(f"{role}-{number}", text) for number, (role, text) in enumerate(said, 1) if role in roles and text]
    return CallContext(goal, tuple(sources), model)


def _text(content: Any) -> str:
    """A message's text: whole, or its text parts."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    parts = [part.get("text") for part in content if isinstance(part, Mapping)]
    return "\n".join(part for part in parts if isinstance(part, str))
