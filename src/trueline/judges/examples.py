"""Worked examples for prompts, and what a set of them must have: good, mediocre and bad, across complexity levels."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from typing import Literal

from trueline.case import Complexity
from trueline.errors import ConfigError, InputError
from trueline.values import Unit, Value

Quality = Literal["good", "mediocre", "bad"]
_LEVELS: dict[str, tuple[int, ...]] = {"good": (4, 5), "mediocre": (3,), "bad": (1, 2)}


class Example(Value, frozen=True):
    """One piece of work, judged well."""

    quality: Quality
    complexity: Complexity
    criterion: str
    work: str
    reasoning: str
    score: Literal["1", "2", "3", "4", "5"]
    confidence: Unit


def load(text: str) -> tuple[Example, ...]:
    """Examples from TOML, `[[example]]` each."""
    try:
        return tuple(Example(**one) for one in tomllib.loads(text).get("example", ()))
    except (tomllib.TOMLDecodeError, InputError, TypeError) as exc:
        raise ConfigError(f"examples: {exc}") from None


def told(examples: Sequence[Example]) -> str:
    """The examples as a prompt shows them: the reasoning before the score."""
    if not examples:
        return ""
    return "\n\n".join(["Examples of judging, none of them about the work below:", *map(_told, examples)])


def _told(one: Example) -> str:
    return (
        f"Criterion: {one.criterion}\nWork ({one.complexity}): {one.work}\n"
        f"Reasoning: {one.reasoning}\nScore: {one.score} · Confidence: {one.confidence:g}"
    )


def lint(examples: Sequence[Example]) -> list[str]:
    """What is wrong with a set of examples; empty where nothing is."""
    found = [f"no {quality} example" for quality in _LEVELS if all(e.quality != quality for e in examples)]
    if len({e.complexity for e in examples}) < 3:
        found.append("fewer than three complexity levels")
    for number, one in enumerate(examples, 1):
        if int(one.score) not in _LEVELS[one.quality]:
            found.append(f"example {number} is called {one.quality} and scored {one.score}")
        if len(one.reasoning.split()) < 8:
            found.append(f"example {number} gives no reasoning to speak of")
    if len({e.work for e in examples}) < len(examples):
        found.append("the same work stands there twice")
    if examples and max(examples, key=lambda e: len(e.work)).quality == "good":
        found.append("the longest work is a good one, which teaches that long is good")
    if len(examples) > 1 and [e.quality for e in examples] == sorted(
        (e.quality for e in examples), key=list(_LEVELS).index
    ):
        found.append("they go from good to bad, which teaches an order")
    return found
