"""The figures of a field, in the unit that its key names, and whether a figure is one of them."""

from __future__ import annotations

from collections.abc import Sequence

from witnessmark.checks.grounding.agreement import agrees, comparable
from witnessmark.checks.grounding.evidence import ClaimInEvidence
from witnessmark.checks.grounding.reading.questions import is_polar
from witnessmark.checks.grounding.reading.speech import instructs
from witnessmark.text import lang
from witnessmark.text.numbers import Number, figures
from witnessmark.text.patterns import compiled
from witnessmark.text.records import Field
from witnessmark.text.units import units

CALENDAR = 0.03
"""By how much of it a span in days may differ from the same in months: 90 days are three months."""
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


@lang.kept(4096)
def stated_figures(key: str, value: str, language: str) -> tuple[Number, ...]:
    """The figures of a value, in the unit that its key names: of `timeout ms: 1500` 1500 milliseconds."""
    unit = unit_of(key)
    text = f"{key}: {value} {unit}" if unit and _BARE.fullmatch(value.strip()) else f"{key}: {value}"
    return tuple(one for one in figures(text, language) if one.span[0] > len(key))


def unit_of(key: str) -> str:
    """The unit that ends a key of several words; empty where it says what the value is for (`per week`).

    >>> unit_of("timeout ms"), unit_of("nitrate (mg l)"), unit_of("per week")
    ('ms', 'mg', '')
    """
    return _parted(key)[1]


def without_unit(key: str) -> str:
    """A key without the unit at its end: `nitrate` of `nitrate mg l`."""
    return _parted(key)[0]


def _parted(key: str) -> tuple[str, str]:
    """What a key names, and the unit that ends it; of one for each of another (`mg/l`) the first."""
    row = [word.strip("()[]") for word in key.lower().split()]
    if len(row) < 2 or row[-1] not in units() or row[-2] in lang.words("rates") or row[-2].isdigit():
        return key, ""  # `after 4 years` says when, and not in what
    size = 2 if len(row) > 2 and _is_rate(*row[-2:]) else 1
    return " ".join(key.split()[:-size]), row[-size]


def _is_rate(one: str, other: str) -> bool:
    """Whether two words at the end of a key are one unit for each of another: `mg l`, not `wait min`."""
    return one in units() and units()[one].dimension != units()[other].dimension


def is_asked_for(this: ClaimInEvidence, one: Number, fields: Sequence[tuple[str, Field]]) -> bool:
    """Whether a claim tells to set a field to what the question wants it to be: `keep_days: 90` to keep backups for three months."""
    if not (this.is_code or instructs(this.claim)) or is_polar(this.goal):
        return False
    said = this.claim[slice(*one.span)]
    new = [stated for _, field in fields for stated in stated_figures(field.path[-1], said, this.language)]
    wanted = figures(this.goal, this.language)
    return any(comparable(a, b) and abs(a.low - b.low) <= CALENDAR * b.low for a in wanted for b in new)
