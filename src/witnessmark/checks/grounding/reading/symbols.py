"""The signs of a text that say something where words do not: `x > 3` and `x < 3`, `A-` and `A+`, `C` and `C++`, 5 and -5, 3 MB and 3 Mb.

>>> signs("The limit is ≥ 5 bar."), signs("It fell by -3 %"), signs("C++ and a well-known A-")
(('≥',), ('-', '%'), ('++', '-'))
"""

from __future__ import annotations

import functools

from witnessmark.text import lang, words
from witnessmark.text.patterns import compiled

_AS_WRITTEN = {"−": "-", "–": "-", "<=": "≤", ">=": "≥", "!=": "≠"}
_SIGN = compiled(
    r"[≤≥≠±≈↑↓]|(?<![\w%°])[<>]=?(?=\s*[-+−.]?\d)|(?<=\w)\s?(?:[<>]=?|!=)(?=\s?\d)|(?<=\w )(?:[<>]=?|!=)(?= \w)"  # comparisons
    r"|(?<![\w)%°])[-−–](?=[\d.])|(?<![\w\s)])[-−](?=\d)"  # below zero
    r"|(?<=\d)\s?\+(?=\s?\d)|(?<=[^\W\d_])\+{1,2}(?![\w+])|(?<=\b[^\W\d_])[-−](?![\w-])|(?<=[^\W\d_])\#|(?<!\w)!(?=\w)"  # grades, languages, a denial in code
    r"|[%$€£¥]|(?<=\d)\s?(?:[KMGTP]i?[bB]|[mM](?:W|Hz|V|A|J|Pa))\b"  # money, megabytes and megabits, milliwatts and megawatts
)


@functools.lru_cache(maxsize=4096)
def signs(text: str) -> tuple[str, ...]:
    """The signs of a text that change what it says, in order, each in one way of writing it; `+12` is no other than 12."""
    return tuple([_AS_WRITTEN.get(one, one) for one in (match.group().strip() for match in _SIGN.finditer(text))])


_SOFT = frozenset("%$€£¥±≈")
"""Those that one text may leave out and say the same."""


def differ(one: str, other: str) -> bool:
    """Whether two texts of the same words say otherwise by a sign; what a figure is of may be left out, and of a fall the minus.

    >>> differ("x > 3", "x < 3"), differ("5", "5 %"), differ("$5", "€5"), differ("a fall of -3", "a fall of 3")
    (True, False, True, False)
    """
    falls = not lang.words("falling").isdisjoint(words.words(one))
    hard, soft = (
        [[x for x in signs(text) if (x in _SOFT) == is_soft] for text in (one, other)] for is_soft in (False, True)
    )
    if falls:
        hard = [[x for x in row if x != "-"] for row in hard]
    return hard[0] != hard[1] or (len(soft[0]) == len(soft[1]) and soft[0] != soft[1])


_BARE = compiled(r"[\w\s.,;:!?\"'“”‘’„«»()\[\]{}*`…-]|[−–—]|[%$€£¥±≈~@+<>≤≥≠=#]")


def marks(text: str) -> tuple[str, ...]:
    """All other signs of a text that are no punctuation: a slash, a caret, an emoji."""
    return tuple(_BARE.sub("", text))
