"""Which sentences of a text a model reads for a claim that answers a question: those that `witnessmark_local.evidence.select` would take, with an eye on the question, each stretch behind the headings it stands under.

What models are trained with since run 22; no model that ships reads it yet.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from witnessmark_local.evidence import LEAF, chunks, sentences, stems

_MARKED = re.compile(r"(#{1,6})\s|(\*\*|__)(?=\S).*(?:\*\*|__):?$")
_LISTED = re.compile(r"[-*+•|>]\s|\d+[.)]\s|.*[|;]|.*\w: \S")

ASIDE = 0.5
"""What a word of the question counts that the claim does not have."""
QUESTION, HEADINGS = 40, 24
"""The words of a question that are looked at, and of the headings before a sentence that are shown: their last ones."""
HEADING = 12
"""The words that a line without a mark has at most if it is a heading."""
LEVEL = 7
"""The level of a heading without a mark of its own: below those of Markdown."""


@lru_cache(maxsize=32)
def _sections(text: str) -> tuple[list[str], list[str], list[set[str]], list[int], Counter[str]]:
    """Chunks of a text and the headings over each; the words of both together, the sizes of the chunks, and how many chunks have each word."""
    parts: list[str] = []
    over: list[str] = []
    for block in re.split(r"\n{2,}", text):  # a source of its own
        for chunk, headings in _under(chunks(sentences(block))):
            parts.append(chunk)
            over.append(headings)
    bags = [set(stems(f"{headings} {part}")) for headings, part in zip(over, parts)]
    return parts, over, bags, [len(part.split()) for part in parts], Counter(word for bag in bags for word in bag)


def _under(parts: Sequence[str]) -> list[tuple[str, str]]:
    """Each chunk of one source that is no heading, with the headings it stands under; a heading over nothing is a chunk."""
    levels = [_level(part, at == 0) for at, part in enumerate(parts)]
    found: list[tuple[str, str]] = []
    open_: list[tuple[int, str]] = []
    for at, (part, level) in enumerate(zip(parts, levels)):
        following = levels[at + 1] if at + 1 < len(parts) else 1
        heads_table = level == LEVEL and following == 0 and f"{part.split()[-1]}: " in parts[at + 1]
        if level and not heads_table and (following == 0 or (level < following and level < LEVEL)):
            open_ = [(high, name) for high, name in open_ if high < level] + [(level, part.strip("#*_: "))]
        else:
            found.append((part, " ".join(" – ".join(name for _, name in open_).split()[-HEADINGS:])))
    return found


def _level(part: str, first: bool) -> int:
    """How high a heading a chunk is, 1 the highest; 0 for one that is none. A source may begin with a title that ends like a sentence's part."""
    marked = _MARKED.match(part)
    if marked:
        return len(marked[1]) if marked[1] else LEVEL - 1
    short = len(part.split()) <= HEADING and not _LISTED.match(part) and part[-1] not in ".!?,"
    return (1 if first else LEVEL) if short else 0


def scoped(text: str, claim: str, question: str = "", budget: int = 160) -> str:
    """The part of `text`, at most about `budget` words, that says most about `claim` as an answer to `question`, each stretch behind the headings it stands under; the question before it all."""
    parts, over, bags, sizes, often = _sections(text)
    asked = " ".join(question.split(None, QUESTION)[:QUESTION])
    weights = dict.fromkeys(stems(asked), ASIDE) | dict.fromkeys(stems(claim), 1.0)
    worth = {word: share * math.log(1 + len(parts) / (1 + often[word])) for word, share in weights.items()}
    if sum(sizes) <= budget:
        taken = set(range(len(parts)))
    else:
        taken = _greedy([bag & worth.keys() for bag in bags], sizes, worth, budget, over)
        _fill(taken, sizes, budget - _shown(taken, over), LEAF if sum(sizes) < LEAF * len(sizes) else 0)
    told, last = [f"Question: {asked}\n"] if asked else [], ""
    for at in sorted(taken):
        if over[at] != last:
            told.append(f"Under {over[at]}:" if over[at] else "Elsewhere:")
        told.append(parts[at])
        last = over[at]
    return " ".join(told)


def _shown(taken: set[int], over: Sequence[str]) -> int:
    """The words of the headings over what was taken."""
    return sum(len(headings.split()) for headings in {over[at] for at in taken})


def _fill(taken: set[int], sizes: Sequence[int], budget: int, leaf: int) -> None:
    """Spend what is left: on the lines of a record, at most `leaf` words, from the top; of prose (0) on what stands beside what was taken."""
    left = budget - sum(sizes[at] for at in taken)
    beside = [at for one in sorted(taken) for at in (one + 1, one - 1) if 0 <= at < len(sizes)]
    for at in range(len(sizes)) if leaf else beside:
        if at not in taken and sizes[at] <= (leaf or left) and sizes[at] <= left:
            taken.add(at)
            left -= sizes[at]


def _greedy(
    hits: Sequence[set[str]], sizes: Sequence[int], worth: dict[str, float], budget: int, over: Sequence[str] = ()
) -> set[int]:
    """Places of the sentences taken; a word already covered counts a quarter; ties go to the earlier sentence. The headings over them count too, once each.

    Sums are exact, since a set has its words in another order in every process.
    """
    left, covered, taken, shown = budget, set[str](), set[int](), {""}
    open_ = [at for at, hit in enumerate(hits) if hit] or list(range(len(hits)))
    while open_ and left > 8:
        scores = [
            math.fsum(worth[w] * (0.25 if w in covered else 1.0) for w in hits[at]) / (8 + sizes[at]) ** 0.5
            + (0.05 if at - 1 in taken or at + 1 in taken else 0.0)
            for at in open_
        ]
        best = open_.pop(max(range(len(scores)), key=scores.__getitem__))
        headings = over[best] if over else ""
        size = sizes[best] + (0 if headings in shown else len(headings.split()))
        if size > left and taken:
            continue
        taken.add(best)
        shown.add(headings)
        covered |= hits[best]
        left -= size
    return taken
