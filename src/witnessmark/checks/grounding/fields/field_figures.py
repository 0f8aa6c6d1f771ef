"""The figures of a field, in the unit that its key names, and whether a figure is one of them."""

from __future__ import annotations

import functools

from witnessmark.checks.grounding.agreement import agrees
from witnessmark.text import lang
from witnessmark.text.numbers import Number, figures
from witnessmark.text.patterns import compiled
from witnessmark.text.records import Field
from witnessmark.text.units import units

_BARE = compiled(r"[-+−]?\d[\d.,]*")


def value_agrees(one: Number, field: Field, language: str) -> bool:
    """Whether a figure is the value of a field."""
    return any(
        agrees(one, theirs)
        or (
            abs(one.face - theirs.face) < 1e-9
            and one.negative == theirs.negative
            and not (one.dimension and theirs.dimension)
        )
        for theirs in stated_figures(field.path[-1], field.value, language)
    )


@functools.lru_cache(maxsize=4096)
def stated_figures(key: str, value: str, language: str) -> tuple[Number, ...]:
    """The figures of a value, in the unit that its key names: of `timeout ms: 1500` 1500 milliseconds."""
    unit = unit_of(key)
    text = f"{key}: {value} {unit}" if unit and _BARE.fullmatch(value.strip()) else f"{key}: {value}"
    return tuple(one for one in figures(text, language) if one.span[0] > len(key))


def unit_of(key: str) -> str:
    """The unit that ends a key of several words; empty where it says what the value is for (`per week`)."""
    row = key.lower().split()
    last = row[-1].strip("()[]") if len(row) > 1 else ""
    return last if last in units() and row[-2] not in lang.words("rates") else ""


lang.on_change(stated_figures.cache_clear)
