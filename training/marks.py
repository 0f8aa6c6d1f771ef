"""Which words of a claim are wrong: spans of characters, from an edit or from braces around them. Knows no tokens."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

Spans = tuple[tuple[int, int], ...]
UNKNOWN = 2
_WORD = re.compile(r"\w+(?:[.,'’-]\w+)*|[^\w\s]")


def changed(was: str, now: str) -> Spans:
    """The parts of `now` that `was` did not have; where something was only taken out, the words on both sides of the gap."""
    old = [m.group().lower() for m in _WORD.finditer(was)]
    new = list(_WORD.finditer(now))
    spans: list[tuple[int, int]] = []
    for what, _, _, start, end in SequenceMatcher(
        None, old, [m.group().lower() for m in new], autojunk=False
    ).get_opcodes():
        if what == "equal" or not new:
            continue
        if what == "delete":
            start, end = max(0, start - 1), min(len(new), start + 1)
        spans.append((new[start].start(), new[end - 1].end()))
    return tuple(spans)


def braced(text: str) -> tuple[str, Spans]:
    """A text without its braces, and the spans that stood between them."""
    plain, spans = "", []
    for at, part in enumerate(re.split(r"[{}]", text)):
        if at % 2 and part.strip():
            spans.append((len(plain), len(plain) + len(part)))
        plain += part
    return plain, tuple(spans)
