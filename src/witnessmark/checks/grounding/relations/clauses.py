"""The clauses of a sentence: the stretches between its commas, brackets and the words that join; and what stands around a place up to the next mark.

>>> text = "On Monday 23 came, and on Tuesday (a holiday) 34."
>>> [text[a:b] for a, b in clauses(text)]
['On Monday 23 came', 'on Tuesday', 'a holiday', '34.']
"""

from __future__ import annotations

import re

from witnessmark.text import lang
from witnessmark.text.patterns import compiled
from witnessmark.text.sentences import Span


@lang.derived
def _joint() -> re.Pattern[str]:
    return compiled(rf"[;,](?=\s)|[()]|\s[–—-](?=\s)|\b(?:{lang.either(lang.words('joining'))})\b", re.IGNORECASE)


def clauses(text: str) -> list[Span]:
    """Where the clauses of a text are, without the space around them; empty ones are none."""
    cuts = [0, *(end for joint in _joint().finditer(text) for end in joint.span()), len(text)]
    found = ((a + len(text[a:b]) - len(text[a:b].lstrip()), b) for a, b in zip(cuts[::2], cuts[1::2], strict=True))
    return [(a, a + len(text[a:b].rstrip())) for a, b in found if text[a:b].strip()]


_MARK = compiled(r"[,;:()]")


def around(text: str, start: int, end: int) -> tuple[str, str]:
    """What stands before and after a place, up to the nearest mark of punctuation on either side."""
    return _MARK.split(text[:start])[-1], _MARK.split(text[end:])[0]
