"""What an output must satisfy, and the criteria that many cases bring along: read once, from JSON and from builtins."""

from __future__ import annotations

import functools
import marshal
from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from witnessmark.core.errors import InputError
from witnessmark.core.values import Unit, Value, Weight, canonical

Scale = Literal["likert5", "unit", "binary", "match"]
SCORING_MODES: Mapping[str, Scale] = {"rubric": "likert5", "binary": "binary", "criteria_match": "match"}
"""The scale of criteria in words that name none, by the case's `context.scoring_mode`."""
CriterionKind = Literal["completeness", "accuracy", "relevance", "clarity", "depth", "professionalism", "safety"]
REMEMBERED_BYTES = 8_192
"""Up to which criteria are remembered as they were read."""
NO_WORDS = "a criterion needs words; say what the output must satisfy"


class Criterion(Value, frozen=True):
    """One thing the output must satisfy: in words for a judge, or by the name of a deterministic check."""

    text: str | None = None
    check: str | None = None
    value: Any = None
    """The check's first option; a mapping names several."""
    options: dict[str, Any] = {}
    """The check's options by name."""
    weight: Weight = 1.0
    must_pass: bool | None = None
    id: str | None = None
    needs: tuple[str, ...] = ()
    """Ids of criteria that must be met first; where one is not, this one is skipped."""
    scale: Scale | None = None
    met_threshold: Unit | None = None
    """The score from which a judged criterion counts as met; 0.7 where nothing else is said."""
    principle: bool = False
    """Whether the words are a principle, which the judge answers with a critique and a suggested revision."""
    kind: CriterionKind | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.text is None) == (self.check is None):
            raise InputError("a criterion has either text (for a judge) or check (the name of a deterministic check)")
        if self.text is not None:
            if not self.text.strip():
                raise InputError(f"text: {NO_WORDS}")
            if self.options:
                raise InputError("options belong to a check, not to a criterion in words")
        elif self.principle or self.scale or self.kind or self.met_threshold is not None:
            raise InputError("scale, met_threshold, kind and principle belong to a criterion in words, not to a check")

    @property
    def blocking(self) -> bool:
        """A deterministic criterion must pass unless said otherwise; a judged one only if said so."""
        return self.must_pass if self.must_pass is not None else self.check is not None


ReadCriteria = tuple[tuple[Criterion | str, ...], bytes]
"""Criteria with their canonical JSON."""
_CRITERIA = msgspec.json.Decoder(tuple[Criterion | str, ...])


def as_criteria(given: tuple[Criterion | str, ...], field: str = "criteria") -> tuple[Criterion, ...]:
    """Criteria in words among them made what they stand for; InputError names the one of the field that has no words."""
    for number, one in enumerate(given):
        if type(one) is str and not one.strip():
            raise InputError(f"{field}[{number}]: {NO_WORDS}")
    return tuple([Criterion(text=one) if isinstance(one, str) else one for one in given])


def check_needs(criteria: tuple[Criterion | str, ...]) -> None:
    """A criterion may need those that stand before it: so there is no circle, and the order is there to read."""
    before: set[str] = set()
    for number, criterion in enumerate(criteria):
        assert isinstance(criterion, Criterion)  # words were made one
        for need in criterion.needs:
            if need not in before:
                raise InputError(
                    f"criteria[{number}].needs: no criterion before it has the id {need!r}; give that one the id, "
                    "and put it first"
                )
        if criterion.id is not None and criterion.id in before:
            raise InputError(f"criteria[{number}].id: {criterion.id!r} is used twice; every criterion needs its own")
        if criterion.id is not None:
            before.add(criterion.id)


def criteria_in_json(written: bytes) -> ReadCriteria | None:
    """The criteria of a case as they stand in its JSON; None where they are too long to be remembered.

    Raises:
        msgspec.MsgspecError, InputError: They are none.

    """
    if len(written) > REMEMBERED_BYTES:
        return None
    return _from_json(written) if written else ((), b"[]")


def criteria_in_builtins(given: Any) -> ReadCriteria | None:
    """The same from a list of dictionaries; None where it is empty, too long, or holds anything but builtins.

    Raises:
        msgspec.MsgspecError, InputError: They are no criteria.

    """
    if not given:
        return None
    try:
        # Unlike JSON it tells everything apart: 1 from 1.0, and a key that is no string from one that is.
        packed = marshal.dumps(given, 2)
    except ValueError:
        return None
    return _from_packed(packed) if len(packed) <= REMEMBERED_BYTES else None


@functools.lru_cache(maxsize=256)
def _from_json(written: bytes) -> ReadCriteria:
    criteria = as_criteria(_CRITERIA.decode(written))
    return criteria, canonical(criteria)


@functools.lru_cache(maxsize=256)
def _from_packed(packed: bytes) -> ReadCriteria:
    given = marshal.loads(packed)  # noqa: S302 - packed above
    criteria = as_criteria(msgspec.convert(given, tuple[Criterion | str, ...]))
    return criteria, canonical(criteria)
