"""Everything that a session was given and printed, gathered once, to look for words in. Knows nothing about claims."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from witnessmark.actions.trace.calls import output_of
from witnessmark.actions.trace.trace import ToolCall
from witnessmark.text.patterns import compiled

CUT = compiled(
    r"\b(?:truncated|left out|omitted|elided)\b|\bcharacters\b|\bmore lines\b|\[\.\.\.|…\s*$",
    re.IGNORECASE | re.MULTILINE,
)
"""Words that stand for a part of an output that is not shown: what nobody sees may have stood in it."""


@dataclass(frozen=True)
class SessionTexts:
    """The texts of some calls: what they were given, and what they printed."""

    calls: Sequence[ToolCall]

    @cached_property
    def shown(self) -> tuple[str, ...]:
        """What each call printed."""
        return tuple(map(output_of, self.calls))

    @cached_property
    def given(self) -> tuple[str, ...]:
        """Every text and figure that the calls were given, without the names of the fields."""
        return tuple(text for call in self.calls for text in _texts(call.input, keys=False))

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """The names of the fields of what the calls were given: a file may be one."""
        return tuple(dict.fromkeys(text for call in self.calls for text in _texts(call.input, keys=True)))

    @cached_property
    def printed(self) -> str:
        """All that was printed."""
        return "\n".join(self.shown)

    @cached_property
    def size(self) -> int:
        """How many characters were given and printed."""
        return sum(map(len, self.shown)) + sum(map(len, self.given))

    @cached_property
    def cut(self) -> bool:
        """Whether a part of what was printed is not shown."""
        return any(CUT.search(text) for text in self.shown)

    def has(self, words: str) -> bool:
        """Whether these words, as they are written, were given or printed."""
        return any(words in text for texts in (self.shown, self.given, self.fields) for text in texts)


def _texts(value: Any, *, keys: bool) -> Iterator[str]:
    """The texts and figures in a value, or the names of its fields."""
    stack = [value]
    while stack:
        inner = stack.pop()
        if isinstance(inner, dict):
            stack += inner.values()
            yield from inner if keys else ()
        elif isinstance(inner, list | tuple):
            stack += inner
        elif isinstance(inner, str) and not keys:
            yield inner
        elif isinstance(inner, int | float) and not keys:
            yield str(inner)
