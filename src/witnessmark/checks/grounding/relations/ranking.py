"""Which is most and which is more, worked out from the figures that a passage gives for each thing by name.

Silent unless the passage gives one figure of one kind for each of several names, in turn: `24 at Elm Road, 19 at St Bride's`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from witnessmark.checks.grounding.evidence import Passage
from witnessmark.text import lang, words
from witnessmark.text.names import Name
from witnessmark.text.numbers import figures

_CAPITAL = re.compile(r"(?<!\w)[A-ZÀ-ÖØ-Þ][\w'’&-]*(?:\s+[A-ZÀ-ÖØ-Þ][\w'’&-]*)*")
LEAST_RANKED = 2


@dataclass(frozen=True, slots=True)
class Ranked:
    """A name with the figure that a passage gives for it."""

    stems: frozenset[str]
    value: float


@lang.derived
def _superlatives() -> dict[str, tuple[int, bool]]:
    """Which end of a row a superlative means, and whether it is of time: the oldest has the earliest date."""
    return _ends("most")


@lang.derived
def _comparatives() -> dict[str, tuple[int, bool]]:
    return _ends("more")


def _ends(name: str) -> dict[str, tuple[int, bool]]:
    kinds = (("up", 1, False), ("down", -1, False), ("late", 1, True), ("early", -1, True))
    found: dict[str, tuple[int, bool]] = {}
    for kind, end, timed in kinds:
        for table in lang.section("ranking", name):
            found |= dict.fromkeys(table.get(kind, "").split(), (end, timed))
    return found


def contradicted(claim: str, passage: Passage) -> tuple[str, bool] | None:
    """(the word that ranks, whether the passage's figures say otherwise); None where they do not tell."""
    row = words.words(claim)
    most = [word for word in row if word in _superlatives()]
    more = [word for word in row if word in _comparatives()]
    if len(most) + len(more) != 1 or (more and "than" not in row) or not lang.words("negations").isdisjoint(row):
        return None
    if figures(claim):
        return None  # `the third-most with five` says its figure itself
    word = (most or more)[0]
    end, timed = (_superlatives() if most else _comparatives())[word]
    ranked = _ranked(passage, timed=timed)
    if len(ranked) < LEAST_RANKED:
        return None
    said = _in_order(claim, ranked)
    if most:
        return (word, said[0].value != _extreme(ranked, end)) if len(said) == 1 else None
    if len(said) != 2 or said[0].value == said[1].value:
        return None
    return word, (said[0].value > said[1].value) != (end > 0)


def _extreme(ranked: list[Ranked], end: int) -> float:
    return (max if end > 0 else min)(one.value for one in ranked)


def _in_order(claim: str, ranked: list[Ranked]) -> list[Ranked]:
    """Those of the ranked that a claim names, in the order it names them."""
    row = [words.stem(word) for word in words.words(claim)]
    places = [
        (row.index(stem), one) for one in ranked for stem in sorted(one.stems) if stem in row and one.stems <= set(row)
    ]
    found: list[Ranked] = []
    for _, one in sorted(places, key=lambda place: place[0]):
        if one not in found:
            found.append(one)
    return found


def _ranked(passage: Passage, *, timed: bool) -> list[Ranked]:
    """Names and figures that take turns in a passage, each name with its figure; empty where they do not take turns."""
    if timed:
        given = [(date.span, float(date.first)) for date in passage.dates if date.first is not None]
    else:
        kinds = {figure.dimension for figure in passage.figures}
        best = max(kinds, key=lambda kind: sum(f.dimension == kind for f in passage.figures), default="")
        given = [(f.span, f.low) for f in passage.figures if f.dimension == best and not f.is_range]
    names = _names(passage.text)
    turns = sorted(
        [(span[0], "figure", n) for n, (span, _) in enumerate(given)]
        + [(n.span[0], "name", k) for k, n in enumerate(names)]
    )
    while len(turns) > 1 and turns[0][1] == "name" and (turns[1][1] == "name" or len(turns) % 2):
        turns.pop(0)  # what the passage is about stands before the row
    kinds_in_turn = [kind for _, kind, _ in turns]
    if (
        len(turns) < 2 * LEAST_RANKED
        or len(turns) % 2
        or kinds_in_turn != kinds_in_turn[:2] * (len(turns) // 2)
        or kinds_in_turn[0] == kinds_in_turn[1]
    ):
        return []
    name_first = kinds_in_turn[0] == "name"
    pairs = [
        (turns[n][2], turns[n + 1][2]) if name_first else (turns[n + 1][2], turns[n][2])
        for n in range(0, len(turns), 2)
    ]
    return [Ranked(frozenset(names[name].stems), given[figure][1]) for name, figure in pairs]


def _names(text: str) -> list[Name]:
    """Capitalised words, those that open the sentence too, apart from small words and months."""
    found = []
    for match in _CAPITAL.finditer(text):
        parts = [
            word for word in match.group().split() if word.lower() not in lang.words("not_names") | words.stop_words()
        ]
        stems = tuple(words.content(" ".join(parts)))
        if stems:
            found.append(Name(match.group(), match.span(), stems))
    return found
