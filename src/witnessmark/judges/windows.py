"""Long material in a judge's window: never cut silently. What is left out is marked, counted and told to the judge.

Selecting keeps what shares most words with what is asked, in its order; splitting keeps everything, in several parts. All of it
is a pure function of its input. Knows nothing about cases and asks nobody.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from witnessmark.judges.ask import phrase
from witnessmark.judges.metering import CHARS_A_TOKEN
from witnessmark.text.words import words

RESERVED_TOKENS = 3_000
"""Kept free for our words and the reply."""
USUAL_TOKENS = 19_000
"""The window of a judge that does not say: 48,000 characters of material, which every current model takes."""
LEAST_CHARS = 1_000
PIECE_CHARS = 1_200
SHORTEST_WORD = 3
"""Letters from which a word says what a piece is about."""


@dataclass(frozen=True, slots=True)
class MaterialWindow:
    """Material that fits, how much of all of it that is, and what to tell the judge about it."""

    material: dict[str, str]
    coverage: float
    note: str


def room(judge: object) -> int:
    """Characters of material that fit into the judge's window, which is told in tokens."""
    tokens = getattr(judge, "window", None)
    return max(LEAST_CHARS, ((USUAL_TOKENS if tokens is None else int(tokens)) - RESERVED_TOKENS) * CHARS_A_TOKEN)


def fit(material: Mapping[str, str], about: str, chars: int) -> MaterialWindow:
    """The material in so many characters: all of it where it fits, else the pieces that matter most, in their order.

    A text of which nothing is left in stays out; the marks of the gaps come on top of the characters.
    """
    total = sum(map(len, material.values()))
    if total <= chars:
        return MaterialWindow(dict(material), 1.0, "")
    size = min(PIECE_CHARS, max(chars // 4, 1))
    pieces = [(label, n, piece) for label, text in material.items() for n, piece in enumerate(split(text, size))]
    wanted = _words(about)
    order = sorted(range(len(pieces)), key=lambda i: (-_weight(pieces[i], wanted), i))
    chosen: set[int] = set()
    left = chars
    for i in order:
        if len(pieces[i][2]) <= left:
            chosen.add(i)
            left -= len(pieces[i][2])
    kept = {label: _kept(pieces, chosen, label) for label in material}
    share = round((chars - left) / total, 6)
    return MaterialWindow({label: text for label, text in kept.items() if text}, share, coverage_note(share))


def coverage_note(share: float) -> str:
    """What the judge is told about material that it does not see in full; nothing where it sees all."""
    return phrase("_shared", "seen", share=share) if share < 1 else ""


def capped(confidence: float, coverage: float) -> float:
    """Confidence that is never higher than the share of the material that was seen."""
    return min(confidence, coverage)


def _words(text: str) -> set[str]:
    return {word for word in words(text) if len(word) >= SHORTEST_WORD}


def _weight(piece: tuple[str, int, str], wanted: set[str]) -> float:
    """How much a piece matters: words shared with what is asked, a little for being the beginning of its text."""
    return len(_words(piece[2]) & wanted) + (0.5 if piece[1] == 0 else 0.0)


def _kept(pieces: Sequence[tuple[str, int, str]], chosen: set[int], label: str) -> str:
    """The chosen pieces of one text in order, with a mark for every gap."""
    out: list[str] = []
    gap = 0
    for i, (owner, _, piece) in enumerate(pieces):
        if owner != label:
            continue
        if i in chosen:
            out += [_mark(gap)] if gap else []
            out.append(piece)
            gap = 0
        else:
            gap += len(piece)
    if out and gap:
        out.append(_mark(gap))
    return "".join(out)


def _mark(gap: int) -> str:
    return phrase("_shared", "left_out", chars=gap) + "\n"


def split(text: str, chars: int) -> list[str]:
    """The text in parts of at most so many characters that together are the text; cut at paragraphs where that works."""
    parts: list[str] = []
    at = 0
    while at < len(text):
        end = min(at + chars, len(text))
        if end < len(text):
            end = _border(text, at, end)
        parts.append(text[at:end])
        at = end
    return parts


def _border(text: str, start: int, end: int) -> int:
    """The best place to cut before `end`: a blank line, a line, a sentence, a word; not in the first half."""
    for mark in ("\n\n", "\n", ". ", " "):
        found = text.rfind(mark, start + (end - start) // 2, end - len(mark) + 1)
        if found >= 0:
            return found + len(mark)
    return end
