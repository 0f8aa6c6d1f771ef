"""The figures of a field, in the unit that its key names, and whether a figure is one of them."""

from __future__ import annotations

import functools

from witnessmark.checks.grounding.agreement import agrees
from witnessmark.text import lang
from witnessmark.text.numbers import Number, figures
from witnessmark.text.records import Field


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
    """The figures of a value, in the unit that its key names."""
    return tuple(one for one in figures(f"{key}: {value}", language) if one.span[0] > len(key))


lang.on_change(stated_figures.cache_clear)
