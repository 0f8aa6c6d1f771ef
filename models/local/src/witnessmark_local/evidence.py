"""Which sentences of a text a small model should read for a claim: cheap, deterministic, no model.

Sentences are taken greedily by the claim's words they cover that nothing taken so far covers, rare words counting more,
until the budget of words is full; what was taken is given back in its own order. A text within the budget is read whole.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

# Sentences, words and stop words as they were cut when the model was trained. Those of the package this one serves are cut otherwise:
# with them the model would be shown other evidence, and its scores would move. This package also stands without that one.
_END = re.compile(r"(?:(?<=[.!?])|(?<=[.!?][\"'”’)\]]))\s+(?=[\"'“‘(\[]?[A-Z0-9])|\n+")
_SHORT = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|Gen|Rep|Sen|Gov|Lt|Col|No|vs|etc|e\.g|i\.e|Inc|Ltd|Co|Corp|U\.S|U\.K|a\.m|p\.m)|\b[A-Z])\.$"
)
_WORD = re.compile(r"\w+(?:[.,]\d+)*")
_STOP = frozenset(
    (
        "a an and are as at be been but by can did do does for from had has have he her his how i in into is "
        "it its may more most no not of on or she so than that the their them there these they this those to "
        "was we were what when where which who will with would you your"
    ).split()
)

LEAF = 14
"""Below this many words a line on average, a text is a record; what is left of its budget goes to its short lines from the top."""


def sentences(text: str) -> list[str]:
    """The sentences of a text in order, without the white space between them."""
    parts: list[str] = []
    for part in _END.split(text):
        piece = part.strip()
        if not piece:
            continue
        if parts and _SHORT.search(parts[-1]):
            parts[-1] = f"{parts[-1]} {piece}"
        else:
            parts.append(piece)
    return parts


def stems(text: str) -> list[str]:
    """The words of a text in lower case, cut to a stem that survives the common endings."""
    return [_stem(word) for word in _WORD.findall(text.lower()) if word not in _STOP]


def _stem(word: str) -> str:
    if word[0].isdigit() or len(word) < 5:
        return word
    for end in ("ing", "ies", "ied", "es", "ed", "ly", "s"):
        if word.endswith(end) and len(word) - len(end) >= 4:
            return word[: -len(end)]
    return word


def chunks(parts: Sequence[str], most: int = 60) -> list[str]:
    """Sentences, those beyond `most` words cut, so that one run-on line cannot take the whole budget."""
    cut: list[str] = []
    for part in parts:
        words = part.split()
        cut.extend(" ".join(words[at : at + most]) for at in range(0, len(words), most))
    return cut


@lru_cache(maxsize=32)
def _parsed(text: str) -> tuple[list[str], list[set[str]], list[int], Counter[str]]:
    """Chunks of a text, their words, their sizes and how many chunks have each word; kept for the next claim."""
    parts = chunks(sentences(text))
    bags = [set(stems(part)) for part in parts]
    return parts, bags, [len(part.split()) for part in parts], Counter(word for bag in bags for word in bag)


def select(text: str, claim: str, budget: int = 100) -> str:
    """The part of `text`, at most about `budget` words, that says most about `claim`."""
    parts, bags, sizes, often = _parsed(text)
    if sum(sizes) <= budget:
        return text
    worth = {word: math.log(1 + len(parts) / (1 + often[word])) for word in set(stems(claim))}
    hits = [bag & worth.keys() for bag in bags]
    taken = _greedy(hits, sizes, worth, budget)
    if sum(sizes) < LEAF * len(sizes):
        _fill(taken, sizes, budget)
    return " ".join(parts[at] for at in sorted(taken))


def _fill(taken: set[int], sizes: Sequence[int], budget: int) -> None:
    left = budget - sum(sizes[at] for at in taken)
    for at, size in enumerate(sizes):
        if at not in taken and size <= LEAF and size <= left:
            taken.add(at)
            left -= size


def _greedy(hits: Sequence[set[str]], sizes: Sequence[int], worth: dict[str, float], budget: int) -> set[int]:
    """Places of the sentences taken; a word already covered counts a quarter; ties go to the earlier sentence.

    Sums are exact, since a set has its words in another order in every process.
    """
    left, covered, taken = budget, set[str](), set[int]()
    open_ = [at for at, hit in enumerate(hits) if hit] or list(range(len(hits)))
    while open_ and left > 8:
        scores = [
            math.fsum(worth[w] * (0.25 if w in covered else 1.0) for w in hits[at]) / (8 + sizes[at]) ** 0.5
            + (0.05 if at - 1 in taken or at + 1 in taken else 0.0)
            for at in open_
        ]
        best = open_.pop(max(range(len(scores)), key=scores.__getitem__))
        if sizes[best] > left and taken:
            continue
        taken.add(best)
        covered |= hits[best]
        left -= sizes[best]
    return taken
