"""The clauses of a sentence and the words each is about. Found by marks and joining words; no grammar.

>>> text = "The mill burned down in 1880, and Tom Ash, a baker, bought the site."
>>> [sorted(stems_of(text, *span)) for span in clauses(text, [(25, 29)])]
[['1880', 'burn', 'mill'], ['ash', 'tom'], ['baker'], ['buy', 'sit']]
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from witnessmark.text import lang, words
from witnessmark.text.sentences import Span


@lang.derived
def _border() -> re.Pattern[str]:
    return re.compile(rf"[,:](?=\s)|[;()–—]|\b(?:{lang.either(lang.words('joining'))})\b", re.IGNORECASE)


def masked(text: str, spans: Sequence[Span]) -> str:
    """A text of the same length with some places blank."""
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def stems_of(text: str, start: int = 0, end: int | None = None) -> frozenset[str]:
    """The words of a stretch that carry meaning."""
    return frozenset(words.content(text[start:end]))


def clauses(text: str, values: Sequence[Span], leading: Sequence[Span] = ()) -> list[Span]:
    """Where the clauses of a sentence lie.

    One that has nothing but `values` goes with the one before it; the first goes with the next, and so does one with something
    `leading` in it: `three years later, …`.
    """
    plain = masked(text, values)
    cuts = list(_border().finditer(plain))
    found: list[Span] = []
    waiting: int | None = None
    for start, end in zip([0, *(cut.end() for cut in cuts)], [*(cut.start() for cut in cuts), len(text)], strict=True):
        begin = start if waiting is None else waiting
        if stems_of(plain, start, end):
            found.append((begin, end))
            waiting = None
        elif not found or waiting is not None or any(start <= one[0] < end for one in leading):
            waiting = begin
        else:
            found[-1] = (found[-1][0], end)
    if waiting is not None and found:
        found[-1] = (found[-1][0], len(text))
    return found or [(0, len(text))]
