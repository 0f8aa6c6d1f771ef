"""JSON as models write it: single quotes, bare keys, trailing commas, Python's words, a missing end.

Mends how a thing is written, never what it says: a value that was cut off in its middle is left out, a key that stands
twice is refused, and there are no comments, since one could hide the rest. Knows nothing about schemas.
"""

from __future__ import annotations

import re
from typing import Any

MAX_DEPTH = 40
_GAP = re.compile(r"\s*")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_BARE = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_WORDS = {"true": True, "false": False, "null": None, "True": True, "False": False, "None": None}
_QUOTES = {'"': '"', "'": "'", "“": "”"}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_AFTER_STRING = re.compile(r"\s*(?:[,:}\]]|$)")
_LEFT_OUT = object()


class NotReadableError(ValueError):
    """The text is not JSON that could be mended without guessing."""


def loads(text: str, start: int = 0) -> tuple[Any, int, bool]:
    """The value at `start`, where it ends, and whether its own end was there."""
    reader = _JsonReader(text, start)
    value = reader.value(0)
    if value is _LEFT_OUT:
        raise NotReadableError("it breaks off before its first value")
    return value, reader.at, not reader.cut


class _JsonReader:
    """One pass over a text."""

    def __init__(self, text: str, at: int) -> None:
        self.text, self.at, self.cut = text, at, False

    def peek(self) -> str:
        """The next character that means something, or nothing at the end."""
        found = _GAP.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return self.text[self.at : self.at + 1]

    def value(self, depth: int) -> Any:
        if depth > MAX_DEPTH:
            raise NotReadableError("it is nested too deeply")
        char = self.peek()
        if not char:
            self.cut = True
            return _LEFT_OUT
        if char == "{":
            return self.members(depth)
        if char == "[":
            return self.items(depth)
        return self.string() if char in _QUOTES else self.scalar()

    def members(self, depth: int) -> dict[str, Any]:
        """An object; what broke off is not in it."""
        self.at += 1
        found: dict[str, Any] = {}
        while True:
            char = self.peek()
            if char in ("}", ""):
                self.close(char)
                return found
            if char == ",":
                self.at += 1
                continue
            key = self.key()
            if self.peek() != ":":
                if self.cut or not self.peek():
                    self.cut = True
                    return found
                raise NotReadableError(f"the key at character {self.at} has no value")
            self.at += 1
            value = self.value(depth + 1)
            if key in found:
                raise NotReadableError(f"the key {key[:40]!r} appears twice")
            if value is not _LEFT_OUT:
                found[key] = value

    def items(self, depth: int) -> list[Any]:
        """A list; what broke off is not in it."""
        self.at += 1
        found: list[Any] = []
        while True:
            char = self.peek()
            if char in ("]", ""):
                self.close(char)
                return found
            if char == ",":
                self.at += 1
                continue
            value = self.value(depth + 1)
            if value is not _LEFT_OUT:
                found.append(value)

    def close(self, char: str) -> None:
        """Step over the bracket, or note that it is missing."""
        self.cut |= not char
        self.at += len(char)

    def key(self) -> str:
        if self.peek() in _QUOTES:
            return self.string()
        bare = _BARE.match(self.text, self.at)
        if bare is None:
            raise NotReadableError(f"there is no key at character {self.at}")
        self.at = bare.end()
        return bare.group()

    def string(self) -> str:
        """A string. A quote inside it ends it only where the text goes on as JSON does."""
        end = _QUOTES[self.text[self.at]]
        self.at += 1
        parts: list[str] = []
        while self.at < len(self.text):
            char = self.text[self.at]
            self.at += 1
            if char == "\\":
                parts.append(self.escaped())
            elif char == end and _AFTER_STRING.match(self.text, self.at):
                return "".join(parts)
            else:
                parts.append(char)
        self.cut = True
        return "".join(parts)

    def escaped(self) -> str:
        char = self.text[self.at : self.at + 1]
        self.at += 1
        if char == "u":
            digits = self.text[self.at : self.at + 4]
            if re.fullmatch(r"[0-9a-fA-F]{4}", digits) and not 0xD800 <= int(digits, 16) <= 0xDFFF:
                self.at += 4
                return chr(int(digits, 16))
            return "�"
        return _ESCAPES.get(char, char)

    def scalar(self) -> Any:
        """A word or a number; a number that touches the end of the text may be half of another, so it is left out."""
        found = _NUMBER.match(self.text, self.at) or _BARE.match(self.text, self.at)
        if found is None:
            raise NotReadableError(f"there is no value at character {self.at}")
        self.at = found.end()
        word = found.group()
        if word in _WORDS:
            return _WORDS[word]
        if self.at == len(self.text):
            self.cut = True
            return _LEFT_OUT
        if not _NUMBER.fullmatch(word):
            raise NotReadableError(f"a word without quotes at character {found.start()}")
        return int(word) if re.fullmatch(r"-?\d{1,18}", word) else _finite(word)


def _finite(word: str) -> float:
    value = float(word)
    if value in (float("inf"), float("-inf")):
        raise NotReadableError("a number too large to keep")
    return value
