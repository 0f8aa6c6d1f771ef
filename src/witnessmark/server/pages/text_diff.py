"""Two texts side by side, word by word: what was taken out and what was put in. Knows nothing about records."""

from __future__ import annotations

import difflib
import re
from typing import NamedTuple

MOST_WORDS = 8_000
"""Above this many pieces a text is compared line by line, which is coarser and quick."""
_WORD = re.compile(r"\s+|[^\s\w]|\w+")


class Change(NamedTuple):
    """A stretch of text that stayed (``same``), was taken out (``out``) or put in (``in``)."""

    kind: str
    text: str


def changes(old: str, new: str) -> list[Change]:
    """What turns the old text into the new one, in order."""
    before, after = _WORD.findall(old), _WORD.findall(new)
    if max(len(before), len(after)) > MOST_WORDS:
        before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    found: list[Change] = []
    for tag, a, b, c, d in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            found.append(Change("same", "".join(before[a:b])))
            continue
        if b > a:
            found.append(Change("out", "".join(before[a:b])))
        if d > c:
            found.append(Change("in", "".join(after[c:d])))
    return found
