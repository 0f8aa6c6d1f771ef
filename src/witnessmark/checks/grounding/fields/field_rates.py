"""What the amount of a cell is for: `$149 per user per month`, where its column is a price per month."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from witnessmark.checks.grounding.evidence import Index
from witnessmark.checks.grounding.fields.own_field import OneRecord
from witnessmark.text import lang, words
from witnessmark.text.numbers import Number, figures
from witnessmark.text.patterns import compiled
from witnessmark.text.records import Field
from witnessmark.text.units import units

_FOR = compiled(r"\s*(?:/|\b(?:per|an?|each|every)\s)\s*([^\W\d_]+)")
_HEADED = compiled(r"(?:/|\b(?:per|each|every))\s*([^\W\d_]+)")


def other_rates(
    claim: str, about: OneRecord, index: Index, agrees: Callable[[Number, Field], bool]
) -> Iterator[tuple[str, str, Field]]:
    """(amount with what it is for, source, the field) where a claim gives the amount of a cell for one thing more, or another time, than the cell does.

    Silent where any other cell of the row has the amount, or a source has it for that thing too.
    """
    for one in figures(claim, index.language):
        mine, end = _said(claim, one.span[1])
        cells = [field for field in about.fields if field.kind == "number" and agrees(one, field)] if mine else []
        if cells and all(_unlike(mine, _headed(field), field.path[-1].split(), index) for field in cells):
            yield claim[one.span[0] : end], about.source, cells[0]


def _said(claim: str, start: int) -> tuple[list[str], int]:
    """What follows an amount and says what it is for, and where that ends."""
    found: list[str] = []
    while (match := _FOR.match(claim.lower(), start)) is not None:
        found.append(match[1])
        start = match.end()
    return found, start


def _headed(field: Field) -> list[str]:
    return _HEADED.findall(f"{field.path[-1]} {field.value.lower()}")


def _unlike(mine: list[str], theirs: list[str], key: Sequence[str], index: Index) -> bool:
    ours, times = ({word: units()[word].factor for word in row if _is_time(word)} for row in (mine, theirs))
    if len(ours) == len(times) == 1 and set(ours.values()) != set(times.values()):
        return True
    more = [word for word in mine if words.stem(word) not in map(words.stem, theirs)]
    more = [word for word in more if word not in key]  # `price per user/month` is for each of both
    added = bool(theirs) and len(mine) > len(theirs) and len(more) == len(mine) - len(theirs)
    return added and not any(
        f"{rate} {word}" in index.text for word in more for rate in (*lang.words("rates"), "a", "an")
    )


def _is_time(word: str) -> bool:
    return word in units() and units()[word].dimension == "time"
