"""Claims of a response while it is still being written: each statement as soon as nothing after it can change it.

What is fed piece by piece gives the same statements, with the same spans, as the whole text would; only a line of several
sentences that is underlined afterwards, and so was a title, is given sentence by sentence.
"""

from __future__ import annotations

from witnessmark.checks.grounding.claims import claims
from witnessmark.checks.grounding.statement import Statement

_ENDS = ".!?…。！？"
_MARKS = _ENDS + "\n"
_CLOSING = "\"'”’»)]*_】」）"


class Stream:
    """Takes pieces of a response and gives its statements, read with the question it replies to; `text` is all that came so far."""

    def __init__(self, question: str = "") -> None:
        self.text, self._question = "", question
        self._given = 0
        self._due = False

    def feed(self, piece: str) -> list[Statement]:
        """The statements that this piece completed."""
        self.text += piece
        due, self._due = self._due or "\n" in piece, any(mark in piece for mark in _MARKS)
        if not due and not self._due:
            return []
        found = claims(self.text, self._question)
        return self._new(found[: _settled(self.text, found)])

    def close(self) -> list[Statement]:
        """The statements that were still open at the end."""
        return self._new(claims(self.text, self._question))

    def _new(self, found: list[Statement]) -> list[Statement]:
        fresh = [new for one in found if one.span[1] > self._given for new in self._rest(one)]
        if fresh:
            self._given = fresh[-1].span[1]
        return fresh

    def _rest(self, one: Statement) -> list[Statement]:
        """The statement; where its beginning was given already, as text, what of it was not."""
        if one.span[0] >= self._given:
            return [one]
        return [part for part in claims(self.text[: one.span[1]], self._question) if part.span[0] >= self._given]


def _settled(text: str, found: list[Statement]) -> int:
    """How many statements stay as they are: not the last sentence, nor a table that may still grow its header."""
    count = len(found) - 1
    if count > 0 and found[count].kind in ("heading", "title") and "\n" not in text[found[count].span[1] :]:
        count -= 1  # a bold line is a heading only until something follows it on the line
    if count > 0 and text[found[count].span[0]] in "[【":
        count -= 1
    while count > 0 and (_in_table(text, found[count]) or not _complete(text, found[count - 1])):
        count -= 1
    return max(count, 0)


def _in_table(text: str, one: Statement) -> bool:
    return one.kind == "table" or text[one.span[0]] == "|"


def _complete(text: str, one: Statement) -> bool:
    """Whether a statement ends its sentence, by a mark or at the end of its line."""
    if one.kind == "table":
        return True
    said = text[slice(*one.span)].rstrip(_CLOSING)
    return said[-1:] in _ENDS or text[one.span[1] : one.span[1] + 1] == "\n"
