"""Worked examples for prompts: which of a set are shown, and what a set must have.

Shown are one good (0.9 and up), one mediocre (0.6 to 0.7) and one bad (below 0.5), of as many levels of complexity as the set
allows. The lint says where a set would teach the wrong thing: all alike, too simple to tell anything, no edge case, an order
or a length that gives the score away.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import Literal

from witnessmark.core.case import Complexity
from witnessmark.core.errors import ConfigError, InputError
from witnessmark.core.values import Unit, Value

Quality = Literal["good", "mediocre", "bad"]
QUALITIES: tuple[Quality, ...] = ("good", "mediocre", "bad")
BANDS: dict[str, tuple[float, float, str]] = {
    "good": (0.9, 1.0, "0.9 and up"),
    "mediocre": (0.6, 0.7, "0.6 to 0.7"),
    "bad": (0.0, 0.499, "below 0.5"),
}
ALIKE = 0.5
"""The share of words two examples may have in common."""
TRIVIAL_WORDS = 4
REASONED_WORDS = 12
SHORTEST_WORD = 4
"""Letters from which a word is one of the example's own."""


class Example(Value, frozen=True):
    """One piece of work, judged well. `edge` says which edge case it shows, where it shows one."""

    quality: Quality
    complexity: Complexity
    criterion: str
    work: str
    reasoning: str
    score: Literal["1", "1.5", "2", "2.5", "3", "3.5", "4", "4.5", "5"]
    confidence: Unit
    edge: str = ""
    scale: Literal["likert5", "unit"] = "likert5"
    """How the prompt asks for scores; the example shows its own in the same way."""

    @property
    def value(self) -> float:
        """The score between 0 and 1."""
        return (float(self.score) - 1) / 4


def load(text: str) -> tuple[Example, ...]:
    """Examples from TOML, `[[example]]` each."""
    try:
        return tuple(Example(**one) for one in tomllib.loads(text).get("example", ()))
    except tomllib.TOMLDecodeError as exc:
        raise ConfigError(f"examples: not TOML: {exc}; each begins with [[example]]") from None
    except (InputError, TypeError) as exc:
        raise ConfigError(f"examples: {exc}") from None


def select(examples: Sequence[Example]) -> tuple[Example, ...]:
    """One good, one mediocre and one bad of these, in their order, of as many levels of complexity as there are."""
    groups = [[one for one in examples if _in_band(one, quality)] for quality in QUALITIES]
    missing = [quality for quality, group in zip(QUALITIES, groups, strict=True) if not group]
    if missing:
        raise ConfigError(f"examples: there is no {missing[0]} one ({BANDS[missing[0]][2]}); add it")
    best = max(product(*groups), key=lambda three: len({one.complexity for one in three}))
    return tuple(one for one in examples if any(one is chosen for chosen in best))


def _in_band(one: Example, quality: str) -> bool:
    low, high, _ = BANDS[quality]
    return one.quality == quality and low <= one.value <= high


def rendered(one: Example) -> str:
    """An example as a prompt shows it: the reasoning before the score."""
    return (
        f"Criterion: {one.criterion}\nWork ({one.complexity}): {one.work}\n"
        f"Reasoning: {one.reasoning}\nScore: {_shown(one)} · Confidence: {one.confidence:g}"
    )


def _shown(one: Example) -> str:
    return one.score if one.scale == "likert5" else f"{one.value:.2f}"


# --- lint ---------------------------------------------------------------------------------------------------------


def lint(examples: Sequence[Example]) -> list[str]:
    """What is wrong with a set of examples; empty where nothing is."""
    return [*_of_the_set(examples), *_of_each(examples), *_of_pairs(examples)]


def _of_the_set(examples: Sequence[Example]) -> Iterator[str]:
    for quality in QUALITIES:
        if all(one.quality != quality for one in examples):
            yield f"no {quality} example"
    if len({one.complexity for one in examples}) < 3:
        yield "fewer than three complexity levels"
    if not any(one.edge for one in examples):
        yield "no edge case: say with `edge` which one an example shows"
    if examples and max(examples, key=lambda one: len(one.work)).quality == "good":
        yield "the longest work is a good one, which teaches that long is good"
    ranks = [QUALITIES.index(one.quality) for one in examples]
    if len(ranks) > 1 and ranks == sorted(ranks):
        yield "they go from good to bad, which teaches an order"


def _of_each(examples: Sequence[Example]) -> Iterator[str]:
    for number, one in enumerate(examples, 1):
        if not _in_band(one, one.quality):
            yield f"example {number} is called {one.quality} ({BANDS[one.quality][2]}) and scored {one.score}: {one.value:.2f}"
        if min(len(one.work.split()), len(one.criterion.split())) < TRIVIAL_WORDS:
            yield f"example {number} is trivial: too little work or criterion to judge anything by"
        if len(one.reasoning.split()) < REASONED_WORDS:
            yield f"example {number} gives no reasoning to speak of"
        elif len(_words(one.reasoning) & _words(f"{one.criterion} {one.work}")) < 2:
            yield f"example {number} reasons about something else than its work"


def _of_pairs(examples: Sequence[Example]) -> Iterator[str]:
    for (first, one), (second, other) in combinations(enumerate(examples, 1), 2):
        mine, theirs = _words(f"{one.criterion} {one.work}"), _words(f"{other.criterion} {other.work}")
        if one.work == other.work:
            yield f"examples {first} and {second} have the same work"
        elif mine and theirs and len(mine & theirs) > ALIKE * min(len(mine), len(theirs)):
            yield f"examples {first} and {second} are nearly the same: a set of one kind teaches one kind"


def _words(text: str) -> set[str]:
    from witnessmark.text.words import words  # here: only whoever looks through a set of examples needs it

    return {word for word in words(text) if len(word) >= SHORTEST_WORD and word[0].isalpha()}
