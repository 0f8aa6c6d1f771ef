"""Which sentences of a text a small model should read for a claim: cheap, deterministic, no model.

Sentences are taken greedily by the claim's words they cover that nothing taken so far covers, rare words counting more,
until the budget of words is full; what was taken is given back in its own order, each stretch behind the headings it stands under.
The words of the question that the claim answers count too. A text within the budget is read whole.
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

_MARKED = re.compile(r"(#{1,6})\s|(\*\*|__)(?=\S).*(?:\*\*|__):?$")
_LISTED = re.compile(r"[-*+•|>]\s|\d+[.)]\s|.*[|;]|.*\w: \S")

LEAF = 14
"""Below this many words a line on average, a text is a record; what is left of its budget goes to its short lines from the top."""
ASIDE = 0.5
"""What a word of the question counts that the claim does not have."""
QUESTION, HEADINGS = 40, 24
"""The words of a question that are looked at, and of the headings before a sentence that are shown: their last ones."""
HEADING = 12
"""The words that a line without a mark has at most if it is a heading."""
LEVEL = 7
"""The level of a heading without a mark of its own: below those of Markdown."""


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
def _sections(text: str) -> tuple[list[str], list[str], list[set[str]], list[int], Counter[str]]:
    """Chunks of a text and the headings over each; the words of both together, the sizes of the chunks, and how many chunks have each word."""
    parts: list[str] = []
    over: list[str] = []
    for block in re.split(r"\n{2,}", text):  # a source of its own
        for chunk, headings in _under(chunks(sentences(block))):
            parts.append(chunk)
            over.append(headings)
    bags = [set(stems(f"{headings} {part}")) for headings, part in zip(over, parts, strict=True)]
    return parts, over, bags, [len(part.split()) for part in parts], Counter(word for bag in bags for word in bag)


def _under(parts: Sequence[str]) -> list[tuple[str, str]]:
    """Each chunk of one source that is no heading, with the headings it stands under; a heading over nothing is a chunk."""
    levels = [_level(part, at == 0) for at, part in enumerate(parts)]
    found: list[tuple[str, str]] = []
    open_: list[tuple[int, str]] = []
    for at, (part, level) in enumerate(zip(parts, levels, strict=True)):
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


def select(text: str, claim: str, question: str = "", budget: int = 160) -> str:
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
    hits: Sequence[set[str]], sizes: Sequence[int], worth: dict[str, float], budget: int, over: Sequence[str]
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
        headings = over[best]
        size = sizes[best] + (0 if headings in shown else len(headings.split()))
        if size > left and taken:
            continue
        taken.add(best)
        shown.add(headings)
        covered |= hits[best]
        left -= size
    return taken
