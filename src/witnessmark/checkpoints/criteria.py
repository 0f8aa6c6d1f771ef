"""The criteria of a case as places in a graph; every checkpoint takes them.

Criteria in words are read a few at a time: a place `reading` asks the judge once for its group, and each criterion has
a place of its own that settles it; one that is alone reads by itself. A principle is read alone, and so is what must pass at high stakes.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from typing import Any

from witnessmark.core.case import Case
from witnessmark.core.errors import InputError
from witnessmark.core.plans.checkpoints import CheckRef
from witnessmark.core.plans.criteria import REMEMBERED_BYTES, Criterion, criteria_in_json

PER_READING = 5
QUALITY = ("completeness", "accuracy", "relevance", "clarity")
MORE_QUALITY = ("depth", "professionalism", "safety")
Numbered = tuple[int, Criterion]


def places(case: Case, *, quality: bool = False) -> Iterable[CheckRef]:
    """One place for each criterion, in their order, and the readings they rest on."""
    asked = quality and _asked_quality(case)
    alone, written = case.stakes == "high", case.criteria_json()
    if isinstance(asked, bool) and len(written) <= REMEMBERED_BYTES:
        return _known_places(written, alone, asked)
    return _places(case.criteria, alone, asked)


@functools.lru_cache(maxsize=256)
def _known_places(written: bytes, alone: bool, quality: bool) -> tuple[CheckRef, ...]:
    """The places of criteria that many cases bring along, by their JSON: made once."""
    read = criteria_in_json(written)
    assert read is not None  # they are short
    return tuple(_places(read[0], alone, quality))


def _places(criteria: tuple[Criterion | str, ...], alone: bool, quality: object) -> Iterator[CheckRef]:
    dimensions = _dimensions(quality) if any(map(_in_words, criteria)) else ()
    judged: list[Numbered] = []
    for number, criterion in enumerate(criteria, start=1):
        assert isinstance(criterion, Criterion)
        if criterion.check is not None:
            yield _checked(criterion)
        else:
            judged.append((number, criterion))
    yield from _read(judged, alone, dimensions, _quality_weight(quality) if dimensions else 0.0)


def _in_words(criterion: Criterion | str) -> bool:
    return isinstance(criterion, Criterion) and criterion.check is None


def read_evidence(case: Case) -> bool:
    """Whether a criterion has the output held against its evidence: `grounding` does, and a judge is shown it."""
    return any(isinstance(one, Criterion) and one.check in (None, "grounding") for one in case.criteria)


def goal_as_criterion(case: Case) -> Iterator[CheckRef]:
    """Where a case names no criteria, its goal is the one to read the output by."""
    if case.goal:
        quality = _asked_quality(case)
        dimensions = _dimensions(quality)
        weight = _quality_weight(quality) if dimensions else 0.0
        yield from _read([(1, Criterion(text=case.goal))], case.stakes == "high", dimensions, weight)


def _checked(criterion: Criterion) -> CheckRef:
    assert criterion.check is not None
    return CheckRef(
        criterion.check,
        value=criterion.value,
        options=criterion.options,
        name=_named(criterion),
        weight=criterion.weight,
        must_pass=criterion.blocking,
        asked_by_case=True,
        gates=_gates(criterion),
    )


def _read(judged: list[Numbered], alone: bool, dimensions: tuple[str, ...], weight: float) -> Iterator[CheckRef]:
    """The places of criteria in words, with the dimensions of quality beside them; `alone` is what must pass read."""
    groups = _groups(judged, alone=alone)
    if dimensions and (not groups or groups[-1][0][1].needs or _reads_alone(groups[-1], alone)):
        groups.append([])
    for number, group in enumerate(groups, start=1):
        node = f"reading:{number}"
        last = number == len(groups)
        items = [_item(at, criterion) for at, criterion in group]
        items += [_dimension(name) for name in dimensions] if last else []
        if len(items) == 1:
            yield _judged(group[0][1], items[0])
            continue
        yield CheckRef("reading", value=items, name=node, weight=0.0, gates=_gates(group[0][1]) if group else ())
        for at, criterion in group:
            yield _judged(criterion, {"reading": node} | _item(at, criterion), after=(node,))
        if last and dimensions:
            options = {"reading": node, "dimensions": list(dimensions)}
            yield CheckRef("quality", options=options, needs=(node,), weight=weight)


def _asked_quality(case: Case) -> object:
    """What the context says of the dimensions of quality: they are reported unless it says false."""
    asked = case.context.get("quality", True)
    if asked is None or isinstance(asked, bool):
        return asked is not False
    if not isinstance(asked, dict):
        raise InputError(f"context.quality: must be true, false or an object, not {str(asked)[:40]!r}")
    if unknown := sorted(set(asked) - {"weight", "more"}):
        raise InputError(f"context.quality.{unknown[0]}: unknown field; known here: more, weight")
    return asked


def _quality_weight(asked: object) -> float:
    weight = asked.get("weight", 0.0) if isinstance(asked, dict) else 0.0
    if isinstance(weight, bool) or not isinstance(weight, (int, float)) or not 0 <= weight <= 1e6:
        raise InputError(f"context.quality.weight: must be a number from 0 to 1000000, not {str(weight)[:40]!r}")
    return float(weight)


def _judged(criterion: Criterion, value: dict[str, Any], after: tuple[str, ...] = ()) -> CheckRef:
    """The place of one criterion: it settles what its reading heard, or reads by itself where it is alone.

    It looks whatever became of the reading: what it can count needs no judge.
    """
    return CheckRef(
        "rubric",
        value=value,
        name=_named(criterion),
        after=after,
        weight=criterion.weight,
        must_pass=criterion.blocking,
        criterion=criterion.text,
        asked_by_case=True,
        gates=_gates(criterion),
    )


def _groups(judged: list[Numbered], *, alone: bool) -> list[list[Numbered]]:
    """Criteria that build on the same ones are read together, a few at a time."""
    lone = [one for one in judged if one[1].principle or (alone and one[1].blocking)]
    groups: list[list[Numbered]] = [[one] for one in lone]
    rest = [one for one in judged if one not in lone]
    for needs in dict.fromkeys(criterion.needs for _, criterion in sorted(rest, key=lambda one: -len(one[1].needs))):
        same = [one for one in rest if one[1].needs == needs]
        groups += [same[start : start + PER_READING] for start in range(0, len(same), PER_READING)]
    return groups


def _reads_alone(group: list[Numbered], alone: bool) -> bool:
    return group[0][1].principle or (alone and group[0][1].blocking)


def _item(number: int, criterion: Criterion) -> dict[str, Any]:
    told = {name: getattr(criterion, name) for name in ("scale", "met_threshold", "kind", "text")}
    kept = {name: value for name, value in told.items() if value is not None}
    marks = {"principle": criterion.principle, "must_pass": criterion.blocking}
    return {"key": f"c{number}"} | kept | {name: True for name, holds in marks.items() if holds}


def _dimension(name: str) -> dict[str, Any]:
    return {
        "key": name,
        "text": f"The {name} of the output as a whole.",
        "kind": name,
        "scale": "likert5",
        "resample": False,
    }


def _dimensions(asked: object) -> tuple[str, ...]:
    """The dimensions of quality that are reported: the usual ones, those the context names, or none where it says false."""
    more = asked.get("more", []) if isinstance(asked, dict) else []
    if asked is False:
        return ()
    unknown = [name for name in more if name not in MORE_QUALITY]
    if unknown:
        raise InputError(f"context.quality.more: {unknown[0]!r} is not one of {', '.join(MORE_QUALITY)}")
    return (*QUALITY, *more)


def _named(criterion: Criterion) -> str | None:
    return None if criterion.id is None else f"criterion:{criterion.id}"


def _gates(criterion: Criterion) -> tuple[str, ...]:
    return tuple(f"criterion:{need}" for need in criterion.needs)


SOMETHING_THERE = CheckRef("not_empty", weight=0.0, must_pass=True)
"""The guard of every text: an empty output fails, and being there earns nothing."""


def expected(case: Case) -> tuple[CheckRef, ...]:
    """The answer that was expected, where the case has one: what disagrees with it does not pass."""
    return () if case.reference is None else (AS_EXPECTED,)


AS_EXPECTED = CheckRef("reference", must_pass=True)
